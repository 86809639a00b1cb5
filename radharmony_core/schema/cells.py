"""Cells of a table as text, for a CSV: lists as JSON and back, dates and times as ISO 8601."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["array_of", "cells_for_csv", "lists_to_json", "parse_list_cell"]

_EMPTY = ("", "nan", "[]", "none", "null", "<na>")
_PRINTOUT = re.compile(r"(?:[\d.]|nan|inf)\s+(?:[-+\d.]|nan|inf)")
_SCALAR = re.compile(r"(?:float|int|uint)\d+|str_")
_encode = json.JSONEncoder(ensure_ascii=False).encode


def cells_for_csv(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy whose cells a CSV can hold: lists as `lists_to_json` writes them, dates and times as ISO 8601 text. Numbers and
    states stay, and what is missing stays missing, an empty cell."""
    out = lists_to_json(frame)
    for name in out.columns:
        if pd.api.types.is_datetime64_any_dtype(out[name]):
            out[name] = _as_iso(out[name])
    return out


def _as_iso(column: pd.Series[Any]) -> pd.Series[Any]:
    """As long as the column needs it: ``2150-03-04`` where no cell has a time of day, fractions of a second where one has."""
    moments, known = column.to_numpy(), column.notna().to_numpy()
    units = ("D", "s", "ms", "us", "ns")
    unit = next((unit for unit in units if (moments.astype(f"datetime64[{unit}]") == moments)[known].all()), units[-1])
    texts = np.datetime_as_string(moments.astype(f"datetime64[{unit}]")).astype(object)
    texts[~known] = None
    return pd.Series(texts, index=column.index, dtype="str")


def lists_to_json(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy for CSV: the list columns as JSON text, a number that is missing or without end as ``null`` (JSON has
    neither NaN nor infinity)."""
    out = frame.copy()
    for name in out.columns:
        cells = out[name].tolist() if out[name].dtype == object else []  # no column of another type holds lists
        if list in set(map(type, cells)):
            out[name] = pd.Series([_as_json(cell) for cell in cells], index=out.index, dtype="str")
    return out


def _as_json(cell: object) -> str:
    text = _encode(cell)
    # The encoder writes words that are no JSON. They may also be words of a phrase, which is then encoded twice, to the same.
    return _encode(_finite_or_none(cell)) if "NaN" in text or "Infinity" in text else text


def _finite_or_none(value: object) -> object:
    if isinstance(value, list):
        return [_finite_or_none(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def parse_list_cell(text: str | None) -> list[Any] | None:
    """A list cell of a CSV back as a Python list; None where the cell is empty.

    JSON is what `lists_to_json` writes; a Python literal (with tuples, ``nan`` and NumPy's ``np.float64(0.1)``) is what pandas
    and other tools write, and is read as a literal, never evaluated. Raises ValueError for anything else: a NumPy print-out has
    lost its commas, and often its middle.
    """
    if text is None or text.strip().casefold() in _EMPTY:
        return None
    try:
        value = json.loads(text, parse_constant=float)
    except (ValueError, RecursionError):
        value = _literal(text)
    if not isinstance(value, list | tuple):
        raise ValueError(  # noqa: TRY004  a cell of text with a wrong value in it, not a wrong argument
            f"Expected a list as JSON, such as [[0.1, 0.2, 0.3, 0.4]]; got {type(value).__name__}: {text[:80]!r}."
        )
    return [list(item) if isinstance(item, tuple) else item for item in value]


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(_Written().visit(ast.parse(text.strip(), mode="eval")))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        kind = "no list"
        if text.lstrip().startswith("["):
            is_printout = _PRINTOUT.search(text) is not None
            kind = "a NumPy print-out (numbers without commas)" if is_printout else "a list that is cut short or misspelled"
        raise ValueError(f"Expected a list as JSON, such as [[0.1, 0.2, 0.3, 0.4]]; got {kind}: {text[:80]!r}.") from error


class _Written(ast.NodeTransformer):
    """Numbers that Python writes and does not read as literals: ``nan``, ``inf``, ``np.float64(0.1)``."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(float(node.id)) if node.id in ("nan", "inf") else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        of_numpy = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "np"
        is_scalar = of_numpy and _SCALAR.fullmatch(node.func.attr) is not None  # type: ignore[attr-defined]
        return node.args[0] if is_scalar and len(node.args) == 1 and not node.keywords else node


def array_of(values: Sequence[object]) -> np.ndarray[Any, np.dtype[np.object_]]:
    """A one-dimensional object array, also where the values are lists of equal length."""
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
