"""What reading a raster file gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

__all__ = ["Raster"]


@dataclass(frozen=True, eq=False)
class Raster:
    """A picture as its file has it, before anything is chosen about its gray levels.

    ``values`` is rows x columns, upright, C-contiguous: uint8 gray levels as displayed, or with ``is_spread`` values of any
    depth (uint8, uint16, int16, int32, uint32, float32, float64) whose range is to be spread over the gray levels.
    ``orientation`` is EXIF's, 1..8, and already applied; ``stored_size`` is width and height in pixels before that. ``bits``
    is of a sample in the file; ``words`` says how it was coded.
    """

    values: npt.NDArray[Any]
    is_spread: bool
    orientation: int
    stored_size: tuple[int, int]
    bits: int
    words: str
