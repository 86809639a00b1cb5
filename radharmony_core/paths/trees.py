"""The folder of images or a table at any usual depth below a dataset's root.

Depths people have after a download: ``files/``, ``mimic-cxr-jpg/2.1.0/files/``,
``physionet.org/files/mimic-cxr-jpg/2.1.0/files/``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from radharmony_core.errors import OutsideRootError
from radharmony_core.paths.locate import entry_names, is_file, locate

__all__ = ["best_tree", "find_file", "find_files", "find_shards", "find_tree", "found_below", "some_files"]

_PATIENT_OR_STUDY = re.compile(r"[ps]\d+$")
_NO_FOLDER = re.compile(r"[ps]\d{3,}$|.*\.(?:jpe?g|png|dcm|dicom|txt|csv|gz|zip|json|html?)$", re.IGNORECASE)
_SHARD = re.compile(r"p\d\d$")
_IMAGE = (r"p\d\d", r"p\d{3,}", r"s\d+", r"[^.].*\.\w+")
_DEPTH = 6
_FOLDERS_LOOKED_AT = 2000
# By find_files and find_shards, which promise few calls (a network's disk takes its time for each), and to look into a tree.
_FOLDERS_OPENED, _FOLDERS_LOOKED_INTO, _TREES_LOOKED_INTO = 30, 8, 3


def find_tree(base: Path, relatives: Sequence[str]) -> Path | None:
    """The folder at or near ``base`` below which most of ``relatives`` are files; None where none of them is found.

    Of two that hold as many, the one that has them under their own names: a JPG tree, for a table that names JPGs.
    """
    return best_tree(base, lambda candidate: found_below(candidate, relatives), len(set(relatives)))


def best_tree(base: Path, found_in: Callable[[Path], Mapping[str, Path]], most: int) -> Path | None:
    """The folder at or near ``base`` in which most paths are found, as `find_tree`; the first with ``most`` of them under their
    own names ends the search."""
    best, best_found = None, (0, 0)
    for candidate in _candidates(base):
        found = found_in(candidate)
        score = (len(found), sum(path.name == relative.rpartition("/")[2] for relative, path in found.items()))
        if score > best_found:
            best, best_found = candidate, score
        if most and best_found[1] == most:
            break
    return best


def found_below(root: Path, relatives: Iterable[str]) -> dict[str, Path]:
    """The files of ``relatives`` below ``root``, whatever their extension; without those that are not there or lead out."""
    return {relative: path for relative in relatives if (path := _found(root, relative)) is not None}


def _found(root: Path, relative: str) -> Path | None:
    try:
        return locate(root, relative)
    except OutsideRootError:
        return None


def _candidates(base: Path) -> Iterator[Path]:
    """``base``, the folder above where ``base`` is a shard (``p10``), then folders below, nearest first."""
    yield base
    if _SHARD.fullmatch(base.name):
        yield base.parent
    level, looked_at = [base], 0
    for _ in range(_DEPTH):
        level = [child for folder in level for child in _folders(folder)]
        looked_at += len(level)
        if looked_at > _FOLDERS_LOOKED_AT:
            return
        yield from level


def _folders(folder: Path) -> Iterable[Path]:
    """Folders inside that are not patients' or studies' own: those may be 65,379, and images never lie deeper apart."""
    names = entry_names(folder, _is_folder)
    return [folder / name for name in names if not name.startswith(".") and not _PATIENT_OR_STUDY.match(name)]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def find_file(base: Path, pattern: str) -> Path | None:
    """The last file by name (the newest release) that matches the glob ``pattern`` in ``base`` or the usual depths below."""
    for folder in _candidates(base):
        found = sorted(path for path in _matching(folder, pattern) if is_file(path))
        if found:
            return found[-1]
    return None


def _matching(folder: Path, pattern: str) -> list[Path]:
    try:
        return list(folder.glob(pattern))
    except OSError:  # a folder that may not be read holds nothing for us
        return []


def find_files(base: Path, patterns: Sequence[str]) -> list[list[Path]]:
    """For each regular expression the files whose whole names match it, case aside, in the nearest folder that has one:
    ``base`` or the usual depths below. Sorted by name, the newest release last. Opens few folders and no file."""
    found: list[list[Path]] = [[] for _ in patterns]
    fits = [re.compile(pattern, re.IGNORECASE) for pattern in patterns]
    for folder, _, files in _opened(base, lambda name: any(fit.fullmatch(name) for fit in fits)):
        for matches, fit in zip(found, fits, strict=True):
            if not matches:
                matches += [folder / name for name in files if fit.fullmatch(name)]
        if all(found):
            break
    return found


def find_shards(base: Path, suffix: str) -> Path | None:
    """The folder at or near ``base`` that holds MIMIC-CXR's ``p10`` to ``p19``; None where there is none.

    Of several the first whose images end in ``suffix``, as one image of each tells. Opens few folders and no file.
    """
    places = [base.parent] if _SHARD.fullmatch(base.name) else []
    places += [folder for folder, folders, _ in _opened(base, lambda _: False) if any(map(_SHARD.fullmatch, folders))]
    if len(places) > 1:
        return next((place for place in places[:_TREES_LOOKED_INTO] if _holds(place, suffix)), places[0])
    return places[0] if places else None


def _holds(shards: Path, suffix: str) -> bool:
    return any(name.lower().endswith(suffix) for name in some_files(shards, _IMAGE, 1, _FOLDERS_LOOKED_INTO))


def _opened(base: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[Path, list[str], list[str]]]:
    """``base`` and folders below, nearest first and newest release first, each with its folders and the files wanted there."""
    level, left = [base], _FOLDERS_OPENED
    for _ in range(_DEPTH + 1):
        below = []
        for folder in level[:left]:
            folders, files = _entries(folder, wanted)
            yield folder, folders, files
            below += [folder / name for name in folders if not _PATIENT_OR_STUDY.match(name)]
        level, left = below, left - len(level)
        if left <= 0:
            return


def _entries(folder: Path, wanted: Callable[[str], bool]) -> tuple[list[str], list[str]]:
    """Folders, last name first, and wanted files, first name first; hidden ones are neither. What may not be read has none.

    Whether a name is a folder may take a call for each, where they are links: patients and images are told by their names."""
    folders, files = [], []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name.startswith("."):
                    continue
                if wanted(name):
                    files += [name] if entry.is_file() else []
                elif not _NO_FOLDER.match(name) and entry.is_dir():
                    folders.append(name)
    except OSError:
        return [], []
    return sorted(folders, reverse=True), sorted(files)


def some_files(root: Path, shapes: Sequence[str], most: int, opened: int = _FOLDERS_OPENED) -> list[str]:
    """At most ``most`` paths of files below ``root`` whose folders and name match the regular expressions ``shapes``, level by
    level, by name alone. At most ``opened`` folders are opened, so that an empty result is no proof that there are none."""
    found: list[str] = []
    left = opened

    def look(inside: str, level: int) -> None:
        nonlocal left
        left -= 1
        for name in _names(root / inside, re.compile(shapes[level])):
            if len(found) >= most or left <= 0:
                return
            path = f"{inside}/{name}" if inside else name
            if level + 1 < len(shapes):
                look(path, level + 1)
            else:
                found.append(path)

    look("", 0)
    return found


def _names(folder: Path, shape: re.Pattern[str]) -> Iterator[str]:
    """Names in a folder, as they come: sorting would mean to wait for all of a shard's thousands."""
    try:
        with os.scandir(folder) as entries:
            yield from (entry.name for entry in entries if shape.fullmatch(entry.name))
    except OSError:
        return
