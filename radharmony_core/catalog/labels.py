"""What each labeler says of each study: CheXpert and NegBio from MIMIC-CXR-JPG's files, CASIA-CXR's from its own.

Kept as codes, since a cell without a state may be blank (*not mentioned*), may hold what cannot be used, or may belong to a
study that the file does not have: three things, and none of them is *negative*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from radharmony_core.cache import TableCache
from radharmony_core.config import Config
from radharmony_core.harmonizer.mimic.files import label_key
from radharmony_core.harmonizer.mimic.label_cells import BLANK, UNUSABLE
from radharmony_core.harmonizer.mimic.labels import find_label_table, read_labels
from radharmony_core.labels import LABEL_STATES, NOT_MENTIONED
from radharmony_core.schema import LABEL_COLUMNS, SCHEMA_VERSION, IssueLog

__all__ = ["NO_ROW", "Codes", "Labeled", "codes_of", "label_word", "labels_of", "state_columns"]

NO_ROW = 4  # the labeler's file does not have the study
_NAMES = [column.name for column in LABEL_COLUMNS]
_WORDS = {**LABEL_STATES, BLANK: NOT_MENTIONED, UNUSABLE: "cannot be used", NO_ROW: "no row in its file"}
_VERSION = 2
Codes = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Labeled:
    """One labeler's file: ``studies`` are unique ids, ``codes`` (14, studies) in the order of `LABEL_COLUMNS`."""

    studies: pd.Index[str]
    codes: Codes


def label_word(code: int) -> str:
    """A code in words: the four states, *cannot be used*, or *no row in its file*."""
    return _WORDS[code]


def labels_of(config: Config, tables: Mapping[str, pd.DataFrame], cache: TableCache) -> dict[str, Labeled]:
    """By labeler, its codes. Problems in the files are the harmonizers' to tell."""
    labels = {}
    if "mimic_cxr_jpg" in tables:
        for labeler in ("chexpert", "negbio"):
            path = _file(config, labeler)
            if path is not None:
                labels[labeler] = _cached(labeler, path, cache)
    if "casia_cxr" in tables:
        table = tables["casia_cxr"]
        first = (table["study_id"].notna() & ~table["study_id"].duplicated()).to_numpy()
        codes = np.stack([table[name].to_numpy(dtype=np.int8, na_value=BLANK)[first] for name in _NAMES])
        labels["casia"] = Labeled(pd.Index(table["study_id"][first]), codes)
    return labels


def codes_of(studies: pd.DataFrame, labeled: Labeled) -> Codes:
    """(14, studies): what a labeler says of each of ``studies``."""
    places = labeled.studies.get_indexer(pd.Index(studies["study_id"]))
    known = np.append(labeled.codes, np.full((len(_NAMES), 1), NO_ROW, dtype=np.int8), axis=1)
    return np.asarray(known[:, places])  # -1, no such study, takes the last


def state_columns(labeler: str, codes: Codes) -> dict[str, Any]:
    """The states as Int8 columns ``LABELER_LABEL``: 1, 0, -1, missing for everything else."""
    missing = codes > 1
    states = np.where(missing, np.int8(0), codes)
    return {f"{labeler}_{name}": pd.arrays.IntegerArray(states[k], missing[k]) for k, name in enumerate(_NAMES)}


def _file(config: Config, labeler: str) -> Path | None:
    """The labeler's file as the harmonizer takes it: one that is named is CheXpert's, unless its name says otherwise."""
    settings = config.datasets["mimic_cxr_jpg"]
    told = settings.get("label_csv_path")
    if told is not None and label_key(str(told), "chexpert") == labeler:
        return told
    root = settings.get("root")
    return None if root is None else find_label_table(root, labeler)


def _cached(labeler: str, path: Path, cache: TableCache) -> Labeled:
    def build() -> pa.Table:
        table = read_labels(path, IssueLog())
        return pa.table({"study_id": table.studies, **dict(zip(_NAMES, table.codes, strict=True))})

    versions = {"version": _VERSION, "schema_version": SCHEMA_VERSION}
    kept = cache.table(f"labels-{labeler}", {"path": str(path)}, [path], build, versions=versions).table
    codes = np.stack([kept[name].to_numpy() for name in _NAMES])
    return Labeled(pd.Index(kept["study_id"].to_pandas().astype("str")), codes)
