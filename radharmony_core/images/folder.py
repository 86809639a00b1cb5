"""The images of a folder."""

from __future__ import annotations

from pathlib import Path

from radharmony_core.errors import ImageError, MissingFileError
from radharmony_core.images.film import shown_name
from radharmony_core.images.reader import open_file
from radharmony_core.images.sniff import HEAD_BYTES, sniffed_kind

__all__ = ["list_images"]

# What file managers leave behind, in lower case; names that begin with a dot (``._x.dcm``, ``.DS_Store``) are hidden.
_JUNK = frozenset({"thumbs.db", "desktop.ini", "ehthumbs.db"})


def list_images(folder: str | Path) -> list[Path]:
    """The image files in ``folder`` itself, by content whatever their names, sorted by name; empty for a folder without.

    Hidden files, what file managers leave behind, empty files, files that cannot be opened and links that lead out of the
    folder are skipped. Raises MissingFileError where there is no such folder.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise MissingFileError(f"A folder was expected at {shown_name(str(folder))}; there is none. Check the path.")
    return sorted(path for path in folder.iterdir() if _is_image(path, folder))


def _is_image(path: Path, folder: Path) -> bool:
    if path.name.startswith(".") or path.name.lower() in _JUNK:
        return False
    try:
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            return False
    except (OSError, RuntimeError):
        return False  # links that lead to each other
    try:
        with open_file(path) as (stream, size):
            return sniffed_kind(stream.read(HEAD_BYTES), size) is not None
    except (ImageError, MissingFileError):
        return False
