"""The film and its boxes as a Plotly figure, for notebooks and exports: the geometry and the palette of the viewer.

row = MSCXRHarmonizer(csv_path, base).harmonize().iloc[0]
film_figure(read_image(path).pixels, row["bbox"], row["bbox_labels"], row["label_text"])
"""

from __future__ import annotations

import base64
import html
import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from radharmony_core.boxes import (
    REACH,
    NormBox,
    PixelBox,
    box_notice,
    drawn_part,
    is_within_reach,
    norm_to_pixel,
    outside_of,
    place_film,
    usable_size,
)
from radharmony_core.images import encode_jpeg
from radharmony_core.labels import style_of

__all__ = ["film_figure"]

_SHOWN_SIDE = 1400
_MOST_TOLD = 5  # sentences of the title
_LINE, _LETTERS = 19, 90  # of the title: pixels of a line, letters in one
_BORDER = "#5c6873"


def film_figure(
    pixels: npt.NDArray[np.uint8],
    bbox: Sequence[Sequence[float | None]],
    labels: Sequence[object],
    phrases: Sequence[object],
    *,
    frame: tuple[object, object] | None = None,
    orientation: int = 1,
) -> go.Figure:
    """A film (uint8, rows x columns) with its boxes, each in its label's colour and dash, the phrase in the hover text.

    ``bbox`` holds [y_min, y_max, x_min, x_max] as fractions, as in the harmonized table; ``frame`` is the (width, height)
    that the table gives, the film's own when None or missing in the table, and ``orientation`` the tag (1..8) that the film was
    turned upright by (``FilmImage.orientation``): `place_film` says how the two fit. A label or phrase that is no text counts as
    empty. Row 0 is on top and axes count pixel edges of the frame: the first pixel is 0 to 1. Half a film beyond its borders is
    shown where boxes lie there. What is odd about a box stands in its hover text, and in the title too, which an exported
    picture keeps, when it is not drawn whole or lies wholly outside, as does what is to be said of the film's size. Raises
    ValueError for lists of other lengths and for what is no orientation.
    """
    if not len(bbox) == len(labels) == len(phrases):
        raise ValueError(f"Expected as many boxes, labels and phrases; got {len(bbox)}, {len(labels)} and {len(phrases)}.")
    size = (pixels.shape[1], pixels.shape[0])
    placed = place_film(size, usable_size(*frame) if frame else None, orientation=orientation)
    boxes = [placed.place(NormBox(*(math.nan if edge is None else edge for edge in numbers))) for numbers in bbox]
    notices = [_notice(number, box, placed.frame) for number, box in enumerate(boxes, start=1)]
    figure, in_legend = go.Figure(), set[str]()
    for number, (box, name, phrase, notice) in enumerate(zip(boxes, labels, phrases, notices, strict=True), start=1):
        if is_within_reach(box):
            label, said = _text(name, ""), (_text(phrase, "(empty phrase)"), notice)
            figure.add_trace(_outline(number, box, label, said, placed.frame, label not in in_legend))
            in_legend.add(label)
    odd = {number: notice for number, notice in enumerate(notices, start=1) if not _is_whole(boxes[number - 1])}
    figure.add_layout_image(_picture(pixels, placed.picture))
    own = frame is None and orientation == 1  # nothing was to be brought together
    _lay_out(figure, [] if own else [placed.words], odd, boxes, placed.frame)
    return figure


def _text(cell: object, empty: str) -> str:
    """None, NaN and pandas' NA stand where a table has nothing."""
    return cell if isinstance(cell, str) and cell else empty


def _is_whole(box: NormBox) -> bool:
    """Whether the outline is drawn as it is, with some of it on the film."""
    return box.is_drawable and not any(_beyond_reach(box)) and outside_of(box) != "wholly"


def _beyond_reach(box: NormBox) -> tuple[bool, bool, bool, bool]:
    """Which of its edges lie beyond the margin, top, bottom, left and right: the picture ends before them."""
    return box.y_min < -REACH, box.y_max > 1 + REACH, box.x_min < -REACH, box.x_max > 1 + REACH


def _notice(number: int, box: NormBox, frame: tuple[int, int]) -> str:
    """`box_notice`, and what of an outline is not in the picture."""
    notice = box_notice(number, box, frame, far="It is not drawn.")
    if not (box.is_drawable and is_within_reach(box) and any(_beyond_reach(box))):
        return notice
    if all(_beyond_reach(box)):
        return f"{notice} Its outline runs around all that is shown, so nothing of it is seen."
    return f"{notice} What lies beyond the margin is cut off."


def _sentences(told: Sequence[str], odd: Mapping[int, str]) -> list[str]:
    """Some as they are; of the other boxes the numbers, so that none is without a trace."""
    said = [words for words in told if words]
    room = _MOST_TOLD - len(said)
    shown, left = list(odd.values())[:room], list(odd)[room:]
    return [*said, *shown, *([f"and {len(left)} more: boxes {_runs(left)}"] if left else [])]


def _runs(numbers: Sequence[int]) -> str:
    """Rising numbers, neighbours together: ``6 to 8, 10``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _lay_out(
    figure: go.Figure, told: Sequence[str], odd: Mapping[int, str], boxes: Sequence[NormBox], frame: tuple[int, int]
) -> None:
    """Axes, the film's border, and what must be said above the film, a line each: ``told`` of it and of ``odd`` boxes."""
    lines = [html.escape(line) for words in _sentences(told, odd) for line in textwrap.wrap(words, _LETTERS)]
    place = {"x": 0, "xanchor": "left", "y": 1, "yanchor": "top", "pad": {"t": 22, "l": 8}, "font": {"size": 13}}
    title = {"text": "<br>".join(lines), **place} if lines else None
    margin = {"l": 0, "r": 0, "t": _LINE * len(lines) + 24 if lines else 0, "b": 0}
    left, right, top, bottom = _shown(boxes, *frame)
    figure.update_layout(template="plotly_dark", title=title, margin=margin, dragmode="pan")
    border = {"x0": 0, "x1": frame[0], "y0": 0, "y1": frame[1], "line": {"color": _BORDER, "width": 1}}
    figure.add_shape(type="rect", layer="below", **border)
    figure.update_xaxes(range=[left, right], visible=False, constrain="domain")
    figure.update_yaxes(range=[bottom, top], visible=False, scaleanchor="x", constrain="domain")


def _shown(boxes: Sequence[NormBox], width: int, height: int) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of what is shown: the film, and a margin where boxes reach beyond it."""
    drawn = [drawn_part(box) for box in boxes if is_within_reach(box)]
    xs = [0.0, 1.0, *(edge for box in drawn for edge in (box.x_min, box.x_max))]
    ys = [0.0, 1.0, *(edge for box in drawn for edge in (box.y_min, box.y_max))]
    low, high = -REACH, 1 + REACH
    return max(min(xs), low) * width, min(max(xs), high) * width, max(min(ys), low) * height, min(max(ys), high) * height


def _outline(number: int, box: NormBox, label: str, said: tuple[str, str], frame: tuple[int, int], in_legend: bool) -> Any:
    """A closed line along the box's edges; a cross where the box has no area. ``said``: its phrase and its notice. Plotly reads
    tags in text, so text is escaped."""
    style, name = style_of(label), html.escape(label or "(no label)")
    x, y, w, h = norm_to_pixel(box, *frame)
    lines = [f"<b>{number} {name}</b>", *map(html.escape, said)]
    words = "<br>".join(filter(None, [*lines, f"x {x:.0f} to {x + w:.0f}, y {y:.0f} to {y + h:.0f} px"]))
    common = {"name": name, "legendgroup": label, "showlegend": in_legend, "hovertext": words, "hoverinfo": "text"}
    if not box.is_drawable:
        return go.Scatter(
            x=[x], y=[y], mode="markers", marker={"symbol": "circle-cross-open", "size": 16, "color": style.color}, **common
        )
    dash = ",".join(f"{length}px" for length in style.dash) or "solid"
    return go.Scatter(
        x=[x, x + w, x + w, x, x],
        y=[y, y, y + h, y + h, y],
        mode="lines",
        line={"color": style.color, "width": 2, "dash": dash},
        **common,
    )


def _picture(pixels: npt.NDArray[np.uint8], place: PixelBox) -> dict[str, Any]:
    """The film as a layout image: an image trace of this size takes seconds to draw."""
    jpeg = encode_jpeg(pixels, max_side=_SHOWN_SIDE).data
    return {
        "source": "data:image/jpeg;base64," + base64.b64encode(jpeg).decode(),
        **{"xref": "x", "yref": "y", "x": place.x, "y": place.y, "sizex": place.w, "sizey": place.h},
        **{"xanchor": "left", "yanchor": "top", "sizing": "stretch", "layer": "below"},
    }
