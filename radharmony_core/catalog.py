"""The configured datasets as the tables that pages use: images, boxes and studies, and what is wrong with them.

Built once and shared by every session: nobody changes these tables, a page that needs another column makes a copy.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from radharmony_core.config import Config
from radharmony_core.errors import ConfigError, OutsideRootError
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.paths import existing, find_file, find_tree, locate
from radharmony_core.reports import report_path
from radharmony_core.schema import IssueLog, array_of

__all__ = ["Catalog", "fold", "load_catalog"]

_CSV_PATTERN = "MS_CXR_Local_Alignment_v*.csv"
_LOOKED_AT = 12


@dataclass(frozen=True, slots=True)
class Catalog:
    """The tables, and where files are read.

    ``images``: one row an image, ``image_id`` unique; ``image_index`` finds it. ``boxes``: one row a box, ``image`` its place
    in ``images``, ``box_id`` and ``phrase_id``, the phrase as it is compared, numbers normalized and as read, ``codes`` its
    issues. ``studies``: one row a study, by ``study_id``. ``source`` is the annotations' table; ``image_root`` and
    ``report_root`` are None where no such folder was found.
    """

    images: pd.DataFrame
    boxes: pd.DataFrame
    studies: pd.DataFrame
    issues: pd.DataFrame
    image_index: pd.Index[str]
    source: Path
    image_root: Path | None
    report_root: Path | None

    def place_of(self, image_id: str) -> int | None:
        """The row of an image in ``images``, or None."""
        places = self.image_index.get_indexer(pd.Index([image_id]))
        return None if places[0] < 0 else int(places[0])


def load_catalog(config: Config) -> Catalog:
    """Reads what ``config`` names. Raises RadHarmonyError when MS-CXR is not configured or cannot be read."""
    settings = config.datasets.get("ms_cxr")
    if not settings:
        raise ConfigError(f"{config.path}: expected a table [ms_cxr] with csv_path and mimic_base_dir; there is none.")
    csv_path, base = _sources(config, settings)
    harmonizer = MSCXRHarmonizer(csv_path, base)
    table = harmonizer.harmonize()
    images = _images(table)
    log = IssueLog()
    if harmonizer.image_root is not None:
        _report_missing(images, harmonizer.image_root, log)
    studies, report_root = _studies(config, settings, images, harmonizer.image_root, log)
    issues = pd.concat([harmonizer.issues, log.frame()], ignore_index=True)
    boxes = _boxes(harmonizer.boxes_df, images, issues)
    images["boxes"] = np.bincount(boxes["image"], minlength=len(images))
    return Catalog(images, boxes, studies, issues, pd.Index(images["image_id"]), csv_path, harmonizer.image_root, report_root)


def _sources(config: Config, settings: dict[str, Path]) -> tuple[Path, Path | None]:
    root = settings.get("root")
    csv_path = settings.get("csv_path")
    if csv_path is None:
        if root is None:
            raise ConfigError(f"{config.path}: [ms_cxr] needs csv_path, or root with the table somewhere below it.")
        csv_path = find_file(existing(root, "MS-CXR's folder"), _CSV_PATTERN)
        if csv_path is None:
            raise ConfigError(f"{config.path}: expected {_CSV_PATTERN} below {root}; there is none. Give csv_path instead.")
    others = (config.datasets.get(kind, {}).get("root") for kind in ("mimic_cxr_jpg", "mimic_cxr"))
    base = next((path for path in (settings.get("mimic_base_dir"), *others, root) if path is not None), None)
    return csv_path, base


def _images(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that are one value an image, and an id: the file's name, or its whole path where that is not unique."""
    images = table[["patient_id", "study_id", "image_path", "split", "image_width", "image_height"]].copy()
    stems = images["image_path"].str.replace(r"^.*/|\.[A-Za-z0-9]{1,5}$", "", regex=True)
    whole = images["image_path"].where(images["image_path"].notna(), "row-" + images.index.astype(str))
    images.insert(0, "image_id", stems.where(stems.notna() & ~stems.duplicated(keep=False), whole))
    return images


def _boxes(rows: pd.DataFrame, images: pd.DataFrame, issues: pd.DataFrame) -> pd.DataFrame:
    """``box_id`` is the image's id and the box's number on it; a phrase is one text of one label on one image, numbered."""
    boxes = rows.copy()
    image = boxes["image"].to_numpy()
    number = boxes.groupby("image").cumcount() + 1
    image_ids = images["image_id"].take(image).reset_index(drop=True)
    boxes.insert(0, "box_id", image_ids + "#" + number.astype("str"))
    boxes.insert(1, "phrase_id", boxes.groupby(["image", "label", "phrase"], sort=False).ngroup())
    boxes["phrase_folded"] = fold(boxes["phrase"])
    boxes["split"] = images["split"].take(image).to_numpy()
    codes: dict[int, tuple[str, ...]] = {}
    of_rows = issues.dropna(subset=["row"])
    for row, code in zip(of_rows["row"].tolist(), of_rows["code"].tolist(), strict=True):
        codes[row] = (*codes.get(row, ()), code)
    boxes["codes"] = array_of([tuple(dict.fromkeys(codes.get(row, ()))) for row in boxes["row"].tolist()])
    return boxes.astype({"label": "category", "split": "category"})


def fold(texts: pd.Series[str]) -> pd.Series[str]:
    """Texts as they are compared: letter case and runs of white space aside."""
    return texts.str.replace(r"\s+", " ", regex=True).str.strip().str.casefold()


def _report_missing(images: pd.DataFrame, root: Path, log: IssueLog) -> None:
    """Names every image that has no file. Most have: those cost one look each."""
    paths = images["image_path"].dropna()
    doubtful = [path for path in paths if not os.path.isfile(f"{root}/{path}")]  # noqa: PTH113  a third of Path's cost
    missing = [path for path in doubtful if not _is_there(root, path)]
    log.add("missing_image", rows=[None] * len(missing), image_paths=missing, values=missing)


def _is_there(root: Path, path: str) -> bool:
    try:
        return locate(root, path) is not None
    except OutsideRootError:
        return False


def _studies(
    config: Config, settings: dict[str, Path], images: pd.DataFrame, image_root: Path | None, log: IssueLog
) -> tuple[pd.DataFrame, Path | None]:
    """One row a study, ``report_path`` below the reports' folder; the folder is found like the images'."""
    firsts = images.dropna(subset=["study_id"]).drop_duplicates("study_id")
    studies = firsts[["patient_id", "study_id"]].reset_index(drop=True)
    studies["report_path"] = [report_path(path) for path in firsts["image_path"]]
    studies["language"] = "en"
    places = (settings.get("report_dir"), config.datasets.get("mimic_cxr", {}).get("root"), image_root, settings.get("root"))
    few = studies["report_path"].tolist()[:: max(1, len(studies) // _LOOKED_AT)]
    for place in places:
        root = find_tree(existing(place, "the folder of the reports"), few) if place is not None else None
        if root is not None:
            missing = [path for path in studies["report_path"] if not os.path.isfile(f"{root}/{path}")]  # noqa: PTH113
            log.add("missing_report", rows=[None] * len(missing), values=missing)
            return studies.set_index("study_id"), root
    log.add("missing_report", values=[", ".join(str(place) for place in places if place) or "no folder given"])
    return studies.set_index("study_id"), None
