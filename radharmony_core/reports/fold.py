"""Texts as they are compared, never as they are shown: case, accents, ligatures, quotes, dashes and white space aside.

Compatibility decomposition (NFKD, Unicode Standard Annex 15) without marks, then the letters and signs of French and English
reports that it leaves apart. A raised or lowered digit stays itself: ``10²`` is not ``102``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["GAP", "Folded", "fold_text", "fold_with_places"]

GAP = "___"  # how MIMIC-CXR writes what was de-identified; longer and shorter runs of underscores are folded to it

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        "œ": "oe",
        "æ": "ae",
        "ø": "o",
        "ł": "l",
        "đ": "d",
    }
)
_KEPT = ("<super>", "<sub>", "<fraction>")
_RUN = re.compile(r"_{2,}")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and, for each of its characters, where the raw ones begin and end that it stands for."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def raw(self, start: int, end: int) -> tuple[int, int]:
        """Where ``text[start:end]``, which is not empty, stands in the raw text, the accents after its last letter included."""
        return self.starts[start], self.ends[end - 1]


def fold_text(text: str) -> str:
    """``text`` as it is compared: white space is one blank, none at the ends. Folding twice changes nothing."""
    if text.isascii():
        return _RUN.sub(GAP, " ".join(text.replace("`", "'").lower().split()))
    return fold_with_places(text).text


@lru_cache(maxsize=64)
def fold_with_places(text: str) -> Folded:
    """The same with the place of each character. White space is placed at its last character, where the next word begins."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    blank = -1
    for place, raw in enumerate(text):
        folded = _letter(raw)
        if folded == " ":
            blank = place
        elif folded:
            if blank >= 0 and letters:
                letters.append(" ")
                starts.append(blank)
                ends.append(blank + 1)
            blank = -1
            letters.append(folded)
            starts += [place] * len(folded)
            ends += [place + 1] * len(folded)
        elif ends and blank < 0:  # a mark belongs to the letter before it
            ends[-1] = place + 1
    return _with_gaps("".join(letters), starts, ends)


def _with_gaps(text: str, starts: list[int], ends: list[int]) -> Folded:
    """Runs of underscores as one `GAP`, whose last character stands for all that the run has more."""
    parts: list[str] = []
    firsts: list[int] = []
    lasts: list[int] = []
    done = 0
    for run in _RUN.finditer(text):
        begin, end = run.span()
        parts += [text[done:begin], GAP]
        firsts += [*starts[done:begin], starts[begin], starts[begin + 1], starts[min(begin + 2, end - 1)]]
        lasts += [*ends[done:begin], ends[begin], ends[begin + 1], ends[end - 1]]
        done = end
    return Folded("".join([*parts, text[done:]]), (*firsts, *starts[done:]), (*lasts, *ends[done:]))


@lru_cache(maxsize=8192)
def _letter(raw: str) -> str:
    """One character as compared: a blank for white space, nothing for a mark or a character without width."""
    if raw.isspace():
        return " "
    if _is_mark(raw):
        return ""
    if unicodedata.decomposition(raw).startswith(_KEPT):
        return raw.casefold()
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", raw.translate(_SIGNS)).casefold())
    plain = "".join(one for one in plain if not _is_mark(one)).translate(_SIGNS)
    return raw.casefold() if " " in plain or not plain else plain  # a spacing accent is no blank


def _is_mark(character: str) -> bool:
    return bool(unicodedata.combining(character)) or unicodedata.category(character) in ("Cf", "Me", "Mn")
