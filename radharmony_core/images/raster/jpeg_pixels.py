"""The picture of a JPEG, in a file of its own or inside DICOM: whole, or refused.

Where coded data end too early or are left over, libjpeg only warns. simplejpeg makes the warning an error. The decoders of
12 bits and lossless JPEG have no such switch, and Pillow, for colours that simplejpeg has not, has none either; `check_whole`
finds it out.
"""

from __future__ import annotations

import re
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import simplejpeg
from PIL import Image, JpegImagePlugin

from radharmony_core.errors import UnsupportedImageError
from radharmony_core.images.film import Gray, check_size
from radharmony_core.images.raster.jpeg import JpegInfo, check_scans, end_mark
from radharmony_core.images.raster.jpeg_whole import FEW, check_whole
from radharmony_core.images.raster.picture import check_memory
from radharmony_core.images.raster.pixels import damaged, decoded, flat, flat_array

__all__ = ["is_gray_levels", "read_deep_jpeg", "read_jpeg"]

# Extended, progressive, lossless; with baseline and arithmetic coding for 8 bits (ISO 10918-1 table B.1).
_DEEP_FRAMES = frozenset({0xC1, 0xC2, 0xC3})
_LEVELS_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC9, 0xCA})
_ARITHMETIC = frozenset({0xC9, 0xCA})
_PROGRESSIVE, _LOSSLESS = 0xC2, 0xC3

# What simplejpeg is asked for, by the number of components.
_COLOURS = {1: "GRAY", 3: "RGB", 4: "CMYK"}

# libjpeg's words.
_LEFT_OVER = re.compile(r"(\d+) extraneous bytes before marker 0xd9")


def is_gray_levels(info: JpegInfo) -> bool:
    """Whether `read_jpeg` reads it; `read_deep_jpeg` reads, or refuses, the others."""
    return info.precision == 8 and info.frame in _LEVELS_FRAMES


def read_jpeg(info: JpegInfo, name: str, said: list[str], *, is_rgb: bool = False) -> Gray:
    """A picture of 8 bits as stored, not turned. ``is_rgb``: three components are red, green and blue, whatever is usual.

    Raises ImageError for one that is cut or damaged.
    """
    _check(info, 1, name)
    if info.components in _COLOURS and info.frame not in _ARITHMETIC:
        cells = _strictly_decoded(info, name)
        if cells is not None and info.components == 1:
            return cells[..., 0]
        if cells is not None and info.components == 3 and not is_rgb:
            return flat_array(cells, said)
        del cells
    gray = _decoded_by_pillow(info, info.bare, name, said, is_rgb)
    check_whole(gray, info.bare, lambda data: _decoded_by_pillow(info, data, name, [], is_rgb), name, is_end_seen=False)
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
    check_whole(values, info.bare, lambda data: _decoded_by_turbo(info, data, name), name, is_end_seen=info.frame != _PROGRESSIVE)
    return values


def _check(info: JpegInfo, cells: int, name: str) -> None:
    """Before anything is decoded; ``cells`` is how many bytes each sample takes when it is."""
    check_size(info.coded_width, info.coded_height, name)
    # A picture in several scans is held in coefficients of 2 bytes until the last of them.
    held = cells + (2 if check_scans(info, name) > 1 else 0)
    check_memory(info.coded_width * info.coded_height * (info.components * held + 1), name)


def _strictly_decoded(info: JpegInfo, name: str) -> npt.NDArray[np.uint8] | None:
    """Rows x columns x components; None where the decoder complains of something that need not be damage."""
    try:
        cells: npt.NDArray[np.uint8] = simplejpeg.decode_jpeg(
            info.bare, colorspace=_COLOURS[info.components], strict=True, fastdct=False, fastupsample=False
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
    return len(surplus) <= FEW or len(set(surplus)) == 1


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
