"""One thumbnail: a small JPEG of a film as it is displayed by default."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from radharmony_core.images import encode_jpeg
from radharmony_core.images.reduced import read_reduced

__all__ = ["MAKER_VERSION", "SIDE", "Thumbnail", "thumbnail"]

MAKER_VERSION = 1  # raise with every change of how films are displayed by default, reduced or encoded
SIDE = 256  # pixels: about what a column of a grid shows on a screen of two pixels a point
_QUALITY = 85  # 9 KB a film; 1.2 gray levels off on average


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """``data`` is a grayscale JPEG of ``width`` x ``height`` pixels; ``notices`` are those of the film."""

    data: bytes
    width: int
    height: int
    notices: tuple[str, ...] = ()


def thumbnail(path: str | Path, side: int = SIDE) -> Thumbnail:
    """The film in ``path`` in its default window, polarity and orientation, its longer side at most ``side`` pixels.

    What `read_image` refuses is refused here: a part of a film would look like the whole of it. Raises as it does.
    """
    film = read_reduced(path, side)
    return Thumbnail(*encode_jpeg(film.pixels, quality=_QUALITY), film.notices)
