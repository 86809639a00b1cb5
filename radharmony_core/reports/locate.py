"""Finding an annotated phrase in its report. Annotators edit phrases, so "not found" is an answer, and it is shown."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["PhraseMatch", "locate_phrase"]


_MOST_PARTS = 200  # places inside of words that are passed over: no report has as many, and no search may take for ever


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """``report[start:end]`` is the phrase's place in the raw text. ``grade`` is ``exact`` or ``folded`` (letter case, white
    space and line wraps aside); ``score`` is 0..1, 1 for both."""

    start: int
    end: int
    grade: str
    score: float


def locate_phrase(phrase: str, report: str) -> PhraseMatch | None:
    """The first place of ``phrase`` in ``report`` as whole words, exact before folded; None where it does not stand there.

    Takes time in proportion to the report's length, whatever the phrase: a phrase that stands in the middle of words more
    than 200 times before it stands alone is not looked for any further.
    """
    exact = phrase.strip()
    if not exact:
        return None
    start = _find_words(exact, report)
    if start >= 0:
        return PhraseMatch(start, start + len(exact), "exact", 1.0)
    wanted, _ = _folded(exact)
    text, places = _folded(report)
    start = _find_words(wanted, text)
    if start < 0:
        return None
    return PhraseMatch(places[start], places[start + len(wanted) - 1] + 1, "folded", 1.0)


@lru_cache(maxsize=32)
def _folded(text: str) -> tuple[str, list[int]]:
    """Letter case folded and runs of white space one blank, and for each character its place in ``text``."""
    characters: list[str] = []
    places: list[int] = []
    for word in re.finditer(r"\S+", text):
        if characters:
            characters.append(" ")
            places.append(word.start() - 1)
        for place, letter in enumerate(word.group(), start=word.start()):
            folded = letter.casefold()  # of one letter there may come two, both from the same place
            characters.append(folded)
            places.extend([place] * len(folded))
    return "".join(characters), places


def _find_words(wanted: str, text: str) -> int:
    """The first place of ``wanted`` that begins and ends at a word's border, or -1."""
    start = text.find(wanted)
    for _ in range(_MOST_PARTS):
        if start < 0 or (_is_border(text, start) and _is_border(text, start + len(wanted))):
            return start
        start = text.find(wanted, start + 1)
    return -1


def _is_border(text: str, place: int) -> bool:
    """Whether a word may begin or end between the characters before and at ``place``."""
    if place in (0, len(text)):
        return True
    before, after = text[place - 1], text[place]
    if unicodedata.combining(after):  # an accent belongs to the letter before it
        return False
    return not (_is_word(before) and _is_word(after))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_" or bool(unicodedata.combining(character))
