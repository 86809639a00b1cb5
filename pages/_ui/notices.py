"""Sentences for the reader that may quote a file name, a URL or a cell: shown as plain text, never as Markdown.

Streamlit's own message boxes read Markdown, which would fetch a picture that somebody's link names.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

__all__ = ["show_notices"]


def show_notices(sentences: Iterable[str]) -> None:
    """One frame with a line a sentence; nothing where there is nothing to say."""
    text = "\n".join(sentences)
    if text:
        with st.container(border=True):
            st.text(text)
