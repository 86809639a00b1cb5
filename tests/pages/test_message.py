"""What the film viewer is sent: rectangles in the frame, phrases at their place, and nothing said in silence."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from pages._ui.films import Film
from pages._ui.viewer.message import build_message
from radharmony_core.catalog import load_catalog
from radharmony_core.config import Config
from radharmony_core.reports import Report
from tests.support import annotation, write_table


def header_of(
    folder: Path,
    *rows: dict[str, object],
    size: tuple[int, int] | None = (48, 64),
    report: str | None = None,
    error: str | None = None,
    orientation: int = 1,
    boxes_of: int = 0,
) -> dict[str, Any]:
    table = write_table(folder / "ms.csv", rows or [annotation()])
    catalog = load_catalog(Config(folder / "c.toml", {"ms_cxr": {"csv_path": table}}))
    film = Film(b"JPEG", size, size, (), error, "v1", orientation=orientation)
    text = None if report is None else Report(report, folder / "s.txt")
    boxes = catalog.boxes[catalog.boxes["image"] == boxes_of]
    message = build_message(film, catalog.images.iloc[0], boxes, text, "", (2, 5))
    length = struct.unpack("<I", message[:4])[0]
    assert message[4 + length :] == b"JPEG"
    header: dict[str, Any] = json.loads(message[4 : 4 + length])
    return header


def test_which_film_and_which_version_of_it(tmp_path: Path) -> None:
    film = header_of(tmp_path)["film"]
    assert (film["key"], film["version"], film["turn"]) == ("aaaa", "v1", [2, 5])


RECTS = [
    # reason, changed cells, rectangle in frame pixels, whether it has an area
    ("as the table says", {}, [30, 10, 10, 20], True),
    ("outside stays outside", {"x": -12, "w": 72}, [-12, 10, 72, 20], True),
    ("no width is a marker", {"w": 0}, [30, 10, 0, 20], False),
    ("turned over is a marker", {"h": -5}, [30, 10, 10, -5], False),
    ("long, and its right edge is on the film", {"x": -1e9, "w": 1e9 + 40}, [-1e9, 10, 1e9 + 40, 20], True),
    ("no number, no place", {"x": "left"}, None, False),
    ("beyond what numbers can say", {"x": "1e307"}, None, False),
    ("no size, no place", {"image_width": "", "image_height": ""}, None, False),
]


@pytest.mark.parametrize(("reason", "changes", "rect", "has_area"), RECTS, ids=[row[0] for row in RECTS])
def test_rectangles(tmp_path: Path, reason: str, changes: dict[str, object], rect: list[float] | None, has_area: bool) -> None:
    box = header_of(tmp_path, annotation(**changes))["boxes"][0]
    assert box["rect"] == (None if rect is None else pytest.approx(rect)), reason
    assert box["hasArea"] is has_area, reason


def test_a_resized_copy_keeps_the_tables_frame_and_is_said(tmp_path: Path) -> None:
    header = header_of(tmp_path, size=(24, 32))
    assert (header["film"]["width"], header["film"]["height"]) == (48, 64)
    assert header["film"]["picture"] == [0, 0, 48, 64]
    assert header["boxes"][0]["rect"] == pytest.approx([30, 10, 10, 20])
    assert "resized copy" in header["film"]["notices"][0]


def test_boxes_of_a_film_whose_stored_picture_was_measured_turn_with_it(tmp_path: Path) -> None:
    """Orientation 6 is a quarter turn clockwise: rows 10 to 30 of 64 become columns 34 to 54, columns 30 to 40 rows."""
    header = header_of(tmp_path, size=(64, 48), orientation=6)
    assert (header["film"]["width"], header["film"]["height"]) == (64, 48)
    assert header["film"]["picture"] == [0, 0, 64, 48]
    assert header["boxes"][0]["rect"] == pytest.approx([34, 30, 20, 10])
    assert header["boxes"][0]["position"].startswith("of the picture as stored: x 30 to 40, y 10 to 30 px")
    assert "turned with the film" in header["film"]["notices"][0]


def test_exchanged_sides_are_fitted_and_never_guessed_at(tmp_path: Path) -> None:
    header = header_of(tmp_path, size=(64, 48))
    assert header["film"]["picture"] == pytest.approx([0, 14, 48, 36])
    assert header["boxes"][0]["rect"] == pytest.approx([30, 10, 10, 20])
    assert "exchanged" in header["film"]["notices"][0]


def test_a_table_without_a_size_matters_to_boxes_alone(tmp_path: Path) -> None:
    no_size = {"image_width": "", "image_height": ""}
    assert "no size" in header_of(tmp_path, annotation(**no_size))["film"]["notices"][0]
    assert header_of(tmp_path, annotation(**no_size), boxes_of=9)["film"]["notices"] == []


def test_another_shape_is_fitted_undistorted_and_said(tmp_path: Path) -> None:
    header = header_of(tmp_path, size=(64, 64))
    assert header["film"]["picture"] == pytest.approx([0, 8, 48, 48])
    assert "another shape, 33 % wider" in header["film"]["notices"][0]


def test_a_film_that_cannot_be_shown_keeps_its_boxes(tmp_path: Path) -> None:
    header = header_of(tmp_path, size=None, error="It is an HTML page.")
    assert header["film"]["error"] == "It is an HTML page."
    assert header["boxes"][0]["rect"] == pytest.approx([30, 10, 10, 20])


def test_boxes_of_one_phrase_share_it(tmp_path: Path) -> None:
    rows = [annotation(label_text="both", x=0), annotation(label_text="one", x=1), annotation(label_text="both", x=2)]
    header = header_of(tmp_path, *rows)
    assert [phrase["text"] for phrase in header["phrases"]] == ["both", "one"]
    assert [box["phraseIndex"] for box in header["boxes"]] == [0, 1, 0]
    assert [box["number"] for box in header["boxes"]] == [1, 2, 3]


FOUND = [
    ("verbatim", "There is mild edema.", [9, 19], "Verbatim in the report."),
    ("wrapped", "There is Mild\n edema.", [9, 20], "In the report, up to case, line breaks and accents."),
    ("de-identified", "There is ___ edema.", [9, 18], "In the report, up to case, line breaks and accents, and to what is ___."),
    ("misspelt", "There is mild eedma.", [9, 19], "Not in the report: the dashed place is only similar (90 %)."),
    ("a finding is never de-identified", "There is mild ___.", None, "Not in the report, and nothing similar."),
    ("not there", "Clear lungs.", None, "Not in the report, and nothing similar."),
    ("after a character that JavaScript counts as two", "\U0001fac1 mild edema.", [3, 13], "Verbatim in the report."),
    ("no report", None, None, ""),
]


@pytest.mark.parametrize(("reason", "report", "match", "words"), FOUND, ids=[row[0] for row in FOUND])
def test_where_a_phrase_stands(tmp_path: Path, reason: str, report: str | None, match: list[int] | None, words: str) -> None:
    phrase = header_of(tmp_path, report=report)["phrases"][0]
    assert phrase["match"] == match, reason
    assert phrase["found"] == words, reason
    assert phrase["isSimilar"] == ("similar (" in words), "the mark in the report is dashed too"


NO_AREA = "Box 1 has no area: its width is 0 px, its height 20 px. A ring with a cross marks its corner."
NO_PLACE = "Box 1 has no place: a number of it, or the size of its image, is missing or without end."
ISSUES = [
    # reason, changed cells, what stands with the box in the panel and in its tip
    ("on the film", {}, []),
    ("no width", {"w": 0}, [NO_AREA, "box without area (error)"]),
    (
        "across the border",
        {"x": -5},
        ["Box 1 lies partly outside the film, 5 px beyond its left border.", "box outside image (error)"],
    ),
    ("beside the film", {"x": 60}, ["Box 1 lies wholly outside the film, 12 px to the right.", "box outside image (error)"]),
    (
        "beyond the margin",
        {"x": 2448},
        [
            "Box 1 lies wholly outside the film, 2,400 px to the right. Its tag stands at the edge of the view.",
            "box outside image (error)",
        ],
    ),
    (
        "beyond what can be drawn",
        {"x": 1e15},
        [
            "Box 1 lies wholly outside the film, 1.0e+15 px to the right. It is too far away to be drawn.",
            "box outside image (error)",
        ],
    ),
    (
        "on the film, but its other end is beyond what can be drawn",
        {"x": -1e11, "w": 1e11 + 40},
        [
            "Box 1 lies partly outside the film, 1.0e+11 px beyond its left border. It is too far away to be drawn.",
            "box outside image (error)",
        ],
    ),
    ("no number", {"x": "left"}, [NO_PLACE, "not a number (error)"]),
]


@pytest.mark.parametrize(("reason", "changes", "issues"), ISSUES, ids=[row[0] for row in ISSUES])
def test_what_is_odd_about_a_box_stands_with_it(
    tmp_path: Path, reason: str, changes: dict[str, object], issues: list[str]
) -> None:
    assert header_of(tmp_path, annotation(**changes))["boxes"][0]["issues"] == issues, reason
