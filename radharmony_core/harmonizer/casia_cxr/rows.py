"""CASIA-CXR's reports table: which of its rows are records, and their cells under the documented names.

The files hold more rows than records: blank ones, partly filled ones, and columns full of ``#``. What is left out is
counted by reason, each row with its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.casia_cxr.cells import split_sizes
from radharmony_core.harmonizer.casia_cxr.log import RaggedLog
from radharmony_core.harmonizer.casia_cxr.names import is_blank, parts_of_ids, where, without_path
from radharmony_core.harmonizer.casia_cxr.shifted import REST, with_shifted_rows
from radharmony_core.harmonizer.casia_cxr.whose import whose
from radharmony_core.harmonizer.tables.header import Wanted
from radharmony_core.harmonizer.tables.read import TextTable, read_text_table
from radharmony_core.schema import IssueLog

__all__ = ["MOST_TOLD", "Records", "joined", "read_records"]

_IDS = ("ExamID", "ImageID", "PatientID", "ReportID")
_TEXTS = ("Findings", "Indication", "Comparison", "Impression")
_VALUES = ("StudyDate", "PatientAge", "PatientGender", "PositionView", "Projection", "ImageWidth", "ImageHeight")
_UNUSED = ("ImageDir", "PatientPosition", "ProjectionMethod")
_PAIR = "OriginalImage"  # one column for both sizes, 2372x3000
_COLUMNS = (*_IDS, *_TEXTS, *_VALUES, _PAIR)
_OTHER_NAMES = {
    "StudyID": "ExamID",
    "ViewPosition": "PositionView",
    "MethodProjection": "ProjectionMethod",
    **{f"OriginalImage{space}[Width,{blank}Height]": _PAIR for space in ("", " ") for blank in ("", " ")},
    # The same name without quotes, which its comma has divided into two columns:
    **dict.fromkeys(("OriginalImage[Width", "OriginalImage [Width"), "ImageWidth"),
    "Height]": "ImageHeight",
}
_EITHER = (("ImageWidth", _PAIR), ("ImageHeight", _PAIR), ("PositionView", "Projection"))
MOST_TOLD = 80  # letters of a cell in an issue: in a shifted row it may be a whole report
_FILLER = r"^[\s#]*$"
_TWO_SIZES = r"^\s*\d+\s*[xX\x{d7}]\s*\d+\s*$"


@dataclass(frozen=True, slots=True)
class Records:
    """n records: ``cells``, text without nulls, by documented name (empty where no file has the column) and `shifted.REST`,
    ``rows`` their numbers in their file, ``classes``, ``named`` and ``numbers`` as `whose.Whose`, ``there`` the names of the
    columns that a file has."""

    cells: dict[str, pa.Array]
    rows: npt.NDArray[np.int64]
    classes: pa.Array
    named: pa.Array
    numbers: pa.Array
    there: frozenset[str]

    @property
    def class_names(self) -> list[str]:
        """The classes that occur, sorted; also those that are none of the five."""
        return sorted(pc.drop_null(pc.unique(self.classes)).to_pylist())


def joined(parts: Sequence[Records]) -> Records:
    """Several tables' records, one after the other."""
    return Records(
        {name: pa.concat_arrays([part.cells[name] for part in parts]) for name in parts[0].cells},
        np.concatenate([part.rows for part in parts]),
        pa.concat_arrays([part.classes for part in parts]),
        pa.concat_arrays([part.named for part in parts]),
        pa.concat_arrays([part.numbers for part in parts]),
        frozenset().union(*(part.there for part in parts)),
    )


def read_records(path: Path, folder_class: str | None, log: IssueLog) -> Records:
    """The records of a reports table. ``folder_class`` is the class of the folder that it lies in, None for a table that was
    named by itself: then the ids tell the class, or else the file's name.

    A row is kept when ExamID or ImageID is ``CASIA-CXR...<digits>`` and Findings or Impression is not empty. One of another
    length than the header is as `shifted.with_shifted_rows` makes it.
    Raises MissingFileError; TableError for another table, or one whose header's comma has shifted its cells.
    """
    optional = {name for names in _EITHER for name in names}
    ragged = RaggedLog(log)
    table = read_text_table(path, _COLUMNS, ragged, optional=optional, ignored=_UNUSED, other_names=_OTHER_NAMES)
    _check_columns(table, path, log)
    empty = pa.array([""] * len(table.rows), pa.string())
    cells = {name: pc.fill_null(table.columns.get(name, empty), "") for name in _COLUMNS}
    cells |= {name: without_path(cells[name]) for name in ("ExamID", "ImageID")}
    cells = with_shifted_rows(cells, table.rows, path, Wanted(_COLUMNS, other_names=_OTHER_NAMES), ragged)
    kept = _kept(cells, table.rows, log)
    rows, mask = table.rows[kept], pa.array(kept)
    cells = {name: column.filter(mask) for name, column in cells.items()}
    _join_sizes(cells)
    of = whose(cells, folder_class, path, rows, log)
    return Records(cells, rows, of.classes, of.named, of.numbers, frozenset(table.columns))


def _check_columns(table: TextTable, path: Path, log: IssueLog) -> None:
    there = table.columns
    for needed in (("ExamID", "ImageID"), ("Findings", "Impression")):
        if not any(name in there for name in needed):
            raise TableError(f"Expected a column {' or '.join(needed)} in CASIA-CXR's reports table {path}; got {list(there)}.")
    for names in _EITHER:
        if not any(name in there for name in names):
            log.add("missing_column", column=names[0])
    if "ImageWidth" in there and "ImageHeight" in there and len(table.rows):
        widths, heights = (pc.fill_null(there[name], "") for name in ("ImageWidth", "ImageHeight"))
        shifted = pc.and_(pc.match_substring_regex(widths, _TWO_SIZES), pc.invert(is_blank(heights)))
        if 2 * len(where(shifted)) > len(where(pc.invert(is_blank(widths)))):
            raise TableError(
                f"Expected a width and a height in two columns of {path}; a cell of the first holds both, so the cells after "
                "it stand under the wrong names. Put the header's name OriginalImage [Width, Height] in quotes."
            )


def _kept(cells: dict[str, pa.Array], rows: npt.NDArray[np.int64], log: IssueLog) -> npt.NDArray[np.bool_]:
    """Which rows are records; the others are said, each with its reason."""
    left = np.ones(len(rows), dtype=bool)

    def leave_out(code: str, wrong: Any, value: pa.Array | None = None) -> None:
        places = np.flatnonzero(wrong & left)
        values = None if value is None else pc.utf8_slice_codeunits(value.take(pa.array(places)), 0, MOST_TOLD).to_pylist()
        log.add(code, rows=rows[places].tolist(), values=values)
        left[places] = False

    filler = np.ones(len(rows), dtype=bool)
    for column in cells.values():
        filler &= pc.match_substring_regex(column, _FILLER).to_numpy(zero_copy_only=False)
    numbers = [parts_of_ids(cells[name])[1] for name in ("ExamID", "ImageID")]
    nameless = pc.is_null(pc.coalesce(*numbers)).to_numpy(zero_copy_only=False)
    silent = np.ones(len(rows), dtype=bool)
    for name in ("Findings", "Impression", REST):
        silent &= is_blank(cells[name]).to_numpy(zero_copy_only=False)
    shown = pc.if_else(is_blank(cells["ExamID"]), cells["ImageID"], cells["ExamID"])
    leave_out("filler_row", filler)
    leave_out("row_without_id", nameless, shown)
    leave_out("row_without_text", silent, shown)
    return left


def _join_sizes(cells: dict[str, pa.Array]) -> None:
    """Fills the two columns of sizes from the one that holds both."""
    widths = pc.if_else(is_blank(cells["ImageWidth"]), cells.pop(_PAIR), cells["ImageWidth"])
    cells["ImageWidth"], heights = split_sizes(widths)
    cells["ImageHeight"] = pc.if_else(is_blank(cells["ImageHeight"]), heights, cells["ImageHeight"])
