"""Encapsulated pixel data: the fragments, and which of them are the first frame (PS3.5 annex A.4). Only those are read."""

from __future__ import annotations

import struct
from typing import BinaryIO

from radharmony_core.errors import ImageError, ImageTooLargeError, UnsupportedImageError
from radharmony_core.images.dicom.guard import bounded
from radharmony_core.images.dicom.part10 import UNDEFINED, DicomFile
from radharmony_core.images.dicom.stored import pixel_element
from radharmony_core.images.dicom.tags import PixelFormat
from radharmony_core.images.film import MAX_FILE_BYTES

__all__ = ["read_first_codestream"]

_ITEM, _END = 0xFFFEE000, 0xFFFEE0DD
_HEAD = 8

# First byte and length in bytes.
_Place = tuple[int, int]


def read_first_codestream(dicom: DicomFile, form: PixelFormat, name: str) -> bytes:
    """The codestream of the first frame, from one fragment or several, perhaps with a byte of padding behind it.

    Raises ImageError for pixel data that are cut, UnsupportedImageError for frames that cannot be told apart,
    ImageTooLargeError for a frame that is larger than any file may be.
    """
    element = pixel_element(dicom, name)
    if element.length != UNDEFINED:
        raise ImageError(
            f"{name}: its transfer syntax says that the pixel data are compressed, and they are not in fragments. Export "
            "the image again."
        )
    table, *fragments = _places(bounded(dicom.stream, dicom.size), element.start, dicom.size, name)
    dicom.stream.seek(table[0])
    count = min(table[1], 4 * form.frames) // 4
    offsets = struct.unpack(f"<{count}L", dicom.stream.read(4 * count))
    taken = _first_frame(fragments, offsets, form, name)
    length = sum(size for _, size in taken)
    if length > MAX_FILE_BYTES:
        raise ImageTooLargeError(f"{name} is too large: a frame of {length:,} compressed bytes. Take a fresh copy of the file.")
    return b"".join(_read(dicom.stream, place) for place in taken)


def _places(readable: BinaryIO, position: int, size: int, name: str) -> list[_Place]:
    """Where the basic offset table and the fragments stand, up to the mark behind the last: it tells whether all are there."""
    places: list[_Place] = []
    try:
        while True:
            readable.seek(position)
            group, number, length = struct.unpack("<HHL", readable.read(_HEAD))
            if group << 16 | number != _ITEM:
                break
            position += _HEAD
            places.append((position, length))
            position += length
    except (ValueError, struct.error) as error:
        raise _no_end(name) from error
    if group << 16 | number != _END or position > size:
        raise _no_end(name)
    if len(places) < 2:
        raise ImageError(f"{name}: its pixel data are empty. Take a fresh copy of the file.")
    return places


def _no_end(name: str) -> ImageError:
    return ImageError(f"{name} is cut: its compressed pixel data have no end. Take a fresh copy of the file.")


def _first_frame(fragments: list[_Place], offsets: tuple[int, ...], form: PixelFormat, name: str) -> list[_Place]:
    filled = [place for place in fragments if place[1]]
    if form.frames == 1:
        return filled
    if len(filled) == form.frames:
        return filled[:1]
    if len(offsets) > 1:
        # An offset is from the first fragment's head to that of the frame.
        end = fragments[0][0] + offsets[1]
        return [place for place in fragments if place[0] < end]
    raise UnsupportedImageError(
        f"{name} has {form.frames} frames in {len(filled)} fragments without a table of where each begins; the first "
        "frame cannot be told from the rest. Export the frames one by one."
    )


def _read(stream: BinaryIO, place: _Place) -> bytes:
    stream.seek(place[0])
    return stream.read(place[1])
