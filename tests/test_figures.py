"""The Plotly figure: the geometry of the viewer, and text that cannot become markup."""

from __future__ import annotations

import html
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from radharmony_core.figures import film_figure
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.labels import style_of
from tests.support import annotation, write_table

FILM = np.zeros((64, 48), dtype=np.uint8)


def test_the_outline_runs_on_the_pixel_edges() -> None:
    # rows 20 to 26 and columns 10 to 18 of 64 x 48
    trace = film_figure(FILM, [[20 / 64, 26 / 64, 10 / 48, 18 / 48]], ["Edema"], ["marker"]).data[0]
    assert list(trace.x) == pytest.approx([10, 18, 18, 10, 10])
    assert list(trace.y) == pytest.approx([20, 20, 26, 26, 20])


def test_row_0_is_on_top_and_the_film_fills_its_frame() -> None:
    figure = film_figure(FILM, [], [], [])
    assert figure.layout.yaxis.range == (64, 0)
    assert figure.layout.xaxis.range == (0, 48)
    picture = figure.layout.images[0]
    assert (picture.x, picture.y, picture.sizex, picture.sizey) == (0, 0, 48, 64)
    assert (picture.xanchor, picture.yanchor) == ("left", "top")


def test_a_resized_film_is_shown_in_the_tables_frame() -> None:
    figure = film_figure(FILM, [[0, 1, 0, 1]], ["Edema"], ["all"], frame=(480, 640))
    assert list(figure.data[0].x) == [0, 480, 480, 0, 0]
    assert figure.layout.images[0].sizex == 480


def test_colour_and_dash_are_the_labels() -> None:
    trace = film_figure(FILM, [[0, 1, 0, 1]], ["Cardiomegaly"], ["heart"]).data[0]
    assert trace.line.color == style_of("Cardiomegaly").color
    assert trace.line.dash == "12px,4px"
    assert film_figure(FILM, [[0, 1, 0, 1]], ["Atelectasis"], ["band"]).data[0].line.dash == "solid"


def test_each_label_stands_once_in_the_legend() -> None:
    figure = film_figure(FILM, [[0, 1, 0, 1]] * 3, ["Edema", "Edema", "Pneumonia"], ["a", "b", "c"])
    assert [trace.showlegend for trace in figure.data] == [True, False, True]


def test_tags_in_a_phrase_stay_letters() -> None:
    trace = film_figure(FILM, [[0, 1, 0, 1]], ["<i>x</i>"], ['<b>left</b> <a href="javascript:x">']).data[0]
    assert "<b>left" not in trace.hovertext
    assert "&lt;b&gt;left&lt;/b&gt;" in trace.hovertext
    assert trace.name == "&lt;i&gt;x&lt;/i&gt;"


def test_a_box_without_area_is_a_marker_and_one_without_place_is_named() -> None:
    figure = film_figure(FILM, [[0.5, 0.5, 0.25, 0.5], [math.nan] * 4], ["Edema", "Edema"], ["a", "b"])
    assert len(figure.data) == 1
    assert figure.data[0].mode == "markers"
    assert (figure.data[0].x, figure.data[0].y) == ((12,), (32,))
    assert "Box 1 has no area: its width is 12 px, its height 0 px. A ring with a cross" in figure.data[0].hovertext
    first, second = figure.layout.title.text.replace("<br>", " ").split("Box 2")
    assert first.startswith("Box 1 has no area"), "an exported picture has no hover text"
    assert second.startswith(" has no place")


BEYOND = [
    # reason, box, x range, y range, part of the hover text (None: not drawn), the title (None: none)
    ("on the film", [0, 1, 0, 1], (0, 48), (64, 0), "", None),
    ("partly outside", [0.5, 1.25, -0.25, 0.5], (-12, 48), (80, 0), "12 px beyond its left border and 16 px beyond", None),
    (
        "wholly outside, in the margin",
        [0, 1, 1.25, 1.4],
        (0, 67.2),
        (64, 0),
        "wholly outside the film, 12 px to the right.",
        "Box 1 lies wholly outside the film, 12 px to the right.",
    ),
    (
        "far away",
        [0, 1, 51, 52],
        (0, 48),
        (64, 0),
        None,
        "Box 1 lies wholly outside the film, 2,400 px to the right. It is not drawn.",
    ),
    (
        "longer than the margin",
        [0, 1, 0.5, 9],
        (0, 72),
        (64, 0),
        "beyond its right border",
        "Box 1 lies partly outside the film, 384 px beyond its right border. What lies beyond the margin is cut off.",
    ),
    (
        "around all that is shown",
        [-1, 2, -2, 3],
        (-24, 72),
        (96, -32),
        "partly outside",
        "Box 1 lies partly outside the film, 96 px beyond its left border and 96 px beyond its right border and 64 px beyond its "
        "upper border and 64 px beyond its lower border. Its outline runs around all that is shown, so nothing of it is seen.",
    ),
    (
        "turned over",
        [0.5, 0.25, 0.5, 0.25],
        (0, 48),
        (64, 0),
        "is turned over",
        "Box 1 is turned over: its width is -12 px, its height -16 px. A ring with a cross marks its corner.",
    ),
    (
        "without area, and its corner is not in the margin",
        [0.5, 0.5, -9, 9],
        (0, 48),
        (64, 0),
        None,
        "Box 1 has no area: its width is 864 px, its height 0 px. Box 1 lies partly outside the film, 432 px beyond its left "
        "border and 384 px beyond its right border. It is not drawn.",
    ),
]


@pytest.mark.parametrize(("reason", "box", "x", "y", "hover", "title"), BEYOND, ids=[row[0] for row in BEYOND])
def test_a_box_beyond_the_film_is_shown_in_a_margin_or_named(
    reason: str, box: list[float], x: tuple[float, float], y: tuple[float, float], hover: str | None, title: str | None
) -> None:
    figure = film_figure(FILM, [box], ["Edema"], ["a"])
    assert figure.layout.xaxis.range == pytest.approx(x), reason
    assert figure.layout.yaxis.range == pytest.approx(y), reason
    assert [hover in trace.hovertext for trace in figure.data if hover is not None] == ([] if hover is None else [True])
    assert len(figure.data) == (hover is not None), reason
    text = figure.layout.title.text
    assert (text and text.replace("<br>", " ")) == title, reason
    border = figure.layout.shapes[0]
    assert (border.x0, border.y0, border.x1, border.y1) == (0, 0, 48, 64), "the film's own border is drawn"


def test_a_film_of_another_shape_is_never_stretched_and_the_title_says_it() -> None:
    figure = film_figure(FILM, [[0, 1, 0, 1]], ["Edema"], ["a"], frame=(64, 64))
    picture = figure.layout.images[0]
    assert (picture.x, picture.y, picture.sizex, picture.sizey) == (8, 0, 48, 64)
    assert "another shape, 25 % narrower" in figure.layout.title.text.replace("<br>", " ")
    assert max(len(html.unescape(line)) for line in figure.layout.title.text.split("<br>")) <= 90, (
        "what is wider than the figure is not seen"
    )


def test_boxes_of_a_turned_film_turn_with_it() -> None:
    """A quarter turn clockwise: rows 0.1 to 0.3 become columns 0.7 to 0.9, columns 0.25 to 0.5 the rows."""
    figure = film_figure(FILM, [[0.1, 0.3, 0.25, 0.5]], ["Edema"], ["a"], frame=(64, 48), orientation=6)
    assert list(figure.data[0].x) == pytest.approx([33.6, 43.2, 43.2, 33.6, 33.6])
    assert list(figure.data[0].y) == pytest.approx([16, 16, 32, 32, 16])
    assert "turned with the film" in figure.layout.title.text.replace("<br>", " ")


def test_of_many_odd_boxes_the_title_names_the_first_and_counts_the_others() -> None:
    boxes = [*[[0, 1, 51, 52]] * 8, [0, 1, 0, 1], [0, 1, 51, 52]]
    figure = film_figure(FILM, boxes, ["Edema"] * 10, ["a"] * 10)
    lines = figure.layout.title.text.split("<br>")
    assert len(lines) == 6
    assert lines[-1] == "and 4 more: boxes 6 to 8, 10"


NO_SIZE = "There is no size given for this image"
FRAMES = [
    # reason, frame, orientation, start of the title (None: none), a part of it
    ("none given", None, 1, None, ""),
    ("none given, and the film was turned", None, 6, NO_SIZE, "orientation tag (6): nothing says"),
    ("missing in the table", (pd.NA, pd.NA), 1, NO_SIZE, "fractions of the picture as it is"),
    ("nothing", (None, 64), 1, NO_SIZE, ""),
    ("not a number", (math.nan, 64.0), 1, NO_SIZE, ""),
    ("nought", (0, 64), 1, NO_SIZE, ""),
    ("negative", (48, -64), 1, NO_SIZE, ""),
    ("missing, and the film was turned", (pd.NA, pd.NA), 6, NO_SIZE, "orientation tag (6): nothing says"),
    ("as pandas keeps it", (np.int64(48), np.float64(64)), 1, None, ""),
]


@pytest.mark.parametrize(("reason", "frame", "orientation", "start", "part"), FRAMES, ids=[row[0] for row in FRAMES])
def test_a_frame_that_is_no_size_is_said_and_the_film_is_its_own(
    reason: str, frame: tuple[object, object] | None, orientation: int, start: str | None, part: str
) -> None:
    figure = film_figure(FILM, [[0, 0.5, 0, 0.5]], ["Edema"], ["a"], frame=frame, orientation=orientation)
    assert (figure.layout.images[0].sizex, figure.layout.images[0].sizey) == (48, 64), reason
    assert list(figure.data[0].x) == [0, 24, 24, 0, 0], reason
    title = (figure.layout.title.text or "").replace("<br>", " ")
    assert title.startswith(start or ""), reason
    assert part in title, reason
    assert bool(title) is (start is not None), reason


def test_the_readmes_recipe_on_a_table_whose_first_row_has_no_size(tmp_path: Path) -> None:
    rows = [annotation(image_width="", image_height=""), annotation(x=0)]
    row = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows), tmp_path).harmonize().iloc[0]
    frame = (row["image_width"], row["image_height"])
    figure = film_figure(FILM, row["bbox"], row["bbox_labels"], row["label_text"], frame=frame)
    assert len(figure.data) == 1, "the row that has a size"
    title = figure.layout.title.text.replace("<br>", " ")
    assert title.startswith(NO_SIZE)
    assert "Box 1 has no place" in title


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA, ""])
def test_a_missing_label_or_phrase_is_shown_as_empty(missing: object) -> None:
    figure = film_figure(FILM, [[0, 1, 0, 1]], [missing], [missing])
    assert figure.data[0].hovertext.startswith("<b>1 (no label)</b><br>(empty phrase)<br>x 0")
    assert figure.data[0].name == "(no label)"


def test_a_missing_edge_is_no_place() -> None:
    figure = film_figure(FILM, [[0, 1, None, 1]], ["Edema"], ["a"])
    assert len(figure.data) == 0
    assert figure.layout.title.text.startswith("Box 1 has no place")


def test_lists_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2, 1 and 1"):
        film_figure(FILM, [[0, 1, 0, 1]] * 2, ["Edema"], ["a"])
