"""Paths as people type them, and files that are whole or not there."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from radharmony_core.errors import MissingFileError, WriteError

__all__ = ["existing", "expanded", "stamp", "written_whole"]


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


def stamp(path: Path) -> tuple[int, int, int, int] | None:
    """What changes when a file or folder does: its size, both times and its inode, for a copy may bring its time along. None
    where nothing is or may be seen."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return None
    return about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino


@contextmanager
def written_whole(target: Path, *, private: bool = False) -> Iterator[Path]:
    """A temporary file beside ``target`` to write to; it takes the name at the end, so that no half file ever has it.

    With the rights that any new file has there, so that colleagues may read it; ``private``: for its owner alone.
    Raises MissingFileError when the folder is not there, WriteError when it cannot be written to (read-only, full).
    """
    if "\0" in str(target) or not os.path.isdir(target.parent):  # noqa: PTH112  says no, where Path raises for one that may not be seen
        raise MissingFileError(f"Expected the folder {target.parent} to save {target.name} into; there is none. Make it first.")
    temporary = None
    try:
        part = target.parent / f".{target.name}.{secrets.token_hex(4)}.part"
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if private else 0o666))
        temporary = part
        yield part
        part.replace(target)
    except OSError as error:
        raise WriteError(
            f"{target} cannot be written: {error.strerror or error}. Make room, or choose another folder."
        ) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
