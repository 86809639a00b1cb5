"""One row a study: its report, and what each labeler made of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.catalog.sources import folder_or_issue
from radharmony_core.config import Config
from radharmony_core.paths import find_tree
from radharmony_core.reports import report_path
from radharmony_core.schema import IssueLog

__all__ = ["all_studies", "report_tree", "with_labels", "with_reports"]

_LOOKED_AT = 12


def all_studies(images: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray[tuple[int], np.dtype[np.int32]]]:
    """One row a study of a patient, in the images' order, and each image's place among them (-1 where it names no study).

    ``patient`` numbers the patients. A study's date is that of its first image that has one.
    """
    keys = images[["patient_id", "study_id"]]
    named = images["study_id"].notna().to_numpy()
    places = np.full(len(images), -1, dtype=np.int32)
    places[named] = keys[named].groupby(["patient_id", "study_id"], sort=False, dropna=False).ngroup().to_numpy()
    firsts = np.unique(places[named], return_index=True)[1]
    studies = keys[named].iloc[firsts].reset_index(drop=True)
    studies["patient"] = pd.factorize(studies["patient_id"], use_na_sentinel=False)[0].astype(np.int32)
    when = pd.Series(images["study_datetime"].to_numpy()[named]).groupby(places[named]).first()
    studies["study_datetime"] = when.to_numpy()
    french = images["casia_cxr"].to_numpy()[named][firsts]
    studies["language"] = pd.Categorical(np.where(french, "fr", "en"), categories=["en", "fr"])
    return studies, places


def with_reports(studies: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """``studies`` with the report's text of each, missing where no dataset brings it as text."""
    wanted = pa.array(studies["study_id"])
    report = pa.nulls(len(studies), pa.large_string())
    for table in tables.values():
        found = pc.index_in(wanted, value_set=pa.array(table["study_id"]).cast(wanted.type))  # the first row of a study
        report = pc.coalesce(report, pa.array(table["report"]).cast(pa.large_string()).take(found))
    return studies.assign(report=pd.array(report, dtype="str"))


def with_labels(studies: pd.DataFrame, labels: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """``studies`` with the states of each labeler as ``LABELER_LABEL``; tables are indexed by study_id."""
    columns: dict[str, Any] = {}
    for labeler, table in labels.items():
        places = table.index.get_indexer(pd.Index(studies["study_id"]))
        for name in table.columns:
            columns[f"{labeler}_{name}"] = table[name].array.take(places, allow_fill=True)  # missing where there is no such study
    return pd.concat([studies, pd.DataFrame(columns, index=studies.index)], axis=1)


def report_tree(
    config: Config, images: pd.DataFrame, image_root: Path | None, have_text: npt.NDArray[np.bool_], log: IssueLog
) -> Path | None:
    """The folder that has the reports of MS-CXR's films beside their studies. Reports that neither are there nor
    (``have_text``, image by image) came as text become issues."""
    settings = config.datasets["ms_cxr"]
    firsts = images.dropna(subset=["study_id", "image_path"]).drop_duplicates(["patient_id", "study_id"])
    paths = [report_path(path) for path in firsts["image_path"]]
    told = folder_or_issue(settings.get("report_dir"), "missing_report", log)
    elsewhere = config.datasets.get("mimic_cxr", {})
    places = (told, elsewhere.get("report_dir"), elsewhere.get("root"), image_root, settings.get("root"))
    few = paths[:: max(1, len(paths) // _LOOKED_AT)]
    root = next((root for place in places if place is not None and (root := find_tree(place, few)) is not None), None)
    without = [path for path, has in zip(paths, have_text[firsts.index], strict=True) if not has]
    if root is None and len(without) == len(paths) > 0:
        log.add("missing_report", values=["any of " + ", ".join(str(place) for place in places if place) or "no folder given"])
    else:
        missing = [path for path in without if root is None or not os.path.isfile(f"{root}/{path}")]  # noqa: PTH113
        log.add("missing_report", rows=[None] * len(missing), values=missing)
    return root
