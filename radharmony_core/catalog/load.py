"""Building the catalog: every configured dataset is harmonized, or read from the cache, and joined."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from radharmony_core.cache import TableCache
from radharmony_core.catalog.boxes import box_rows, no_boxes
from radharmony_core.catalog.counts import count
from radharmony_core.catalog.images import all_images, columns_of, ms_cxr_images
from radharmony_core.catalog.labels import codes_of, labels_of, state_columns
from radharmony_core.catalog.sources import harmonizer_of
from radharmony_core.catalog.studies import all_studies, fill_reports, report_source, report_texts, with_reports
from radharmony_core.catalog.tables import Catalog, DatasetStatus
from radharmony_core.config import KINDS, Config
from radharmony_core.errors import ConfigError, RadHarmonyError
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.harmonizer.base import Progress
from radharmony_core.paths import locate_all
from radharmony_core.schema import IssueLog

__all__ = ["load_catalog"]

_SAME = ["code", "row", "column", "value", "message"]


@dataclass(slots=True)
class _Read:
    """What the catalog needs of one dataset. The whole table is let go before the next is read: it may be large."""

    images: pd.DataFrame
    issues: pd.DataFrame
    inputs: tuple[Path, ...]
    image_root: Path | None
    notices: tuple[str, ...]
    counts: dict[str, int]
    reports: pd.DataFrame | None = None
    boxes: pd.DataFrame = field(default_factory=pd.DataFrame)


def load_catalog(config: Config, cache: TableCache | None = None, progress: Progress | None = None) -> Catalog:
    """Reads what ``config`` names. A dataset that cannot be read is told as its `DatasetStatus`, and leaves the others; a
    folder of images or reports that is not there is an issue: annotations can be looked at without.

    Raises RadHarmonyError when no dataset is configured, or none of them can be read.
    """
    if not config.datasets:
        raise ConfigError(f"{config.path}: expected a table for a dataset, such as [ms_cxr]; there is none.")
    store, log = TableCache(None) if cache is None else cache, IssueLog()
    read: dict[str, _Read] = {}
    refused: dict[str, RadHarmonyError] = {}
    for kind in (kind for kind in KINDS if kind in config.datasets):
        try:
            read[kind] = _read(config, kind, store, progress, log)
        except RadHarmonyError as error:
            refused[kind] = error
        _give_back_memory()
    if not read:
        raise next(iter(refused.values()))
    catalog = _joined(config, read, refused, store, log)
    read.clear()
    _give_back_memory()
    return catalog


def _give_back_memory() -> None:
    """What was needed for joining is large, and would stay with the process: Arrow keeps its room, and so does glibc."""
    pa.default_memory_pool().release_unused()
    with contextlib.suppress(OSError, AttributeError):  # other systems' libraries have no such call
        ctypes.CDLL(None).malloc_trim(0)


def _read(config: Config, kind: str, cache: TableCache, progress: Progress | None, log: IssueLog) -> _Read:
    """One dataset. MS-CXR is read anew each time: that takes milliseconds, and its boxes are wanted as well."""
    harmonizer = harmonizer_of(config, kind, log)
    if isinstance(harmonizer, MSCXRHarmonizer):
        table, boxes = harmonizer.harmonize(progress), harmonizer.boxes_df
        images = ms_cxr_images(table)
    else:
        table, boxes = harmonizer.fill_from(cache, progress), pd.DataFrame()
        images = columns_of(kind, table)
    reports = report_texts(table) if "report" in table else None
    counts = {} if kind == MSCXRHarmonizer.kind else count(kind, table)
    inputs, notices = tuple(harmonizer.inputs()), tuple(harmonizer.cache_notices)
    return _Read(images, harmonizer.issues, inputs, harmonizer.image_root, notices, counts, reports, boxes)


def _joined(
    config: Config, read: dict[str, _Read], refused: Mapping[str, RadHarmonyError], cache: TableCache, log: IssueLog
) -> Catalog:
    ms_cxr = read.get(MSCXRHarmonizer.kind)
    images = all_images({kind: one.images for kind, one in read.items()})
    images["file"] = pd.array(_files(ms_cxr, len(images), log), dtype="str")
    studies, images["study"] = all_studies(images)
    studies = with_reports(studies, {kind: one.reports for kind, one in read.items() if one.reports is not None})
    reports = report_source(config, images, log)
    studies = fill_reports(studies, images, reports, log)
    found = labels_of(config, {kind: one.images for kind, one in read.items()}, cache)
    labels = {labeler: codes_of(studies, labeled) for labeler, labeled in found.items()}
    columns = {name: states for labeler, codes in labels.items() for name, states in state_columns(labeler, codes).items()}
    studies = pd.concat([studies, pd.DataFrame(columns, index=studies.index)], axis=1)
    boxes = no_boxes() if ms_cxr is None else box_rows(ms_cxr.boxes, images, ms_cxr.issues)
    images["boxes"] = np.bincount(boxes["image"], minlength=len(images))
    if ms_cxr is not None:
        ms_cxr.counts = count(MSCXRHarmonizer.kind, ms_cxr.images, boxes)
    statuses = tuple(_status(config, kind, read, refused) for kind in KINDS if kind in config.datasets)
    return Catalog(images, boxes, studies, _issues(read, log), statuses, labels, reports)


def _files(ms_cxr: _Read | None, count: int, log: IssueLog) -> list[str | None]:
    """The file of each of MS-CXR's images below its folder, None where there is none; those are named as issues. The files of
    other images are looked for when they are shown: there may be hundreds of thousands."""
    if ms_cxr is None or ms_cxr.image_root is None:
        return [None] * count
    paths = [path if isinstance(path, str) else None for path in ms_cxr.images["image_path"]]
    found = locate_all(ms_cxr.image_root, paths)
    missing = [path for path, file in zip(paths, found, strict=True) if path is not None and file is None]
    log.add("missing_image", rows=[None] * len(missing), image_paths=missing, values=missing)
    return found + [None] * (count - len(found))


def _issues(read: Mapping[str, _Read], log: IssueLog) -> pd.DataFrame:
    """All issues with the dataset they are of. MIMIC-CXR reads MIMIC-CXR-JPG's files as well: what both say of them stands
    there once."""
    parts = {kind: one.issues.assign(dataset=kind) for kind, one in read.items()}
    if {"mimic_cxr", "mimic_cxr_jpg"} <= set(parts):
        said = pd.MultiIndex.from_frame(parts["mimic_cxr_jpg"][_SAME])
        again = pd.MultiIndex.from_frame(parts["mimic_cxr"][_SAME]).isin(said)
        parts["mimic_cxr"] = parts["mimic_cxr"][~again]
    return pd.concat([*parts.values(), log.frame().assign(dataset=MSCXRHarmonizer.kind)], ignore_index=True)


def _status(config: Config, kind: str, read: Mapping[str, _Read], refused: Mapping[str, RadHarmonyError]) -> DatasetStatus:
    settings = config.datasets[kind]
    if kind in refused:
        return DatasetStatus(kind, settings, str(refused[kind]))
    one = read[kind]
    return DatasetStatus(kind, settings, None, one.inputs, one.image_root, one.counts, one.notices)
