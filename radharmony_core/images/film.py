"""What showing a film gives, and the one limit that keeps a bad header from taking the machine's memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ImageTooLargeError

__all__ = [
    "LARGEST",
    "MAX_FILE_BYTES",
    "MAX_PIXELS",
    "FilmImage",
    "Floats",
    "Gray",
    "ImageHeader",
    "Kind",
    "Preset",
    "Step",
    "check_size",
    "row_strips",
    "shown_name",
    "to_gray",
]

Kind = Literal["dicom", "jpeg", "png", "tiff"]
Gray = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

# A 43 x 43 cm radiograph at 0.1 mm is 18 million pixels, a mammogram at 0.05 mm 29 million, a stitched spine about 30.
# The number also stays below the 89 million where Pillow starts to warn on its own, so that its process-wide switch is
# never touched and its warning never comes.
MAX_PIXELS = 80_000_000

# A JPEG, PNG or TIFF is read at once, and no film is to take more than this; 80 million pixels of 32 bits are 320 MB.
MAX_FILE_BYTES = 512 << 20

# Numbers beyond this are taken for damage: no unit of measurement leads there, and the difference of two stays in float64.
LARGEST = 1e300

# Work that needs temporaries goes strip by strip, so that those stay within a few MiB however large the film is.
_STRIP_PIXELS = 1 << 18


@dataclass(frozen=True)
class Step:
    """One step from the file to the screen: what was done, in ``words``, and the ``numbers`` that do it again.

    ``standard`` is the paragraph that asks for it; "" for a step that is this project's own.
    """

    name: str
    words: str
    numbers: dict[str, float] = field(default_factory=dict)
    standard: str = ""


@dataclass(frozen=True)
class Preset:
    """One way to spread the values over the gray levels, offered by name.

    ``center`` and ``width`` are in the file's units, and ``function`` is LINEAR, LINEAR_EXACT or SIGMOID; None, None and ""
    where it is no window but a table or a look.
    """

    key: str
    words: str
    center: float | None = None
    width: float | None = None
    function: str = ""


@dataclass(frozen=True, eq=False)
class FilmImage:
    """A film as it is displayed.

    ``pixels`` is uint8, rows x columns, C-contiguous, 0 black and 255 white, upright, and not writeable: one cached film
    serves every page. ``said`` holds the notices; ``notices`` hands out a new list each time, for the same reason.
    ``ledger`` is every step that led here, in order. ``orientation`` is EXIF's, 1..8, and already applied; ``stored_size``
    is width and height before that. ``window`` is the preset in use.
    """

    pixels: Gray
    said: tuple[str, ...]
    source: Kind
    path: Path
    ledger: tuple[Step, ...] = ()
    orientation: int = 1
    stored_size: tuple[int, int] = (0, 0)
    window: Preset = field(default_factory=lambda: Preset("default", "As stored"))

    def __post_init__(self) -> None:
        pixels = np.ascontiguousarray(self.pixels)
        if pixels.dtype != np.uint8 or pixels.ndim != 2 or pixels.size == 0:
            raise ValueError(f"A film is uint8, rows x columns; got {pixels.dtype} of shape {pixels.shape}.")
        pixels.setflags(write=False)
        object.__setattr__(self, "pixels", pixels)
        if self.stored_size == (0, 0):
            object.__setattr__(self, "stored_size", self.size)

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

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, in pixels."""
        return self.width, self.height


@dataclass(frozen=True)
class ImageHeader:
    """What the header says, without decoding: the kind by content, and the size in pixels as displayed."""

    source: Kind
    width: int
    height: int


def shown_name(path: Path | str) -> str:
    """A file's name, or a whole path given as text, for a message: what is no Unicode text is escaped, so that it can be sent."""
    name = path if isinstance(path, str) else path.name
    return name.encode("utf-8", "backslashreplace").decode()


def check_size(width: int, height: int, name: str) -> None:
    """Refuse a claimed size before memory is taken. Raises ImageTooLargeError above ``MAX_PIXELS`` pixels."""
    if width * height > MAX_PIXELS:
        raise ImageTooLargeError(
            f"{name} is too large: its header claims {width} x {height} pixels, and at most {MAX_PIXELS:,} pixels are "
            "opened. No radiograph has that many; the file is probably damaged. Take a fresh copy."
        )


def row_strips(shape: tuple[int, ...], pixels: int = _STRIP_PIXELS) -> Iterator[slice]:
    """Slices of whole rows, of about ``pixels`` pixels each and at least one row, that cover a picture of ``shape``."""
    rows = max(1, pixels // max(1, shape[1]))
    return (slice(start, start + rows) for start in range(0, shape[0], rows))


def to_gray(level: Floats) -> Gray:
    """0.0 .. 255.0 to the nearest gray level; halves go up, also those that rounding in float64 left a billionth below."""
    return np.floor(level + (0.5 + 1e-9)).astype(np.uint8)
