"""One of MIMIC-CXR's tables as columns of text, of which every cell stands under its own name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.tables.numbers import as_mask
from radharmony_core.harmonizer.tables.read import TextTable, read_text_table
from radharmony_core.schema import IssueLog

__all__ = ["read_table"]

# Patients' ids begin with 1 and studies' with 5, so that one is not taken for the other.
_SHAPES = {"subject_id": r"^\s*1\d{7}\s*$", "study_id": r"^\s*5\d{7}\s*$", "dicom_id": r"^\s*[0-9a-f]{8}(?:-[0-9a-f]{8}){4}\s*$"}


def read_table(
    path: Path,
    expected: Sequence[str],
    log: IssueLog,
    *,
    optional: Collection[str] = (),
    ignored: Collection[str] = (),
    other_names: Mapping[str, str] | None = None,
) -> TextTable:
    """As `read_text_table`. Of a row of another length than the header nothing but its ids is kept, where their shape proves
    them: the other cells may be shifted, and are null, which is said. One with nothing in its cells is a blank row."""
    table = read_text_table(path, expected, log, optional=optional, ignored=ignored, other_names=other_names)
    shifted = table.is_ragged()
    if not shifted.any():
        return table
    blank = shifted & np.logical_and.reduce([as_mask(pc.equal(cells, "")) for cells in table.columns.values()])
    log.add("blank_row", rows=table.rows[blank].tolist())
    keep = pa.array(~blank)
    shifted = shifted[~blank]
    columns = {name: _proven(name, cells.filter(keep), pa.array(shifted)) for name, cells in table.columns.items()}
    log.add("shifted_rows", values=[f"{shifted.sum():,}"] if shifted.any() else [])
    return TextTable(columns, table.rows[~blank], table.ragged)


def _proven(name: str, cells: pa.Array, shifted: pa.Array) -> pa.Array:
    doubtful = shifted
    if name in _SHAPES:
        doubtful = pc.and_(shifted, pc.invert(pa.array(as_mask(pc.match_substring_regex(cells, _SHAPES[name])))))
    return pc.if_else(doubtful, pa.scalar(None, pa.string()), cells)
