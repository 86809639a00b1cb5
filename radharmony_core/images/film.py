"""What reading gives back, and the one limit that keeps a bad header from taking the machine's memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ImageTooLargeError

__all__ = [
    "FLAT_GRAY",
    "MAX_FILE_BYTES",
    "MAX_PIXELS",
    "FilmImage",
    "Floats",
    "Gray",
    "ImageHeader",
    "Kind",
    "check_size",
    "stretch",
    "to_gray",
]

Kind = Literal["dicom", "jpeg", "png", "tiff"]
Gray = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

# A 43 x 43 cm radiograph at 0.1 mm is 18 million pixels, a mammogram at 0.05 mm 29 million, a stitched spine about 30.
# The number also stays below the 89 million where Pillow starts to warn on its own, so that its process-wide switch is
# never touched and its warning never comes.
MAX_PIXELS = 80_000_000

# 80 million pixels of 4 channels at 16 bit are 640 MB; a JPEG, PNG or TIFF above this is read as a mistake.
MAX_FILE_BYTES = 1_000_000_000

# What an image of one single value is shown as: neither black nor white, which would look like a broken file.
FLAT_GRAY = 128


@dataclass(frozen=True, eq=False)
class FilmImage:
    """A film as it is displayed.

    ``pixels`` is uint8, rows x columns, C-contiguous, 0 black and 255 white, and not writeable: one cached film serves
    every page. ``said`` holds the notices; ``notices`` hands out a new list each time, for the same reason.
    """

    pixels: Gray
    said: tuple[str, ...]
    source: Kind
    path: Path

    def __post_init__(self) -> None:
        pixels = np.ascontiguousarray(self.pixels)
        if pixels.dtype != np.uint8 or pixels.ndim != 2 or pixels.size == 0:
            raise ValueError(f"A film is uint8, rows x columns; got {pixels.dtype} of shape {pixels.shape}.")
        pixels.setflags(write=False)
        object.__setattr__(self, "pixels", pixels)

    @property
    def notices(self) -> list[str]:
        """Every guess and every choice that was made about the pixels, one sentence each; empty where there was none."""
        return list(self.said)

    @property
    def width(self) -> int:
        """Columns, in pixels."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Rows, in pixels."""
        return int(self.pixels.shape[0])


@dataclass(frozen=True)
class ImageHeader:
    """What the header says, without decoding: the kind by content, and the size in pixels as displayed."""

    source: Kind
    width: int
    height: int


def check_size(width: int, height: int, name: str) -> None:
    """Refuse a claimed size before memory is taken. Raises ImageTooLargeError above ``MAX_PIXELS`` pixels."""
    if width * height > MAX_PIXELS:
        raise ImageTooLargeError(
            f"{name} is too large: its header claims {width} x {height} pixels, and at most {MAX_PIXELS:,} pixels are "
            "opened. No radiograph has that many; the file is probably damaged. Take a fresh copy."
        )


def stretch(x: Floats, low: float, high: float) -> Floats:
    """``low`` .. ``high`` to 0.0 .. 255.0, clipped; one flat gray where there is no range."""
    if not high > low:
        return np.full(x.shape, float(FLAT_GRAY))
    return np.clip((x - low) / (high - low) * 255.0, 0.0, 255.0)


def to_gray(level: Floats) -> Gray:
    """0.0 .. 255.0 to the nearest gray level; halves go up."""
    return np.floor(level + 0.5).astype(np.uint8)
