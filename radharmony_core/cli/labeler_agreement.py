"""``labeler-agreement``: where CheXpert and NegBio say the same, against the published table."""

from __future__ import annotations

import argparse

import pandas as pd

from radharmony_core.cli.arguments import Commands, add_command, add_issues, output_file
from radharmony_core.cli.csv_files import as_csv
from radharmony_core.cli.label_files import add_files, label_files, read_labels
from radharmony_core.cli.output import as_json, as_text, emit, say, say_issues
from radharmony_core.labelers import (
    PUBLISHED_SPLIT,
    PUBLISHED_STUDIES,
    agreement,
    differences_from_published,
    studies_in_split,
)
from radharmony_core.schema import IssueLog

__all__ = ["add"]

_DESCRIPTION = f"""\
Counts, for each of the 14 labels, the studies for which CheXpert and NegBio
both say positive, negative or uncertain, and those on which they disagree: one
leaves the label blank and the other does not, or they give two states. That is
the table of label frequencies of the MIMIC-CXR-JPG paper (arXiv 1901.07042).

With --split {PUBLISHED_SPLIT}, the default, every cell is compared with the published
number, and the exit code is 0 only where all are equal: your copy of the files
is then the published one. Cells that differ are named on stderr."""

_EXAMPLE = """\
  python -m radharmony_core labeler-agreement --root ~/data/mimic-cxr-jpg/2.1.0
  python -m radharmony_core labeler-agreement --split all --format csv \\
      --chexpert mimic-cxr-2.0.0-chexpert.csv.gz --negbio mimic-cxr-2.0.0-negbio.csv.gz"""


def add(commands: Commands) -> None:
    short = "where CheXpert and NegBio agree, against the published table"
    parser = add_command(commands, "labeler-agreement", short, _DESCRIPTION, _EXAMPLE)
    add_files(parser, ("chexpert", "negbio", "split"))
    splits = ("train", "validate", "test", "all")
    parser.add_argument("--split", choices=splits, default=PUBLISHED_SPLIT, dest="part", help="which studies (default train)")
    parser.add_argument("--no-compare", action="store_true", help="do not compare with the published numbers")
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text", help="default text")
    add_issues(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    issues_to = None if options.issues is None else output_file(options.issues, "--issues", (".csv",))
    log = IssueLog()
    files = label_files(options, ("chexpert", "negbio", *(["split"] if options.part != "all" else [])), log)
    chexpert, negbio = read_labels(files["chexpert"], log), read_labels(files["negbio"], log)
    if "split" in files:
        log.source = files["split"].name
        wanted = studies_in_split(files["split"], options.part, log)
        chexpert, negbio = chexpert.among(wanted), negbio.among(wanted)
    log.source = None
    found = agreement(chexpert, negbio, log)
    studies = len(chexpert.ids.union(negbio.ids, sort=False))
    compared = options.part == PUBLISHED_SPLIT and not options.no_compare
    differences = differences_from_published(found) if compared else None
    say_issues(log.frame(), issues_to)
    emit(_formatted(options, found, studies, differences))
    if differences is None:
        return 0
    _say_differences(differences, found.size, studies)
    return 1 if len(differences) else 0


def _formatted(options: argparse.Namespace, found: pd.DataFrame, studies: int, differences: pd.DataFrame | None) -> str:
    header = ("label", *found.columns)
    rows = [(label, *cells) for label, cells in zip(found.index, found.to_numpy(dtype=object).tolist(), strict=True)]
    if options.format == "csv":
        return as_csv(header, rows)
    if options.format == "text":
        return f"{studies:,} studies, split {options.part}\n{as_text(header, rows)}"
    told = {"split": options.part, "studies": studies, "labels": [dict(zip(header, row, strict=True)) for row in rows]}
    if differences is not None:
        told["published"] = {"studies": PUBLISHED_STUDIES, "differences": differences.astype(object).to_dict("records")}
    return as_json(told)


def _say_differences(differences: pd.DataFrame, cells: int, studies: int) -> None:
    if studies != PUBLISHED_STUDIES:
        say(f"The published table counts {PUBLISHED_STUDIES:,} studies, these files have {studies:,}.")
    if differences.empty:
        say("Every cell is as published (arXiv 1901.07042).")
        return
    say(f"{len(differences)} of {cells} cells differ from the published table (arXiv 1901.07042):")
    say(as_text(list(differences.columns), differences.to_numpy(dtype=object).tolist()))
