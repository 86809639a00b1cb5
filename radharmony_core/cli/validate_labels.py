"""``validate-labels``: CheXpert and NegBio against the labels of a radiologist."""

from __future__ import annotations

import argparse

import pandas as pd

from radharmony_core.cli.arguments import Commands, add_command, add_issues, output_file
from radharmony_core.cli.csv_files import as_csv
from radharmony_core.cli.label_files import add_files, label_files, read_labels
from radharmony_core.cli.output import as_json, as_text, emit, say_issues
from radharmony_core.labelers import validate_labels
from radharmony_core.schema import IssueLog

__all__ = ["add"]

_LABELERS = ("chexpert", "negbio")

_DESCRIPTION = """\
Holds CheXpert's and NegBio's labels against those that a radiologist gave to
687 studies (MIMIC-CXR-JPG 2.1.0), as the MIMIC-CXR-JPG paper does it: for each
label three questions, each a yes or no for every study.

  mention      is the label positive, negative or uncertain, rather than blank?
  negation     is it negative?
  uncertainty  is it uncertain?

Printed are true and false positives and negatives, precision, recall and F1. A
score that cannot be computed is missing, and the last column says why. A study
that a labeler's file does not have counts as blank, and is told on stderr."""

_EXAMPLE = """\
  python -m radharmony_core validate-labels --root ~/data/mimic-cxr-jpg/2.1.0
  python -m radharmony_core validate-labels --labeler negbio --format csv \\
      --truth mimic-cxr-2.1.0-test-set-labeled.csv --negbio mimic-cxr-2.0.0-negbio.csv.gz"""


def add(commands: Commands) -> None:
    short = "CheXpert and NegBio against a radiologist's labels"
    parser = add_command(commands, "validate-labels", short, _DESCRIPTION, _EXAMPLE)
    add_files(parser, ("test_set", *_LABELERS))
    parser.add_argument("--labeler", choices=(*_LABELERS, "both"), default="both", help="default both")
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text", help="default text")
    add_issues(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    issues_to = None if options.issues is None else output_file(options.issues, "--issues", (".csv",))
    log = IssueLog()
    labelers = _LABELERS if options.labeler == "both" else (options.labeler,)
    files = label_files(options, ("test_set", *labelers), log)
    truth = read_labels(files["test_set"], log)
    parts = []
    for labeler in labelers:
        predicted = read_labels(files[labeler], log)
        scores = validate_labels(truth, predicted, log)
        scores.insert(0, "labeler", labeler)
        parts.append(scores)
    table = pd.concat(parts, ignore_index=True)
    say_issues(log.frame(), issues_to)
    emit(_formatted(options.format, table, len(truth.ids)))
    return 0


def _formatted(form: str, table: pd.DataFrame, studies: int) -> str:
    header = list(table.columns)
    rows = table.astype(object).to_numpy().tolist()
    if form == "csv":
        return as_csv(header, rows)
    if form == "json":
        return as_json({"studies": studies, "scores": [dict(zip(header, row, strict=True)) for row in rows]})
    return f"{studies:,} studies\n{as_text(header, rows)}"
