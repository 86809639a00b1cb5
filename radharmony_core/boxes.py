"""Boxes and the frames they are measured in. One order per type, and the order is in the type's name and fields.

Three things are called a box in this field and they do not mix: ``PixelBox`` is COCO's (x, y, width, height) in pixels of
the original image, origin at the top left corner of the top left pixel; ``NormBox`` is y-first, each number a fraction of
the image's height or width; a bare list of four numbers is neither and is refused by the type checker.

Nothing here clips or reorders on its own: a box that lies outside or has no area keeps its numbers, so that it can be seen.
"""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["NormBox", "PixelBox", "clip", "frame_of", "iou", "norm_to_pixel", "pixel_to_norm"]


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
    def is_drawable(self) -> bool:
        """Four finite numbers that enclose an area."""
        return all(map(math.isfinite, self)) and self.y_max > self.y_min and self.x_max > self.x_min

    @property
    def area(self) -> float:
        """Fraction of the film, 0 where there is no area."""
        return max(0.0, self.y_max - self.y_min) * max(0.0, self.x_max - self.x_min)


def _check_size(width: float, height: float) -> None:
    if not (width > 0 and height > 0 and math.isfinite(width) and math.isfinite(height)):
        raise ValueError(f"An image needs a width and a height above 0 to measure a box in; got {width} x {height}.")


def pixel_to_norm(box: PixelBox, width: float, height: float) -> NormBox:
    """Pixels of an image of ``width`` x ``height`` to fractions. Raises ValueError for an image without a size."""
    _check_size(width, height)
    return NormBox(box.y / height, (box.y + box.h) / height, box.x / width, (box.x + box.w) / width)


def norm_to_pixel(box: NormBox, width: float, height: float) -> PixelBox:
    """Fractions to pixels of an image of ``width`` x ``height``. Raises ValueError for an image without a size."""
    _check_size(width, height)
    return PixelBox(box.x_min * width, box.y_min * height, (box.x_max - box.x_min) * width, (box.y_max - box.y_min) * height)


def clip(box: NormBox) -> NormBox:
    """The part of the box that lies on the film; without area where none does. Callers say so where they show it."""
    y_min, y_max, x_min, x_max = (min(1.0, max(0.0, value)) for value in box)
    return NormBox(y_min, y_max, x_min, x_max)


def iou(a: NormBox, b: NormBox) -> float:
    """Intersection over union, 0..1; 0 where neither has an area."""
    shared = NormBox(max(a.y_min, b.y_min), min(a.y_max, b.y_max), max(a.x_min, b.x_min), min(a.x_max, b.x_max)).area
    union = a.area + b.area - shared
    return shared / union if union > 0 else 0.0


def frame_of(file_size: tuple[int, int], table_size: tuple[int, int] | None) -> tuple[str, PixelBox]:
    """How a file of ``file_size`` (width, height) lies in the frame its boxes are measured in.

    Returns ``same``; ``scaled`` (a resized copy, each side within one pixel of the frame's shape); ``unknown`` (the table has
    no size: the file's own is the frame); or ``other`` (cropped, turned or padded: no scaling brings it into the frame), and
    the picture's place in frame pixels. A picture of another shape is fitted inside undistorted; callers must say so.
    """
    width, height = file_size
    if table_size is None:
        return "unknown", PixelBox(0, 0, width, height)
    frame_width, frame_height = table_size
    if (width, height) == (frame_width, frame_height):
        return "same", PixelBox(0, 0, frame_width, frame_height)
    scale = min(frame_width / width, frame_height / height)
    if abs(frame_width / scale - width) <= 1 and abs(frame_height / scale - height) <= 1:
        return "scaled", PixelBox(0, 0, frame_width, frame_height)
    w, h = width * scale, height * scale
    return "other", PixelBox((frame_width - w) / 2, (frame_height - h) / 2, w, h)
