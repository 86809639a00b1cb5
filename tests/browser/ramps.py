"""Films whose gray levels are known by heart, and what is on the screen of them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

from radharmony_core.images import Window, decode_image
from tests.images.make import dicom
from tests.support import annotation, gray_image, write_table

__all__ = ["COLUMNS", "ROWS", "build", "expected", "levels", "looked", "native", "same_course", "shows"]

ROWS, COLUMNS = 1600, 1200  # more than is sent, so that there is something to fetch
TAGS: dict[str, Any] = {"BitsStored": 12, "HighBit": 11, "WindowCenter": ["1000", "3000"], "WindowWidth": ["1000", "800"]}

ROW_OF_CANVAS = """(row) => {
  const roots = [...document.querySelectorAll('*')].map((node) => node.shadowRoot).filter(Boolean)
  const canvas = roots.find((root) => root.querySelector('.viewer')).querySelector('.codes')
  const pixels = canvas.getContext('2d').getImageData(0, row, canvas.width, 1).data
  return {width: canvas.width, height: canvas.height, row: [...pixels].filter((_, i) => i % 4 === 0)}
}"""


def ramp() -> np.ndarray:
    """Values 0 to 4095 from left to right."""
    return np.broadcast_to(np.linspace(0, 4095, COLUMNS).round().astype(np.uint16), (ROWS, COLUMNS))


def levels(page: Page) -> np.ndarray:
    """The gray levels across the middle row of the film as it is on the screen, without boxes, one number a screen pixel."""
    if page.locator(".all").get_attribute("aria-pressed") == "true":
        page.locator(".all").dispatch_event("click")  # without the mouse, which may be dragging
    stage = page.locator(".stage").bounding_box()
    film = page.locator(".film").bounding_box()
    assert stage
    assert film
    picture = np.asarray(Image.open(io.BytesIO(page.locator(".stage").screenshot())).convert("L")).astype(int)
    left, right = (round(max(0, edge - stage["x"])) for edge in (film["x"], film["x"] + film["width"]))
    row: np.ndarray = picture[picture.shape[0] // 3, left + 3 : min(right, picture.shape[1]) - 3]
    return row


def expected(films: Path, name: str, window: str | Window, *, invert: bool = False) -> np.ndarray:
    path = next(films.rglob(f"{name}.dcm"))
    row: np.ndarray = decode_image(path).show(window, invert=invert).pixels[0]
    return row.astype(int)


def same_course(seen: np.ndarray, made: np.ndarray, within: float = 4) -> bool:
    """Whether the two rows of gray levels agree on average when one is brought to the other's length."""
    at = (np.arange(len(seen)) + 3.5) / (len(seen) + 6) * len(made)
    return bool(np.abs(seen - np.interp(at, np.arange(len(made)) + 0.5, made)).mean() < within)


def shows(page: Page, kind: str) -> None:
    expect(page.locator(".viewer")).to_have_attribute("data-shown", kind, timeout=15_000)


def looked(page: Page, **parameters: str) -> None:
    """Waits until the URL says so, which is after the server's answer."""
    for name, value in parameters.items():
        page.wait_for_function(
            "([name, value]) => (new URLSearchParams(location.search).get(name) || '') === value",
            arg=[name, value],
            timeout=15_000,
        )
    page.wait_for_timeout(300)


def native(page: Page, row: int = 800) -> list[int]:
    """The gray levels of a row of the film's own pixels."""
    shown = page.evaluate(ROW_OF_CANVAS, row)
    assert (shown["width"], shown["height"]) == (COLUMNS, ROWS)
    levels: list[int] = shown["row"]
    return levels


def build(folder: Path) -> Path:
    """Writes three films and returns their configuration: two ramps, the second with low values white, and a gray JPEG."""
    own = {"image_width": COLUMNS, "image_height": ROWS, "w": 300, "h": 300}
    rows = []
    for number, name in enumerate(("a_plain", "b_inverted", "c_gray")):
        row = annotation(dicom_id=name, patient=f"1000{number:04d}", study=f"5000{number:04d}", **own)
        path = folder / str(row["path"])
        path.parent.mkdir(parents=True)
        if name == "c_gray":
            gray_image(path, COLUMNS, ROWS)
        else:
            photometric = "MONOCHROME1" if name == "b_inverted" else "MONOCHROME2"
            dicom(path.with_suffix(".dcm"), ramp(), PhotometricInterpretation=photometric, **TAGS)
        rows.append(row)
    write_table(folder / "ms.csv", rows)
    (folder / "radharmony.toml").write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "."\n')
    return folder / "radharmony.toml"
