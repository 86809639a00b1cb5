"""MS-CXR's annotations as columns, one row per box, from either form that PhysioNet publishes: the CSV or the COCO-like JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.tables import TextTable, read_text, read_text_table
from radharmony_core.schema import IssueLog

__all__ = ["ANNOTATION_COLUMNS", "read_annotations"]

ANNOTATION_COLUMNS = (
    *("dicom_id", "category_name", "label_text", "path"),
    *("x", "y", "w", "h", "image_width", "image_height", "split"),
)


def read_annotations(path: Path, log: IssueLog) -> TextTable:
    """Columns of `ANNOTATION_COLUMNS` as text, those the file has, and each row's record number.

    Release 0.1 has no split, which is said once. In the JSON a record's number is the annotation's place, counted from 1.
    Raises MissingFileError, TableError.
    """
    if path.suffix.lower() == ".json":
        return _from_json(path, log)
    table = read_text_table(path, ANNOTATION_COLUMNS, log)
    if "path" not in table.columns and "dicom_id" not in table.columns:
        raise TableError(
            f"Expected a column path or dicom_id in {path}, to tell one image from another; got {list(table.columns)}."
        )
    return table


def _from_json(path: Path, log: IssueLog) -> TextTable:
    try:
        coco = json.loads(read_text(path, log))
        images, annotations, categories = (coco[name] for name in ("images", "annotations", "categories"))
        by_image = {image["id"]: image for image in images}
        names = {category["id"]: category.get("name", "") for category in categories}
        records = [_record(annotation, by_image.get(annotation.get("image_id")), names) for annotation in annotations]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TableError(
            f"Expected a COCO-like file with images, annotations and categories in {path}; reading it failed: "
            f"{type(error).__name__}: {error}."
        ) from error
    rows = np.arange(1, len(records) + 1)
    unknown = [place for place, annotation in enumerate(annotations) if annotation.get("image_id") not in by_image]
    log.add("unknown_image", rows=(rows[unknown]).tolist(), values=[annotations[place].get("image_id") for place in unknown])
    columns = {name: pa.array([_text(record[name]) for record in records], pa.string()) for name in ANNOTATION_COLUMNS}
    return TextTable(columns, rows)


def _record(annotation: dict[str, Any], image: dict[str, Any] | None, names: dict[Any, str]) -> dict[str, Any]:
    """One annotation in the CSV's terms. The image is known by its path alone: the file repeats images under several ids."""
    image = image or {}
    path = image.get("path") or image.get("file_name") or ""
    x, y, w, h = (*(annotation.get("bbox") or ()), "", "", "", "")[:4]
    first: Callable[[str], Any] = lambda name: image.get(name) if image.get(name) is not None else annotation.get(name)  # noqa: E731
    return {
        "dicom_id": str(path).rpartition("/")[2].rpartition(".")[0],
        "category_name": names.get(annotation.get("category_id"), annotation.get("category_id")),
        "label_text": annotation.get("label_text"),
        "path": path,
        **{"x": x, "y": y, "w": w, "h": h},
        "image_width": first("width"),
        "image_height": first("height"),
        "split": annotation.get("split"),
    }


def _text(value: object) -> str:
    return "" if value is None else str(value)
