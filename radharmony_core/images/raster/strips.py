"""Whether the strips or tiles of a compressed TIFF are whole, where libtiff does not look (TIFF 6.0 sections 3, 9, 15).

It inflates without the checksum, passes over PackBits that are left over, and only warns of damage inside JPEG. LZW that is
damaged it refuses. CCITT coding has nothing by which it would show.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import cast

import imagecodecs

from radharmony_core.errors import ImageError
from radharmony_core.images.raster.exif import Directory
from radharmony_core.images.raster.jpeg import read_jpeg_info
from radharmony_core.images.raster.jpeg_pixels import is_gray_levels, read_jpeg
from radharmony_core.images.raster.picture import check_memory

__all__ = ["check_strips"]

_WIDTH, _HEIGHT, _BITS, _COMPRESSION, _PHOTOMETRIC, _FILL_ORDER = 0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x010A
_SAMPLES, _ROWS_A_STRIP, _PLANAR = 0x0115, 0x0116, 0x011C
_STRIPS, _TILES = (0x0111, 0x0117), (0x0144, 0x0145)
_TILE_WIDTH, _TILE_HEIGHT = 0x0142, 0x0143
_JPEG, _PACKBITS, _DEFLATE = 7, 32773, (8, 32946)
_YCBCR, _APART = 6, 2

_STEP = 1 << 18
# A byte behind the last row of a strip, as some writers fill it up to an even number.
_MOST_PADDING = 1
# PackBits (section 9): two bytes make 128 at most.
_MOST_TIMES = 64


def check_strips(data: bytes, directory: Directory, name: str) -> None:
    """Raises ImageError for a strip or tile that is damaged."""
    compression = directory.first(_COMPRESSION, 1)
    if directory.first(_FILL_ORDER, 1) != 1:
        # The bits of each byte are turned; libtiff alone reads it.
        return
    if compression in _DEFLATE:
        for part, sizes in _parts(data, directory, name):
            _check_deflated(part, max(sizes), name)
    # Samples of YCbCr share their colours (section 21): another number of bytes.
    elif compression == _PACKBITS and directory.first(_PHOTOMETRIC, 1) != _YCBCR:
        for part, sizes in _parts(data, directory, name):
            _check_packbits(part, sizes, name)
    elif compression == _JPEG:
        for part, sizes in _parts(data, directory, name):
            _check_jpeg(directory.jpeg_tables, part, max(sizes), name)


def _parts(data: bytes, directory: Directory, name: str) -> Iterator[tuple[memoryview, tuple[int, ...]]]:
    """Each strip or tile and the sizes, in bytes, that it may have: the last strip may be filled up to its full height."""
    width, height = directory.first(_WIDTH, 0), directory.first(_HEIGHT, 0)
    is_tiled = bool(directory.numbers.get(_TILES[0]))
    starts, lengths = (directory.numbers.get(tag, []) for tag in (_TILES if is_tiled else _STRIPS))
    wide = max(1, directory.first(_TILE_WIDTH, 0) if is_tiled else width)
    high = max(1, directory.first(_TILE_HEIGHT, 0) if is_tiled else min(directory.first(_ROWS_A_STRIP, height), height))
    samples = directory.first(_SAMPLES, 1)
    planes, samples = (samples, 1) if directory.first(_PLANAR, 1) == _APART else (1, samples)
    row = (wide * samples * max(directory.numbers.get(_BITS, [1])) + 7) // 8
    check_memory(row * high, name)
    across, down = -(-width // wide), -(-height // high)
    for i, (start, length) in enumerate(zip(starts[: planes * across * down], lengths, strict=False)):
        is_last = not is_tiled and i % down == down - 1
        sizes = (row * (height - high * (down - 1)), row * high) if is_last else (row * high,)
        yield memoryview(data)[start : start + length], sizes


def _check_deflated(part: memoryview, most: int, name: str) -> None:
    """Up to the checksum at its end (RFC 1950, Adler-32), unless that is far behind the last row."""
    inflater, there = zlib.decompressobj(), 0
    try:
        for start in range(0, len(part), _STEP):
            piece: bytes | memoryview = part[start : start + _STEP]
            while piece and there <= most + _STEP and not inflater.eof:
                there += len(inflater.decompress(piece, _STEP))
                piece = inflater.unconsumed_tail
    except zlib.error as error:
        raise _damaged(name, f"deflate, {error}") from error


def _check_packbits(part: memoryview, sizes: tuple[int, ...], name: str) -> None:
    room = bytearray(min(max(sizes), _MOST_TIMES * len(part)) + _MOST_PADDING)
    try:
        there = len(imagecodecs.packbits_decode(cast(bytes, part), out=memoryview(room)))
    except imagecodecs.PackbitsError as error:
        raise _damaged(name, "PackBits, more bytes than rows") from error
    if not any(size <= there <= size + _MOST_PADDING for size in sizes):
        raise _damaged(name, f"PackBits, {there:,} bytes where {sizes[0]:,} were expected")


def _check_jpeg(tables: bytes, part: memoryview, most: int, name: str) -> None:
    """A strip is a JPEG of its own, less the tables that all share (TIFF Technical Note 2): it is decoded as one."""
    shared = tables.removesuffix(b"\xff\xd9")
    info = read_jpeg_info(shared + bytes(part[2 if shared else 0 :]), name)
    if info.coded_width * info.coded_height > most:
        raise _damaged(name, f"JPEG, {info.coded_width} x {info.coded_height} pixels in it")
    if is_gray_levels(info):
        read_jpeg(info, name, [])


def _damaged(name: str, reason: str) -> ImageError:
    return ImageError(f"{name} is damaged: a part of the TIFF does not unpack to its rows ({reason}). Take a fresh copy.")
