"""The chunks of a PNG file: size, depth, orientation, and a copy with only what the picture needs (PNG section 5, 11).

Text, profiles and animation never reach the decoder: it would inflate or parse them, and warn.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

from radharmony_core.errors import ImageError
from radharmony_core.images.raster.exif import exif_orientation

__all__ = ["PngInfo", "check_png_pixels", "read_png_info", "read_png_size"]

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_COLOUR_PALETTE = 3

_STEP = 1 << 18

# Adam7 (PNG 8.2): first column, first row, column step, row step of each pass.
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


@dataclass(frozen=True)
class PngInfo:
    """The header (IHDR), and what else decides the picture. ``colour`` is 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA."""

    width: int
    height: int
    depth: int
    colour: int
    is_interlaced: bool
    orientation: int
    has_transparent_value: bool
    is_animated: bool
    bare: bytes
    packed: tuple[memoryview, ...]


def read_png_info(data: bytes, name: str) -> PngInfo:
    """Walk all chunks. Raises ImageError for a file that is cut or whose first chunk is no header."""
    if len(data) < 33 or data[12:16] != b"IHDR":
        raise _no_header(name)
    width, height, depth, colour, _, _, interlaced = struct.unpack_from(">LLBBBBB", data, 16)
    view = memoryview(data)
    kept, packed, other = [view[:8]], [], {}
    position, kind = 8, b""
    while kind != b"IEND":
        length = int.from_bytes(data[position : position + 4], "big")
        kind, end = data[position + 4 : position + 8], position + 12 + length
        if len(kind) < 4 or end > len(data):
            raise ImageError(f"{name} is cut: the PNG ends before its end mark (IEND). Take a fresh copy of the file.")
        other[kind] = data[position + 8 : end - 4] if kind == b"eXIf" else b""
        if kind == b"IDAT":
            packed.append(view[position + 8 : end - 4])
        if kind in (b"IHDR", b"PLTE", b"IDAT", b"IEND") or (kind == b"tRNS" and colour == _COLOUR_PALETTE):
            kept.append(view[position:end])
        position = end
    return PngInfo(
        width,
        height,
        depth,
        colour,
        interlaced == 1,
        exif_orientation(other.get(b"eXIf", b"")),
        b"tRNS" in other and colour != _COLOUR_PALETTE,
        b"acTL" in other,
        # Most files have nothing that must not reach the decoder, and large ones are not copied for it.
        data if sum(map(len, kept)) == len(data) else b"".join(kept),
        tuple(packed),
    )


def _no_header(name: str) -> ImageError:
    return ImageError(f"{name} is cut or damaged: a PNG begins with its header (IHDR), this does not. Take a fresh copy.")


def check_png_pixels(info: PngInfo, name: str) -> None:
    """Raises ImageError unless the inflated data have every row: the decoder would leave missing ones black in silence."""
    need = _inflated_size(info)
    try:
        there = _count_inflated(info.packed, need)
    except zlib.error as error:
        raise ImageError(f"{name} is damaged: its PNG data cannot be inflated ({error}). Take a fresh copy.") from error
    if there < need:
        raise ImageError(
            f"{name} is cut: {info.width} x {info.height} pixels need {need:,} bytes inflated, {there:,} are there. Take a "
            "fresh copy of the file."
        )


def _count_inflated(packed: Iterable[memoryview], enough: int) -> int:
    """How many bytes the data inflate to, at least up to ``enough``; in small steps, so that none are kept."""
    inflater, there = zlib.decompressobj(), 0
    for part in packed:
        for start in range(0, len(part), _STEP):
            data: bytes | memoryview = part[start : start + _STEP]
            while data and there < enough and not inflater.eof:
                there += len(inflater.decompress(data, _STEP))
                data = inflater.unconsumed_tail
    return there


def _inflated_size(info: PngInfo) -> int:
    bits = info.depth * _CHANNELS.get(info.colour, 1)
    if not info.is_interlaced:
        return info.height * (1 + (info.width * bits + 7) // 8)
    size = 0
    for column, row, step, leap in _PASSES:
        width, height = -(-(info.width - column) // step), -(-(info.height - row) // leap)
        if width > 0 and height > 0:
            size += height * (1 + (width * bits + 7) // 8)
    return size


def read_png_size(stream: BinaryIO, name: str) -> tuple[int, int]:
    """Width and height as displayed, reading chunk heads only. Raises ImageError where there is no header."""
    head = stream.read(33)
    if len(head) < 33 or head[12:16] != b"IHDR":
        raise _no_header(name)
    width, height = struct.unpack_from(">LL", head, 16)
    while len(chunk := stream.read(8)) == 8 and chunk[4:] != b"IEND":
        length = int.from_bytes(chunk[:4], "big")
        following = stream.tell() + length + 4
        if chunk[4:] == b"eXIf" and exif_orientation(stream.read(min(length, 1 << 16))) >= 5:
            return height, width
        stream.seek(following)
    return width, height
