"""The ledger: every step from the file to the screen, in order, with numbers that do it again."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.images import FilmImage, Step, decode_image, read_image
from tests.images.make import BIG_ENDIAN, DEFLATED, EXPLICIT, chunk, dicom, exif, png, saved

CELLS = np.random.default_rng(4).integers(0, 4096, (12, 10)).astype(np.uint16)
CELLS[0, :6] = 4000


def numbers(film: FilmImage, name: str) -> dict[str, float]:
    (step,) = (step for step in film.ledger if step.name == name)
    return step.numbers


def done_again(film: FilmImage, cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The gray levels from the cells in the file and nothing but the ledger's numbers."""
    stored, modality, voi = numbers(film, "Stored values"), numbers(film, "Modality"), numbers(film, "VOI window")
    bits, shift = int(stored["bits"]), int(stored["high_bit"]) + 1 - int(stored["bits"])
    values = (cells.astype(np.int64) >> shift) % 2**bits
    if stored["is_signed"]:
        values = np.where(values >= 2 ** (bits - 1), values - 2**bits, values)
    x = values * modality["slope"] + modality["intercept"]
    words = next(step.words for step in film.ledger if step.name == "VOI window")
    if "SIGMOID" in words:
        level = 255 / (1 + np.exp(-4 * (x - voi["center"]) / voi["width"]))
    elif "LINEAR_EXACT" in words:
        level = ((x - voi["center"]) / voi["width"] + 0.5) * 255
    else:
        level = ((x - (voi["center"] - 0.5)) / (voi["width"] - 1) + 0.5) * 255
    level = np.clip(level, 0, 255)
    level = 255 - level if numbers(film, "Polarity")["is_inverted"] else level
    gray = np.floor(level + 0.5)
    if any(step.name == "Invert" for step in film.ledger):
        gray = 255 - gray
    padding = numbers(film, "Padding")
    return np.where((values >= padding["low"]) & (values <= padding["high"]), 0, gray)


GRID = itertools.product(
    [("LINEAR", 0), ("LINEAR_EXACT", 0), ("SIGMOID", 1), ("LINEAR", 1)],
    [{}, {"BitsStored": 12, "HighBit": 13}, {"BitsStored": 12, "PixelRepresentation": 1}],
    [1, -0.37],
    ["MONOCHROME1", "MONOCHROME2"],
    ["default", "full", "auto"],
)


def test_the_numbers_of_the_ledger_give_the_pixels(tmp_path: Path) -> None:
    for (function, which), bits, slope, photometric, window in GRID:
        tags: dict[str, Any] = {
            "WindowCenter": [1500, 900][which:],
            "WindowWidth": [2100, 3000][which:],
            "VOILUTFunction": function,
            "RescaleSlope": slope,
            "RescaleIntercept": 12,
            "PhotometricInterpretation": photometric,
            "PixelPaddingValue:SS": 100,
            "PixelPaddingRangeLimit:SS": 300,
            **bits,
        }
        film = read_image(dicom(tmp_path / "a.dcm", CELLS, **tags), window, invert=bool(which))
        off = np.abs(film.pixels - done_again(film, CELLS))
        # One of a half that was rounded the other way is the most that other arithmetic may differ by.
        assert off.max() <= 1, (function, bits, slope, photometric, window)
        assert (off > 0).mean() < 0.02


def test_the_steps_stand_in_the_order_done(tmp_path: Path) -> None:
    tags: dict[str, Any] = {
        "WindowCenter": [2048, 9],
        "WindowWidth": [4096, 9],
        "WindowCenterWidthExplanation": ["NORMAL", "HARDER"],
        "RescaleSlope": 2,
        "RescaleIntercept": -1000,
        "RescaleType": "HU",
        "PhotometricInterpretation": "MONOCHROME1",
        "PixelPaddingValue": 4000,
        "BitsStored": 12,
        "LossyImageCompression": "01",
        "LossyImageCompressionRatio": 10.5,
        "NumberOfFrames": 2,
    }
    path = dicom(tmp_path / "a.dcm", CELLS, pixels=CELLS.tobytes() * 2, **tags)
    pixels = int((CELLS == 4000).sum())
    low, high = float(CELLS.min()), float(CELLS.max())
    assert read_image(path, invert=True, local_contrast=True).ledger == (
        Step(
            "Decoding",
            f"DICOM, Explicit VR Little Endian ({EXPLICIT}), 10 x 12 pixels, 16 bits allocated",
            {"width": 10, "height": 12, "bits": 16, "samples": 1},
            "PS3.5 8",
        ),
        Step("Lossy compression", "The picture was compressed with loss before (10.5:1)", {"ratio": 10.5}, "PS3.3 C.7.6.1.1.5"),
        Step("Frames", "The first of 2", {"which": 1, "of": 2}, "PS3.3 C.7.6.6"),
        Step(
            "Stored values",
            f"12 of 16 bits, high bit 11, unsigned: {low:g} to {high:g} occur",
            {"bits": 12, "high_bit": 11, "is_signed": 0, "low": low, "high": high},
            "PS3.3 C.7.6.3",
        ),
        Step("Modality", "Stored value x 2 - 1000, in HU", {"slope": 2, "intercept": -1000}, "PS3.3 C.11.1.1.2"),
        Step(
            "Padding",
            f"Padding value 4000: {pixels} pixels ({pixels / 120:.1%}), left out of the value range and black",
            {"low": 4000, "high": 4000, "pixels": pixels, "share": pixels / 120},
            "PS3.3 C.7.5.1.1.2",
        ),
        Step(
            "VOI window",
            "NORMAL: LINEAR, center 2048, width 4096 (1 of 2)",
            {"center": 2048, "width": 4096, "which": 1, "of": 2},
            "PS3.3 C.11.2.1.2.1",
        ),
        Step(
            "Polarity",
            "MONOCHROME1: low values are white, 255 less each gray level",
            {"is_inverted": 1},
            "PS3.3 C.7.6.3.1.2",
        ),
        Step("Invert", "Gray levels turned, asked for by hand: 255 less each"),
        Step("Local contrast", "CLAHE, clip limit 2, 8 x 8 tiles", {"clip_limit": 2, "tiles": 8}),
    )


# tags, window, the names of the steps behind the decoding, the reason
NAMES: list[tuple[dict[str, Any], str, list[str], str]] = [
    ({}, "default", ["Stored values", "Modality", "VOI window", "Polarity"], "the least"),
    ({}, "mimic_cxr_jpg", ["Stored values", "MIMIC-CXR-JPG look"], "the look: no modality, no polarity step"),
    ({"PixelPaddingValue": 1}, "mimic_cxr_jpg", ["Stored values", "MIMIC-CXR-JPG look"], "and no padding"),
    (
        {"PixelPaddingValue": 1},
        "full",
        ["Stored values", "Modality", "Padding", "VOI window", "Polarity"],
        "padding that may occur",
    ),
    (
        {"SamplesPerPixel": 3, "PhotometricInterpretation": "RGB", "Columns": 2, "Rows": 20},
        "default",
        ["Colour to luminance", "VOI window"],
        "colour",
    ),
]


@pytest.mark.parametrize(("tags", "window", "names", "reason"), NAMES, ids=[row[3] for row in NAMES])
def test_a_step_that_was_not_done_is_not_there(
    tmp_path: Path, tags: dict[str, Any], window: str, names: list[str], reason: str
) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", CELLS, **tags), window)
    assert [step.name for step in film.ledger[1:]] == names, reason


def test_tables_are_in_the_ledger(tmp_path: Path) -> None:
    table = {"LUTDescriptor": [3, 5, 10], "LUTData": bytes(6), "LUTExplanation": "DIGITIZER"}
    tags: dict[str, Any] = {"ModalityLUTSequence": [{**table, "ModalityLUTType": "OD"}], "VOILUTSequence": [table, table]}
    film = decode_image(dicom(tmp_path / "a.dcm", CELLS, **tags))
    assert film.unit == "OD"
    modality, voi = (next(step for step in film.show("table2").ledger if step.name == name) for name in ("Modality", "VOI table"))
    assert (modality.numbers, modality.standard) == ({"first": 5, "entries": 3, "bits": 10}, "PS3.3 C.11.1.1.1")
    assert modality.words == "Table of 3 entries of 10 bits, the first for 5 (DIGITIZER), in OD"
    assert voi.numbers == {"first": 5, "entries": 3, "bits": 10, "which": 2, "of": 2}
    assert voi.words == "DIGITIZER: Table of 3 entries of 10 bits, the first for 5 (2 of 2)"


@pytest.mark.parametrize(("uid", "name"), [(BIG_ENDIAN, "Explicit VR Big Endian"), (DEFLATED, "Deflated"), (None, "no transfer")])
def test_the_transfer_syntax_is_named(tmp_path: Path, uid: str | None, name: str) -> None:
    assert name in read_image(dicom(tmp_path / "a.dcm", CELLS, uid=uid)).ledger[0].words


def test_a_turned_picture_has_the_step(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(2, 1, b"\0\x05\x06", more=chunk(b"eXIf", exif(6))))
    decoding, turned, voi = read_image(path).ledger
    assert decoding.numbers == {"width": 2, "height": 1, "bits": 8}
    assert turned.numbers == {"orientation": 6}
    assert (voi.words, voi.numbers["low"], voi.numbers["high"]) == ("As stored: LINEAR_EXACT, center 127.5, width 255", 0, 255)


def test_a_deep_picture_has_its_range(tmp_path: Path) -> None:
    ledger = read_image(saved(tmp_path / "a", CELLS, "PNG")).ledger
    assert ledger[-1].numbers["low"] == CELLS.min()
    assert ledger[-1].numbers["high"] == CELLS.max()
