"""Which rows go where: a published split by its name, and folds that no patient is divided between."""

from __future__ import annotations

import hashlib
import heapq
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt
import pandas as pd

from radharmony_core.dataset.arguments import whole_number
from radharmony_core.dataset.ids import spelled
from radharmony_core.errors import ConfigError

__all__ = ["Places", "patient_folds", "rows_of_split"]

Places = npt.NDArray[np.int64]  # row numbers of a table, from 0


def rows_of_split(splits: pd.Series[str], name: str) -> Places:
    """The rows of the published split ``name``, in the table's order.

    Raises ConfigError where there is no such split, with those that there are.
    """
    if not isinstance(name, str):
        raise ConfigError(f"Expected the name of one split as text, such as split='train'; got {name!r}.")
    splits = splits.astype("str")
    counts = splits.value_counts(sort=False)
    if name not in counts.index:
        there = ", ".join(f"{value!r} ({count} images)" for value, count in sorted(counts.items(), key=lambda item: str(item[0])))
        raise ConfigError(
            f"Expected one of the splits {there}; got {name!r}."
            if there
            else f"Expected a published split; this table has none, so there is no {name!r}. Divide it by n_splits=5."
        )
    return np.flatnonzero((splits == name).fillna(value=False).to_numpy(bool))


def patient_folds(patients: pd.Series[Any], n_splits: SupportsIndex, seed: int = 0) -> npt.NDArray[np.int64]:
    """Each row's fold, 0 to ``n_splits`` - 1; all rows of a patient have the same, and the folds are about equally long.

    Patients are dealt out, those with most images first, each to the fold that is shortest; between equals decides a hash of
    ``seed`` and the id, as `spelled`. So the folds are the same on every machine, whatever the order of the rows, and whether
    ids are texts or numbers. Rows without an id may be of one patient, so they stay together. Raises ConfigError for fewer than
    2 folds, and for more than there are patients.
    """
    count = whole_number(n_splits)
    if count is None or count < 2:
        raise ConfigError(
            f"Expected n_splits of 2 or more, a whole number; got {n_splits!r}. Leave it out for one dataset of all."
        )
    codes, ids = pd.factorize(spelled(patients), use_na_sentinel=True)
    codes = np.where(codes < 0, len(ids), codes)
    sizes = np.bincount(codes).tolist()
    if count > len(sizes):
        raise ConfigError(f"Expected n_splits of at most {len(sizes)}, as many as there are patients; got {count}.")
    names = [f"id {name}" for name in ids] + ["without an id"] * (len(sizes) - len(ids))
    order = sorted(range(len(sizes)), key=lambda patient: (-sizes[patient], _hash(seed, names[patient])))
    shortest = [(0, fold) for fold in range(count)]
    fold_of = np.zeros(len(sizes), np.int64)
    for patient in order:
        length, fold = shortest[0]
        fold_of[patient] = fold
        heapq.heapreplace(shortest, (length + sizes[patient], fold))
    return fold_of[codes]


def _hash(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed} {name}".encode("utf-8", "surrogatepass")).digest()
