"""The label files that the commands about labels read: named one by one, or found below a root."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from radharmony_core.cli.arguments import path
from radharmony_core.errors import ConfigError, MissingFileError
from radharmony_core.harmonizer.mimic.files import find_tables
from radharmony_core.harmonizer.mimic.labels import read_label_table
from radharmony_core.paths import existing
from radharmony_core.schema import IssueLog

__all__ = ["FILES", "add_files", "label_file", "read_labels"]

# By what the file holds: its option, and its name as published.
FILES: dict[str, tuple[str, str]] = {
    "chexpert": ("--chexpert", "mimic-cxr-2.0.0-chexpert.csv.gz"),
    "negbio": ("--negbio", "mimic-cxr-2.0.0-negbio.csv.gz"),
    "split": ("--split-csv", "mimic-cxr-2.0.0-split.csv.gz"),
    "test_set": ("--truth", "mimic-cxr-2.1.0-test-set-labeled.csv"),
}


def add_files(parser: argparse.ArgumentParser, sources: tuple[str, ...]) -> None:
    parser.add_argument("--root", type=path, metavar="DIR", help="MIMIC-CXR-JPG's folder; the files are looked for below it")
    for source in sources:
        option, name = FILES[source]
        parser.add_argument(option, dest=source, type=path, metavar="FILE", help=f"{name}, packed or not")


def label_file(options: argparse.Namespace, source: str) -> Path:
    """The file that was named, else the one below the root. Raises ConfigError, MissingFileError where there is none."""
    named: Path | None = getattr(options, source)
    option, name = FILES[source]
    if named is not None:
        return existing(named, name)
    if options.root is None:
        raise ConfigError(f"Expected --root with {name} somewhere below it, or {option} FILE; got neither.")
    found = find_tables(existing(options.root, "MIMIC-CXR-JPG's folder"), [source])[source]
    if not found:
        raise MissingFileError(f"Expected {name} below {options.root}, packed or not; there is none. Name it: {option} FILE.")
    return found[0]


def read_labels(options: argparse.Namespace, source: str, log: IssueLog) -> pd.DataFrame:
    """A label file as `read_label_table` has it; problems go into ``log`` under the file's name, which stays its source for
    what is found out about these labels next."""
    file = label_file(options, source)
    log.source = file.name
    return read_label_table(file, log)
