"""MS-CXR at its published size: harmonizing, validation included, against a bare ``pandas.read_csv`` of the same file.

python -m benchmarks.harmonize
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
from pathlib import Path

import pandas as pd

from benchmarks._timing import medians, print_ratios
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.labels import MS_CXR_CATEGORIES

ROWS, IMAGES, ROUNDS = 1448, 1047, 40
HEADER = ("dicom_id", "category_name", "label_text", "path", "x", "y", "w", "h", "image_width", "image_height", "split")
WORDS = "small large left right apical basal pleural effusion pneumothorax opacity unchanged with of the in lower lobe".split()  # noqa: SIM905


def write_published_size(path: Path) -> None:
    """Rows as long as the published ones: an image id of 44 characters, a path of 85, a phrase of eight words."""
    dice = random.Random(0)  # noqa: S311  made-up rows
    images = []
    for number in range(IMAGES):
        patient, study = 10_000_000 + 7 * number, 50_000_000 + 11 * number
        name = "-".join(f"{dice.getrandbits(32):08x}" for _ in range(5))
        folder = f"files/p{str(patient)[:2]}/p{patient}/s{study}"
        images.append((name, f"{folder}/{name}.jpg", ("train", "val", "test")[number % 3]))
    with path.open("w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(HEADER)
        for number in range(ROWS):
            name, place, split = images[number % IMAGES]
            box = (dice.randrange(1500), dice.randrange(2000), dice.randrange(50, 900), dice.randrange(50, 900), 2544, 3056)
            writer.writerow((name, dice.choice(MS_CXR_CATEGORIES), " ".join(dice.choices(WORDS, k=8)), place, *box, split))


def naive(path: Path) -> list[dict[str, object]]:
    """What a loop over images costs: filter the frame for each, then walk its rows."""
    frame = pd.read_csv(path)
    out: list[dict[str, object]] = []
    for name in frame["path"].unique():
        rows = frame[frame["path"] == name]
        boxes = [
            [r.y / r.image_height, (r.y + r.h) / r.image_height, r.x / r.image_width, (r.x + r.w) / r.image_width]
            for r in rows.itertuples()
        ]
        out.append({"path": name, "bbox": boxes, "bbox_labels": rows["category_name"].tolist()})
    return out


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "MS_CXR_Local_Alignment_v1.1.0.csv"
        write_published_size(path)
        shape = MSCXRHarmonizer(path).harmonize().shape
        times = medians(
            {"pandas.read_csv": lambda: pd.read_csv(path), "harmonize": lambda: MSCXRHarmonizer(path).harmonize()}, ROUNDS
        )
        times |= medians({"a loop per image, nothing checked": lambda: naive(path)}, 2)
    kept = print_ratios(f"MS-CXR, {ROWS} rows -> {shape}", times, "pandas.read_csv", {"harmonize": 8})
    return 0 if kept and shape == (IMAGES, 17) else 1


if __name__ == "__main__":
    sys.exit(main())
