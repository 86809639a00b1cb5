"""Words and signs of a text as they are compared, and their places in the raw text."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import NamedTuple

from radharmony_core.reports.fold import fold_text

__all__ = ["Tokens", "find_runs", "raw_tokens", "tokens_of"]

# Combining marks, and characters without width: they belong to the word around them.
_MARKS = "\u00ad\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\ufe20-\ufe2f\ufeff"
_TOKEN = re.compile(
    rf"_{{2,}}"  # what was de-identified, also as a part of a word: ___F
    rf"|\d+(?:[.,]\d+)+(?:(?!__)[\w{_MARKS}])*"  # 3.5 is no 3 and no 5
    rf"|(?:(?!__)[\w{_MARKS}])+"
    rf"|[^\w\s{_MARKS}][{_MARKS}]*"
    r"|\s"
)


class Tokens(NamedTuple):
    """Folded words and signs in order, without white space, and where each begins and ends in the raw text."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def raw_tokens(text: str) -> tuple[list[str], list[int]]:
    """Words, signs and white space as they stand, and where each begins; nothing of ``text`` is left out."""
    matches = list(_TOKEN.finditer(text))
    return [match.group() for match in matches], [match.start() for match in matches]


@lru_cache(maxsize=16)
def tokens_of(text: str) -> Tokens:
    """The tokens of ``text`` as they are compared. Blanks do not count: ``right-\\n sided`` is ``right-sided``."""
    found = [(folded, *match.span()) for match in _TOKEN.finditer(text) if (folded := _fold(match.group()))]
    words, starts, ends = zip(*found, strict=True) if found else ((), (), ())
    return Tokens(words, starts, ends)


@lru_cache(maxsize=1 << 16)
def _fold(token: str) -> str:
    return fold_text(token)


def find_runs(wanted: list[str] | tuple[str, ...], tokens: list[str] | tuple[str, ...], most: int) -> list[int]:
    """The first ``most`` places of the run ``wanted`` in ``tokens``, each in time proportional to both.

    Each token of ``wanted`` becomes one character, so that a search for text finds whole tokens only. With more different ones
    than there are characters it is not looked for.
    """
    if not wanted or len(wanted) > len(tokens) or len(set(wanted)) > sys.maxunicode:
        return []
    signs = {token: chr(number) for number, token in enumerate(dict.fromkeys(wanted), start=1)}
    text, run = "".join(signs.get(token, "\0") for token in tokens), "".join(signs[token] for token in wanted)
    places: list[int] = []
    place = text.find(run)
    while place >= 0 and len(places) < most:
        places.append(place)
        place = text.find(run, place + 1)
    return places
