"""A DICOM file around its pixels, read by pydicom: file meta information, transfer syntax, header values (PS3.10 section 7).

pydicom stops at the pixel data, which are then read from where they stand, and once.
"""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass
from typing import BinaryIO

from pydicom.config import IGNORE
from pydicom.dataset import FileDataset
from pydicom.filereader import read_dataset, read_partial, read_preamble
from pydicom.tag import BaseTag
from pydicom.uid import UID
from pydicom.valuerep import STANDARD_VR

from radharmony_core.errors import ImageError, ImageTooLargeError, UnsupportedImageError
from radharmony_core.images.dicom.groups import fill_from_groups
from radharmony_core.images.dicom.guard import behind, bounded, guarded, printable
from radharmony_core.images.dicom.keywords import WANTED
from radharmony_core.images.dicom.tags import Values, read_values
from radharmony_core.images.film import MAX_PIXELS

__all__ = ["PIXEL_DATA", "UNDEFINED", "DicomFile", "PixelElement", "open_dicom"]

# A length that is not said (PS3.5 7.1.1): the value goes to a mark.
UNDEFINED = 0xFFFFFFFF

PIXEL_DATA = 0x7FE00010
# With Float Pixel Data and Double Float Pixel Data.
_PIXEL_TAGS = frozenset({0x7FE00008, 0x7FE00009, PIXEL_DATA})

# The wanted values of the header are short; PS3.5 7.1.2 bounds them where the VR is written. Longer ones stay unread.
_LONGEST_VALUE = 1 << 16

# pydicom reads and looks up the names of character sets whatever is asked for. All that there are fit.
_CHARACTER_SET = 0x00080005
_LONGEST_CHARACTER_SET = 1024

# A deflated data set may inflate to two bytes for each pixel that is allowed, and some room for the text beside them. It is
# held while the pixels are taken out of it, so wider pixels have to be fewer.
_MAX_INFLATED = 2 * MAX_PIXELS + (16 << 20)
_INFLATED_AT_ONCE, _PACKED_AT_ONCE = 1 << 22, 1 << 20
# What makes the inflated data set a file in Explicit VR Little Endian, as PS3.5 A.5 has it.
_HEAD_OF_INFLATED = bytes(128) + b"DICM\x02\x00\x10\x00UI\x14\x001.2.840.10008.1.2.1\x00"

# Those of PS3.6 annex A that came after the pydicom that is used. All compress pixel data alone, so the data set is in
# Explicit VR Little Endian.
_NEWER_SYNTAXES = {
    "1.2.840.10008.1.2.4.110": "JPEG XL Lossless",
    "1.2.840.10008.1.2.4.111": "JPEG XL JPEG Recompression",
    "1.2.840.10008.1.2.4.112": "JPEG XL",
    "1.2.840.10008.1.2.8.1": "Deflated Image Frame Compression",
}

# PS3.10 7.1: bytes that are free, then the prefix.
_PREAMBLE, _PREFIX = 128, b"DICM"

# PS3.5 section 9.
_LONGEST_UID = 64


@dataclass(frozen=True)
class PixelElement:
    """Where the pixel data stand: tag, VR as written or "", first byte of the value, length in bytes as claimed."""

    tag: int
    vr: str
    start: int
    length: int


@dataclass(frozen=True)
class DicomFile:
    """The header of a file, and the stream of ``size`` bytes that its pixels are read from.

    ``pixels`` is None without pixel data. ``transfer_syntax`` is None where the file has none; the pixels then are taken as
    uncompressed.
    """

    stream: BinaryIO
    size: int
    values: Values
    pixels: PixelElement | None
    transfer_syntax: UID | None

    @property
    def is_compressed(self) -> bool:
        """Whether the transfer syntax says that the pixel data is a series of fragments (PS3.5 annex A.4)."""
        uid = self.transfer_syntax
        return uid is not None and (uid in _NEWER_SYNTAXES or uid.is_compressed)

    @property
    def syntax_name(self) -> str:
        """The name of the transfer syntax, "" where there is none."""
        uid = self.transfer_syntax
        return "" if uid is None else _NEWER_SYNTAXES.get(uid, uid.name)


def open_dicom(stream: BinaryIO, size: int, name: str, said: list[str]) -> DicomFile:
    """Read the header of a file of ``size`` bytes. What had to be guessed is added to ``said``.

    Raises ImageError for a damaged data set, UnsupportedImageError for a transfer syntax that is not known,
    ImageTooLargeError for a deflated one that inflates beyond what a film can need.
    """
    if stream.read(_PREAMBLE + 4)[_PREAMBLE:] != _PREFIX and _begins_with_prefix(stream):
        said.append("The 128 bytes that begin a DICOM file are missing; it was read without them.")
        stream, size = behind(stream, len(_PREFIX)), size - len(_PREFIX)
    stream.seek(0)
    uid = _transfer_syntax(stream, size, name, said)
    if uid is not None and uid not in _NEWER_SYNTAXES and uid.is_deflated:
        stream = _inflated(stream, name)
        size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    with guarded(name, said):
        readable = bounded(stream, size)
        data_set, pixels = _read(readable, name)
        values = read_values(data_set, readable)
        fill_from_groups(values, data_set, readable)
    return DicomFile(stream, size, values, pixels, uid)


def _begins_with_prefix(stream: BinaryIO) -> bool:
    stream.seek(0)
    return stream.read(len(_PREFIX)) == _PREFIX


def _transfer_syntax(stream: BinaryIO, size: int, name: str, said: list[str]) -> UID | None:
    """From the file meta information; the stream is left behind it."""
    with guarded(name, said):
        readable = bounded(stream, size)
        read_preamble(readable, force=True)
        meta = read_dataset(readable, is_implicit_VR=False, is_little_endian=True, stop_when=_is_behind_meta)
        text = printable(str(meta.get("TransferSyntaxUID") or "").strip(" \0")[:_LONGEST_UID])
    # Without pydicom's check of the form: a form that is wrong is simply not known below.
    uid = UID(text, IGNORE) if text else None
    if not meta:
        said.append("The file has no file meta information (no file meta), so its encoding was found from its first bytes.")
    elif uid is None:
        said.append("The file meta information has no transfer syntax, so the encoding was found from the first bytes.")
    elif uid not in _NEWER_SYNTAXES and not uid.is_transfer_syntax:
        raise UnsupportedImageError(
            f"{name}: the transfer syntax {uid} is not known, so neither is how the pixels are coded. Export the image again "
            "as Explicit VR Little Endian."
        )
    return uid


def _is_behind_meta(tag: BaseTag, _vr: str | None, _length: int) -> bool:
    return tag.group != 0x0002


def _read(readable: BinaryIO, name: str) -> tuple[FileDataset, PixelElement | None]:
    """The wanted elements before the pixel data. Where no transfer syntax is named, pydicom finds the form by itself."""
    pixels: PixelElement | None = None
    is_explicit = False

    def is_at_pixels(tag: BaseTag, vr: str | None, length: int) -> bool:
        nonlocal pixels, is_explicit
        if is_explicit and vr not in STANDARD_VR and tag.group != 0xFFFE:
            # pydicom goes on as if it were in implicit VR, without a word, and so by a length that is made up.
            raise ImageError(
                f"{name} is in explicit VR, and its element {tag} before byte {readable.tell()} has no value representation: the "
                "file mixes two encodings, or it is damaged there. Export the image again as Explicit VR Little Endian."
            )
        is_explicit = is_explicit or vr in STANDARD_VR
        if tag == _CHARACTER_SET and length > _LONGEST_CHARACTER_SET:
            raise ValueError(f"{length:,} bytes of names of character sets are too many")
        if tag in _PIXEL_TAGS:
            pixels = PixelElement(tag, vr or "", readable.tell(), length)
        return tag in _PIXEL_TAGS

    data_set = read_partial(readable, is_at_pixels, _LONGEST_VALUE, force=True, specific_tags=list(WANTED))
    return data_set, pixels


def _inflated(stream: BinaryIO, name: str) -> BinaryIO:
    """PS3.5 A.5: the data set is a raw deflate stream. pydicom would inflate it without a limit."""
    buffer = io.BytesIO()
    buffer.write(_HEAD_OF_INFLATED)
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        while not inflater.eof and (packed := inflater.unconsumed_tail or stream.read(_PACKED_AT_ONCE)):
            buffer.write(inflater.decompress(packed, _INFLATED_AT_ONCE))
            if buffer.tell() > _MAX_INFLATED:
                raise ImageTooLargeError(
                    f"{name} is too large: its data set inflates to more than {_MAX_INFLATED:,} bytes. "
                    "Export it again as Explicit VR Little Endian."
                )
        buffer.write(inflater.flush())
    except zlib.error as error:
        raise ImageError(f"{name}: the deflated data set is damaged ({error}). Take a fresh copy of the file.") from error
    if not inflater.eof:
        raise ImageError(f"{name} is cut: the end of its deflated data set is missing. Take a fresh copy of the file.")
    return buffer
