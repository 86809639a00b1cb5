"""A film much smaller than it is, as it is displayed: gray levels first, then their average.

The other order, an average of stored values before a window, gives another picture where the window clips.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import simplejpeg

from radharmony_core.errors import RadHarmonyError
from radharmony_core.images.encode import area_reduced, fitted_size
from radharmony_core.images.film import MAX_FILE_BYTES, MAX_PIXELS, Gray
from radharmony_core.images.raster.jpeg import read_jpeg_info
from radharmony_core.images.reader import open_file, read_image

__all__ = ["ReducedImage", "read_reduced"]

_JPEG = b"\xff\xd8\xff"
_HUFFMAN_IN_ONE_GO = (0xC0, 0xC1)  # baseline and extended sequential (ISO 10918-1 table B.1)
# The decoder's own reduction by n reads the lowest 8/n x 8/n frequencies of each block, which is not quite the average of its
# pixels. Twice as many pixels as are wanted leave an averaging that evens this out: a few gray levels at the hardest edges.
_SPARE = 2
_REDUCTIONS = (4, 2)  # by 8 takes a tenth less time, and is 40 levels off at such edges


class ReducedImage(NamedTuple):
    """``pixels``: uint8, rows x columns, 0 black. ``notices``: the reader's."""

    pixels: Gray
    notices: tuple[str, ...]


def read_reduced(path: str | Path, side: int) -> ReducedImage:
    """The film in ``path`` as `read_image` shows it, its longer side at most ``side`` pixels, each the average of what it covers.

    The aspect is kept, each side rounded to a whole pixel; a smaller film keeps its size. A gray JPEG is decoded
    reduced where its sides allow it, any other film whole. Raises as `read_image`, and ValueError for a ``side`` below 1.
    """
    if side < 1:
        raise ValueError(f"A side of at least 1 pixel was expected; got {side}.")
    path = Path(path)
    reduced = _plain_jpeg(path, side)
    if reduced is not None:
        return ReducedImage(reduced, ())
    film = read_image(path)
    return ReducedImage(area_reduced(film.pixels, fitted_size(film.width, film.height, side)), tuple(film.notices))


def _plain_jpeg(path: Path, side: int) -> Gray | None:
    """A JPEG there is nothing to say about: one component of 8 bits, upright, whole, in a single scan. None for any other file,
    also where it is damaged: to refuse it, or to say what was done, is `read_image`'s part."""
    try:
        with open_file(path) as (stream, size):
            if size > MAX_FILE_BYTES or stream.read(len(_JPEG)) != _JPEG:
                return None
            info = read_jpeg_info(_JPEG + stream.read(), path.name)
    except RadHarmonyError:
        return None
    width, height = info.coded_width, info.coded_height
    is_plain = info.frame in _HUFFMAN_IN_ONE_GO and (info.precision, info.components, info.orientation) == (8, 1, 1)
    factor = _reduction(width, height, side)
    if not is_plain or factor == 1 or width * height > MAX_PIXELS:
        return None
    columns, rows = width // factor, height // factor
    try:
        # "strict" refuses what the decoder would only warn of: a picture that ends too early is filled up with gray.
        coded = simplejpeg.decode_jpeg(info.bare, "GRAY", min_width=columns, min_height=rows, min_factor=factor, strict=True)
    except ValueError:
        return None
    return area_reduced(coded[:, :, 0], fitted_size(width, height, side)) if coded.shape == (rows, columns, 1) else None


def _reduction(width: int, height: int, side: int) -> int:
    """By how much it is decoded smaller. Only by what divides both sides: else the last pixels would be beyond the edge in part,
    and all others shifted."""
    fits = (by for by in _REDUCTIONS if max(width, height) >= side * _SPARE * by and width % by == height % by == 0)
    return next(fits, 1)
