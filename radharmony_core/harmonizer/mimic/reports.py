"""Each study's report: where MIMIC-CXR's study list says it is, else beside the study's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.mimic.ids import clean_ids
from radharmony_core.harmonizer.mimic.images import Images
from radharmony_core.harmonizer.mimic.joins import say_other_ids, say_unmatched
from radharmony_core.harmonizer.mimic.table import read_table
from radharmony_core.harmonizer.ms_cxr.annotations import below_files
from radharmony_core.harmonizer.places import Places, places_in, repeats, taken, values_at
from radharmony_core.harmonizer.tables.numbers import as_mask
from radharmony_core.paths import find_shards, some_files
from radharmony_core.schema import IssueLog

__all__ = ["StudyList", "few_reports", "read_study_list", "report_paths"]

_LOOKED_AT, _SEEN = 8, 4  # reports looked for to tell which place has them
_REPORT = (r"p\d\d", r"p\d{3,}", r"s\d+\.txt")
_REPORT_IN_PATH = r"/(?P<id>p\d\d/p\d{3,}/s\d+\.txt)$"
_STUDY_IN_PATH, _PATIENT_IN_PATH = r"(?i)(?:^|/)s(?P<id>\d+)\.txt$", r"(?i)(?:^|/)p(?P<id>\d{3,})/"


@dataclass(frozen=True, slots=True)
class StudyList:
    """The study list's studies, each once. ``reports`` are paths below ``files/``, null where the list has none."""

    rows: Places
    studies: pa.Array
    subjects: pa.Array
    reports: pa.Array


def read_study_list(path: Path, log: IssueLog) -> StudyList:
    """MIMIC-CXR's study list; of a study that stands twice the first row is used. Raises MissingFileError, and TableError
    where there is no column study_id."""
    table = read_table(path, ("subject_id", "study_id", "path"), log, optional=("subject_id", "path"))
    if "study_id" not in table.columns:
        raise TableError(f"Expected a column study_id in the study list {path}; got {', '.join(table.columns)}.")
    studies, subjects = clean_ids(table, "study_id", log), clean_ids(table, "subject_id", log)
    found = repeats(studies, table)
    for code, places in (("duplicate_study", found.later[found.same]), ("study_row_conflict", found.later[~found.same])):
        log.add(code, rows=table.rows[places].tolist(), values=values_at(studies, places))
    reports = pa.nulls(len(table.rows), pa.string())
    if "path" in table.columns:
        reports = below_files(pc.utf8_trim_whitespace(table.columns["path"]))
    else:
        log.add("paths_from_ids", column="path")
    keep = found.keep & as_mask(pc.is_valid(studies))
    return StudyList(table.rows[keep], *(column.filter(pa.array(keep)) for column in (studies, subjects, reports)))


def report_paths(images: Images, listed: StudyList | None, log: IssueLog | None) -> pa.Array:
    """``p10/p10000032/s50414267.txt`` of each image's study; null where an id is missing and the list has no path. ``log`` is
    the study list's."""
    built = _built(images.subjects, images.studies)
    if listed is None or log is None:
        return built
    places = places_in(images.studies, listed.studies)
    say_other_ids("subject_id", taken(listed.subjects, places), images.subjects, listed.rows, places, log)
    say_unmatched(len(listed.rows), places, log)
    return pc.coalesce(_followed(taken(listed.reports, places), built, images, listed.rows, places, log), built)


def _followed(given: pa.Array, built: pa.Array, images: Images, rows: Places, places: Places, log: IssueLog) -> pa.Array:
    """The study list's paths, null where one names the report of another study or patient than the ids, or the ids' own below
    other folders: the ids are followed then. ``rows`` are the study list's, ``places`` each image's place in it."""
    elsewhere = np.flatnonzero(as_mask(pc.not_equal(given, built)))
    if not len(elsewhere):
        return given
    paths, own = (column.take(pa.array(elsewhere)) for column in (given, built))
    same, other = as_mask(pc.equal(_named(paths, _REPORT_IN_PATH), own)), np.zeros(len(elsewhere), dtype=bool)
    for shape, ids in ((_STUDY_IN_PATH, images.studies), (_PATIENT_IN_PATH, images.subjects)):
        other |= as_mask(pc.not_equal(_named(paths, shape), ids.take(pa.array(elsewhere))))
    for code, which in (("path_conflict", other), ("path_mismatch", ~other & ~same)):
        listed, firsts = np.unique(places[elsewhere[which]], return_index=True)  # once a study, which has several images
        log.add(code, rows=rows[listed].tolist(), values=values_at(paths, np.flatnonzero(which)[firsts]))
    dropped = np.zeros(len(given), dtype=bool)
    dropped[elsewhere[other | same]] = True
    return pc.if_else(pa.array(dropped), pa.scalar(None, pa.string()), given)


def _named(paths: pa.Array, shape: str) -> pa.Array:
    return pc.struct_field(pc.extract_regex(paths, shape), "id")


def few_reports(places: Sequence[Path], read: Mapping[str, Any]) -> list[str]:
    """A few reports' paths to look for: from all over the study list (the record list where that is empty), and, because
    people keep the whole list and a part of the reports, some that are seen in ``places``."""
    seen: list[str] = []
    for place in places:
        shards = find_shards(place, ".dcm")
        seen += [] if shards is None else some_files(shards, _REPORT, _SEEN)
    few: list[str] = []
    for key in ("study_list", "record_list"):
        if key in read and not few:
            own = _built(read[key].subjects, read[key].studies)
            known = (pc.coalesce(read[key].reports, own) if key == "study_list" else own).drop_null()
            few = values_at(known, np.arange(0, len(known), max(1, -(-len(known) // _LOOKED_AT))))
    return [*few, *dict.fromkeys(seen[:_SEEN])]


def _built(subjects: pa.Array, studies: pa.Array) -> pa.Array:
    shards = pc.utf8_slice_codeunits(subjects, 0, 2)
    return pc.binary_join_element_wise("p", shards, "/p", subjects, "/s", studies, ".txt", "")
