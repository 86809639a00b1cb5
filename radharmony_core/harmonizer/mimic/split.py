"""MIMIC-CXR-JPG's split: train, validate or test for each image, by patient.

Format: https://physionet.org/content/mimic-cxr-jpg/2.1.0/.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.mimic.ids import clean_ids
from radharmony_core.harmonizer.mimic.images import Images
from radharmony_core.harmonizer.mimic.joins import say_of_images, say_other_ids, say_unmatched
from radharmony_core.harmonizer.mimic.table import read_table
from radharmony_core.harmonizer.places import places_in, repeats, taken, values_at
from radharmony_core.harmonizer.tables.read import TextTable, as_mask
from radharmony_core.schema import IssueLog

__all__ = ["SPLITS", "SplitTable", "join_split", "read_split"]

SPLITS = ("train", "validate", "test")
_COLUMNS = ("dicom_id", "study_id", "subject_id", "split")
_NONE = pa.scalar(None, pa.string())


@dataclass(frozen=True, slots=True)
class SplitTable:
    """The split file's rows and the ids in them, null where blank. ``splits`` are null where blank."""

    table: TextTable
    dicoms: pa.Array
    studies: pa.Array
    subjects: pa.Array
    splits: pa.Array


def read_split(path: Path, log: IssueLog) -> SplitTable:
    """The split file. Raises MissingFileError, and TableError where there is no column dicom_id, or none of splits."""
    table = read_table(path, _COLUMNS, log, optional=("study_id", "subject_id"))
    for name in ("dicom_id", "split"):
        if name not in table.columns:
            raise TableError(f"Expected a column {name} in the split table {path}; got {', '.join(table.columns)}.")
    dicoms, studies, subjects = (clean_ids(table, name, log) for name in ("dicom_id", "study_id", "subject_id"))
    splits = pc.utf8_trim_whitespace(table.columns["split"])
    splits = pc.if_else(pc.equal(splits, ""), _NONE, splits)
    return SplitTable(table, dicoms, studies, subjects, splits)


def join_split(images: Images, split: SplitTable, log: IssueLog) -> pa.Array:
    """Each image's split, null where it has none; what does not fit together is an issue."""
    if images.dicoms.null_count or not images.dicoms.equals(split.dicoms):  # as published, both have one order
        split = _each_once(split, log)
    places, rows = places_in(images.dicoms, split.dicoms), split.table.rows
    splits = taken(split.splits, places)
    without = np.flatnonzero(as_mask(pc.and_(pc.is_null(splits), pc.is_valid(images.dicoms))))  # of a blank id it is said already
    say_of_images("missing_split", without, images, values_at(images.dicoms, without), log)
    unknown = np.flatnonzero(as_mask(pc.is_valid(split.splits)) & ~as_mask(pc.is_in(split.splits, pa.array(SPLITS))))
    log.add("unknown_split", rows=rows[unknown].tolist(), values=values_at(split.splits, unknown), column="split")
    for name, theirs, ours in (("study_id", split.studies, images.studies), ("subject_id", split.subjects, images.subjects)):
        say_other_ids(name, taken(theirs, places), ours, rows, places, log)
    say_unmatched(len(rows), places, log)
    return splits


def _each_once(split: SplitTable, log: IssueLog) -> SplitTable:
    """The first row of each image, without a split where a later row has another one. Rows without an image are left out."""
    found, table, splits = repeats(split.dicoms, split.table), split.table, split.splits
    one, other = (pc.fill_null(splits.take(pa.array(places)), "") for places in (found.later, found.first))
    disputed = ~as_mask(pc.equal(one, other))
    for code, which in (
        ("duplicate_image", found.same),
        ("split_disagreement", disputed),
        ("image_conflict", ~found.same & ~disputed),
    ):
        places = found.later[which]
        log.add(code, rows=table.rows[places].tolist(), values=values_at(split.dicoms, places))
    if disputed.any():
        dropped = np.zeros(len(table.rows), dtype=bool)
        dropped[found.first[disputed]] = True
        splits = pc.if_else(pa.array(dropped), _NONE, splits)
    keep = pa.array(found.keep & as_mask(pc.is_valid(split.dicoms)))
    columns = (column.filter(keep) for column in (split.dicoms, split.studies, split.subjects, splits))
    return SplitTable(TextTable({}, table.rows[as_mask(keep)]), *columns)
