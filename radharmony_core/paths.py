"""Where a dataset's files are: the tree of images at any usual depth, a file whatever its extension, never outside the root.

Depths people have after a download: ``files/``, ``mimic-cxr-jpg/2.1.0/files/``,
``physionet.org/files/mimic-cxr-jpg/2.1.0/files/``.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from radharmony_core.errors import MissingFileError, OutsideRootError, WriteError

__all__ = ["IMAGE_SUFFIXES", "existing", "find_file", "find_tree", "locate", "within", "written_whole"]

IMAGE_SUFFIXES = (".jpg", ".dcm", ".jpeg", ".png", ".dicom", ".JPG", ".DCM", ".JPEG", "")
_PATIENT_OR_STUDY = re.compile(r"[ps]\d+$")
_SHARD = re.compile(r"p\d\d$")
_DEPTH = 6
_FOLDERS_LOOKED_AT = 2000


def existing(path: str | Path, what: str) -> Path:
    """``path`` with ``~`` and environment variables expanded. Raises MissingFileError, naming ``what`` was expected there."""
    full = Path(os.path.expandvars(path)).expanduser()
    if not full.exists():
        raise MissingFileError(f"Expected {what} at {full}; there is nothing. Check the path for typing errors.")
    return full


def within(root: Path, relative: str) -> Path:
    """``root / relative``, links followed. Raises OutsideRootError where that is not inside ``root``.

    A link inside the dataset that leads out of it is refused too: what a table or an unpacked archive names must not
    reach the rest of the disk.
    """
    if "\0" in relative:
        raise OutsideRootError(f"The path {relative!r} holds a zero byte; no file can have such a name.")
    full = (root / relative).resolve()
    if not full.is_relative_to(root.resolve()):
        raise OutsideRootError(f"The path {relative!r} leads outside of {root}; only files inside the dataset are opened.")
    return full


def locate(root: Path, relative: str) -> Path | None:
    """The file of ``relative`` below ``root``, whatever the case or the extension; None where there is none.

    The exact name wins, then the usual extensions, then any file of the same stem.
    Raises OutsideRootError for a path that leads out of ``root``.
    """
    exact = within(root, relative)
    if _is_file(exact):
        return exact
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", exact.name)
    for suffix in IMAGE_SUFFIXES:
        if _is_file(candidate := exact.with_name(stem + suffix)):
            return within(root, str(candidate.relative_to(root.resolve())))
    twins = _stems_now(exact.parent).get(stem.casefold(), ())
    return within(root, str((exact.parent / twins[0]).relative_to(root.resolve()))) if twins else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for the file system cannot be a file's
        return False


def _stems_now(folder: Path) -> dict[str, tuple[str, ...]]:
    try:
        return _stems(str(folder), folder.stat().st_mtime_ns)
    except OSError:
        return {}


@lru_cache(maxsize=256)
def _stems(folder: str, _changed: int) -> dict[str, tuple[str, ...]]:
    """File names of a folder by folded stem; hidden files and ``._`` companions are not images.

    The folder's time of change is part of the key, so that a file added later is found.
    """
    found: dict[str, tuple[str, ...]] = {}
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    except OSError:
        return found
    for name in names:
        stem, _, suffix = name.rpartition(".")
        if not name.startswith(".") and suffix.lower() != "txt":
            key = (stem or name).casefold()
            found[key] = (*found.get(key, ()), name)
    return found


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
    try:
        entries = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return ()
    return [folder / name for name in entries if not name.startswith(".") and not _PATIENT_OR_STUDY.match(name)]


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A temporary file beside ``target`` to write to; it takes the name at the end, so that no half file ever has it.

    Raises MissingFileError when the folder is not there, WriteError when it cannot be written to (read-only, full).
    """
    if not target.parent.is_dir():
        raise MissingFileError(f"Expected the folder {target.parent} to save {target.name} into; there is none. Make it first.")
    temporary = None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
        os.close(handle)
        temporary = Path(name)
        yield temporary
        temporary.replace(target)
    except OSError as error:
        raise WriteError(
            f"{target} cannot be written: {error.strerror or error}. Make room, or choose another folder."
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def find_file(base: Path, pattern: str) -> Path | None:
    """The last file by name (the newest release) that matches the glob ``pattern`` in ``base`` or the usual depths below."""
    for folder in _candidates(base):
        found = sorted(path for path in folder.glob(pattern) if path.is_file())
        if found:
            return found[-1]
    return None
