"""``harmonize``: one dataset's raw files to one table, one row per image."""

from __future__ import annotations

import argparse
import inspect
from pathlib import Path
from typing import Any, get_type_hints

import pandas as pd

from radharmony_core.cli.arguments import Commands, add_command, add_issues, add_quiet, output_file, path, refuse_own_files
from radharmony_core.cli.csv_files import write_csv
from radharmony_core.cli.output import as_json, as_text, emit, say_issues
from radharmony_core.cli.progress import ProgressLine
from radharmony_core.errors import ConfigError
from radharmony_core.harmonizer import HARMONIZERS, MSCXRHarmonizer, find_annotations
from radharmony_core.schema import cells_for_csv

__all__ = ["OPTIONS", "add", "options_of"]

# What stands behind each argument of a harmonizer; which dataset takes which is asked of the harmonizers themselves.
OPTIONS: dict[str, tuple[str, str]] = {
    "root": ("DIR", "the dataset's folder at any usual depth; the files below are looked for there"),
    "csv_path": ("FILE", "the dataset's own table: MS-CXR's CSV or JSON, MIMIC-CXR-JPG's metadata, MIMIC-CXR's record list"),
    "base_image_dir": ("DIR", "the folder of the images"),
    "dicom_base_dir": ("DIR", "the folder of MIMIC-CXR's DICOM files"),
    "mimic_base_dir": ("DIR", "MIMIC-CXR's images for MS-CXR, JPG or DICOM"),
    "jpg_root": ("DIR", "MIMIC-CXR-JPG's folder: labels, split and metadata for MIMIC-CXR"),
    "metadata_csv_path": ("FILE", "MIMIC-CXR-JPG's metadata"),
    "label_csv_path": ("FILE", "the labels"),
    "split_csv_path": ("FILE", "MIMIC-CXR-JPG's split"),
    "report_csv_path": ("FILE", "a table of reports"),
    "report_dir": ("DIR", "where the reports are: files or mimic-cxr-reports.zip"),
    "label_source": (
        "S",
        "chexpert (default), negbio, agreed or test_set; casia_cxr has its own labels only, by that default",
    ),
}
# Arguments that a harmonizer has so that all can be called alike, and refuses.
_REFUSED = {"casia_cxr": ("split_csv_path",)}

_SPLITS = ("train", "validate", "val", "test")  # in the order people read them; others follow

_DESCRIPTION = """\
Reads one dataset's raw files and writes one table, one row per image, as
Parquet (with its problems and arguments inside, for load_from_saved) or as CSV
(lists as JSON, dates as ISO 8601, labels 1, 0, -1 or empty for not mentioned).

KIND is {kinds}.
Name the dataset's folder with --root, or files one by one; a file that is named
wins over one found below the root. Packed (.csv.gz) and unpacked tables are
read alike. No image is opened.

Printed are the counts of images, studies and patients by split. What is odd in
the data is told on stderr by code, with one example each, and every row stays."""

_EXAMPLE = """\
  python -m radharmony_core harmonize ms_cxr --root ~/data --out ms_cxr.parquet
  python -m radharmony_core harmonize mimic_cxr_jpg --root ~/data/mimic-cxr-jpg/2.1.0 \\
      --label-source agreed --issues issues.csv --out mimic_cxr_jpg.csv"""


def options_of(kind: str) -> list[str]:
    """The arguments that ``kind`` takes, as its harmonizer's constructor has them. MS-CXR's takes the table itself; below a
    root it is looked for here."""
    refused = _REFUSED.get(kind, ())
    names = [name for name in inspect.signature(HARMONIZERS[kind]).parameters if name not in refused]
    return names if "root" in names else ["root", *names]


def add(commands: Commands) -> None:
    kinds = sorted(HARMONIZERS)
    description = _DESCRIPTION.format(kinds=" or ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1]))))
    parser = add_command(commands, "harmonize", "one dataset's raw files to one table", description, _EXAMPLE)
    parser.add_argument("kind", choices=kinds, metavar="KIND", help=", ".join(kinds))
    for name in dict.fromkeys(name for kind in kinds for name in options_of(kind)):
        metavar, meaning = OPTIONS.get(name, ("VALUE", name.replace("_", " ")))
        takers = [kind for kind in kinds if name in options_of(kind)]
        only = "" if takers == kinds else f" (only {', '.join(takers)})"
        listed = [kind for kind in takers if _takes_several(kind, name)]
        several = "; may be given more than once" if listed else ""
        several += f" for {', '.join(listed)}" if listed and listed != takers else ""
        as_type = path if metavar in ("DIR", "FILE") else str
        parser.add_argument(
            _option(name), dest=name, type=as_type, action="append", metavar=metavar, help=meaning + several + only
        )
    parser.add_argument("--out", type=path, required=True, metavar="FILE", help="NAME.parquet or NAME.csv")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how the counts are printed (default text)")
    add_issues(parser)
    add_quiet(parser)
    parser.set_defaults(run=_run)


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _takes_several(kind: str, name: str) -> bool:
    """Whether an argument may be a list as well as one file."""
    return "Sequence" in str(get_type_hints(HARMONIZERS[kind].__init__).get(name))


def _run(options: argparse.Namespace) -> int:
    out: Path = output_file(options.out, "--out", (".parquet", ".csv"))
    issues_to = None if options.issues is None else output_file(options.issues, "--issues", (".csv",))
    harmonizer = HARMONIZERS[options.kind](**_arguments(options))
    refuse_own_files(harmonizer.inputs(), {"--out": out, "--issues": issues_to})
    with ProgressLine(quiet=options.quiet) as progress:
        table = harmonizer.harmonize(progress=progress)
    if out.suffix.lower() == ".csv":
        write_csv(cells_for_csv(table), out)
    else:
        harmonizer.save(out)
    issues = harmonizer.issues
    say_issues(issues, issues_to)
    counts = _counts(table)
    if options.format == "json":
        codes = issues["code"].value_counts().to_dict()
        emit(as_json({"out": out, "kind": options.kind, "counts": counts, "issues": codes}))
    else:
        rows = [["none" if row["split"] is None else row["split"], *list(row.values())[1:]] for row in counts]
        emit(f"{out}\n{as_text(list(counts[0]), rows)}")
    return 0


def _arguments(options: argparse.Namespace) -> dict[str, Any]:
    """What was given, as the constructor takes it. Raises ConfigError for what it does not take, or needs and was not given."""
    kind, taken = options.kind, options_of(options.kind)
    known = dict.fromkeys(name for other in HARMONIZERS for name in options_of(other))
    given: dict[str, Any] = {name: values for name in known if (values := getattr(options, name)) is not None}
    wrong = [_option(name) for name in given if name not in taken]
    if wrong:
        raise ConfigError(f"{kind} takes no {', '.join(wrong)}; it takes {', '.join(map(_option, taken))}.")
    twice = [_option(name) for name, values in given.items() if len(values) > 1 and not _takes_several(kind, name)]
    if twice:
        raise ConfigError(f"{kind} takes {', '.join(twice)} once; it was given more often.")
    given = {name: values[0] if len(values) == 1 else values for name, values in given.items()}
    if kind == MSCXRHarmonizer.kind and (root := given.pop("root", None)) is not None:
        given = {"csv_path": given.get("csv_path") or find_annotations(root), "mimic_base_dir": root} | given
    parameters = inspect.signature(HARMONIZERS[kind]).parameters.values()
    missing = [each.name for each in parameters if each.default is each.empty and each.name not in given]
    if missing or not given:
        needed = ", ".join(_option(name) for name in missing) or "the files one by one"
        raise ConfigError(f"Expected --root with {kind} somewhere below it, or {needed}; got neither.")
    return given


def _counts(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Images, studies and patients of each split, None for rows without one, and of all."""
    known = [name for name in _SPLITS if (table["split"] == name).any()]
    others = sorted(set(table["split"].dropna().unique()) - set(known))
    parts: list[tuple[str | None, pd.Series[bool]]] = [(name, table["split"] == name) for name in (*known, *others)]
    if table["split"].isna().any():
        parts.append((None, table["split"].isna()))
    parts.append(("all", pd.Series(data=True, index=table.index, dtype=bool)))
    ids = {"studies": table["study_id"], "patients": table["patient_id"]}
    return [
        {"split": name, "images": int(rows.sum()), **{what: column[rows].nunique() for what, column in ids.items()}}
        for name, rows in parts
    ]
