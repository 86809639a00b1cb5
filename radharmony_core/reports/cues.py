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
_NOT_INSIDE = r"(?<![\w)'] )"  # at the beginning of a clause, which no word stands before


_LISTS = (
    "soft", "joins", "continues", "afresh", "statements", "qualities", "anywhere", "verbs", "closings", "exceptions", "tags",
    "takers", "genitives", "states",
)  # fmt: skip


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
    afresh: re.Pattern[str]
    statements: re.Pattern[str]
    qualities: re.Pattern[str]
    anywhere: re.Pattern[str]
    verbs: re.Pattern[str]
    closings: re.Pattern[str]
    exceptions: re.Pattern[str]
    tags: re.Pattern[str]
    takers: re.Pattern[str]
    genitives: re.Pattern[str]
    states: re.Pattern[str]
    findings: re.Pattern[str]
    devices: re.Pattern[str]
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
        **{name: _any_of(scope[name]) for name in _LISTS},
        **{name: _beginning_with(rules["nouns"][name]) for name in ("findings", "devices")},
        leads=frozenset(map(fold_text, scope["leads"])),
        comma_ends=scope["comma"] == "ends",
    )


def _written_out(rules: dict[str, Any]) -> dict[str, Any]:
    """The rules with each ``<seen>`` replaced by the words of that list, as a choice or as a part of the choice around it."""
    lists = {f"<{name}>": "|".join(words) for name, words in rules["words"].items()}

    def chosen(name: re.Match[str]) -> str:
        before = name.string[: name.start()]
        is_in_choice = before.count("[") > before.count("]")
        return lists[name.group()] if is_in_choice else f"[{lists[name.group()]}]"

    def written(value: Any) -> Any:
        if isinstance(value, list):
            return [_LIST.sub(chosen, one) for one in value]
        return {key: written(one) for key, one in value.items()} if isinstance(value, dict) else value

    return {key: written(value) for key, value in rules.items() if key != "words"}


def _by_first_word(rules: dict[str, Any]) -> dict[str, list[tuple[re.Pattern[str], frozenset[str], int]]]:
    near = rules["negation"]["near"]
    course = _course_words(rules["gap"])
    found: dict[str, list[tuple[re.Pattern[str], frozenset[str], int]]] = {}
    for kind, cue in _listed(rules):
        entry = (
            re.compile(_pattern(cue, course if kind == "pseudo" else _SOME_WORDS)),
            frozenset({kind}),
            near.get(cue, 0) if kind == "negation before" else 0,
        )
        for word in _first_words(cue):
            found.setdefault(word, []).append(entry)
    return found


def _listed(rules: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for kind in ("negation", "uncertainty"):
        for side in ("before", "after", "last", "answer", "exclusion"):
            yield from ((f"{kind} {side}", cue) for cue in rules[kind].get(side, ()))
    yield from (("pseudo", cue) for cue in rules["pseudo"]["cues"])
    yield from (("ends", cue) for cue in rules["scope"]["ends"])


def _course_words(gap: dict[str, list[str]]) -> str:
    """Up to three words that say how much or since when, for cues about change: *no evidence of change* denies no finding."""
    words = "|".join(map(re.escape, map(fold_text, gap["words"])))
    endings = "|".join(map(re.escape, map(fold_text, gap["endings"])))
    never = "|".join(map(re.escape, map(fold_text, gap["never"])))
    return rf"(?:(?!(?:{never}) )(?:{words}|[\w-]+(?:{endings})) ){{0,3}}?"


def _pattern(cue: str, some_words: str = _SOME_WORDS) -> str:
    """The regular expression of one cue: ``[a|b]`` either, ``(s)`` with or without, ``...`` up to three words, ``#`` a number,
    ``^`` before one that must begin a clause."""
    first = _NOT_INSIDE if cue.startswith("^") else ""
    text = fold_text(cue.removeprefix("^"))
    parts = []
    done = 0
    for choice in _CHOICE.finditer(text):
        either, maybe = choice.groups()
        parts.append(re.escape(text[done : choice.start()]))
        parts.append(f"(?:{re.escape(maybe)})?" if either is None else f"(?:{'|'.join(map(re.escape, either.split('|')))})")
        done = choice.end()
    whole = "".join([*parts, re.escape(text[done:])])
    whole = whole.replace(_DOTS, rf"(?: |(?<=') ?){some_words}").replace(re.escape("#"), r"\d+")
    return rf"{first}(?<!\w){whole}(?:(?<=')|(?!\w))"


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


def _beginning_with(roots: Iterable[str]) -> re.Pattern[str]:
    words = [rf"{re.escape(fold_text(root.rstrip('.')))}{chr(92) + 'b' if root.endswith('.') else ''}" for root in roots]
    return re.compile(rf"\b(?:{'|'.join(words)})")


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(_pattern, sorted(words, key=len, reverse=True))) or r"(?!)")
