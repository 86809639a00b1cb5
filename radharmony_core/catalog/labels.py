"""What each labeler says of each study: CheXpert and NegBio from MIMIC-CXR-JPG's files, CASIA-CXR's from its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa

from radharmony_core.cache import TableCache
from radharmony_core.config import Config
from radharmony_core.harmonizer.mimic.labels import find_label_table, read_label_table
from radharmony_core.schema import LABEL_COLUMNS, SCHEMA_VERSION, IssueLog

__all__ = ["labels_of"]

_NAMES = [column.name for column in LABEL_COLUMNS]
_VERSION = 1


def labels_of(config: Config, tables: Mapping[str, pd.DataFrame], cache: TableCache) -> dict[str, pd.DataFrame]:
    """By labeler, a table of 14 states indexed by study_id. Problems in the files are the harmonizers' to tell."""
    labels = {}
    if "mimic_cxr_jpg" in tables:
        for labeler in ("chexpert", "negbio"):
            path = _file(config, labeler)
            if path is not None:
                labels[labeler] = _cached(labeler, path, cache)
    if "casia_cxr" in tables:
        table = tables["casia_cxr"]
        labels["casia"] = table.loc[~table["study_id"].duplicated() & table["study_id"].notna(), ["study_id", *_NAMES]].set_index(
            "study_id"
        )
    return labels


def _file(config: Config, labeler: str) -> Path | None:
    settings = config.datasets["mimic_cxr_jpg"]
    told = settings.get("label_csv_path")
    if told is not None and labeler in told.name.lower():
        return told
    root = settings.get("root")
    return None if root is None else find_label_table(root, labeler)


def _cached(labeler: str, path: Path, cache: TableCache) -> pd.DataFrame:
    def build() -> pa.Table:
        return pa.Table.from_pandas(read_label_table(path, IssueLog()), preserve_index=True)

    versions = {"version": _VERSION, "schema_version": SCHEMA_VERSION}
    kept = cache.table(f"labels-{labeler}", {"path": str(path)}, [path], build, versions=versions)
    table: pd.DataFrame = kept.table.to_pandas()
    return table if table.index.name == "study_id" else table.set_index("study_id")
