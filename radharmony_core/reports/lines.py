"""Line ends, blanks and empty lines of a report, as parts of regular expressions."""

from __future__ import annotations

import re

__all__ = ["BLANKS", "EMPTY_LINE", "LINE_END"]

BLANKS = r"[^\S\n\r\u2028\u2029]*+"
LINE_END = r"(?:\r\n|\r(?!\n)|[\n\u2028\u2029])"  # \r\n is one end, never two
EMPTY_LINE = re.compile(rf"{LINE_END}{BLANKS}{LINE_END}")
