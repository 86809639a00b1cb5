"""The header of a JPEG 2000 codestream, and whether all its tiles are there (ISO 15444-1 annex A; HTJ2K is 15444-15).

The decoder takes a codestream that ends between two tiles for a picture whose other tiles are black.
"""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass

from radharmony_core.errors import ImageError

__all__ = ["J2kInfo", "read_j2k_info"]

_START = b"\xff\x4f\xff\x51"
_CAPABILITIES, _CODING, _TILE_PART, _END = 0xFF50, 0xFF52, 0xFF90, 0xFFD9

# The codestream may stand in a JP2 file, behind some boxes.
_FURTHEST_START = 4096


@dataclass(frozen=True)
class J2kInfo:
    """``precision`` and ``is_signed`` are those of the first component. ``is_ht`` is for High-Throughput block coding;
    ``is_mixed`` for components that were turned from red, green and blue, and are turned back by the decoder."""

    width: int
    height: int
    precision: int
    components: int
    is_signed: bool
    is_ht: bool
    is_mixed: bool


def read_j2k_info(data: bytes, name: str) -> J2kInfo:
    """Read the main header and walk the tile-parts. Raises ImageError where one of them is cut or missing."""
    try:
        start = data.index(_START, 0, _FURTHEST_START)
        # A.5.1, SIZ: the picture and its tiles on the reference grid, each by its far corner or size and its near corner.
        right, bottom, left, top, tile_w, tile_h, tile_left, tile_top, components = struct.unpack_from(">8LH", data, start + 8)
        depth = data[start + 42]
        tiles = -(-(right - tile_left) // tile_w) * -(-(bottom - tile_top) // tile_h)
        markers, position = _main_header(data, start)
        _check_tiles(data, position, tiles)
    except (ArithmeticError, IndexError, ValueError, struct.error) as error:
        reason = str(error) if isinstance(error, ValueError) else "it ends before its end mark"
        raise ImageError(
            f"{name} is cut or damaged: its JPEG 2000 picture is not whole ({reason}). Take a fresh copy of the file."
        ) from error
    is_mixed = _CODING in markers and data[markers[_CODING] + 8] == 1
    return J2kInfo(right - left, bottom - top, (depth & 0x7F) + 1, components, depth >= 0x80, _CAPABILITIES in markers, is_mixed)


def _main_header(data: bytes, start: int) -> tuple[dict[int, int], int]:
    """Where each marker segment stands, and where the first tile-part begins."""
    markers: dict[int, int] = {}
    position = start + 2
    while True:
        marker, length = struct.unpack_from(">HH", data, position)
        if marker == _TILE_PART:
            return markers, position
        if marker < 0xFF00 or length < 2:
            raise ValueError(f"no marker at byte {position} of its header")
        markers[marker] = position
        position += 2 + length


def _check_tiles(data: bytes, position: int, tiles: int) -> None:
    """A.4.2, SOT: every tile has a first part, and as many as are announced; the last part may go to the end unsaid."""
    parts: Counter[int] = Counter()
    announced: dict[int, int] = {}
    while True:
        (marker,) = struct.unpack_from(">H", data, position)
        if marker == _END:
            break
        if marker != _TILE_PART:
            raise ValueError(f"no tile at byte {position}")
        _, tile, length, _, count = struct.unpack_from(">HHLBB", data, position + 2)
        parts[tile] += 1
        announced[tile] = max(count, announced.get(tile, 0))
        if length == 0:
            break
        if length < 14 or position + length > len(data):
            raise ValueError(f"tile {tile} needs {length} bytes at {position} of {len(data)}")
        position += length
    missing = tiles - len(parts) + sum(parts[tile] < announced[tile] for tile in parts)
    if missing > 0:
        raise ValueError(f"{missing} of its {tiles} tiles are missing or not whole")
