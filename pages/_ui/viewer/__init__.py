"""The film viewer: one component of our own, plain JavaScript and CSS, no build step, nothing fetched from anywhere.

Why not Plotly: it loses zoom and selection whenever the figure changes, and an image trace costs seconds a film.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

__all__ = ["film_viewer"]

_FOLDER = Path(__file__).parent
_STYLES = ("stage.css", "panel.css", "viewer.css")  # the narrow window's rules come last
_SCRIPTS = ("view.js", "overlay.js", "panel.js", "stage.js", "window.js", "picture.js", "wishes.js", "viewer.js")


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


_COMPONENT = st.components.v2.component(
    "radharmony_film_viewer",
    html=_text("viewer.html"),
    css="\n".join(map(_text, _STYLES)),
    js="\n".join(map(_text, _SCRIPTS)),
)


def film_viewer(message: bytes, *, on_wish: Callable[[Mapping[str, Any]], None], key: str = "film_viewer") -> None:
    """Shows one film with its boxes, phrases and report. ``message`` is made by `message.build_message`.

    ``on_wish`` is called with what a key or a hand asks for: ``step``, the number of films to go on (or back, below 0), and
    what `look.ask_look` takes. The viewer gathers wishes until the last one has been answered: holding a key down neither
    loses one nor queues stale work. The key keeps the viewer mounted from film to film: without it every film would start a
    new one.
    """
    _COMPONENT(data=message, key=key, on_wish_change=lambda: on_wish(st.session_state[key]["wish"] or {}))
