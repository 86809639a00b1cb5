"""Boxes on the screen: one scale for both axes and one offset, so that picture and boxes cannot part.

The browser draws with the same formulas, in ``pages/_ui/viewer/view.js``; a test runs both on the same numbers.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from radharmony_core.boxes.kinds import NormBox, PixelBox, check_size, norm_to_pixel

__all__ = ["DisplayBox", "View", "display_to_norm", "display_to_pixel", "norm_to_display", "pixel_to_display"]


class DisplayBox(NamedTuple):
    """In pixels of the screen (CSS's), from the top left corner of the stage: left edge, top edge, width, height."""

    x: float
    y: float
    w: float
    h: float


class View(NamedTuple):
    """``scale``: screen pixels a film pixel; ``x``, ``y``: where the film's top left corner is on the stage, in screen pixels."""

    scale: float
    x: float
    y: float


def pixel_to_display(box: PixelBox, view: View) -> DisplayBox:
    """Pixels of the film's frame to the screen. Raises ValueError for a view without a scale."""
    _check_view(view)
    return DisplayBox(box.x * view.scale + view.x, box.y * view.scale + view.y, box.w * view.scale, box.h * view.scale)


def display_to_pixel(box: DisplayBox, view: View) -> PixelBox:
    """The screen to pixels of the film's frame. Raises ValueError for a view without a scale."""
    _check_view(view)
    return PixelBox((box.x - view.x) / view.scale, (box.y - view.y) / view.scale, box.w / view.scale, box.h / view.scale)


def norm_to_display(box: NormBox, width: float, height: float, view: View) -> DisplayBox:
    """Fractions of a frame of ``width`` x ``height`` film pixels to the screen. Raises ValueError as `pixel_to_display`."""
    return pixel_to_display(norm_to_pixel(box, width, height), view)


def display_to_norm(box: DisplayBox, width: float, height: float, view: View) -> NormBox:
    """The screen to fractions of a frame of ``width`` x ``height`` film pixels. Raises ValueError as `display_to_pixel`."""
    check_size(width, height)
    x, y, w, h = display_to_pixel(box, view)
    return NormBox(y / height, (y + h) / height, x / width, (x + w) / width)


def _check_view(view: View) -> None:
    if not (view.scale > 0 and all(map(math.isfinite, view))):
        raise ValueError(f"A view needs a scale above 0 and an offset; got {tuple(view)}.")
