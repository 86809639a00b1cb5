"""Whether a JPG lies where its DICOM does: moved, cut and turned a little, and looks that only seem so; and real chests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from radharmony_core.images.agreement import compare_films
from tests.images.make import dicom, saved
from tests.images.test_agreement import gamma, mimic, plain, scene, shrunk

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
CHESTS = sorted(SAMPLES.glob("nih-chestxray14/*.png"))
needs_chests = pytest.mark.skipif(not CHESTS, reason="The sample films (../shared) are not here.")
Gray = npt.NDArray[np.uint8]


def chest(path: Path) -> Gray:
    with Image.open(path) as image:
        return np.asarray(image.convert("L"))


def written(pixels: Gray) -> Gray:
    return np.asarray(cv2.putText(pixels.copy(), "AP", (20, 100), 0, 3, 255, 8), np.uint8)


def moved(pixels: Gray, right: float = 0.0, down: float = 0.0, degrees: float = 0.0) -> Gray:
    """By parts of width and height, and around the middle."""
    height, width = pixels.shape
    how: Any = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    how[:, 2] += (right * width, down * height)
    return np.asarray(cv2.warpAffine(pixels, how, (width, height)), np.uint8)


def cut(pixels: Gray, part: float) -> Gray:
    """So much less at each side."""
    rows, columns = (round(side * part) for side in pixels.shape)
    return np.ascontiguousarray(pixels[rows : pixels.shape[0] - rows, columns : pixels.shape[1] - columns])


# What the JPG is; how far a corner is off, by hand, in parts of the side; why.
MOVED: list[tuple[Callable[[Gray], Gray], float, str]] = [
    (lambda x: moved(x, right=0.015), 0.015, "to the right"),
    (lambda x: moved(x, down=-0.015), 0.015, "up"),
    (lambda x: 255 - moved(x, right=0.015), 0.015, "a negative to the right"),
    (lambda x: gamma(moved(x, right=0.015)), 0.015, "in other tones"),
    (lambda x: cut(x, 0.02), 0.02, "cut: a corner of what is left was 2 % further in"),
    (lambda x: moved(x, degrees=1.5), 0.013, "turned around the middle: half a side times the angle"),
]


@pytest.mark.parametrize(("made", "off", "reason"), MOVED, ids=[row[2] for row in MOVED])
def test_what_is_not_in_place(tmp_path: Path, made: Callable[[Gray], Gray], off: float, reason: str) -> None:
    cells = scene(1, 300, 300)
    file = dicom(tmp_path / "film.dcm", cells, BitsStored=12)
    found = compare_films(file, saved(tmp_path / "film.png", made(plain(cells)), "PNG"))
    assert found.polarity != "unclear"
    assert (found.in_place, found.agrees, found.turned) == (False, False, ""), reason
    assert found.displacement == pytest.approx(off, abs=0.003)
    assert f", but not exactly in place: boxes may be off by about {round(100 * off)} %;" in found.words


LOOKS: list[tuple[Callable[[Gray], Gray], str]] = [
    (lambda x: np.asarray(cv2.createCLAHE(40, (8, 8)).apply(x), np.uint8), "strong local contrast"),
    (lambda x: gamma(gamma(x)), "dark"),
    (lambda x: ((x.clip(64, 160) - 64.0) * 2.6).astype(np.uint8), "a hard window"),
    (lambda x: shrunk(x, 64, 64), "very small"),
    (lambda x: shrunk(x, 256, 200), "stretched"),
    (lambda x: np.asarray(x[::8, ::8]), "every eighth pixel"),
    (lambda x: (x + np.random.default_rng(0).normal(0, 20, x.shape)).clip(0, 255).astype(np.uint8), "grain"),
    (lambda x: moved(x, right=0.003), "half a place of the grid"),
    (written, "writing"),
]


@needs_chests
@pytest.mark.parametrize(("made", "reason"), LOOKS, ids=[row[1] for row in LOOKS])
def test_other_looks_are_in_place(tmp_path: Path, made: Callable[[Gray], Gray], reason: str) -> None:
    one = chest(CHESTS[2])
    found = compare_films(dicom(tmp_path / "film.dcm", one), saved(tmp_path / "film.png", np.ascontiguousarray(made(one)), "PNG"))
    assert (found.polarity, found.in_place) == ("same", True), reason
    assert "place" not in found.words


@needs_chests
def test_real_chests_are_their_own_pictures_and_nobody_elses(tmp_path: Path) -> None:
    pixels = [chest(path) for path in CHESTS]
    jpgs = [saved(tmp_path / f"{n}.jpg", mimic(one), "JPEG", quality=95) for n, one in enumerate(pixels)]
    for n, one in enumerate(pixels):
        file = dicom(tmp_path / "film.dcm", one)
        own = compare_films(file, jpgs[n])
        assert own.is_mimic_cxr_jpg
        assert own.in_place
        assert own.correlation > 0.95
        for step in (1, 5):
            other = compare_films(file, jpgs[(n + step) % len(jpgs)])
            assert (other.polarity, other.turned) == ("unclear", ""), (CHESTS[n].name, other)
            assert abs(other.correlation) < 0.5
        mirrored = saved(tmp_path / "mirrored.jpg", np.ascontiguousarray(mimic(one)[:, ::-1]), "JPEG", quality=95)
        assert compare_films(file, mirrored).turned == "mirrored left to right", CHESTS[n].name
