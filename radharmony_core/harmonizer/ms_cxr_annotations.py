"""MS-CXR's rows as arrays: ids out of paths, categories as codes, boxes as fractions. Nothing is judged here, no row left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.tables import TextTable, as_numbers
from radharmony_core.labels import MS_CXR_CATEGORIES
from radharmony_core.schema import array_of

__all__ = ["SIZES", "Annotations", "as_mask", "parse"]

SIZES = ("x", "y", "w", "h", "image_width", "image_height")
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


def parse(table: TextTable) -> Annotations:
    """Whole columns to numbers, ids and codes. Nothing is judged here, and no row is left out."""
    count = len(table.rows)
    column = {name: pc.utf8_trim_whitespace(cells) for name, cells in table.columns.items()}
    blank = pa.array(np.full(count, ""), pa.string())
    numbers = [as_numbers(column[name])[0] if name in column else np.full(count, np.nan) for name in SIZES]
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
        norm=_normalize(pixels),
        first=first,
        paths=path,
        shaped=as_mask(shaped),
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


def _normalize(pixels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(n, 6) pixels x, y, w, h, width, height -> (n, 4) fractions in `BOX_ORDER`; NaN where the size is not above 0."""
    x, y, w, h, width, height = pixels.T
    sized = (width > 0) & (height > 0)
    width, height = np.where(sized, width, np.nan), np.where(sized, height, np.nan)
    out = np.stack([y / height, (y + h) / height, x / width, (x + w) / width], axis=1)
    out[np.isnan(out).any(axis=1)] = np.nan
    return out


def as_mask(flags: Any) -> npt.NDArray[np.bool_]:
    """A NumPy or Arrow column of booleans as NumPy's; null is false."""
    if isinstance(flags, pa.Array):
        flags = pc.fill_null(flags, False).to_numpy(zero_copy_only=False)
    return np.asarray(flags, dtype=bool)
