"""Real radiographs, kept beside the project: every one is shown, the right way round, and in every coding the same.

Skipped where those files are not. Thirteen of them are one chest, reduced to a quarter and coded in thirteen ways: of 15 bits
MONOCHROME1 (``m1``), or of 12 bits MONOCHROME2 (``m2``), which holds ``4095 - m1 // 8``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.images import DecodedFilm, Window, decode_image

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
FILES = sorted(path for path in SAMPLES.glob("*/*") if path.suffix in (".png", ".dcm"))
DERIVED = SAMPLES / "derived"
DOG = "highdicom/dx_image.dcm"
pytestmark = pytest.mark.skipif(not FILES, reason="The sample films (../shared) are not here.")


def film(name: str) -> DecodedFilm:
    return decode_image(DERIVED / f"rg1q_{name}.dcm")


def units(decoded: DecodedFilm) -> npt.NDArray[np.float64]:
    """The pixels in the file's units."""
    return np.asarray(decoded.units[decoded.codes], np.float64)


def apart(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return np.asarray(np.abs(one.astype(np.float64) - other), np.float64)


def mean(pixels: npt.NDArray[np.uint8], top: float, bottom: float, left: float, right: float) -> float:
    """The mean gray level of a part of the film, its ends as shares of the height and the width."""
    height, width = pixels.shape
    return float(pixels[int(top * height) : int(bottom * height), int(left * width) : int(right * width)].mean())


def test_all_are_there() -> None:
    assert len(FILES) == 30


# Where the upper lungs are in all of these frontal chests, and the heart before the spine.
RIGHT_LUNG, LEFT_LUNG = (0.25, 0.42, 0.20, 0.34), (0.25, 0.42, 0.64, 0.78)
HEART, BELLY = (0.45, 0.65, 0.46, 0.56), (0.75, 0.90, 0.30, 0.70)
CHESTS = [path for path in FILES if path.relative_to(SAMPLES).as_posix() != DOG]


@pytest.mark.parametrize("path", CHESTS, ids=lambda path: path.stem)
def test_lungs_are_darker_than_what_is_between_and_below_them(path: Path) -> None:
    decoded = decode_image(path)
    keys = {preset.key for preset in decoded.presets}
    assert {"default", "full", "auto"} <= keys
    assert ("mimic_cxr_jpg" in keys) == (path.suffix == ".dcm")
    for key in keys:
        pixels = decoded.show(key).pixels
        lungs = max(mean(pixels, *RIGHT_LUNG), mean(pixels, *LEFT_LUNG))
        assert lungs + 10 < mean(pixels, *HEART), key
        assert lungs + 10 < mean(pixels, *BELLY), key
        turned = decoded.show(key, invert=True).pixels
        assert mean(turned, *HEART) + 10 < min(mean(turned, *RIGHT_LUNG), mean(turned, *LEFT_LUNG)), key
    assert decoded.show(local_contrast=True).pixels.shape == decoded.codes.shape


@pytest.mark.parametrize("key", ["default", "full", "auto", "mimic_cxr_jpg"])
def test_a_dog_in_monochrome1_with_a_presentation_lut_is_turned_once(key: str) -> None:
    pixels = decode_image(SAMPLES / DOG).show(key).pixels
    spine, lung, air = mean(pixels, 0.2, 0.3, 0.4, 0.7), mean(pixels, 0.38, 0.5, 0.5, 0.65), mean(pixels, 0.02, 0.08, 0.6, 0.95)
    assert spine > lung + 40
    assert lung > air + 20


@pytest.mark.parametrize("name", ["j2kr_m1", "jlsl_m1", "jpll14_m1", "jpll_m1", "rle_m1"])
def test_a_lossless_coding_has_the_very_values(name: str) -> None:
    plain, coded = film("explicit_m1"), film(name)
    assert np.array_equal(units(coded), units(plain))
    for key in ("default", "window1", "full", "auto", "mimic_cxr_jpg"):
        assert np.array_equal(coded.show(key).pixels, plain.show(key).pixels), key
    assert coded.show().notices == []


def test_the_chest_in_the_other_polarity_is_the_same_picture() -> None:
    first, second = film("explicit_m1"), film("explicit_m2_2win")
    assert (first.is_inverted, second.is_inverted) == (True, False)
    assert np.array_equal(units(second), 4095 - units(first) // 8)
    assert np.array_equal(units(second), units(film("implicit_m2_nowin")))
    # 15000 +- 15000 of 15 bits, turned, is 4095 - 1875 = 2220 +- 1875 of 12.
    for key in ("default", "full"):
        assert apart(second.show(key).pixels, first.show(key).pixels).max() <= 1, key


def test_a_sigmoid_is_not_drawn_as_a_line() -> None:
    # C.11.2.1.3.1 at the window's upper end, 2220 + 1875: 255 / (1 + e**-2) = 224.6; LINEAR is white there.
    line, curve = film("explicit_m2_2win").show().pixels, film("explicit_m2_sigmoid").show().pixels
    assert curve.max() <= 225
    assert line.max() >= 245
    order = np.argsort(line, axis=None, kind="stable")
    assert np.all(np.diff(curve.ravel()[order].astype(int)) >= -1), "the same order of gray levels"


# the file, what it was coded from, how far its values are at most and on average, how far the gray levels are on average
LOSSY = [
    ("j2ki_m1", "explicit_m1", 352, 49, 0.6, "JPEG 2000 at a sixth of the size; 128 values are a gray level"),
    ("jlsn_m1", "explicit_m1", 3, 1.8, 0.1, "JPEG-LS that is allowed 3 values"),
    ("jpeg12_m2", "implicit_m2_nowin", 20, 3, 0.5, "JPEG of 12 bits; 16 values are a gray level"),
]


@pytest.mark.parametrize(("name", "plain", "most", "average", "gray", "reason"), LOSSY, ids=[row[0] for row in LOSSY])
def test_a_lossy_coding_is_near(name: str, plain: str, most: float, average: float, gray: float, reason: str) -> None:
    coded, whole = film(name), film(plain)
    values = apart(units(coded), units(whole))
    assert values.max() <= most, reason
    assert values.mean() <= average, reason
    # One window for both: the coding changes the ends of the value range, and the files have different windows.
    window = Window(15000, 30000) if whole.is_inverted else Window(2220, 3750)
    assert apart(coded.show(window).pixels, whole.show(window).pixels).mean() <= gray, reason


def test_a_jpeg_of_8_bits_is_near() -> None:
    # 8 bits hold m1 // 128; shown over its own range, 7 to 206, which is m1's 1057 to 26324 but for the loss.
    coded, whole = film("jpeg8_m1_nowin"), film("explicit_m1")
    assert apart(units(coded), units(whole) // 128).mean() <= 1.5
    assert apart(coded.show("full").pixels, whole.show("full").pixels).mean() <= 2


def test_the_second_window_of_the_file_has_its_name() -> None:
    decoded = film("explicit_m2_2win")
    by_key = {preset.key: preset for preset in decoded.presets}
    assert (by_key["window1"].center, by_key["window1"].width) == (2220, 3750)
    assert (by_key["window2"].center, by_key["window2"].width) == (2000, 2400)
    assert np.array_equal(decoded.show(by_key["window2"].words).pixels, decoded.show("window2").pixels)
    assert not np.array_equal(decoded.show("window2").pixels, decoded.show().pixels)
    assert any("2 windows" in notice for notice in decoded.show().notices)
