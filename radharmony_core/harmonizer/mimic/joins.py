"""Labels to images: a left join, many images to one row, nothing multiplied and nothing dropped; and what is said where the
rows of two tables do not fit together."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.mimic.images import Images
from radharmony_core.harmonizer.mimic.label_cells import BLANK, Codes
from radharmony_core.harmonizer.mimic.labels import LabelTable
from radharmony_core.harmonizer.places import Places, first_places, places_in, taken, values_at
from radharmony_core.harmonizer.tables.read import as_mask
from radharmony_core.labels import CHEXPERT_LABELS
from radharmony_core.schema import IssueLog

__all__ = ["check_patients", "join_labels", "say_of_images", "say_other_ids", "say_unmatched", "taken_labels"]


def join_labels(images: Images, table: LabelTable, log: IssueLog, *, whole: bool) -> Places:
    """Each image's place in ``table``, -1 where its study has no row there, which is an issue where the file is meant to be
    ``whole``, that is, to have every study."""
    places = places_in(images.studies, table.studies)
    without = images.studies.filter(pa.array(places < 0)).drop_null().unique().to_pylist() if whole else []
    log.add("missing_labels", rows=[None] * len(without), values=without)
    say_other_ids("subject_id", taken(table.subjects, places), images.subjects, table.rows, places, log)
    say_unmatched(len(table.rows), places, log)
    return places


def taken_labels(table: LabelTable | None, places: Places) -> Codes:
    """(14, images) codes of the studies at ``places``, `BLANK` for -1."""
    if table is None or not len(table.rows):
        return np.full((len(CHEXPERT_LABELS), len(places)), BLANK, dtype=np.int8)
    codes = table.codes[:, places]
    codes[:, places < 0] = BLANK
    return codes


def check_patients(images: Images, splits: pa.Array | None, log: IssueLog) -> None:
    """A study of two patients, and a patient in two splits: issues of the images that differ from the first one."""
    checks = [("study_conflict", images.studies, images.subjects)]
    checks += [] if splits is None else [("split_conflict", images.subjects, splits)]
    for code, groups, values in checks:
        both = np.flatnonzero(_valid(groups) & _valid(values))
        values = values.take(pa.array(both))
        theirs = values.take(pa.array(first_places(groups.take(pa.array(both)))))
        other = np.flatnonzero(as_mask(pc.not_equal(values, theirs)))
        say_of_images(code, both[other], images, values_at(theirs, other), log)


def _valid(column: pa.Array) -> npt.NDArray[np.bool_]:
    return as_mask(pc.is_valid(column))


def say_of_images(code: str, places: Places, images: Images, values: list[Any], log: IssueLog) -> None:
    """An issue of each of the images at ``places``."""
    rows = images.rows[places].tolist()
    log.add(code, rows=rows, image_paths=values_at(images.paths, places), values=values)


def say_other_ids(name: str, theirs: pa.Array, ours: pa.Array, rows: Places, places: Places, log: IssueLog) -> None:
    """Issues of the rows of a joined table whose id is another than that of an image they are joined to."""
    other = np.flatnonzero(as_mask(pc.not_equal(theirs, ours)))
    _, firsts = np.unique(places[other], return_index=True)
    other = other[firsts]
    log.add("id_conflict", rows=rows[places[other]].tolist(), values=values_at(theirs, other), column=name)


def say_unmatched(count: int, places: Places, log: IssueLog) -> None:
    """One issue for those of a joined table's ``count`` rows that no image is joined to."""
    met = np.zeros(count + 1, dtype=bool)
    met[places] = True  # the place -1 is the one too many
    left = count - int(met[:-1].sum())
    log.add("unmatched_row", values=[left] if left else [])
