"""Filled boxes, to the pixel. Expected pixels are counted by hand on a 10 x 10 image, whose centres lie at 0.05, 0.15, ..."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
import pytest

from radharmony_core.boxes import NormBox
from radharmony_core.dataset import fill_boxes

FILLED = [
    # reason, y_min, y_max, x_min, x_max, rows, columns
    ("edges between pixels", (0.2, 0.5, 0.1, 0.4), (2, 5), (1, 4)),
    ("the whole image", (0, 1, 0, 1), (0, 10), (0, 10)),
    ("a top edge on a centre takes the pixel, a bottom edge does not", (0.25, 0.55, 0.25, 0.55), (2, 5), (2, 5)),
    ("an edge just behind a centre does not take it", (0.26, 0.56, 0.26, 0.56), (3, 6), (3, 6)),
    ("0.1 + 0.2 is not quite 0.3, and is still between pixels", (0.1 + 0.2, 0.7, 0.1 + 0.2, 0.7), (3, 7), (3, 7)),
    ("between two centres: the pixel under its middle", (0.41, 0.44, 0.66, 0.69), (4, 5), (6, 7)),
    ("the same at the very end", (0.99, 1.0, 0.99, 1.0), (9, 10), (9, 10)),
    ("a line from top to bottom, one column wide", (0, 1, 0.5, 0.501), (0, 10), (5, 6)),
    ("reaches beyond on two sides", (-0.5, 0.2, 0.8, 7.0), (0, 2), (8, 10)),
    ("beyond the image altogether", (1.1, 1.4, 0.1, 0.4), None, None),
    ("ends where the image begins", (-0.4, 0.0, 0.1, 0.4), None, None),
    ("no height", (0.3, 0.3, 0.1, 0.4), None, None),
    ("upside down", (0.5, 0.2, 0.1, 0.4), None, None),
    ("no place", (math.nan, 0.5, 0.1, 0.4), None, None),
    ("no end", (0.1, math.inf, 0.1, 0.4), None, None),
]


@pytest.mark.parametrize(("reason", "box", "rows", "columns"), FILLED, ids=[case[0] for case in FILLED])
def test_a_box_fills_the_pixels_whose_centres_it_holds(
    reason: str, box: tuple[float, ...], rows: tuple[int, int] | None, columns: tuple[int, int] | None
) -> None:
    expected = np.zeros((10, 10), np.uint8)
    if rows and columns:
        expected[slice(*rows), slice(*columns)] = 1
    np.testing.assert_array_equal(fill_boxes([(0, NormBox(*box))], 1, 10, 10)[0], expected, err_msg=reason)


@pytest.mark.parametrize(
    ("count", "low", "high", "filled", "reason"),
    [
        (25, 0.14, 0.54, range(3, 13), "3.5 to 13.5: 0.14 * 25 is 3.5000000000000004, and still on the centre of pixel 3"),
        (50, 0.07, 0.55, range(3, 27), "3.5 to 27.5: 0.55 * 50 is 27.500000000000004, and still not behind pixel 27"),
        (10, 0.47, 0.54, [5], "4.7 to 5.4 holds no centre; its middle, 5.05, lies in pixel 5"),
        (224, 1 - 2**-53, 1, [223], "the thinnest box at the very end"),
    ],
)
def test_edges_are_those_of_exact_numbers(count: int, low: float, high: float, filled: Iterable[int], reason: str) -> None:
    across = fill_boxes([(0, NormBox(0, 1, low, high))], 1, 2, count)[0]
    down = fill_boxes([(0, NormBox(low, high, 0, 1))], 1, count, 2)[0]
    assert np.flatnonzero(across[0]).tolist() == list(filled), reason
    np.testing.assert_array_equal(down, across.T)


def test_no_box_is_an_empty_mask() -> None:
    masks = fill_boxes([], 8, 3, 5)
    assert masks.shape == (8, 3, 5)
    assert masks.dtype == np.uint8
    assert not masks.any()


def test_boxes_side_by_side_share_no_pixel_and_leave_none_out() -> None:
    edges = [0, 0.137, 0.25, 0.5, 0.731, 1]
    columns = [NormBox(0, 1, low, high) for low, high in itertools.pairwise(edges)]
    masks = fill_boxes(enumerate(columns), len(columns), 4, 224)
    np.testing.assert_array_equal(masks.sum(axis=0), np.ones((4, 224)))


def test_each_label_has_a_channel_and_boxes_of_one_add_up() -> None:
    upper, lower, left = NormBox(0, 0.5, 0, 1), NormBox(0.5, 1, 0, 1), NormBox(0, 1, 0, 0.5)
    masks = fill_boxes([(1, upper), (1, lower), (1, upper), (2, left)], 3, 4, 4)
    assert masks.sum(axis=(1, 2)).tolist() == [0, 16, 8]
    assert masks.max() == 1, "filled twice is filled"
