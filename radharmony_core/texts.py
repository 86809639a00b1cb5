"""Text files as people have them: UTF-8 with or without a mark, UTF-16 with one, else cp1252; and UTF-8 into which lines of
cp1252 have been pasted.

Never latin-1: it takes every byte, and turns typographic apostrophes into control characters.
"""

from __future__ import annotations

import codecs

__all__ = ["decode"]


def decode(data: bytes) -> tuple[str, str | None]:
    """The text, and the encoding that had to be guessed: None for UTF-8, and for UTF-16 that says so by its mark.

    What is mostly UTF-8 stays UTF-8, and only what is not is read as cp1252: one bad byte does not cost every accent of a file.
    Bytes that no encoding has become U+FFFD; nothing is left out and nothing raised.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace"), None
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        content = data.removeprefix(codecs.BOM_UTF8)
    valid, invalid = _evidence(content)
    lines = [_line(line, valid > invalid) for line in content.splitlines(keepends=True)]
    text = "".join(line for line, _ in lines)
    if text == content.decode("cp1252", errors="replace"):
        return text, "cp1252"
    return text, f"UTF-8 with cp1252 in {sum(guess for _, guess in lines):,} of {len(lines):,} lines"


def _line(data: bytes, mostly_utf8: bool) -> tuple[str, bool]:
    """A line of a file that is not UTF-8 throughout, and whether that is true of the line as well.

    Such a line is cp1252; or only its bad bytes are, where as much of it is UTF-8. In a file of cp1252 a line may be valid
    UTF-8 by chance (an accent, a no-break space, a quote), but not with characters that cp1252 has too.
    """
    try:
        text = data.decode("utf-8")
        if mostly_utf8 or text.isascii() or text == text.encode("cp1252", errors="replace").decode("cp1252"):
            return text, False
    except UnicodeDecodeError:
        valid, invalid = _evidence(data)
        if mostly_utf8 and valid >= invalid:
            return data.decode("utf-8", errors=_BAD_BYTES), True
    return data.decode("cp1252", errors="replace"), True


def _evidence(data: bytes) -> tuple[int, int]:
    """How many characters beyond ASCII are valid UTF-8, and how many bytes are not. cp1252 holds hardly any of the former."""
    text = data.decode("utf-8", errors="ignore")
    return len(text) - len(text.encode("ascii", errors="ignore")), len(data) - len(text.encode("utf-8"))


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


_BAD_BYTES = "radharmony_core.texts.cp1252"
codecs.register_error(_BAD_BYTES, _as_cp1252)
