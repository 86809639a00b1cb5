"""Numbers at the ends of what a header can say: no warning (they are errors here), no NaN, and the picture if there is one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.images import Window, decode_image
from tests.images.make import dicom

# cells, tags, expected gray levels by default, the reason
ENDS: list[tuple[np.ndarray[Any, Any], dict[str, Any], list[int], str]] = [
    (np.array([[0, 1]], np.uint8), {"BitsStored": 1}, [0, 255], "1 bit stored"),
    (np.array([[0, 1]], np.uint8), {"BitsStored": 1, "PixelRepresentation": 1}, [255, 0], "1 bit, signed: 0 and -1"),
    (np.array([[0x00, 0x80]], np.uint8), {"BitsStored": 1, "HighBit": 7}, [0, 255], "1 bit, the highest"),
    (np.array([[0, 2**31, 2**32 - 1]], np.uint32), {}, [0, 128, 255], "32 bits stored"),
    (np.array([[-(2**31), 0, 2**31 - 1]], np.int32), {}, [0, 128, 255], "32 bits, signed"),
    (np.array([[0, 1]], np.uint32), {"BitsStored": 1, "HighBit": 31}, [128, 128], "32 bits, and only the highest counts"),
    (np.array([[0, 500, 1000]], np.uint16), {"RescaleSlope": 1e-9, "RescaleIntercept": 0}, [0, 128, 255], "a slope of 1e-9"),
    (np.array([[0, 500, 1000]], np.uint16), {"RescaleSlope": 1e30, "RescaleIntercept": 0}, [0, 128, 255], "a slope of 1e30"),
    (np.array([[0, 500, 1000]], np.uint16), {"RescaleSlope": 1e308, "RescaleIntercept": 0}, [0, 128, 255], "beyond float64"),
    (
        np.array([[0, 500, 1000]], np.uint16),
        {"RescaleSlope": -1e299, "RescaleIntercept": -1e299},
        [0, 128, 255],
        "as far, turned",
    ),
    (np.array([[0, 500, 1000]], np.uint16), {"RescaleIntercept": 1e20}, [0, 128, 255], "an intercept that swallows the values"),
    (np.array([[0, 500, 1000]], np.uint16), {"RescaleIntercept": -1.7e308}, [0, 128, 255], "and one at the end"),
    (np.array([[0, 500, 1000]], np.uint16), {"RescaleSlope": 1e-320, "RescaleIntercept": 0}, [0, 128, 255], "a slope next to 0"),
    (
        np.array([[0, 500, 1000]], np.uint16),
        {"WindowCenter": 500, "WindowWidth": 1e-6, "VOILUTFunction": "LINEAR_EXACT"},
        [0, 128, 255],
        "a width of a millionth",
    ),
    (
        np.array([[0, 500, 1000]], np.uint16),
        {"WindowCenter": 500, "WindowWidth": 1e-300, "VOILUTFunction": "SIGMOID", "RescaleSlope": 1e290, "RescaleIntercept": 0},
        [0, 255, 255],
        "a quotient beyond float64 on either side",
    ),
    (
        np.array([[0, 500, 1000]], np.uint16),
        {"WindowCenter": 500, "WindowWidth": 1e299, "VOILUTFunction": "LINEAR_EXACT"},
        [0, 128, 255],
        "a width in which all is one gray is passed over",
    ),
    (np.array([[0, 500, 1000]], np.uint16), {"WindowCenter": 1e305, "WindowWidth": 1e305}, [0, 128, 255], "a center nowhere"),
    (
        np.array([[0, 500, 1000]], np.uint16),
        {"WindowCenter": 500.5, "WindowWidth": 1.0000001},
        [0, 128, 255],
        "hardly above 1: 500 is the middle",
    ),
    (np.array([[700]], np.uint16), {}, [128], "one pixel"),
    (np.array([[700]], np.uint16), {"WindowCenter": 700, "WindowWidth": 1}, [255], "one pixel and its window"),
    (np.array([[700]], np.uint16), {"PixelPaddingValue": 700}, [0], "one pixel, and it is padding"),
    (np.array([[700, 700]], np.uint16), {"PhotometricInterpretation": "MONOCHROME1"}, [128, 128], "one value, turned"),
    (np.array([[65535, 65535]], np.uint16), {"RescaleIntercept": -1e15}, [128, 128], "one value far away"),
]


@pytest.mark.parametrize(("cells", "tags", "expected", "reason"), ENDS, ids=[row[3] for row in ENDS])
def test_numbers_at_the_ends(
    tmp_path: Path, cells: np.ndarray[Any, Any], tags: dict[str, Any], expected: list[int], reason: str
) -> None:
    film = decode_image(dicom(tmp_path / "a.dcm", cells, **tags))
    assert film.show().pixels[0].tolist() == expected, (reason, film.show().notices)
    assert np.isfinite(film.units).all()
    windows: list[str | Window] = [preset.key for preset in film.presets]
    for function in ("LINEAR", "LINEAR_EXACT", "SIGMOID"):
        windows += [Window(center, width, function) for center in (0, -9e299, 9e299, 1e-300) for width in (1, 1.5, 1e9, 9e299)]
    for window in windows:
        for local_contrast in (False, True):
            shown = film.show(window, invert=True, local_contrast=local_contrast)
            assert all(np.isfinite(list(step.numbers.values())).all() for step in shown.ledger)
            assert all("nan" not in notice and "inf" not in notice for notice in shown.notices)


def test_rows_of_more_pixels_than_a_strip(tmp_path: Path) -> None:
    cells = np.zeros((2, 300_000), np.int32)
    cells[1, -1] = 10**6
    film = decode_image(dicom(tmp_path / "a.dcm", cells, Columns=60_000, Rows=10))
    assert np.count_nonzero(film.show().pixels) == 1
    assert film.show().pixels[-1, -1] == 255
