"""MS-CXR's rows as arrays: ids out of paths, categories as codes, boxes as fractions. Nothing is judged here, no row left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.tables.read import TextTable, as_mask, as_numbers
from radharmony_core.labels import MS_CXR_CATEGORIES
from radharmony_core.schema import array_of

__all__ = ["SIZES", "Annotations", "below_files", "parse", "usable_sizes"]

SIZES = ("x", "y", "w", "h", "image_width", "image_height")
_SHAPE = r"^p\d\d/p\d{8}/s\d{8}/[^/\\]+\.[A-Za-z0-9]+$"
_LARGEST = 2**31  # sizes are kept as whole numbers; no film comes near
_CANONICAL = {name.casefold(): code for code, name in enumerate(MS_CXR_CATEGORIES)}


@dataclass(frozen=True, slots=True)
class Annotations:
    """MS-CXR's rows (one a box, n of them) and the images they are on (m), as parallel arrays.

    ``image`` is each row's image, 0..m-1 in order of first appearance; ``category`` its place in `MS_CXR_CATEGORIES`, -1 for
    another; ``pixels`` (n, 6) is x, y, w, h, image width and height, NaN where the cell is no number; ``sized`` whether the
    last two can be an image's size; ``norm`` (n, 4) is in `BOX_ORDER`, NaN where a box cannot be placed. ``first`` is each
    image's first row; ``paths`` (below ``files/``), ``shaped`` (whether the path has its usual shape), ``patients`` and
    ``studies`` are the images', null where unknown.
    """

    rows: npt.NDArray[np.int64]
    image: npt.NDArray[np.int64]
    category: npt.NDArray[np.int64]
    labels: npt.NDArray[np.object_]
    phrases: pa.Array
    splits: pa.Array
    dicom_ids: pa.Array
    pixels: npt.NDArray[np.float64]
    sized: npt.NDArray[np.bool_]
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
    sized = usable_sizes(pixels[:, 4]) & usable_sizes(pixels[:, 5])
    below, shaped = _paths(column.get("path", blank))
    encoded = _image_keys(below, column.get("dicom_id", blank), table.rows).dictionary_encode()
    image = encoded.indices.to_numpy().astype(np.int64)
    _, first = np.unique(image, return_index=True)
    path, shaped = below.take(pa.array(first)), shaped.take(pa.array(first))
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
        sized=sized,
        norm=_normalize(pixels, sized),
        first=first,
        paths=path,
        shaped=as_mask(shaped),
        patients=patients,
        studies=studies,
    )


def _paths(path: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Paths below the images' folder, and whether each has its usual shape. As published they all have: cut off and done."""
    if pc.all(pc.starts_with(path, "files/")).as_py():
        cut = pc.utf8_slice_codeunits(path, len("files/"))
        shaped = pc.match_substring_regex(cut, _SHAPE)
        if pc.all(shaped).as_py():
            return cut, shaped
    below = below_files(path)
    return below, pc.match_substring_regex(below, _SHAPE)


def below_files(path: pa.Array) -> pa.Array:
    """Paths below the images' folder, in one spelling; null where there is none.

    What stands before ``files/`` is dropped from a path of MIMIC's shape, which says by itself which image it is; of another
    path only a leading ``files/``, since ``one/files/a.jpg`` and ``two/files/a.jpg`` may be two images.
    """
    path = pc.replace_substring_regex(pc.replace_substring(path, "\\", "/"), r"/(?:\.?/)+", "/")
    path = pc.replace_substring_regex(path, r"^(?:.*/)?files/(p\d\d/p\d{8}/s\d{8}/[^/]+)$", r"\1")
    path = pc.replace_substring_regex(path, r"^(?:\./)*(?:files/)?", "")
    return pc.if_else(pc.equal(path, ""), pa.scalar(None, pa.string()), path)


def _ids(path: pa.Array, shaped: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Patients and studies: by their place where every path has its usual shape, else by their letters."""
    if pc.all(shaped).as_py():
        return pc.utf8_slice_codeunits(path, 5, 13), pc.utf8_slice_codeunits(path, 15, 23)
    parts = pc.extract_regex(path, r"(?:^|/)p(?P<patient>\d+)/s(?P<study>\d+)/[^/]+$")
    return pc.struct_field(parts, "patient"), pc.struct_field(parts, "study")


def _image_keys(below: pa.Array, dicom_id: pa.Array, rows: npt.NDArray[np.int64]) -> pa.Array:
    """What tells images apart: the path, else the dicom_id, else (a row that names no image) the row itself."""
    if not below.null_count:
        return below
    # A line break keeps them apart from paths: cells are trimmed, so no path begins with one.
    named = pc.binary_join_element_wise("\nid ", dicom_id, "")
    alone = pa.array([f"\nrow {row}" for row in rows], pa.string())
    return pc.coalesce(below, pc.if_else(pc.equal(pc.fill_null(dicom_id, ""), ""), alone, named))


def usable_sizes(sizes: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which numbers can be a width or height of an image: whole, above 0 and below 2**31."""
    return np.asarray((sizes > 0) & (sizes < _LARGEST) & (sizes == np.floor(sizes)), dtype=bool)


def _normalize(pixels: npt.NDArray[np.float64], sized: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """(n, 6) pixels x, y, w, h, width, height -> (n, 4) fractions in `BOX_ORDER`; NaN where a box cannot be placed: it has no
    usable size, or is too large for a number."""
    x, y, w, h, width, height = pixels.T
    width, height = np.where(sized, width, np.nan), np.where(sized, height, np.nan)
    with np.errstate(over="ignore"):
        out = np.stack([y / height, (y + h) / height, x / width, (x + w) / width], axis=1)
    out[~np.isfinite(out).all(axis=1)] = np.nan
    return out
