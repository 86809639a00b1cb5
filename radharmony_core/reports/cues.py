"""The words that deny a finding or leave it open, and where their reach ends, from ``cues_en.toml`` and ``cues_fr.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from radharmony_core.reports.fold import fold_text
from radharmony_core.reports.languages import read_rules

__all__ = ["Cue", "Cues", "cues_of"]

_CHOICE = re.compile(r"\[([^\]]*)\]|\(([^)]*)\)")
_LIST = re.compile(r"<\w+>")
_WORD = re.compile(r"\w+(?:/\w+)?'?")
_DOTS = re.escape(" ... ")
_PSEUDO = frozenset({"pseudo"})
_SOME_WORDS = r"(?:(?!(?:and|but|et|mais|or|ou) )[^\s,;:.()]+ ){0,3}?"


class Cue(NamedTuple):
    """A cue at ``text[start:end]``: ``kinds`` are all it may be (``negation before``, ``uncertainty after``, ``pseudo``,
    ``ends``); before a word it reaches ``reach`` words, 0 for all of its part."""

    start: int
    end: int
    kinds: frozenset[str]
    reach: int


@dataclass(frozen=True, slots=True)
class Cues:
    """One language's cues by their first word, and the words that decide how far a cue reaches."""

    by_word: dict[str, list[tuple[re.Pattern[str], frozenset[str], int]]]
    soft: re.Pattern[str]
    joins: re.Pattern[str]
    continues: re.Pattern[str]
    statements: re.Pattern[str]
    qualities: re.Pattern[str]
    anywhere: re.Pattern[str]
    closings: re.Pattern[str]
    leads: frozenset[str]
    comma_ends: bool

    def find(self, text: str) -> list[Cue]:
        """The cues of a folded sentence, in order and without overlaps: of several at one word the longest."""
        found: list[Cue] = []
        for word in _WORD.finditer(text):
            if found and word.start() < found[-1].end:
                continue
            matches = [
                (match.end(), kinds, reach)
                for pattern, kinds, reach in self.by_word.get(word.group(), ())
                if (match := pattern.match(text, word.start()))
            ]
            if matches:
                end = max(end for end, _, _ in matches)
                kinds = frozenset().union(*(kinds for one, kinds, _ in matches if one == end))
                reach = max(reach for one, _, reach in matches if one == end)
                found.append(Cue(word.start(), end, _PSEUDO if "pseudo" in kinds else kinds, reach))
        return found


@lru_cache(maxsize=4)
def cues_of(language: str) -> Cues:
    """The cues of ``language``."""
    rules = _written_out(read_rules(f"cues_{language}"))
    scope = rules["scope"]
    return Cues(
        by_word=_by_first_word(rules),
        soft=_any_of(scope["soft"]),
        joins=_any_of(scope["joins"]),
        continues=_any_of(scope["continues"]),
        statements=_any_of(scope["statements"]),
        qualities=_any_of(scope["qualities"]),
        anywhere=_any_of(scope["anywhere"]),
        closings=_any_of(scope["closings"]),
        leads=frozenset(map(fold_text, scope["leads"])),
        comma_ends=scope["comma"] == "ends",
    )


def _written_out(rules: dict[str, Any]) -> dict[str, Any]:
    """The rules with each ``<seen>`` replaced by the words of that list, as a choice."""
    lists = {f"<{name}>": f"[{'|'.join(words)}]" for name, words in rules["words"].items()}

    def written(value: Any) -> Any:
        if isinstance(value, list):
            return [_LIST.sub(lambda name: lists[name.group()], one) for one in value]
        return {key: written(one) for key, one in value.items()} if isinstance(value, dict) else value

    return {key: written(value) for key, value in rules.items() if key != "words"}


def _by_first_word(rules: dict[str, Any]) -> dict[str, list[tuple[re.Pattern[str], frozenset[str], int]]]:
    near = rules["negation"]["near"]
    found: dict[str, list[tuple[re.Pattern[str], frozenset[str], int]]] = {}
    for kind, cue in _listed(rules):
        entry = (re.compile(_pattern(cue)), frozenset({kind}), near.get(cue, 0) if kind == "negation before" else 0)
        for word in _first_words(cue):
            found.setdefault(word, []).append(entry)
    return found


def _listed(rules: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for kind in ("negation", "uncertainty"):
        for side in ("before", "after", "last", "answer"):
            yield from ((f"{kind} {side}", cue) for cue in rules[kind].get(side, ()))
    yield from (("pseudo", cue) for cue in rules["pseudo"]["cues"])
    yield from (("ends", cue) for cue in rules["scope"]["ends"])


def _pattern(cue: str) -> str:
    """The regular expression of one cue, ``[a|b]`` either, ``(s)`` with or without, ``...`` up to three words."""
    text = fold_text(cue)
    parts = []
    done = 0
    for choice in _CHOICE.finditer(text):
        either, maybe = choice.groups()
        parts.append(re.escape(text[done : choice.start()]))
        parts.append(f"(?:{re.escape(maybe)})?" if either is None else f"(?:{'|'.join(map(re.escape, either.split('|')))})")
        done = choice.end()
    whole = "".join([*parts, re.escape(text[done:])])
    whole = whole.replace(_DOTS, rf"(?: |(?<=') ?){_SOME_WORDS}")
    return rf"(?<!\w){whole}(?:(?<=')|(?!\w))"


def _first_words(cue: str) -> set[str]:
    """What the first word of a cue may be, its choices written out as far as that word goes."""
    written = [""]
    done = 0
    text = fold_text(cue)
    for choice in _CHOICE.finditer(text):
        either, maybe = choice.groups()
        options = ["", maybe] if either is None else either.split("|")
        written = [one + text[done : choice.start()] + option for one in written for option in options]
        done = choice.end()
        if all(" " in one.lstrip() for one in written):
            return {first.group() for one in written if (first := _WORD.search(one))}
    return {first.group() for one in written if (first := _WORD.search(one + text[done:]))}


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(_pattern, sorted(words, key=len, reverse=True))) or r"(?!)")
