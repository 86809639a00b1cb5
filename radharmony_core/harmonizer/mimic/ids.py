"""Ids of patients, studies and images: text with its leading zeros, compared without the blanks around it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.tables.read import TextTable, as_mask
from radharmony_core.schema import IssueLog

__all__ = ["clean_ids", "eight_digits", "holds"]

_AS_NUMBER = r"^(\d+)[.,]0*$"


def clean_ids(table: TextTable, name: str, log: IssueLog) -> pa.Array:
    """The ids in column ``name``, null where the cell is blank, which is an issue; all null where there is no such column. What
    is wrong with a cell that is null already has been said.

    ``10000032.0`` (or ``10000032,0``) is what a column of ids becomes by way of numbers: the digits are taken, and that is said
    once. Leading zeros stay: ``000123`` and ``123`` are two. An image's id may hold dots of its own, so it stays as it is.
    """
    if name not in table.columns:
        return pa.nulls(len(table.rows), pa.string())
    ids = pc.utf8_trim_whitespace(table.columns[name])
    blank = pc.equal(ids, "")
    if pc.any(blank).as_py():
        log.add("blank_id", rows=table.rows[as_mask(blank)].tolist(), column=name)
        ids = pc.if_else(blank, pa.scalar(None, pa.string()), ids)
    if name != "dicom_id" and (holds(ids, ".") or holds(ids, ",")):
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
