"""Whether two wordings may say the same: sides, denials and numbers kept, opposites not exchanged. Lists in ``meaning.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from radharmony_core.reports.fold import GAP
from radharmony_core.reports.languages import read_rules

__all__ = ["Meaning", "meaning"]

_SHORTEST_ROOT = 5  # letters; "able" and "unable" are not what the rule about opposites is for


@dataclass(frozen=True, slots=True)
class Meaning:
    """Folded words: ``kept`` ones with what they mean, ``apart`` ones with (group, meaning), the ``needed`` among these, and
    ``small`` ones."""

    kept: dict[str, str]
    apart: dict[str, frozenset[tuple[str, int]]]
    needed: frozenset[str]
    small: frozenset[str]
    prefixes: tuple[str, ...]

    def kept_as(self, word: str) -> str | None:
        """What a word means that must be neither lost nor added, a number itself; None for any other word."""
        return self.kept.get(word) or (word if any(character.isdigit() for character in word) else None)

    def may_stand_for(self, one: str, other: str) -> bool:
        """Whether a phrase's word may be exchanged for the report's: not where either must be kept, nor for an opposite."""
        if self.kept_as(one) or self.kept_as(other):
            return self.kept_as(one) == self.kept_as(other)
        if GAP in (one, other):  # what is de-identified is a name, a date, a place: no finding, and nothing of these lists
            return one == other
        mine, theirs = self.apart.get(one, frozenset()), self.apart.get(other, frozenset())
        shared = {group for group, _ in mine} & {group for group, _ in theirs}
        return not (shared and mine.isdisjoint(theirs)) and not self._are_opposites(one, other)

    def means_the_same(self, one: str, other: str) -> bool:
        """Whether the lists have both words in one line."""
        return not self.apart.get(one, frozenset()).isdisjoint(self.apart.get(other, frozenset())) or (
            one in self.kept and self.kept[one] == self.kept.get(other)
        )

    def is_kept(self, phrase: tuple[str, ...], place: tuple[str, ...], beside: tuple[str, ...] = ()) -> bool:
        """Whether ``place`` has the kept words of ``phrase`` in their order, and none of the others was exchanged, neither for a
        word of the place nor for one ``beside`` it."""
        if self._kept_words(phrase) != self._kept_words(place):
            return False
        told, found = self._told(phrase), self._told(place)
        exchanged = {group for group, _ in told - found} & {group for group, _ in (found | self._told(beside)) - told}
        lost, added = set(phrase) - set(place), {*place, *beside} - set(phrase)
        return not exchanged and not any(self._are_opposites(one, other) for one in lost for other in self._near(one, added))

    def _kept_words(self, words: tuple[str, ...]) -> list[str]:
        return [kept for word in words if (kept := self.kept_as(word))]

    def _told(self, words: tuple[str, ...]) -> set[tuple[str, int]]:
        return {told for word in words for told in self.apart.get(word, ())}

    def _near(self, word: str, others: set[str]) -> set[str]:
        """Those of ``others`` that are ``word`` with, without or with another prefix of opposites."""
        return {prefix + root for root in self._roots(word) for prefix in ("", *self.prefixes)} & others

    def _roots(self, word: str) -> set[str]:
        """The word, and what a prefix of opposites leaves of it."""
        bare = {word.removeprefix(prefix) for prefix in self.prefixes if word.startswith(prefix)}
        return {root for root in {word, *bare} if len(root) >= _SHORTEST_ROOT}

    def _are_opposites(self, one: str, other: str) -> bool:
        return one != other and not self._roots(one).isdisjoint(self._roots(other))


@lru_cache(maxsize=1)
def meaning() -> Meaning:
    """The lists, read once."""
    rules = read_rules("meaning")
    kept = {word: f"{group} {number}" for group, number, word in _words(rules["kept"])}
    apart: dict[str, set[tuple[str, int]]] = {}
    for group, number, word in _words(rules["apart"] | rules["needed"]):
        apart.setdefault(word, set()).add((group, number))
    return Meaning(
        kept=kept,
        apart={word: frozenset(some) for word, some in apart.items()},
        needed=frozenset(word for _, _, word in _words(rules["needed"])),
        small=frozenset(rules["small"]["words"]),
        prefixes=tuple(rules["opposites"]["prefixes"]),
    )


def _words(groups: dict[str, list[list[str]]]) -> Iterator[tuple[str, int, str]]:
    yield from ((group, number, word) for group, lines in groups.items() for number, line in enumerate(lines) for word in line)
