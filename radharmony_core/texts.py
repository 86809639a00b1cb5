"""Text files as people have them: UTF-8 with or without a mark, UTF-16 with one, else cp1252.

Never latin-1: it takes every byte, and turns typographic apostrophes into control characters.
"""

from __future__ import annotations

import codecs

__all__ = ["decode"]


def decode(data: bytes) -> tuple[str, str | None]:
    """The text, and the encoding that had to be guessed: None for UTF-8, and for UTF-16 that says so by its mark.

    Bytes that no encoding has become U+FFFD; nothing is left out and nothing raised.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace"), None
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), "cp1252"
