"""Boxes on an image and on the screen: every expected number is worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from radharmony_core.boxes import (
    DisplayBox,
    NormBox,
    PixelBox,
    View,
    clip,
    display_to_norm,
    display_to_pixel,
    iou,
    norm_to_display,
    norm_to_pixel,
    outside_of,
    pixel_to_display,
    pixel_to_norm,
    usable_size,
)

SIDES = st.integers(1, 60_000)
EDGES = st.one_of(st.floats(-1e6, 1e6), st.floats(-1e-6, 1e-6))  # pixels: outside, negative, huge, tiny
FRACTIONS = st.one_of(st.floats(-100, 100), st.floats(-1e-9, 1e-9))
VIEWS = st.builds(View, st.floats(0.02, 64), st.floats(-1e5, 1e5), st.floats(-1e5, 1e5))  # what the viewer lets one zoom and pan

CONVERSIONS = [
    # reason, pixel box, (width, height), normalized box
    (
        "x and w go by the width, y and h by the height",
        PixelBox(30, 10, 10, 20),
        (48, 64),
        NormBox(10 / 64, 30 / 64, 30 / 48, 40 / 48),
    ),
    ("the whole film", PixelBox(0, 0, 48, 64), (48, 64), NormBox(0, 1, 0, 1)),
    ("the first pixel", PixelBox(0, 0, 1, 1), (4, 8), NormBox(0, 0.125, 0, 0.25)),
    ("outside stays outside", PixelBox(-12, 64, 24, 32), (48, 64), NormBox(1, 1.5, -0.25, 0.25)),
    ("no area stays without", PixelBox(24, 32, 0, 0), (48, 64), NormBox(0.5, 0.5, 0.5, 0.5)),
    ("turned over stays so", PixelBox(24, 32, -12, -16), (48, 64), NormBox(0.5, 0.25, 0.5, 0.25)),
]


@pytest.mark.parametrize(("reason", "pixel", "size", "norm"), CONVERSIONS, ids=[row[0] for row in CONVERSIONS])
def test_pixels_to_fractions_and_back(reason: str, pixel: PixelBox, size: tuple[int, int], norm: NormBox) -> None:
    assert pixel_to_norm(pixel, *size) == pytest.approx(norm), reason
    assert norm_to_pixel(norm, *size) == pytest.approx(pixel), reason


def apart(one: PixelBox, other: PixelBox, width: int, height: int) -> float:
    """The largest difference of an edge or a side, in units of the film's side, or of the box's farthest edge beyond it."""
    worst = 0.0
    for start, length, side in ((0, 2, width), (1, 3, height)):
        unit = max(side, abs(one[start]), abs(one[start] + one[length]))
        worst = max(worst, abs(one[start] - other[start]) / unit, abs(one[length] - other[length]) / unit)
    return worst


@given(st.builds(PixelBox, EDGES, EDGES, EDGES, EDGES), SIDES, SIDES)
@example(PixelBox(-1e6, 1e6, 1e6, -1e6), 1, 60_000)
def test_any_box_survives_the_way_to_fractions_and_back(box: PixelBox, width: int, height: int) -> None:
    assert apart(box, norm_to_pixel(pixel_to_norm(box, width, height), width, height), width, height) < 1e-9


@given(st.builds(NormBox, FRACTIONS, FRACTIONS, FRACTIONS, FRACTIONS), SIDES, SIDES, VIEWS)
@example(NormBox(0.25, 0.5, 0.25, 0.5), 1, 1, View(0.02, 1e5, -1e5))
def test_any_box_survives_the_way_to_the_screen_and_back(box: NormBox, width: int, height: int, view: View) -> None:
    """Measured in fractions: units of the film's side, or of the box's farthest edge where it is beyond the film."""
    back = display_to_norm(norm_to_display(box, width, height, view), width, height, view)
    units = [max(1.0, *map(abs, box[:2]))] * 2 + [max(1.0, *map(abs, box[2:]))] * 2
    assert max(abs(a - b) / unit for a, b, unit in zip(box, back, units, strict=True)) < 1e-9


@given(st.builds(PixelBox, *[st.floats(-1e4, 1e4)] * 4), SIDES, SIDES, st.sampled_from([2, 4, 8, 0.5, 0.25]))
def test_a_resized_copy_has_the_same_fractions(box: PixelBox, width: int, height: int, factor: float) -> None:
    """By a power of two, so that nothing is rounded and equal means equal."""
    copy = PixelBox(*(factor * number for number in box))
    assert pixel_to_norm(copy, factor * width, factor * height) == pixel_to_norm(box, width, height)


SCREEN = [
    # reason, fractions, (width, height), view, place on the screen
    ("native size, at the stage's corner", NormBox(0.25, 0.5, 0, 1), (48, 64), View(1, 0, 0), DisplayBox(0, 16, 48, 16)),
    ("twice as large, moved", NormBox(0.25, 0.5, 0.5, 1), (48, 64), View(2, 100, -10), DisplayBox(148, 22, 48, 32)),
    ("left of the film", NormBox(0, 1, -0.5, -0.25), (48, 64), View(0.5, 30, 0), DisplayBox(18, 0, 6, 32)),
]


@pytest.mark.parametrize(("reason", "norm", "size", "view", "display"), SCREEN, ids=[row[0] for row in SCREEN])
def test_fractions_to_the_screen_and_back(
    reason: str, norm: NormBox, size: tuple[int, int], view: View, display: DisplayBox
) -> None:
    assert norm_to_display(norm, *size, view) == pytest.approx(display), reason
    assert display_to_norm(display, *size, view) == pytest.approx(norm), reason
    assert pixel_to_display(norm_to_pixel(norm, *size), view) == pytest.approx(display), reason


@pytest.mark.parametrize("view", [View(0, 1, 1), View(-1, 0, 0), View(math.nan, 0, 0), View(1, math.inf, 0)])
def test_a_view_without_a_scale_is_refused(view: View) -> None:
    with pytest.raises(ValueError, match="scale above 0"):
        pixel_to_display(PixelBox(0, 0, 1, 1), view)
    with pytest.raises(ValueError, match="scale above 0"):
        display_to_pixel(DisplayBox(0, 0, 1, 1), view)


@pytest.mark.parametrize("size", [(0, 64), (48, 0), (-1, 64), (math.nan, 64), (48, math.inf)])
def test_an_image_without_a_size_is_refused(size: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="width and a height above 0"):
        pixel_to_norm(PixelBox(0, 0, 1, 1), *size)
    with pytest.raises(ValueError, match="width and a height above 0"):
        norm_to_pixel(NormBox(0, 1, 0, 1), *size)
    with pytest.raises(ValueError, match="width and a height above 0"):
        display_to_norm(DisplayBox(0, 0, 1, 1), *size, View(1, 0, 0))


OUTSIDE = [
    ("on the film", NormBox(0.1, 0.2, 0.3, 0.4), "inside"),
    ("the whole film", NormBox(0, 1, 0, 1), "inside"),
    ("an edge that a division has rounded", NormBox(0, 1.0000000000000002, -1e-16, 1), "inside"),
    ("beyond one border", NormBox(0.1, 0.2, 0.9, 1.1), "partly"),
    ("around the whole film", NormBox(-1, 2, -1, 2), "partly"),
    ("to the right", NormBox(0.1, 0.2, 1.5, 1.6), "wholly"),
    ("above, although its columns are the film's", NormBox(-0.5, -0.1, 0, 1), "wholly"),
    ("beyond a corner in one axis is enough", NormBox(-0.5, 0.5, 1.1, 1.2), "wholly"),
    ("it only touches the border", NormBox(0, 1, 1, 1.5), "wholly"),
    ("a point on the border", NormBox(0.5, 0.5, 1, 1), "inside"),
    ("a point beside the film", NormBox(0.5, 0.5, 1.5, 1.5), "wholly"),
    ("a line across the border", NormBox(0.5, 0.5, 0.5, 1.5), "partly"),
    ("turned over, across the border", NormBox(0.1, 0.2, 0.5, -0.5), "partly"),
]


@pytest.mark.parametrize(("reason", "box", "expected"), OUTSIDE, ids=[row[0] for row in OUTSIDE])
def test_how_much_lies_outside(reason: str, box: NormBox, expected: str) -> None:
    assert outside_of(box) == expected, reason


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_has_no_place_is_neither_inside_nor_outside(number: float) -> None:
    with pytest.raises(ValueError, match="four finite numbers"):
        outside_of(NormBox(0, number, 0, 1))


CLIPS = [
    ("inside is unchanged", NormBox(0.1, 0.2, 0.3, 0.4), NormBox(0.1, 0.2, 0.3, 0.4)),
    ("across a corner", NormBox(-0.5, 0.5, 0.75, 1.5), NormBox(0, 0.5, 0.75, 1)),
    ("wholly outside has no area left", NormBox(1.5, 2, 0, 1), NormBox(1, 1, 0, 1)),
]


@pytest.mark.parametrize(("reason", "box", "expected"), CLIPS, ids=[row[0] for row in CLIPS])
def test_clip(reason: str, box: NormBox, expected: NormBox) -> None:
    assert clip(box) == expected, reason


@pytest.mark.parametrize("place", range(4))
def test_what_is_no_number_stays_none_when_clipped(place: int) -> None:
    """A border in its place would be an edge that nobody gave."""
    edges = [0.1, 0.2, 0.3, 1.5]
    edges[place] = math.nan
    clipped = clip(NormBox(*edges))
    assert [math.isnan(edge) for edge in clipped] == [number == place for number in range(4)]


def test_what_is_without_end_is_cut_at_the_border() -> None:
    assert clip(NormBox(-math.inf, math.inf, 0.5, math.inf)) == NormBox(0, 1, 0.5, 1)


SIZES = [
    ("whole numbers", 480, 640, (480, 640)),
    ("as a table keeps them", np.int64(480), np.float64(640.0), (480, 640)),
    ("missing in pandas", pd.NA, pd.NA, None),
    ("one is missing", 480, pd.NA, None),
    ("nothing", None, None, None),
    ("not a number", math.nan, 640, None),
    ("without end", 480, math.inf, None),
    ("nought", 0, 640, None),
    ("negative", 480, -640, None),
    ("a part of a pixel", 480.5, 640, None),
    ("a word", "480", 640, None),
]


@pytest.mark.parametrize(("reason", "width", "height", "expected"), SIZES, ids=[row[0] for row in SIZES])
def test_what_can_be_the_size_of_an_image(reason: str, width: object, height: object, expected: tuple[int, int] | None) -> None:
    assert usable_size(width, height) == expected, reason


OVERLAPS = [
    ("the same box", NormBox(0, 0.5, 0, 0.5), NormBox(0, 0.5, 0, 0.5), 1.0),
    ("apart", NormBox(0, 0.2, 0, 0.2), NormBox(0.5, 1, 0.5, 1), 0.0),
    ("touching edges share nothing", NormBox(0, 0.5, 0, 1), NormBox(0.5, 1, 0, 1), 0.0),
    ("half of each: 1/8 of 3/8", NormBox(0, 0.5, 0, 0.5), NormBox(0, 0.5, 0.25, 0.75), 1 / 3),
    ("neither has an area", NormBox(0, 0, 0, 0), NormBox(0, 0, 0, 0), 0.0),
]


@pytest.mark.parametrize(("reason", "a", "b", "expected"), OVERLAPS, ids=[row[0] for row in OVERLAPS])
def test_iou(reason: str, a: NormBox, b: NormBox, expected: float) -> None:
    assert iou(a, b) == pytest.approx(expected), reason
    assert iou(b, a) == pytest.approx(expected), reason


DRAWABLE = [
    ("a box", NormBox(0, 1, 0, 1), True),
    ("no height", NormBox(0.5, 0.5, 0, 1), False),
    ("turned over", NormBox(0.6, 0.5, 0, 1), False),
    ("not a number", NormBox(math.nan, 1, 0, 1), False),
    ("without end", NormBox(0, math.inf, 0, 1), False),
]


@pytest.mark.parametrize(("reason", "box", "expected"), DRAWABLE, ids=[row[0] for row in DRAWABLE])
def test_is_drawable(reason: str, box: NormBox, expected: bool) -> None:
    assert box.is_drawable is expected, reason
