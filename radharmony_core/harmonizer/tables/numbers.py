"""Cells of text as numbers. What is no number is said to be none, never guessed at."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["as_mask", "as_numbers", "with_points"]

_DECIMAL_COMMA = r"^\s*[+-]?\d{4,},\d+\s*$"


def as_numbers(column: pa.Array) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """A text column as float64, and a mask of the cells that are not finite numbers (those come out as NaN)."""
    try:
        values = pc.cast(column, pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        values = np.array([_number(cell) for cell in column.to_pylist()], dtype=np.float64)
    bad = ~np.isfinite(values)
    return np.where(bad, np.nan, values), bad


def _number(cell: str | None) -> float:
    """Python also reads ``1_000`` and the digits of every script; a table that holds such means something else."""
    text = "" if cell is None else cell.strip()
    try:
        return float(text) if text.isascii() and "_" not in text else float("nan")
    except ValueError:
        return float("nan")


def with_points(column: pa.Array) -> tuple[pa.Array, npt.NDArray[np.bool_]]:
    """A text column with the decimal commas of its numbers as points, and a mask of those cells. Only a comma behind four
    digits or more is one for sure: ``80,556`` may be eighty thousand."""
    if not pc.any(pc.match_substring(column, ",")).as_py():
        return column, np.zeros(len(column), dtype=bool)
    commas = pc.match_substring_regex(column, _DECIMAL_COMMA)
    return pc.if_else(commas, pc.replace_substring(column, ",", "."), column), as_mask(commas)


def as_mask(flags: Any) -> npt.NDArray[np.bool_]:
    """A NumPy or Arrow column of booleans as NumPy's; null is false."""
    if isinstance(flags, pa.Array):
        flags = pc.fill_null(flags, False).to_numpy(zero_copy_only=False)
    return np.asarray(flags, dtype=bool)
