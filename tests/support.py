"""Small cases that tests build by hand: MS-CXR's table, an image tree, a report. Nothing here comes from the code under test."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from PIL import Image

HEADER = ("dicom_id", "category_name", "label_text", "path", "x", "y", "w", "h", "image_width", "image_height", "split")


def annotation(**changes: object) -> dict[str, object]:
    """One sound row of MS-CXR 1.1.0: a box of 10 x 20 pixels at x 30, y 10 on an image of 48 x 64; ``changes`` replace cells."""
    patient, study = changes.pop("patient", "10000001"), changes.pop("study", "50000001")
    dicom_id = changes.pop("dicom_id", "aaaa")
    row: dict[str, object] = {
        "dicom_id": dicom_id,
        "category_name": "Edema",
        "label_text": "mild edema",
        "path": f"files/p{str(patient)[:2]}/p{patient}/s{study}/{dicom_id}.jpg",
        **{"x": 30, "y": 10, "w": 10, "h": 20, "image_width": 48, "image_height": 64, "split": "test"},
    }
    return row | changes


def write_table(path: Path, rows: Iterable[Mapping[str, object]], header: Iterable[str] = HEADER, **form: str) -> Path:
    """A CSV as a spreadsheet would save it; ``form`` may name ``delimiter`` and ``encoding``."""
    names = list(header)
    with path.open("w", encoding=form.get("encoding", "utf-8"), newline="") as handle:
        writer = csv.writer(handle, delimiter=form.get("delimiter", ","))
        writer.writerow(names)
        writer.writerows([row.get(name, "") for name in names] for row in rows)
    return path


def gray_image(path: Path, width: int = 48, height: int = 64) -> Path:
    """A small gray ramp, darker on top, in the format that the name says (a JPEG where it says none)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ramp = np.linspace(20, 230, height).astype(np.uint8)[:, None].repeat(width, axis=1)
    Image.fromarray(ramp).save(path, format="PNG" if path.suffix.lower() == ".png" else "JPEG")
    return path
