"""MIMIC-CXR-JPG's label files: one row a study, fourteen labels of four states.

Format: https://physionet.org/content/mimic-cxr-jpg/2.1.0/. A cell is 1.0 positive, 0.0 negative, -1.0 uncertain, or blank: not
mentioned. Nothing else ever becomes a state: it is an issue, and the cell is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.mimic.files import find_tables
from radharmony_core.harmonizer.mimic.ids import clean_ids
from radharmony_core.harmonizer.places import first_places
from radharmony_core.harmonizer.tables.read import as_numbers, read_text_table
from radharmony_core.labels import CHEXPERT_LABELS, OTHER_NAMES, column_of
from radharmony_core.schema import IssueLog, array_of

__all__ = ["BLANK", "UNUSABLE", "Codes", "LabelTable", "as_columns", "find_label_table", "read_label_table", "read_labels"]

BLANK, UNUSABLE = 2, 3  # codes beside 1, 0 and -1: not mentioned, and a cell that says nothing that can be used
_IDS = ("subject_id", "study_id")
_NAMES = {**OTHER_NAMES, **{column_of(name): name for name in CHEXPERT_LABELS if column_of(name) != name.casefold()}}

Codes = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class LabelTable:
    """n studies of one label file. ``studies`` are unique ids, ``subjects`` their patients (null where the file has none),
    ``rows`` their record numbers, ``codes`` (14, n) the labels in the order of `CHEXPERT_LABELS`: 1, 0, -1, `BLANK` or
    `UNUSABLE`."""

    studies: pa.Array
    subjects: pa.Array
    rows: npt.NDArray[np.int64]
    codes: Codes


def find_label_table(root: Path, source: str) -> Path | None:
    """The label file of ``source`` (chexpert, negbio or test_set) below ``root`` at any usual depth; None where it is not."""
    return next(iter(find_tables(root, [source])[source]), None)


def read_label_table(path: Path, log: IssueLog) -> pd.DataFrame:
    """One row a study: index ``study_id`` (text, unique), the fourteen labels as Int8 columns in snake_case, in the order of
    `CHEXPERT_LABELS`: 1, 0, -1, missing where not mentioned.

    The test-set file's ``Airspace Opacity`` is Lung Opacity. A study that stands twice is used once; labels on which its
    rows differ are missing, and issues. Raises MissingFileError; TableError for another kind of table.
    """
    table = read_labels(path, log)
    return pd.DataFrame(as_columns(table.codes), index=pd.Index(table.studies.to_pylist(), dtype="str", name="study_id"))


def as_columns(codes: Codes) -> dict[str, Any]:
    """(14, n) codes as Int8 columns by name; what is neither 1, 0 nor -1 is missing."""
    missing = codes > 1
    states = np.where(missing, np.int8(0), codes)
    return {column_of(name): pd.arrays.IntegerArray(states[k], missing[k]) for k, name in enumerate(CHEXPERT_LABELS)}


def read_labels(path: Path, log: IssueLog) -> LabelTable:
    """A label file as codes, each study once. Raises MissingFileError; TableError for another kind of table."""
    table = read_text_table(path, (*_IDS, *CHEXPERT_LABELS), log, optional=("subject_id",), other_names=_NAMES)
    if "study_id" not in table.columns:
        raise TableError(f"Expected a column study_id in the label table {path}; got {', '.join(table.columns)}.")
    count = len(table.rows)
    studies = clean_ids(table, "study_id", log)
    subjects = clean_ids(table, "subject_id", log)
    codes = np.full((len(CHEXPERT_LABELS), count), BLANK, dtype=np.int8)
    for place, name in enumerate(CHEXPERT_LABELS):
        if name in table.columns:
            codes[place] = _codes(table.columns[name], name, table.rows, log)
    return _each_once(LabelTable(studies, subjects, table.rows, codes), log)


def _codes(cells: pa.Array, name: str, rows: npt.NDArray[np.int64], log: IssueLog) -> Codes:
    """A column's cells as codes. Words are few and cells many: each word is looked at once."""
    encoded = pc.fill_null(cells, "").dictionary_encode()
    words = pc.utf8_trim_whitespace(encoded.dictionary)
    numbers, _ = as_numbers(words)
    known = np.select([numbers == 1, numbers == 0, numbers == -1], [1, 0, -1], UNUSABLE).astype(np.int8)
    known[pc.equal(words, "").to_numpy(zero_copy_only=False)] = BLANK
    codes: Codes = known[encoded.indices.to_numpy()] if len(known) else np.zeros(0, dtype=np.int8)
    if (known == UNUSABLE).any():
        wrong, spoken = np.flatnonzero(codes == UNUSABLE), array_of(encoded.dictionary.to_pylist())
        values = spoken[encoded.indices.to_numpy()[wrong]].tolist()  # one text for all cells that say the same
        log.add("unknown_label", rows=rows[wrong].tolist(), values=values, column=name)
    return codes


def _each_once(table: LabelTable, log: IssueLog) -> LabelTable:
    """Rows without a study are left out; a study's later rows as well, after they were compared with its first."""
    first = first_places(table.studies)
    own = np.arange(len(first))
    usable = pc.is_valid(table.studies).to_numpy(zero_copy_only=False)
    later = np.flatnonzero((first != own) & usable)
    codes = table.codes
    if len(later):
        codes = _settled(table, first, later, log)
    keep = (first == own) & usable
    if keep.all():
        return table
    mask = pa.array(keep)
    return LabelTable(table.studies.filter(mask), table.subjects.filter(mask), table.rows[keep], codes[:, keep])


def _settled(table: LabelTable, first: npt.NDArray[np.int64], later: npt.NDArray[np.int64], log: IssueLog) -> Codes:
    """The codes with those of each first row unusable where a later row of the study says something else."""
    codes, names = table.codes.copy(), table.studies
    differs = table.codes[:, later] != table.codes[:, first[later]]
    for place, name in enumerate(CHEXPERT_LABELS):
        rows = later[differs[place]]
        codes[place, first[rows]] = UNUSABLE
        log.add("label_conflict", rows=table.rows[rows].tolist(), values=names.take(pa.array(rows)).to_pylist(), column=name)
    same = later[~differs.any(axis=0)]
    log.add("duplicate_study", rows=table.rows[same].tolist(), values=names.take(pa.array(same)).to_pylist())
    return codes
