"""Two tables of label states side by side, study by study: read from a file, or given as a table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.mimic import label_cells
from radharmony_core.harmonizer.mimic.labels import read_labels
from radharmony_core.labels import CHEXPERT_LABELS, LABEL_STATES, NOT_MENTIONED, column_of
from radharmony_core.schema import IssueLog

__all__ = ["BLANK", "UNUSABLE", "LabelStates", "States", "read_label_states", "rows_of", "say_uncounted", "states_of"]

States = npt.NDArray[np.int8]
BLANK = np.int8(label_cells.BLANK)  # the fourth state in an array of whole numbers: not mentioned
UNUSABLE = np.int8(label_cells.UNUSABLE)  # an answer that nobody knows: it is no state, and counts nowhere


@dataclass(frozen=True, slots=True)
class LabelStates:
    """A label file's n studies: ``ids`` as text, each once; ``states`` (n, 14), 1, 0, -1, `BLANK` or `UNUSABLE`, the labels in
    the order of CHEXPERT_LABELS."""

    ids: pd.Index[Any]
    states: States

    def among(self, wanted: pd.Index[Any]) -> LabelStates:
        """Those of the studies that are ``wanted``."""
        keep = self.ids.isin(wanted)
        return LabelStates(self.ids[keep], self.states[keep])


def read_label_states(path: Path, log: IssueLog) -> LabelStates:
    """The labels of a file. As a table of states has them (`read_label_table`), but an answer that cannot be used, such as -9 or
    one of a column that is missing, is told from a blank one. Raises MissingFileError; TableError for another kind of table."""
    table = read_labels(path, log)
    return LabelStates(pd.Index(table.studies.to_pylist(), dtype="str", name="study_id"), table.codes.T)


def states_of(table: pd.DataFrame | LabelStates, name: str) -> LabelStates:
    """The states of a table of 14 columns indexed by study, or of a file.

    Raises TableError where ``table`` has no such columns, another state, or a study id that is no text or stands twice.
    """
    if isinstance(table, LabelStates):
        return table
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
    return LabelStates(ids, np.stack(columns, axis=1))


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


def rows_of(labels: LabelStates, wanted: pd.Index[Any]) -> States:
    """The states of the studies ``wanted``, in their order. A study that is not there is `BLANK`, and `UNUSABLE` for a label
    of which no answer can be used."""
    if labels.ids.equals(wanted):
        return labels.states
    places = labels.ids.get_indexer(wanted)
    nobody = (labels.states == UNUSABLE).all(axis=0) & (len(labels.ids) > 0)
    rows = np.tile(np.where(nobody, UNUSABLE, BLANK), (len(wanted), 1))
    rows[places >= 0] = labels.states[places[places >= 0]]
    return rows


def say_uncounted(usable: npt.NDArray[np.bool_], log: IssueLog) -> None:
    """An issue of each label for which studies are not counted. ``usable`` (n, 14): whether both answers can be used."""
    for label, count in zip(CHEXPERT_LABELS, (~usable).sum(axis=0).tolist(), strict=True):
        log.add("uncounted_studies", values=[f"{count:,}"] if count else [], column=label)
