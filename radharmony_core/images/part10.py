"""The frame around a DICOM data set: preamble, file meta information, transfer syntax (PS3.10 section 7, PS3.5 annex A)."""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass
from typing import BinaryIO

from pydicom.config import IGNORE
from pydicom.uid import (
    UID,
    DeflatedExplicitVRLittleEndian,
    ExplicitVRBigEndian,
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
)

from radharmony_core.errors import ImageError, ImageTooLargeError, UnsupportedImageError
from radharmony_core.images.elements import (
    Elements,
    Syntax,
    guess_syntax,
    read_elements,
    read_header_of_element,
)
from radharmony_core.images.film import MAX_PIXELS

__all__ = ["DicomFile", "open_dicom"]

_TRANSFER_SYNTAX = 0x00020010

# A deflated data set may inflate to four bytes for each pixel that is allowed, and some room for the text beside them.
_MAX_INFLATED = 4 * MAX_PIXELS + (16 << 20)

_NATIVE: dict[str, Syntax] = {
    ImplicitVRLittleEndian: Syntax(explicit=False),
    ExplicitVRLittleEndian: Syntax(),
    DeflatedExplicitVRLittleEndian: Syntax(),
    ExplicitVRBigEndian: Syntax(little=False),
}


@dataclass
class DicomFile:
    """A parsed data set, the stream its pixels are read from, and what had to be guessed on the way.

    ``transfer_syntax`` is None where the file has none; the pixels then are taken as uncompressed.
    """

    stream: BinaryIO
    size: int
    elements: Elements
    transfer_syntax: UID | None
    said: list[str]

    @property
    def is_compressed(self) -> bool:
        """Whether the transfer syntax says that the pixel data is a series of fragments."""
        return self.transfer_syntax is not None and self.transfer_syntax not in _NATIVE


def open_dicom(stream: BinaryIO, size: int, wanted: frozenset[int]) -> DicomFile:
    """Read the wanted elements of a file of ``size`` bytes.

    Raises ImageError for a damaged data set, UnsupportedImageError for a transfer syntax that is not known.
    """
    said: list[str] = []
    head = stream.read(132)
    has_preamble = head[128:] == b"DICM"
    stream.seek(132 if has_preamble else 0)
    uid, has_meta = _read_meta(stream)
    if not has_meta:
        said.append("The file has no file meta information (no file meta), so its encoding was found from its first bytes.")
    elif uid is None:
        said.append("The file meta information has no transfer syntax, so the encoding was found from the first bytes.")
    if uid is not None and not uid.is_transfer_syntax:
        raise UnsupportedImageError(
            f"The transfer syntax {uid} is not known, so neither is how the pixels are coded. Export the image again as "
            "Explicit VR Little Endian."
        )
    if uid == DeflatedExplicitVRLittleEndian:
        stream, size = _inflate(stream.read())
    syntax = _syntax(stream, uid, said)
    return DicomFile(stream, size, read_elements(stream, syntax, wanted, size), uid, said)


def _read_meta(stream: BinaryIO) -> tuple[UID | None, bool]:
    """The transfer syntax, and whether there is any element of group 0002. Leaves the stream at the data set."""
    start = stream.tell()
    # PS3.10 7.1 wants explicit VR here; some writers use implicit, which the first bytes show.
    syntax = Syntax(explicit=guess_syntax(stream.read(8)).explicit)
    uid, has_meta = None, False
    while True:
        stream.seek(start)
        element = read_header_of_element(stream, syntax) if _group(stream) == 0x0002 else None
        if element is None:
            stream.seek(start)
            return uid, has_meta
        has_meta = True
        if element.tag == _TRANSFER_SYNTAX and element.length <= 66:
            text = stream.read(element.length).decode("ascii", "replace").strip(" \0")
            # Without its own check of the form, which would warn; a form that is wrong is simply not known below.
            uid = UID(text, IGNORE) if text else None
        start = element.start + element.length


def _group(stream: BinaryIO) -> int:
    """The group of the element ahead, always little endian in file meta information; the stream stays where it is."""
    here = stream.tell()
    group = int.from_bytes(stream.read(2), "little")
    stream.seek(here)
    return group


def _syntax(stream: BinaryIO, uid: UID | None, said: list[str]) -> Syntax:
    here = stream.tell()
    found = guess_syntax(stream.read(8))
    stream.seek(here)
    if uid is None:
        return found
    # PS3.5 A.4: every compressed syntax writes its data set in explicit VR little endian.
    named = _NATIVE.get(uid, Syntax())
    if named.explicit == found.explicit:
        return named
    ways = {True: "explicit", False: "implicit"}
    said.append(
        f"The transfer syntax says {ways[named.explicit]} VR and the data set is in {ways[found.explicit]} VR; it was "
        "read as it is."
    )
    return Syntax(found.explicit, named.little)


def _inflate(packed: bytes) -> tuple[BinaryIO, int]:
    """PS3.5 A.5: the data set is a raw deflate stream."""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = inflater.decompress(packed, _MAX_INFLATED)
    except zlib.error as error:
        raise ImageError(f"The deflated DICOM data set is damaged ({error}). Take a fresh copy of the file.") from error
    if inflater.unconsumed_tail:
        raise ImageTooLargeError(f"The deflated DICOM data set is too large: above {_MAX_INFLATED:,} bytes inflated.")
    if not inflater.eof:
        raise ImageError("The deflated DICOM data set is cut: its end is missing. Take a fresh copy of the file.")
    return io.BytesIO(data), len(data)
