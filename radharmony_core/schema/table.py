"""Whether a table keeps to its harmonized columns."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from radharmony_core.schema.columns import BOX_ORDER, MS_CXR_COLUMNS, Column

__all__ = ["validate"]


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


def _are_states(columns: _Columns) -> bool:
    return all(column.dtype == "Int8" and bool(((column >= -1) & (column <= 1)).fillna(value=True).all()) for column in columns)


def _are_times(columns: _Columns) -> bool:
    return all(pd.api.types.is_datetime64_dtype(column.dtype) for column in columns)


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
    "state": _are_states,
    "datetime": _are_times,
    "integer": _are_integers,
    "texts": _are_texts,
    "boxes": _are_boxes,
}
