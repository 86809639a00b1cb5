"""The harmonized columns, and whether a table keeps to them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from radharmony_core.labels import MS_CXR_CATEGORIES, column_of

__all__ = ["BOX_ORDER", "MS_CXR_COLUMNS", "SCHEMA_VERSION", "Column", "validate"]

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
