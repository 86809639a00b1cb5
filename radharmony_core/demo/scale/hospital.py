"""Patients, studies and films as columns: how many, whose, when. Nothing here knows what is on a film."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.dice import pixel_stream
from radharmony_core.demo.scale.published import SPLITS, Size
from radharmony_core.demo.scale.views import views_of

__all__ = ["Hospital", "Ints", "hospital_of"]

Ints = NDArray[np.integer[Any]]

_VISITS = 1.25  # spread of the logarithm of how often patients come: a long tail
_FIRST_DAY, _LAST_DAY = np.datetime64("2105-01-01"), np.datetime64("2180-01-01")
_DAY = 86_400_000  # milliseconds
_YEARS = 6 * 365  # days within which even the most frequent patient's studies lie, about
_SIZES = ((2544, 3056), (3056, 2544), (2022, 2022), (2022, 1736), (1736, 2022), (2140, 1760), (1760, 2140), (2828, 2320))
_SIZE_WEIGHTS = (0.34, 0.33, 0.09, 0.06, 0.06, 0.04, 0.04, 0.04)


@dataclass(frozen=True, slots=True)
class Hospital:
    """Columns of three tables. By patient, ascending: ``subject_id``, ``split`` (place in ``SPLITS``), ``female``. By study,
    patient by patient in date order: ``patient``, ``study_id``, ``when`` (milliseconds, datetime64), ``number`` of the patient's
    studies before it, ``upright``. By film, study by study: ``study``, ``view`` (place in ``VIEWS``), ``width``, ``height``,
    ``dicom_id`` (44 bytes)."""

    subject_id: Ints
    split: Ints
    female: NDArray[np.bool_]
    patient: Ints
    study_id: Ints
    when: NDArray[np.datetime64]
    number: Ints
    upright: NDArray[np.bool_]
    study: Ints
    view: Ints
    width: Ints
    height: Ints
    dicom_id: NDArray[np.uint8]

    @property
    def study_split(self) -> Ints:
        """The split of every study."""
        return self.split[self.patient]


def to_sum(counts: Ints, total: int, draws: np.random.Generator) -> Ints:
    """``counts`` changed by ones in places chosen by chance, until they make ``total``; none falls below 1."""
    counts = counts.copy()
    while missing := total - int(counts.sum()):
        free = np.arange(len(counts)) if missing > 0 else np.flatnonzero(counts > 1)
        chosen = draws.permutation(free)[: abs(missing)]
        counts[chosen] += 1 if missing > 0 else -1
    return counts


def _visits(size: Size, split: Ints, draws: np.random.Generator) -> Ints:
    """How many studies each patient has."""
    counts = np.ones(len(split), np.int64)
    for place in range(len(SPLITS)):
        here = np.flatnonzero(split == place)
        weights = draws.lognormal(0.0, _VISITS, len(here))
        counts[here] += draws.multinomial(size.studies[place] - len(here), weights / weights.sum())
    return counts


def _films(size: Size, study_split: Ints, draws: np.random.Generator) -> Ints:
    """How many films each study has: mostly one or two."""
    counts = draws.choice(np.arange(1, 8), len(study_split), p=(0.49, 0.393, 0.088, 0.018, 0.006, 0.003, 0.002))
    for place in range(len(SPLITS)):
        here = np.flatnonzero(study_split == place)
        counts[here] = to_sum(counts[here], size.images[place], draws)
    return np.asarray(counts)


def _places(counts: Ints) -> Ints:
    """0, 1, 2, ... within each group of ``counts`` rows."""
    starts = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) - np.repeat(starts, counts)


def _dates(counts: Ints, number: Ints, draws: np.random.Generator) -> NDArray[np.datetime64]:
    """Each patient's dates, rising, of any time of day."""
    span = int((_LAST_DAY - _FIRST_DAY) / np.timedelta64(1, "D"))
    first = draws.integers(0, span * _DAY, len(counts))
    usual = np.repeat(np.minimum(150.0, _YEARS / counts), counts)
    gap = (draws.exponential(1.0, len(number)) * usual * _DAY).astype(np.int64) + _DAY // 24
    gap[number == 0] = first
    total = np.cumsum(gap)
    before = np.repeat((total - gap)[number == 0], counts)
    return np.asarray(_FIRST_DAY.astype("datetime64[ms]") + (total - before).astype("timedelta64[ms]"))


def _dicom_ids(count: int, draws: np.random.Generator) -> NDArray[np.uint8]:
    """(count, 44) characters: five groups of eight hexadecimal digits."""
    raw = draws.integers(0, 256, (count, 20), dtype=np.uint8)
    digits = np.frombuffer(b"0123456789abcdef", np.uint8)
    out = np.full((count, 5, 9), ord("-"), np.uint8)
    out[:, :, 0:8:2] = digits[raw >> 4].reshape(count, 5, 4)
    out[:, :, 1:8:2] = digits[raw & 15].reshape(count, 5, 4)
    return np.ascontiguousarray(out.reshape(count, 45)[:, :44])


def _sizes(upright: NDArray[np.bool_], draws: np.random.Generator) -> tuple[Ints, Ints]:
    """Width and height: one detector, and so one size, for most of a study is not asked for."""
    chosen = draws.choice(len(_SIZES), len(upright), p=_SIZE_WEIGHTS)
    sides = np.asarray(_SIZES, np.int64)[chosen]
    return sides[:, 0], sides[:, 1]


def hospital_of(size: Size, seed: int) -> Hospital:
    """All patients with their studies and films; the same for the same numbers."""
    draws = pixel_stream(seed, "scale", "hospital")
    patients = sum(size.patients)
    split = draws.permutation(np.repeat(np.arange(len(SPLITS)), size.patients))
    subject_id = 10_000_000 + np.sort(draws.choice(10_000_000, patients, replace=False, shuffle=False))
    visits = _visits(size, split, draws)
    patient = np.repeat(np.arange(patients), visits)
    number = _places(visits)
    study_id = 50_000_000 + draws.choice(10_000_000, len(patient), replace=False)
    films = _films(size, split[patient], draws)
    study = np.repeat(np.arange(len(patient)), films)
    upright, view = views_of(size.views, films, study, _places(films), draws)
    width, height = _sizes(upright[study], draws)
    return Hospital(
        subject_id, split, draws.random(patients) < 0.5, patient, study_id, _dates(visits, number, draws), number, upright, study,
        view, width, height, _dicom_ids(len(study), draws),
    )  # fmt: skip
