"""Sentences for the reader that may quote a file name, a URL or a cell: shown as plain text, never as Markdown.

Streamlit's own message boxes read Markdown, which would fetch a picture that somebody's link names.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

__all__ = ["counted", "show_notices"]


def show_notices(sentences: Iterable[str]) -> None:
    """One frame with a line a sentence; nothing where there is nothing to say."""
    text = "\n".join(sentences)
    if text:
        with st.container(border=True):
            st.text(text)


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its word: ``1 box``, ``1,448 boxes``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
