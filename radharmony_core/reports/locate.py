"""Finding an annotated phrase in its report. Annotators edit phrases, so "not found" is an answer, and it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["PhraseMatch", "locate_phrase"]


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """``report[start:end]`` is the phrase's place in the raw text. ``grade`` is ``exact`` or ``folded`` (letter case, white
    space and line wraps aside); ``score`` is 0..1, 1 for both."""

    start: int
    end: int
    grade: str
    score: float


def locate_phrase(phrase: str, report: str) -> PhraseMatch | None:
    """The first place of ``phrase`` in ``report`` as whole words, exact before folded; None where it does not stand there."""
    words = phrase.split()
    if not words:
        return None
    for grade, pattern, flags in (
        ("exact", re.escape(phrase.strip()), 0),
        ("folded", r"\s+".join(map(re.escape, words)), re.IGNORECASE),
    ):
        found = re.search(rf"(?<!\w){pattern}(?!\w)", report, flags)
        if found:
            return PhraseMatch(found.start(), found.end(), grade, 1.0)
    return None
