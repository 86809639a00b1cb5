"""What is kept of a film: its thumbnail, or the words it is refused with, as plain values that a table or a pipe can take."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from radharmony_core import errors
from radharmony_core.errors import RadHarmonyError
from radharmony_core.paths import stamp
from radharmony_core.thumbnails.make import MAKER_VERSION, Thumbnail

__all__ = ["Make", "Outcome", "Row", "file_of", "is_refusal", "key_of", "made_from", "make_row", "outcome_of", "refusal_row"]

_REFUSAL = b'{"error": '
Outcome = Thumbnail | RadHarmonyError
Make = Callable[[Path, int], Thumbnail]


class Row(NamedTuple):
    """``key`` stands for a file and a side, ``made_from`` changes with the file and with what makes thumbnails. ``about`` is
    JSON, and has the file's path; ``data`` is a JPEG, empty for a refusal; ``checksum`` is of both. What must not be kept has
    no ``made_from``."""

    key: bytes
    made_from: bytes | None
    about: bytes
    data: bytes
    checksum: int


def key_of(path: Path, side: int) -> bytes:
    """16 bytes: a path alone would be as long as the rest, and need not be text."""
    return hashlib.blake2b(os.fsencode(path.absolute()), digest_size=16, salt=side.to_bytes(4, "little")).digest()


def made_from(path: Path) -> bytes | None:
    """None for a file that is not there, or may not be seen."""
    stamped = stamp(path)
    return None if stamped is None else "-".join(map(str, (MAKER_VERSION, *stamped))).encode()


def make_row(path: Path, side: int, make: Make) -> Row:
    """The row of a film, made now. Raises what ``make`` does, but for RadHarmonyError, which is a row as well."""
    source = made_from(path)  # before it is read: what changes meanwhile is another film next time
    try:
        made = make(path, side)
    except RadHarmonyError as error:
        return refusal_row(path, side, error, None if _passes(error) else source)
    about = json.dumps({"width": made.width, "height": made.height, "notices": made.notices, "path": _kept(path)}).encode()
    return Row(key_of(path, side), source, about, made.data, _checksum(about, made.data))


def refusal_row(path: Path, side: int, error: RadHarmonyError, source: bytes | None = None) -> Row:
    """The row of a film that cannot be read; without a ``source`` (`made_from`) it is not kept."""
    about = json.dumps({"error": type(error).__name__, "words": str(error), "path": _kept(path)}).encode()
    return Row(key_of(path, side), source, about, b"", _checksum(about, b""))


def _kept(path: Path) -> str:
    """What need not be text is escaped, so that JSON can take it."""
    return os.fsdecode(path.absolute())


def file_of(about: bytes) -> Path | None:
    """The film's file as it was when the row was made; None where the row does not say, or is damaged."""
    try:
        return Path(json.loads(about)["path"])
    except (ValueError, LookupError, TypeError):
        return None


def _checksum(about: bytes, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(about))


def _passes(error: RadHarmonyError) -> bool:
    """Whether it is the machine's refusal, not the file's: a disk that fails today, too little memory. It is not kept."""
    cause = error.__cause__
    return isinstance(cause, MemoryError) or (isinstance(cause, OSError) and cause.errno is not None)


def outcome_of(about: bytes, data: bytes | None, checksum: int) -> Outcome | None:
    """The thumbnail or the refusal in a row; None where a byte of it has changed."""
    if _checksum(about, data or b"") != checksum:
        return None
    told = json.loads(about)
    if is_refusal(about):
        return _refusal(told["error"], told["words"])
    return Thumbnail(data or b"", told["width"], told["height"], tuple(told["notices"]))


def is_refusal(about: bytes) -> bool:
    return about.startswith(_REFUSAL)


def _refusal(name: str, words: str) -> RadHarmonyError:
    """The error of that class, by name; the base of all where a later version has no such class."""
    kind = getattr(errors, name, None) if name in errors.__all__ else None
    return kind(words) if isinstance(kind, type) and issubclass(kind, RadHarmonyError) else RadHarmonyError(words)
