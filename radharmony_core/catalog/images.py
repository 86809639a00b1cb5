"""One row an image over all datasets. MS-CXR's films meet MIMIC's by ``dicom_id``, which is the file's name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from radharmony_core.config import KINDS
from radharmony_core.schema import LABEL_COLUMNS

__all__ = ["all_images", "columns_of", "ms_cxr_images"]

_TEXTS = ("image_id", "patient_id", "study_id", "image_path")
_CATEGORIES = ("split", "ms_cxr_split", "view_position", "view_group")
_CATALOG = (*_TEXTS, *_CATEGORIES, "study_datetime", "image_width", "image_height")
_IDS = {"mimic_cxr_jpg": "dicom_id", "mimic_cxr": "dicom_id", "casia_cxr": "image_id"}


def ms_cxr_images(table: pd.DataFrame) -> pd.DataFrame:
    """MS-CXR's columns that are one value an image, and an id: the file's name, or its whole path where that is not unique."""
    images = table[["patient_id", "study_id", "image_path", "image_width", "image_height"]].copy()
    stems = images["image_path"].str.replace(r"^.*/|\.(?:jpe?g|png|tiff?|dcm|dicom)$", "", regex=True, case=False)
    whole = images["image_path"].where(images["image_path"].notna(), "row-" + images.index.astype(str))
    ids = stems.where(stems.notna() & ~stems.duplicated(keep=False), whole)
    if ids.duplicated().any():  # one image's whole path is another's name
        ids = whole
    images.insert(0, "image_id", _unique(ids))
    images["ms_cxr_split"] = table["split"]
    return images


def _unique(ids: pd.Series[str]) -> pd.Series[str]:
    turn = ids.groupby(ids, dropna=False).cumcount()
    return ids.where(turn == 0, ids + "~" + (turn + 1).astype("str"))


def all_images(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The union of the datasets' images, MS-CXR's first; ``tables`` maps a kind to its `columns_of` (MS-CXR's: `ms_cxr_images`).

    What a later dataset knows of an image fills what the earlier ones left open: MS-CXR's size and path win.
    """
    images = pd.DataFrame({name: pd.Series(dtype="str") for name in _TEXTS})
    members: dict[str, np.ndarray[tuple[int], np.dtype[np.bool_]]] = {}
    for kind in KINDS:
        if kind not in tables:
            continue
        images, places = _with(images, tables[kind][[name for name in tables[kind] if name in _CATALOG]])
        member = np.zeros(len(images), dtype=bool)
        member[places] = True
        members[kind] = member
    for kind in KINDS:
        had = members.get(kind, np.zeros(0, dtype=bool))
        images[kind] = np.concatenate([had, np.zeros(len(images) - len(had), dtype=bool)])
    for name in _CATEGORIES:
        images[name] = images[name].astype("category") if name in images else pd.Categorical([None] * len(images))
    if "study_datetime" not in images:
        images["study_datetime"] = np.full(len(images), np.datetime64("NaT", "ms"))
    return images


def columns_of(kind: str, table: pd.DataFrame) -> pd.DataFrame:
    """What the catalog takes of a harmonized table, with unique ids. CASIA-CXR's labels come along: no other file has them."""
    wanted = [*_CATALOG, *(column.name for column in LABEL_COLUMNS if kind == "casia_cxr")]
    ids = table[_IDS[kind]]
    missing = ids.isna()
    if missing.any():
        ids = ids.where(~missing, kind + "-row-" + pd.Series(np.arange(len(ids)), index=ids.index).astype("str"))
    out = table[[name for name in wanted if name in table and name != "image_id"]].copy()
    out.insert(0, "image_id", ids if ids.is_unique else _unique(ids))
    return out


def _with(images: pd.DataFrame, more: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """``images`` with the rows of ``more`` put in or added, and the place of each of those."""
    if images.empty:
        return more.reset_index(drop=True), np.arange(len(more))
    places = pd.Index(images["image_id"]).get_indexer(pd.Index(more["image_id"]))
    known = places >= 0
    filled = images
    if known.any():
        rows = more[known].set_axis(places[known])
        for name in more.columns:
            if name not in filled:
                filled = filled.assign(**{name: rows[name].reindex(filled.index)})
            elif name not in ("image_id", "image_path"):
                filled = filled.assign(**{name: filled[name].where(filled[name].notna(), rows[name].reindex(filled.index))})
    places = places.copy()
    places[~known] = len(images) + np.arange(int((~known).sum()))
    return pd.concat([filled, more[~known]], ignore_index=True), places
