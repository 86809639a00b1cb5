"""A film that is decoded once and shown through many windows: what it promises, and how a window is asked for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.errors import RadHarmonyError, UnknownWindowError
from radharmony_core.images import DecodedFilm, Window, decode_image, read_image
from tests.images.make import chunk, dicom, exif, png, saved

CELLS = np.array([[0, 500, 1000, 2000]], np.uint16)
TWO: dict[str, Any] = {
    "WindowCenter": [500, 1000],
    "WindowWidth": [1000, 2000],
    "VOILUTFunction": "LINEAR_EXACT",
    "WindowCenterWidthExplanation": ["LUNG", "Bone"],
    "RescaleSlope": 2,
    "RescaleIntercept": -1000,
    "RescaleType": "HU",
}


@pytest.fixture
def film(tmp_path: Path) -> DecodedFilm:
    """Values -1000, 0, 1000, 3000 HU."""
    return decode_image(dicom(tmp_path / "film.dcm", CELLS, **TWO))


# window, expected gray levels, key in use, the reason
ASKED: list[tuple[str | Window, list[int], str, str]] = [
    ("default", [0, 0, 255, 255], "default", "the first window: 0 to 1000"),
    ("window1", [0, 0, 255, 255], "window1", "by number"),
    ("window2", [0, 0, 128, 255], "window2", "0 to 2000"),
    ("BONE", [0, 0, 128, 255], "window2", "by the file's own name, in any case"),
    ("lung", [0, 0, 255, 255], "window1", "a name is not the default, though the default has it too"),
    ("Full", [0, 64, 128, 255], "full", "-1000 to 3000: 63.75, 127.5"),
    (Window(1000, 4000, "LINEAR_EXACT"), [0, 64, 128, 255], "custom", "by hand, in HU"),
    (Window(500.5, 1001), [0, 0, 255, 255], "custom", "LINEAR: up to 0 black, from 1000 white"),
    (Window(0, 1), [0, 255, 255, 255], "custom", "LINEAR of width 1: up to -0.5 black"),
    (Window(0, 1000, "sigmoid"), [5, 128, 250, 255], "custom", "255 / (1 + e**4) = 4.6; 127.5; 250.4; 254.998"),
]


@pytest.mark.parametrize(("window", "expected", "key", "reason"), ASKED, ids=[row[3][:40] for row in ASKED])
def test_a_film_is_shown_through_the_window_asked_for(
    film: DecodedFilm, window: str | Window, expected: list[int], key: str, reason: str
) -> None:
    shown = film.show(window)
    assert shown.pixels[0].tolist() == expected, reason
    assert film.lut(window)[film.codes][0].tolist() == expected
    assert shown.window.key == key
    assert read_image(film.path, window).pixels.tolist() == shown.pixels.tolist()


# window, words of the message, the reason
REFUSED: list[tuple[str | Window, str, str]] = [
    ("brain", r"film.dcm has no window 'brain'.*window1 \(LUNG\), window2 \(Bone\), full", "what is offered is named"),
    ("", "no window ''", "an empty name"),
    ("custom", "no window 'custom'", "a window by hand has numbers"),
    (Window(0, 0), "width 0: a center", "no width"),
    (Window(0, 0.5), "at least 1 for LINEAR", "LINEAR below 1"),
    (Window(float("nan"), 10), "center none", "no center"),
    (Window(0, float("inf"), "SIGMOID"), "width inf", "no end"),
    (Window(0, 10, "CUBIC"), "LINEAR, LINEAR_EXACT, SIGMOID", "a function that is none"),
]


@pytest.mark.parametrize(("window", "words", "reason"), REFUSED, ids=[row[2] for row in REFUSED])
def test_a_window_that_is_not_there_is_refused_in_words(film: DecodedFilm, window: str | Window, words: str, reason: str) -> None:
    for ask in (film.show, film.lut):
        with pytest.raises(UnknownWindowError, match=words) as error:
            ask(window)
        assert isinstance(error.value, RadHarmonyError)
        assert isinstance(error.value, ValueError)


def test_a_film_knows_its_values(tmp_path: Path) -> None:
    tags: dict[str, Any] = {**TWO, "PixelPaddingValue": 2000, "PhotometricInterpretation": "MONOCHROME1"}
    film = decode_image(dicom(tmp_path / "film.dcm", CELLS, **tags))
    assert film.codes.tolist() == CELLS.tolist()
    assert film.units[[0, 500, 65535]].tolist() == [-1000.0, 0.0, 130070.0]
    assert np.flatnonzero(film.is_present).tolist() == [0, 500, 1000, 2000]
    assert np.flatnonzero(film.is_padding).tolist() == [2000]
    assert (film.is_inverted, film.unit, film.source, film.size, film.orientation) == (True, "HU", "dicom", (4, 1), 1)
    assert [preset.key for preset in film.presets] == ["default", "window1", "window2", "full", "auto", "mimic_cxr_jpg"]
    assert [preset.words for preset in film.presets[:4]] == ["LUNG", "LUNG", "Bone", "Full value range"]


@pytest.mark.parametrize("unit", ["US", "UNSPECIFIED", None])
def test_an_unspecified_unit_is_none(tmp_path: Path, unit: str | None) -> None:
    assert decode_image(dicom(tmp_path / "a.dcm", CELLS, RescaleSlope=1, RescaleIntercept=0, RescaleType=unit)).unit == ""


def test_a_film_cannot_be_changed(film: DecodedFilm) -> None:
    for table in (film.codes, film.units, film.is_present, film.is_padding, film.show().pixels, film.lut("mimic_cxr_jpg")):
        assert table.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            table.reshape(-1)[0] = 0
    film.lut()[:] = 7
    assert film.show().pixels[0].tolist() == [0, 0, 255, 255]


def test_a_turned_picture_is_upright_and_knows_how_it_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(2, 1, b"\0\x05\x06", more=chunk(b"eXIf", exif(6))))
    film = decode_image(path)
    for one in (film, film.show()):
        assert (one.size, one.stored_size, one.orientation) == ((1, 2), (2, 1), 6)
    assert film.codes.tolist() == [[5], [6]]
    assert film.units.tolist() == list(range(256))


def test_a_gray_picture_is_shown_as_stored_unless_asked(tmp_path: Path) -> None:
    film = decode_image(saved(tmp_path / "a", np.array([[10, 60, 110]], np.uint8), "PNG"))
    assert [preset.key for preset in film.presets] == ["default", "full", "auto"]
    assert film.show().pixels[0].tolist() == [10, 60, 110]
    assert film.show("full").pixels[0].tolist() == [0, 128, 255]
    assert film.show(invert=True).pixels[0].tolist() == [245, 195, 145]
    assert film.lut().tolist() == list(range(256))


def test_one_film_serves_many_threads(film: DecodedFilm) -> None:
    windows: list[str | Window] = ["default", "window2", "full", "auto", "mimic_cxr_jpg", Window(0, 50)]
    alone = [film.show(window, local_contrast=True).pixels.tobytes() for window in windows]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda window: film.show(window, local_contrast=True).pixels.tobytes(), windows * 20))
    assert together == alone * 20
