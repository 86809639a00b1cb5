"""How far a cue reaches in its sentence: to the end of the clause, over the items of a list, not into the next statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from radharmony_core.reports.cues import Cue, Cues

__all__ = ["Reading"]

_SIGNS = re.compile(r"[;()]|:(?!\d)|,(?!\d)| -+ |--+")
_HARD_SIGNS = (";", ":")
_LIST_SIGNS = (",", "and", "et")
_PLURAL = re.compile(r"(?:are|were|have|appear|remain|sont|ont|ne sont|ne peuvent|n'ont)\b|.*[sx]$")
_SAYING = frozenset(f"{kind} {side}" for kind in ("negation", "uncertainty") for side in ("before", "after", "last"))


class _Break(NamedTuple):
    """Where a part of the sentence ends and the next begins; a hard one ends every reach."""

    start: int
    end: int
    is_hard: bool


@dataclass(frozen=True)
class Reading:
    """One folded sentence, the mention ``text[first:last]`` in it, and the cues of the sentence."""

    text: str
    first: int
    last: int
    rules: Cues
    cues: tuple[Cue, ...]

    def reaches(self, cue: Cue, kind: str) -> bool:
        """Whether ``cue``, as a ``negation`` or an ``uncertainty``, speaks of the mention, which may be a part of it (*not
        enlarged*)."""
        if cue.start < self.first < self.last <= cue.end:
            return any(one.startswith(kind) for one in cue.kinds)
        if f"{kind} before" in cue.kinds and self._before(cue):
            return True
        if f"{kind} after" in cue.kinds or (f"{kind} last" in cue.kinds and self._is_last(cue)):
            return self._after(cue)
        return f"{kind} answer" in cue.kinds and self._answers(cue)

    @cached_property
    def _breaks(self) -> list[_Break]:
        signs = [_Break(*match.span(), match.group() in _HARD_SIGNS) for match in _SIGNS.finditer(self.text)]
        ends = [_Break(cue.start, cue.end, True) for cue in self.cues if "ends" in cue.kinds and not cue.kinds & _SAYING]
        inside = [cue for cue in self.cues if "ends" not in cue.kinds]
        soft = [
            _Break(*match.span(), False)
            for match in self.rules.soft.finditer(self.text)
            if not any(cue.start <= match.start() < cue.end for cue in inside)
        ]
        return sorted([*signs, *ends, *soft])

    def _between(self, start: int, end: int) -> list[_Break]:
        return [one for one in self._breaks if start <= one.start < end]

    def _before(self, cue: Cue) -> bool:
        """From a cue forward to the mention; a colon right after the cue is none (*negative for: effusion*)."""
        if cue.start >= self.first:
            inside = cue.end <= self.last and cue.start < self.last
            return inside and self.rules.leads.issuperset(re.findall(r"[\w']+", self.text[self.first : cue.start]))
        if cue.end > self.first:
            return False
        breaks = self._between(cue.end, self.first)
        if cue.reach and (breaks or len(self.text[cue.end : self.first].split()) >= cue.reach):
            return False
        for one in breaks:
            if one.is_hard and (self.text[one.start] != ":" or self.text[cue.end : one.start].strip()):
                return False
            if not one.is_hard and not self._goes_on(one):
                return False
        return True

    def _goes_on(self, one: _Break) -> bool:
        """Whether the part behind a soft break is one more item of the list before it."""
        part = self.text[one.end : self._next_break(one.end)].strip()
        if not part or self.rules.continues.match(part):
            return True
        sign = self.text[one.start : one.end]
        if sign == "," and self.rules.comma_ends:
            return False
        end = self._next_break(one.end)
        if any(one.end <= cue.start < end and cue.kinds & _SAYING for cue in self.cues):
            return False
        part = self.rules.closings.sub("", part)
        if self.rules.statements.match(part) or self.rules.anywhere.search(part):
            return False
        return not self.rules.qualities.match(part) or (sign == "," and self._closes_with_or(one))

    def _closes_with_or(self, one: _Break) -> bool:
        """*no large effusion, left pneumothorax or edema*: before the clause ends, and without a verb."""
        hard = next((later.start for later in self._breaks if later.is_hard and later.start >= one.end), len(self.text))
        rest = self.text[one.end : hard]
        joint = self.rules.joins.search(rest)
        return joint is not None and not self.rules.anywhere.search(self.rules.closings.sub("", rest))

    def _next_break(self, place: int) -> int:
        return next((later.start for later in self._breaks if later.start >= place), len(self.text))

    def _after(self, cue: Cue) -> bool:
        """From a cue back to the mention; over a list only where the cue speaks of several (*A and B are absent*)."""
        last = self.last
        if cue.start < self.last:
            if cue.start < self.first or self.text[cue.end : self.last].strip(" ."):
                return False
            last = self.first
        breaks = self._between(last, cue.start)
        if len(breaks) == 1 and self._is_colon_before(breaks[0], cue):
            return True
        if any(one.is_hard or self.text[one.start : one.end] not in _LIST_SIGNS for one in breaks):
            return False
        return not breaks or (bool(_PLURAL.match(self.text[cue.start : cue.end])) and self._is_bare(breaks, cue))

    def _is_bare(self, breaks: list[_Break], cue: Cue) -> bool:
        """Whether the mention and what follows it up to ``cue`` are items of a list closed by *and*, none of them a statement."""
        if self.text[breaks[-1].start] == ",":
            return False
        begin = max((one.end for one in self._breaks if one.end <= self.first), default=0)
        ends = [one.start for one in breaks]
        starts = [begin, *(one.end for one in breaks)]
        for start, end in zip(starts, [*ends, cue.start], strict=True):
            part = self.text[start:end].strip()
            saying = any(start <= one.start < end and one.kinds & _SAYING for one in self.cues)
            if saying or self.rules.anywhere.search(part) or (start > begin and self.rules.statements.match(part)):
                return False
        return True

    def _answers(self, cue: Cue) -> bool:
        """*Pneumothorax: none.*"""
        breaks = self._between(self.last, cue.start)
        return cue.start >= self.last and len(breaks) == 1 and self._is_colon_before(breaks[0], cue)

    def _is_last(self, cue: Cue) -> bool:
        return not self.text[cue.end : self._next_break(cue.end)].strip(" .?!")

    def _is_colon_before(self, one: _Break, cue: Cue) -> bool:
        return self.text[one.start] == ":" and not self.text[one.end : cue.start].strip()
