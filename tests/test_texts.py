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
    ("one line of another encoding", "l’œdème\né\n".encode() + "d’où\n".encode("cp1252"), "l’œdème\né\nd’où\n",
     "UTF-8 with cp1252 in 1 of 3 lines"),
    ("such a line amid the others", "“é”\r\n".encode() + b"\xe9\r\n" + "“é”".encode(), "“é”\r\né\r\n“é”",
     "UTF-8 with cp1252 in 1 of 3 lines"),
    ("one bad byte in a line of UTF-8", "l’œdème, ".encode() + b"caf\xe9", "l’œdème, café", "UTF-8 with cp1252 in 1 of 1 lines"),
    ("a bad byte that no encoding has", "l’œdème".encode() + b"\x81", "l’œdème\ufffd", "UTF-8 with cp1252 in 1 of 1 lines"),
    ("a mark hides no bad byte", b"\xef\xbb\xbf" + "“é” ".encode() + b"\xe9", "“é” é", "UTF-8 with cp1252 in 1 of 1 lines"),
    ("the mark is no text, whatever follows", b"\xef\xbb\xbf\xe9\xe8", "éè", "cp1252"),
    ("cp1252 that holds valid UTF-8 by chance", "«\u00a0c’était dilaté\u00a0»\n".encode("cp1252") * 3,
     "«\u00a0c’était dilaté\u00a0»\n" * 3, "cp1252"),
    ("a line of it is valid by chance", "dilaté\u00a0»\nœdème\nœ\n".encode("cp1252"), "dilaté\u00a0»\nœdème\nœ\n", "cp1252"),
    ("as much of one as of the other", "é\n".encode() + b"\xe9\n", "é\né\n", "UTF-8 with cp1252 in 1 of 2 lines"),
    ("one line of UTF-8 in much cp1252", b"\xe9\n" * 9 + "d’où\n".encode(), "é\n" * 9 + "d’où\n",
     "UTF-8 with cp1252 in 9 of 10 lines"),
    ("what cp1252 lacks, in UTF-8", "≥ 5 → “é” ’’\n".encode() + b"\xe9", "≥ 5 → “é” ’’\né", "UTF-8 with cp1252 in 1 of 2 lines"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "data", "text", "guessed"), TEXTS, ids=[row[0] for row in TEXTS])
def test_decode(reason: str, data: bytes, text: str, guessed: str | None) -> None:
    assert decode(data) == (text, guessed), reason
