"""A file whatever its extension or case, and never outside the dataset's root."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from radharmony_core.errors import OutsideRootError

__all__ = ["IMAGE_SUFFIXES", "entry_names", "is_file", "locate", "stem_of", "within"]

IMAGE_SUFFIXES = (".jpg", ".dcm", ".jpeg", ".png", ".dicom", ".JPG", ".DCM", ".JPEG", "")
_IMAGE_SUFFIX = re.compile(r"\.(jpe?g|png|tiff?|dcm|dicom)$", re.IGNORECASE)


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
    if is_file(exact):
        return exact
    if not exact.name or exact == root.resolve():
        return None
    stem = stem_of(exact.name)
    for suffix in IMAGE_SUFFIXES:
        if is_file(exact.with_name(stem + suffix)):
            return within(root, os.path.relpath(exact.with_name(stem + suffix), root.resolve()))
    twins = _stems_now(exact.parent).get(stem.casefold(), ())
    return within(root, os.path.relpath(exact.parent / twins[0], root.resolve())) if twins else None


def stem_of(name: str) -> str:
    """A file's name without an image's extension."""
    return _IMAGE_SUFFIX.sub("", name)


def is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
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
    for name in entry_names(folder, is_file):
        stem = stem_of(name)
        # Hidden files and macOS's companions are no images, nor is what has another extension, such as a report.
        if not name.startswith(".") and (stem != name or "." not in name):
            found[stem.casefold()] = (*found.get(stem.casefold(), ()), name)
    return found


def entry_names(folder: Path | str, wanted: Callable[[Path], bool]) -> list[str]:
    """The names in a folder for which ``wanted`` holds, sorted; a folder that may not be read has none."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
    except OSError:
        return []
    return [name for name in names if wanted(Path(folder) / name)]
