"""MS-CXR: phrases with boxes on films of MIMIC-CXR, one row per image.

Format: https://physionet.org/content/ms-cxr/1.1.0/. Boxes are divided by the table's own image size, never by that of a file
on disk, because people keep resized copies. Everything is computed on whole columns; images are not opened.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.ms_cxr.annotations import SIZES, Annotations, parse
from radharmony_core.harmonizer.ms_cxr.checks import check
from radharmony_core.harmonizer.ms_cxr.on_disk import paths_on_disk
from radharmony_core.harmonizer.ms_cxr.rows import read_annotations
from radharmony_core.labels import MS_CXR_CATEGORIES, column_of
from radharmony_core.paths import existing
from radharmony_core.schema import BOX_ORDER, MS_CXR_COLUMNS, Column, IssueLog, array_of

__all__ = ["MSCXRHarmonizer"]


class MSCXRHarmonizer(Harmonizer):
    """``MSCXRHarmonizer(csv_path, mimic_base_dir).harmonize()``: shape (1047, 17) on the published 1.1.0 file.

    ``csv_path`` is either release's CSV or the JSON. ``mimic_base_dir`` is MIMIC-CXR-JPG's or MIMIC-CXR's folder at any usual
    depth; without it paths keep the extension that the table has.
    """

    kind = "ms_cxr"
    version: ClassVar[int] = 2
    _annotations: Annotations | None = None
    columns: ClassVar[tuple[Column, ...]] = MS_CXR_COLUMNS

    def __init__(self, csv_path: str | Path, mimic_base_dir: str | Path | None = None) -> None:
        super().__init__(csv_path=str(csv_path), mimic_base_dir=None if mimic_base_dir is None else str(mimic_base_dir))

    def inputs(self) -> list[Path]:
        """The table, and the images' folder where one was given: what is in it decides the paths' extension."""
        table = existing(self._arguments["csv_path"] or "", "MS-CXR's CSV or JSON")
        base = self._arguments["mimic_base_dir"]
        return [table] if base is None else [table, existing(base, "the folder of MIMIC-CXR's images")]

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
        check(notes, table, log)
        paths, base = notes.paths.to_pylist(), self._arguments.get("mimic_base_dir")
        if base is not None:
            folder = existing(base, "the folder of MIMIC-CXR's images")
            paths, self.image_root = paths_on_disk(notes.paths, folder, log)
        return _image_table(notes, paths)


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
    numbers = dict(zip(BOX_ORDER, notes.norm.T, strict=True)) | dict(zip(SIZES, notes.pixels.T, strict=True))
    texts = {"row": notes.rows, "image": notes.image, "label": notes.labels, "phrase": _text(notes.phrases)}
    return pd.DataFrame(texts | numbers)


def _text(values: pa.Array) -> Any:
    return pd.array(values.to_numpy(zero_copy_only=False), dtype="str")


def _whole(values: npt.NDArray[np.float64]) -> Any:
    """Sizes as nullable integers; a size that is no number, not whole or not above 0 is missing."""
    usable = np.isfinite(values) & (values > 0) & (values == np.floor(values)) & (values < 2**31)
    return pd.arrays.IntegerArray(np.where(usable, values, 0).astype(np.int64), ~usable)
