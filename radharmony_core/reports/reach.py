"""How far a cue reaches in its sentence: to the end of the clause, over the items of a list, not into the next statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from radharmony_core.reports.cues import Cue, Cues

__all__ = ["Reading"]

_SIGNS = re.compile(r"[;()]|:(?!\d)|,(?!\d)| -+ |--+| / | ?\*+(?: |$)")
_HARD_SIGNS = (";", ":", "*")
_ANSWERING = (":", "-")
_LIST_SIGNS = (",", "and", "et")
_PLURAL = re.compile(r"(?:are|were|have|appear|remain|sont|ont|ne sont|ne peuvent|n'ont)\b|.*[sx]$")
_SAYING = frozenset(f"{kind} {side}" for kind in ("negation", "uncertainty") for side in ("before", "after", "last", "exclusion"))
_CLAUSE_VERB = re.compile(r"(?:is|are|was|were|ha[sd]|have|est|sont|a|ont|n'est|s'est|n'a|se sont)\b")
_ARTICLE = re.compile(r"(?:the|le|la|les) |l'")
_MINUS_BEHIND = re.compile(r"(?: (?!(?:and|with|or|but|et|avec|ou) )[\w'-]+){0,3} ?\(-\)")
_MINUS_BEFORE = re.compile(r"(?:^|[.,;:] ?)\(-\) ?(?:[\w'-]+ ){0,3}$")


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
    line_ends: tuple[int, ...] = ()

    def reaches(self, cue: Cue, kind: str) -> bool:
        """Whether ``cue``, as a ``negation`` or an ``uncertainty``, speaks of the mention, which may be a part of it (*not
        enlarged*)."""
        if cue.start < self.first < self.last <= cue.end:
            return any(one.startswith(kind) for one in cue.kinds)
        if kind == "negation" and self._is_state_of_a_finding(cue):
            return False
        if (f"{kind} before" in cue.kinds or f"{kind} exclusion" in cue.kinds) and self._before(cue):
            return True
        if f"{kind} after" in cue.kinds or (f"{kind} last" in cue.kinds and self._is_last(cue)):
            return self._after(cue)
        return f"{kind} answer" in cue.kinds and self._answers(cue)

    @property
    def is_marked_absent(self) -> bool:
        """*Effusion (-)*, or *(-) effusion*."""
        return bool(_MINUS_BEHIND.match(self.text, self.last) or _MINUS_BEFORE.search(self.text[: self.first]))

    @property
    def is_asked(self) -> bool:
        """Whether the question mark at the sentence's end asks for the mention: *opacity: edema?* does not ask for opacity."""
        if not self.text.endswith("?"):
            return False
        colon = next((one for one in self._between(self.last, len(self.text)) if self.text[one.start] == ":"), None)
        return colon is None or not self.text[colon.end :].strip(" ?")

    def _is_state_of_a_finding(self, cue: Cue) -> bool:
        """*Leads are normal*, *fracture non déplacée*: what is normal or not displaced is denied of a structure, not of these."""
        mention = self.text[self.first : self.last]
        found = self.rules.findings.search(mention) or self.rules.devices.search(mention)
        return bool(found and any(state.end() == cue.end for state in self.rules.states.finditer(self.text, cue.start, cue.end)))

    @cached_property
    def _breaks(self) -> list[_Break]:
        signs = [_Break(*match.span(), match.group().strip()[:1] in _HARD_SIGNS) for match in _SIGNS.finditer(self.text)]
        ends = [
            _Break(cue.start, cue.end, True)
            for cue in self.cues
            if ("ends" in cue.kinds and not cue.kinds & _SAYING) or "uncertainty exclusion" in cue.kinds
        ]
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
        if breaks and self._looks_back(cue, breaks[0]):
            return False
        if cue.reach and (breaks or len(self.text[cue.end : self.first].split()) >= cue.reach):
            return False
        for one in breaks:
            if one.is_hard and (self.text[one.start] != ":" or self.text[cue.end : one.start].strip()):
                return False
            if not one.is_hard and not self._goes_on(one, self.text[cue.end : one.start]):
                return False
        return not any(self._begins_afresh(cue, place) for place in self.line_ends if cue.end <= place < self.first)

    def _looks_back(self, cue: Cue, one: _Break) -> bool:
        """Whether a cue of either side closes its part, and so speaks of what stands before: *pneumonia possible, effusion*."""
        either = any(kind.endswith((" after", " last")) for kind in cue.kinds)
        if self.rules.tags.match(self.text, cue.start):
            return False
        return either and self.text[one.start] != ":" and not self.text[cue.end : one.start].strip()

    def _begins_afresh(self, cue: Cue, place: int) -> bool:
        """Whether a line behind a whole finding begins a statement of its own: *no pneumothorax* / *small effusion*."""
        said, part = self.text[cue.end : place], self.text[place + 1 : self._next_break(place)]
        whole = self.rules.findings.match(said.rpartition(" ")[2])
        return bool(whole and (self.rules.statements.match(part) or self.rules.qualities.match(part)))

    def _goes_on(self, one: _Break, said: str) -> bool:
        """Whether the part behind a soft break is one more item of the list before it, ``said`` what the list has so far."""
        if self.text[one.start] == "," and self.rules.afresh.match(self.text[one.end :].lstrip()):
            return False
        end = self._next_break(one.end)
        part = self.text[one.end : end].strip()
        if not part or self.rules.continues.match(part):
            return True
        if self.rules.genitives.match(part) and self.rules.genitives.search(said):
            return True
        others = (cue for cue in self.cues if one.end <= cue.start < end and not self.rules.joins.match(self.text, cue.start))
        if any(cue.kinds & (_SAYING | {"pseudo"}) for cue in others):
            return False
        part = self.rules.closings.sub("", part)
        if self.rules.statements.match(part) or self.rules.anywhere.search(part):
            return False
        if self.text[one.start : one.end] == ",":
            return self._closes_with_or(one) or not self._is_closed_at_a_comma(said, part)
        is_dash = self.text[one.start : one.end].strip(" -") == ""
        return (
            not is_dash
            and not (self.text[one.start : one.end] == " / " and self.rules.comma_ends)
            and not (self.rules.qualities.match(part))
        )

    def _is_closed_at_a_comma(self, said: str, part: str) -> bool:
        """Whether a list without *or* ends: by the language, after a verb or its *or*, before a quality or a device's place."""
        device = self.rules.devices.search(part) and not self.rules.devices.search(said)
        closed = self.rules.verbs.search(said) or self.rules.joins.search(said)
        return bool(self.rules.comma_ends or device or closed or self.rules.qualities.match(part))

    def _closes_with_or(self, one: _Break) -> bool:
        """*no large effusion, left pneumothorax or edema*: before the clause or the next cue, and without a verb."""
        ends = [later.start for later in self._breaks if later.is_hard]
        ends += [cue.start for cue in self.cues if cue.kinds & _SAYING and not self.rules.joins.match(self.text, cue.start)]
        rest = self.text[one.end : min((end for end in ends if end >= one.end), default=len(self.text))]
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
        if self._is_excepted(last):
            return False
        breaks = self._without_insertion(self._between(last, cue.start), cue)
        if len(breaks) == 1 and self._is_colon_before(breaks[0], cue):
            return True
        if any(state.start() >= last and state.end() <= cue.start for state in self._takers(cue)):
            return False
        if any(one.is_hard or self.text[one.start : one.end] not in _LIST_SIGNS for one in breaks):
            return False
        return not breaks or (bool(_PLURAL.match(self.text[cue.start : cue.end])) and self._is_bare(breaks, cue))

    def _is_excepted(self, last: int) -> bool:
        """*Apart from scarring the lungs are clear*: what is clear is not what was named as an exception."""
        return any(
            cue.end <= self.first and self.rules.exceptions.fullmatch(self.text, cue.start, cue.end)
            for cue in self.cues
            if not self._between(cue.end, last)
        )

    def _takers(self, cue: Cue) -> list[re.Match[str]]:
        """Words that take a doubt for themselves: *opacité d'origine infectieuse probable*."""
        doubt = any(kind.startswith("uncertainty") for kind in cue.kinds)
        return list(self.rules.takers.finditer(self.text, self.first, cue.start)) if doubt else []

    def _without_insertion(self, breaks: list[_Break], cue: Cue) -> list[_Break]:
        """None where they enclose an insertion before a verb (*effusion, seen before, has resolved*), or precede *if any*."""
        if not breaks or any(self.text[one.start : one.end] != "," for one in breaks):
            return breaks
        if self.text[breaks[-1].end : cue.start].strip():
            return breaks
        if len(breaks) == 1:
            return [] if self.rules.tags.match(self.text, cue.start) else breaks
        inside = self.text[breaks[0].end : breaks[-1].start].strip()
        denies = any(kind.startswith("negation") for kind in cue.kinds) and _CLAUSE_VERB.match(self.text, cue.start)
        return [] if len(breaks) == 2 and denies and not self.rules.findings.search(inside) else breaks

    def _is_bare(self, breaks: list[_Break], cue: Cue) -> bool:
        """Whether the mention and what follows it up to ``cue`` are items of a list closed by *and*, none of them a statement."""
        if self.text[breaks[-1].start] == ",":
            return False
        begin = max((one.end for one in self._breaks if one.end <= self.first), default=0)
        ends = [one.start for one in breaks]
        starts = [begin, *(one.end for one in breaks)]
        for start, end in zip(starts, [*ends, cue.start], strict=True):
            part = _ARTICLE.sub("", self.text[start:end].strip())
            saying = any(start <= one.start < end and one.kinds & _SAYING for one in self.cues)
            if saying or self.rules.anywhere.search(part) or (start > begin and self.rules.statements.match(part)):
                return False
        return True

    def _answers(self, cue: Cue) -> bool:
        """*Pneumothorax: none.*, or the answer alone."""
        if self.first <= cue.start < cue.end <= self.last:
            return not self.text[self.first : cue.start].strip() and not self.text[cue.end : self.last].strip(" .")
        breaks = self._between(self.last, cue.start)
        return cue.start >= self.last and len(breaks) == 1 and self._is_colon_before(breaks[0], cue)

    def _is_last(self, cue: Cue) -> bool:
        return not self.text[cue.end : self._next_break(cue.end)].strip(" .?!")

    def _is_colon_before(self, one: _Break, cue: Cue) -> bool:
        return self.text[one.start : one.end].strip()[:1] in _ANSWERING and not self.text[one.end : cue.start].strip()
