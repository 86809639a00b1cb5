"""Boxes filled into masks, one channel a label."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from radharmony_core.boxes import NormBox

__all__ = ["fill_boxes"]

_DECIMALS = 6  # an edge this close to a pixel's centre is on it: 0.14 * 25 is 3.5000000000000004


def fill_boxes(boxes: Iterable[tuple[int, NormBox]], channels: int, height: int, width: int) -> npt.NDArray[np.uint8]:
    """Masks of 0 and 1, ``channels`` x ``height`` x ``width``, from pairs of a channel and a box in fractions of the image.

    A pixel is filled when its centre lies in the box, the top and left edges included and the bottom and right edges not, so
    that two boxes side by side share no pixel. A box too small to reach a centre fills the one pixel that its own middle lies
    in. A box without area, without a place (NaN) or outside the image fills nothing; one that reaches beyond is cut off.
    """
    masks = np.zeros((channels, height, width), np.uint8)
    for channel, box in boxes:
        if box.is_drawable and box.y_max > 0 and box.y_min < 1 and box.x_max > 0 and box.x_min < 1:
            masks[channel, _covered(box.y_min, box.y_max, height), _covered(box.x_min, box.x_max, width)] = 1
    return masks


def _covered(low: float, high: float, count: int) -> slice:
    """The pixels of a row or column of ``count`` between two fractions of it."""
    low, high = max(0.0, low) * count, min(1.0, high) * count
    first, end = (math.ceil(round(edge - 0.5, _DECIMALS)) for edge in (low, high))
    if first >= end:
        first = min(count - 1, math.floor((low + high) / 2))
        end = first + 1
    return slice(first, end)
