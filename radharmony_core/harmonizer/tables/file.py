"""A table's file as bytes and as text. Gzip (RFC 1952) is told by content, whatever the name says: tables are published packed,
and people unpack and rename them. Of a file that was cut off the whole lines are kept, and an issue says so.

One that a byte has changed in is refused. Where the change shows, in the checksum most often, says nothing of where it is: a
single bit turns labels into other labels on rows long before that place.
"""

from __future__ import annotations

import codecs
import gzip
import stat
import zlib
from pathlib import Path

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.schema import IssueLog
from radharmony_core.texts import decode

__all__ = ["GZIP", "MAGIC", "MOST_UNPACKED", "first_line", "is_whole", "read_bytes", "text_of", "unpacked"]

MOST_UNPACKED = 1 << 29  # bytes: nine times MIMIC-CXR-JPG's largest table
MAGIC = b"\x1f\x8b"
GZIP = zlib.MAX_WBITS | 16
_ZIP = b"PK\x03\x04"
_SHORTEST, _NEAR = 18, 1 << 16  # bytes: the last four of a gzip file are the size of what is in it
_LONGEST_HEADER = 20_000  # bytes
_LOOKED_AT = 16  # bytes at the beginning of a text, where a header's first letters are
# By encoding, which bytes of a letter of ASCII are zero.
_WIDE: dict[str, list[bool]] = {
    "utf-16-le": [False, True],
    "utf-16-be": [True, False],
    "utf-32-le": [False, True, True, True],
    "utf-32-be": [True, True, True, False],
}


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


def first_line(path: Path) -> str:
    """The beginning of the first line, without reading the rest. Raises TableError where it cannot be read."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(len(MAGIC)) == MAGIC
        with gzip.open(path) if packed else path.open("rb") as file:
            return decode(file.readline(_LONGEST_HEADER))[0]
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(f"Expected a table at {path}; it cannot be read: {error}.") from error


def unpacked(data: bytes, path: Path, log: IssueLog) -> bytes:
    """``data`` itself where it is not gzip, else what is in it, all members one after the other; of a file that was cut off the
    whole lines, which is an issue.

    Raises TableError for a zip, where a byte in it has changed, where it was cut off within its first line, and where it holds
    more than `MOST_UNPACKED`: nobody's table is so large, but a few bytes can claim it.
    """
    if data.startswith(_ZIP):
        raise TableError(f"Expected a table in {path}; that is a zip, whatever its name. Unpack it, and name the table in it.")
    if not data.startswith(MAGIC) and data != MAGIC[:1]:
        return data
    parts: list[bytes] = []
    rest, size, wrong = data, 0, None
    while wrong is None and (rest.startswith(MAGIC) or not parts):
        part, rest, wrong = _member(rest, MOST_UNPACKED - size, path)
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
    end = max(whole.rfind(b"\n"), whole.rfind(b"\r")) + 1
    if not end:
        raise TableError(
            f"Expected a table in {path}; the gzip file is damaged ({wrong}), and not one whole line of it is left. Download it "
            "again."
        )
    log.add("damaged_gzip", values=[wrong])
    return whole[:end]


def _member(data: bytes, most: int, path: Path) -> tuple[bytes, bytes, str | None]:
    """The first member's content (one byte more than ``most`` at the most), what follows it, and whether it was cut off.
    Raises TableError where a byte in it has changed."""
    reader = zlib.decompressobj(GZIP)
    try:
        content = reader.decompress(data, most + 1)
    except zlib.error as error:
        raise _changed(path, str(error).partition(": ")[2]) from error
    if reader.eof or len(content) > most:
        return content, reader.unused_data, None
    size = int.from_bytes(data[-4:], "little")
    if len(data) >= _SHORTEST and abs(size - len(content)) < _NEAR:  # its end is there, and was not known for what it is
        raise _changed(path, "no end is found in it")
    return content, b"", "it ends too early"


def _changed(path: Path, reason: str) -> TableError:
    return TableError(
        f"Expected the gzip file {path} as it was published; a byte in it has changed ({reason}), so any row in it may be wrong "
        "and none shows it. Download it again, or move it away to do without it."
    )


def is_whole(path: Path) -> bool:
    """Whether a table's file holds something and, where it is gzip, all of it, unchanged. Raises MissingFileError, TableError
    where it cannot be opened."""
    data = read_bytes(path)
    log = IssueLog()
    try:
        return bool(unpacked(data, path, log)) and not len(log)
    except TableError:
        return False


def text_of(data: bytes) -> tuple[str, str | None]:
    """A table's text, and the encoding that had to be guessed. As `texts.decode` has it, and UTF-32, and UTF-16 without a mark:
    the letters of a header are ASCII, so that the zeros between them tell."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return data.decode("utf-32", errors="replace"), None
    head = data[:_LOOKED_AT]
    zeros = [byte == 0 for byte in head]
    for encoding, letter in _WIDE.items():
        if len(head) == _LOOKED_AT and zeros == letter * (_LOOKED_AT // len(letter)):
            return data.decode(encoding, errors="replace"), encoding.upper()
    return decode(data)
