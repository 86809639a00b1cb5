"""MIMIC-CXR-JPG's label files: one row a study, fourteen labels of four states.

Format: https://physionet.org/content/mimic-cxr-jpg/2.1.0/. A cell is 1.0 positive, 0.0 negative, -1.0 uncertain, or blank: not
mentioned. Nothing else ever becomes a state (`label_cells`): it is an issue, and the cell is missing.
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
from radharmony_core.harmonizer.mimic.find import find_tables
from radharmony_core.harmonizer.mimic.ids import clean_ids
from radharmony_core.harmonizer.mimic.label_cells import UNUSABLE, Codes, codes_of
from radharmony_core.harmonizer.mimic.table import read_table
from radharmony_core.harmonizer.places import Repeats, repeats, values_at
from radharmony_core.harmonizer.tables.read import TextTable, as_mask
from radharmony_core.labels import CHEXPERT_LABELS, OTHER_NAMES, column_of
from radharmony_core.schema import IssueLog

__all__ = ["LabelTable", "as_columns", "find_label_table", "read_label_table", "read_labels"]

_IDS = ("subject_id", "study_id")
_NAMES = {**OTHER_NAMES, **{column_of(name): name for name in CHEXPERT_LABELS if column_of(name) != name.casefold()}}


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
    """A label file as codes, each study once; the labels of a column that is missing are `UNUSABLE`.

    Raises MissingFileError; TableError for another kind of table."""
    table = read_table(path, (*_IDS, *CHEXPERT_LABELS), log, optional=("subject_id",), other_names=_NAMES)
    if "study_id" not in table.columns:
        raise TableError(f"Expected a column study_id in the label table {path}; got {', '.join(table.columns)}.")
    if not any(name in table.columns for name in CHEXPERT_LABELS):
        raise TableError(
            f"Expected columns of labels such as {CHEXPERT_LABELS[0]} in the label table {path}; of the 14 it has none. Is it "
            "the right file?"
        )
    studies, subjects = clean_ids(table, "study_id", log), clean_ids(table, "subject_id", log)
    codes = np.full((len(CHEXPERT_LABELS), len(table.rows)), UNUSABLE, dtype=np.int8)
    for place, name in enumerate(CHEXPERT_LABELS):
        if name in table.columns:
            codes[place] = codes_of(table.columns[name], name, table.rows, log)
    return _each_once(LabelTable(studies, subjects, table.rows, codes), table, log)


def _each_once(labels: LabelTable, table: TextTable, log: IssueLog) -> LabelTable:
    """Rows without a study are left out; a study's later rows as well, after they were compared with its first."""
    found = repeats(labels.studies, table)
    codes = _settled(labels, found, log) if len(found.later) else labels.codes
    keep = found.keep & as_mask(pc.is_valid(labels.studies))
    if keep.all():
        return labels
    mask = pa.array(keep)
    return LabelTable(labels.studies.filter(mask), labels.subjects.filter(mask), labels.rows[keep], codes[:, keep])


def _settled(labels: LabelTable, found: Repeats, log: IssueLog) -> Codes:
    """The codes with those of each first row unusable where a later row of the study does not say the same."""
    codes, later = labels.codes.copy(), found.later
    one, other = labels.codes[:, later], labels.codes[:, found.first]
    differs, answered = one != other, (one != UNUSABLE) & (other != UNUSABLE)
    for place, name in enumerate(CHEXPERT_LABELS):
        codes[place, found.first[differs[place]]] = UNUSABLE
        rows = later[differs[place] & answered[place]]  # of an answer that cannot be used all is said
        log.add("label_conflict", rows=labels.rows[rows].tolist(), values=values_at(labels.studies, rows), column=name)
    subjects, theirs = (labels.subjects.take(pa.array(places)) for places in (later, found.first))
    other_patient = as_mask(pc.not_equal(subjects, theirs))
    same = found.same | (~(differs | ~answered).any(axis=0) & ~other_patient)
    conflict = other_patient | ~(same | (differs & answered).any(axis=0))
    for code, rows in (("study_row_conflict", later[conflict]), ("duplicate_study", later[same])):
        log.add(code, rows=labels.rows[rows].tolist(), values=values_at(labels.studies, rows))
    return codes
