"""MS-CXR: phrases with boxes on films of MIMIC-CXR, one row per image.

Format: https://physionet.org/content/ms-cxr/1.1.0/. Boxes are divided by the table's own image size, never by that of a file
on disk, because people keep resized copies. Everything is computed on whole columns; images are not opened.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import OutsideRootError
from radharmony_core.harmonizer import ms_cxr_checks as checks
from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.ms_cxr_rows import read_annotations
from radharmony_core.harmonizer.tables import TextTable, as_numbers
from radharmony_core.labels import MS_CXR_CATEGORIES, column_of
from radharmony_core.paths import existing, find_tree, locate
from radharmony_core.schema import BOX_ORDER, MS_CXR_COLUMNS, Column, IssueLog, array_of

__all__ = ["MSCXRHarmonizer"]

_LOOKED_AT = 12  # images looked for to tell which kind of tree it is
_SIZES = ("x", "y", "w", "h", "image_width", "image_height")
_SHAPE = r"^p\d\d/p\d{8}/s\d{8}/[^/]+\.[A-Za-z0-9]+$"
_CANONICAL = {name.casefold(): code for code, name in enumerate(MS_CXR_CATEGORIES)}


@dataclass(frozen=True, slots=True)
class Annotations:
    """MS-CXR's rows (one a box, n of them) and the images they are on (m), as parallel arrays.

    ``image`` is each row's image, 0..m-1 in order of first appearance; ``category`` its place in `MS_CXR_CATEGORIES`, -1 for
    another; ``pixels`` (n, 6) is x, y, w, h, image width and height, NaN where the cell is no number; ``norm`` (n, 4) is in
    `BOX_ORDER`, NaN where a box cannot be placed. ``first`` is each image's first row; ``paths`` (below ``files/``), ``shaped``
    (whether the path has its usual shape), ``patients`` and ``studies`` are the images', null where unknown.
    """

    rows: npt.NDArray[np.int64]
    image: npt.NDArray[np.int64]
    category: npt.NDArray[np.int64]
    labels: npt.NDArray[np.object_]
    phrases: pa.Array
    splits: pa.Array
    dicom_ids: pa.Array
    pixels: npt.NDArray[np.float64]
    norm: npt.NDArray[np.float64]
    first: npt.NDArray[np.int64]
    paths: pa.Array
    shaped: npt.NDArray[np.bool_]
    patients: pa.Array
    studies: pa.Array


class MSCXRHarmonizer(Harmonizer):
    """``MSCXRHarmonizer(csv_path, mimic_base_dir).harmonize()``: shape (1047, 17) on the published 1.1.0 file.

    ``csv_path`` is either release's CSV or the JSON. ``mimic_base_dir`` is MIMIC-CXR-JPG's or MIMIC-CXR's folder at any usual
    depth; without it paths keep the extension that the table has.
    """

    kind = "ms_cxr"
    image_root: Path | None = None
    _annotations: Annotations | None = None
    columns: ClassVar[tuple[Column, ...]] = MS_CXR_COLUMNS

    def __init__(self, csv_path: str | Path, mimic_base_dir: str | Path | None = None) -> None:
        super().__init__(csv_path=str(csv_path), mimic_base_dir=None if mimic_base_dir is None else str(mimic_base_dir))

    @property
    def boxes_df(self) -> pd.DataFrame:
        """One row per row of the file: ``row``, ``image`` (its place in the harmonized table), ``label``, ``phrase``, the four
        numbers of `BOX_ORDER`, and ``x, y, w, h, image_width, image_height`` in pixels as read. Reads the file if need be."""
        if self._annotations is None:
            self.harmonize()
        return _box_table(cast(Annotations, self._annotations))

    def _build(self, log: IssueLog) -> pd.DataFrame:
        source = existing(self._arguments["csv_path"] or "", "MS-CXR's CSV or JSON")
        table = read_annotations(source, log)
        notes = self._annotations = parse(table)
        checks.check(notes, table, log)
        return _image_table(notes, self._paths_on_disk(notes, log))

    def _paths_on_disk(self, notes: Annotations, log: IssueLog) -> list[str | None]:
        """Image paths with the extension of the tree, found by looking at a few files; image by image in a mixed tree."""
        paths: list[str | None] = notes.paths.to_pylist()
        base = self._arguments.get("mimic_base_dir")
        if base is None:
            return paths
        folder = existing(base, "the folder of MIMIC-CXR's images")
        known = [path for path in paths if path is not None]
        few = known[:: max(1, len(known) // _LOOKED_AT)]
        self.image_root = find_tree(folder, few)
        if self.image_root is None:
            log.add("tree_not_found", values=[str(folder)])
            return paths
        kinds = {suffix for path in few if (suffix := _suffix_on_disk(self.image_root, path)) is not None}
        if kinds == {Path(path).suffix for path in few}:
            return paths
        if kinds == {".dcm"}:
            return [path and Path(path).with_suffix(".dcm").as_posix() for path in paths]
        log.add("tree_mixed")
        return [path and _path_on_disk(self.image_root, path) for path in paths]


def _suffix_on_disk(root: Path, path: str) -> str | None:
    found = _file_of(root, path)
    return None if found is None else found.suffix


def _path_on_disk(root: Path, path: str) -> str:
    """The path as the file is called on disk; as the table has it where there is none."""
    found = _file_of(root, path)
    return path if found is None else found.relative_to(root.resolve()).as_posix()


def _file_of(root: Path, path: str) -> Path | None:
    try:
        return locate(root, path)
    except OutsideRootError:  # such a path is reported by its shape, and refused again when its film is opened
        return None


def parse(table: TextTable) -> Annotations:
    """Whole columns to numbers, ids and codes. Nothing is judged here, and no row is left out."""
    count = len(table.rows)
    column = {name: pc.utf8_trim_whitespace(cells) for name, cells in table.columns.items()}
    blank = pa.array(np.full(count, ""), pa.string())
    numbers = [as_numbers(column[name])[0] if name in column else np.full(count, np.nan) for name in _SIZES]
    pixels = np.stack(numbers, axis=1) if count else np.empty((0, 6))
    encoded = _image_keys(column, blank, table.rows).dictionary_encode()
    image = encoded.indices.to_numpy().astype(np.int64)
    _, first = np.unique(image, return_index=True)
    path = column.get("path", blank).take(pa.array(first))
    path = below_files(path)
    shaped = pc.match_substring_regex(path, _SHAPE)
    patients, studies = _ids(path, shaped)
    categories = column.get("category_name", blank).dictionary_encode()
    names = categories.dictionary.to_pylist()
    codes = np.array([_CANONICAL.get(name.casefold(), -1) for name in names] or [-1])
    spoken = array_of([MS_CXR_CATEGORIES[code] if code >= 0 else name for code, name in zip(codes, names, strict=False)] or [""])
    which = categories.indices.to_numpy()
    return Annotations(
        rows=table.rows,
        image=image,
        category=codes[which],
        labels=spoken[which],
        phrases=table.columns.get("label_text", blank),  # as written, white space included
        splits=column.get("split", blank),
        dicom_ids=column.get("dicom_id", blank),
        pixels=pixels,
        norm=normalize(pixels),
        first=first,
        paths=path,
        shaped=checks.as_mask(shaped),
        patients=patients,
        studies=studies,
    )


def below_files(path: pa.Array) -> pa.Array:
    """Paths below the images' folder: what stands before ``files/`` is dropped; null where the table has none."""
    if pc.all(pc.starts_with(path, "files/")).as_py():
        return pc.utf8_slice_codeunits(path, len("files/"))
    path = pc.replace_substring_regex(pc.replace_substring(path, "\\", "/"), r"^(?:.*/)?files/|^\./", "")
    return pc.if_else(pc.equal(path, ""), pa.scalar(None, pa.string()), path)


def _ids(path: pa.Array, shaped: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Patients and studies: by their place where every path has its usual shape, else by their letters."""
    if pc.all(shaped).as_py():
        return pc.utf8_slice_codeunits(path, 5, 13), pc.utf8_slice_codeunits(path, 15, 23)
    parts = pc.extract_regex(path, r"(?:^|/)p(?P<patient>\d+)/s(?P<study>\d+)/[^/]+$")
    return pc.struct_field(parts, "patient"), pc.struct_field(parts, "study")


def _image_keys(column: dict[str, pa.Array], blank: pa.Array, rows: npt.NDArray[np.int64]) -> pa.Array:
    """What tells images apart: the path, else the dicom_id, else (a row that names no image) the row itself."""
    path, dicom_id = column.get("path", blank), column.get("dicom_id", blank)
    if pc.all(pc.not_equal(path, "")).as_py() is not False:
        return path
    alone = pa.array([f"row {row}" for row in rows], pa.string())
    return pc.if_else(pc.not_equal(path, ""), path, pc.if_else(pc.not_equal(dicom_id, ""), dicom_id, alone))


def normalize(pixels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(n, 6) pixels x, y, w, h, width, height -> (n, 4) fractions in `BOX_ORDER`; NaN where the size is not above 0."""
    x, y, w, h, width, height = pixels.T
    sized = (width > 0) & (height > 0)
    width, height = np.where(sized, width, np.nan), np.where(sized, height, np.nan)
    out = np.stack([y / height, (y + h) / height, x / width, (x + w) / width], axis=1)
    out[np.isnan(out).any(axis=1)] = np.nan
    return out


def _image_table(notes: Annotations, paths: list[str | None]) -> pd.DataFrame:
    count = len(notes.first)
    order = np.argsort(notes.image, kind="stable")
    ends = np.searchsorted(notes.image[order], np.arange(count + 1)).tolist()

    def gathered(values: list[Any]) -> npt.NDArray[np.object_]:
        return array_of([values[start:end] for start, end in itertools.pairwise(ends)])

    flags = np.zeros((count, len(MS_CXR_CATEGORIES)), dtype=np.int8)
    known = notes.category >= 0
    flags[notes.image[known], notes.category[known]] = 1
    split = notes.splits.take(pa.array(notes.first))
    columns = {
        "patient_id": _text(notes.patients),
        "study_id": _text(notes.studies),
        "image_path": _text(pa.array(paths, pa.string())),
        "bbox": gathered(notes.norm[order].tolist()),
        "bbox_labels": gathered(notes.labels[order].tolist()),
        **{column_of(name): flags[:, place] for place, name in enumerate(MS_CXR_CATEGORIES)},
        "split": _text(pc.if_else(pc.equal(split, ""), pa.scalar(None, pa.string()), split)),
        "label_text": gathered(notes.phrases.take(pa.array(order)).to_pylist()),
        "image_width": _whole(notes.pixels[notes.first, 4]),
        "image_height": _whole(notes.pixels[notes.first, 5]),
    }
    return pd.DataFrame(columns, copy=False)


def _box_table(notes: Annotations) -> pd.DataFrame:
    numbers = dict(zip(BOX_ORDER, notes.norm.T, strict=True)) | dict(zip(_SIZES, notes.pixels.T, strict=True))
    texts = {"row": notes.rows, "image": notes.image, "label": notes.labels, "phrase": _text(notes.phrases)}
    return pd.DataFrame(texts | numbers)


def _text(values: pa.Array) -> Any:
    return pd.array(values.to_numpy(zero_copy_only=False), dtype="str")


def _whole(values: npt.NDArray[np.float64]) -> Any:
    """Sizes as nullable integers; a size that is no number, not whole or not above 0 is missing."""
    usable = np.isfinite(values) & (values > 0) & (values == np.floor(values)) & (values < 2**31)
    return pd.arrays.IntegerArray(np.where(usable, values, 0).astype(np.int64), ~usable)
