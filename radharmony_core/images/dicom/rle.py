"""RLE Lossless (PS3.5 annex G): one PackBits segment for each byte of each sample.

pydicom reads it as well, and reports padding in the segments, which many writers leave, through process-wide warnings.
"""

from __future__ import annotations

import struct

import numpy as np

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.dicom.stored import Cells
from radharmony_core.images.dicom.tags import PixelFormat

__all__ = ["read_rle"]

_HEADER_BYTES = 64
_MOST_SEGMENTS = 15


def read_rle(frame: bytes, form: PixelFormat, name: str) -> Cells:
    """The cells of one RLE frame, rows x columns, or rows x columns x samples. Raises ImageError for a damaged frame."""
    if form.bits_allocated not in (8, 16, 32):
        raise UnsupportedImageError(
            f"{name}: pixels of 8, 16 or 32 bits allocated are read, this file has {form.bits_allocated}. Export it again "
            "with 16."
        )
    depth, count = form.bits_allocated // 8, form.rows * form.columns
    segments = _segments(frame, form.samples * depth, name)
    # G.2: the segments go from the most significant byte of the first sample to the least significant of the last.
    planes = np.empty((form.samples, count, depth), np.uint8)
    for i, segment in enumerate(segments):
        planes[i // depth, :, i % depth] = np.frombuffer(_unpacked(segment, count, name), np.uint8)
    cells = planes.view(f">u{depth}")[..., 0].astype(f"=u{depth}")
    if form.samples == 1:
        return cells.reshape(form.rows, form.columns)
    return np.moveaxis(cells.reshape(form.samples, form.rows, form.columns), 0, -1)


def _segments(frame: bytes, expected: int, name: str) -> list[bytes]:
    """The segments by the header (G.5): their number and up to 15 offsets, 16 times 4 bytes, little endian."""
    if len(frame) < _HEADER_BYTES:
        raise _damaged(name, f"its header has {len(frame)} of {_HEADER_BYTES} bytes")
    count, *offsets = struct.unpack_from(f"<{_MOST_SEGMENTS + 1}L", frame)
    if count != expected:
        raise _damaged(name, f"{expected} segments were expected, its header says {count}")
    ends = [*offsets[1:count], len(frame)]
    return [frame[start:end] for start, end in zip(offsets[:count], ends, strict=True)]


def _unpacked(segment: bytes, count: int, name: str) -> bytes:
    """PackBits (G.3.1) until ``count`` bytes are there; what follows is padding."""
    out, position, length = bytearray(), 0, len(segment)
    while position < length and len(out) < count:
        head = segment[position]
        if head < 128:
            out += segment[position + 1 : position + 2 + head]
            position += 2 + head
        elif head > 128:
            out += segment[position + 1 : position + 2] * (257 - head)
            position += 2
        else:
            position += 1
    if len(out) < count:
        raise _damaged(name, f"a segment has {len(out):,} of {count:,} bytes")
    return bytes(out[:count])


def _damaged(name: str, reason: str) -> ImageError:
    return ImageError(
        f"{name} is cut or damaged: its pixels, coded as RLE Lossless (transfer syntax 1.2.840.10008.1.2.5), could not be "
        f"decoded: {reason}. Take a fresh copy of the file."
    )
