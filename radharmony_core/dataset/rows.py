"""A harmonized table as samples need it: checked once, in whole columns, so that a sample is a look-up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from radharmony_core.boxes import NormBox
from radharmony_core.errors import TableError
from radharmony_core.schema import BOX_ORDER, Column, array_of, parse_list_cell

__all__ = ["LISTS", "Rows", "rows_of", "with_lists"]

LISTS = ("boxes", "texts")  # the kinds of columns whose cells are lists
_REMEDY = "Pass a table that a harmonizer made."


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What samples are made of, one entry an image; None for what was not asked for or the table does not hold.

    ``paths``: below the images' folder, NaN where there is none. ``cls``: images x labels, ``float32``, NaN for not mentioned.
    ``boxes`` (`NormBox`) and ``box_labels`` (texts): a list an image. ``sizes``: width and height of the original, NaN where
    they are not known. ``reports``: raw texts, NaN where there is none.
    """

    paths: pd.Series[str]
    cls: npt.NDArray[np.float32] | None = None
    boxes: npt.NDArray[np.object_] | None = None
    box_labels: npt.NDArray[np.object_] | None = None
    sizes: npt.NDArray[np.float64] | None = None
    reports: pd.Series[str] | None = None


def with_lists(table: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """The table with list columns as lists: a CSV holds them as JSON, and an image without boxes may have no list at all.

    Raises TableError for a cell that is no list.
    """
    lists = [column.name for column in columns if column.kind in LISTS and column.name in table.columns]
    changed = {name: array_of([_list(cell, name, row) for row, cell in enumerate(table[name].tolist())]) for name in lists}
    return table.assign(**changed)


def rows_of(table: pd.DataFrame, labels: Sequence[str], *, cls: bool, boxes: bool, reports: bool) -> Rows:
    """What the table holds of what is asked for. Raises TableError for a column that is missing or holds something else."""
    needed = ["image_path", *(labels if cls else ()), *(("bbox", "bbox_labels") if boxes else ())]
    missing = [name for name in needed if name not in table.columns]
    if missing:
        raise TableError(f"Expected the columns {', '.join(missing)} in the harmonized table; there are none. {_REMEDY}")
    return Rows(
        paths=table["image_path"].astype("str"),
        cls=_states(table, labels) if cls else None,
        boxes=_boxes(table) if boxes else None,
        box_labels=array_of(table["bbox_labels"].tolist()) if boxes else None,
        sizes=_sizes(table) if boxes else None,
        reports=table["report"].astype("str") if reports and "report" in table.columns else None,
    )


def _list(cell: object, name: str, row: int) -> list[Any]:
    if isinstance(cell, list):
        return cell
    if isinstance(cell, np.ndarray | tuple):  # as Parquet gives lists back
        return [list(item) if isinstance(item, np.ndarray | tuple) else item for item in cell]
    if cell is None or cell is pd.NA or (isinstance(cell, float) and math.isnan(cell)):
        return []
    try:
        if isinstance(cell, str):
            return parse_list_cell(cell) or []
    except ValueError as error:
        raise TableError(f"Row {row}, column {name}: {error}") from error
    raise TableError(f"Row {row}, column {name}: expected a list, or one as JSON; got {cell!r:.80}. {_REMEDY}")


def _boxes(table: pd.DataFrame) -> npt.NDArray[np.object_]:
    """Each image's boxes, as many as it has labels; a number that is missing is NaN."""
    out = []
    for row, (boxes, labels) in enumerate(zip(table["bbox"].tolist(), table["bbox_labels"].tolist(), strict=True)):
        if len(boxes) != len(labels):
            raise TableError(f"Row {row} has {len(boxes)} boxes and {len(labels)} bbox_labels; each box needs one. {_REMEDY}")
        try:
            out.append([NormBox(*(math.nan if edge is None else float(edge) for edge in box)) for box in boxes])
        except (TypeError, ValueError) as error:
            raise TableError(f"Row {row}: expected boxes of {', '.join(BOX_ORDER)}; got {boxes!r:.80}. {_REMEDY}") from error
    return array_of(out)


def _states(table: pd.DataFrame, labels: Sequence[str]) -> npt.NDArray[np.float32]:
    """The label columns side by side, a missing value as NaN."""
    out = np.empty((len(table), len(labels)), np.float32)
    for place, name in enumerate(labels):
        try:
            out[:, place] = table[name].astype("Float32").to_numpy(np.float32, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise TableError(f"Expected 1, 0, -1 or nothing in the column {name}; it holds something else ({error}).") from error
    odd = out[~(np.isnan(out) | np.isin(out, (-1, 0, 1)))]
    if odd.size:
        raise TableError(f"Expected 1, 0, -1 or nothing in the label columns; {odd.size} cells hold another number, as {odd[0]}.")
    return out


def _sizes(table: pd.DataFrame) -> npt.NDArray[np.float64] | None:
    names = ["image_width", "image_height"]
    if not set(names) <= set(table.columns):
        return None
    try:
        return table[names].astype("Float64").to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise TableError(f"Expected numbers or nothing in {' and '.join(names)}; they hold something else ({error}).") from error
