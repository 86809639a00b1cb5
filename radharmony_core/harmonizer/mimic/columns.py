"""MIMIC-CXR's images with what the other tables know of them, as the harmonized columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from radharmony_core.harmonizer.mimic.agreement import agreed, disagreed
from radharmony_core.harmonizer.mimic.files import LABEL_SOURCES, LABELERS
from radharmony_core.harmonizer.mimic.images import Images
from radharmony_core.harmonizer.mimic.joins import check_patients, join_labels, taken_labels
from radharmony_core.harmonizer.mimic.labels import LabelTable, as_columns
from radharmony_core.harmonizer.mimic.reading import Loaded
from radharmony_core.harmonizer.mimic.split import join_split
from radharmony_core.harmonizer.places import Places
from radharmony_core.schema import Column, IssueLog

__all__ = ["image_columns", "ordered", "text"]


def text(values: pa.Array) -> Any:
    """An Arrow column as a column of text."""
    return pd.array(values, dtype="str")


def image_columns(images: Images, loaded: Loaded, label_source: str, log: IssueLog) -> dict[str, Any]:
    """The columns of `MIMIC_CXR_JPG_COLUMNS` by name; what no table knows is missing."""
    count = len(images.rows)
    none = pa.nulls(count, pa.string())
    split = loaded.tables.get("split")
    splits = None if split is None else join_split(images, split, loaded.logs["split"])
    check_patients(images, splits, log)
    facts = images.facts
    return {
        "patient_id": text(images.subjects),
        "study_id": text(images.studies),
        "image_path": text(images.paths),
        "dicom_id": text(images.dicoms),
        "split": text(none if splits is None else splits),
        **{name: text(facts.get(name, none)) for name in ("view_position", "view_group", "procedure")},
        "study_datetime": _times(facts.get("study_datetime", pa.nulls(count, pa.timestamp("ms")))),
        **{name: _whole(facts.get(name, pa.nulls(count, pa.int64()))) for name in ("image_width", "image_height")},
        **_labels(images, loaded, label_source),
    }


def _labels(images: Images, loaded: Loaded, label_source: str) -> dict[str, Any]:
    """The fourteen labels of ``label_source``, and on how many CheXpert and NegBio differ."""
    read: dict[str, LabelTable] = {key: loaded.tables[key] for key in (*LABELERS, "test_set") if key in loaded.tables}
    places = {key: join_labels(images, table, loaded.logs[key], whole=key in LABELERS) for key, table in read.items()}
    used = LABEL_SOURCES[label_source]
    nowhere = np.full(len(images.rows), -1)
    table, where = None, nowhere
    if all(key in read for key in used):
        table, where = read[used[0]], places[used[0]]
        table = agreed(table, read[used[1]]) if len(used) > 1 else table
    columns = as_columns(taken_labels(table, where))
    counts = np.full(len(images.rows), -1, dtype=np.int8)
    if all(key in read for key in LABELERS):
        counts = _at(disagreed(*(read[key] for key in LABELERS)), places[LABELERS[0]])
    return columns | {"labels_disagreed": pd.arrays.IntegerArray(np.maximum(counts, 0), counts < 0)}


def _at(counts: npt.NDArray[np.int8], places: Places) -> npt.NDArray[np.int8]:
    return np.append(counts, np.int8(-1))[places]  # the place -1 is the one that was added


def _times(values: pa.Array) -> npt.NDArray[np.datetime64]:
    """Null as NaT."""
    missing = values.is_null().to_numpy(zero_copy_only=False)
    times: npt.NDArray[np.datetime64] = values.cast(pa.int64()).fill_null(0).to_numpy().astype("datetime64[ms]")
    times[missing] = np.datetime64("NaT")
    return times


def _whole(values: pa.Array) -> Any:
    missing = values.is_null().to_numpy(zero_copy_only=False)
    return pd.arrays.IntegerArray(values.fill_null(0).to_numpy().copy(), missing)


def ordered(cells: Mapping[str, Any], columns: Sequence[Column]) -> pd.DataFrame:
    """The table with its columns in the harmonized order."""
    return pd.DataFrame({column.name: cells[column.name] for column in columns}, copy=False)
