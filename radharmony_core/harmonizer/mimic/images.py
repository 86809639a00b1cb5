"""MIMIC-CXR's tables with one row an image, as columns: JPG's metadata, and the record list of the DICOM files.

Format: https://physionet.org/content/mimic-cxr-jpg/2.1.0/ and https://physionet.org/content/mimic-cxr/2.1.0/.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.mimic.ids import clean_ids, eight_digits, holds
from radharmony_core.harmonizer.mimic.table import read_table
from radharmony_core.harmonizer.mimic.times import study_times
from radharmony_core.harmonizer.ms_cxr.annotations import below_files, usable_sizes
from radharmony_core.harmonizer.places import Places, repeats, values_at
from radharmony_core.harmonizer.tables.numbers import as_mask, as_numbers
from radharmony_core.harmonizer.tables.read import TextTable
from radharmony_core.schema import IssueLog

__all__ = ["Images", "paths_of", "read_metadata", "read_records"]

_IDS = ("dicom_id", "subject_id", "study_id")
_PROCEDURE, _VIEW = "PerformedProcedureStepDescription", "ViewPosition"
_SIZES = {"image_width": "Columns", "image_height": "Rows"}
_USED = (*_IDS, _PROCEDURE, _VIEW, *_SIZES.values(), "StudyDate", "StudyTime")
_NOT_USED = tuple(f"{name}CodeSequence_CodeMeaning" for name in ("Procedure", "View", "PatientOrientation"))
# Grouped as the dataset's authors do; what is blank is unknown, and the rest is other.
_GROUPS = {"AP": "frontal", "PA": "frontal", "LATERAL": "lateral", "LL": "lateral"}
_NONE = pa.scalar(None, pa.string())


@dataclass(frozen=True, slots=True)
class Images:
    """n images as parallel columns. ``rows`` are record numbers of the table they come from; ids are null where blank;
    ``paths`` are below the images' folder, null where an id is missing; ``facts`` the harmonized columns that the table has."""

    rows: npt.NDArray[np.int64]
    dicoms: pa.Array
    subjects: pa.Array
    studies: pa.Array
    paths: pa.Array
    facts: dict[str, pa.Array]


def read_metadata(path: Path, log: IssueLog) -> Images:
    """MIMIC-CXR-JPG's metadata, each image once. Raises MissingFileError; TableError where an id's column is missing."""
    table = read_table(path, _USED, log, ignored=_NOT_USED)
    table, (dicoms, subjects, studies) = _each_once(path, table, log)
    paths = paths_of(dicoms, subjects, studies, ".jpg")
    _check_shape(paths, dicoms, subjects, studies, table.rows, log)
    facts = {"procedure": _text(table, _PROCEDURE), "view_position": _text(table, _VIEW)}
    if _VIEW in table.columns:
        facts["view_group"] = _groups(facts["view_position"])
    for name, column in _SIZES.items():
        facts[name] = _sizes(table, column, paths, log)
    facts["study_datetime"] = study_times(table, paths, log)
    return Images(table.rows, dicoms, subjects, studies, paths, facts)


def read_records(path: Path, log: IssueLog) -> Images:
    """MIMIC-CXR's record list, each image once. A path that is not where its ids say is followed unless its file is another
    image's, and is an issue. Raises MissingFileError; TableError where an id's column is missing."""
    table = read_table(path, (*_IDS, "path"), log, optional=("path",))
    table, (dicoms, subjects, studies) = _each_once(path, table, log)
    paths = paths_of(dicoms, subjects, studies, ".dcm")
    if "path" in table.columns:
        paths = _followed(table, dicoms, paths, log)
    else:
        log.add("paths_from_ids", column="path")
    _check_shape(paths, dicoms, subjects, studies, table.rows, log)
    return Images(table.rows, dicoms, subjects, studies, paths, {})


def _each_once(path: Path, table: TextTable, log: IssueLog) -> tuple[TextTable, list[pa.Array]]:
    """The table with the first row of each image, and its three ids. A row without an id is an image of its own."""
    lacking = [name for name in _IDS if name not in table.columns]
    if lacking:
        raise TableError(
            f"Expected the columns {', '.join(_IDS)} in {path}, to tell images and studies apart; {', '.join(lacking)} is "
            "missing. Is it the right file?"
        )
    ids = [clean_ids(table, name, log) for name in _IDS]
    if not len(table.rows):
        log.add("no_rows")
    found = repeats(ids[0], table)
    for code, places in (("duplicate_image", found.later[found.same]), ("image_conflict", found.later[~found.same])):
        log.add(code, rows=table.rows[places].tolist(), values=values_at(ids[0], places))
    if found.keep.all():
        return table, ids
    keep = pa.array(found.keep)
    columns = {name: cells.filter(keep) for name, cells in table.columns.items()}
    return TextTable(columns, table.rows[found.keep]), [column.filter(keep) for column in ids]


def paths_of(dicoms: pa.Array, subjects: pa.Array, studies: pa.Array, suffix: str) -> pa.Array:
    """``p10/p10000032/s50414267/NAME.jpg``: the first folder is the first three letters of the second."""
    shards = pc.utf8_slice_codeunits(subjects, 0, 2)
    return pc.binary_join_element_wise("p", shards, "/p", subjects, "/s", studies, "/", dicoms, suffix, "")


def _followed(table: TextTable, dicoms: pa.Array, built: pa.Array, log: IssueLog) -> pa.Array:
    """The paths of the column ``path``; those made of the ids where a cell is blank, or names the file of another image."""
    given = pc.utf8_trim_whitespace(table.columns["path"])
    if pc.all(pc.starts_with(given, "files/")).as_py():  # as published: cut off and done
        given = pc.utf8_slice_codeunits(given, len("files/"))
    else:
        given = below_files(given)
    other_place = as_mask(pc.not_equal(given, built))
    other_image = np.zeros(len(given), dtype=bool)
    if other_place.any():
        names = pc.replace_substring_regex(given, r"(?s)^.*/|\.[A-Za-z]+$", "")
        other_image = other_place & as_mask(pc.not_equal(names, dicoms))
    for code, which in (("path_conflict", other_image), ("path_mismatch", other_place & ~other_image)):
        where = np.flatnonzero(which)
        log.add(code, rows=table.rows[where].tolist(), values=values_at(given, where))
    return pc.coalesce(pc.if_else(pa.array(other_image), _NONE, given), built)


def _check_shape(paths: pa.Array, dicoms: pa.Array, subjects: pa.Array, studies: pa.Array, rows: Places, log: IssueLog) -> None:
    """Ids of another length than MIMIC's, or an image's name that is no name. The row stays."""
    right = eight_digits(subjects) & eight_digits(studies)
    if holds(dicoms, "/") or holds(dicoms, "\\"):
        right &= ~as_mask(pc.match_substring_regex(dicoms, r"[/\\]"))
    where = np.flatnonzero(~right)
    for ids in (dicoms, subjects, studies):  # a blank one is said already
        where = where[as_mask(pc.is_valid(ids.take(pa.array(where))))]
    log.add("path_shape", rows=rows[where].tolist(), values=values_at(paths, where))


def _text(table: TextTable, name: str) -> pa.Array:
    """A column as text, null where the cell is blank; all null where there is no such column."""
    if name not in table.columns:
        return pa.nulls(len(table.rows), pa.string())
    cells = pc.utf8_trim_whitespace(table.columns[name])
    return pc.if_else(pc.equal(cells, ""), _NONE, cells)


def _groups(views: pa.Array) -> pa.Array:
    words = views.dictionary_encode()
    groups = [_GROUPS.get(word.upper(), "other") for word in words.dictionary.to_pylist()]
    return pc.fill_null(pa.array(groups, pa.string()).take(words.indices), "unknown")


def _sizes(table: TextTable, name: str, paths: pa.Array, log: IssueLog) -> pa.Array:
    """A width or height in pixels, null where there is no whole number above 0."""
    if name not in table.columns:
        return pa.nulls(len(table.rows), pa.int64())
    sizes, _ = as_numbers(table.columns[name])
    usable = usable_sizes(sizes)
    where = np.flatnonzero(~usable & as_mask(pc.is_valid(table.columns[name])))
    cells = values_at(table.columns[name], where)
    log.add("bad_size", rows=table.rows[where].tolist(), image_paths=values_at(paths, where), values=cells, column=name)
    return pa.array(np.where(usable, sizes, 0).astype(np.int64), mask=~usable)
