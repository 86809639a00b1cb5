"""Boxes of films that an orientation tag turns: by hand from TIFF 6.0 section 8, and against pictures that carry the tag."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from radharmony_core.boxes import NormBox, norm_to_pixel, turn_box, turn_box_back
from radharmony_core.images import read_image

STORED = NormBox(0.1, 0.3, 0.2, 0.6)  # y 0.1 to 0.3, x 0.2 to 0.6: no two turns of it are alike
TURNS = [
    # orientation, where the first row and the first column belong, the box on the upright picture
    (1, "top, left: as stored", NormBox(0.1, 0.3, 0.2, 0.6)),
    (2, "top, right: mirrored", NormBox(0.1, 0.3, 0.4, 0.8)),
    (3, "bottom, right: half a turn", NormBox(0.7, 0.9, 0.4, 0.8)),
    (4, "bottom, left: upside down, mirrored", NormBox(0.7, 0.9, 0.2, 0.6)),
    (5, "left, top: rows become columns", NormBox(0.2, 0.6, 0.1, 0.3)),
    (6, "right, top: a quarter turn clockwise", NormBox(0.2, 0.6, 0.7, 0.9)),
    (7, "right, bottom: over the other diagonal", NormBox(0.4, 0.8, 0.7, 0.9)),
    (8, "left, bottom: a quarter turn counterclockwise", NormBox(0.4, 0.8, 0.1, 0.3)),
]


@pytest.mark.parametrize(("orientation", "reason", "upright"), TURNS, ids=[row[1] for row in TURNS])
def test_a_box_turns_with_its_film(orientation: int, reason: str, upright: NormBox) -> None:
    assert turn_box(STORED, orientation) == pytest.approx(upright), reason
    assert turn_box_back(upright, orientation) == pytest.approx(STORED), reason


KEPT = [
    ("outside on the left", NormBox(0.25, 0.5, -0.5, -0.25), 6, NormBox(-0.5, -0.25, 0.5, 0.75)),
    ("no width", NormBox(0.25, 0.5, 0.25, 0.25), 8, NormBox(0.75, 0.75, 0.25, 0.5)),
    ("edges exchanged across stay exchanged", NormBox(0.25, 0.5, 0.75, 0.5), 3, NormBox(0.5, 0.75, 0.5, 0.25)),
]


@pytest.mark.parametrize(("reason", "box", "orientation", "expected"), KEPT, ids=[row[0] for row in KEPT])
def test_an_odd_box_is_as_odd_afterwards(reason: str, box: NormBox, orientation: int, expected: NormBox) -> None:
    assert turn_box(box, orientation) == expected, reason


@given(st.tuples(*[st.floats(-1e6, 1e6)] * 4), st.integers(1, 8))
def test_any_box_turns_there_and_back(numbers: tuple[float, float, float, float], orientation: int) -> None:
    """To 1e-9 of the film's side, or of the farthest edge where that is beyond it."""
    box = NormBox(*numbers)
    unit = max(1.0, *map(abs, box))
    for there, back in ((turn_box, turn_box_back), (turn_box_back, turn_box)):
        assert max(abs(a - b) for a, b in zip(back(there(box, orientation), orientation), box, strict=True)) < 1e-9 * unit


@pytest.mark.parametrize("orientation", [0, 9, -1, 90])
def test_what_is_no_orientation_is_refused(orientation: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 8"):
        turn_box(STORED, orientation)
    with pytest.raises(ValueError, match="from 1 to 8"):
        turn_box_back(STORED, orientation)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_turned_box_lies_on_what_was_painted(tmp_path: Path, orientation: int) -> None:
    """A block of rows 4 to 12 and columns 10 to 30 of 40 x 50, in a PNG with the tag, as the reader shows it."""
    pixels = np.zeros((40, 50), np.uint8)
    pixels[4:12, 10:30] = 255
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG", exif=exif)
    (tmp_path / "film.png").write_bytes(data.getvalue())
    film = read_image(tmp_path / "film.png")
    assert film.pixels.shape == ((50, 40) if orientation >= 5 else (40, 50))
    rows, columns = np.nonzero(film.pixels)
    seen = (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)
    turned = norm_to_pixel(turn_box(NormBox(4 / 40, 12 / 40, 10 / 50, 30 / 50), orientation), film.width, film.height)
    assert turned == pytest.approx(seen)
