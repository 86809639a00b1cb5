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


def table(bits: int, *entries: int) -> dict[str, Any]:
    item = {"LUTDescriptor": [len(entries), 0, bits], "LUTData": np.array(entries, "<u2").tobytes()}
    return {"VOILUTSequence": [item]}


# tags, a word of the notice, the reason; the stored values are 0, 1000, 2000
UNUSABLE: list[tuple[dict[str, Any], str, str]] = [
    ({}, "No window", "a file without a window"),
    ({"WindowCenter": 1000, "WindowWidth": 0}, "width 0", "no width"),
    ({"WindowCenter": 1000, "WindowWidth": -7}, "width -7", "a negative width"),
    ({"WindowCenter": 1000, "WindowWidth": 0.5}, "a width of at least 1 are needed", "LINEAR needs at least 1"),
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
    ({"VOILUTSequence": [{"WindowCenter": 5, "WindowWidth": 9}]}, "a window where a VOI lookup table", "a window in its item"),
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
    (table(16, 0, 4095), "entries of 16 bits, and they go up to 4095; it was read as one of 12", "more bits than there are"),
    (table(8, 0, 4095), "entries of 8 bits, and they go up to 4095; it was read as one of 12", "fewer bits than there are"),
    (table(16, 0, 4000), "go up to 4000; it was applied as stated, so the picture is nearly black", "a dark table"),
    ({"PresentationIntentType": "FOR PROCESSING"}, "marked FOR PROCESSING", "not for eyes"),
    ({"NominalScannedPixelSpacing": [0.1, 0.2]}, "not square (NominalScannedPixelSpacing 0.1 down", "a film that was scanned"),
]


@pytest.mark.parametrize(("tags", "words", "reason"), CHOICES, ids=[row[2] for row in CHOICES])
def test_a_choice_is_a_notice(tmp_path: Path, tags: dict[str, Any], words: str, reason: str) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", cells_of(0, 1000, 2000), **tags))
    assert any(words in notice for notice in film.notices), (reason, film.notices)


@pytest.mark.parametrize(
    "tags",
    [
        table(12, 0, 4095),
        table(12, 0, 3000),
        {"WindowCenter": b"1000\\", "WindowWidth": b"2000"},
        {"WindowCenter": b"1000\\", "WindowWidth": b"2000\\ "},
        {"WindowCenter": 1000, "WindowWidth": 2000, "PresentationIntentType": "FOR PRESENTATION"},
        {"WindowCenter": 1000, "WindowWidth": 2000, "NominalScannedPixelSpacing": [0.2, 0.2]},
    ],
)
def test_where_nothing_was_chosen_nothing_is_said(tmp_path: Path, tags: dict[str, Any]) -> None:
    assert read_image(dicom(tmp_path / "a.dcm", cells_of(0, 1000, 2000), **tags)).notices == []
