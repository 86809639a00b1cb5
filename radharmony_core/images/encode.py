"""A film for the browser: resized at most down, as a grayscale JPEG."""

from __future__ import annotations

import io
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from radharmony_core.images.film import Gray

__all__ = ["JPEG_MAX_SIDE", "EncodedFilm", "area_reduced", "encode_jpeg", "fitted_size"]

Level = TypeVar("Level", np.uint8, np.uint16)

# ISO 10918-1 B.2.2 has 16 bits for each side; libjpeg stops a little below.
JPEG_MAX_SIDE = 65_500


class EncodedFilm(NamedTuple):
    """A JPEG file's bytes and its size in pixels."""

    data: bytes
    width: int
    height: int


def encode_jpeg(pixels: Gray, *, max_side: int | None = None, quality: int = 90) -> EncodedFilm:
    """``pixels`` (uint8, rows x columns) as a grayscale JPEG of ``quality`` 1..95.

    With ``max_side`` the longer side has at most that many pixels and the aspect is kept, each side rounded to a whole
    pixel; a smaller film keeps its size. Raises ValueError for other pixels, sides or qualities.
    """
    if pixels.dtype != np.uint8 or pixels.ndim != 2 or pixels.size == 0:
        raise ValueError(f"A film of uint8, rows x columns, was expected; got {pixels.dtype} of shape {pixels.shape}.")
    if not 1 <= quality <= 95:
        raise ValueError(f"A JPEG quality from 1 to 95 was expected; got {quality}.")
    if max_side is not None and max_side < 1:
        raise ValueError(f"max_side needs at least 1 pixel; got {max_side}.")
    height, width = pixels.shape
    size = fitted_size(width, height, min(max_side or JPEG_MAX_SIDE, JPEG_MAX_SIDE))
    buffer = io.BytesIO()
    Image.fromarray(area_reduced(pixels, size)).save(buffer, "JPEG", quality=quality)
    return EncodedFilm(buffer.getvalue(), *size)


def fitted_size(width: int, height: int, side: int) -> tuple[int, int]:
    """Width and height with the longer one at most ``side``, the aspect kept, each at least 1; a smaller film keeps its size."""
    scale = min(1.0, side / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def area_reduced(pixels: npt.NDArray[Level], size: tuple[int, int]) -> npt.NDArray[Level]:
    """``pixels`` (uint8 or uint16, rows x columns) at a smaller ``size`` (width, height), each the mean of those under it.

    LANCZOS is sharper by overshooting at edges: lines along a rib or a tube that are not on the film.
    """
    if size == pixels.shape[::-1]:
        return pixels
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(pixels.dtype, copy=False)
