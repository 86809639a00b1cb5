"""What reading a raster file gives, and how much memory a decoder may take for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from radharmony_core.errors import ImageTooLargeError

__all__ = ["Raster", "check_memory"]

# A picture of MAX_PIXELS in gray, of 16 bits, fits for every decoder; in colour or of more bits it may have to be smaller.
_MOST_BYTES = 512 << 20


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


def check_memory(need: int, name: str) -> None:
    """Raises ImageTooLargeError where a decoder and what comes out of it would hold more than 512 MiB; ``need`` in bytes."""
    if need > _MOST_BYTES:
        raise ImageTooLargeError(
            f"{name} is too large: to decode it as it is coded takes {need >> 20:,} MiB, and {_MOST_BYTES >> 20} may be taken. "
            "Export it in gray, with 16 bits a pixel at most."
        )
