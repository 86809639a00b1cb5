"""Where in a report's text sections begin: headings, lines of underscores, the title FINAL REPORT."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from radharmony_core.reports.fold import fold_text
from radharmony_core.reports.headings import Headings
from radharmony_core.reports.lines import BLANKS, LINE_END, MARGIN

__all__ = ["BODIES", "MAIN", "Mark", "find_marks"]

MAIN = ("findings", "impression")
BODIES = (*MAIN, "wet_read", "addendum")

_LINE_ENDS = rf"(?={BLANKS}(?:{LINE_END}|\Z))"
_HEADING = r"(?P<heading>[^\W\d_][^:\n\r]{0,99})(?:(?<!\d):|:(?=\D|\Z))(?:[ \t]*+:)*+"  # 3:45 pm is no heading
_LINES = re.compile(
    rf"(?:\A|(?<=[\n\r\u2028\u2029])){MARGIN}(?:"
    rf"(?P<rule>_{{10,}}+){_LINE_ENDS}"  # not ___, which is de-identified text
    rf"|(?P<title>FINAL REPORT){_LINE_ENDS}"
    r"|(?P<dashed>[A-ZÀ-Þ][A-Za-zÀ-ÿ ()/&'’]{2,40}?)[ \t]+[-\u2013\u2014][ \t]+(?=\S)"
    rf"|(?P<alone>[A-ZÀ-Þ][A-Za-zÀ-ÿ ()/&'’-]{{2,40}})(?:[ \t]\#\d[^\n\r]*+)?{_LINE_ENDS}"
    rf"|{_HEADING}"
    r")"
)
_COLON_HEADING = re.compile(rf"{MARGIN}{_HEADING}")
_LINE = re.compile(r"[^\n\r]+")
_LONG = 100  # characters; the datasets' own lines have at most 79
_COLON = re.compile(r":(?=\s|\Z)")
_WORD = re.compile(r"[^\s:;,.]+")
_FARTHEST = 60  # characters: the longest heading that is looked for inside a line, and that is taken without being in a list
_FAR = 2000  # characters between two headings, from which on nobody looks whether they are all white space
_NEAR = 200  # characters before a heading that are looked at
_EMPTY_LINE_BEFORE = re.compile(rf"(?:\A|{LINE_END}{BLANKS}{LINE_END})\s*\Z")
_SMALL = re.compile(r"\b(?:and|au|aux|de|des|du|et|for|in|la|le|les|of|the|with)\b")
_EVERYDAY_WORDS = {"comment", "date", "examination"}  # Note: Date: Study:
_STOPS = (".", "!", "?", ":", "_", "/", ")")


@dataclass(frozen=True, slots=True)
class Mark:
    """``report[start:end]`` is a heading, which begins the sections ``names`` with the text from ``text_start`` on; or, without
    names, a title or (``is_rule``) a line of underscores."""

    start: int
    end: int
    text_start: int
    names: tuple[str, ...] = ()
    is_rule: bool = False


def find_marks(report: str, headings: Headings) -> list[Mark]:
    """The marks of ``report``, in order."""
    lines = list(_LINES.finditer(report))
    candidates = [(match.group("heading") or "").strip() for match in lines]
    capitals = any(_style(text) == "capitals" and headings.joined(fold_text(text), 0) for text in candidates if text)
    marks: list[Mark] = []
    inside = iter([*_in_lines(report, headings), None])
    waiting = next(inside)
    for match in lines:
        while waiting and waiting.start < match.start():
            marks.append(waiting)
            waiting = next(inside)
        mark = _mark(report, match, headings, marks, capitals)
        if mark:
            marks.append(mark)
            while waiting and waiting.start < mark.text_start and headings.known.issuperset(mark.names):
                waiting = next(inside)  # IMPRESSION, of FINDINGS AND IMPRESSION
    while waiting:
        marks.append(waiting)
        waiting = next(inside)
    return marks


def _mark(report: str, match: re.Match[str], headings: Headings, marks: list[Mark], capitals: bool) -> Mark | None:
    kind = str(match.lastgroup)
    start, end = match.start(kind), match.start(kind) + len(match.group(kind).rstrip())
    if kind in ("rule", "title"):
        return Mark(start, end, match.end(), is_rule=kind == "rule")
    text = fold_text(match.group(kind))
    style = _style(match.group(kind))
    here = _Place(report, start, match.end(), marks)
    if kind in ("alone", "dashed"):
        names = headings.joined(text, 0) if style == "capitals" or here.is_fresh else ()
        if names or kind == "alone":
            return Mark(start, end if kind == "dashed" else match.end(), match.end(), names) if names else None
        colon = _COLON_HEADING.match(report, match.start())
        return _mark(report, colon, headings, marks, capitals) if colon else None
    if style == "capitals":
        names = _named_by_capitals(text, headings, here)
    elif style == "title":
        names = headings.joined(text, 1)
        if not names and headings.is_view(text) and not here.in_body:
            names = MAIN[:1]
        if capitals and not here.is_fresh and not _is_sure(names, here):
            names = ()
    else:
        names = headings.joined(text, 0) if here.is_fresh or here.follows_stop else ()
    return Mark(start, end, match.end(), names) if names else None


def _is_sure(names: tuple[str, ...], here: _Place) -> bool:
    """Whether words in mixed case among headings in capitals are a heading, and no words of a line (*Note: rotated*)."""
    return bool(set(names) & set(MAIN)) or (here.follows_stop and not set(names) & _EVERYDAY_WORDS)


def _named_by_capitals(text: str, headings: Headings, here: _Place) -> tuple[str, ...]:
    """A view title right below FINDINGS or IMPRESSION is part of those, a strange heading inside of them as well."""
    names = headings.joined(text, 2)
    surrounded = None if names else headings.surrounded(text)
    if names or surrounded:
        return names or (str(surrounded),)
    if headings.is_view(text):
        return () if here.in_main and here.is_empty_so_far else MAIN[:1]
    own = re.sub(r"\W+", "_", text).strip("_")
    return () if here.in_body or not here.stands_apart or len(text) > _FARTHEST or not own else (own,)


@dataclass(frozen=True, slots=True)
class _Place:
    """What stands around a possible heading."""

    report: str
    start: int
    end: int
    marks: list[Mark]

    @property
    def in_body(self) -> bool:
        return bool(self.marks) and bool(set(self.marks[-1].names) & set(BODIES))

    @property
    def in_main(self) -> bool:
        return bool(self.marks) and bool(set(self.marks[-1].names) & set(MAIN))

    @property
    def is_empty_so_far(self) -> bool:
        begin = self.marks[-1].text_start
        return self.start - begin <= _FAR and not self.report[begin : self.start].strip()

    @property
    def stands_apart(self) -> bool:
        return not self.report[self.end : self.end + 1].strip()

    @property
    def is_fresh(self) -> bool:
        """At the text's beginning, below an empty line or the title."""
        if self.marks and not self.marks[-1].names and self.is_empty_so_far:
            return True
        return bool(_EMPTY_LINE_BEFORE.search(self.report[max(0, self.start - _NEAR) : self.start]))

    @property
    def follows_stop(self) -> bool:
        return self.report[max(0, self.start - _NEAR) : self.start].rstrip().endswith(_STOPS)


def _in_lines(report: str, headings: Headings) -> Iterator[Mark]:
    """Headings inside of the lines of a text that has lost its line ends: in capitals, or in mixed case after a sentence; in a
    line no longer than others only after a sentence, and in mixed case only findings and impression."""
    for line in _LINE.finditer(report):
        begin = line.start()
        for colon in _COLON.finditer(report, line.start(), line.end()):
            words = list(_WORD.finditer(report, max(begin, colon.start() - _FARTHEST), colon.start()))
            found = next(filter(None, (_inside(report, word.start(), colon, line, headings) for word in words)), None)
            if found:
                yield found
            begin = colon.end()


def _inside(report: str, start: int, colon: re.Match[str], line: re.Match[str], headings: Headings) -> Mark | None:
    before = report[max(line.start(), start - _FARTHEST) : start].rstrip()
    heading = report[start : colon.start()].rstrip()
    style = _style(heading)
    is_long = len(line.group()) > _LONG
    if not before or (not before.endswith(_STOPS) if style == "title" or not is_long else style != "capitals"):
        return None
    names = headings.joined(fold_text(heading), 0) if style != "lower" else ()
    if not is_long and style == "title" and not set(names) & set(MAIN):
        return None
    return Mark(start, start + len(heading), colon.end(), names) if names else None


def _style(heading: str) -> str:
    """``capitals``, small words aside; ``title`` where it begins with one; else ``lower``."""
    if not any(character.islower() for character in _SMALL.sub("", heading)):
        return "capitals"
    return "title" if heading[0].isupper() else "lower"
