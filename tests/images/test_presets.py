"""The presets of a film: the file's own windows and tables, the value range, the percentiles, and what is said of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.errors import UnknownWindowError
from radharmony_core.images import Preset, Window, decode_image
from tests.images.make import dicom, saved

RAMP = np.arange(1001, dtype=np.uint16).reshape(7, 143)
TABLE = {"LUTDescriptor": [3, 0, 8], "LUTData": bytes([0, 0, 51, 0, 255, 0]), "LUTExplanation": "HARDER"}

# cells, tags, key, center and width, the reason
NUMBERS: list[tuple[np.ndarray[Any, Any], dict[str, Any], str, tuple[float, float], str]] = [
    (RAMP, {}, "full", (500.0, 1000.0), "0 to 1000"),
    (RAMP, {}, "auto", (500.0, 990.0), "5 to 995: the places 0.005 x 1000 and 0.995 x 1000 of 0..1000"),
    (RAMP, {}, "default", (500.0, 1000.0), "no window: the value range"),
    (RAMP, {"RescaleSlope": -2, "RescaleIntercept": 7}, "full", (-993.0, 2000.0), "-1993 to 7"),
    (RAMP, {"RescaleSlope": -2, "RescaleIntercept": 7}, "auto", (-993.0, 1980.0), "-1983 to -3"),
    (RAMP, {"PixelPaddingValue": 500, "PixelPaddingRangeLimit": 1000}, "full", (249.5, 499.0), "0 to 499 without padding"),
    (RAMP, {"PixelPaddingValue": 100, "PixelPaddingRangeLimit": 1000}, "auto", (49.5, 98.01), "0.495 to 98.505 of 0..99"),
    (np.array([[1, 2, 2, 3]], np.uint16), {}, "auto", (2.0, 1.97), "places 0.015 and 2.985 of 1 2 2 3: 1.015 and 2.985"),
    (np.array([[0] * 999 + [9]], np.uint16), {}, "auto", (4.5, 9.0), "percentiles that are one value: the range instead"),
    (np.array([[8, 8]], np.uint16), {}, "auto", (8.0, 1.0), "one value: the middle gray of a window of 1"),
    (RAMP, {"WindowCenter": 40, "WindowWidth": 400}, "window1", (40.0, 400.0), "the file's own"),
    (RAMP, {"WindowCenter": [1, 2, 3], "WindowWidth": [0, 20, 30]}, "window3", (3.0, 30.0), "numbered as in the file"),
]


@pytest.mark.parametrize(("cells", "tags", "key", "numbers", "reason"), NUMBERS, ids=[row[4] for row in NUMBERS])
def test_a_preset_has_its_numbers_and_they_give_the_same_table(
    tmp_path: Path, cells: np.ndarray[Any, Any], tags: dict[str, Any], key: str, numbers: tuple[float, float], reason: str
) -> None:
    film = decode_image(dicom(tmp_path / "a.dcm", cells, **tags))
    preset = next(preset for preset in film.presets if preset.key == key)
    assert (preset.center, preset.width) == pytest.approx(numbers, rel=1e-12), reason
    assert preset.center is not None
    assert preset.width is not None
    by_hand = Window(preset.center, preset.width, preset.function)
    assert film.lut(by_hand).tolist() == film.lut(key).tolist()
    assert film.show(key).window == preset


def test_every_preset_that_is_a_window_can_be_set_by_hand(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    for number in range(20):
        tags: dict[str, Any] = {
            "RescaleSlope": float(rng.choice([-3, 0.001, 0.7, 1e-9])),
            "RescaleIntercept": float(rng.choice([0, -1024, 1e6])),
            "WindowCenter": [float(rng.integers(-99, 99)), 0.5],
            "WindowWidth": [float(rng.integers(1, 999)), 2.25],
            "VOILUTFunction": str(rng.choice(["LINEAR", "LINEAR_EXACT", "SIGMOID"])),
            "VOILUTSequence": [TABLE] if number % 2 else None,
        }
        film = decode_image(dicom(tmp_path / "a.dcm", rng.integers(0, 4096, (9, 9)).astype(np.uint16), **tags))
        for preset in film.presets:
            if preset.center is not None and preset.width is not None:
                by_hand = Window(preset.center, preset.width, preset.function)
                assert film.lut(by_hand).tolist() == film.lut(preset.key).tolist(), (tags, preset)


def test_numbers_that_were_not_applied_have_no_unit(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"RescaleSlope": 1, "RescaleIntercept": 1e20, "RescaleType": "HU"}
    film = decode_image(dicom(tmp_path / "a.dcm", RAMP, **tags))
    assert (film.unit, film.units[1000]) == ("", 1000)


def test_tables_are_offered_by_number_and_name(tmp_path: Path) -> None:
    tables = [TABLE, {"LUTDescriptor": [2, 0, 99]}, {"LUTDescriptor": [2, 0, 8], "LUTData": b"\xff\0\0\0"}]
    tags: dict[str, Any] = {"VOILUTSequence": tables, "WindowCenter": 1, "WindowWidth": 2}
    film = decode_image(dicom(tmp_path / "a.dcm", np.array([[0, 1, 2]], np.uint16), **tags))
    assert [preset.key for preset in film.presets[:4]] == ["default", "window1", "table1", "table3"]
    assert film.presets[2] == Preset("table1", "HARDER", None, None, "")
    for window, expected in (
        ("default", [0, 51, 255]),
        ("harder", [0, 51, 255]),
        ("table3", [255, 0, 0]),
        ("window1", [0, 255, 255]),
    ):
        assert film.show(window).pixels[0].tolist() == expected, window


# tags, window, what is said of it, the reason
SAID: list[tuple[dict[str, Any], str, list[str], str]] = [
    (
        {"WindowCenter": [500, 9], "WindowWidth": [900, 8]},
        "default",
        ["The file has 2 windows; the first (center 500"],
        "a choice",
    ),
    ({"WindowCenter": [500, 9], "WindowWidth": [900, 8]}, "window1", [], "the reader's own choice"),
    ({"WindowCenter": [500, 9], "WindowWidth": [900, 8]}, "full", [], "the range, asked for"),
    ({}, "default", ["No window of the file is used: its full value range, 0 to 1000"], "no window"),
    ({}, "full", [], "no window, and the range asked for"),
    ({"WindowCenter": 5, "WindowWidth": 0}, "auto", [], "an unusable window is not missed"),
    (
        {"WindowCenter": 9000, "WindowWidth": 5},
        "window1",
        ["(Window 1) makes every pixel of this image the same gray"],
        "nothing seen",
    ),
    ({"WindowCenter": 500, "WindowWidth": 900, "BitsStored": None}, "window1", ["BitsStored is missing"], "of reading, always"),
    ({"PixelPaddingValue": 7}, "auto", ["Pixels with the padding value 7"], "padding, always"),
    ({"PixelPaddingValue": 7}, "mimic_cxr_jpg", [], "but for the look that has no padding rule"),
    ({"PresentationLUTShape": "INVERSE"}, "full", ["contradict each other"], "a contradiction"),
    ({"RescaleSlope": 0}, "full", ["RescaleSlope is 0"], "a slope that erases everything"),
    ({"RescaleIntercept": 1e20}, "full", ["can no longer be told apart"], "an intercept that does"),
]


@pytest.mark.parametrize(("tags", "window", "said", "reason"), SAID, ids=[f"{row[1]} {row[3]}" for row in SAID])
def test_what_was_chosen_is_said_of_the_default_and_what_was_guessed_always(
    tmp_path: Path, tags: dict[str, Any], window: str, said: list[str], reason: str
) -> None:
    notices = decode_image(dicom(tmp_path / "a.dcm", RAMP, **tags)).show(window).notices
    assert len(notices) == len(said), notices
    assert all(words in notice for words, notice in zip(said, notices, strict=True)), notices


def test_a_deep_picture_says_its_range_only_where_it_is_the_default(tmp_path: Path) -> None:
    film = decode_image(saved(tmp_path / "a", RAMP, "PNG"))
    assert film.show().notices == ["The values run from 0 to 1000; this range is spread over the gray levels."]
    assert film.show("auto").notices == []


def test_padding_is_black_through_every_window_and_turned(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"PixelPaddingValue": 1000, "WindowCenter": 500, "WindowWidth": 900}
    for photometric in ("MONOCHROME1", "MONOCHROME2"):
        film = decode_image(dicom(tmp_path / "a.dcm", RAMP, PhotometricInterpretation=photometric, **tags))
        for window in ("default", "full", "auto", Window(0, 5)):
            for invert in (False, True):
                for local_contrast in (False, True):
                    assert film.show(window, invert=invert, local_contrast=local_contrast).pixels[-1, -1] == 0


# names of the file's windows 1 and 2, what is asked for, the key it is shown as, the reason
NAMES: list[tuple[list[str], str, str, str]] = [
    (["AUTO", "FULL"], "AUTO", "window1", "a name of the file as it is written"),
    (["AUTO", "FULL"], "Full", "window2", "and in another case"),
    (["AUTO", "FULL"], "auto", "auto", "a key as it is written"),
    (["auto", "FULL"], "auto", "auto", "also where the file has the same name"),
    (["SOFT", "HARD"], "AUTO", "auto", "a key in another case, where the file has no such name"),
    (["SOFT", "HARD"], "Default", "default", "the default in another case"),
    (["NORMAL", "normal"], "Normal", "window1", "the first of two of one name"),
    (["NORMAL", "normal"], "normal (2)", "window2", "the second"),
]


@pytest.mark.parametrize(("names", "asked", "key", "reason"), NAMES, ids=[row[3] for row in NAMES])
def test_a_window_is_had_by_its_name(tmp_path: Path, names: list[str], asked: str, key: str, reason: str) -> None:
    tags: dict[str, Any] = {"WindowCenter": [300, 700], "WindowWidth": [50, 90], "WindowCenterWidthExplanation": names}
    assert decode_image(dicom(tmp_path / "a.dcm", RAMP, **tags)).show(asked).window.key == key, reason


@pytest.mark.parametrize("window", [None, 3, b"auto", "none"])
def test_what_is_no_window_is_refused_with_what_there_is(tmp_path: Path, window: Any) -> None:
    with pytest.raises(UnknownWindowError, match=r"can be shown as: default .*, full "):
        decode_image(dicom(tmp_path / "a.dcm", RAMP)).show(window)
