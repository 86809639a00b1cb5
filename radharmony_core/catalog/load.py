"""Building the catalog: every configured dataset is harmonized, or read from the cache, and joined."""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from radharmony_core.cache import TableCache
from radharmony_core.catalog.boxes import box_rows, no_boxes
from radharmony_core.catalog.counts import count
from radharmony_core.catalog.images import all_images, ms_cxr_images
from radharmony_core.catalog.labels import labels_of
from radharmony_core.catalog.sources import harmonizer_of
from radharmony_core.catalog.studies import all_studies, report_tree, with_labels, with_reports
from radharmony_core.catalog.tables import Catalog, DatasetStatus
from radharmony_core.config import KINDS, Config
from radharmony_core.errors import ConfigError, RadHarmonyError
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.harmonizer.base import Harmonizer, Progress
from radharmony_core.paths import locate_all
from radharmony_core.schema import IssueLog

__all__ = ["load_catalog"]


def load_catalog(config: Config, cache: TableCache | None = None, progress: Progress | None = None) -> Catalog:
    """Reads what ``config`` names. A dataset that cannot be read is told as its `DatasetStatus`, and leaves the others; a
    folder of images or reports that is not there is an issue: annotations can be looked at without.

    Raises RadHarmonyError when no dataset is configured, or none of them can be read.
    """
    if not config.datasets:
        raise ConfigError(f"{config.path}: expected a table for a dataset, such as [ms_cxr]; there is none.")
    store, log = TableCache(None) if cache is None else cache, IssueLog()
    read: dict[str, Harmonizer] = {}
    refused: dict[str, RadHarmonyError] = {}
    for kind in (kind for kind in KINDS if kind in config.datasets):
        try:
            read[kind] = _read(config, kind, store, progress, log)
        except RadHarmonyError as error:
            refused[kind] = error
    if not read:
        raise next(iter(refused.values()))
    catalog = _joined(config, read, refused, store, log)
    read.clear()
    pa.default_memory_pool().release_unused()  # what was joined is large, and Arrow would keep its room for later
    return catalog


def _read(config: Config, kind: str, cache: TableCache, progress: Progress | None, log: IssueLog) -> Harmonizer:
    """One dataset's table. MS-CXR is read anew each time: that takes milliseconds, and its boxes are wanted as well."""
    harmonizer = harmonizer_of(config, kind, log)
    if kind == MSCXRHarmonizer.kind:
        harmonizer.harmonize(progress)
    else:
        harmonizer.fill_from(cache, progress)
    return harmonizer


def _joined(
    config: Config, read: dict[str, Harmonizer], refused: dict[str, RadHarmonyError], cache: TableCache, log: IssueLog
) -> Catalog:
    tables = {kind: harmonizer.harmonized_df for kind, harmonizer in read.items()}
    ms_cxr = cast(MSCXRHarmonizer | None, read.get("ms_cxr"))
    of_ms_cxr = pd.DataFrame() if ms_cxr is None else ms_cxr_images(tables["ms_cxr"])
    images = all_images({kind: of_ms_cxr if kind == "ms_cxr" else table for kind, table in tables.items()})
    images["file"] = pd.array(_files(of_ms_cxr, ms_cxr, len(images), log), dtype="str")
    studies, images["study"] = all_studies(images)
    studies = with_reports(studies, {kind: table for kind, table in tables.items() if "report" in table})
    labels = labels_of(config, tables, cache)
    studies = with_labels(studies, labels)
    report_root = (
        None
        if ms_cxr is None
        else report_tree(config, of_ms_cxr, ms_cxr.image_root, _have_text(images, studies, len(of_ms_cxr)), log)
    )
    issues = _issues(read, log)
    boxes = no_boxes() if ms_cxr is None else box_rows(ms_cxr.boxes_df, images, issues[issues["dataset"] == "ms_cxr"])
    images["boxes"] = np.bincount(boxes["image"], minlength=len(images))
    return Catalog(images, boxes, studies, issues, _statuses(config, read, refused, boxes), tuple(labels), report_root)


def _have_text(images: pd.DataFrame, studies: pd.DataFrame, count: int) -> npt.NDArray[np.bool_]:
    """Which of the first ``count`` images have the report of their study in the tables."""
    places = images["study"].to_numpy()[:count]
    told = np.append(studies["report"].notna().to_numpy(dtype=bool), False)  # the last is for -1, no study
    return np.asarray(told[places])


def _files(images: pd.DataFrame, ms_cxr: MSCXRHarmonizer | None, count: int, log: IssueLog) -> list[str | None]:
    """The file of each of MS-CXR's images below its folder, None where there is none; those are named as issues. The files of
    other images are looked for when they are shown: there may be hundreds of thousands."""
    if ms_cxr is None or ms_cxr.image_root is None:
        return [None] * count
    paths = [path if isinstance(path, str) else None for path in images["image_path"]]
    found = locate_all(ms_cxr.image_root, paths)
    missing = [path for path, file in zip(paths, found, strict=True) if path is not None and file is None]
    log.add("missing_image", rows=[None] * len(missing), image_paths=missing, values=missing)
    return found + [None] * (count - len(found))


def _issues(read: dict[str, Harmonizer], log: IssueLog) -> pd.DataFrame:
    """All issues with the dataset they are of; what two datasets say of a file they share stands there once."""
    parts = [harmonizer.issues.assign(dataset=kind) for kind, harmonizer in read.items()]
    joined = pd.concat([*parts, log.frame().assign(dataset="ms_cxr")], ignore_index=True)
    return joined[~joined.duplicated(["code", "row", "image_path", "column", "value"])].reset_index(drop=True)


def _statuses(
    config: Config, read: dict[str, Harmonizer], refused: dict[str, RadHarmonyError], boxes: pd.DataFrame
) -> tuple[DatasetStatus, ...]:
    statuses = []
    for kind in (kind for kind in KINDS if kind in config.datasets):
        settings = config.datasets[kind]
        if kind in refused:
            statuses.append(DatasetStatus(kind, settings, str(refused[kind])))
            continue
        harmonizer = read[kind]
        counts = count(kind, harmonizer.harmonized_df, boxes if kind == "ms_cxr" else None)
        inputs, notices = tuple(harmonizer.inputs()), tuple(harmonizer.cache_notices)
        statuses.append(DatasetStatus(kind, settings, None, inputs, harmonizer.image_root, counts, notices))
    return tuple(statuses)
