"""Sentences of a report, as places in its raw text.

A line's end is no sentence's end: MIMIC-CXR breaks lines at 79 characters. CASIA-CXR joins the sentences of a cell by ``./``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from radharmony_core.reports.languages import check_language, check_text
from radharmony_core.reports.lines import BLANKS, LINE_END

__all__ = ["Span", "sentence_around", "split_sentences"]

_STOP = r"""(?<![.!?])[.!?]++["'”’»)\]]*+"""  # from the run's first sign on, so that a long run is read once
_LINES = (
    rf"(?P<blank>{LINE_END}{BLANKS}{LINE_END})"
    rf"|(?P<item>{LINE_END}(?={BLANKS}(?:[-*•·][^\S\n\r]|\d{{1,2}}[.)][^\S\n\r])))"
    rf"|(?P<early>{LINE_END}(?={BLANKS}[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]))"
)
_GLUED = (  # a blank left out: "pneumothorax.Left", "ÉPANCHEMENT.CŒUR"
    r"(?<=[a-zà-öø-ÿ]{2})[.!?](?=[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿœ']|[A-ZÀ-ÖØ-Þ] [a-zà-öø-ÿ])"
    r"|(?<=[A-ZÀ-ÖØ-Þ]{3})[.](?=[A-ZÀ-ÖØ-Þ]{2}[A-ZÀ-ÖØ-ÞŒ ])"
)
_ENDS = {
    "en": re.compile(rf"{_STOP}(?=\s|$)|{_GLUED}|{_LINES}"),
    "fr": re.compile(rf"{_STOP}(?:\s*+/++|(?=\s|$))|{_GLUED}|(?<=[a-zà-öø-ÿ]{{3}})/(?=[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿœ]{{2}})|{_LINES}"),
}
_MARK = re.compile(r"(?P<before>\s*)(?:(?:[-*•·]|(?P<number>[0-9]{1,2})[.)])(?=\s)\s*|[-•·](?=[^\W\d]))")
_NUMBER = re.compile(r"\s*(?:[-*•·]\s*)?\d{1,2}\s*")
_WORD_BEFORE = re.compile(r"[\w.]*\Z")
_LONGEST_ABBREVIATION = 8
_ABBREVIATIONS = frozenset(
    ("approx", "cf", "dr", "drs", "e.g", "eg", "fig", "i.e", "ie", "m", "mme", "mr", "mrs", "ms", "pr", "prof", "st", "vs")
)  # fmt: skip
_BEFORE_A_CAPITAL = {"a.m", "am", "env", "ex", "p.m", "pm"}  # these end a sentence only where a capital follows
_FULL = 60  # characters; a line of fewer ends where its writer ended it. The datasets' own lines have up to 79
_AROUND = 800  # characters; a sentence of a report is shorter, and a search through a longer one has to end


class Span(NamedTuple):
    """``text[start:end]``."""

    start: int
    end: int


def split_sentences(text: str, language: str = "en") -> list[Span]:
    """The sentences of ``text``, in order, without white space and list marks (``1.  ``, ``- ``, a last ``/``) around them.

    Abbreviations, decimals, ``1/3`` and ``et/ou`` end none; a blank line, the next item of a list, and a short line before a
    capital do. Raises ReportError for what is no text, and for a language other than
    ``en`` and ``fr``.
    """
    check_language(language)
    check_text(text)
    spans = []
    begin = number = 0
    ends = [match.end() for match in _sentence_ends(text, language)]
    for end in [*ends, len(text)]:
        mark = _list_mark(text, begin, end, number)
        if mark and mark.group("number"):
            number = int(mark.group("number"))
        spans.append(_trimmed(text, mark.end() if mark else begin, end, language))
        begin = end
    return [span for span in spans if span.start < span.end]


def _sentence_ends(text: str, language: str) -> Iterator[re.Match[str]]:
    begin = 0
    for match in _ENDS[language].finditer(text):
        if _is_end(text, begin, match):
            yield match
            begin = match.end()


def _list_mark(text: str, begin: int, end: int, number: int) -> re.Match[str] | None:
    """The list mark that a sentence begins with; inside a line a number is one only where it goes on from ``number``."""
    mark = _MARK.match(text, begin, end)
    if mark is None or not mark.group("number"):
        return mark
    begins_line = not text[:begin].strip() or "\n" in mark.group("before") or "\r" in mark.group("before")
    return mark if begins_line or int(mark.group("number")) in (1, number + 1) else None


def sentence_around(text: str, start: int, end: int, language: str) -> Span:
    """The sentence, or the several, in which ``text[start:end]`` stands; at most 800 characters to each side of it."""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    for match in _ENDS[language].finditer(text, first, last):
        if match.end() > start and match.start() < end:
            continue
        if _is_end(text, first, match):
            if match.start() >= end:
                return Span(first, match.end())
            first = match.end()
    return Span(first, last)


def _is_end(text: str, begin: int, match: re.Match[str]) -> bool:
    """Whether a sentence that began at ``begin`` ends at ``match``: not at its number, an abbreviation, a full line."""
    place = match.start()
    if match.lastgroup == "early":
        since = max(0, place - _FULL)
        line = place - max(text.rfind("\n", since, place), text.rfind("\r", since, place), since - 1)
        return line < _FULL and text[place - 1 : place] not in (",", ";")
    if match.lastgroup or text[place] != ".":
        return True
    if _NUMBER.fullmatch(text, begin, place):
        return False
    word = _WORD_BEFORE.search(text, max(begin, place - _LONGEST_ABBREVIATION), place)
    abbreviation = word.group().casefold() if word else ""
    following = text[match.end() : match.end() + 4].lstrip()[:1]
    if abbreviation in _BEFORE_A_CAPITAL:
        return not following or following.isupper()
    return abbreviation not in _ABBREVIATIONS and not (abbreviation == "no" and following.isdigit())


def _trimmed(text: str, begin: int, end: int, language: str) -> Span:
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and (text[end - 1].isspace() or (language == "fr" and text[end - 1] == "/")):
        end -= 1
    return Span(begin, end)
