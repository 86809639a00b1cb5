"""The first picture of a TIFF file (TIFF 6.0): decoded by Pillow, which also turns it, and its deep values put right."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, TiffImagePlugin

from radharmony_core.images.film import check_size
from radharmony_core.images.raster.exif import Directory, read_directory
from radharmony_core.images.raster.picture import Raster, check_memory
from radharmony_core.images.raster.pixels import DEEP_MODES, as_array, decoded, flat
from radharmony_core.images.raster.strips import check_strips

__all__ = ["TIFF_HEIGHT", "TIFF_ORIENTATION", "TIFF_WIDTH", "read_tiff"]

TIFF_WIDTH, TIFF_HEIGHT, TIFF_ORIENTATION = 0x0100, 0x0101, 0x0112
_BITS, _COMPRESSION, _PHOTOMETRIC, _SAMPLES, _SAMPLE_FORMAT = 0x0102, 0x0103, 0x0106, 0x0115, 0x0153
_FILL_ORDER, _STRIPS, _STRIP_LENGTHS, _TILES = 0x010A, 0x0111, 0x0117, 0x0144
_UNCOMPRESSED, _WHITE_IS_ZERO, _SIGNED = 1, 0, 2

_OWN_ORDER = "<" if sys.byteorder == "little" else ">"

# Sample format (section 19) and bits.
_DTYPES = {(1, 16): "u2", (1, 32): "u4", (2, 16): "i2", (2, 32): "i4", (3, 32): "f4", (3, 64): "f8"}

_COMPRESSIONS = {
    1: "uncompressed",
    2: "CCITT",
    3: "CCITT group 3",
    4: "CCITT group 4",
    5: "LZW",
    6: "JPEG, old form",
    7: "JPEG",
    8: "deflate",
    32773: "PackBits",
    32946: "deflate",
}


def read_tiff(data: bytes, name: str, said: list[str]) -> Raster:
    """The first picture, turned upright. Raises as ``read_raster``."""
    directory = read_directory(data, name)
    size = directory.first(TIFF_WIDTH, 0), directory.first(TIFF_HEIGHT, 0)
    check_size(*size, name)
    turn = directory.first(TIFF_ORIENTATION, 1)
    turn = turn if turn in range(2, 9) else 1
    bits = max(directory.numbers.get(_BITS, [1]))
    plain = _plain_values(data, directory, bits, name) if turn == 1 else None
    if plain is None:
        check_strips(data, directory, name)
        values, is_spread = _values(decoded(TiffImagePlugin.TiffImageFile, data, name), directory, bits, name, said)
    else:
        values, is_spread = _right_way_round(plain, directory), True
    if directory.following:
        said.append("The TIFF has several pictures; the first is shown.")
    compression = directory.first(_COMPRESSION, _UNCOMPRESSED)
    words = f"TIFF, {_COMPRESSIONS.get(compression, f'compression {compression}')}"
    return Raster(values, is_spread, turn, size, bits, words)


def _plain_values(data: bytes, directory: Directory, bits: int, name: str) -> npt.NDArray[Any] | None:
    """Uncompressed deep values that stand in one piece, as a view of ``data``: of the largest, there is no room for two.

    None for any other form.
    """
    width, height = directory.first(TIFF_WIDTH, 0), directory.first(TIFF_HEIGHT, 0)
    dtype = _DTYPES.get((directory.first(_SAMPLE_FORMAT, 1), bits), "")
    starts, lengths = directory.numbers.get(_STRIPS, []), directory.numbers.get(_STRIP_LENGTHS, [])
    is_plain = dtype and directory.first(_COMPRESSION, _UNCOMPRESSED) == _UNCOMPRESSED and directory.first(_SAMPLES, 1) == 1
    is_whole = 0 < sum(lengths) == width * height * bits // 8 and len(starts) == len(lengths)
    if not is_plain or not is_whole or directory.first(_FILL_ORDER, 1) != 1 or directory.numbers.get(_TILES):
        return None
    ends = [start + length for start, length in zip(starts, lengths, strict=True)]
    if starts[1:] != ends[:-1] or ends[-1] > len(data):
        return None
    order = "<" if data[:2] == b"II" else ">"
    # Its values are held as they are, or once more where they are turned; and as codes of 16 bits in the end.
    is_turned = order != _OWN_ORDER or directory.first(_PHOTOMETRIC, 1) == _WHITE_IS_ZERO
    check_memory(len(data) * (1 + is_turned) + 2 * width * height, name)
    values = np.frombuffer(data, order + dtype, width * height, starts[0]).reshape(height, width)
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def _values(image: Image.Image, directory: Directory, bits: int, name: str, said: list[str]) -> tuple[npt.NDArray[Any], bool]:
    """Gray levels or deep values, and whether these are to be spread."""
    is_signed = directory.first(_SAMPLE_FORMAT, 1) == _SIGNED
    if image.mode in DEEP_MODES or (image.mode == "L" and bits == 8 and is_signed):
        return _deep_values(image, directory, bits, is_signed), True
    if bits > 8:
        said.append("The file has 16-bit colours; the upper 8 bits are read, and spread by their value range.")
    return flat(image, name, said), bits > 8


def _deep_values(image: Image.Image, directory: Directory, bits: int, is_signed: bool) -> npt.NDArray[Any]:
    values = as_array(image)
    if bits == 8:
        # Pillow takes them for unsigned, and has turned those of WhiteIsZero.
        return values.view(np.int8).astype(np.int16)
    if image.mode == "I" and bits == 32 and not is_signed:
        # Pillow holds 32-bit values as signed, these are not.
        values = values.view(np.uint32)
    return _right_way_round(values, directory)


def _right_way_round(values: npt.NDArray[Any], directory: Directory) -> npt.NDArray[Any]:
    """WhiteIsZero (TIFF 6.0 section 4) turned to low values black; Pillow does it for 8 bits only."""
    if directory.first(_PHOTOMETRIC, 1) != _WHITE_IS_ZERO:
        return values
    if values.dtype.kind == "u":
        return np.asarray(values.max() - values)
    return np.asarray(-values if values.dtype.kind == "f" else ~values)
