"""Decoding: every character kept, every guess said."""

from __future__ import annotations

import pytest

from radharmony_core.texts import decode

TEXTS = [
    # reason, bytes, text, guessed encoding
    ("nothing", b"", "", None),
    ("UTF-8", "l’œdème".encode(), "l’œdème", None),
    ("UTF-8 with a mark", b"\xef\xbb\xbfa", "a", None),
    ("UTF-16 with a mark", "é".encode("utf-16"), "é", None),
    ("UTF-16, the other way round", b"\xfe\xff\x00a", "a", None),
    ("UTF-16 cut in a character", b"\xff\xfea\x00b", "a\ufffd", None),
    ("cp1252", "l’œdème".encode("cp1252"), "l’œdème", "cp1252"),
    ("bytes that no encoding has", b"a\x81\xff", "a\ufffdÿ", "cp1252"),
]


@pytest.mark.parametrize(("reason", "data", "text", "guessed"), TEXTS, ids=[row[0] for row in TEXTS])
def test_decode(reason: str, data: bytes, text: str, guessed: str | None) -> None:
    assert decode(data) == (text, guessed), reason
