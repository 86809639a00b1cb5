"""Gray levels of DICOM files, each expected number worked out by hand from PS3.3 C.11."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.images import read_image
from tests.images.make import EXPLICIT, IMPLICIT, dicom


def cells_of(*values: int, dtype: Any = np.uint16) -> np.ndarray[Any, Any]:
    return np.array([values], dtype)


def table(bits: int, *entries: int) -> dict[str, Any]:
    """A VOI table for 0, 1 and so on that is stated to have entries of ``bits`` bits."""
    item = {"LUTDescriptor": [len(entries), 0, bits], "LUTData": np.array(entries, "<u2").tobytes()}
    return {"VOILUTSequence": [item]}


# stored values, tags, expected gray levels, the reason
LEVELS: list[tuple[list[int], dict[str, Any], list[int], str]] = [
    ([0, 1, 2], table(16, 0, 16384, 32767), [0, 64, 127], "a VOI table that ends at half of its range is meant so"),
    ([0, 500, 1000], {"WindowCenter": 500.5, "WindowWidth": 1001}, [0, 128, 255], "LINEAR: (500 - 500) / 1000 + 0.5"),
    ([99, 100, 101], {"WindowCenter": 100, "WindowWidth": 1}, [0, 255, 255], "LINEAR, width 1: at most 99.5 is black"),
    (
        [0, 1, 2],
        {"WindowCenter": 1.5, "WindowWidth": 2},
        [0, 128, 255],
        "LINEAR, width 2: black to 0.5, white above 1.5, 1 in the middle",
    ),
    (
        [0, 250, 500, 1000],
        {"WindowCenter": 500, "WindowWidth": 1000, "VOILUTFunction": "LINEAR_EXACT"},
        [0, 64, 128, 255],
        "LINEAR_EXACT: 250 / 1000 * 255 = 63.75",
    ),
    (
        [0, 200, 300, 400],
        {"WindowCenter": 300, "WindowWidth": 200, "VOILUTFunction": "SIGMOID"},
        [1, 30, 128, 225],
        "SIGMOID: 255 / (1 + e**6) = 0.63, / (1 + e**2) = 30.4, / 2 = 127.5, / (1 + e**-2) = 224.6",
    ),
    (
        [0, 100, 200],
        {"WindowCenter": 100, "WindowWidth": 0.5, "VOILUTFunction": "LINEAR_EXACT"},
        [0, 128, 255],
        "a width below 1 is legal for LINEAR_EXACT",
    ),
    (
        [0, 500, 1000],
        {"WindowCenter": 500.5, "WindowWidth": 1001, "PhotometricInterpretation": "MONOCHROME1"},
        [255, 128, 0],
        "polarity last: 255 - 127.5 rounds up to 128 again",
    ),
    (
        [0, 400, 1000],
        {"WindowCenter": 200.5, "WindowWidth": 401, "PhotometricInterpretation": "MONOCHROME1"},
        [255, 0, 0],
        "MONOCHROME1 after the window: what is above it stays black",
    ),
    (
        [0, 50, 100],
        {"WindowCenter": 0.5, "WindowWidth": 201, "RescaleSlope": 2, "RescaleIntercept": -100},
        [0, 128, 255],
        "the window is in rescaled values: -100, 0, 100",
    ),
    (
        [0, 50, 100],
        {"WindowCenter": -49.5, "WindowWidth": 101, "RescaleSlope": -1, "RescaleIntercept": 0},
        [255, 128, 0],
        "a negative slope turns the order: -100 is the lowest",
    ),
    (
        [0, 50, 100],
        {"RescaleSlope": -1, "RescaleIntercept": 5000},
        [255, 128, 0],
        "a negative slope without a window turns the order as well",
    ),
    (
        [0, 50, 100],
        {"RescaleSlope": -1, "RescaleIntercept": 5000, "PhotometricInterpretation": "MONOCHROME1"},
        [0, 128, 255],
        "and MONOCHROME1 turns it back",
    ),
    ([10, 20, 30], {"RescaleSlope": 0.001, "RescaleIntercept": 0}, [0, 128, 255], "small slopes are not rounded away"),
    (
        [0, 16, 32],
        {"RescaleSlope": 0.01, "RescaleIntercept": 1},
        [0, 128, 255],
        "the middle is 127.4999999999998 in float64, and a half",
    ),
    ([7, 1000, 1993], {}, [0, 128, 255], "no window: the values that occur, from black to white"),
    ([7, 1000, 1993], {"PhotometricInterpretation": "MONOCHROME1"}, [255, 128, 0], "the same, turned"),
    ([7, 1000, 1993], {"PresentationLUTShape": "IDENTITY"}, [0, 128, 255], "IDENTITY changes nothing"),
    (
        [7, 1000, 1993],
        {"PhotometricInterpretation": "MONOCHROME1", "PresentationLUTShape": "INVERSE"},
        [255, 128, 0],
        "MONOCHROME1 and INVERSE say the same thing, once",
    ),
    (
        [0, 1000, 2000, 4000],
        {"WindowCenter": [1000.5, 9], "WindowWidth": [2001, 5]},
        [0, 128, 255, 255],
        "the first of two windows",
    ),
    (
        [0, 1000, 2000, 4000],
        {"WindowCenter": [1000.5, 1000.5], "WindowWidth": [0, 2001]},
        [0, 128, 255, 255],
        "the first that can be used",
    ),
    (
        [0, 1000, 2000],
        {"WindowCenter": b"1000.5 ", "WindowWidth": b" 2001\0"},
        [0, 128, 255],
        "numbers with blanks and a zero byte around them",
    ),
    (
        [5, 100, 200, 300],
        {"PixelPaddingValue": 5, "PhotometricInterpretation": "MONOCHROME1"},
        [0, 255, 128, 0],
        "padding is black in MONOCHROME1 too, and outside the range",
    ),
    (
        [5, 6, 7, 100, 200],
        {"PixelPaddingValue": 5, "PixelPaddingRangeLimit": 7},
        [0, 0, 0, 0, 255],
        "a range of padding",
    ),
    ([40000, 100, 200], {"PixelPaddingValue": 40000}, [0, 0, 255], "padding above half of what unsigned values can be"),
    ([63536, 100, 200], {"PixelPaddingValue:SS": -2000}, [0, 0, 255], "padding -2000 in unsigned values: 63536"),
    (
        [63536, 100, 200],
        {"PixelPaddingValue:US": 63536, "PixelRepresentation": 1},
        [0, 0, 255],
        "padding 63536 in signed values: -2000",
    ),
    (
        [63536, 63540, 63600, 100, 200],
        {"PixelPaddingValue:SS": -2000, "PixelPaddingRangeLimit:SS": -1936},
        [0, 0, 0, 0, 255],
        "and the limit with it: 63600",
    ),
    ([9, 9], {"PixelPaddingValue": 9}, [0, 0], "nothing but padding"),
    (
        [0, 1, 2, 3, 9],
        {"VOILUTSequence": [{"LUTDescriptor": [3, 1, 8], "LUTData": bytes([0, 0, 51, 0, 255, 0])}]},
        [0, 0, 51, 255, 255],
        "VOI table: below its first input the first entry, above its last the last",
    ),
    (
        [0, 1, 2, 3],
        {
            "VOILUTSequence": [{"LUTDescriptor": [3, 65535, 8], "LUTData": bytes([0, 0, 51, 0, 255, 0])}],
            "RescaleSlope": 1,
            "RescaleIntercept": -2,
        },
        [0, 0, 51, 255],
        "VOI table from -1 on, written unsigned: the values coming in, -2 to 1, can be negative",
    ),
    (
        [2, 3, 4],
        {
            "VOILUTSequence": [{"LUTDescriptor": [5, 65534, 8], "LUTData": bytes([9, 0, 8, 0, 0, 0, 51, 0, 255, 0])}],
            "RescaleSlope": 1,
            "RescaleIntercept": -2,
        },
        [0, 51, 255],
        "VOI table from -2 on: negative values could occur, and do not",
    ),
    ([0, 1, 2], table(16, 0, 2048, 4095), [0, 128, 255], "VOI table of 12 bits stated as 16"),
    ([0, 1, 2], table(8, 0, 2048, 4095), [0, 128, 255], "VOI table of 12 bits stated as 8"),
    ([0, 1, 2], table(16, 0, 2048, 4094), [0, 8, 16], "VOI table that does not end at 2**k - 1: as stated, 4094 / 65535"),
    ([0, 1, 2], table(10, 0, 64, 127), [0, 16, 32], "no VOI table has entries of 7 bits: as stated, 127 / 1023"),
    (
        [0, 1, 2, 9],
        {"VOILUTSequence": [{"LUTDescriptor": [3, 0, 10], "LUTData": b"\x00\x00\xff\x01\xff\x03"}]},
        [0, 127, 255, 255],
        "VOI table of 10 bits: 511 / 1023 * 255 = 127.4",
    ),
    (
        [0, 1, 2],
        {"VOILUTSequence": [{"LUTDescriptor": [3, 0, 8], "LUTData": bytes([255, 0, 9, 0])}], "PresentationLUTShape": None},
        [255, 0, 9],
        "8-bit entries packed two in a word",
    ),
    (
        [0, 1, 2],
        {
            "ModalityLUTSequence": [{"LUTDescriptor": [3, 0, 16], "LUTData": b"\xe8\x03\x00\x00\xd0\x07"}],
            "WindowCenter": 1000.5,
            "WindowWidth": 2001,
        },
        [128, 0, 255],
        "modality table first (1000, 0, 2000), then the window",
    ),
]


@pytest.mark.parametrize("uid", [EXPLICIT, IMPLICIT])
@pytest.mark.parametrize(("stored", "tags", "expected", "reason"), LEVELS, ids=[row[3][:40] for row in LEVELS])
def test_gray_levels_are_those_of_the_standard(
    tmp_path: Path, uid: str, stored: list[int], tags: dict[str, Any], expected: list[int], reason: str
) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", cells_of(*stored), uid=uid, **tags))
    assert film.pixels[0].tolist() == expected, reason


def test_a_range_of_padding_that_unsigned_values_cannot_have_is_its_first_value(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"PixelPaddingValue:SS": -10, "PixelPaddingRangeLimit:SS": 50}
    film = read_image(dicom(tmp_path / "a.dcm", cells_of(65526, 0, 100, 200), **tags))
    assert film.pixels[0].tolist() == [0, 0, 128, 255]


def test_a_plain_file_with_a_window_has_no_notice(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"WindowCenter": 2048, "WindowWidth": 4096, "BitsStored": 12}
    assert read_image(dicom(tmp_path / "a.dcm", cells_of(0, 4095), **tags)).notices == []


@pytest.mark.parametrize("photometric", ["MONOCHROME1", "MONOCHROME2"])
def test_a_constant_image_is_one_gray_and_says_so(tmp_path: Path, photometric: str) -> None:
    cells = np.full((3, 4), 777, np.uint16)
    film = read_image(dicom(tmp_path / "a.dcm", cells, PhotometricInterpretation=photometric))
    assert np.unique(film.pixels).size == 1
    assert 0 < film.pixels[0, 0] < 255
    assert any("same value" in notice for notice in film.notices)


def test_one_pixel_is_shown(tmp_path: Path) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", cells_of(12)))
    assert film.pixels.shape == (1, 1)
