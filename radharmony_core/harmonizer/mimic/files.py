"""MIMIC-CXR's and MIMIC-CXR-JPG's tables: found below a folder, or named one by one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from radharmony_core.errors import ConfigError
from radharmony_core.harmonizer.mimic.find import NAMES, find_tables, other_copies, rank
from radharmony_core.paths import existing
from radharmony_core.schema import IssueLog

__all__ = [
    "LABELERS",
    "LABEL_SOURCES",
    "Tables",
    "as_arguments",
    "checked_source",
    "find_jpg_tables",
    "find_tables",
    "label_key",
    "other_copies",
]

LABELERS = ("chexpert", "negbio")
LABEL_SOURCES = {"chexpert": ("chexpert",), "negbio": ("negbio",), "agreed": LABELERS, "test_set": ("test_set",)}


@dataclass(slots=True)
class Tables:
    """The tables that will be read, by their key: what was named, then what is below ``root``. ``passed_over`` are the files
    that would have fitted as well."""

    paths: dict[str, Path] = field(default_factory=dict)
    passed_over: dict[str, list[Path]] = field(default_factory=dict)

    def name(self, key: str, path: str | None, what: str) -> None:
        """Takes ``path`` where it is not None. Raises MissingFileError where nothing is there."""
        if path is not None:
            self.paths[key] = existing(path, what)

    def look(self, root: str | None, keys: Iterable[str], what: str) -> None:
        """Looks below ``root`` for those that were not named. Raises MissingFileError where ``root`` is not there."""
        if root is None:
            return
        wanted = [key for key in keys if key not in self.paths]
        top = existing(root, what)
        for key, files in find_tables(top, wanted).items():
            if files:
                self.paths[key] = files[0]
                self.passed_over[key] = [*files[1:], *other_copies(top, key, files[0])]

    def say(self, keys: Iterable[str], log: IssueLog) -> None:
        """Which tables are not there, once for all, and which had rivals."""
        missing = [key for key in keys if key not in self.paths]
        log.add("missing_table", values=[", ".join(missing)] if missing else [])
        for key, others in self.passed_over.items():
            path = self.paths[key]
            damaged = [other for other in others if other.parent == path.parent and rank(other) > rank(path)]
            log.add("passed_over_file", rows=[None] * len(damaged), values=[other.name for other in damaged])
            names = " and ".join(os.path.relpath(other, path.parent) for other in others if other not in damaged)
            log.add("several_files", values=[f"{path.name}, not {names}"] if names else [])


def as_arguments(**paths: str | Path | Sequence[str | Path] | None) -> dict[str, str | None]:
    """Each path as the text that a harmonizer keeps, several as a line each. Raises ConfigError for a blank one, which would be
    the folder that one happens to be in."""
    texts: dict[str, str | None] = {}
    for name, named in paths.items():
        several = [] if named is None else [named] if isinstance(named, str | Path) else named
        if not all(str(path).strip() for path in several):
            raise ConfigError(f"Expected a path as {name}, got an empty text. Name the file or folder, or leave {name} out.")
        texts[name] = "\n".join(map(str, several)) or None
    return texts


def checked_source(label_source: str) -> str:
    """``label_source`` itself. Raises ConfigError where there is no such source of labels."""
    if label_source not in LABEL_SOURCES:
        raise ConfigError(f"Expected a label_source out of {', '.join(LABEL_SOURCES)}; got {label_source!r}.")
    return label_source


def find_jpg_tables(tables: Tables, root: str | None, arguments: Mapping[str, str | None], metadata: str) -> None:
    """Adds MIMIC-CXR-JPG's tables: those that ``arguments`` name, the metadata as ``metadata``, and the others below ``root``.

    A label file is told by its name; one whose name says nothing is ``label_source``'s. Raises MissingFileError; ConfigError
    where label files were named and ``label_source``'s is not among them.
    """
    source = arguments["label_source"] or ""
    tables.name("metadata", arguments[metadata], "MIMIC-CXR-JPG's metadata")
    tables.name("split", arguments["split_csv_path"], "MIMIC-CXR-JPG's split")
    named = (arguments["label_csv_path"] or "").split("\n")
    for path in filter(None, named):
        key = label_key(path, source)
        if key in tables.paths:
            raise ConfigError(f"Expected one label table of {key}, got {tables.paths[key]} and {path}. Name one of them.")
        tables.name(key, path, "a label table")
    wanted = LABEL_SOURCES[source]
    tables.look(root, dict.fromkeys(("metadata", "split", *wanted, *LABELERS)), "MIMIC-CXR-JPG's folder")
    lacking = [key for key in wanted if key not in tables.paths]
    if any(named) and lacking:
        raise ConfigError(
            f"label_source is {source!r}, which needs the labels of {' and '.join(wanted)}; by their names the tables "
            f"{', '.join(named)} are others. Name {' and '.join(lacking)} as well, or change label_source."
        )


def label_key(path: str, source: str) -> str:
    """Whose labels the file has: told by its name, else ``source``'s. Raises ConfigError where that would be two."""
    name, wanted = Path(path).name.lower(), LABEL_SOURCES[source]
    key = next((key for key in ("test_set", "negbio", "chexpert") if re.search(NAMES[key], name)), None)
    if key is None and len(wanted) > 1:
        raise ConfigError(f"Expected chexpert or negbio in the name of {path}, to know whose labels it has. Rename a copy.")
    return key or wanted[0]
