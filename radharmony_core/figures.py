"""The film and its boxes as a Plotly figure, for notebooks and exports: the geometry and the palette of the viewer.

row = MSCXRHarmonizer(csv_path, base).harmonize().iloc[0]
film_figure(read_image(path).pixels, row["bbox"], row["bbox_labels"], row["label_text"])
"""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from radharmony_core.boxes import NormBox, norm_to_pixel
from radharmony_core.images import encode_jpeg
from radharmony_core.labels import style_of

__all__ = ["film_figure"]

_SHOWN_SIDE = 1400
_REACH = 0.5  # of the film's width and height: how far beyond it boxes are shown


def film_figure(
    pixels: npt.NDArray[np.uint8],
    bbox: Sequence[Sequence[float]],
    labels: Sequence[str],
    phrases: Sequence[str],
    *,
    frame: tuple[int, int] | None = None,
) -> go.Figure:
    """A film (uint8, rows x columns) with its boxes, each in its label's colour and dash, the phrase in the hover text.

    ``bbox`` holds [y_min, y_max, x_min, x_max] as fractions, as in the harmonized table; ``frame`` is the (width, height)
    that the axes count, the film's own when None. Row 0 is on top and axes count pixel edges: the first pixel is 0 to 1.
    A box that cannot be placed is left out of the drawing and named in the title. Raises ValueError for lists of other lengths.
    """
    if not len(bbox) == len(labels) == len(phrases):
        raise ValueError(f"Expected as many boxes, labels and phrases; got {len(bbox)}, {len(labels)} and {len(phrases)}.")
    width, height = frame or (pixels.shape[1], pixels.shape[0])
    figure = go.Figure()
    seen: set[str] = set()
    unplaced = 0
    for number, (numbers, label, phrase) in enumerate(zip(bbox, labels, phrases, strict=True), start=1):
        box = NormBox(*numbers)
        if not _can_be_drawn(box):
            unplaced += 1
            continue
        figure.add_trace(_outline(number, box, label, phrase, (width, height), label not in seen))
        seen.add(label)
    figure.add_layout_image(_picture(pixels, width, height))
    title = f"{unplaced} of {len(bbox)} boxes have no place to be drawn at" if unplaced else None
    left, right, top, bottom = _shown(bbox, width, height)
    figure.update_layout(
        template="plotly_dark", title=title, margin={"l": 0, "r": 0, "t": 36 if title else 0, "b": 0}, dragmode="pan"
    )
    figure.update_xaxes(range=[left, right], visible=False, constrain="domain")
    figure.update_yaxes(range=[bottom, top], visible=False, scaleanchor="x", constrain="domain")
    return figure


def _can_be_drawn(box: NormBox) -> bool:
    """Whether the box lies where a figure can reach: up to half a film beyond the film's borders."""
    rows, columns = (box.y_min, box.y_max), (box.x_min, box.x_max)
    return all(map(math.isfinite, box)) and all(max(edges) >= -_REACH and min(edges) <= 1 + _REACH for edges in (rows, columns))


def _shown(bbox: Sequence[Sequence[float]], width: int, height: int) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of what is shown: the film, and a margin where boxes reach beyond it."""
    drawn = [NormBox(*numbers) for numbers in bbox if _can_be_drawn(NormBox(*numbers))]
    xs = [0.0, 1.0, *(edge for box in drawn for edge in (box.x_min, box.x_max))]
    ys = [0.0, 1.0, *(edge for box in drawn for edge in (box.y_min, box.y_max))]
    low, high = -_REACH, 1 + _REACH
    return max(min(xs), low) * width, min(max(xs), high) * width, max(min(ys), low) * height, min(max(ys), high) * height


def _outline(number: int, box: NormBox, label: str, phrase: str, frame: tuple[int, int], in_legend: bool) -> Any:
    """A closed line along the box's edges; a cross where the box has no area. Plotly reads tags in text, so text is escaped."""
    style = style_of(label)
    x, y, w, h = norm_to_pixel(box, *frame)
    words = (
        f"<b>{number} {html.escape(label)}</b><br>{html.escape(phrase)}<br>x {x:.0f} to {x + w:.0f}, y {y:.0f} to {y + h:.0f} px"
    )
    common = {"name": html.escape(label), "legendgroup": label, "showlegend": in_legend, "hovertext": words, "hoverinfo": "text"}
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


def _picture(pixels: npt.NDArray[np.uint8], width: int, height: int) -> dict[str, Any]:
    """The film as a layout image: an image trace of this size takes seconds to draw."""
    jpeg = encode_jpeg(pixels, max_side=_SHOWN_SIDE).data
    return {
        "source": "data:image/jpeg;base64," + base64.b64encode(jpeg).decode(),
        **{"xref": "x", "yref": "y", "x": 0, "y": 0, "sizex": width, "sizey": height},
        **{"xanchor": "left", "yanchor": "top", "sizing": "stretch", "layer": "below"},
    }
