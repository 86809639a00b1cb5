"""The folder of images or a table at any usual depth below a dataset's root.

Depths people have after a download: ``files/``, ``mimic-cxr-jpg/2.1.0/files/``,
``physionet.org/files/mimic-cxr-jpg/2.1.0/files/``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from radharmony_core.errors import OutsideRootError
from radharmony_core.paths.locate import entry_names, is_file, locate

__all__ = ["find_file", "find_tree"]

_PATIENT_OR_STUDY = re.compile(r"[ps]\d+$")
_SHARD = re.compile(r"p\d\d$")
_DEPTH = 6
_FOLDERS_LOOKED_AT = 2000


def find_tree(base: Path, relatives: Sequence[str]) -> Path | None:
    """The folder at or near ``base`` below which most of ``relatives`` are files; None where none of them is found.

    Of two that hold as many, the one that has them under their own names: a JPG tree, for a table that names JPGs.
    """
    best, best_found = None, (0, 0)
    for candidate in _candidates(base):
        found = {relative: path for relative in relatives if (path := _found(candidate, relative)) is not None}
        score = (len(found), sum(path.name == relative.rpartition("/")[2] for relative, path in found.items()))
        if score > best_found:
            best, best_found = candidate, score
        if relatives and best_found[1] == len(set(relatives)):
            break
    return best


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
