"""The Plotly figure: the geometry of the viewer, and text that cannot become markup."""

from __future__ import annotations

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
    assert figure.layout.title.text == "1 of 2 boxes have no place to be drawn at"


def test_a_box_beyond_the_film_is_shown_in_a_margin_or_named() -> None:
    figure = film_figure(FILM, [[0.5, 1.25, -0.25, 0.5]], ["Edema"], ["a"])
    assert figure.layout.xaxis.range == (-12, 48)
    assert figure.layout.yaxis.range == (80, 0)
    far = film_figure(FILM, [[9e9, 9.1e9, 0, 1]], ["Edema"], ["a"])
    assert far.layout.xaxis.range == (0, 48)
    assert far.layout.title.text == "1 of 1 boxes have no place to be drawn at"


def test_lists_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2, 1 and 1"):
        film_figure(FILM, [[0, 1, 0, 1]] * 2, ["Edema"], ["a"])
