"""Geometry that cannot lie: every expected number is worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radharmony_core.boxes import NormBox, PixelBox, clip, frame_of, iou, norm_to_pixel, pixel_to_norm

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
]


@pytest.mark.parametrize(("reason", "pixel", "size", "norm"), CONVERSIONS, ids=[row[0] for row in CONVERSIONS])
def test_pixels_to_fractions_and_back(reason: str, pixel: PixelBox, size: tuple[int, int], norm: NormBox) -> None:
    assert pixel_to_norm(pixel, *size) == pytest.approx(norm), reason
    assert norm_to_pixel(norm, *size) == pytest.approx(pixel), reason


@given(st.tuples(*[st.floats(-1e4, 1e4)] * 4), st.integers(1, 5000), st.integers(1, 5000))
def test_any_box_survives_the_way_there_and_back(numbers: tuple[float, float, float, float], width: int, height: int) -> None:
    box = PixelBox(*numbers)
    assert norm_to_pixel(pixel_to_norm(box, width, height), width, height) == pytest.approx(box, abs=1e-6)


@pytest.mark.parametrize("size", [(0, 64), (48, 0), (-1, 64), (math.nan, 64), (48, math.inf)])
def test_an_image_without_a_size_is_refused(size: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="width and a height above 0"):
        pixel_to_norm(PixelBox(0, 0, 1, 1), *size)
    with pytest.raises(ValueError, match="width and a height above 0"):
        norm_to_pixel(NormBox(0, 1, 0, 1), *size)


CLIPS = [
    ("inside is unchanged", NormBox(0.1, 0.2, 0.3, 0.4), NormBox(0.1, 0.2, 0.3, 0.4)),
    ("across a corner", NormBox(-0.5, 0.5, 0.75, 1.5), NormBox(0, 0.5, 0.75, 1)),
    ("wholly outside has no area left", NormBox(1.5, 2, 0, 1), NormBox(1, 1, 0, 1)),
]


@pytest.mark.parametrize(("reason", "box", "expected"), CLIPS, ids=[row[0] for row in CLIPS])
def test_clip(reason: str, box: NormBox, expected: NormBox) -> None:
    assert clip(box) == expected, reason


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


FRAMES = [
    # reason, file (w, h), table (w, h), kind, the picture's place in the frame
    ("the original", (2544, 3056), (2544, 3056), "same", (0, 0, 2544, 3056)),
    ("half the size", (1272, 1528), (2544, 3056), "scaled", (0, 0, 2544, 3056)),
    ("512 high, its width rounded", (426, 512), (2544, 3056), "scaled", (0, 0, 2544, 3056)),
    ("sides swapped", (3056, 2544), (2544, 3056), "other", (0, (3056 - 2544 * 2544 / 3056) / 2, 2544, 2544 * 2544 / 3056)),
    ("squared by padding", (1024, 1024), (2544, 3056), "other", (0, 256, 2544, 2544)),
    ("the table has no size", (100, 50), None, "unknown", (0, 0, 100, 50)),
]


@pytest.mark.parametrize(("reason", "file", "table", "kind", "place"), FRAMES, ids=[row[0] for row in FRAMES])
def test_how_a_file_lies_in_the_tables_frame(
    reason: str, file: tuple[int, int], table: tuple[int, int] | None, kind: str, place: tuple[float, float, float, float]
) -> None:
    found, picture = frame_of(file, table)
    assert found == kind, reason
    assert picture == pytest.approx(place), reason
