"""Label tables built by hand, as the readers of the harmonizers give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from radharmony_core.labels import CHEXPERT_LABELS, column_of

State = int | None
LETTERS: dict[str, State] = {"+": 1, "-": 0, "?": -1, ".": None}


def label_table(studies: Mapping[str, Mapping[str, State]]) -> pd.DataFrame:
    """One row a study, ``{"50000001": {"Edema": 1}}``; every label that is not named is blank."""
    return columns_table(list(studies), {name: [row.get(name) for row in studies.values()] for name in CHEXPERT_LABELS})


def columns_table(ids: Sequence[str], columns: Mapping[str, Sequence[State]]) -> pd.DataFrame:
    """A column of states for each label named; the others are blank."""
    blank = [None] * len(ids)
    cells = {column_of(name): pd.array(list(columns.get(name, blank)), dtype="Int8") for name in CHEXPERT_LABELS}
    return pd.DataFrame(cells, index=pd.Index(list(ids), name="study_id", dtype="str"))


def edema_table(states: str, first: int = 50000001) -> pd.DataFrame:
    """Studies numbered from ``first``, with Edema as in ``+-?.`` and every other label blank."""
    ids = [str(first + place) for place in range(len(states))]
    return columns_table(ids, {"Edema": [LETTERS[state] for state in states]})
