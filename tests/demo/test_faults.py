"""The planted faults are where the list says, and nowhere else. Codes agreed with the harmonizer's author."""

from __future__ import annotations

import csv
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from radharmony_core.labels import MS_CXR_CATEGORIES

CODES = {
    "missing_image", "unknown_category", "not_a_number", "box_outside_image", "box_without_area", "empty_phrase", "path_shape",
    "missing_report", "image_size_mismatch", "unreadable_image",
}  # fmt: skip


def _faults_of(root: Path, row: dict[str, str]) -> set[str]:
    """What is wrong with a row, found out here without any code of the project's."""
    wrong = set()
    if row["category_name"] not in MS_CXR_CATEGORIES:
        wrong.add("unknown_category")
    if not row["label_text"].strip():
        wrong.add("empty_phrase")
    try:
        x, y, w, h = (float(row[side]) for side in "xywh")
    except ValueError:
        wrong.add("not_a_number")
    else:
        if w <= 0 or h <= 0:
            wrong.add("box_without_area")
        if x < 0 or y < 0 or x + w > float(row["image_width"]) or y + h > float(row["image_height"]):
            wrong.add("box_outside_image")
    parts = row["path"].split("/")
    if len(parts) != 5 or not parts[2].startswith("p") or not parts[3].startswith("s"):
        return wrong | {"path_shape"}
    if not (root / "mimic-cxr/2.1.0" / "/".join(parts[:3]) / f"{parts[3]}.txt").is_file():
        wrong.add("missing_report")
    return wrong | _film_faults(root / "mimic-cxr-jpg/2.1.0" / row["path"], row)


def _film_faults(path: Path, row: dict[str, str]) -> set[str]:
    if not path.is_file():
        return {"missing_image"}
    try:
        with Image.open(path) as film:
            film.load()
            same = film.size == (int(row["image_width"]), int(row["image_height"]))
            return set() if same else {"image_size_mismatch"}
    except (UnidentifiedImageError, OSError):
        return {"unreadable_image"}


def test_faults_are_where_the_list_says_and_nowhere_else(faults: Path) -> None:
    with (faults / "ms-cxr/1.1.0/MS_CXR_Local_Alignment_v1.1.0.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = {(code, str(number), row["dicom_id"]) for number, row in enumerate(rows, start=2) for code in _faults_of(faults, row)}
    with (faults / "faults.csv").open(newline="") as file:
        listed = list(csv.DictReader(file))
    assert list(listed[0]) == ["code", "row", "image", "note"]
    assert {(one["code"], one["row"], one["image"]) for one in listed} == found
    assert {one["code"] for one in listed} == CODES
    assert len(rows) > len(listed), "most rows are in order"
