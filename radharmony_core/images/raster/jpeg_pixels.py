"""The picture of a JPEG, in a file of its own or inside DICOM: whole, or refused.

Where coded data end too early, libjpeg fills the rest and only warns. simplejpeg makes the warning an error. The decoders of
12 bits, lossless JPEG and CMYK have no such switch: what they give is decoded again with more coded data before the end mark,
which a whole picture has no use for and a cut one is filled with.
"""

from __future__ import annotations

import re
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import simplejpeg
from PIL import Image, JpegImagePlugin

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.film import Gray, check_size
from radharmony_core.images.raster.jpeg import JpegInfo, check_scans, end_mark
from radharmony_core.images.raster.picture import check_memory
from radharmony_core.images.raster.pixels import damaged, decoded, flat, flat_array

__all__ = ["is_gray_levels", "read_deep_jpeg", "read_jpeg"]

# Extended, progressive, lossless; with baseline and arithmetic coding for 8 bits (ISO 10918-1 table B.1).
_DEEP_FRAMES = frozenset({0xC1, 0xC2, 0xC3})
_LEVELS_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC9, 0xCA})
_ARITHMETIC = frozenset({0xC9, 0xCA})
_LOSSLESS = 0xC3

# libjpeg's words. Some encoders write a byte or two more than they need.
_LEFT_OVER = re.compile(r"(\d+) extraneous bytes before marker 0xd9")
_FEW = 2

# Not zeros, which is what a decoder fills with, and no FF, which would begin a mark.
_MORE = bytes([0xB6, *range(7, 247)]) * 8


def is_gray_levels(info: JpegInfo) -> bool:
    """Whether `read_jpeg` reads it; `read_deep_jpeg` reads, or refuses, the others."""
    return info.precision == 8 and info.frame in _LEVELS_FRAMES


def read_jpeg(info: JpegInfo, name: str, said: list[str], *, is_rgb: bool = False) -> Gray:
    """A picture of 8 bits as stored, not turned. ``is_rgb``: three components are red, green and blue, whatever is usual.

    Raises ImageError for one that is cut or damaged.
    """
    _check(info, 1, name)
    if info.components in (1, 3) and info.frame not in _ARITHMETIC and not (is_rgb and info.components == 3):
        cells = _strictly_decoded(info, name)
        if cells is not None:
            return cells[..., 0] if info.components == 1 else flat_array(cells, said)
    gray = _decoded_by_pillow(info, info.bare, name, said, is_rgb)
    if not np.array_equal(gray, _decoded_by_pillow(info, _lengthened(info.bare), name, [], is_rgb)):
        raise _cut(name)
    return gray


def read_deep_jpeg(info: JpegInfo, name: str) -> npt.NDArray[Any]:
    """The values of a picture of other bits than 8, or of a lossless one, as stored: uint8 or uint16, rows x columns (x 3).

    Three components of a lossless picture are left as they are. Raises UnsupportedImageError for a process that is not read,
    ImageError for a picture that is cut or damaged.
    """
    if info.frame not in _DEEP_FRAMES:
        raise UnsupportedImageError(
            f"{name} is a JPEG of {info.precision} bits, {info.process}, which is not read; baseline, extended, progressive and "
            "lossless with Huffman coding are. Convert it to PNG or DICOM."
        )
    _check(info, 4, name)
    values = _decoded_by_turbo(info, info.bare, name)
    if not np.array_equal(values, _decoded_by_turbo(info, _lengthened(info.bare), name)):
        raise _cut(name)
    return values


def _check(info: JpegInfo, cells: int, name: str) -> None:
    """Before anything is decoded; ``cells`` is how many bytes each sample takes when it is."""
    check_size(info.coded_width, info.coded_height, name)
    # A picture in several scans is held in coefficients of 2 bytes until the last of them.
    held = cells + (2 if check_scans(info, name) > 1 else 0)
    check_memory(info.coded_width * info.coded_height * (info.components * held + 1), name)


def _strictly_decoded(info: JpegInfo, name: str) -> npt.NDArray[np.uint8] | None:
    """Rows x columns x 1 or 3; None where the decoder complains of something that need not be damage."""
    try:
        cells: npt.NDArray[np.uint8] = simplejpeg.decode_jpeg(
            info.bare, colorspace="GRAY" if info.components == 1 else "RGB", strict=True, fastdct=False, fastupsample=False
        )
    except ValueError as error:
        if str(error).startswith(("Corrupt JPEG data", "Premature end")) and not _has_only_filling(str(error), info.bare):
            raise damaged(name, error) from error
        return None
    return cells if cells.shape[:2] == (info.coded_height, info.coded_width) else None


def _has_only_filling(complaint: str, data: bytes) -> bool:
    """Whether the decoder complains of bytes left over before the end mark, and they are few or all the same.

    Coded data that are left over show that bytes are missing or changed further up, and all behind them is displaced.
    """
    left = _LEFT_OVER.search(complaint)
    if left is None:
        return False
    end = end_mark(data)
    surplus = data[end - int(left[1]) : end]
    return len(surplus) <= _FEW or len(set(surplus)) == 1


def _decoded_by_pillow(info: JpegInfo, data: bytes, name: str, said: list[str], is_rgb: bool) -> Gray:
    # Without an Adobe mark the decoder takes three components for YCbCr; asked for YCbCr, it leaves them as they are.
    image = decoded(JpegImagePlugin.JpegImageFile, data, name, "YCbCr" if is_rgb else "")
    if is_rgb and image.mode == "YCbCr":
        image = Image.merge("RGB", image.split())
    # Pillow takes any four inks for Adobe's, whose numbers stand for light.
    return flat(image, name, said, is_negative=image.mode == "CMYK" and not info.is_adobe)


def _decoded_by_turbo(info: JpegInfo, data: bytes, name: str) -> npt.NDArray[Any]:
    # The same colours in and out: nothing is converted.
    colours = "RGB" if info.frame == _LOSSLESS and info.components == 3 else None
    # Broad, as it is C code around C code: what it raises for damaged bytes is its own affair.
    try:
        values: npt.NDArray[Any] = imagecodecs.jpeg8_decode(data, colorspace=colours, outcolorspace=colours)
    except Exception as error:
        raise damaged(name, error) from error
    expected = (info.coded_height, info.coded_width, info.components)
    if values.shape != expected[: 2 if info.components == 1 else 3]:
        raise damaged(name, ValueError(f"{values.shape} came out of it"))
    return values


def _lengthened(data: bytes) -> bytes:
    """The same file with more coded data before its end mark."""
    end = end_mark(data)
    return data[:end] + _MORE + data[end:]


def _cut(name: str) -> ImageError:
    return ImageError(f"{name} is cut: the JPEG has an end mark and lacks a part of the picture. Take a fresh copy.")
