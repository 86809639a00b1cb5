"""The looks beyond the standard's pipeline: the MIMIC-CXR-JPG look, local contrast, and gray levels turned by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from radharmony_core.images import decode_image
from radharmony_core.images.display.looks import equalization
from tests.images.make import dicom, saved

# stored values, tags, expected gray levels, the reason. Equalized: the pixels above the darkest level, as shares of 255.
LOOKS: list[tuple[list[int], dict[str, Any], list[int], str]] = [
    ([0, 1, 2, 3], {}, [0, 85, 170, 255], "0, 85, 170, 255 equalized are what they are"),
    ([10, 11, 12, 14], {}, [0, 85, 170, 255], "less 10: 0, 63.75, 127.5, 255, in equal steps by rank"),
    ([0, 1, 2, 3], {"PhotometricInterpretation": "MONOCHROME1"}, [255, 170, 85, 0], "turned before it is equalized"),
    ([0, 0, 0, 4], {"PhotometricInterpretation": "MONOCHROME1"}, [255, 255, 255, 0], "three of the brightest"),
    ([5, 5, 5], {}, [0, 0, 0], "one value is black and no division by zero"),
    ([5, 5, 5], {"PhotometricInterpretation": "MONOCHROME1"}, [255, 255, 255], "and white turned"),
    ([0, 1, 2, 3], {"RescaleSlope": -1, "WindowCenter": 1, "WindowWidth": 1}, [0, 85, 170, 255], "no rescale, no window"),
    ([0, 1, 2, 3], {"PixelPaddingValue": 3}, [0, 85, 170, 255], "no padding rule"),
    ([0, 1, 2, 3], {"PresentationLUTShape": "INVERSE"}, [0, 85, 170, 255], "no presentation"),
    ([0xF000, 1, 2, 3], {"BitsStored": 12}, [0, 85, 170, 255], "unused bits are no part of the value"),
    ([0xFFF, 0, 1, 2], {"BitsStored": 12, "PixelRepresentation": 1}, [0, 85, 170, 255], "signed: -1, 0, 1, 2"),
    ([0, 65535, 65534, 65535], {}, [0, 255, 85, 255], "65534 is 254.996, cut to 254: one level below 255"),
]


@pytest.mark.parametrize(("stored", "tags", "expected", "reason"), LOOKS, ids=[row[3] for row in LOOKS])
def test_the_mimic_look(tmp_path: Path, stored: list[int], tags: dict[str, Any], expected: list[int], reason: str) -> None:
    film = decode_image(dicom(tmp_path / "a.dcm", np.array([stored], np.uint16), **tags))
    assert film.show("mimic_cxr_jpg").pixels[0].tolist() == expected, reason
    assert film.show("mimic_cxr_jpg", invert=True).pixels[0].tolist() == [255 - gray for gray in expected]


def test_the_table_of_the_look_is_opencvs_equalization(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    for number in range(40):
        spread = float(rng.choice([3, 40, 400, 4000]))
        cells = rng.normal(2000, spread, (31 + number, 47)).clip(0, 65535).astype(np.uint16)
        photometric = str(rng.choice(["MONOCHROME1", "MONOCHROME2"]))
        film = decode_image(dicom(tmp_path / "a.dcm", cells, PhotometricInterpretation=photometric))
        level = cells.astype(np.float64) - cells.min()
        gray = (level / level.max() * 255).astype(np.uint8)
        gray = 255 - gray if photometric == "MONOCHROME1" else gray
        assert np.array_equal(film.show("mimic_cxr_jpg").pixels, cv2.equalizeHist(gray)), number


def test_equalization_is_opencvs_on_single_levels_and_large_counts() -> None:
    for levels in ([0], [255], [7, 9], [0, 255], list(range(256))):
        gray = np.repeat(np.array([levels], np.uint8), 37, axis=0)
        table = equalization(np.bincount(gray.ravel(), minlength=256))
        assert np.array_equal(table[gray], cv2.equalizeHist(gray)), levels
    gray = np.zeros((5000, 4000), np.uint8)
    gray[1:], gray[2000:], gray[4999, :7] = 3, 200, 250
    assert np.array_equal(equalization(np.bincount(gray.ravel(), minlength=256))[gray], cv2.equalizeHist(gray))


def test_a_picture_of_another_kind_has_no_mimic_look(tmp_path: Path) -> None:
    raster = decode_image(saved(tmp_path / "a", np.array([[1, 2]], np.uint8), "PNG"))
    colour = decode_image(dicom(tmp_path / "a.dcm", np.zeros((2, 2, 3), np.uint8)))
    for film in (raster, colour):
        assert "mimic_cxr_jpg" not in [preset.key for preset in film.presets]


def test_wide_values_have_the_look_too(tmp_path: Path) -> None:
    film = decode_image(dicom(tmp_path / "a.dcm", np.array([[-(10**9), 0, 10**9]], np.int32)))
    assert film.show("mimic_cxr_jpg").pixels[0].tolist() == [0, 128, 255]


@pytest.mark.parametrize("shape", [(1, 2), (3, 5), (7, 9), (8, 8), (1, 300), (64, 80)])
def test_local_contrast_is_opencvs_clahe_of_the_gray_levels(tmp_path: Path, shape: tuple[int, int]) -> None:
    cells = np.random.default_rng(5).integers(0, 4096, shape).astype(np.uint16)
    film = decode_image(dicom(tmp_path / "a.dcm", cells))
    expected = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8)).apply(film.show(invert=True).pixels)
    assert np.array_equal(film.show(invert=True, local_contrast=True).pixels, expected)


@pytest.mark.parametrize("tags", [{}, {"PixelPaddingValue": 7}])
def test_local_contrast_leaves_a_film_of_one_gray_as_it_is(tmp_path: Path, tags: dict[str, Any]) -> None:
    cells = np.full((64, 64), 1000, np.uint16)
    cells[:20] = 7 if tags else 1000
    film = decode_image(dicom(tmp_path / "a.dcm", cells, **tags))
    assert film.show(local_contrast=True).pixels[20:].tolist() == [[128] * 64] * 44
    assert film.show(local_contrast=True).pixels.tolist() == film.show().pixels.tolist()


def test_local_contrast_leaves_padding_black_and_the_film_as_it_was(tmp_path: Path) -> None:
    cells = np.random.default_rng(6).integers(100, 4096, (64, 64)).astype(np.uint16)
    cells[:20] = 50
    film = decode_image(dicom(tmp_path / "a.dcm", cells, PixelPaddingValue=50, PhotometricInterpretation="MONOCHROME1"))
    before = film.show().pixels.copy()
    shown = film.show(local_contrast=True).pixels
    assert not shown[:20].any()
    assert (shown[20:] != before[20:]).any()
    assert np.array_equal(film.show().pixels, before)


def test_local_contrast_of_the_look_has_no_padding_either(tmp_path: Path) -> None:
    cells = np.random.default_rng(6).integers(0, 9, (64, 64)).astype(np.uint16)
    film = decode_image(dicom(tmp_path / "a.dcm", cells, PixelPaddingValue=8))
    expected = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(8, 8)).apply(film.show("mimic_cxr_jpg").pixels)
    assert np.array_equal(film.show("mimic_cxr_jpg", local_contrast=True).pixels, expected)


def test_turned_by_hand_is_255_less_each_level(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"WindowCenter": 500.5, "WindowWidth": 1001, "PixelPaddingValue": 9}
    for photometric, plain in (("MONOCHROME2", [0, 0, 128, 255]), ("MONOCHROME1", [0, 255, 128, 0])):
        cells = np.array([[9, 0, 500, 1000]], np.uint16)
        film = decode_image(dicom(tmp_path / "a.dcm", cells, PhotometricInterpretation=photometric, **tags))
        assert film.show().pixels[0].tolist() == plain
        assert film.show(invert=True).pixels[0].tolist() == [0, *(255 - gray for gray in plain[1:])]
