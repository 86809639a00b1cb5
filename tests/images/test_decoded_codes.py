"""Values of more than 16 bits and fractions as codes: exact where they fit, equal levels where they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.images import DecodedFilm, decode_image
from radharmony_core.images.display.codes import counted
from tests.images.make import dicom, saved


def units_of(film: DecodedFilm) -> list[float]:
    return [float(unit) for unit in film.units[film.codes][0]]


# values, tags, expected values in the file's units, expected gray levels, the reason
WIDE: list[tuple[list[int], dict[str, Any], list[float], list[int], str]] = [
    ([-5, 0, 5], {}, [-5, 0, 5], [0, 128, 255], "a small range around 0"),
    ([10**9, 10**9 + 65535], {}, [1e9, 1e9 + 65535], [0, 255], "65,535 is the last range that fits"),
    ([-(2**31), -1, 2**31 - 1], {}, [-(2**31), -32769, 2**31 - 1], [0, 127, 255], "levels of 65537: -1 is in the 32767th"),
    ([2, 2 * 65536], {}, [2, 2 * 65536], [0, 255], "one more than fits: the ends stay exact"),
    ([100, 32868, 65635], {"PixelPaddingValue:SS": -9}, [100, 32868, 65635], [0, 128, 255], "padding that does not occur"),
    ([7, 7], {"RescaleSlope": 2}, [14, 14], [128, 128], "one value"),
    ([7], {"PixelPaddingValue:SS": 7}, [7], [0], "one pixel, and it is padding"),
]


@pytest.mark.parametrize(("values", "tags", "units", "grays", "reason"), WIDE, ids=[row[4] for row in WIDE])
def test_wide_values_are_numbered(
    tmp_path: Path, values: list[int], tags: dict[str, Any], units: list[float], grays: list[int], reason: str
) -> None:
    film = decode_image(dicom(tmp_path / "a.dcm", np.array([values], np.int32), **tags))
    assert film.codes.dtype == np.uint16
    assert film.units.shape == (65536,)
    assert units_of(film) == units, reason
    assert film.show().pixels[0].tolist() == grays, reason


# padding value, values, tags, expected units of what is no padding, the reason
APART: list[tuple[int, list[int], list[float], str]] = [
    (-9, [-9, 0, 1000], [0, 1000], "padding within reach of 16 bits has its own code as it is"),
    (-9, [-9, 100_000, 165_534], [100_000, 165_534], "padding out of reach: the picture alone fits, less one code"),
    (-9, [-9, 100_000, 165_535], [100_000, 165_535], "and does not fit by one"),
    (-9, [-9, 0, 10**9], [0, 10**9], "padding beside levels"),
]


@pytest.mark.parametrize(("padding", "values", "units", "reason"), APART, ids=[row[3] for row in APART])
def test_padding_of_wide_values_has_a_code_of_its_own(
    tmp_path: Path, padding: int, values: list[int], units: list[float], reason: str
) -> None:
    tags: dict[str, Any] = {"PixelPaddingValue:SS": padding, "PhotometricInterpretation": "MONOCHROME1"}
    film = decode_image(dicom(tmp_path / "a.dcm", np.array([values], np.int32), **tags))
    assert film.is_padding[film.codes][0].tolist() == [True, False, False], reason
    assert units_of(film) == [padding, *units]
    assert film.show().pixels[0].tolist() == [0, 255, 0]
    assert film.show(invert=True).pixels[0].tolist() == [0, 0, 255]


def test_values_in_levels_are_off_by_half_a_level_at_most_and_it_is_said(tmp_path: Path) -> None:
    values = np.random.default_rng(1).integers(-(2**31), 2**31, (40, 50)).astype(np.int32)
    film = decode_image(dicom(tmp_path / "a.dcm", values))
    (step,) = (step for step in film.show().ledger if step.name == "Codes")
    size = step.numbers["step"]
    assert size == (int(values.max()) - int(values.min())) / 65535
    assert np.abs(film.units[film.codes] - values).max() <= size / 2 * (1 + 1e-9)
    assert "65,536 equal levels" in step.words


# values of a TIFF, expected units, expected gray levels, the reason
FRACTIONS: list[tuple[list[float], list[float], list[int], str]] = [
    ([0.0, 0.5, 1.0], [0, 0.5, 1], [0, 128, 255], "fractions: 0.5 is between two levels, half a level off"),
    ([-3.0, 0.0, 3.0], [-3, 0, 3], [0, 128, 255], "whole numbers are exact"),
    ([np.nan, 1.0, 2.0], [np.nan, 1, 2], [0, 0, 255], "no number: a code that is padding"),
    ([np.inf, 1.0, 2.0], [np.nan, 1, 2], [0, 0, 255], "infinite is no number either"),
    ([np.inf, -np.inf, np.nan], [np.nan] * 3, [0, 0, 0], "nothing but no numbers"),
    ([0.25, 0.25, 0.25], [0.25] * 3, [128] * 3, "one fraction"),
    ([-3e38, 0.0, 3e38], [-3e38, 0, 3e38], [0, 128, 255], "the ends of float32"),
    ([0.0, 1e-45, 1e-45], [0.0, 1e-45, 1e-45], [0, 255, 255], "the smallest float32"),
]


@pytest.mark.parametrize(("values", "units", "grays", "reason"), FRACTIONS, ids=[row[3] for row in FRACTIONS])
def test_fractions_are_numbered(tmp_path: Path, values: list[float], units: list[float], grays: list[int], reason: str) -> None:
    film = decode_image(saved(tmp_path / "a", np.array([values], np.float32), "TIFF"))
    stored = np.array(units, np.float32).astype(np.float64)
    half_a_level = np.nanmax([*np.abs(stored), 0.0]) / 65535 * (1 + 1e-9)
    assert np.allclose(units_of(film), stored, atol=half_a_level, rtol=1e-15, equal_nan=True), reason
    assert film.show().pixels[0].tolist() == grays
    assert film.is_padding[film.codes][0].tolist() == np.logical_not(np.isfinite(values)).tolist()


def test_pixels_are_counted_exactly_beyond_what_float32_holds() -> None:
    codes = np.zeros((4200, 4200), np.uint16)
    codes[0, :3] = 65535
    assert counted(codes)[[0, 1, 65535]].tolist() == [4200 * 4200 - 3, 0, 3]
    assert counted(np.array([[3, 3, 255]], np.uint8))[[3, 255]].tolist() == [2, 1]
