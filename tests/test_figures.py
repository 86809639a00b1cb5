"""The Plotly figure: the geometry of the viewer, and text that cannot become markup."""

from __future__ import annotations

import html
import math

import numpy as np
import pytest

from radharmony_core.figures import film_figure
from radharmony_core.labels import style_of

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
    assert figure.layout.title.text.startswith("Box 2 has no place")


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
    ("longer than the margin", [0, 1, 0.5, 9], (0, 72), (64, 0), "beyond its right border", None),
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
    assert figure.layout.title.text == title, reason
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
    figure = film_figure(FILM, [[0, 1, 51, 52]] * 8, ["Edema"] * 8, ["a"] * 8)
    lines = figure.layout.title.text.split("<br>")
    assert len(lines) == 6
    assert lines[-1] == "and 3 more"


def test_lists_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2, 1 and 1"):
        film_figure(FILM, [[0, 1, 0, 1]] * 2, ["Edema"], ["a"])
