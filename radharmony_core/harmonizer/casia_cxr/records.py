"""The archived clinical records that some copies of CASIA-CXR come with: texts of their own, without images.

Their PatientID counts in another way than that of the reports tables, so the two must never be joined.
No licence is stated for the dataset: ask the authors.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.casia_cxr.cells import ages, days, sexes
from radharmony_core.harmonizer.casia_cxr.names import as_text, is_blank
from radharmony_core.harmonizer.tables.read import read_text_table
from radharmony_core.paths import existing
from radharmony_core.schema import IssueLog

__all__ = ["read_clinical_records"]

_COLUMNS = ("PatientID", "Gender", "ExamDate", "Age", "text")


def read_clinical_records(path: str | Path, log: IssueLog) -> pd.DataFrame:
    """One row per record: ``patient_id`` and ``patient_sex`` (``M`` or ``F``) as text, ``study_datetime``, ``patient_age`` in
    years, ``report`` as it stands in the file, ``language`` ``fr``. Only blank rows are left out.

    Raises MissingFileError; TableError for a table without a column of texts.
    """
    source = existing(path, "CASIA-CXR's table of archived clinical records")
    table = read_text_table(source, _COLUMNS, log, other_names={"texte": "text"})
    if "text" not in table.columns:
        raise TableError(f"Expected a column text or texte in the table of clinical records {source}; got {list(table.columns)}.")
    empty = pa.array([""] * len(table.rows), pa.string())
    cells = {name: pc.fill_null(table.columns.get(name, empty), "") for name in _COLUMNS}
    sex, bad_sex = sexes(cells["Gender"])
    day, bad_day = days(cells["ExamDate"])
    age, bad_age = ages(cells["Age"])
    silent = is_blank(cells["text"]).to_numpy(zero_copy_only=False)
    wrong = (("bad_cell", "Gender", bad_sex), ("bad_datetime", "ExamDate", bad_day), ("bad_cell", "Age", bad_age))
    for code, name, mask in (*wrong, ("blank_text", "text", silent)):
        places = np.flatnonzero(mask)
        log.add(code, rows=table.rows[places].tolist(), values=cells[name].take(pa.array(places)).to_pylist(), column=name)
    return pd.DataFrame(
        {
            "patient_id": as_text(cells["PatientID"]),
            "patient_sex": as_text(sex),
            "study_datetime": day,
            "patient_age": age,
            "report": as_text(cells["text"]),
            "language": pd.array(["fr"] * len(table.rows), dtype="str"),
        }
    )
