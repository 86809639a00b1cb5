"""Stored pixel values from compressed pixel data: the transfer syntax, the first frame's codestream, its precision."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.dicom.codecs import Codestream, check_codestream, decode, read_codestream
from radharmony_core.images.dicom.fragments import read_first_codestream
from radharmony_core.images.dicom.part10 import DicomFile
from radharmony_core.images.dicom.rle import begins_as_rle, read_rle
from radharmony_core.images.dicom.stored import Cells, Stored, frame_bytes, native_cells, stored_as_said
from radharmony_core.images.dicom.tags import PixelFormat

__all__ = ["read_compressed"]

_RLE, _NATIVE, _DEFLATED = "RLE", "uncompressed", "deflated"

# PS3.6 annex A. Numbers are those behind 1.2.840.10008.1.2.4; retired ones of JPEG are read as their codestream allows.
_JPEG_FAMILY = {
    "JPEG": (50, 51, 52, 53, 54, 55, 56, 59, 60, 61, 62, 63, 64),
    "lossless JPEG": (57, 58, 65, 66, 70),
    "JPEG-LS": (80, 81),
    "JPEG 2000": (90, 91, 92, 93),
    "JPEG XL": (110, 111, 112),
    "High-Throughput JPEG 2000": (201, 202, 203),
}
_CODINGS = {f"1.2.840.10008.1.2.4.{number}": coding for coding, numbers in _JPEG_FAMILY.items() for number in numbers} | {
    "1.2.840.10008.1.2.5": _RLE,
    "1.2.840.10008.1.2.1.98": _NATIVE,
    "1.2.840.10008.1.2.8.1": _DEFLATED,
}


def read_compressed(dicom: DicomFile, form: PixelFormat, name: str, said: list[str]) -> Stored:
    """The first frame of compressed pixel data, decoded.

    Raises UnsupportedImageError, with the transfer syntax, for a coding that is not read; ImageError for a codestream that
    is cut, damaged or of another size than the header says.
    """
    uid = dicom.transfer_syntax
    coding = _CODINGS.get(str(uid))
    if coding is None:
        raise UnsupportedImageError(
            f"{name}: its pixels are coded as {dicom.syntax_name} (transfer syntax {uid}), which is no coding of still pictures "
            "that is read here. Export the image again as Explicit VR Little Endian."
        )
    data = read_first_codestream(dicom, form, name, said)
    if coding in (_NATIVE, _DEFLATED):
        # No first bytes tell these from anything else.
        return _read_native(data, coding, form, name, said)
    stream = None if coding == _RLE and begins_as_rle(data) else read_codestream(data, name)
    if stream is None and coding != _RLE and not begins_as_rle(data):
        raise ImageError(
            f"{name}: its transfer syntax says that its picture is coded as {dicom.syntax_name}, and its first bytes are those "
            "of no coding that is known. Take a fresh copy of the file."
        )
    found = _RLE if stream is None else stream.coding
    if found != coding:
        said.append(f"The transfer syntax says {dicom.syntax_name} and the picture is coded as {found}; it was read as that.")
    if stream is None:
        return _first_of_ybr(stored_as_said(read_rle(data, form, name), form, said), form)
    del data
    check_codestream(stream, form, name)
    return _stored(decode(stream, form, name, said), stream, form, said)


def _stored(cells: Cells, stream: Codestream, form: PixelFormat, said: list[str]) -> Stored:
    """The codestream's own precision and sign decide how values are read.

    Encoders often code 16 bits where 12 are stored: the values are the same then, and there is nothing to say. Fewer bits
    than stored may be other values altogether, and the header's window then no longer fits.
    """
    signed = form.signed or stream.is_signed
    if signed and not form.signed:
        said.append("The header says that the values are unsigned and the compressed picture has signed ones, which were used.")
    if stream.precision > form.bits_stored:
        as_said = replace(form, signed=signed)
        if stream.precision > form.high_bit >= form.bits_stored and not _is_moved_down(cells, form):
            return stored_as_said(cells, as_said, said)
        said_value = Stored(cells, form.bits_stored, 0, signed)
        whole = replace(said_value, bits=stream.precision)
        if int(cells.max()) < 1 << form.bits_stored or not _is_smoother(whole, said_value):
            return said_value
    stored = Stored(cells, stream.precision, 0, signed, is_rescaled=stream.precision < form.bits_stored)
    if stream.precision != form.bits_stored:
        said.append(
            f"The header says {form.bits_stored} bits a pixel and the compressed picture has {stream.precision}; the picture's "
            "were used."
        )
    return stored


def _is_moved_down(cells: Cells, form: PixelFormat) -> bool:
    """Whether values that the header has above the lowest bit begin at it: the encoder took them out of their cells."""
    below = (1 << (form.high_bit + 1 - form.bits_stored)) - 1
    return int(cells.max()) < 1 << form.bits_stored and bool((cells & cells.dtype.type(below)).any())


def _is_smoother(one: Stored, other: Stored) -> bool:
    """Whether neighbours in a row differ less in ``one``, whole values, than in ``other``, the bits that are stored.

    Where the header names too few bits, values cut to them jump from the highest to the lowest. Where there is something else
    in the bits above, as old overlays are, it is the whole values that jump.
    """
    rough = [sum(int(np.abs(np.diff(form.values_of(row), axis=0)).sum()) for row in form.cells) for form in (one, other)]
    return rough[0] < rough[1]


def _read_native(data: bytes, coding: str, form: PixelFormat, name: str, said: list[str]) -> Stored:
    """PS3.5 A.4.11 and A.4.13: a frame as it would stand uncompressed in little endian, and the same deflated."""
    need = frame_bytes(form, name)
    if coding == _DEFLATED:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            data = inflater.decompress(data, need)
        except zlib.error as error:
            raise ImageError(f"{name}: its deflated frame is damaged ({error}). Take a fresh copy of the file.") from error
    if len(data) < need:
        raise ImageError(
            f"{name} is cut: {form.rows} rows x {form.columns} columns need {need:,} bytes of pixel data, {len(data):,} are "
            "there. Take a fresh copy of the file."
        )
    if len(data) > need + 1:
        said.append(f"The pixel data are {len(data) - need:,} bytes longer than the image; the rest was ignored.")
    return _first_of_ybr(native_cells(data, form, "<", said), form)


def _first_of_ybr(stored: Stored, form: PixelFormat) -> Stored:
    """PS3.3 C.7.6.3.1.2: where no decoder has made red, green and blue of them, the first sample is the luminance."""
    if form.samples == 1 or form.photometric == "RGB":
        return stored
    return replace(stored, cells=np.ascontiguousarray(stored.cells[..., 0]))
