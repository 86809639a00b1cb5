"""What must be said of a box that is not simply on its film."""

from __future__ import annotations

import math

from radharmony_core.boxes.kinds import NormBox, norm_to_pixel, outside_of

__all__ = ["REACH", "box_notice", "is_within_reach"]

REACH = 0.5  # of the film's width and height: how far beyond it a margin shows boxes; view.js has the same number
_LARGE = 1e7  # pixels; from here on a power of ten is read more easily


def is_within_reach(box: NormBox) -> bool:
    """Whether the box has a place, some of which lies on the film or in the margin of half a film around it."""
    rows, columns = (box.y_min, box.y_max), (box.x_min, box.x_max)
    return box.is_finite and all(max(edges) >= -REACH and min(edges) <= 1 + REACH for edges in (rows, columns))


def box_notice(number: int, box: NormBox, frame: tuple[float, float], *, far: str) -> str:
    """Where the box lies, in words: ``Box 3 lies wholly outside the film, 2,400 px to the right.``

    Empty for a box with an area on the film. ``frame`` is the film's (width, height) in the pixels that are named; ``far`` is
    the caller's sentence for a box that is too far away for the margin. Raises ValueError for a frame without a size.
    """
    if not all(map(math.isfinite, (*box, *norm_to_pixel(box, *frame)))):
        return f"Box {number} has no place: a number of it, or the size of its image, is missing or without end."
    said = [_area_words(number, box, frame), _outside_words(number, box, frame)]
    if not is_within_reach(box):
        said.append(far)
    elif not box.is_drawable:
        said.append("A ring with a cross marks its corner.")
    return " ".join(filter(None, said))


def _area_words(number: int, box: NormBox, frame: tuple[float, float]) -> str:
    if box.is_drawable:
        return ""
    _, _, w, h = norm_to_pixel(box, *frame)
    is_reversed = box.x_max < box.x_min or box.y_max < box.y_min
    return f"Box {number} {'is turned over' if is_reversed else 'has no area'}: its width is {_px(w)}, its height {_px(h)}."


def _outside_words(number: int, box: NormBox, frame: tuple[float, float]) -> str:
    where = outside_of(box)
    if where == "inside":
        return ""
    (left, right), (top, bottom) = sorted((box.x_min, box.x_max)), sorted((box.y_min, box.y_max))
    if where == "wholly":
        gaps = [
            (-right * frame[0], "to the left"),
            ((left - 1) * frame[0], "to the right"),
            (-bottom * frame[1], "above"),
            ((top - 1) * frame[1], "below"),
        ]
        told = " and ".join(f"{_px(gap)} {side}" for gap, side in gaps if gap > 0)
        return f"Box {number} lies wholly outside the film, {told or 'at its border'}."
    beyond = [
        (-left * frame[0], "left"),
        ((right - 1) * frame[0], "right"),
        (-top * frame[1], "upper"),
        ((bottom - 1) * frame[1], "lower"),
    ]
    told = " and ".join(f"{_px(part)} beyond its {side} border" for part, side in beyond if part > 0)
    return f"Box {number} lies partly outside the film, {told}."


def _px(length: float) -> str:
    return f"{length:.1e} px" if abs(length) >= _LARGE else f"{length:,.1f}".removesuffix(".0") + " px"
