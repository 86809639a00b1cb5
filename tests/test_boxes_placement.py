"""A film whose file is not what the table speaks of: where it lies, what its boxes do, and what is said."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from radharmony_core.boxes import NormBox, place_film

Size = tuple[int, int]
PLACES = [
    # reason, file (w, h), table (w, h), orientation, kind, frame, the picture's place in it, the boxes' turn
    ("the original", (2544, 3056), (2544, 3056), 1, "same", (2544, 3056), (0, 0, 2544, 3056), 1),
    ("half the size", (1272, 1528), (2544, 3056), 1, "scaled", (2544, 3056), (0, 0, 2544, 3056), 1),
    ("512 high, its width rounded", (426, 512), (2544, 3056), 1, "scaled", (2544, 3056), (0, 0, 2544, 3056), 1),
    ("the table speaks of the copy", (2544, 3056), (426, 512), 1, "scaled", (426, 512), (0, 0, 426, 512), 1),
    ("two pixels cut off are no rounding", (2542, 3056), (2544, 3056), 1, "other", (2544, 3056), (1, 0, 2542, 3056), 1),
    ("squared by padding", (1024, 1024), (2544, 3056), 1, "other", (2544, 3056), (0, 256, 2544, 2544), 1),
    ("the table has no size", (100, 50), None, 1, "unknown", (100, 50), (0, 0, 100, 50), 1),
    ("no size, whatever the tag", (100, 50), None, 6, "unknown", (100, 50), (0, 0, 100, 50), 1),
    ("sides exchanged without a tag", (200, 100), (100, 200), 1, "swapped", (100, 200), (0, 75, 100, 50), 1),
    ("a copy with its sides exchanged", (100, 50), (100, 200), 1, "swapped", (100, 200), (0, 75, 100, 50), 1),
    ("exchanged, and the tag is but half a turn", (200, 100), (100, 200), 3, "swapped", (100, 200), (0, 75, 100, 50), 1),
    ("the table has the stored size", (50, 40), (40, 50), 6, "turned", (50, 40), (0, 0, 50, 40), 6),
    ("a copy of which the table has the stored size", (25, 20), (40, 50), 8, "turned", (50, 40), (0, 0, 50, 40), 8),
    ("the table has the upright size", (50, 40), (50, 40), 6, "same", (50, 40), (0, 0, 50, 40), 1),
    ("a copy, the table has the upright size", (25, 20), (50, 40), 6, "scaled", (50, 40), (0, 0, 50, 40), 1),
    ("almost square: the exact size decides", (100, 101), (101, 100), 5, "turned", (100, 101), (0, 0, 100, 101), 5),
    ("turned and of another shape", (50, 40), (90, 40), 6, "other", (90, 40), (20, 0, 50, 40), 1),
    ("square, turned", (60, 60), (60, 60), 6, "same", (60, 60), (0, 0, 60, 60), 1),
    ("mirrored", (50, 40), (50, 40), 2, "same", (50, 40), (0, 0, 50, 40), 1),
    ("a pixel wider", (480, 640), (481, 640), 1, "scaled", (481, 640), (0, 0, 481, 640), 1),
    ("a pixel narrower is as good", (480, 640), (479, 640), 1, "scaled", (479, 640), (0, 0, 479, 640), 1),
    ("a pixel higher", (480, 640), (480, 641), 1, "scaled", (480, 641), (0, 0, 480, 641), 1),
    ("a pixel lower", (480, 640), (480, 639), 1, "scaled", (480, 639), (0, 0, 480, 639), 1),
    ("a pixel of 128 that rounding took: 0.5 %", (106, 128), (2544, 3056), 1, "scaled", (2544, 3056), (0, 0, 2544, 3056), 1),
    ("a pixel of 60 is 1.7 %", (59, 80), (480, 640), 1, "other", (480, 640), (4, 0, 472, 640), 1),
    ("a table of one pixel has a shape of its own", (480, 640), (1, 1), 1, "other", (1, 1), (0.125, 0, 0.75, 1), 1),
    ("9 to 10 is not 3 to 4", (480, 640), (9, 10), 1, "other", (9, 10), (0.75, 0, 7.5, 10), 1),
    ("3 to 4 is", (480, 640), (3, 4), 1, "scaled", (3, 4), (0, 0, 3, 4), 1),
    ("a line", (480, 640), (1, 1_000_000), 1, "other", (1, 1_000_000), (0, 499_999 + 1 / 3, 1, 4 / 3), 1),
]


@pytest.mark.parametrize(
    ("reason", "file", "table", "orientation", "kind", "frame", "picture", "turn"), PLACES, ids=[row[0] for row in PLACES]
)
def test_how_a_film_lies_in_its_frame(
    reason: str,
    file: Size,
    table: Size | None,
    orientation: int,
    kind: str,
    frame: Size,
    picture: tuple[float, float, float, float],
    turn: int,
) -> None:
    placed = place_film(file, table, orientation=orientation)
    assert (placed.kind, placed.frame, placed.turn) == (kind, frame, turn), reason
    assert placed.picture == pytest.approx(picture), reason


SAID = [
    # reason, file, table, orientation, what the words hold
    ("the original needs none", (50, 40), (50, 40), 1, []),
    ("a quarter turn that the table follows needs none", (50, 40), (50, 40), 6, []),
    ("a copy", (25, 20), (50, 40), 1, ["The file is 25 x 20 pixels, the table says 50 x 40: a resized copy."]),
    ("turned", (50, 40), (40, 50), 6, ["orientation tag (6)", "40 x 50", "are turned with the film."]),
    ("turned, a copy", (25, 20), (40, 50), 6, ["turned with the film.", "a resized copy, 25 x 20 pixels"]),
    ("swapped", (200, 100), (100, 200), 1, ["200 x 100", "100 x 200", "exchanged", "undistorted", "may not lie"]),
    ("wider: 1 to 1 instead of 2 to 3", (90, 90), (60, 90), 1, ["another shape, 50 % wider at the same height", "undistorted"]),
    ("narrower", (90, 120), (120, 120), 1, ["another shape, 25 % narrower at the same height"]),
    ("a little wider", (1010, 1000), (1000, 1000), 1, ["another shape, 1.0 % wider"]),
    ("square, turned: nobody knows", (60, 60), (60, 60), 6, ["before or after", "upright picture"]),
    ("mirrored: nobody knows", (50, 40), (50, 40), 2, ["orientation tag (2)", "before or after"]),
    ("upside down, a copy: both", (25, 20), (50, 40), 3, ["a resized copy", "before or after"]),
    ("unknown", (50, 40), None, 1, ["There is no size given for this image", "others have no place"]),
    ("unknown, and turned", (50, 40), None, 6, ["no size", "orientation tag (6)", "before or after", "upright picture"]),
    ("reduced to a hundredth", (48, 64), (4800, 6400), 1, ["table says 4800 x 6400: a resized copy. Boxes lie"]),
    ("smaller than any copy", (48, 64), (4848, 6464), 1, ["resized by a factor of 101", "may not lie"]),
    ("larger than any copy", (4848, 6464), (48, 64), 1, ["resized by a factor of 101", "may not lie"]),
    ("a table of millions", (480, 640), (48_000_000, 64_000_000), 1, ["a factor of 100,000", "may not lie"]),
    ("the same, as stored", (640, 480), (48_000_000, 64_000_000), 6, ["turned with the film", "a factor of 100,000", "may not"]),
    (
        "a line: no percent of 8 figures",
        (480, 640),
        (1, 1_000_000),
        1,
        ["another shape, 750,000 times as wide at the same height"],
    ),
    ("a band: nothing is 100 % narrower", (480, 640), (4000, 8), 1, ["another shape, 667 times as high at the same width"]),
    ("2.5 times", (250, 100), (100, 100), 1, ["another shape, 2.5 times as wide at the same height"]),
    ("two pixels of 60,000", (60_000, 50_000), (59_998, 50_000), 1, ["another shape, less than 0.1 % wider"]),
    ("just over 10 %", (1104, 1000), (1000, 1000), 1, ["another shape, 10 % wider"]),
]


@pytest.mark.parametrize(("reason", "file", "table", "orientation", "parts"), SAID, ids=[row[0] for row in SAID])
def test_what_is_said(reason: str, file: Size, table: Size | None, orientation: int, parts: list[str]) -> None:
    placed = place_film(file, table, orientation=orientation)
    assert [part for part in parts if part not in placed.words] == [], f"{reason}: {placed.words}"
    assert bool(placed.words) is bool(parts), reason
    assert placed.is_doubtful is ("may not lie" in placed.words or "before or after" in placed.words), reason


def test_boxes_of_a_turned_film_turn_and_others_do_not() -> None:
    box = NormBox(0.1, 0.3, 0.2, 0.6)
    assert place_film((50, 40), (40, 50), orientation=6).place(box) == pytest.approx(NormBox(0.2, 0.6, 0.7, 0.9))
    for orientation in (1, 3, 6):
        assert place_film((50, 40), (50, 40), orientation=orientation).place(box) == box


def test_the_stored_size_may_be_given() -> None:
    assert place_film((50, 40), (40, 50), orientation=6, stored_size=(40, 50)).kind == "turned"


SIDES = st.integers(1, 60_000)


@given(st.tuples(SIDES, SIDES), st.tuples(SIDES, SIDES), st.integers(1, 8))
@example((480, 640), (1, 1), 1)
def test_no_picture_is_visibly_stretched_and_none_without_a_word(file: Size, table: Size, orientation: int) -> None:
    """A pixel of the smaller of the two at most, and 1 %: what rounding does to a side of 100 pixels."""
    placed = place_film(file, table, orientation=orientation)
    x, y, w, h = placed.picture
    assert x >= -1e-6
    assert y >= -1e-6
    assert x + w <= placed.frame[0] * (1 + 1e-9)
    assert y + h <= placed.frame[1] * (1 + 1e-9)
    across, down = w / file[0], h / file[1]
    assert max(across / down, down / across) <= 1.01 * (1 + 1e-9)
    apart = min(abs(w - file[0] * down) / max(1, down), abs(h - file[1] * across) / max(1, across))
    assert apart <= 1 + 1e-6, "one pixel of the smaller of the two"
    assert placed.words or placed.frame == file == table


@given(st.tuples(SIDES, SIDES), st.tuples(SIDES, SIDES))
@example((480, 640), (479, 640))
@example((59, 80), (480, 640))
def test_a_copy_is_one_from_either_end(file: Size, table: Size) -> None:
    kinds = [place_film(*sizes).kind for sizes in ((file, table), (table, file), (file[::-1], table[::-1]))]
    assert len(set(kinds)) == 1


@pytest.mark.parametrize(
    ("file", "table", "orientation"), [((0, 5), (5, 5), 1), ((5, 5), (5, 0), 1), ((5, 5), (5, 5), 9), ((5, 5), (5, -5), 1)]
)
def test_what_is_no_size_or_orientation_is_refused(file: Size, table: Size, orientation: int) -> None:
    with pytest.raises(ValueError, match=r"above 0|from 1 to 8"):
        place_film(file, table, orientation=orientation)
    with pytest.raises(ValueError, match="above 0"):
        place_film((5, 5), (5, 5), stored_size=(5, -1))
