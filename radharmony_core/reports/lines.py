"""Line ends, blanks and empty lines of a report, as parts of regular expressions."""

from __future__ import annotations

import re

__all__ = ["BLANKS", "EMPTY_LINE", "LINE_END", "MARGIN", "bare"]

BLANKS = r"[^\S\n\r\u2028\u2029]*+"
MARGIN = r"(?:[^\S\n\r\u2028\u2029]|[\ufeff\u200b])*+"  # blanks, and signs without width, which copied texts begin with
LINE_END = r"(?:\r\n|\r(?!\n)|[\n\u2028\u2029])"  # \r\n is one end, never two
EMPTY_LINE = re.compile(rf"{LINE_END}{BLANKS}{LINE_END}")
_START = re.compile(r"[\s\ufeff\u200b]*+")


def bare(text: str, start: int, end: int) -> tuple[int, int]:
    """``text[start:end]`` without white space and signs without width around; an empty place where it is nothing else."""
    begin = _START.match(text, start, end)
    start = begin.end() if begin else start
    while start < end and (text[end - 1].isspace() or text[end - 1] in "\ufeff\u200b"):
        end -= 1
    return start, end
