"""The exact shape of MIMIC-CXR's text files.

Line 1 is FINAL REPORT, centred; every other line starts with one space; a blank line is one space; no line is longer than 79
characters; addenda stand on top, above a line made only of underscores. See the MIMIC-CXR page on PhysioNet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["ADDENDUM", "laid_out"]

ADDENDUM = "ADDENDUM:  The findings were discussed with Dr. ___ by telephone at the time of discovery."

_WIDTH = 78  # and the space in front
_TITLE = " " * 33 + "FINAL REPORT"
_RULE = "_" * 60
_OPEN = ("FINDINGS", "IMPRESSION")  # sections whose text, if it is long, begins below its heading
_LONG = 55


def _wrapped(text: str) -> Iterator[str]:
    """Lines of at most ``_WIDTH`` characters, broken at spaces, each with its space in front."""
    while len(text) > _WIDTH:
        cut = text.rfind(" ", 0, _WIDTH + 1)
        cut = cut if cut > 0 else text.find(" ", _WIDTH)
        if cut < 0:
            break
        yield " " + text[:cut].rstrip(" ")
        text = text[cut:].lstrip(" ")
    yield " " + text


def laid_out(sections: Iterable[tuple[str, str]], *, addendum: bool = False) -> str:
    """The report with these (heading, text) in this order, ending in a newline. A text without a heading has a blank one."""
    lines = [_TITLE]
    if addendum:
        lines += [*_wrapped(ADDENDUM), " ", f" {_RULE}"]
    for name, text in sections:
        if len(lines) > 1:
            lines.append(" ")
        if not name:
            lines += _wrapped(text)
        elif name.upper() in _OPEN and len(text) > _LONG:
            lines += [f" {name}: ", " "]
            lines += _wrapped(text)
        else:
            lines += _wrapped(f"{name}:  {text}")
    return "\n".join(lines) + "\n"
