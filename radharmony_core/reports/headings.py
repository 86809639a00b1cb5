"""Which section a heading begins, by the lists in ``headings_en.toml`` and ``headings_fr.toml``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from radharmony_core.reports.fold import fold_text
from radharmony_core.reports.languages import read_rules

__all__ = ["Headings", "headings_of"]

_JOINTS = re.compile(r"\s*(?:[/&+,]|\band\b|\bet\b)\s*")
_WORDS = re.compile(r"[\w'-]+")
_BESIDE = frozenset({"findings", "impression"})  # FINDINGS IMPRESSION
_SHORTEST_WITH_TYPO = 5  # letters; AP: and CT: are no misspelt heading
_TWO_TYPOS = 9  # letters, from which on two may be wrong


@dataclass(frozen=True)
class Headings:
    """One language's headings: folded heading -> section name, longest first; ``views`` and ``beside_views`` make a view's title,
    ``around`` are the words beside a heading's own, ``never`` real words that are no misspelt heading."""

    names: dict[str, str]
    views: frozenset[str]
    beside_views: frozenset[str]
    around: frozenset[str]
    never: frozenset[str]

    @cached_property
    def known(self) -> frozenset[str]:
        """The names of sections that a heading of the lists can begin."""
        return frozenset(self.names.values())

    def name(self, heading: str, typos: int) -> str | None:
        """The section that one folded heading begins, up to ``typos`` letters wrong: added, missing, changed or swapped."""
        known = self.names.get(heading)
        if known or not typos or len(heading) < _SHORTEST_WITH_TYPO or heading in self.never:
            return known
        most = typos if len(heading) >= _TWO_TYPOS else 1
        near = process.extractOne(heading, self.names.keys(), scorer=OSA.distance, score_cutoff=most)
        return self.names[near[0]] if near and len(near[0]) >= _SHORTEST_WITH_TYPO else None

    def joined(self, heading: str, typos: int) -> tuple[str, ...]:
        """The section or sections of ``FINDINGS``, ``FINDINGS AND IMPRESSION`` and the like, in order; empty where it is none."""
        whole = self.name(heading, typos)
        if whole:
            return (whole,)
        parts = [self.name(part, typos) for part in _JOINTS.split(heading)]
        beside = tuple(self.names.get(word, "") for word in heading.split(" ")) if len(parts) == 1 else ()
        if len(beside) == len(_BESIDE) and _BESIDE.issuperset(beside):
            return tuple(dict.fromkeys(beside))
        found = [part for part in parts if part]
        return tuple(dict.fromkeys(found)) if len(parts) == len(found) > 1 else ()

    def surrounded(self, heading: str) -> str | None:
        """The section of a heading inside others' words, ``additional clinical history provided``: its longest heading's."""
        words = _WORDS.findall(heading)
        if self.around.isdisjoint(words):
            return None
        padded = f" {' '.join(words)} "
        for known in self.names:
            before, inside, after = padded.partition(f" {known} ")
            if inside and self.around.issuperset([*before.split(), *after.split()]):
                return self.names[known]
        return None

    def is_view(self, heading: str) -> bool:
        """Whether it is a title of the views taken, ``portable ap chest``."""
        words = set(_WORDS.findall(heading.replace("&", "and")))
        return bool(words & self.views) and words <= self.views | self.beside_views


@lru_cache(maxsize=4)
def headings_of(language: str) -> Headings:
    """The headings of ``language``; in French texts English ones count too."""
    names: dict[str, str] = {}
    words: dict[str, set[str]] = {"view": set(), "other": set(), "around": set(), "never": set()}
    for one in dict.fromkeys(("en", language)):
        rules = read_rules(f"headings_{one}")
        names |= {fold_text(heading): name for name, some in rules["names"].items() for heading in some}
        for key, table in (("view", "titles"), ("other", "titles"), ("around", "around"), ("never", "never")):
            words[key] |= {fold_text(word) for word in rules[table]["words" if table != "titles" else key]}
    sets = (frozenset(words[key]) for key in ("view", "other", "around", "never"))
    longest_first = dict(sorted(names.items(), key=lambda item: -len(item[0])))
    return Headings(longest_first, *sets)
