"""What stands around pydicom when it reads a file: memory and time have bounds, warnings become notices of their own film."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import Any, BinaryIO, cast

from pydicom.config import disable_value_validation

from radharmony_core.errors import ImageError

__all__ = ["behind", "bounded", "guarded", "printable"]

# A film's header takes some hundred reads, that of a volume of a thousand frames about a hundred thousand.
_MOST_WORK = 150_000
_BYTES_A_READ = 4096

# pydicom tells of oddities through `warnings`, and what becomes of those is one setting of the whole process. So is whether
# it checks the form of values, which says nothing about the picture. One header is read at a time, pixels outside of it.
_LOCK = Lock()
if hasattr(os, "register_at_fork"):
    # A process that is forked while a thread reads, as data loaders do, would wait for that thread's lock for ever.
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)

_MOST_WARNINGS = 50


class _Bounded:
    """See ``bounded``."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream, self._size, self._left = stream, size, _MOST_WORK + size // _BYTES_A_READ
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, length: int) -> bytes:
        data = self._stream.read(min(length, self._size))
        self._left -= 1 + len(data) // _BYTES_A_READ
        if self._left < 0:
            raise ValueError("it has too many elements")
        return data


def bounded(stream: BinaryIO, size: int) -> BinaryIO:
    """``stream`` of ``size`` bytes as pydicom is given it: a length is a claim, and no claim takes much memory or time.

    A read takes no more than is there. Reading raises ValueError after more elements than any film has.
    """
    return cast(BinaryIO, _Bounded(stream, size))


class _Behind:
    """See ``behind``."""

    def __init__(self, stream: BinaryIO, start: int) -> None:
        self._stream, self._start, self.read = stream, start, stream.read

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._stream.seek(offset + (self._start if whence == os.SEEK_SET else 0), whence) - self._start

    def tell(self) -> int:
        return self._stream.tell() - self._start


def behind(stream: BinaryIO, start: int) -> BinaryIO:
    """``stream`` from its byte ``start`` on, as if it began there."""
    return cast(BinaryIO, _Behind(stream, start))


@contextmanager
def guarded(name: str, said: list[str]) -> Iterator[None]:
    """For pydicom at work on the file ``name``: one at a time, its warnings as notices in ``said``, its exceptions as ours.

    Raises ImageError for whatever pydicom raises; an error of the disk stays an OSError.
    """
    told: dict[str, None] = {}
    try:
        with _LOCK, warnings.catch_warnings(), disable_value_validation(), _recording(told):
            yield
    except Exception as error:
        # Broad, as pydicom is made for whole files: on damaged bytes it raises whatever the step it is in does.
        if isinstance(error, ImageError) or (isinstance(error, OSError) and error.errno is not None):
            raise
        reason = printable(str(error).partition("\n")[0][:200]) or type(error).__name__
        raise ImageError(
            f"{name} is cut or damaged: its DICOM header cannot be read ({reason}). Take a fresh copy of the file."
        ) from error
    said.extend(map(_worded, told))


@contextmanager
def _recording(told: dict[str, None]) -> Iterator[None]:
    """This thread's warnings into ``told``, others where they went before. Within ``catch_warnings``, which ends it."""
    reader, elsewhere, is_on = get_ident(), warnings.showwarning, True

    def record(message: Warning | str, *where: Any, **more: Any) -> None:
        # Not even then, should another thread's catch_warnings put this function back after its time.
        if not is_on or get_ident() != reader:
            elsewhere(message, *where, **more)
            return
        told[str(message)] = None
        if len(told) > _MOST_WARNINGS:
            raise ValueError(f"it departs from the standard in more than {_MOST_WARNINGS} places")

    warnings.simplefilter("always")
    warnings.showwarning = record
    try:
        yield
    finally:
        is_on = False


def _worded(warning: str) -> str:
    if warning.startswith("Expected ") and " VR, but found " in warning:
        named, found = ("explicit", "implicit") if "found implicit" in warning else ("implicit", "explicit")
        return f"A part of the header that should be in {named} VR is in {found} VR; it was read as it is."
    return f"The DICOM header is not as the standard has it, and was read as far as possible: {printable(warning).rstrip('.')}."


def printable(text: str) -> str:
    """A file's words for a message or a notice: what would move a cursor or change a colour becomes a question mark."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
