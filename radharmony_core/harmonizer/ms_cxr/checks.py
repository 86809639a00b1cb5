"""What can be wrong with MS-CXR's rows, each with its code. Only rows that are wrong cost more than a column operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.ms_cxr.annotations import Annotations
from radharmony_core.harmonizer.tables.read import TextTable, as_mask
from radharmony_core.schema import IssueLog

__all__ = ["check"]

_Mask = npt.NDArray[np.bool_]
_SPLITS = ("train", "val", "test")


def check(notes: Annotations, table: TextTable, log: IssueLog) -> None:
    """Adds an issue for every fault of every row. The rows themselves stay as they are."""

    def report(code: str, wrong: Any, value: Callable[[int], object], column: str | None = None) -> None:
        places = np.flatnonzero(as_mask(wrong))
        if len(places):
            paths = notes.paths.take(pa.array(notes.image[places])).to_pylist()
            values = [value(place) for place in places.tolist()]
            log.add(code, rows=notes.rows[places].tolist(), image_paths=paths, values=values, column=column)

    _check_path(notes, table, report)
    _check_texts(notes, table, report)
    _check_box(notes, table, report)
    _check_image_size(notes, table, report)
    _check_split(notes, table, report)
    _check_study(notes, report)
    report("duplicate_row", _repeated(table), lambda place: table.rows[place])


def _check_path(notes: Annotations, table: TextTable, report: Callable[..., None]) -> None:
    if "path" not in table.columns:
        return
    shards, patients = (pc.utf8_slice_codeunits(notes.paths, start, start + 2) for start in (1, 5))
    shaped = notes.shaped & as_mask(pc.equal(shards, patients))
    paths = table.columns["path"]
    report("path_shape", ~shaped[notes.image], lambda place: paths[place].as_py(), "path")
    if "dicom_id" in table.columns:
        names = pc.replace_substring_regex(notes.paths, r"(?i)^.*/|\.(?:jpe?g|png|tiff?|dcm|dicom)$", "").take(
            pa.array(notes.image)
        )
        differs = pc.and_(pc.not_equal(names, notes.dicom_ids), pc.not_equal(notes.dicom_ids, ""))
        report("id_mismatch", differs, lambda place: notes.dicom_ids[place].as_py(), "dicom_id")


def _check_texts(notes: Annotations, table: TextTable, report: Callable[..., None]) -> None:
    if "category_name" in table.columns:
        report("unknown_category", notes.category < 0, lambda place: notes.labels[place], "category_name")
    if "label_text" in table.columns:
        report("empty_phrase", pc.equal(pc.utf8_trim_whitespace(notes.phrases), ""), lambda _: "", "label_text")


def _check_box(notes: Annotations, table: TextTable, report: Callable[..., None]) -> None:
    for place, name in enumerate(("x", "y", "w", "h")):
        if name in table.columns:
            cells = table.columns[name]
            wrong = np.isnan(notes.pixels[:, place]) & as_mask(pc.is_valid(cells))
            report("not_a_number", wrong, lambda row, cells=cells: cells[row].as_py(), name)
    x, y, w, h, width, height = notes.pixels.T
    spoken: Callable[[int], str] = lambda place: _box_text(notes.pixels[place])  # noqa: E731
    report("box_without_area", (w <= 0) | (h <= 0), spoken)
    with np.errstate(over="ignore"):
        outside = (x < 0) | (y < 0) | (x + w > width) | (y + h > height)
    report("box_outside_image", outside & notes.sized, spoken)


def _box_text(pixels: npt.NDArray[np.float64]) -> str:
    x, y, w, h, width, height = (f"{number:g}" for number in pixels)
    return f"x {x}, y {y}, w {w}, h {h} of {width} x {height}"


def _check_image_size(notes: Annotations, table: TextTable, report: Callable[..., None]) -> None:
    if "image_width" not in table.columns or "image_height" not in table.columns:
        return
    widths, heights = (table.columns[name] for name in ("image_width", "image_height"))
    sizes = notes.pixels[:, 4:]
    report("image_size_missing", ~notes.sized, lambda place: f"{widths[place].as_py()!r} x {heights[place].as_py()!r}")
    differs = (sizes != sizes[notes.first][notes.image]).any(axis=1) & notes.sized
    report("image_size_conflict", differs, lambda place: f"{widths[place].as_py()} x {heights[place].as_py()}")


def _check_split(notes: Annotations, table: TextTable, report: Callable[..., None]) -> None:
    if "split" not in table.columns:
        return
    splits = notes.splits
    report("unknown_split", pc.invert(pc.is_in(splits, pa.array(_SPLITS))), lambda place: splits[place].as_py(), "split")
    patients = pc.fill_null(notes.patients, "").take(pa.array(notes.image))
    groups = patients.dictionary_encode().indices.to_numpy()
    _, first = np.unique(groups, return_index=True)
    code = splits.dictionary_encode().indices.to_numpy()
    theirs = code[first][groups]
    differs = (code != theirs) & as_mask(pc.not_equal(patients, ""))
    report("split_conflict", differs, lambda place: splits[first[groups[place]]].as_py(), "split")


def _check_study(notes: Annotations, report: Callable[..., None]) -> None:
    """A study that an earlier row gives to another patient."""
    studies = pc.fill_null(notes.studies, "").dictionary_encode().indices.to_numpy()
    _, first = np.unique(studies, return_index=True)
    owner = notes.patients.take(pa.array(first[studies]))
    differs = as_mask(pc.and_(pc.not_equal(notes.patients, owner), pc.is_valid(notes.studies)))
    report("study_conflict", differs[notes.image], lambda place: owner[notes.image[place]].as_py())


def _repeated(table: TextTable) -> _Mask:
    """Rows that say the same as an earlier one in every column."""
    joined = pc.binary_join_element_wise(*table.columns.values(), "\x1f", null_handling="replace")
    codes = joined.dictionary_encode().indices.to_numpy()
    _, first = np.unique(codes, return_index=True)
    repeated = np.ones(len(codes), dtype=bool)
    repeated[first] = False
    return repeated
