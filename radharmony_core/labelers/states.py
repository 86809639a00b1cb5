"""Two tables of label states side by side, study by study."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from radharmony_core.errors import TableError
from radharmony_core.labels import CHEXPERT_LABELS, LABEL_STATES, NOT_MENTIONED, column_of

__all__ = ["BLANK", "States", "rows_of", "states_of"]

States = npt.NDArray[np.int8]
BLANK = np.int8(2)  # the fourth state in an array of whole numbers: not mentioned


def states_of(table: pd.DataFrame, name: str) -> States:
    """Shape (studies, 14): 1, 0, -1 or `BLANK`, the labels in the order of CHEXPERT_LABELS.

    Raises TableError where ``table`` has no such columns, another state, or a study id that is no text or stands twice.
    """
    missing = [column_of(label) for label in CHEXPERT_LABELS if column_of(label) not in table.columns]
    if missing:
        raise TableError(f"Expected the 14 label columns in the {name} labels; {', '.join(missing)} is not there.")
    ids = table.index
    if len(ids) and not pd.api.types.is_string_dtype(ids):
        raise TableError(
            f"Expected the {name} labels indexed by study_id as text, got {ids.dtype}. Numbers and texts never meet: "
            "turn the index into text first."
        )
    if not ids.is_unique:
        twice = ids[ids.duplicated()][0]
        raise TableError(f"Expected one row a study in the {name} labels; the study {twice} stands there more than once.")
    columns = [_column(table[column_of(label)], label, name) for label in CHEXPERT_LABELS]
    return np.stack(columns, axis=1)


def _column(cells: pd.Series[Any], label: str, name: str) -> States:
    try:
        states = np.asarray(cells.astype("Int8").to_numpy(dtype=np.int8, na_value=BLANK), dtype=np.int8)
    except (TypeError, ValueError) as error:
        raise TableError(_wrong_state(label, name, f"{cells.dtype} cells ({error})")) from error
    odd = ~np.isin(states, list(LABEL_STATES)) & cells.notna().to_numpy(dtype=bool)
    if odd.any():
        raise TableError(_wrong_state(label, name, str(cells.iloc[int(odd.argmax())])))
    return states


def _wrong_state(label: str, name: str, came: str) -> str:
    known = ", ".join(f"{value} ({meaning})" for value, meaning in LABEL_STATES.items())
    return f"Expected {known} or missing ({NOT_MENTIONED}) for {label} in the {name} labels; got {came}."


def rows_of(states: States, ids: pd.Index[Any], wanted: pd.Index[Any]) -> States:
    """The rows of ``states``, which belong to ``ids``, in the order of ``wanted``; all `BLANK` for a study that is not there."""
    if ids.equals(wanted):
        return states
    places = ids.get_indexer(wanted)
    rows = np.full((len(wanted), states.shape[1]), BLANK)
    rows[places >= 0] = states[places[places >= 0]]
    return rows
