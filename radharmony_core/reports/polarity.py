"""Whether a mention in a report is affirmed, denied or left open.

Cues and their reach after NegEx (Chapman et al. 2001, https://doi.org/10.1006/jbin.2001.1029) and ConText (Harkema et al. 2009,
https://doi.org/10.1016/j.jbi.2009.05.002), with lists for chest reports in English and French.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Literal

from radharmony_core.errors import ReportError
from radharmony_core.reports.cues import cues_of
from radharmony_core.reports.fold import fold_with_places
from radharmony_core.reports.languages import check_language
from radharmony_core.reports.reach import Reading
from radharmony_core.reports.sentences import sentence_around

__all__ = ["Polarity", "polarity"]

Polarity = Literal["affirmed", "negated", "uncertain"]

_A_WORD_AT_MOST = re.compile(r" ?(?:[\w']+ )?")
_ASKING = re.compile(r"(?:^|[\s(:])\?\s*$")


def polarity(report: str, start: int, end: int, language: str = "en") -> Polarity:
    """Whether ``report[start:end]`` is said to be there (``affirmed``), said not to be (``negated``), or neither (``uncertain``).

    A normal structure (*heart size is normal*) counts as negated: a search for the finding does not want it. A cue at the
    beginning or the end of the mention counts too, so *no effusion* is negated as a mention. Of a denial and a doubt the denial
    wins (*no suspicious nodule*), unless the doubt is about the denial (*probably no effusion*). What a clinician asks for
    (*evaluate for pneumonia*) and what ends in a question mark is uncertain; *history of* is affirmed. Raises ReportError for a
    place outside of the text, and for a language other than ``en`` and ``fr``.
    """
    check_language(language)
    if not 0 <= start <= end <= len(report):
        raise ReportError(f"Expected a place within the report's {len(report)} characters; got {start} to {end}.")
    sentence = sentence_around(report, start, end, language)
    folded = fold_with_places(report[sentence.start : sentence.end])
    first = bisect_right(folded.ends, start - sentence.start)
    last = max(first, bisect_left(folded.starts, end - sentence.start))
    cues = tuple(cues_of(language).find(folded.text))
    reading = Reading(folded.text, first, last, cues_of(language), cues)
    negations = [number for number, cue in enumerate(cues) if reading.reaches(cue, "negation")]
    if any(not _is_doubted(reading, number) for number in negations):
        return "negated"
    if negations or any(reading.reaches(cue, "uncertainty") for cue in cues):
        return "uncertain"
    asked = _ASKING.search(report[max(0, sentence.start - 3) : sentence.start]) or _ASKING.search(folded.text[:first])
    return "uncertain" if asked or folded.text.endswith("?") else "affirmed"


def _is_doubted(reading: Reading, number: int) -> bool:
    """Whether a doubt stands right before a denial: *probably no effusion*, *may not represent pneumonia*."""
    if not number:
        return False
    before, denial = reading.cues[number - 1], reading.cues[number]
    if before.end <= reading.first < denial.start or not any(kind.startswith("uncertainty") for kind in before.kinds):
        return False
    return bool(_A_WORD_AT_MOST.fullmatch(reading.text, before.end, denial.start))
