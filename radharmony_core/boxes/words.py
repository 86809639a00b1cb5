"""What must be said of a box that is not simply on its film."""

from __future__ import annotations

import math

from radharmony_core.boxes.kinds import ROUNDING, NormBox, norm_to_pixel, outside_of

__all__ = ["REACH", "box_notice", "drawn_part", "is_within_reach"]

REACH = 0.5  # of the film's width and height: how far beyond it a margin shows boxes; view.js has the same number
_LARGE = 1e7  # pixels; from here on a power of ten is read more easily
_SMALL = 0.05  # pixels; what is less would be read as 0


def drawn_part(box: NormBox) -> NormBox:
    """What of a box is drawn: its outline, or, without an area, a marker on its corner."""
    return box if box.is_drawable else NormBox(box.y_min, box.y_min, box.x_min, box.x_min)


def is_within_reach(box: NormBox) -> bool:
    """Whether the box has a place, and some of what is drawn of it lies on the film or in the margin of half a film around it."""
    y_min, y_max, x_min, x_max = drawn_part(box)
    return box.is_finite and y_max >= -REACH and x_max >= -REACH and y_min <= 1 + REACH and x_min <= 1 + REACH


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
    width, height = frame
    if where == "wholly":
        gaps = [
            (-right, width, "to the left"),
            (left - 1, width, "to the right"),
            (-bottom, height, "above"),
            (top - 1, height, "below"),
        ]
        told = " and ".join(f"{_px(gap * side)} {there}" for gap, side, there in gaps if gap > ROUNDING)
        return f"Box {number} lies wholly outside the film, {told or 'at its border'}."
    parts = [(-left, width, "left"), (right - 1, width, "right"), (-top, height, "upper"), (bottom - 1, height, "lower")]
    told = " and ".join(f"{_px(part * side)} beyond its {border} border" for part, side, border in parts if part > ROUNDING)
    return f"Box {number} lies partly outside the film, {told}."


def _px(length: float) -> str:
    if abs(length) >= _LARGE:
        return f"{length:.1e} px"
    if 0 < abs(length) < _SMALL:
        return "less than 1 px" if length > 0 else "between -1 and 0 px"
    return f"{length:,.1f}".removesuffix(".0") + " px"
