"""One small dataset with every case that only a browser can judge: geometry on the screen, text as text, files that fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from tests.support import annotation, gray_image, write_table

MARKDOWN = (
    "1.  Right PICC ends 2 cm above ___.\n3.  Stable * small * nodule (~5 mm~).\n"
    "# 2 drains\n    Four spaces.\n-----\n$x_1$ :red[no]\n"
)
MARKUP = (
    'Nodule <5 mm and >3 mm; angle & width.\n<script>window.__ran = 1</script><img src=x onerror="window.__ran = 2">\n'
    "[link](javascript:window.__ran=3) ![](http://127.0.0.1:9/beacon.png)\n</div><style>body{display:none}</style><!-- end\n"
)
MARKUP_PHRASE = "opacity <b>left</b> <img src=x onerror=window.__ran=4>"


def build(folder: Path) -> Path:
    """Writes the dataset and returns its configuration. Each film is a patient of its own, named by its image id."""
    films: dict[str, list[dict[str, object]]] = {
        "block": [{"x": 10, "y": 20, "w": 8, "h": 6, "label_text": "marker"}],
        "wide": [{"x": 0, "y": 0, "w": 400, "h": 150, "image_width": 800, "image_height": 300, "label_text": "upper left"}],
        "markdown": [{"label_text": "Stable * small * nodule"}],
        "markup": [{"label_text": MARKUP_PHRASE}],
        "missing": [{"label_text": "no film"}],
        "junk": [{"label_text": "an HTML page called jpg"}],
        "outside": [{"x": -24, "w": 36, "label_text": "left of the film"}, {"x": 5, "y": 5, "w": 0, "label_text": "a point"}],
        "far": [{"y": 1_000_000_000, "label_text": "miles below"}, {"y": -1_000_000_000, "label_text": "miles above"}],
        "unplaced": [{"x": "left", "label_text": "nowhere"}],
        "resized": [{"image_width": 96, "image_height": 128, "x": 60, "y": 20, "w": 20, "h": 40, "label_text": "half size"}],
        "turned": [{"image_width": 64, "image_height": 48, "x": 30, "y": 10, "w": 10, "h": 20, "label_text": "sides swapped"}],
        "shared": [
            {"category_name": "Consolidation", "label_text": "consolidation"},
            {"category_name": "Lung Opacity", "label_text": "opacity"},
        ],
        "several": [
            {"category_name": "Pneumonia", "label_text": "both bases", "x": 2, "y": 40, "w": 10, "h": 15},
            {"category_name": "Pneumonia", "label_text": "both bases", "x": 34, "y": 40, "w": 10, "h": 15},
            {"category_name": "Edema", "label_text": "mild edema", "x": 10, "y": 10, "w": 28, "h": 20},
        ],
    }
    rows: list[dict[str, object]] = []
    for number, (name, boxes) in enumerate(films.items()):
        own: dict[str, object] = {"dicom_id": name, "patient": f"1000{number:04d}", "study": f"5000{number:04d}"}
        rows += [annotation(**own, **box) for box in boxes]
        _film(folder / f"files/p10/p{own['patient']}/s{own['study']}/{name}.jpg", name)
    write_table(folder / "ms.csv", rows)
    _reports(folder, list(films))
    config = folder / "radharmony.toml"
    config.write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "files"\n', encoding="utf-8")
    return config


def _film(path: Path, name: str) -> None:
    path.parent.mkdir(parents=True)
    if name == "block":
        pixels = np.full((64, 48), 20, dtype=np.uint8)
        pixels[20:26, 10:18] = 250
        Image.fromarray(pixels).save(path, format="PNG")  # called .jpg: the content decides
    elif name == "junk":
        path.write_text("<!DOCTYPE html><html><body>Please sign in</body></html>")
    elif name == "wide":
        gray_image(path, 800, 300)
    elif name != "missing":
        gray_image(path)


def _reports(folder: Path, names: list[str]) -> None:
    texts = {"markdown": MARKDOWN, "markup": MARKUP, "several": " FINDINGS:  Mild\n edema. Opacities at both bases.\n"}
    for number, name in enumerate(names):
        if name != "block":
            place = folder / f"files/p10/p1000{number:04d}/s5000{number:04d}.txt"
            place.write_text(texts.get(name, " IMPRESSION: Normal.\n"), encoding="utf-8")
