"""Films with a bright block, in every way that a file can lie in its table's frame. Each box is where its block must be seen.

The original is 480 wide and 640 high, its block at x 100 to 180, y 200 to 260.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Page

from tests.browser.running import on_screen
from tests.support import annotation, write_table

BOXES = {"crowd": 4, "stack": 5, "rings": 3, "corner": 4}  # on one place; else 1
BLOCK = (100, 200, 80, 60)  # x, y, w, h
DARK, BRIGHT = 40, 220

# name: the file's (width, height), its block, its orientation tag; the table's (width, height), its box
FRAMES: dict[str, tuple[tuple[int, int], tuple[float, ...] | None, int, tuple[int, int], tuple[float, ...]]] = {
    "same": ((480, 640), BLOCK, 1, (480, 640), BLOCK),
    "half": ((240, 320), (50, 100, 40, 30), 1, (480, 640), BLOCK),
    # A quarter turn clockwise (tag 6): stored rows y to y + h become columns 480 - y - h on, stored columns become rows.
    "turned": ((640, 480), (200, 300, 60, 80), 6, (640, 480), (200, 300, 60, 80)),
    # 640 x 480 fits into 480 x 640 at 3/4, with 140 above and below: 100, 50, 80, 60 is then seen at 75, 177.5, 60, 45.
    "swapped": ((640, 480), (100, 50, 80, 60), 1, (480, 640), (75, 177.5, 60, 45)),
    "other": ((480, 480), (100, 120, 80, 60), 1, (480, 640), BLOCK),
    "partly": ((480, 640), (0, 200, 80, 60), 1, (480, 640), (-60, 200, 140, 60)),
    "wholly": ((480, 640), None, 1, (480, 640), (560, 200, 80, 60)),
    "far": ((480, 640), None, 1, (480, 640), (2880, 200, 80, 60)),
    "crowd": ((480, 640), None, 1, (480, 640), (2880, 200, 80, 60)),
    "marker": ((480, 640), BLOCK, 1, (480, 640), (100, 200, 0, 60)),
    "long": ((480, 640), None, 1, (480, 640), (-123_456_789, 200, 123_456_969, 60)),
    "longest": ((480, 640), None, 1, (480, 640), (-5e9, -5e9, 5e9 + 180, 5e9 + 260)),
    "huge": ((480, 640), BLOCK, 1, (48_000_000, 64_000_000), (10_000_000, 20_000_000, 8_000_000, 6_000_000)),
    "stack": ((480, 640), BLOCK, 1, (480, 640), (100, 200, 4, 3)),
    "rings": ((480, 640), BLOCK, 1, (480, 640), (100, 200, 0, 0)),
    "corner": ((480, 640), None, 1, (480, 640), (5000, 5000, 80, 60)),  # its file is no picture
    "reversed": ((480, 640), BLOCK, 1, (480, 640), (100, 200, -80, 60)),
}


def build(folder: Path) -> Path:
    """Writes the films and their table, and returns the configuration."""
    rows = []
    for number, (name, (size, block, tag, table, box)) in enumerate(FRAMES.items()):
        own: dict[str, Any] = {"dicom_id": name, "patient": f"1000{number:04d}", "study": f"5000{number:04d}"}
        place = dict(zip(("x", "y", "w", "h"), box, strict=True)) | dict(zip(("image_width", "image_height"), table, strict=True))
        rows += [annotation(**own, **place, label_text=f"{name} {number}") for number in range(BOXES.get(name, 1))]
        path = folder / f"files/p10/p{own['patient']}/s{own['study']}/{name}.jpg"
        _film(path, size, block, tag)
        if name == "corner":
            path.write_text("no picture", encoding="utf-8")
    write_table(folder / "ms.csv", rows)
    config = folder / "radharmony.toml"
    config.write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "files"\n', encoding="utf-8")
    return config


def _film(path: Path, size: tuple[int, int], block: tuple[float, ...] | None, tag: int) -> None:
    pixels = np.full((size[1], size[0]), DARK, np.uint8)
    if block is not None:
        x, y, w, h = map(int, block)
        pixels[y : y + h, x : x + w] = BRIGHT
    exif = Image.Exif()
    if tag > 1:
        exif[0x0112] = tag
    path.parent.mkdir(parents=True)
    Image.fromarray(pixels).save(path, format="PNG", exif=exif)  # called .jpg: the content decides


def screen(page: Page) -> np.ndarray:
    """The stage's pixels, gray, 0 to 255."""
    picture = page.locator(".stage").screenshot()
    return np.asarray(Image.open(io.BytesIO(picture)).convert("L")).astype(float)


def on_stage(page: Page, box_id: str) -> list[float]:
    """x, y, width, height of a box's outline, from the stage's corner."""
    stage, rect = page.locator(".stage").bounding_box(), on_screen(page, box_id)
    assert stage
    return [rect[0] - stage["x"], rect[1] - stage["y"], rect[2], rect[3]]


def seen_edges(page: Page, expected: list[float]) -> list[float]:
    """Left, top, right and bottom edge of the bright block near an ``expected`` x, y, w, h of the stage, to a part of a pixel.

    A blurred edge lies where as much light is missing on its bright side as there is too much on its dark side; so its place is
    told by the sum of the light across it, along the block's middle half.
    """
    light = np.clip((screen(page) - DARK) / (BRIGHT - DARK), 0, 1)
    x, y, w, h = expected
    rows = light[round(y + h / 4) : round(y + 3 * h / 4)].mean(axis=0)
    columns = light[:, round(x + w / 4) : round(x + 3 * w / 4)].mean(axis=1)
    return [_rise(rows, x), _rise(columns, y), _fall(rows, x + w), _fall(columns, y + h)]


def _rise(profile: np.ndarray, near: float, reach: int = 10) -> float:
    first, last = max(0, round(near) - reach), round(near) + reach
    return float(last - profile[first:last].sum())


def _fall(profile: np.ndarray, near: float, reach: int = 10) -> float:
    first = max(0, round(near) - reach)
    return float(first + profile[first : round(near) + reach].sum())
