"""Rows of one image that give it different sizes: the frame is the one that fits the film, and a box says what its row gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages.test_message import header_of
from tests.support import annotation

OTHER = {"x": 60, "y": 20, "w": 20, "h": 40, "image_width": 96, "image_height": 128}  # the same place at twice the size
SIZES = [
    # reason, the rows' changes, film, orientation, frame, notice of the film, each box's place, words of the last about its size
    ("no row has one", [{"image_width": ""}], (48, 64), 1, [48, 64], "no size", [None], ""),
    ("another row has one", [{"image_width": ""}, {}], (48, 64), 1, [48, 64], "", [None, [30, 10, 10, 20]], ""),
    (
        "the second fits the film",
        [OTHER, {}, OTHER],
        (48, 64),
        1,
        [48, 64],
        "",
        [[30, 10, 10, 20]] * 3,
        "The row of box 3 says that its image is 96 x 128 pixels, not 48 x 64. The box is placed in proportion.",
    ),
    (
        "both are the film's shape: the first",
        [OTHER, {}],
        (24, 32),
        1,
        [96, 128],
        "96 x 128",
        [[60, 20, 20, 40]] * 2,
        "48 x 64 pix",
    ),
    (
        "another shape, and a copy's",
        [{"image_width": 96}, {}],
        (24, 32),
        1,
        [48, 64],
        "resized copy",
        [[15, 10, 5, 20], [30, 10, 10, 20]],
        "",
    ),
    (
        "none fits: the first",
        [{"image_width": 64}, {"image_width": 96}],
        (48, 64),
        1,
        [64, 64],
        "another shape",
        [[30, 10, 10, 20], [20, 10, 20 / 3, 20]],
        "96 x 64 pixels, not 64 x 64.",
    ),
    (
        "stored and upright: each turns by its own size",
        [{}, {"x": 34, "y": 30, "w": 20, "h": 10, "image_width": 64, "image_height": 48}],
        (64, 48),
        6,
        [64, 48],
        "turned with the film",
        [[34, 30, 20, 10]] * 2,
        "64 x 48 pixels, not 48 x 64.",
    ),
    ("no picture, and two sizes", [{}, OTHER], None, 1, [48, 64], "", [[30, 10, 10, 20]] * 2, "96 x 128 pixels, not 48 x 64."),
    ("no picture: the first that there is", [{"image_width": ""}, {}], None, 1, [48, 64], "", [None, [30, 10, 10, 20]], ""),
]


@pytest.mark.parametrize(
    ("reason", "changes", "size", "orientation", "frame", "notice", "rects", "words"), SIZES, ids=[row[0] for row in SIZES]
)
def test_rows_that_give_one_image_different_sizes(
    tmp_path: Path,
    reason: str,
    changes: list[dict[str, object]],
    size: tuple[int, int] | None,
    orientation: int,
    frame: list[int],
    notice: str,
    rects: list[list[float] | None],
    words: str,
) -> None:
    header = header_of(tmp_path, *(annotation(**one) for one in changes), size=size, orientation=orientation)
    assert [header["film"]["width"], header["film"]["height"]] == frame, reason
    assert bool(header["film"]["notices"]) is bool(notice), reason
    assert notice in " ".join(header["film"]["notices"]), reason
    assert [box["rect"] for box in header["boxes"]] == [rect and pytest.approx(rect) for rect in rects], reason
    issues = " ".join(header["boxes"][-1]["issues"])
    assert words in issues, reason
    assert ("says that its image is" in issues) is bool(words), reason
