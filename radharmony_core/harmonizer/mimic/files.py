"""MIMIC-CXR's and MIMIC-CXR-JPG's tables: found below a folder by the names they are published under, or named one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from radharmony_core.errors import ConfigError
from radharmony_core.paths import existing, find_files
from radharmony_core.schema import IssueLog

__all__ = ["LABELERS", "LABEL_SOURCES", "Tables", "as_argument", "checked_source", "find_jpg_tables", "find_tables"]

_ANY = r"(?:.*[-_])?"  # PhysioNet's "mimic-cxr-2.0.0-", or what somebody put before a copy's name
_NAMES = {
    "metadata": "metadata",
    "split": "split",
    "chexpert": "chexpert",
    "negbio": "negbio",
    "test_set": "test[-_]set[-_]labeled",
    "record_list": "record[-_]list",
    "study_list": "study[-_]list",
}
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
        for key, files in find_tables(existing(root, what), wanted).items():
            if files:
                self.paths[key] = files[0]
                self.passed_over[key] = files[1:]

    def say(self, keys: Iterable[str], log: IssueLog) -> None:
        """Which tables are not there, once for all, and which had rivals."""
        missing = [key for key in keys if key not in self.paths]
        log.add("missing_table", values=[", ".join(missing)] if missing else [])
        for key, others in self.passed_over.items():
            names = " and ".join(path.name for path in others)
            log.add("several_files", values=[f"{self.paths[key].name}, not {names}"] if others else [])


def find_tables(root: Path, keys: Iterable[str]) -> dict[str, list[Path]]:
    """The files of each of ``keys`` in ``root`` or at the usual depths below, the one to read first: as published before any
    other name, the newest release, and packed, as it came, before what somebody unpacked."""
    names = list(keys)
    top = root.parent if root.name == "files" else root  # the images' folder: the tables are beside it
    found = find_files(top, [_ANY + _NAMES[name] + r"\.csv(?:\.gz)?" for name in names])
    return {name: sorted(files, key=_rank, reverse=True) for name, files in zip(names, found, strict=True)}


def _rank(path: Path) -> tuple[bool, list[int], bool, str]:
    name = path.name.lower()
    published = re.match(r"(?:mimic-cxr-([\d.]+)-|cxr-)", name)
    release = [int(number) for number in re.findall(r"\d+", (published and published[1]) or "")]
    return published is not None, release, name.endswith(".gz"), name


def as_argument(paths: str | Path | Sequence[str | Path] | None) -> str | None:
    """One path or several as one text, a line each."""
    if paths is None or isinstance(paths, str | Path):
        return None if paths is None else str(paths)
    return "\n".join(map(str, paths)) or None


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
        key = _label_key(path, source)
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


def _label_key(path: str, source: str) -> str:
    name, wanted = Path(path).name.lower(), LABEL_SOURCES[source]
    key = next((key for key in ("test_set", "negbio", "chexpert") if re.search(_NAMES[key], name)), None)
    if key is None and len(wanted) > 1:
        raise ConfigError(f"Expected chexpert or negbio in the name of {path}, to know whose labels it has. Rename a copy.")
    return key or wanted[0]
