"""The MIMIC-CXR-JPG look of a DICOM file, bit for bit, against a second implementation written from its description."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from radharmony_core.images import decode_image, encode_jpeg
from tests.images.make import EXPLICIT, IMPLICIT, dicom
from tests.images.reference import mimic_look

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
LOOK = "mimic_cxr_jpg"
Cells = npt.NDArray[Any]


def cells_of(kind: str, bits: int, signed: bool, rng: np.random.Generator) -> Cells:
    """29 x 31 stored values of a kind; the ends of the range occur only where the kind says so."""
    low = -(2 ** (bits - 1)) if signed else 0
    high = low + 2**bits - 1
    shape = (29, 31)
    x = np.linspace(0, 1, shape[1])[None, :] * np.linspace(0.3, 1, shape[0])[:, None]
    cells = {
        "noise": rng.integers(low + 3, high - 3, shape),
        "smooth": low + 5 + (x * (high - low) * 0.7 + rng.normal(0, 1, shape)).clip(0).astype(np.int64),
        "full range": np.where(rng.random(shape) < 0.1, low, high - rng.integers(0, (high - low) // 3, shape)),
        "two values": np.where(rng.random(shape) < 0.8, low + 7, low + 60),
        "sparse": rng.choice(rng.integers(low, high, 6), shape),
        "dark with a spot": low + 1 + (rng.random(shape) < 0.01) * (high - low - 2),
    }
    return np.asarray(cells[kind].clip(low, high), f"{'i' if signed else 'u'}{1 if bits == 8 else 2}")


KINDS = ["noise", "smooth", "full range", "two values", "sparse", "dark with a spot"]
DEPTHS = [(8, False), (10, False), (12, True), (12, False), (14, False), (15, True), (16, False), (16, True)]
FILMS = [(kind, bits, signed) for kind in KINDS for bits, signed in DEPTHS]


@pytest.mark.parametrize(("kind", "bits", "signed"), FILMS, ids=[f"{k} {b} {'signed' if s else 'unsigned'}" for k, b, s in FILMS])
def test_the_look_is_that_of_the_description_bit_for_bit(tmp_path: Path, kind: str, bits: int, signed: bool) -> None:
    cells = cells_of(kind, bits, signed, np.random.default_rng(bits + 100 * signed + 1000 * KINDS.index(kind)))
    for photometric, uid in (("MONOCHROME1", EXPLICIT), ("MONOCHROME2", IMPLICIT)):
        # A window and a slope, which this look does not know.
        tags: dict[str, Any] = {
            "WindowCenter": 40,
            "WindowWidth": 80,
            "RescaleSlope": -2,
            "RescaleIntercept": 9,
            "BitsStored": bits,
        }
        path = dicom(tmp_path / "film.dcm", cells, uid=uid, PhotometricInterpretation=photometric, **tags)
        shown = decode_image(path).show(LOOK).pixels
        assert np.array_equal(shown, mimic_look(cells.tolist(), photometric == "MONOCHROME1"))
        assert np.array_equal(shown, by_opencv(cells, photometric == "MONOCHROME1")), "and OpenCV's in the last step"


def by_opencv(cells: Cells, is_first: bool) -> npt.NDArray[np.uint8]:
    """The published steps with NumPy, in an integer that cannot overflow, and OpenCV's own equalization."""
    values = cells.astype(np.int64) - int(cells.min())
    grays = (values / values.max() * 255).astype(np.uint8)
    return np.asarray(cv2.equalizeHist(255 - grays if is_first else grays), np.uint8)


@pytest.mark.parametrize("photometric", ["MONOCHROME1", "MONOCHROME2"])
@pytest.mark.parametrize("shape", [(1, 1), (5, 4)])
def test_a_constant_film_is_one_gray(tmp_path: Path, photometric: str, shape: tuple[int, int]) -> None:
    path = dicom(tmp_path / "film.dcm", np.full(shape, 700, np.uint16), PhotometricInterpretation=photometric)
    film = decode_image(path).show(LOOK)
    assert film.pixels.shape == shape
    assert np.unique(film.pixels).size == 1


def test_padding_is_not_known_to_the_look(tmp_path: Path) -> None:
    """The published steps take padded pixels as any others, so that the picture is the published one's."""
    cells = cells_of("smooth", 12, False, np.random.default_rng(1))
    cells[:5] = 0
    tags: dict[str, Any] = {"BitsStored": 12, "PixelPaddingValue": 0, "PhotometricInterpretation": "MONOCHROME1"}
    shown = decode_image(dicom(tmp_path / "film.dcm", cells, **tags)).show(LOOK).pixels
    assert np.array_equal(shown, mimic_look(cells.tolist(), is_first=True))


def test_the_picture_survives_the_jpeg_that_the_browser_gets(tmp_path: Path) -> None:
    x = np.linspace(0, 1, 256)
    cells = (4000 * (0.5 + 0.5 * np.sin(5 * x)[:, None] * np.cos(4 * x)[None, :])).astype(np.uint16)
    pixels = decode_image(dicom(tmp_path / "film.dcm", cells, BitsStored=12)).show(LOOK).pixels
    with Image.open(io.BytesIO(encode_jpeg(pixels, quality=95).data)) as image:
        difference = np.abs(np.asarray(image).astype(int) - pixels)
    assert difference.max() <= 3
    assert difference.mean() < 1


REAL = sorted(SAMPLES.glob("*/*.dcm"))


@pytest.mark.skipif(not REAL, reason="The sample films (../shared) are not here.")
@pytest.mark.parametrize(
    "path", [path for path in REAL if "explicit" in path.stem or "implicit" in path.stem], ids=lambda path: path.stem
)
def test_the_look_of_real_films(path: Path) -> None:
    data: Any = pytest.importorskip("pydicom").dcmread(path)
    is_first = data.PhotometricInterpretation == "MONOCHROME1"
    assert np.array_equal(decode_image(path).show(LOOK).pixels, by_opencv(data.pixel_array, is_first))
