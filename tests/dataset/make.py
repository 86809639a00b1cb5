"""A small MS-CXR on disk: films with a white rectangle where their box is. Nothing here uses the code under test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.support import annotation, write_table

TABLE = "MS_CXR_Local_Alignment_v1.1.0.csv"
BOX = {"x": 20, "y": 30, "w": 40, "h": 50}  # on a film of 100 rows x 200 columns, unless a test says otherwise


def rectangle(height: int, width: int, x: int, y: int, w: int, h: int) -> npt.NDArray[np.uint8]:
    """Black, and white where the box is."""
    pixels = np.zeros((height, width), np.uint8)
    pixels[y : y + h, x : x + w] = 255
    return pixels


def film(path: Path, pixels: npt.NDArray[np.uint8]) -> Path:
    """A PNG whatever the name, so that every pixel is as it was made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path, format="PNG")
    return path


def row(number: int = 1, *, height: int = 100, width: int = 200, **changes: object) -> dict[str, object]:
    """A row of image ``number``, each of a patient of its own, with `BOX` on it."""
    of = {"patient": f"1000000{number}", "study": f"5000000{number}", "dicom_id": f"image{number}"}
    return annotation(**{**of, **BOX, "image_width": width, "image_height": height, **changes})


def place_of(cells: Mapping[str, object]) -> str:
    """Where the table says that the image is, below ``files/``."""
    return str(cells["path"]).removeprefix("files/")


def dataset(folder: Path, *rows: dict[str, object], films: bool = True) -> tuple[Path, Path]:
    """The images' folder and the table; each image is the white rectangle of its first row."""
    given = rows or (row(),)
    for cells in (cells for cells in reversed(given) if films and cells["path"]):
        height, width = int(str(cells["image_height"])), int(str(cells["image_width"]))
        box = {name: int(str(cells[name])) for name in BOX}
        film(folder / "files" / place_of(cells), rectangle(height, width, **box))
    (folder / "files").mkdir(parents=True, exist_ok=True)
    return folder / "files", write_table(folder / TABLE, given)


def white_box(image: npt.NDArray[np.float32]) -> list[float]:
    """[y_min, y_max, x_min, x_max] in pixels: the outer edges of what is brighter than the middle."""
    rows, columns = np.nonzero(np.asarray(image).reshape(image.shape[-2:]) >= 0.5)
    return [float(rows.min()), float(rows.max()) + 1, float(columns.min()), float(columns.max()) + 1]


def entries(folder: Path) -> list[Path]:
    """The files of a cache."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two samples are, number by number."""
    numbers = all(np.array_equal(one[name], other[name]) for name in ("img", "mask", "cls"))
    return numbers and (one["bbox"], one["bbox_labels"]) == (other["bbox"], other["bbox_labels"])
