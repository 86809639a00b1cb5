"""The little style that Streamlit's theme has no setting for."""

from __future__ import annotations

import streamlit as st

__all__ = ["use_whole_width"]

_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-left: 1rem; padding-right: 1rem; }
[data-testid="stSidebarHeader"] { height: 2.25rem; margin-bottom: 0; }
</style>"""


def use_whole_width() -> None:
    """Gives the film the room that wide margins would take."""
    st.html(_STYLE)
