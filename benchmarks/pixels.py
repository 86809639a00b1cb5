"""From a film's file to the picture that goes to the browser, against what others do for the same; and memory over 400 films.

python -m benchmarks.pixels
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pydicom
from PIL import Image
from pydicom.pixels.processing import apply_modality_lut, apply_voi_lut

from benchmarks._timing import medians, print_ratios
from benchmarks.full_size import resident_memory
from radharmony_core.catalog import Catalog
from radharmony_core.images import encode_jpeg, read_image
from radharmony_core.thumbnails import ThumbnailCache
from tests.images import make

WIDTH, HEIGHT, SCREEN_SIDE = 2544, 3056, 1400  # MIMIC-CXR's usual size; what the viewer sends
PAGE, ROUNDS = 24, 21
FILMS, SETTLED = 400, 100
MIB_AT_MOST = 8.0
DICOM_AT_MOST, JPEG_AT_MOST, PAGE_AT_MOST = 0.35, 1.5, 0.1


def film(number: int) -> npt.NDArray[np.float64]:
    """0..1, as a film is: smooth, with grain, in a black border with nothing in it."""
    dice = np.random.default_rng(number)
    coarse = Image.fromarray(dice.random((48, 40), dtype=np.float32))
    made = np.asarray(coarse.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)) + dice.normal(0, 0.012, (HEIGHT, WIDTH))
    made[:, :90] = made[:, -120:] = made[:60] = made[-200:] = 0
    return made.clip(0, 1)


def write_films(folder: Path) -> None:
    """24 JPEG files, and one of DICOM: 12 bits stored in 16, low values white, a window that clips at both ends."""
    for number in range(PAGE):
        Image.fromarray((film(number) * 255).astype(np.uint8)).save(folder / f"{number}.jpg", quality=95)
    window: dict[str, Any] = {"WindowCenter": "2000", "WindowWidth": "3000", "RescaleSlope": "1", "RescaleIntercept": "0"}
    cells = (film(0) * 4095).astype(np.uint16)
    make.dicom(folder / "film.dcm", cells, BitsStored=12, PhotometricInterpretation="MONOCHROME1", **window)


def ours(path: Path, side: int | None) -> bytes:
    return encode_jpeg(read_image(path).pixels, max_side=side).data


def by_pydicom(path: Path) -> bytes:
    """pydicom's own functions in the standard's order, then 8 bits and a PNG."""
    data_set = pydicom.dcmread(path)
    values = apply_voi_lut(apply_modality_lut(data_set.pixel_array, data_set), data_set)
    low, high = values.min(), values.max()
    gray = ((high - values if data_set.PhotometricInterpretation == "MONOCHROME1" else values - low) / (high - low) * 255).round()
    buffer = io.BytesIO()
    Image.fromarray(gray.astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


def decoded(path: Path) -> npt.NDArray[np.uint8]:
    """Pillow's bare decode: no header is looked at, and a picture that is cut is not noticed."""
    return np.asarray(Image.open(path))


def compare(folder: Path) -> list[bool]:
    """Each table's limit is for the picture the viewer sends; the one of native size is for a look at the pixels."""
    dicom, jpegs = folder / "film.dcm", [folder / f"{number}.jpg" for number in range(PAGE)]
    screen, native = f"to a JPEG of {SCREEN_SIDE} pixels", "to a JPEG of native size"
    deep = medians(
        {
            "pydicom's functions, to a PNG": lambda: by_pydicom(dicom),
            screen: lambda: ours(dicom, SCREEN_SIDE),
            native: lambda: ours(dicom, None),
        },
        3,
    )
    plain = medians(
        {
            "Pillow, bare decode": lambda: decoded(jpegs[0]),
            screen: lambda: ours(jpegs[0], SCREEN_SIDE),
            native: lambda: ours(jpegs[0], None),
        },
        ROUNDS,
    )
    with ThumbnailCache(folder / "thumbnails") as cache:
        cache.get_many(jpegs)
        page = medians(
            {"decoding 24 JPEGs": lambda: [decoded(path) for path in jpegs], "24 kept thumbnails": lambda: cache.get_many(jpegs)},
            5,
        )
    size = f"{WIDTH} x {HEIGHT}"
    return [
        print_ratios(f"DICOM, 12 bits in 16, {size}", deep, "pydicom's functions, to a PNG", {screen: DICOM_AT_MOST}),
        print_ratios(f"JPEG, {size}", plain, "Pillow, bare decode", {screen: JPEG_AT_MOST}),
        print_ratios("A page of thumbnails", page, "decoding 24 JPEGs", {"24 kept thumbnails": PAGE_AT_MOST}),
    ]


def linked_films(folder: Path) -> list[Path]:
    """400 names, of JPEG and DICOM in turn, so that no cache has seen one before."""
    linked = folder / "linked"
    linked.mkdir(exist_ok=True)
    paths = []
    for number in range(FILMS):
        source = folder / (f"{number // 2 % PAGE}.jpg" if number % 2 else "film.dcm")
        path = linked / f"{number}{source.suffix}"
        path.unlink(missing_ok=True)
        os.link(source, path)
        paths.append(path)
    return paths


def film_by_film(paths: list[Path]) -> Callable[[int], object]:
    return lambda place: ours(paths[place], SCREEN_SIDE)


def through_the_viewer(paths: list[Path]) -> Callable[[int], object]:
    """With its caches, which keep the last films."""
    from pages._ui.films import film_of

    catalog = cast(Catalog, SimpleNamespace(datasets=(), image_file=paths.__getitem__))

    def shown(place: int) -> Any:
        sent = film_of(catalog, place)
        assert sent.error is None, sent.error
        return sent

    return shown


WAYS = {"film by film": film_by_film, "through the viewer's cache": through_the_viewer}


def run(way: str, folder: Path) -> int:
    """In a process of its own: MiB after 100 films, and after 400."""
    show = WAYS[way](linked_films(folder))
    rows = []
    for place in range(FILMS):
        show(place)
        if place + 1 in (SETTLED, FILMS):
            rows.append(resident_memory())
    print(json.dumps(rows))
    return 0


def measure_memory(folder: Path) -> list[bool]:
    kept = []
    print(f"\n{f'Memory, MiB, after {SETTLED} and {FILMS} films':44}{SETTLED:>10}{FILMS:>9}{'growth':>9}{'at most':>9}{'s':>6}")
    for way in WAYS:
        begun = time.monotonic()
        command = [sys.executable, "-m", "benchmarks.pixels", "--run", way, str(folder)]
        child = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        early, late = json.loads(child.stdout.splitlines()[-1])
        seconds = time.monotonic() - begun
        print(f"{way:44}{early:10.0f}{late:9.0f}{late - early:9.1f}{MIB_AT_MOST:9.1f}{seconds:6.0f}")
        kept.append(late - early <= MIB_AT_MOST)
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pixels", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--run", nargs=2, metavar=("WAY", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        return run(options.run[0], Path(options.run[1]))
    with tempfile.TemporaryDirectory() as name:
        write_films(Path(name))
        kept = compare(Path(name)) + (measure_memory(Path(name)) if sys.platform == "linux" else [])
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
