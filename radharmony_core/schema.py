"""The harmonized columns and the issues: what a table must hold, and how a problem in the data is written down.

A problem in the data is never raised: it becomes one row of an issues table, with a code, so that the row it speaks of can
be kept, counted and shown. Codes are stable; add one here before using it.
"""

from __future__ import annotations

import ast
import itertools
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from radharmony_core.labels import MS_CXR_CATEGORIES, column_of

__all__ = [
    "BOX_ORDER",
    "ISSUE_CODES",
    "ISSUE_COLUMNS",
    "MS_CXR_COLUMNS",
    "SCHEMA_VERSION",
    "Column",
    "IssueCode",
    "IssueLog",
    "lists_to_json",
    "parse_list_cell",
    "validate",
]

SCHEMA_VERSION = 1
BOX_ORDER = ("y_min", "y_max", "x_min", "x_max")


@dataclass(frozen=True, slots=True)
class Column:
    """One harmonized column: ``kind`` is ``text``, ``integer``, ``flag`` (0 or 1), ``texts`` or ``boxes`` (Python lists)."""

    name: str
    kind: str
    meaning: str


MS_CXR_COLUMNS: tuple[Column, ...] = (
    Column("patient_id", "text", "subject_id of MIMIC-CXR: the digits after the second p of the path"),
    Column("study_id", "text", "study_id of MIMIC-CXR: the digits after the s of the path"),
    Column("image_path", "text", "below the images' folder, with the extension of the tree that was found there"),
    Column("bbox", "boxes", "one [y_min, y_max, x_min, x_max] a box, fractions of the image"),
    Column("bbox_labels", "texts", "parallel to bbox: the finding of each box"),
    *(Column(column_of(name), "flag", f"1 where {name} is annotated, 0 where it is not") for name in MS_CXR_CATEGORIES),
    Column("split", "text", "MS-CXR's own train, val or test; missing in release 0.1"),
    Column("label_text", "texts", "parallel to bbox: the phrase of each box"),
    Column("image_width", "integer", "pixels of the original image"),
    Column("image_height", "integer", "pixels of the original image"),
)


@dataclass(frozen=True, slots=True)
class IssueCode:
    """What a code stands for. ``severity`` is one of SARIF's: ``error``, ``warning``, ``note``; ``message`` may use {value}
    and {column}."""

    severity: str
    message: str


ISSUE_CODES: dict[str, IssueCode] = {
    "blank_row": IssueCode("note", "The line is empty; it is counted and left out."),
    "box_outside_image": IssueCode("error", "The box {value} reaches beyond the image; it is kept as it is."),
    "box_without_area": IssueCode("error", "The box {value} has no area: width and height must be above 0."),
    "duplicate_row": IssueCode("warning", "The same box with the same phrase stands in an earlier row; both are kept."),
    "empty_phrase": IssueCode("error", "The phrase is empty."),
    "encoding_guess": IssueCode("warning", "The file is not UTF-8; it was read as {value}."),
    "extra_column": IssueCode("note", "The column {column!r} is not part of the table; it is left out."),
    "id_mismatch": IssueCode("warning", "The dicom_id {value!r} is not the file name in the path; the path is followed."),
    "image_size_conflict": IssueCode(
        "error", "The size {value} differs from that of the image's first row; each box uses its own."
    ),
    "image_size_missing": IssueCode("error", "The image size {value} is not two numbers above 0; the box cannot be placed."),
    "image_size_mismatch": IssueCode("error", "The file on disk is {value}, another shape than the table says."),
    "missing_column": IssueCode("error", "The column {column!r} is missing; what it holds is left empty."),
    "missing_image": IssueCode("error", "The image {value!r} is not in the images' folder."),
    "missing_report": IssueCode("warning", "The report {value!r} was not found."),
    "not_a_number": IssueCode("error", "{column} is {value!r}, which is not a number."),
    "path_shape": IssueCode("error", "The path {value!r} is not files/pNN/pNNNNNNNN/sNNNNNNNN/NAME.jpg."),
    "ragged_row": IssueCode("error", "The row has {value} cells; missing ones are taken as empty, extra ones left out."),
    "split_conflict": IssueCode("error", "The patient is also in the split {value!r}; patients must not span splits."),
    "tree_mixed": IssueCode("note", "The images' folder holds several kinds of file; each image was looked up by itself."),
    "tree_not_found": IssueCode(
        "warning", "None of the images looked for is below {value!r}; the paths stay as the table has them."
    ),
    "unknown_category": IssueCode("error", "The category {value!r} is not one of MS-CXR's eight; it is kept and flags nothing."),
    "unknown_image": IssueCode("error", "The annotation names the image {value}, which the file does not list; it has no path."),
    "unknown_split": IssueCode("warning", "The split {value!r} is not train, val or test; it is kept."),
    "unreadable_image": IssueCode("error", "The image cannot be shown: {value}"),
}

ISSUE_COLUMNS = ("code", "severity", "row", "image_path", "column", "value", "message")


@dataclass(slots=True)
class IssueLog:
    """Collects problems while a table is built; ``frame()`` has one row per problem, columns `ISSUE_COLUMNS`.

    ``row`` counts records of the source file as a spreadsheet shows them, the header being row 1; missing where the
    problem is the whole file's.
    """

    _entries: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self,
        code: str,
        *,
        rows: Iterable[int | None] = (None,),
        image_paths: Iterable[str | None] | None = None,
        values: Iterable[object] | None = None,
        column: str | None = None,
    ) -> None:
        """One entry a row. Raises KeyError for a code that `ISSUE_CODES` does not hold."""
        kind = ISSUE_CODES[code]
        paths = itertools.repeat(None) if image_paths is None else image_paths
        what = itertools.repeat(None) if values is None else values
        for row, path, value in zip(rows, paths, what, strict=False):
            message = kind.message.format(value=value, column=column)
            text = None if value is None else str(value)
            entry = (code, kind.severity, row, path, column, text, message)
            self._entries.append(dict(zip(ISSUE_COLUMNS, entry, strict=True)))

    def __len__(self) -> int:
        return len(self._entries)

    def frame(self) -> pd.DataFrame:
        """The issues in the order they were found, text columns as text, ``row`` as nullable integers."""
        table = pd.DataFrame(self._entries, columns=list(ISSUE_COLUMNS))
        return table.astype({name: "Int64" if name == "row" else "str" for name in ISSUE_COLUMNS})


def validate(frame: pd.DataFrame, columns: Sequence[Column] = MS_CXR_COLUMNS) -> list[str]:
    """What is wrong with a harmonized table, a sentence each; an empty list where it keeps the contract."""
    names = [column.name for column in columns]
    if list(frame.columns) != names:
        return [f"Expected the columns {names}, got {list(frame.columns)}."]
    problems = []
    for kind, keeps in _KINDS.items():
        several = [column.name for column in columns if column.kind == kind]
        problems += (
            [f"{', '.join(several)} must be {kind}; some cells are not."]
            if several and not keeps([frame[name] for name in several])
            else []
        )
    if not problems:
        lists = [column.name for column in columns if column.kind in ("boxes", "texts")]
        lengths = [list(map(len, frame[name].tolist())) for name in lists]
        if any(length != lengths[0] for length in lengths):
            problems.append(f"{', '.join(lists)} must be parallel: as many entries in each.")
    return problems


_Columns = list["pd.Series[Any]"]


def _are_flags(columns: _Columns) -> bool:
    values = np.stack([column.to_numpy() for column in columns])
    return values.dtype.kind == "i" and bool(((values == 0) | (values == 1)).all())


def _are_integers(columns: _Columns) -> bool:
    return all(pd.api.types.is_integer_dtype(column.dtype) for column in columns)


def _are_text(columns: _Columns) -> bool:
    return all(isinstance(column.dtype, pd.StringDtype) for column in columns)


def _are_texts(columns: _Columns) -> bool:
    return set(map(type, _entries(columns))) <= {str}


def _are_boxes(columns: _Columns) -> bool:
    boxes = _entries(columns)
    return set(map(type, boxes)) <= {list} and set(map(len, boxes)) <= {len(BOX_ORDER)}


def _entries(columns: _Columns) -> list[Any]:
    """What the list cells hold, end to end; ``[None]`` where a cell is no list. Types are gathered into sets, not asked
    cell by cell: this runs at every harmonization."""
    cells = list(itertools.chain.from_iterable(column.tolist() for column in columns))
    return list(itertools.chain.from_iterable(cells)) if set(map(type, cells)) <= {list} else [None]


_KINDS: dict[str, Callable[[_Columns], bool]] = {
    "text": _are_text,
    "flag": _are_flags,
    "integer": _are_integers,
    "texts": _are_texts,
    "boxes": _are_boxes,
}


def lists_to_json(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy for CSV: the list columns as JSON text, a number that is missing as ``null`` (JSON has no NaN)."""
    out = frame.copy()
    for name in out.columns:
        if out[name].map(lambda cell: isinstance(cell, list)).any():
            out[name] = out[name].map(lambda cell: json.dumps(_nan_to_none(cell), ensure_ascii=False))
    return out


def _nan_to_none(value: object) -> object:
    if isinstance(value, list):
        return [_nan_to_none(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def parse_list_cell(text: str | None) -> list[Any] | None:
    """A list cell of a CSV back as a Python list; None where the cell is empty.

    JSON is what `lists_to_json` writes; a Python literal (with tuples) is what other tools write, and is read as a literal,
    never evaluated. Raises ValueError for anything else: a NumPy print-out has lost its commas, and often its middle.
    """
    if text is None or text.strip() in ("", "nan", "[]", "None", "null"):
        return None
    try:
        value = json.loads(text, parse_constant=float)
    except json.JSONDecodeError:
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            kind = "a NumPy print-out (numbers without commas)" if text.lstrip().startswith("[") else "no list"
            raise ValueError(f"Expected a list as JSON, such as [[0.1, 0.2, 0.3, 0.4]]; got {kind}: {text[:80]!r}.") from error
    if not isinstance(value, list | tuple):
        raise ValueError(  # noqa: TRY004  a cell of text with a wrong value in it, not a wrong argument
            f"Expected a list as JSON, such as [[0.1, 0.2, 0.3, 0.4]]; got {type(value).__name__}: {text[:80]!r}."
        )
    return [list(item) if isinstance(item, tuple) else item for item in value]


def array_of(values: Sequence[object]) -> np.ndarray[Any, np.dtype[np.object_]]:
    """A one-dimensional object array, also where the values are lists of equal length."""
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
