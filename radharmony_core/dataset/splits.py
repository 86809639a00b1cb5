"""Which rows go where: a published split by its name, and folds that no patient is divided between."""

from __future__ import annotations

import hashlib
import heapq

import numpy as np
import numpy.typing as npt
import pandas as pd

from radharmony_core.errors import ConfigError

__all__ = ["Places", "patient_folds", "rows_of_split"]

Places = npt.NDArray[np.int64]  # row numbers of a table, from 0


def rows_of_split(splits: pd.Series[str], name: str) -> Places:
    """The rows of the published split ``name``, in the table's order.

    Raises ConfigError where there is no such split, with those that there are.
    """
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


def patient_folds(patients: pd.Series[str], n_splits: int, seed: int = 0) -> npt.NDArray[np.int64]:
    """Each row's fold, 0 to ``n_splits`` - 1; all rows of a patient have the same, and the folds are about equally long.

    Patients are dealt out, those with most images first, each to the fold that is shortest; between equals decides a hash of
    ``seed`` and the id. So the folds are the same on every machine and whatever the order of the rows. Rows without an id
    may be of one patient, so they stay together. Raises ConfigError for fewer than 2 folds, and for more than there are patients.
    """
    if type(n_splits) is not int or n_splits < 2:
        raise ConfigError(
            f"Expected n_splits of 2 or more, a whole number; got {n_splits!r}. Leave it out for one dataset of all."
        )
    codes, ids = pd.factorize(patients.astype("str"), use_na_sentinel=True)
    codes = np.where(codes < 0, len(ids), codes)
    sizes = np.bincount(codes).tolist()
    if n_splits > len(sizes):
        raise ConfigError(f"Expected n_splits of at most {len(sizes)}, as many as there are patients; got {n_splits}.")
    names = [f"id {name}" for name in ids] + ["without an id"] * (len(sizes) - len(ids))
    order = sorted(range(len(sizes)), key=lambda patient: (-sizes[patient], _hash(seed, names[patient])))
    shortest = [(0, fold) for fold in range(n_splits)]
    fold_of = np.zeros(len(sizes), np.int64)
    for patient in order:
        length, fold = shortest[0]
        fold_of[patient] = fold
        heapq.heapreplace(shortest, (length + sizes[patient], fold))
    return fold_of[codes]


def _hash(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed} {name}".encode("utf-8", "surrogatepass")).digest()
