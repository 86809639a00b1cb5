"""Whether a JPG and a DICOM file are one image: other looks of it, other sizes, turned, negative, and other films."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.errors import ImageError, MissingFileError, UnsupportedImageError
from radharmony_core.images.agreement import compare_films
from radharmony_core.images.reader import decode_image
from tests.images.make import dicom, exif, rgb, saved

Gray = npt.NDArray[np.uint8]


def scene(seed: int, height: int = 300, width: int = 240) -> npt.NDArray[np.uint16]:
    """Soft blobs of all sizes on broad shading that all scenes share, as all chests do; 12 bits."""
    rng = np.random.default_rng(seed)
    blobs = sum(cv2.resize(rng.normal(0, 1, (n, n)), (width, height), interpolation=cv2.INTER_CUBIC) for n in (6, 12, 24))
    shading = np.cos(np.linspace(-3, 3, width))[None, :] * np.cos(np.linspace(-1, 1, height))[:, None]
    values: Any = 2000 + 500 * shading + 250 * blobs
    return np.asarray(values.clip(0, 4095), np.uint16)


def mimic(cells: npt.NDArray[Any]) -> Gray:
    """The MIMIC-CXR-JPG steps for MONOCHROME2, with OpenCV's own equalization."""
    values = cells - cells.min()
    return np.asarray(cv2.equalizeHist((values / values.max() * 255).astype(np.uint8)), np.uint8)


def plain(cells: npt.NDArray[Any]) -> Gray:
    return (cells >> 4).astype(np.uint8)


def shrunk(pixels: Gray, width: int, height: int) -> Gray:
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def gamma(pixels: Gray) -> Gray:
    return np.asarray((pixels / 255) ** 2 * 255, np.uint8)


# what the JPG is; the size; the polarity; how it is turned; whether it is MIMIC-CXR-JPG's; words of the sentence; the reason
CASES: list[tuple[Callable[[npt.NDArray[Any]], npt.NDArray[Any]], str, str, str, bool, str, str]] = [
    (mimic, "same", "same", "", True, "is the MIMIC-CXR-JPG picture", "the published look"),
    (plain, "same", "same", "", False, "the same polarity", "plain gray levels"),
    (lambda x: gamma(plain(x)), "same", "same", "", False, "the same polarity", "another tone curve"),
    (lambda x: cv2.createCLAHE(3, (4, 4)).apply(plain(x)), "same", "same", "", False, "the same polarity", "local contrast"),
    (lambda x: 255 - mimic(x), "same", "inverted", "", False, "the negative of", "the negative of the published look"),
    (lambda x: 255 - gamma(plain(x)), "same", "inverted", "", False, "the negative of", "a negative in other tones"),
    (lambda x: shrunk(mimic(x), 120, 150), "scaled", "same", "", False, "of the same shape", "half the size"),
    (lambda x: shrunk(plain(x), 102, 128), "scaled", "same", "", False, "of the same shape", "a size that was rounded"),
    (lambda x: shrunk(mimic(x), 256, 256), "other", "same", "", False, "of another shape", "stretched to a square"),
    (lambda x: mimic(x)[:, ::-1], "same", "same", "mirrored left to right", False, "mirrored left", "mirrored"),
    (lambda x: mimic(x)[::-1], "same", "same", "mirrored top to bottom", False, "mirrored top", "upside down, mirrored"),
    (lambda x: mimic(x)[::-1, ::-1], "same", "same", "turned by 180 degrees", False, "180", "upside down"),
    (
        lambda x: np.rot90(mimic(x)),
        "swapped",
        "same",
        "turned by 90 degrees to the left",
        False,
        "exchanged",
        "on its left side",
    ),
    (
        lambda x: np.rot90(plain(x), -1),
        "swapped",
        "same",
        "turned by 90 degrees to the right",
        False,
        "exchanged",
        "on its right",
    ),
    (lambda x: mimic(x).T, "swapped", "same", "mirrored at the diagonal from top left", False, "diagonal", "rows as columns"),
    (
        lambda x: mimic(x)[::-1, ::-1].T,
        "swapped",
        "same",
        "mirrored at the diagonal from top right",
        False,
        "diagonal",
        "both exchanged",
    ),
    (
        lambda x: 255 - mimic(x)[:, ::-1],
        "same",
        "inverted",
        "mirrored left to right",
        False,
        "looks like the DICOM mirrored left to right, and a negative of it;",
        "negative and mirrored",
    ),
    (
        lambda x: np.rot90(255 - plain(x)),
        "swapped",
        "inverted",
        "turned by 90 degrees to the left",
        False,
        "to the left, and a negative of it;",
        "a negative on its side",
    ),
    (lambda _: mimic(scene(2)), "same", "unclear", "", False, "not clearly", "another film in the same look"),
    (lambda _: 255 - mimic(scene(2)), "same", "unclear", "", False, "not clearly", "another film's negative"),
    (lambda x: mimic(x)[75:, 60:], "scaled", "unclear", "", False, "another cut", "a quarter cut away"),
    (lambda x: np.full(x.shape, 90, np.uint8), "same", "unclear", "", False, "not clearly", "a constant picture"),
    (lambda _: np.zeros((1, 1), np.uint8), "scaled", "unclear", "", False, "1 x 1", "one pixel, which has no shape"),
    (
        lambda x: np.random.default_rng(0).integers(0, 255, x.shape).astype(np.uint8),
        "same",
        "unclear",
        "",
        False,
        "not clearly",
        "noise",
    ),
]


@pytest.mark.parametrize(
    ("made", "size", "polarity", "turned", "is_mimic", "words", "reason"), CASES, ids=[row[6] for row in CASES]
)
@pytest.mark.parametrize("photometric", ["MONOCHROME2", "MONOCHROME1"])
def test_what_is_found(
    tmp_path: Path,
    made: Callable[[npt.NDArray[Any]], npt.NDArray[Any]],
    size: str,
    polarity: str,
    turned: str,
    is_mimic: bool,
    words: str,
    reason: str,
    photometric: str,
) -> None:
    cells = scene(1)
    # MONOCHROME1 holds the same picture as its complement.
    stored = cells if photometric == "MONOCHROME2" else (cells.max() + cells.min() - cells).astype(np.uint16)
    file = dicom(tmp_path / "film.dcm", stored, BitsStored=12, PhotometricInterpretation=photometric)
    jpg = saved(tmp_path / "film.jpg", np.ascontiguousarray(made(cells)), "JPEG", quality=95)
    found = compare_films(file, jpg)
    assert (found.size, found.polarity, found.turned) == (size, polarity, turned), reason
    assert found.is_mimic_cxr_jpg == is_mimic, (reason, found.mean_difference)
    assert found.in_place == (polarity != "unclear" and not turned)
    assert found.agrees == (polarity == "same" and not turned and size in ("same", "scaled"))
    assert (found.mean_difference is None) == (found.dicom_size != found.jpg_size)
    assert words in found.words
    assert found.words.endswith(".")
    assert found.words.count(". ") == 0, "one sentence"


def test_a_negative_is_what_comes_of_a_forgotten_monochrome1(tmp_path: Path) -> None:
    file = dicom(tmp_path / "film.dcm", scene(1), BitsStored=12, PhotometricInterpretation="MONOCHROME1")
    found = compare_films(file, saved(tmp_path / "film.jpg", plain(scene(1)), "JPEG"))
    assert (found.polarity, found.agrees) == ("inverted", False)
    assert found.correlation < -0.9


def test_a_dicom_in_colour_has_no_mimic_look_to_be_held_against(tmp_path: Path) -> None:
    file = dicom(tmp_path / "film.dcm", rgb(mimic(scene(1))), PhotometricInterpretation="RGB")
    found = compare_films(file, saved(tmp_path / "film.jpg", mimic(scene(1)), "JPEG", quality=95))
    assert (found.size, found.polarity, found.mean_difference, found.is_mimic_cxr_jpg) == ("same", "same", None, False)


def test_a_jpg_that_its_exif_turns_upright_is_compared_upright(tmp_path: Path) -> None:
    file = dicom(tmp_path / "film.dcm", scene(1), BitsStored=12)
    lying = np.ascontiguousarray(np.rot90(mimic(scene(1))))  # 6: turn by 90 degrees to the right
    found = compare_films(file, saved(tmp_path / "film.jpg", lying, "JPEG", quality=95, exif=b"Exif\0\0" + exif(6)))
    assert (found.jpg_size, found.size, found.polarity, found.is_mimic_cxr_jpg) == ((240, 300), "same", "same", True)


@pytest.mark.parametrize(("values", "reason"), [(np.full((30, 20), 7), "one value"), (np.zeros((1, 1)), "one pixel")])
def test_a_constant_dicom_is_unclear_even_to_itself(tmp_path: Path, values: npt.NDArray[Any], reason: str) -> None:
    file = dicom(tmp_path / "film.dcm", values.astype(np.uint16))
    jpg = saved(tmp_path / "film.png", decode_image(file).show("mimic_cxr_jpg").pixels, "PNG")
    found = compare_films(file, jpg)
    assert (found.polarity, found.correlation, found.mean_difference) == ("unclear", 0, 0), reason
    assert not found.is_mimic_cxr_jpg


SIZES = [
    # width and height of the DICOM, of the JPG, what they are, why
    ((254, 305), (127, 152), "scaled", "half, rounded down"),
    ((254, 305), (127, 153), "scaled", "half, rounded up"),
    ((254, 305), (85, 102), "scaled", "a third"),
    ((254, 305), (508, 610), "scaled", "larger"),
    ((254, 305), (305, 254), "swapped", "on its side"),
    ((254, 305), (153, 127), "swapped", "half, on its side"),
    ((254, 305), (254, 304), "scaled", "a row less may be rounding"),
    ((254, 305), (254, 290), "other", "fifteen rows less are not"),
    ((256, 256), (256, 256), "same", "a square is not on its side"),
    ((256, 256), (200, 200), "scaled", "nor a smaller one"),
]


@pytest.mark.parametrize(("one", "other", "size", "reason"), SIZES, ids=[row[3] for row in SIZES])
def test_sizes(tmp_path: Path, one: tuple[int, int], other: tuple[int, int], size: str, reason: str) -> None:
    file = dicom(tmp_path / "film.dcm", np.zeros(one[::-1], np.uint8))
    found = compare_films(file, saved(tmp_path / "film.png", np.zeros(other[::-1], np.uint8), "PNG"))
    assert (found.dicom_size, found.jpg_size, found.size) == (one, other, size), reason


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    jpg = saved(tmp_path / "film.jpg", plain(scene(1)), "JPEG")
    file = dicom(tmp_path / "film.dcm", scene(1), BitsStored=12)
    assert compare_films(jpg, file) == compare_films(file, jpg), "in either order"
    with pytest.raises(UnsupportedImageError, match="got a JPEG and a JPEG"):
        compare_films(jpg, jpg)
    with pytest.raises(UnsupportedImageError, match="got two DICOM files"):
        compare_films(file, file)
    with pytest.raises(MissingFileError):
        compare_films(file, tmp_path / "gone.jpg")
    jpg.write_bytes(jpg.read_bytes()[:-500])
    with pytest.raises(ImageError, match="film"):
        compare_films(file, jpg)
