"""Where a study's report is on disk, and its text as it stands there.

MIMIC-CXR puts it beside the study's folder: ``files/p10/p10000032/s50414267.txt``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.paths import within
from radharmony_core.texts import decode

__all__ = ["Report", "read_report", "report_path"]


@dataclass(frozen=True, slots=True)
class Report:
    """``text`` is the file's, every character kept; ``notices`` say how it had to be read."""

    text: str
    path: Path
    notices: tuple[str, ...] = ()


def report_path(image_path: str) -> str:
    """The report's path beside the study's folder: ``p10/p10000032/s50414267/x.jpg`` -> ``p10/p10000032/s50414267.txt``."""
    folder, _, _ = image_path.rpartition("/")
    return f"{folder}.txt"


def read_report(root: Path, relative: str) -> Report:
    """The report, decoded as `texts.decode` does, with a notice where that is a guess.

    Raises MissingFileError (where there is no regular file), OutsideRootError, TableError (where it cannot be read).
    """
    path = within(root, relative)
    try:
        data = path.read_bytes() if path.is_file() else None  # a pipe of that name would be waited for without end
    except OSError as error:
        raise TableError(f"The report {path} cannot be read: {error.strerror or error}.") from error
    if data is None:
        raise MissingFileError(f"Expected the study's report at {path}; there is no such file.")
    text, guessed = decode(data)
    if guessed is None:
        return Report(text, path)
    return Report(text, path, (f"The report is not UTF-8; it was read as {guessed}. Accents and quotes may be wrong.",))
