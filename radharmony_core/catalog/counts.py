"""What a dataset holds, counted, beside what its makers published.

Sources: the PhysioNet pages of MS-CXR 1.1.0, MIMIC-CXR-JPG 2.1.0 and MIMIC-CXR 2.1.0, and the paper of MIMIC-CXR-JPG
(arXiv 1901.07042); for CASIA-CXR the tables of its paper, whose sum differs from that of its web page.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

__all__ = ["PUBLISHED", "count", "explain"]

PUBLISHED: dict[str, dict[str, int]] = {
    "ms_cxr": {
        "images": 1_047,
        "phrases": 1_162,
        "boxes": 1_448,
        "patients": 851,
        "boxes, train": 1_020,
        "boxes, val": 212,
        "boxes, test": 216,
    },
    "mimic_cxr_jpg": {
        "images": 377_110,
        "images, train": 368_960,
        "images, validate": 2_991,
        "images, test": 5_159,
        "studies": 227_835,
        "studies, train": 222_758,
        "studies, validate": 1_808,
        "studies, test": 3_269,
        "patients": 65_379,
        "patients, train": 64_586,
        "patients, validate": 500,
        "patients, test": 293,
    },
    "mimic_cxr": {"images": 377_110, "studies": 227_835, "patients": 65_379, "reports": 227_835},
    "casia_cxr": {
        "images": 11_111,
        "images, Cardiomegaly": 3_756,
        "images, Mass": 1_355,
        "images, PleuralEffusion": 2_000,
        "images, Pneumonia": 2_000,
        "images, Pneumothorax": 2_000,
    },
}

_OF = {"images": None, "studies": "study_id", "patients": "patient_id"}


def count(kind: str, table: pd.DataFrame, boxes: pd.DataFrame | None = None) -> dict[str, int]:
    """Counts of a harmonized table under the names of `PUBLISHED`; ``boxes`` are MS-CXR's box rows."""
    return {name: _count(name, table, boxes) for name in PUBLISHED[kind]}


def _count(name: str, table: pd.DataFrame, boxes: pd.DataFrame | None) -> int:
    what, _, part = name.partition(", ")
    if what in ("boxes", "phrases"):
        rows = pd.DataFrame() if boxes is None else boxes
        rows = rows[(rows["split"] == part).to_numpy()] if part else rows
        return len(rows) if what == "boxes" else int(rows["phrase_id"].nunique()) if len(rows) else 0
    if what == "reports":
        return int(table.loc[table["report"].notna(), "study_id"].nunique())
    if part:
        of_part = table["split"] == part if "source_labels" not in table else table["source_labels"].str[0] == part
        table = table[of_part.fillna(value=False).to_numpy(dtype=bool)]
    column = _OF[what]
    return len(table) if column is None else int(table[column].nunique())


def explain(kind: str, found: Mapping[str, int], *, made_up: bool, damaged: bool = False) -> str:
    """Why the counts differ from the published ones, as far as they themselves can tell; empty where they do not differ.

    ``damaged``: a file could not be read to its end."""
    published = PUBLISHED[kind]
    if all(found.get(name) == number for name, number in published.items()):
        return ""
    if made_up:
        return "These are made-up data, in the layout of the dataset; they need not be as many."
    if damaged:
        return "A file could not be read whole: see the issues. How many there would be is not known."
    images, all_images = found.get("images", 0), published["images"]
    splits = [name for name in published if ", " in name]
    if not images:
        return "No row was found: see the issues."
    if kind == "ms_cxr" and not any(found.get(name) for name in splits):
        return "No row has a split: this is release 0.1, or a table made from it. The published counts are those of 1.1.0."
    if images < all_images:
        return f"A subset: {images:,} of {all_images:,} images ({_share(images / all_images)})."
    if images > all_images:
        return f"{images:,} images, more than the {all_images:,} that were published: another release, or rows not of it."
    return "As many images as were published, other numbers differ: another release, or a table that was changed."


def _share(part: float) -> str:
    return "less than 0.1 %" if part < 0.001 else f"{100 * part:.1f} %"
