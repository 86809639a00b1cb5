"""List cells of a table as text and back, for a CSV."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["array_of", "lists_to_json", "parse_list_cell"]


def lists_to_json(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy for CSV: the list columns as JSON text, a number that is missing or without end as ``null`` (JSON has
    neither NaN nor infinity)."""
    out = frame.copy()
    for name in out.columns:
        if out[name].map(lambda cell: isinstance(cell, list)).any():
            out[name] = out[name].map(lambda cell: json.dumps(_finite_or_none(cell), ensure_ascii=False))
    return out


def _finite_or_none(value: object) -> object:
    if isinstance(value, list):
        return [_finite_or_none(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
