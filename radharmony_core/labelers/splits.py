"""Which studies belong to a split of MIMIC-CXR-JPG, whose split file has a row an image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.compute as pc

from radharmony_core.errors import ConfigError, TableError
from radharmony_core.harmonizer.mimic.ids import clean_ids
from radharmony_core.harmonizer.mimic.table import read_table
from radharmony_core.schema import IssueLog

__all__ = ["studies_in_split"]


def studies_in_split(path: Path, split: str, log: IssueLog) -> pd.Index[Any]:
    """The ids of the studies that have an image in ``split``, text and unique, in the order of the file.

    Raises MissingFileError; TableError for another kind of table; ConfigError where the file has no such split.
    """
    table = read_table(path, ("dicom_id", "study_id", "subject_id", "split"), log)
    for name in ("study_id", "split"):
        if name not in table.columns:
            raise TableError(f"Expected a column {name} in the split table {path}; got {', '.join(table.columns)}.")
    splits = pc.utf8_trim_whitespace(pc.fill_null(table.columns["split"], ""))
    studies = clean_ids(table, "study_id", log).filter(pc.equal(splits, split)).drop_null().unique()
    if not len(studies):
        known = ", ".join(sorted(repr(name) for name in splits.unique().to_pylist()))
        raise ConfigError(f"Expected studies of the split {split!r} in {path}; it has {known or 'no row'}.")
    ids: list[str] = studies.to_pylist()
    return pd.Index(ids, dtype="str", name="study_id")
