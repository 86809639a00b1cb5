"""What is said of a box that is not simply on its film: whole sentences, worked out by hand on a film of 2000 x 3000."""

from __future__ import annotations

import math

import pytest

from radharmony_core.boxes import NormBox, box_notice, is_within_reach

FRAME = (2000, 3000)
FAR = "Far."
CORNER = "A ring with a cross marks its corner."
NOTICES = [
    # reason, box, the words
    ("on the film", NormBox(0.1, 0.2, 0.3, 0.4), ""),
    ("on the border", NormBox(0, 1, 0, 1), ""),
    ("beyond one border", NormBox(0.1, 0.2, -0.25, 0.4), "Box 3 lies partly outside the film, 500 px beyond its left border."),
    (
        "beyond two borders",
        NormBox(0.5, 1.1, 0.5, 1.01),
        "Box 3 lies partly outside the film, 20 px beyond its right border and 300 px beyond its lower border.",
    ),
    ("above", NormBox(-0.2, 0.5, 0, 1), "Box 3 lies partly outside the film, 600 px beyond its upper border."),
    ("by a part of a pixel", NormBox(0, 1, 0, 1.0002), "Box 3 lies partly outside the film, 0.4 px beyond its right border."),
    (
        "by next to nothing",
        NormBox(0, 1, -0.04 / 2000, 1),
        "Box 3 lies partly outside the film, less than 1 px beyond its left border.",
    ),
    (
        "what a division rounded is no part of it",
        NormBox(0, 1.0000000000000002, -0.25, 1),
        "Box 3 lies partly outside the film, 500 px beyond its left border.",
    ),
    ("hardly any width", NormBox(0, 1, 0.5, 0.5 + 0.04 / 2000), ""),
    (
        "turned over by next to nothing",
        NormBox(0, 0.1, 0.5, 0.5 - 0.04 / 2000),
        f"Box 3 is turned over: its width is between -1 and 0 px, its height 300 px. {CORNER}",
    ),
    ("to the right", NormBox(0, 1, 1.25, 1.5), "Box 3 lies wholly outside the film, 500 px to the right."),
    (
        "to the left and above",
        NormBox(-0.2, -0.1, -0.5, -0.25),
        "Box 3 lies wholly outside the film, 500 px to the left and 300 px above.",
    ),
    ("below", NormBox(1.1, 1.2, 0, 1), "Box 3 lies wholly outside the film, 300 px below."),
    ("beside it", NormBox(0, 1, 1, 1.25), "Box 3 lies wholly outside the film, at its border."),
    ("farther than the margin", NormBox(0, 1, 2.2, 2.5), f"Box 3 lies wholly outside the film, 2,400 px to the right. {FAR}"),
    ("miles away", NormBox(1e7, 2e7, 0, 1), f"Box 3 lies wholly outside the film, 3.0e+10 px below. {FAR}"),
    ("no width", NormBox(0.1, 0.2, 0.3, 0.3), f"Box 3 has no area: its width is 0 px, its height 300 px. {CORNER}"),
    ("turned over", NormBox(0.1, 0.2, 0.35, 0.25), f"Box 3 is turned over: its width is -200 px, its height 300 px. {CORNER}"),
    (
        "no area, and beside the film",
        NormBox(0.5, 0.5, 1.25, 1.25),
        "Box 3 has no area: its width is 0 px, its height 0 px. "
        f"Box 3 lies wholly outside the film, 500 px to the right. {CORNER}",
    ),
    (
        "no number",
        NormBox(math.nan, 1, 0, 1),
        "Box 3 has no place: a number of it, or the size of its image, is missing or without end.",
    ),
    (
        "without end",
        NormBox(0, 1, 0, math.inf),
        "Box 3 has no place: a number of it, or the size of its image, is missing or without end.",
    ),
    (
        "without end in pixels",
        NormBox(0, 1, 0, 1e306),
        "Box 3 has no place: a number of it, or the size of its image, is missing or without end.",
    ),
]


@pytest.mark.parametrize(("reason", "box", "words"), NOTICES, ids=[row[0] for row in NOTICES])
def test_what_is_said_of_a_box(reason: str, box: NormBox, words: str) -> None:
    assert box_notice(3, box, FRAME, far=FAR) == words, reason


REACHED = [
    ("on the film", NormBox(0, 1, 0, 1), True),
    ("in the margin", NormBox(1.2, 1.4, 0, 1), True),
    ("its near edge at the margin's end", NormBox(0, 1, 1.5, 2), True),
    ("beyond", NormBox(0, 1, 1.51, 2), False),
    ("from far on one side to far on the other", NormBox(-9, 9, 0, 1), True),
    ("a line, drawn as its corner, which is far away", NormBox(0.5, 0.5, -9, 9), False),
    ("turned over, its corner on the film", NormBox(0.5, -9, 0.5, -9), True),
    ("no number", NormBox(math.nan, 1, 0, 1), False),
]


@pytest.mark.parametrize(("reason", "box", "expected"), REACHED, ids=[row[0] for row in REACHED])
def test_what_the_margin_shows(reason: str, box: NormBox, expected: bool) -> None:
    assert is_within_reach(box) is expected, reason
