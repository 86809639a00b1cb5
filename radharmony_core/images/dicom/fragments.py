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


def read_first_codestream(dicom: DicomFile, form: PixelFormat, name: str, said: list[str]) -> bytes:
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
    filled = [place for place in fragments if place[1]]
    taken = _by_marks(dicom.stream, filled, form, said)
    if taken is None:
        taken = _by_numbers(filled, offsets, fragments[0][0], form, name)
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


def _by_marks(stream: BinaryIO, filled: list[_Place], form: PixelFormat, said: list[str]) -> list[_Place] | None:
    """The fragments up to the next that begins as a codestream does; None where their first bytes do not tell.

    A number of frames that is missing or wrong is only said then, as where pixel data are not compressed.
    """
    mark = _mark(_read(stream, filled[0], _HEAD)) if filled else b""
    if not mark:
        return None
    for i, place in enumerate(filled[1:], 1):
        if _read(stream, place, len(mark)) == mark:
            if form.frames == 1:
                said.append("NumberOfFrames is 1 or missing and the pixel data have several frames; the first is shown.")
            return filled[:i]
    if form.frames == 1:
        return filled
    if len(filled) > 1 and not (mark[0] == 0xFF and _ends_last(stream, filled)):
        # The frames behind it may be there and damaged, so that a table or their number tells more.
        return None
    said.append(f"NumberOfFrames is {form.frames} and the pixel data have one frame only.")
    return filled


def _ends_last(stream: BinaryIO, filled: list[_Place]) -> bool:
    """Whether the last fragment, and none before it, ends with the end mark of JPEG and JPEG 2000, perhaps with padding."""
    tails = (_read(stream, (start + max(0, size - 3), min(size, 3)), 3) for start, size in filled)
    ends = [tail.rstrip(b"\0").endswith(b"\xff\xd9") for tail in tails]
    return ends[-1] and not any(ends[:-1])


def _mark(head: bytes) -> bytes:
    """The bytes that every frame of a file begins with, by the coding of the first; none where they are too few to tell."""
    for start in (b"\xff\xd8\xff", b"\xff\x4f\xff\x51", b"\0\0\0\x0cjP  ", b"\0\0\0\x0cJXL "):
        if head.startswith(start):
            return start
    # JPEG XL: two bytes and the size, which all frames share. RLE: the number of segments, and where the first begins.
    is_rle = head[1:] == bytes([0, 0, 0, 64, 0, 0, 0]) and 1 <= head[0] <= 15
    return head[:4] if head.startswith(b"\xff\x0a") else head if is_rle else b""


def _by_numbers(filled: list[_Place], offsets: tuple[int, ...], start: int, form: PixelFormat, name: str) -> list[_Place]:
    """By how many fragments and frames there are, or by the table of ``offsets`` from the first fragment's head to frames'."""
    if form.frames == 1:
        return filled
    if len(filled) == form.frames:
        return filled[:1]
    if len(offsets) > 1:
        return [place for place in filled if place[0] < start + offsets[1]]
    raise UnsupportedImageError(
        f"{name} has {form.frames} frames in {len(filled)} fragments without a table of where each begins; the first "
        "frame cannot be told from the rest. Export the frames one by one."
    )


def _read(stream: BinaryIO, place: _Place, most: int = MAX_FILE_BYTES) -> bytes:
    """The fragment, or its first bytes."""
    stream.seek(place[0])
    return stream.read(min(place[1], most))
