"""MS-CXR's annotations as columns, one row per box, from either form that PhysioNet publishes: the CSV or the COCO-like JSON."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import ConfigError, TableError
from radharmony_core.harmonizer.ms_cxr.coco_json import read_json
from radharmony_core.harmonizer.tables.read import TextTable, read_text_table
from radharmony_core.paths import existing, find_file
from radharmony_core.schema import IssueLog

__all__ = ["ANNOTATION_COLUMNS", "find_annotations", "read_annotations"]

_CSV_PATTERN = "MS_CXR_Local_Alignment_v*.csv"
ANNOTATION_COLUMNS = (
    *("dicom_id", "category_name", "label_text", "path"),
    *("x", "y", "w", "h", "image_width", "image_height", "split"),
)
_NUMBERS = ("x", "y", "w", "h", "image_width", "image_height")


def find_annotations(root: Path) -> Path:
    """The newest release's CSV in ``root`` or at the usual depths below. Raises MissingFileError where ``root`` is not there,
    ConfigError where it holds no such table."""
    found = find_file(existing(root, "MS-CXR's folder"), _CSV_PATTERN)
    if found is None:
        raise ConfigError(f"Expected {_CSV_PATTERN} below {root}; there is none. Name the table itself (csv_path) instead.")
    return found


def read_annotations(path: Path, log: IssueLog) -> TextTable:
    """Columns of `ANNOTATION_COLUMNS` as text, those the file has, and each row's record number.

    Release 0.1 has no split, which is said once. In the JSON a record's number is the annotation's place, counted from 1.
    Raises MissingFileError, TableError.
    """
    if path.suffix.lower() == ".json":
        return read_json(path, ANNOTATION_COLUMNS, log)
    table = read_text_table(path, ANNOTATION_COLUMNS, log)
    if "path" not in table.columns and "dicom_id" not in table.columns:
        raise TableError(
            f"Expected a column path or dicom_id in {path}, to tell one image from another; got {list(table.columns)}."
        )
    return _without_shifted_numbers(table)


def _without_shifted_numbers(table: TextTable) -> TextTable:
    """No number stays of a row that has another length than the header: an unquoted comma moves ``y`` under ``x``, and a box
    in the wrong place is worse than none. What was wrong with the row is said already."""
    shifted = pa.array(table.is_ragged())
    if not pc.any(shifted).as_py():
        return table
    nothing = pa.scalar(None, pa.string())
    columns = {name: pc.if_else(shifted, nothing, cells) if name in _NUMBERS else cells for name, cells in table.columns.items()}
    return dataclasses.replace(table, columns=columns)
