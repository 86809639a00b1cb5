"""CASIA-CXR's harmonized columns, all but the labels, from the cells of one reports table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.casia_cxr.cells import ages, days, positions, sexes, sizes
from radharmony_core.harmonizer.casia_cxr.images import ImageFiles
from radharmony_core.harmonizer.casia_cxr.names import as_text, is_blank, parts_of_ids, where
from radharmony_core.harmonizer.casia_cxr.rows import MOST_TOLD, Records
from radharmony_core.harmonizer.casia_cxr.shifted import REST
from radharmony_core.schema import IssueLog

__all__ = ["columns_of", "patient_keys", "report_texts"]

SECTIONS = ("Findings", "Indication", "Comparison", "Impression")
_Say = Callable[[str, str, Any, pa.Array], None]


def columns_of(records: Records, files: ImageFiles, log: IssueLog) -> dict[str, Any]:
    """Each record's columns by harmonized name; every cell that cannot be read and every image that is not there is an
    issue, and missing."""
    paths = files.find(records.cells["ImageID"], records.named, records.numbers)

    def say(code: str, column: str, wrong: Any, values: pa.Array) -> None:
        places = np.flatnonzero(wrong)
        at = pa.array(places)
        told = pc.utf8_slice_codeunits(values.take(at), 0, MOST_TOLD).to_pylist()
        log.add(code, rows=records.rows[places].tolist(), image_paths=paths.take(at).to_pylist(), values=told, column=column)

    _say_missing_images(records, paths, files, log)
    view = _view(records, say)
    return {
        **_ids(records, say),
        "image_path": as_text(paths),
        "split": as_text(pa.nulls(len(records.rows), pa.string())),
        "view_position": as_text(view),
        "view_group": as_text(pc.if_else(pc.is_valid(view), "frontal", "unknown")),
        **_values(records, say),
        **{name.lower(): as_text(records.cells[name]) for name in SECTIONS},
        "report": as_text(report_texts(records.cells)),
        "language": pd.array(["fr"] * len(records.rows), dtype="str"),
    }


def report_texts(cells: dict[str, pa.Array]) -> pa.Array:
    """The four cells one below the other, each under its column's name and a colon, a blank line between them; one that
    holds nothing is left out, with its heading. Of a row whose sections cannot be told apart, that part of it as it stands."""
    parts = []
    for name in (*SECTIONS, REST):
        under_heading = cells[name] if name == REST else pc.binary_join_element_wise(f"{name}:", cells[name], "\n")
        parts.append(pc.if_else(is_blank(cells[name]), pa.scalar(None, pa.string()), under_heading))
    # Arrow drops a row of nulls alone here; there is none, because a record has a text.
    return pc.binary_join_element_wise(*parts, "\n\n", null_handling="skip")


def patient_keys(records: Records) -> pa.Array:
    """PatientID, with the class before it where it names none: its numbers restart in every class."""
    ids = pc.utf8_trim_whitespace(records.cells["PatientID"])
    bare = pc.and_(pc.is_null(parts_of_ids(ids)[0]), pc.invert(is_blank(ids)))
    return pc.if_else(pc.and_(bare, pc.is_valid(records.classes)), pc.binary_join_element_wise(records.classes, ids, "_"), ids)


def _ids(records: Records, say: _Say) -> dict[str, Any]:
    """ExamID and ImageID are kept where they are ``CASIA-CXR...<digits>``: in a shifted row they are something else."""
    columns = {"patient_id": as_text(patient_keys(records)), "report_id": as_text(records.cells["ReportID"])}
    for name in ("ExamID", "ImageID", "PatientID"):
        if name in records.there:
            say("blank_id", name, is_blank(records.cells[name]), pa.nulls(len(records.rows), pa.string()))
    for name, column in (("ExamID", "study_id"), ("ImageID", "image_id")):
        ids = pc.utf8_trim_whitespace(records.cells[name])
        unlike = pc.is_null(parts_of_ids(ids)[1])
        say("bad_cell", name, pc.and_(unlike, pc.invert(is_blank(ids))), ids)
        columns[column] = as_text(pc.if_else(unlike, pa.scalar(None, pa.string()), ids))
    return columns


def _view(records: Records, say: _Say) -> pa.Array:
    found = {}
    for name in ("Projection", "PositionView"):
        found[name], bad = positions(records.cells[name])
        say("bad_cell", name, bad, records.cells[name])
    differs = pc.fill_null(pc.not_equal(found["Projection"], found["PositionView"]), False)
    say("view_conflict", "PositionView", differs, records.cells["PositionView"])
    return pc.coalesce(found["Projection"], found["PositionView"])


def _values(records: Records, say: _Say) -> dict[str, Any]:
    cells = records.cells
    day, bad_day = days(cells["StudyDate"])
    age, bad_age = ages(cells["PatientAge"])
    sex, bad_sex = sexes(cells["PatientGender"])
    width, bad_width = sizes(cells["ImageWidth"])
    height, bad_height = sizes(cells["ImageHeight"])
    for code, name, bad in (
        ("bad_datetime", "StudyDate", bad_day),
        ("bad_cell", "PatientAge", bad_age),
        ("bad_cell", "PatientGender", bad_sex),
        ("bad_size", "ImageWidth", bad_width),
        ("bad_size", "ImageHeight", bad_height),
    ):
        say(code, name, bad, cells[name])
    return {
        "study_datetime": day,
        "patient_age": age,
        "patient_sex": as_text(sex),
        "image_width": width,
        "image_height": height,
    }


def _say_missing_images(records: Records, paths: pa.Array, files: ImageFiles, log: IssueLog) -> None:
    """Once for a class that has no image at all, and for each record where its class has some. Where a record's ids disagree it
    has been said that none is looked for by number."""
    missing = pc.is_null(paths)
    without = [name for name in records.class_names if files.count_of(name) == 0]
    log.add("no_images_of_class", rows=[None] * len(without), values=without)
    said = pc.or_(pc.is_in(records.classes, pa.array(without, pa.string())), pc.is_null(records.named))
    single = where(pc.and_(missing, pc.invert(said)))
    shown = pc.if_else(is_blank(records.cells["ImageID"]), records.cells["ExamID"], records.cells["ImageID"])
    log.add("missing_image", rows=records.rows[single].tolist(), values=shown.take(pa.array(single)).to_pylist())
