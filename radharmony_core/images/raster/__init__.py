"""JPEG, PNG and TIFF files as gray levels, or as the deep values that become gray levels by their range."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import PngImagePlugin

from radharmony_core.errors import UnsupportedImageError
from radharmony_core.images.film import Kind, check_size
from radharmony_core.images.raster.jpeg import JpegInfo, read_jpeg_info
from radharmony_core.images.raster.jpeg_pixels import is_gray_levels, read_deep_jpeg, read_jpeg
from radharmony_core.images.raster.picture import Raster
from radharmony_core.images.raster.pixels import DEEP_MODES, as_array, decoded, flat, flat_array
from radharmony_core.images.raster.png import check_png_pixels, read_png_info
from radharmony_core.images.raster.tiff import TIFF_HEIGHT, TIFF_ORIENTATION, TIFF_WIDTH, read_tiff

__all__ = ["TIFF_HEIGHT", "TIFF_ORIENTATION", "TIFF_WIDTH", "Raster", "read_raster"]

_PNG_COLOURS = {0: "gray", 2: "RGB", 3: "palette", 4: "gray with alpha", 6: "RGBA"}
_JPEG_COLOURS = {1: "gray", 3: "colour", 4: "CMYK"}


def read_raster(kind: Kind, data: bytes, name: str, said: list[str]) -> Raster:
    """The picture in ``data``, a whole file of a known kind, turned upright. Choices and guesses are added to ``said``.

    Raises ImageTooLargeError before any memory is taken, UnsupportedImageError, or ImageError for a file that is cut.
    """
    raster = {"jpeg": _read_jpeg, "png": _read_png}.get(kind, read_tiff)(data, name, said)
    if raster.orientation != 1:
        said.append(
            f"The file says that the picture must be turned to stand upright (EXIF orientation {raster.orientation}); this was "
            "done."
        )
    return raster


def _read_jpeg(data: bytes, name: str, said: list[str]) -> Raster:
    info = read_jpeg_info(data, name)
    values = read_jpeg(info, name, said) if is_gray_levels(info) else _deep_jpeg(info, name, said)
    words = f"JPEG, {info.process}, {_JPEG_COLOURS.get(info.components, f'{info.components} samples')}"
    size = info.coded_width, info.coded_height
    return Raster(_turned(values, info.orientation), info.precision != 8, info.orientation, size, info.precision, words)


def _deep_jpeg(info: JpegInfo, name: str, said: list[str]) -> npt.NDArray[Any]:
    values = read_deep_jpeg(info, name)
    if values.ndim == 2:
        return values
    if values.dtype == np.uint8 and values.shape[2] == 3:
        return flat_array(values, said)
    raise UnsupportedImageError(
        f"{name} is a JPEG in colours of {info.precision} bits, which is not read. Convert it to gray PNG."
    )


def _read_png(data: bytes, name: str, said: list[str]) -> Raster:
    info = read_png_info(data, name)
    check_size(info.width, info.height, name)
    check_png_pixels(info, name)
    if info.has_transparent_value:
        said.append("The PNG marks one value as transparent; it is shown like any other.")
    if info.is_animated:
        said.append("The PNG is animated; its still picture is shown.")
    image = decoded(PngImagePlugin.PngImageFile, info.bare, name)
    is_deep = info.depth == 16
    if is_deep and image.mode not in DEEP_MODES:
        said.append("The file has 16-bit colours; the upper 8 bits are read, and spread by their value range.")
    values = as_array(image) if image.mode in DEEP_MODES else flat(image, name, said)
    words = f"PNG, {_PNG_COLOURS.get(info.colour, 'colour')}{', interlaced' if info.is_interlaced else ''}"
    size = info.width, info.height
    return Raster(_turned(values, info.orientation), is_deep, info.orientation, size, info.depth, words)


def _turned(values: npt.NDArray[Any], orientation: int) -> npt.NDArray[Any]:
    """EXIF 2.3 4.6.4, tag 0112: which side of the picture the first row and the first column are."""
    if orientation == 1:
        return np.ascontiguousarray(values)
    turned = {
        2: values[:, ::-1],
        3: values[::-1, ::-1],
        4: values[::-1],
        5: values.T,
        6: np.rot90(values, -1),
        7: values[::-1, ::-1].T,
        8: np.rot90(values, 1),
    }
    return np.ascontiguousarray(turned[orientation])
