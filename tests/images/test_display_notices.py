"""What the display pipeline says: what could not be used, and which of several was chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.images import read_image
from tests.images.make import dicom


def cells_of(*values: int) -> np.ndarray[Any, Any]:
    return np.array([values], np.uint16)


# tags, a word of the notice, the reason; the stored values are 0, 1000, 2000
UNUSABLE: list[tuple[dict[str, Any], str, str]] = [
    ({}, "No window", "a file without a window"),
    ({"WindowCenter": 1000, "WindowWidth": 0}, "width 0", "no width"),
    ({"WindowCenter": 1000, "WindowWidth": -7}, "width -7", "a negative width"),
    ({"WindowCenter": 1000, "WindowWidth": 0.5}, "width 0.5", "LINEAR needs at least 1"),
    ({"WindowCenter": 1000}, "width none", "a center alone"),
    ({"WindowWidth": 1000}, "center none", "a width alone"),
    ({"WindowCenter": b"", "WindowWidth": b""}, "No window", "both empty"),
    ({"WindowCenter": b"abc ", "WindowWidth": b"100 "}, "center none", "a center that is a word"),
    ({"WindowCenter": b"nan ", "WindowWidth": b"inf "}, "center none", "numbers that are none"),
    ({"WindowCenter": 90000, "WindowWidth": 100}, "same gray", "a window beyond every pixel"),
    (
        {"VOILUTSequence": [{"LUTDescriptor": [3, 0, 8], "LUTData": b"\x01\x00"}]},
        "VOI lookup table",
        "a table with fewer entries than it says",
    ),
    ({"VOILUTSequence": [{"LUTDescriptor": [3, 0, 8]}]}, "VOI lookup table", "a table without entries"),
    ({"VOILUTSequence": [{"LUTData": b"\x01\x00"}]}, "VOI lookup table", "entries without a description"),
    ({"ModalityLUTSequence": [{"LUTDescriptor": [3, 0, 99]}]}, "modality lookup table", "a depth of 99 bits"),
    ({"RescaleSlope": 0, "RescaleIntercept": 3}, "RescaleSlope is 0", "a slope that erases everything"),
    ({"RescaleSlope": b"x ", "RescaleIntercept": 3}, "RescaleSlope is not a number", "a slope that is a word"),
    (
        {"PresentationLUTShape": "INVERSE", "WindowCenter": 1000.5, "WindowWidth": 2001},
        "contradict",
        "MONOCHROME2 and INVERSE",
    ),
    (
        {"VOILUTFunction": "CUBIC", "WindowCenter": 1000.5, "WindowWidth": 2001},
        "CUBIC",
        "a function that is not in the standard",
    ),
]


@pytest.mark.parametrize(("tags", "words", "reason"), UNUSABLE, ids=[row[2] for row in UNUSABLE])
def test_what_cannot_be_used_gives_the_full_range_and_a_notice(
    tmp_path: Path, tags: dict[str, Any], words: str, reason: str
) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", cells_of(0, 1000, 2000), **tags))
    turned = [255, 128, 0] if reason == "MONOCHROME2 and INVERSE" else [0, 128, 255]
    assert film.pixels[0].tolist() == turned
    assert any(words in notice for notice in film.notices), film.notices


# tags, a word of the notice, the reason
CHOICES: list[tuple[dict[str, Any], str, str]] = [
    (
        {"WindowCenter": [1000, 500], "WindowWidth": [2000, 900], "WindowCenterWidthExplanation": ["SOFT", "HARD"]},
        "2 windows; the first (center 1000, width 2000, SOFT)",
        "the first window is named",
    ),
    (
        {
            "WindowCenter": 1000,
            "WindowWidth": 2000,
            "VOILUTSequence": [{"LUTDescriptor": [2, 0, 8], "LUTData": b"\x00\x00\xff\x00"}],
        },
        "a VOI lookup table and a window; the table is shown",
        "both are there",
    ),
    (
        {"VOILUTSequence": [{"LUTDescriptor": [2, 0, 8], "LUTData": b"\x00\x00\xff\x00"}] * 2},
        "2 VOI lookup tables; the first",
        "two tables",
    ),
    ({"PixelPaddingValue": 2000}, "padding value 2000", "padding is named"),
]


@pytest.mark.parametrize(("tags", "words", "reason"), CHOICES, ids=[row[2] for row in CHOICES])
def test_a_choice_is_a_notice(tmp_path: Path, tags: dict[str, Any], words: str, reason: str) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", cells_of(0, 1000, 2000), **tags))
    assert any(words in notice for notice in film.notices), (reason, film.notices)
