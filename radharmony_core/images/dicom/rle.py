"""RLE Lossless (PS3.5 annex G): one PackBits segment for each byte of each sample.

pydicom reads it as well, and reports padding in the segments, which many writers leave, through process-wide warnings.
"""

from __future__ import annotations

import struct
from typing import cast

import imagecodecs
import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.dicom.stored import Cells
from radharmony_core.images.dicom.tags import PixelFormat

__all__ = ["begins_as_rle", "read_rle"]

_HEADER_BYTES = 64
_MOST_SEGMENTS = 15

# Padding behind a segment is read as runs, too; one run is 128 bytes at most.
_ROOM_FOR_PADDING = 256

# Bytes behind the last run that may be any (G.3.1 asks for one, to be even); more of them may only be all the same.
_MOST_PADDING = 10


def begins_as_rle(frame: bytes) -> bool:
    """Whether a frame begins with a number of segments, as that of no other coding does."""
    return 1 <= int.from_bytes(frame[:4], "little") <= _MOST_SEGMENTS


def read_rle(frame: bytes, form: PixelFormat, name: str) -> Cells:
    """The cells of one RLE frame, rows x columns, or rows x columns x samples. Raises ImageError for a damaged frame."""
    if form.bits_allocated not in (8, 16, 32):
        raise UnsupportedImageError(
            f"{name}: pixels of 8, 16 or 32 bits allocated are read, this file has {form.bits_allocated}. Export it again "
            "with 16."
        )
    depth = form.bits_allocated // 8
    segments = _segments(frame, form.samples * depth, name)
    # G.2: the segments go from the most significant byte of the first sample to the least significant of the last.
    cells = np.empty((form.rows * form.columns, form.samples), f"<u{depth}")
    parts = cells.view(np.uint8).reshape(len(cells), form.samples, depth)
    room = np.empty(len(cells) + _ROOM_FOR_PADDING, np.uint8)
    for i, segment in enumerate(segments):
        parts[:, i // depth, depth - 1 - i % depth] = _unpacked(segment, room, len(cells), name)
    shape = (form.rows, form.columns, form.samples)[: 2 if form.samples == 1 else 3]
    return cells.astype(f"=u{depth}", copy=False).reshape(shape)


def _segments(frame: bytes, expected: int, name: str) -> list[memoryview]:
    """The segments by the header (G.5): their number and up to 15 offsets, 16 times 4 bytes, little endian."""
    if len(frame) < _HEADER_BYTES:
        raise _damaged(name, f"its header has {len(frame)} of {_HEADER_BYTES} bytes")
    count, *offsets = struct.unpack_from(f"<{_MOST_SEGMENTS + 1}L", frame)
    if count != expected:
        raise _damaged(name, f"{expected} segments were expected, its header says {count}")
    ends = [*offsets[1:count], len(frame)]
    return [memoryview(frame)[start:end] for start, end in zip(offsets[:count], ends, strict=True)]


def _unpacked(segment: memoryview, room: npt.NDArray[np.uint8], count: int, name: str) -> npt.NDArray[np.uint8]:
    """PackBits (G.3.1) until ``count`` bytes are there; what follows must be padding."""
    try:
        there = len(imagecodecs.packbits_decode(cast(bytes, segment), out=room.data))
    except imagecodecs.PackbitsError:
        there = -1
    if there != count:
        # Damaged, or padded, perhaps with what is no whole run: that shows only step by step.
        there, used = _fill(segment, room, count)
        padding = bytes(segment[used:])
        if len(padding) > _MOST_PADDING and len(set(padding)) > 1:
            raise _damaged(name, f"a segment has {len(padding):,} bytes behind the {count:,} of the picture")
    if there < count:
        raise _damaged(name, f"a segment has {there:,} of {count:,} bytes")
    return room[:count]


def _fill(segment: memoryview, room: npt.NDArray[np.uint8], count: int) -> tuple[int, int]:
    """How many bytes are there, at least up to ``count``, where they are in ``room`` then; and of how many in the segment."""
    there, position = 0, 0
    while position < len(segment) and there < count:
        head = segment[position]
        if head < 128:
            run = np.frombuffer(segment[position + 1 : position + 2 + head], np.uint8)
            position += 2 + head
        elif head > 128:
            run = np.frombuffer(bytes(segment[position + 1 : position + 2]) * (257 - head), np.uint8)
            position += 2
        else:
            position += 1
            continue
        room[there : there + len(run)] = run
        there += len(run)
    return there, position


def _damaged(name: str, reason: str) -> ImageError:
    return ImageError(
        f"{name} is cut or damaged: its pixels, coded as RLE Lossless (transfer syntax 1.2.840.10008.1.2.5), could not be "
        f"decoded ({reason}). Take a fresh copy of the file."
    )
