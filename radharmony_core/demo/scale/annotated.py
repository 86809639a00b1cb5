"""Which films MS-CXR annotates: as many images, patients and phrases of each category as are asked for, split by split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.scale.hospital import Hospital
from radharmony_core.demo.scale.published import MS_SPLITS, MsCounts, apportion
from radharmony_core.demo.scale.views import FRONTAL
from radharmony_core.errors import ConfigError
from radharmony_core.labels import CHEXPERT_LABELS, MS_CXR_CATEGORIES

__all__ = ["Annotated", "annotated_films"]

Ints = NDArray[np.integer[Any]]
_COLUMNS = [CHEXPERT_LABELS.index(name) for name in MS_CXR_CATEGORIES]


@dataclass(slots=True)
class Annotated:
    """One image: its ``film`` and ``study`` (rows of the hospital), the categories it shows, and those of them that a second
    phrase names."""

    film: int
    study: int
    split: str
    categories: list[str]
    seconds: list[str] = field(default_factory=list)


class _Picker:
    """Finds films for the counts; a patient is taken once, but for the second images that are asked for."""

    def __init__(self, hospital: Hospital, truth: Ints, draws: np.random.Generator) -> None:
        frontal = np.flatnonzero(np.isin(hospital.view, FRONTAL))
        studies, first = np.unique(hospital.study[frontal], return_index=True)
        self.film = dict(zip(studies.tolist(), frontal[first].tolist(), strict=True))
        self.positive, self.patient = truth[:, _COLUMNS] == 1, hospital.patient
        shown = studies[self.positive[studies].any(axis=1)]
        self.studies, self.draws = draws.permutation(shown), draws
        self.used: set[int] = set()
        self.need = dict.fromkeys(MS_CXR_CATEGORIES, 0)

    def wanted(self, study: int) -> list[str]:
        """The categories of a study that are still asked for, the most wanted first."""
        names = [name for name, here in zip(MS_CXR_CATEGORIES, self.positive[study], strict=True) if here and self.need[name] > 0]
        return sorted(names, key=lambda name: -self.need[name])

    def take(self, study: int, split: str, names: list[str]) -> Annotated:
        self.used.add(int(self.patient[study]))
        for name in names:
            self.need[name] -= 1
        return Annotated(self.film[study], study, split, names)

    def _fresh(self, studies: Ints) -> Iterator[int]:
        """Studies of patients not taken yet, as it is when each is asked for."""
        return (study for study in studies.tolist() if int(self.patient[study]) not in self.used)

    def pairs(self, split: str, count: int) -> Iterator[Annotated]:
        """Images with two categories."""
        several = self.studies[self.positive[self.studies].sum(axis=1) > 1]
        for study in self._fresh(several):
            if count == 0:
                return
            names = self.wanted(study)[:2]
            if len(names) == 2:
                count -= 1
                yield self.take(study, split, names)

    def repeats(self, split: str, count: int) -> Iterator[Annotated]:
        """Two images of each of ``count`` patients."""
        order = np.argsort(self.patient[self.studies], kind="stable")
        mine = self.studies[order]
        groups = np.split(mine, np.flatnonzero(np.diff(self.patient[mine])) + 1)
        several = [group for group in groups if len(group) > 1]
        for place in self.draws.permutation(len(several)):
            if count == 0:
                return
            one, other = several[place][:2].tolist()
            if int(self.patient[one]) in self.used or sum(self.need.values()) < 2 or not self.wanted(one):
                continue
            first = self.take(one, split, self.wanted(one)[:1])
            if not self.wanted(other):
                self.need[first.categories[0]] += 1
                self.used.discard(int(self.patient[one]))
                continue
            count -= 1
            yield from (first, self.take(other, split, self.wanted(other)[:1]))

    def singles(self, split: str) -> Iterator[Annotated]:
        """One image of a new patient for every category still asked for; the rare ones first."""
        for column in np.argsort(self.positive.sum(axis=0), kind="stable").tolist():
            name = MS_CXR_CATEGORIES[column]
            for study in self._fresh(self.studies[self.positive[self.studies, column]]):
                if self.need[name] == 0:
                    break
                yield self.take(study, split, [name])


def _seconds(counts: MsCounts) -> dict[str, int]:
    """Second phrases by category; none of edema, which is on both sides already."""
    weights = [0 if name == "Edema" else count // 2 for name, count in counts.phrases.items()]
    total = min(counts.seconds, sum(weights))
    return dict(zip(counts.phrases, apportion(weights, total) if total else [0] * len(weights), strict=True))


def _give_seconds(images: Iterable[Annotated], seconds: dict[str, int]) -> None:
    for image in images:
        for name in image.categories:
            if seconds[name] > 0:
                seconds[name] -= 1
                image.seconds.append(name)


def annotated_films(hospital: Hospital, truth: Ints, counts: list[MsCounts], draws: np.random.Generator) -> list[Annotated]:
    """The annotated images in the order of the films. ``truth`` (studies, 14) is what each report says.

    Raises ConfigError if there are too few films of a category, which only a tiny hospital has.
    """
    picker, images = _Picker(hospital, truth, draws), list[Annotated]()
    for split, wanted in zip(MS_SPLITS, counts, strict=True):
        seconds = _seconds(wanted)
        picker.need = {name: count - seconds[name] for name, count in wanted.phrases.items()}
        mine = [*picker.pairs(split, wanted.pairs), *picker.repeats(split, wanted.repeats), *picker.singles(split)]
        if any(picker.need.values()):
            raise ConfigError("Too few films to annotate as MS-CXR does. Ask for more images, or for another seed.")
        _give_seconds(mine, seconds)
        images += mine
    return sorted(images, key=lambda image: image.film)
