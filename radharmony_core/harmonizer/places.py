"""Rows of two tables that meet by an id, many to one at the most, and rows of one table that share theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.tables.read import TextTable, as_mask

__all__ = ["Places", "Repeats", "first_places", "places_in", "repeats", "taken", "values_at"]

Places = npt.NDArray[np.int64]


def first_places(ids: pa.Array) -> Places:
    """For each id the place where it stands first; a null stands for itself alone."""
    own = np.arange(len(ids))
    codes = ids.dictionary_encode()
    if len(codes.dictionary) + ids.null_count == len(ids):
        return own
    indices = pc.fill_null(codes.indices, len(codes.dictionary)).to_numpy()
    firsts = np.empty(len(codes.dictionary) + 1, dtype=np.int64)
    firsts[indices[::-1]] = own[::-1]  # of values for one index the last is kept: the first place
    return np.where(indices == len(codes.dictionary), own, firsts[indices])


def places_in(ids: pa.Array, known: pa.Array) -> Places:
    """For each id its place in ``known``, whose ids are unique; -1 where it is not there, or null."""
    if not ids.null_count and ids.equals(known):  # as published: the tables of images have one order
        return np.arange(len(ids))
    found: Places = pc.fill_null(pc.index_in(ids, value_set=known, skip_nulls=True), -1).to_numpy().astype(np.int64)
    return found


@dataclass(frozen=True, slots=True)
class Repeats:
    """Rows whose id stands in an earlier row as well: ``later`` their places, ``first`` those of the earlier rows, ``same``
    whether the two say the same in every column; ``keep`` is, for all rows, whether they are the first of their id."""

    later: Places
    first: Places
    same: npt.NDArray[np.bool_]
    keep: npt.NDArray[np.bool_]


def repeats(ids: pa.Array, table: TextTable) -> Repeats:
    """The rows of ``table`` that repeat an id."""
    first = first_places(ids)
    keep = first == np.arange(len(first))
    later = np.flatnonzero(~keep)
    same = np.ones(len(later), dtype=bool)
    for cells in table.columns.values() if len(later) else ():
        one, other = (pc.utf8_trim_whitespace(cells.take(pa.array(places))) for places in (later, first[later]))
        same &= as_mask(pc.equal(one, other))
    return Repeats(later, first[later], same, keep)


def values_at(column: pa.Array, places: Any) -> list[Any]:
    """The cells at ``places`` as Python values."""
    values: list[Any] = column.take(pa.array(places, pa.int64())).to_pylist()
    return values


def taken(column: pa.Array, places: Places) -> pa.Array:
    """The cells at ``places``, null for -1."""
    return column.take(pa.array(places, mask=places < 0))
