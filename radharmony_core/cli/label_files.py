"""The label files that the commands about labels read: named one by one, or found below a root."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from pathlib import Path

from radharmony_core.cli.arguments import path, refuse_own_files
from radharmony_core.errors import ConfigError, MissingFileError
from radharmony_core.harmonizer.mimic.files import Tables
from radharmony_core.labelers import LabelStates, read_label_states
from radharmony_core.schema import IssueLog

__all__ = ["FILES", "add_files", "label_files", "read_labels"]

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


def label_files(options: argparse.Namespace, sources: Sequence[str], log: IssueLog) -> dict[str, Path]:
    """For each of ``sources`` the file that was named, else the one below the root; which of several is read goes into ``log``.

    Raises ConfigError and MissingFileError where there is none, and ConfigError where ``--issues`` names one of them, or one that
    would have fitted as well.
    """
    tables = Tables()
    for source in sources:
        named: Path | None = getattr(options, source)
        tables.name(source, None if named is None else str(named), FILES[source][1])
    for source in sources:
        option, name = FILES[source]
        if source not in tables.paths and options.root is None:
            raise ConfigError(f"Expected --root with {name} somewhere below it, or {option} FILE; got neither.")
    tables.look(None if options.root is None else str(options.root), sources, "MIMIC-CXR-JPG's folder")
    for source in sources:
        option, name = FILES[source]
        if source not in tables.paths:
            raise MissingFileError(f"Expected {name} below {options.root}, packed or not; there is none. Name it: {option} FILE.")
    tables.say((), log)
    rivals = itertools.chain.from_iterable(tables.passed_over.values())
    refuse_own_files([*tables.paths.values(), *rivals], {"--issues": options.issues})
    return tables.paths


def read_labels(file: Path, log: IssueLog) -> LabelStates:
    """A label file as `read_label_states` has it; problems go into ``log`` under the file's name, which stays its source for
    what is found out about these labels next."""
    log.source = file.name
    return read_label_states(file, log)
