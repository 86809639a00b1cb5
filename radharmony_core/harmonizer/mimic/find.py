"""Finding MIMIC-CXR's tables below a folder, by the names they are published under, and choosing among several."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.tables.file import is_whole
from radharmony_core.paths import find_files

__all__ = ["NAMES", "find_tables", "other_copies", "rank"]

_ANY = r"(?:.*[-_])?"  # PhysioNet's "mimic-cxr-2.0.0-", or what somebody put before a copy's name
NAMES = {
    "metadata": "metadata",
    "split": "split",
    "chexpert": "chexpert",
    "negbio": "negbio",
    "test_set": "test[-_]set[-_]labeled",
    "record_list": "record[-_]list",
    "study_list": "study[-_]list",
}
_PATIENT_OR_STUDY = re.compile(r"[ps]\d+$")
_FOLDERS_LOOKED_AT = 30


def find_tables(root: Path, keys: Iterable[str]) -> dict[str, list[Path]]:
    """The files of each of ``keys`` in ``root`` or at the usual depths below, the one to read first: as published before any
    other name, the newest release, and packed, as it came, before what somebody unpacked; but one that is empty or damaged
    after one that is whole."""
    names = list(keys)
    found = find_files(_top(root), [_pattern(name) for name in names])
    if root.name == "files":  # somebody's own folder may have that name as well
        inside = _entries(root)
        own = [[file for file in inside if _fits(name, file)] for name in names]
        found = [files or others for files, others in zip(own, found, strict=True)]
    return {name: _whole_first(sorted(files, key=rank, reverse=True)) for name, files in zip(names, found, strict=True)}


def _top(root: Path) -> Path:
    return root.parent if root.name == "files" else root  # the images' folder: the tables are beside it


def _pattern(key: str) -> str:
    return _ANY + NAMES[key] + r"\.csv(?:\.gz)?"


def _fits(key: str, file: Path) -> bool:
    """Whether ``file`` has a name of ``key``, and is no folder."""
    return re.fullmatch(_pattern(key), file.name, re.IGNORECASE) is not None and os.path.isfile(file)  # noqa: PTH113  never raises


def rank(path: Path) -> tuple[bool, list[int], bool, str]:
    """Of two files of one table the one with the higher rank goes first."""
    name = path.name.lower()
    published = re.match(r"(?:mimic-cxr-([\d.]+)-|cxr-)", name)
    release = [int(number) for number in re.findall(r"\d+", (published and published[1]) or "")]
    return published is not None, release, name.endswith(".gz"), name


def _whole_first(files: list[Path]) -> list[Path]:
    """Of several the first that is whole before the others. A file without rivals is not looked into."""
    first = next((path for path in files if _is_whole(path, files)), None) if len(files) > 1 else None
    return files if first is None else [first, *(path for path in files if path != first)]


def _is_whole(path: Path, files: Sequence[Path]) -> bool:
    """Whether a table is neither empty nor cut off. A packed one has its size at its end: where its unpacked copy has that size,
    nothing need be unpacked to know."""
    try:
        status = path.stat()
        unpacked = path.with_suffix("")
        if path.suffix.lower() == ".gz" and unpacked in files and status.st_size:
            with path.open("rb") as handle:
                handle.seek(max(0, status.st_size - 4))
                if int.from_bytes(handle.read(), "little") == unpacked.stat().st_size > 0:
                    return True
        return _known_whole(path, status.st_mtime_ns, status.st_size)
    except (OSError, TableError):
        return False


@lru_cache(maxsize=64)
def _known_whole(path: Path, _changed: int, _size: int) -> bool:
    return is_whole(path)


def other_copies(root: Path, key: str, path: Path) -> list[Path]:
    """Files of ``key`` as deep below ``root`` as ``path`` and in another folder: another release, or a copy somebody made. A
    few folders are looked at."""
    top = root if path.is_relative_to(root) else _top(root)
    level = [top]
    for _ in path.parent.relative_to(top).parts:
        level = list(itertools.islice((child for folder in level for child in _folders(folder)), _FOLDERS_LOOKED_AT))
    others = [folder for folder in level if folder != path.parent]
    return [file for folder in others for file in _entries(folder) if _fits(key, file)]


def _folders(folder: Path) -> list[Path]:
    inside = (path for path in _entries(folder) if not _PATIENT_OR_STUDY.match(path.name))
    return [path for path in inside if os.path.isdir(path)]  # noqa: PTH112  never raises


def _entries(folder: Path) -> list[Path]:
    """What is in a folder, by name, the hidden left out; nothing where it may not be seen."""
    try:
        return sorted(folder / name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208  names are enough
    except OSError:
        return []
