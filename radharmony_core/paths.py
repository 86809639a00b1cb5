"""Where a dataset's files are: the tree of images at any usual depth, a file whatever its extension, never outside the root.

Depths people have after a download: ``files/``, ``mimic-cxr-jpg/2.1.0/files/``,
``physionet.org/files/mimic-cxr-jpg/2.1.0/files/``.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from radharmony_core.errors import MissingFileError, OutsideRootError, WriteError

__all__ = ["IMAGE_SUFFIXES", "existing", "expanded", "find_file", "find_tree", "locate", "locate_all", "within", "written_whole"]

IMAGE_SUFFIXES = (".jpg", ".dcm", ".jpeg", ".png", ".dicom", ".JPG", ".DCM", ".JPEG", "")
_IMAGE_SUFFIX = re.compile(r"\.(jpe?g|png|tiff?|dcm|dicom)$", re.IGNORECASE)
_PATIENT_OR_STUDY = re.compile(r"[ps]\d+$")
_SHARD = re.compile(r"p\d\d$")
_DEPTH = 6
_FOLDERS_LOOKED_AT = 2000


def expanded(path: str | Path) -> Path:
    """``path`` with environment variables and ``~`` filled in; as it stands where it names a user that is not there."""
    full = Path(os.path.expandvars(path))
    try:
        return full.expanduser()
    except RuntimeError:
        return full


def existing(path: str | Path, what: str) -> Path:
    """``path``, expanded. Raises MissingFileError, naming ``what`` was expected there, where nothing is or may be seen."""
    full = expanded(path)
    try:
        full.stat()
    except (OSError, ValueError) as error:
        reason = "there is nothing" if isinstance(error, FileNotFoundError) else getattr(error, "strerror", None) or str(error)
        raise MissingFileError(f"Expected {what} at {str(full)[:300]}: {reason}. Check the path.") from error
    return full


def within(root: Path, relative: str) -> Path:
    """``root / relative``, links followed. Raises OutsideRootError where that is not inside ``root``.

    A link inside the dataset that leads out of it is refused too: what a table or an unpacked archive names must not
    reach the rest of the disk.
    """
    if "\0" in relative:
        raise OutsideRootError(f"The path {relative!r} holds a zero byte; no file can have such a name.")
    try:
        full, top = (root / relative).resolve(), root.resolve()
    except (OSError, RuntimeError) as error:  # links in a circle, a name too long
        raise OutsideRootError(f"The path {relative[:200]!r} cannot be followed below {root}: {error}.") from error
    if not full.is_relative_to(top):
        raise OutsideRootError(f"The path {relative!r} leads outside of {root}; only files inside the dataset are opened.")
    return full


def locate(root: Path, relative: str) -> Path | None:
    """The file of ``relative`` below ``root``, whatever the case or the extension; None where there is none.

    The exact name wins, then the usual extensions, then the same in another case. Only the extensions of images are
    exchanged: ``1.2.840.1`` and ``1.2.840.2`` are two names, not one with two extensions.
    Raises OutsideRootError for a path that leads out of ``root``.
    """
    exact = within(root, relative)
    if _is_file(exact):
        return exact
    if not exact.name or exact == root.resolve():
        return None
    stem = _stem(exact.name)
    for suffix in IMAGE_SUFFIXES:
        if _is_file(exact.with_name(stem + suffix)):
            return within(root, os.path.relpath(exact.with_name(stem + suffix), root.resolve()))
    twins = _stems_now(exact.parent).get(stem.casefold(), ())
    return within(root, os.path.relpath(exact.parent / twins[0], root.resolve())) if twins else None


def locate_all(root: Path, relatives: Sequence[str | None]) -> list[str | None]:
    """Each path's file below ``root`` as a path of its own, None where there is none. No file is given to two paths.

    A file that has one path's exact name is that path's: ``a.png`` is not taken for a missing ``a.jpg`` where another row
    names ``a.png``. Files under their own names cost one look each.
    """
    top = root.resolve()
    found: list[str | None] = []
    taken: set[str] = set()
    for path in relatives:
        own = path if path is not None and path not in taken and _is_plain_file(f"{top}/", path) else None
        found.append(own)
        taken.update(() if own is None else (own,))
    for place, path in enumerate(relatives):
        if path is None or found[place] is not None:
            continue
        try:
            file = locate(root, path)
        except OutsideRootError:
            continue
        name = None if file is None else os.path.relpath(file, top).replace(os.sep, "/")
        if name is not None and name not in taken:
            taken.add(name)
            found[place] = name
    return found


def _stem(name: str) -> str:
    return _IMAGE_SUFFIX.sub("", name)


def _is_plain_file(top: str, path: str) -> bool:
    """Whether ``path`` is a file and needs no second look: it does not climb, and holds nothing that no name holds."""
    climbs = ".." in path or path.startswith("/") or "\0" in path
    return not climbs and os.path.isfile(top + path)  # noqa: PTH113  a third of Path's cost, for every image of a dataset


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
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
    for name in _names(folder, _is_file):
        stem = _stem(name)
        # Hidden files and macOS's companions are no images, nor is what has another extension, such as a report.
        if not name.startswith(".") and (stem != name or "." not in name):
            found[stem.casefold()] = (*found.get(stem.casefold(), ()), name)
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
    names = _names(folder, _is_folder)
    return [folder / name for name in names if not name.startswith(".") and not _PATIENT_OR_STUDY.match(name)]


def _names(folder: Path | str, wanted: Callable[[Path], bool]) -> list[str]:
    """The names in a folder for which ``wanted`` holds, sorted; a folder that may not be read has none."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
    except OSError:
        return []
    return [name for name in names if wanted(Path(folder) / name)]


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A temporary file beside ``target`` to write to; it takes the name at the end, so that no half file ever has it.

    Raises MissingFileError when the folder is not there, WriteError when it cannot be written to (read-only, full).
    """
    if "\0" in str(target) or not os.path.isdir(target.parent):  # noqa: PTH112  says no, where Path raises for one that may not be seen
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
        found = sorted(path for path in _matching(folder, pattern) if _is_file(path))
        if found:
            return found[-1]
    return None


def _matching(folder: Path, pattern: str) -> list[Path]:
    try:
        return list(folder.glob(pattern))
    except OSError:  # a folder that may not be read holds nothing for us
        return []
