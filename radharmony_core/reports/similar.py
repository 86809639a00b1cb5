"""The places of a report that are most like a phrase, where the phrase itself does not stand.

Sellers' algorithm (https://doi.org/10.1016/0196-6774(80)90016-4) on words: the cheapest alignment of the phrase with any run of
the report's words. A misspelt or inflected word costs little, a lost or exchanged one its weight; what turns the meaning cannot
be bought at all (`meaning`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from radharmony_core.reports.fold import GAP
from radharmony_core.reports.meaning import meaning

__all__ = ["Place", "similar_places"]

Costs = npt.NDArray[np.float64]

LEAST_SCORE = 0.65  # one word of three may be another; measured in tests/reports/test_planted.py
_NEVER = 1e6  # a price beyond any phrase's
_SAME_MEANING = 0.25  # effusion for hydrothorax
_IN_A_GAP = 0.25  # a word that was de-identified
_INSERTED = 0.6  # a word more in the report weighs less than one that is lost
_LEAST_LIKE = 0.79  # of 1; two words less alike are two words: "infusion" is no "effusion"
_SIGN, _NEXT_SENTENCE = 0.1, 0.6
_SMALL_WORD = 0.3
_STOPS = frozenset(".;:?!")
_MOST_CELLS = 60_000_000  # words of the phrase times words of the report; what is larger is not searched
_MOST_PAIRS = 5_000_000  # words of the phrase times different words of the report; above it only equal words are alike
_MOST_PLACES = 50
_BESIDE = 2  # words on each side of a place that may take back what it leaves out


class Place(NamedTuple):
    """The report's words ``first`` to ``last``, the latter not included; ``score`` is 1 less the alignment's share of cost."""

    first: int
    last: int
    score: float


def similar_places(phrase: tuple[str, ...], report: tuple[str, ...]) -> Iterator[Place]:
    """The places whose words are like ``phrase`` and may mean the same, best first, then nearest in length, then earliest.

    Nothing for a phrase without a word, and where words times words is more than 60 million.
    """
    weights = np.array([_weight(word) for word in phrase])
    if not any(word[0].isalnum() for word in phrase) or len(phrase) * len(report) > _MOST_CELLS or not report:
        return
    costs, starts = _align(phrase, report, weights)
    scores = 1 - costs / weights.sum()
    ends = np.flatnonzero(scores >= LEAST_SCORE)
    lengths = np.abs(ends - starts[ends] - len(phrase))
    best = ends[np.lexsort((ends, lengths, costs[ends]))]
    for end in best[:_MOST_PLACES].tolist():
        place = Place(int(starts[end]), end, float(scores[end]))
        for first, last, score in (_with_its_ends(phrase, report, weights, place), place):
            if first < last and meaning().is_kept(phrase, report[first:last], _beside(report, first, last)):
                yield Place(first, last, min(1.0, round(score, 6)))  # the sums are exact to about 0.00001
                break


def _with_its_ends(phrase: tuple[str, ...], report: tuple[str, ...], weights: Costs, place: Place) -> Place:
    """The place with the phrase's first and last word, where these stand behind a word more that costs more than they do."""
    first, last, score = place
    behind = report[last : last + 1 + _BESIDE]
    if report[last - 1] != phrase[-1] and phrase[-1] in behind:
        number = behind.index(phrase[-1])
        last, score = last + number + 1, score + _gained(weights, weights[-1], behind[:number])
    before = report[max(0, first - 1 - _BESIDE) : first][::-1]
    if report[first] != phrase[0] and phrase[0] in before:
        number = before.index(phrase[0])
        first, score = first - number - 1, score + _gained(weights, weights[0], before[:number])
    return Place(first, last, score) if score >= LEAST_SCORE else place


def _gained(weights: Costs, found: float, inserted: tuple[str, ...]) -> float:
    """What it adds to a score to find a word that was lost, behind inserted ones; a stop between is never worth it."""
    return -_NEVER if _STOPS.intersection(inserted) else (found - sum(map(_insertion, inserted))) / float(weights.sum())


def _beside(report: tuple[str, ...], start: int, end: int) -> tuple[str, ...]:
    """The words next to a place in its sentence."""
    before = report[max(0, start - _BESIDE) : start]
    stop = max((number for number, word in enumerate(before, start=1) if word in _STOPS), default=0)
    after = report[end : end + _BESIDE]
    return (*before[stop:], *after[: next((number for number, word in enumerate(after) if word in _STOPS), len(after))])


def _align(phrase: tuple[str, ...], report: tuple[str, ...], weights: Costs) -> tuple[Costs, npt.NDArray[np.int64]]:
    """For every end of a run in ``report``, the cost of the cheapest run that ends there, and where that run begins."""
    vocabulary = _Vocabulary(report, len(phrase))
    inserted = np.array([_insertion(word) for word in vocabulary.words])[vocabulary.numbers]
    before = np.concatenate([[0.0], np.cumsum(inserted)])
    places = np.arange(len(report) + 1)
    costs, starts = np.zeros(len(report) + 1), places.copy()
    for word, weight in zip(phrase, weights, strict=True):
        lost = costs + (_NEVER if meaning().kept_as(word) or word in meaning().needed else weight)
        exchanged = costs[:-1] + vocabulary.exchange(word)[vocabulary.numbers]
        cheaper = exchanged <= lost[1:]
        begin = starts.copy()
        begin[1:][cheaper] = starts[:-1][cheaper]
        lost[1:][cheaper] = exchanged[cheaper]
        relative = lost - before  # a run of insertions costs the difference of two sums, so the best one is a running minimum
        least = np.minimum.accumulate(relative)
        source = np.maximum.accumulate(np.where(relative == least, places, 0))
        costs, starts = least + before, begin[source]
    return costs, starts


def _insertion(word: str) -> float:
    if meaning().kept_as(word):
        return _NEVER
    if word in _STOPS:
        return _NEXT_SENTENCE
    return _weight(word) * (_INSERTED if word[0].isalnum() else 1)


class _Vocabulary:
    """The different words of a report, and for each word of the report its number among them."""

    def __init__(self, report: tuple[str, ...], searches: int) -> None:
        rules = meaning()
        self.columns: dict[str, int] = {}
        self.numbers = np.array([self.columns.setdefault(word, len(self.columns)) for word in report])
        self.words = tuple(self.columns)
        self._finds_misspellings = searches * len(self.words) <= _MOST_PAIRS
        self._weights = np.array([_weight(word) for word in self.words])
        self._are_words = np.array([_is_word(word) for word in self.words])
        self._are_kept = np.array([rules.kept_as(word) is not None for word in self.words])
        self._ruled = [word for word in self.words if word == GAP or word in rules.kept or word in rules.apart]

    def exchange(self, word: str) -> Costs:
        """What it costs to take a phrase's ``word`` for each of the different words: nothing for itself, what nobody pays where
        the meaning would turn."""
        rules = meaning()
        alike: Costs = np.zeros(len(self.words))
        if self._finds_misspellings:
            alike = cdist([word], self.words, scorer=OSA.normalized_similarity, score_cutoff=_LEAST_LIKE, dtype=np.float64)[0]
        costs: Costs = np.maximum(_weight(word), self._weights) * (1 - alike)
        if word == GAP:
            costs[:] = _IN_A_GAP
        elif GAP in self.columns:
            costs[self.columns[GAP]] = _IN_A_GAP
        costs[self._are_words != _is_word(word)] = _NEVER
        costs[self._are_kept | (rules.kept_as(word) is not None)] = _NEVER
        costs[(alike == 0) & (word in rules.needed)] = _NEVER
        for other in self._ruled if word == GAP or word in rules.kept or word in rules.apart else ():
            column = self.columns[other]
            if not rules.may_stand_for(word, other):
                costs[column] = _NEVER
            elif rules.means_the_same(word, other):
                costs[column] = min(costs[column], _SAME_MEANING)
        if word in self.columns:
            costs[self.columns[word]] = 0
        return costs


def _weight(word: str) -> float:
    if word == GAP or word in meaning().small:
        return _SMALL_WORD
    return 1.0 if _is_word(word) else _SIGN


def _is_word(word: str) -> bool:
    return word == GAP or word[0].isalnum()
