"""Whether a mention in a report is affirmed, denied or left open.

Cues and their reach after NegEx (Chapman et al. 2001, https://doi.org/10.1006/jbin.2001.1029) and ConText (Harkema et al. 2009,
https://doi.org/10.1016/j.jbi.2009.05.002), with lists for chest reports in English and French.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from operator import index
from typing import Literal

from radharmony_core.errors import ReportError
from radharmony_core.reports.cues import Cue, cues_of
from radharmony_core.reports.fold import Folded, fold_with_places
from radharmony_core.reports.languages import check_language, check_text
from radharmony_core.reports.reach import Reading
from radharmony_core.reports.sentences import sentence_around

__all__ = ["Polarity", "polarity"]

Polarity = Literal["affirmed", "negated", "uncertain"]

_LINE_END = re.compile(r"[\n\r\u2028\u2029]")
_A_WORD_AT_MOST = re.compile(r" ?(?:[\w']+ )?")
_ASKING = re.compile(r"(?:^|[\s(:])\?\s*$")
_ASKED_BEFORE = re.compile(r"(?:\A|[.:;(/\n\r])\s*\?\s*\Z")  # a question mark before what it asks for stands behind no word
_ASKED_BETWEEN = re.compile(r"\s\?\s*\Z")  # *cough ? pneumonia*; French has a blank before every question mark
_NEAR = 30  # characters before a sentence that are looked at for a question mark
_LONGEST_MENTION = 1600  # characters; of a longer one its beginning tells


def polarity(report: str, start: int, end: int, language: str = "en") -> Polarity:
    """Whether ``report[start:end]`` is said to be there (``affirmed``), said not to be (``negated``), or neither (``uncertain``).

    A normal structure (*heart size is normal*) counts as negated: a search for the finding does not want it. A cue at the
    beginning or the end of the mention counts too, so *no effusion* is negated as a mention. Of a denial and a doubt the denial
    wins (*no suspicious nodule*), unless the doubt is about the denial (*probably no effusion*). What a clinician asks for
    (*evaluate for pneumonia*) and what ends in a question mark is uncertain; *history of* is affirmed. So is what a doubt or a
    denial leaves there: *no increase in the effusion*, *CT to evaluate the nodule further*, *not seen on the prior film*, a
    device that is normal. Of a mention of more than 1,600 characters its beginning tells. Raises ReportError for what is no
    text, a place outside of it or not in whole numbers, and for a language other than ``en`` and ``fr``.
    """
    check_language(language)
    check_text(report)
    start, end = _offsets(report, start, end)
    sentence = sentence_around(report, start, end, language)
    folded = fold_with_places(report[sentence.start : sentence.end])
    first = bisect_right(folded.ends, start - sentence.start)
    last = max(first, bisect_left(folded.starts, end - sentence.start))
    cues = _cues(language, folded.text)
    reading = Reading(folded.text, first, last, cues_of(language), cues, _line_ends(folded, report, sentence.start))
    if reading.is_marked_absent:
        return "negated"
    negations = [number for number, cue in enumerate(cues) if reading.reaches(cue, "negation")]
    if any(not _is_doubted(reading, number) for number in negations):
        return "negated"
    if negations or any(reading.reaches(cue, "uncertainty") for cue in cues):
        return "uncertain"
    asked = _is_asked_before(report, sentence.start, language) or _ASKING.search(folded.text[:first])
    return "uncertain" if asked or reading.is_asked else "affirmed"


@lru_cache(maxsize=64)  # the words of one phrase are asked for in one sentence
def _cues(language: str, text: str) -> tuple[Cue, ...]:
    return tuple(cues_of(language).find(text))


def _is_asked_before(report: str, place: int, language: str) -> bool:
    begin = max(0, place - _NEAR)
    before = report[begin:place] if begin == 0 else f"x{report[begin:place]}"
    goes_on = language == "en" and report[place : place + _NEAR].lstrip()[:1].islower()
    return bool(_ASKED_BEFORE.search(before) or (goes_on and _ASKED_BETWEEN.search(before)))


def _offsets(report: str, start: int, end: int) -> tuple[int, int]:
    try:
        start, end = index(start), index(end)
    except TypeError:
        raise ReportError(f"Expected two whole numbers as a place in the report; got {start!r} and {end!r}.") from None
    if not 0 <= start <= end <= len(report):
        raise ReportError(f"Expected a place within the report's {len(report)} characters; got {start} to {end}.")
    return start, min(end, start + _LONGEST_MENTION)


def _line_ends(folded: Folded, report: str, begin: int) -> tuple[int, ...]:
    """The blanks of a folded sentence that are line ends in the report."""
    blanks = (place for place, letter in enumerate(folded.text[:-1]) if letter == " " and place)
    return tuple(
        place for place in blanks if _LINE_END.search(report, begin + folded.ends[place - 1], begin + folded.starts[place + 1])
    )


def _is_doubted(reading: Reading, number: int) -> bool:
    """Whether a doubt stands right before a denial: *probably no effusion*, *may not represent pneumonia*."""
    if not number:
        return False
    before, denial = reading.cues[number - 1], reading.cues[number]
    if before.end <= reading.first < denial.start or not any(kind.startswith("uncertainty") for kind in before.kinds):
        return False
    return bool(_A_WORD_AT_MOST.fullmatch(reading.text, before.end, denial.start))
