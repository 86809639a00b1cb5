"""The two kinds of boxes that are measured on an image, and what can be asked of them."""

from __future__ import annotations

import math
from numbers import Real
from typing import Literal, NamedTuple

__all__ = [
    "ROUNDING",
    "NormBox",
    "PixelBox",
    "check_size",
    "clip",
    "iou",
    "norm_to_pixel",
    "outside_of",
    "pixel_to_norm",
    "usable_size",
]

ROUNDING = 1e-9  # of the film's side: an edge this close to the border lies on it


class PixelBox(NamedTuple):
    """COCO's order, in pixels: left edge, top edge, width, height. Edges, not pixel centres: the first pixel is (0, 0, 1, 1)."""

    x: float
    y: float
    w: float
    h: float


class NormBox(NamedTuple):
    """Fractions of the image, top and bottom first: 0 is the top or left border of the film, 1 the bottom or right border."""

    y_min: float
    y_max: float
    x_min: float
    x_max: float

    @property
    def is_finite(self) -> bool:
        """Whether it has a place at all: four numbers, none of them NaN or without end."""
        return all(map(math.isfinite, self))

    @property
    def is_drawable(self) -> bool:
        """Four finite numbers that enclose an area."""
        return self.is_finite and self.y_max > self.y_min and self.x_max > self.x_min

    @property
    def area(self) -> float:
        """Fraction of the film, 0 where there is no area."""
        return max(0.0, self.y_max - self.y_min) * max(0.0, self.x_max - self.x_min)


def check_size(width: float, height: float) -> None:
    """Raises ValueError for what is no size of an image."""
    if not (width > 0 and height > 0 and math.isfinite(width) and math.isfinite(height)):
        raise ValueError(f"An image needs a width and a height above 0 to measure a box in; got {width} x {height}.")


def usable_size(width: object, height: object) -> tuple[int, int] | None:
    """Cells of a table as an image's (width, height) in pixels; None where they are none: missing in any way (None, NaN,
    pandas' NA), no number, not whole or not above 0."""
    sides = [float(side) for side in (width, height) if isinstance(side, Real)]
    if len(sides) < 2 or not all(math.isfinite(side) and side > 0 and side.is_integer() for side in sides):
        return None
    return int(sides[0]), int(sides[1])


def pixel_to_norm(box: PixelBox, width: float, height: float) -> NormBox:
    """Pixels of an image of ``width`` x ``height`` to fractions. Raises ValueError for an image without a size."""
    check_size(width, height)
    return NormBox(box.y / height, (box.y + box.h) / height, box.x / width, (box.x + box.w) / width)


def norm_to_pixel(box: NormBox, width: float, height: float) -> PixelBox:
    """Fractions to pixels of an image of ``width`` x ``height``. Raises ValueError for an image without a size."""
    check_size(width, height)
    return PixelBox(box.x_min * width, box.y_min * height, (box.x_max - box.x_min) * width, (box.y_max - box.y_min) * height)


def outside_of(box: NormBox) -> Literal["inside", "partly", "wholly"]:
    """How much of the box lies outside the film. An edge on the border is inside; a box that only touches the border from
    without is wholly outside. A box with its edges exchanged is taken by what lies between them.

    Raises ValueError for a box without a place (NaN or without end): it is neither inside nor outside.
    """
    if not box.is_finite:
        raise ValueError(f"A box needs four finite numbers to lie inside or outside a film; got {tuple(box)}.")
    axes = [sorted(edges) for edges in ((box.y_min, box.y_max), (box.x_min, box.x_max))]
    inside = [low >= -ROUNDING and high <= 1 + ROUNDING for low, high in axes]
    if all(inside):
        return "inside"
    apart = [not within and (high <= ROUNDING or low >= 1 - ROUNDING) for within, (low, high) in zip(inside, axes, strict=True)]
    return "wholly" if any(apart) else "partly"


def clip(box: NormBox) -> NormBox:
    """The part of the box that lies on the film; without area where none does. Callers say so where they show it. NaN stays
    NaN: it is no edge, and none is made of it."""
    return NormBox(*(edge if math.isnan(edge) else min(1.0, max(0.0, edge)) for edge in box))


def iou(a: NormBox, b: NormBox) -> float:
    """Intersection over union, 0..1; 0 where neither has an area."""
    shared = NormBox(max(a.y_min, b.y_min), min(a.y_max, b.y_max), max(a.x_min, b.x_min), min(a.x_max, b.x_max)).area
    union = a.area + b.area - shared
    return shared / union if union > 0 else 0.0
