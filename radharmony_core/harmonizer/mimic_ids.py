"""Ids of patients, studies and images: text with its leading zeros, compared without the blanks around it; and rows that meet
by them, many to one at the most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.ms_cxr_annotations import as_mask
from radharmony_core.harmonizer.tables import TextTable
from radharmony_core.schema import IssueLog

__all__ = [
    "Places",
    "Repeats",
    "clean_ids",
    "eight_digits",
    "first_places",
    "holds",
    "places_in",
    "repeats",
    "taken",
    "values_at",
]

_AS_NUMBER = r"^(\d+)\.0*$"
Places = npt.NDArray[np.int64]


def clean_ids(table: TextTable, name: str, log: IssueLog) -> pa.Array:
    """The ids in column ``name``, null where the cell is blank, which is an issue; all null where there is no such column.

    ``10000032.0`` is what a column of ids becomes by way of numbers: the digits are taken, and that is said once. Leading
    zeros stay: ``000123`` and ``123`` are two. An image's id may hold dots of its own, so it stays as it is.
    """
    if name not in table.columns:
        return pa.nulls(len(table.rows), pa.string())
    ids = pc.utf8_trim_whitespace(pc.fill_null(table.columns[name], ""))
    blank = pc.equal(ids, "")
    if pc.any(blank).as_py():
        log.add("blank_id", rows=table.rows[as_mask(blank)].tolist(), column=name)
        ids = pc.if_else(blank, pa.scalar(None, pa.string()), ids)
    if name != "dicom_id" and pc.any(pc.match_substring(ids, ".")).as_py():
        where = np.flatnonzero(as_mask(pc.match_substring_regex(ids, _AS_NUMBER)))
        log.add("id_as_number", rows=table.rows[where[:1]].tolist(), values=[len(where)], column=name)
        ids = pc.replace_substring_regex(ids, _AS_NUMBER, r"\1")
    return ids


def eight_digits(ids: pa.Array) -> npt.NDArray[np.bool_]:
    """Which ids have the shape of MIMIC's patients and studies. As published all have: then a look at the letters is enough."""
    lengths = pc.equal(pc.binary_length(ids), 8)
    if not ids.null_count and pc.all(lengths).as_py():
        letters = _letters(ids)
        if not len(letters) or (letters.min() >= ord("0") and letters.max() <= ord("9")):
            return np.ones(len(ids), dtype=bool)
    return as_mask(pc.and_(lengths, pc.ascii_is_decimal(ids)))


def holds(ids: pa.Array, letter: str) -> bool:
    """Whether the ASCII ``letter`` is in one of the ids."""
    return letter.encode("ascii") in _letters(ids).tobytes()


def _letters(ids: pa.Array) -> npt.NDArray[np.uint8]:
    """The bytes of all ids, end to end."""
    _, places, letters = ids.buffers()
    if letters is None:
        return np.empty(0, dtype=np.uint8)
    ends = np.frombuffer(places, dtype=np.int32)[ids.offset : ids.offset + len(ids) + 1]
    return np.frombuffer(letters, dtype=np.uint8)[ends[0] : ends[-1]]


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
