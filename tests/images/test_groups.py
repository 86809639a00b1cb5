"""DICOM files of other builds: functional groups, a lost preamble, cells that are wider than said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.errors import ImageError
from radharmony_core.images import decode_image, read_header, read_image
from tests.images.make import BIG_ENDIAN, DEFLATED, EXPLICIT, IMPLICIT, dicom

CELLS = np.array([[0, 1000, 2000, 4000]], np.uint16)
RESCALE: dict[str, Any] = {
    "PixelValueTransformationSequence": [{"RescaleSlope": 2, "RescaleIntercept": -100, "RescaleType": "HU"}]
}
WINDOW: dict[str, Any] = {
    "FrameVOILUTSequence": [{"WindowCenter": 1900.5, "WindowWidth": 4001, "WindowCenterWidthExplanation": "SOFT"}]
}
OTHER: dict[str, Any] = {"FrameVOILUTSequence": [{"WindowCenter": 1, "WindowWidth": 2}]}
SHARED, PER_FRAME = "SharedFunctionalGroupsSequence", "PerFrameFunctionalGroupsSequence"

# tags, unit, name of the first preset, gray levels, the reason. 2 x - 100 is -100, 1900, 3900, 7900; the window -100 to 3900.
GROUPS: list[tuple[dict[str, Any], str, str, list[int], str]] = [
    ({SHARED: [RESCALE | WINDOW]}, "HU", "SOFT", [0, 128, 255, 255], "both for all frames"),
    ({PER_FRAME: [RESCALE | WINDOW, OTHER]}, "HU", "SOFT", [0, 128, 255, 255], "both for the first frame"),
    ({SHARED: [RESCALE], PER_FRAME: [WINDOW, OTHER]}, "HU", "SOFT", [0, 128, 255, 255], "one each"),
    (
        {SHARED: [WINDOW], "RescaleSlope": 1, "RescaleIntercept": -100, "WindowCenter": 900.5, "WindowWidth": 2001},
        "",
        "Window 1",
        [0, 128, 255, 255],
        "the data set's own come first",
    ),
    ({SHARED: [], PER_FRAME: [{}]}, "", "Full value range", [0, 64, 128, 255], "groups without anything"),
    ({SHARED: [{"FrameVOILUTSequence": []}]}, "", "Full value range", [0, 64, 128, 255], "a group without an item"),
]


@pytest.mark.parametrize("uid", [EXPLICIT, IMPLICIT, BIG_ENDIAN, DEFLATED])
@pytest.mark.parametrize(("tags", "unit", "words", "expected", "reason"), GROUPS, ids=[row[4] for row in GROUPS])
def test_functional_groups_are_applied(
    tmp_path: Path, uid: str, tags: dict[str, Any], unit: str, words: str, expected: list[int], reason: str
) -> None:
    film = decode_image(dicom(tmp_path / "a.dcm", CELLS, uid=uid, **tags))
    assert (film.unit, film.presets[0].words) == (unit, words), reason
    assert film.show().pixels[0].tolist() == expected, reason


def test_thousands_of_frames_cost_no_more_than_the_first(tmp_path: Path) -> None:
    tags: dict[str, Any] = {PER_FRAME: [RESCALE | WINDOW, *[OTHER] * 5000]}
    film = read_image(dicom(tmp_path / "a.dcm", CELLS, **tags))
    assert film.pixels[0].tolist() == [0, 128, 255, 255]


def test_groups_that_cannot_be_read_are_a_notice(tmp_path: Path) -> None:
    tags: dict[str, Any] = {SHARED: b"\xfe\xff\x00\xe0\xff"}
    film = read_image(dicom(tmp_path / "a.dcm", CELLS, **tags))
    assert film.pixels[0].tolist() == [0, 64, 128, 255]
    assert any("functional groups that cannot be read" in notice for notice in film.notices)


@pytest.mark.parametrize("uid", [EXPLICIT, IMPLICIT, BIG_ENDIAN, DEFLATED])
def test_a_file_that_lost_its_first_128_bytes_is_read(tmp_path: Path, uid: str) -> None:
    path = dicom(tmp_path / "a.dcm", CELLS, uid=uid, WindowCenter=1000.5, WindowWidth=2001)
    path.write_bytes(path.read_bytes()[128:])
    film = read_image(path)
    assert film.pixels[0].tolist() == [0, 128, 255, 255]
    assert film.notices == ["The 128 bytes that begin a DICOM file are missing; it was read without them."]
    assert read_header(path).width == 4


@pytest.mark.parametrize("read", [read_image, read_header])
def test_cells_of_16_bits_that_are_said_to_have_8_are_refused(tmp_path: Path, read: Any) -> None:
    cells = np.zeros((4, 6), np.uint8)
    with pytest.raises(ImageError, match=r"BitsAllocated 8 asks for 24 bytes.*Export"):
        read(dicom(tmp_path / "a.dcm", cells, pixels=bytes(48)))
    assert read_header(dicom(tmp_path / "a.dcm", cells, pixels=bytes(50))).height == 4
    assert read_header(dicom(tmp_path / "a.dcm", cells[:1, :1], pixels=bytes(2))).height == 1
