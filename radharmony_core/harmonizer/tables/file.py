"""A table's file as bytes. Gzip (RFC 1952) is told by content, whatever the name says: tables are published packed, and people
unpack, rename and cut them off. What can be read of a damaged file is kept, up to its last whole line, and an issue says so.
"""

from __future__ import annotations

import stat
import zlib
from pathlib import Path

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.schema import IssueLog

__all__ = ["GZIP", "MAGIC", "MOST_UNPACKED", "read_bytes", "unpacked"]

MOST_UNPACKED = 1 << 29  # bytes: nine times MIMIC-CXR-JPG's largest table
MAGIC = b"\x1f\x8b"
GZIP = zlib.MAX_WBITS | 16
_STEP = 1 << 12  # bytes that are put at stake at a time, where a file is damaged


def read_bytes(path: Path) -> bytes:
    """The file's content as it is. Raises MissingFileError; TableError for what is no regular file or cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for, a device has no end
            kind = "a folder" if path.is_dir() else "a pipe or a device"
            raise TableError(f"Expected a table at {path}; that is {kind}, not a file. Name the file itself.")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise MissingFileError(f"Expected a table at {path}; there is no such file. Check the path for typing errors.") from error
    except OSError as error:
        raise TableError(f"Expected a table at {path}; it cannot be read: {error.strerror or error}.") from error


def unpacked(data: bytes, path: Path, log: IssueLog) -> bytes:
    """``data`` itself where it is not gzip, else what is in it, all members one after the other.

    Raises TableError where that is more than `MOST_UNPACKED`: nobody's table is so large, but a few bytes can claim it.
    """
    if not data.startswith(MAGIC):
        return data
    parts: list[bytes] = []
    rest, size, wrong = data, 0, None
    while rest.startswith(MAGIC) and wrong is None:
        part, rest, wrong = _member(rest, MOST_UNPACKED - size)
        parts.append(part)
        size += len(part)
        if size > MOST_UNPACKED:
            raise TableError(
                f"Expected a table in {path}; its {len(data):,} bytes unpack to more than {MOST_UNPACKED:,}, which no table of "
                "these datasets comes near. Get the file anew."
            )
    if wrong is None and rest.strip(b"\0"):  # zeros are padding
        wrong = "what follows its end is not gzip"
    whole = b"".join(parts)
    if wrong is None:
        return whole
    log.add("damaged_gzip", values=[wrong])
    return whole[: max(whole.rfind(b"\n"), whole.rfind(b"\r")) + 1]


def _member(data: bytes, most: int) -> tuple[bytes, bytes, str | None]:
    """The first member's content (one byte more than ``most`` at the most), what follows it, and what is wrong with it."""
    reader = zlib.decompressobj(GZIP)
    try:
        content = reader.decompress(data, most + 1)
    except zlib.error:
        return _salvaged(data, most)
    if reader.eof or len(content) > most:
        return content, reader.unused_data, None
    return content, b"", "it ends too early"


def _salvaged(data: bytes, most: int) -> tuple[bytes, bytes, str]:
    """The same in small steps, the one that fails byte by byte, so that all is had that stands before the damage."""
    reader, parts, size = zlib.decompressobj(GZIP), list[bytes](), 0
    for place in range(0, len(data), _STEP):
        before = reader.copy()
        try:
            parts.append(reader.decompress(data[place : place + _STEP], most + 1 - size))
        except zlib.error as error:
            return b"".join(parts) + _up_to_error(before, data[place : place + _STEP]), b"", str(error).partition(": ")[2]
        size += len(parts[-1])
        if size > most:
            break
    return b"".join(parts), b"", "it ends too early"


def _up_to_error(reader: zlib._Decompress, data: bytes) -> bytes:
    parts = []
    try:
        for place in range(len(data)):
            parts.append(reader.decompress(data[place : place + 1]))  # noqa: PERF401  what came before the error is kept
    except zlib.error:
        pass
    return b"".join(parts)
