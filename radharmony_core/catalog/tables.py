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
from radharmony_core.errors import ConfigError
from radharmony_core.harmonizer import MSCXRHarmonizer, find_annotations
from radharmony_core.paths import find_tree, locate_all
from radharmony_core.reports import report_path
from radharmony_core.schema import IssueLog, array_of

__all__ = ["Catalog", "annotations_of", "fold", "load_catalog"]

_LOOKED_AT = 12


@dataclass(frozen=True, slots=True)
class Catalog:
    """The tables, and where files are read.

    ``images``: one row an image, ``image_id`` unique, ``file`` below ``image_root`` or None. ``boxes``: one row a box, ``image``
    its place in ``images``, ``box_id`` and ``phrase_id``, the phrase as it is compared, numbers normalized and as read,
    ``codes`` its issues. ``studies``: one row a study. ``image_index`` finds an image by its id. ``source`` is the
    annotations' table; ``image_root`` and ``report_root`` are None where no such folder was found.
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
    """Reads what ``config`` names. Raises RadHarmonyError when MS-CXR is not configured or its table cannot be read; a
    folder of images or reports that is not there is an issue: annotations can be looked at without."""
    log = IssueLog()
    settings = config.datasets.get("ms_cxr", {})
    csv_path, base = _sources(config, settings)
    harmonizer = MSCXRHarmonizer(csv_path, _folder(base, "tree_not_found", log))
    table = harmonizer.harmonize()
    images = _images(table)
    images["file"] = _files(images, harmonizer.image_root, log)
    studies, report_root = _studies(config, settings, images, harmonizer.image_root, log)
    issues = pd.concat([harmonizer.issues, log.frame()], ignore_index=True)
    boxes = _boxes(harmonizer.boxes_df, images, issues)
    images["boxes"] = np.bincount(boxes["image"], minlength=len(images))
    index = pd.Index(images["image_id"])
    return Catalog(images, boxes, studies, issues, index, csv_path, harmonizer.image_root, report_root)


def annotations_of(config: Config) -> Path:
    """MS-CXR's table as ``config`` names it, the newest one where it names a folder. Raises RadHarmonyError."""
    return _sources(config, config.datasets.get("ms_cxr", {}))[0]


def _folder(path: Path | None, code: str, log: IssueLog) -> Path | None:
    """``path`` where it is a folder; an issue where it is not."""
    if path is not None and not os.path.isdir(path):  # noqa: PTH112  says no, where Path raises for one that may not be seen
        log.add(code, values=[path])
        return None
    return path


def _sources(config: Config, settings: dict[str, Path]) -> tuple[Path, Path | None]:
    if not settings:
        raise ConfigError(f"{config.path}: expected a table [ms_cxr] with csv_path and mimic_base_dir; there is none.")
    root = settings.get("root")
    csv_path = settings.get("csv_path")
    if csv_path is None:
        if root is None:
            raise ConfigError(f"{config.path}: [ms_cxr] needs csv_path, or root with the table somewhere below it.")
        csv_path = find_annotations(root)
    others = (config.datasets.get(kind, {}).get("root") for kind in ("mimic_cxr_jpg", "mimic_cxr"))
    base = next((path for path in (settings.get("mimic_base_dir"), *others, root) if path is not None), None)
    return csv_path, base


def _images(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that are one value an image, and an id: the file's name, or its whole path where that is not unique."""
    images = table[["patient_id", "study_id", "image_path", "split", "image_width", "image_height"]].copy()
    stems = images["image_path"].str.replace(r"^.*/|\.(?:jpe?g|png|tiff?|dcm|dicom)$", "", regex=True, case=False)
    whole = images["image_path"].where(images["image_path"].notna(), "row-" + images.index.astype(str))
    ids = stems.where(stems.notna() & ~stems.duplicated(keep=False), whole)
    if ids.duplicated().any():  # one image's whole path is another's name
        ids = whole
    turn = ids.groupby(ids, dropna=False).cumcount()
    images.insert(0, "image_id", ids.where(turn == 0, ids + "~" + (turn + 1).astype("str")))
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


def _files(images: pd.DataFrame, root: Path | None, log: IssueLog) -> list[str | None]:
    """Each image's file below ``root``, None where there is none; those are named as issues."""
    paths = [path if isinstance(path, str) else None for path in images["image_path"]]
    if root is None:
        return [None] * len(paths)
    found = locate_all(root, paths)
    missing = [path for path, file in zip(paths, found, strict=True) if path is not None and file is None]
    log.add("missing_image", rows=[None] * len(missing), image_paths=missing, values=missing)
    return found


def _studies(
    config: Config, settings: dict[str, Path], images: pd.DataFrame, image_root: Path | None, log: IssueLog
) -> tuple[pd.DataFrame, Path | None]:
    """One row a study of a patient, ``report_path`` below the reports' folder; the folder is found like the images'."""
    firsts = images.dropna(subset=["study_id"]).drop_duplicates(["patient_id", "study_id"])
    studies = firsts[["patient_id", "study_id"]].reset_index(drop=True)
    studies["report_path"] = [report_path(path) for path in firsts["image_path"]]
    studies["language"] = "en"
    told = _folder(settings.get("report_dir"), "missing_report", log)
    places = (told, config.datasets.get("mimic_cxr", {}).get("root"), image_root, settings.get("root"))
    few = studies["report_path"].tolist()[:: max(1, len(studies) // _LOOKED_AT)]
    for place in places:
        root = None if place is None else find_tree(place, few)
        if root is not None:
            missing = [path for path in studies["report_path"] if not os.path.isfile(f"{root}/{path}")]  # noqa: PTH113
            log.add("missing_report", rows=[None] * len(missing), values=missing)
            return studies, root
    if few:
        log.add("missing_report", values=["any of " + ", ".join(str(place) for place in places if place) or "no folder given"])
    return studies, None
