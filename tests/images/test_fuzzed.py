"""What changed files brought up (`python -m fuzz.images`), each as small as it can be made."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from radharmony_core.errors import ImageError, RadHarmonyError
from radharmony_core.images import FilmImage, ImageHeader, decode_image, read_header
from tests.images import make

DEEP = (np.arange(20).reshape(4, 5) * 100).astype(np.uint16)
WINDOW: dict[str, Any] = {"WindowCenter": "900", "WindowWidth": "1000"}


def said(path: Path) -> list[str]:
    """Every sentence that the file leads to: refusals, or notices, the ledger and the names of what is offered."""
    try:
        read_header(path)
        film = decode_image(path)
    except RadHarmonyError as error:
        return [str(error)]
    shown = film.show()
    return [*shown.notices, *(step.words for step in shown.ledger), *(preset.words for preset in film.presets), film.unit]


def deep(**tags: Any) -> Callable[[Path], Path]:
    return lambda path: make.dicom(path, DEEP, **tags)


def other_syntax(path: Path) -> Path:
    make.dicom(path, DEEP)
    data = path.read_bytes()
    path.write_bytes(data.replace(make.EXPLICIT.encode(), b"1.2.840.1000\x1b8.1.\n"))
    return path


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (other_syntax, "the transfer syntax"),
        (deep(PhotometricInterpretation=b"MONO\x1b[31m\n2 "), "a photometric interpretation that is not known"),
        (deep(**WINDOW, VOILUTFunction=b"LIN\x1bEAR"), "a function that is not known"),
        (deep(**WINDOW, WindowCenterWidthExplanation=b"BO\x1bNE"), "the name of a window"),
        (deep(RescaleSlope="2", RescaleIntercept="1", RescaleType=b"H\x1bU "), "the unit"),
        (deep(SpecificCharacterSet=b"ISO_IR 10\x04", **WINDOW, WindowCenterWidthExplanation="BONE"), "what pydicom warns of"),
        (deep(VOILUTSequence=[{"LUTDescriptor": [2, 0, 16], "LUTExplanation": b"A\nB ", "LUTData": bytes(4)}]), "a table's name"),
    ],
)
def test_the_words_of_a_file_are_shown_without_control_characters(
    tmp_path: Path, made: Callable[[Path], Path], reason: str
) -> None:
    sentences = said(made(tmp_path / "film.dcm"))
    assert sentences, reason
    assert [words for words in sentences if not words.isprintable()] == []


def directory(*entries: tuple[int, int, int, int]) -> bytes:
    """A TIFF of 4 rows x 5 columns and 8 bits, with these entries (tag, kind, count, value) in place of its own."""
    pixels = bytes(range(20))
    form = {256: 5, 257: 4, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: 4, 279: 20}
    own = [(tag, 4, 1, value) for tag, value in form.items() if tag not in {entry[0] for entry in entries}]
    packed = b"".join(struct.pack("<HHLL", *entry) for entry in sorted([*own, *entries]))
    return b"II*\0" + struct.pack("<L", 28) + pixels + struct.pack("<H", len(own) + len(entries)) + packed + bytes(4)


def size_or_none(read: Callable[[Path], ImageHeader | FilmImage], path: Path) -> tuple[int, int] | None:
    try:
        found = read(path)
    except RadHarmonyError:
        return None
    return found.width, found.height


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([(256, 4, 1, 5), (256, 4, 1, 1)], "two widths"),
        ([(256, 9, 1, 5)], "a signed width"),
        ([(256, 8, 1, 5)], "a signed width of 16 bits"),
        ([(256, 1, 1, 5)], "a width of 8 bits"),
        ([(257, 9, 1, 4)], "a signed height"),
    ],
)
def test_the_header_of_a_tiff_and_its_picture_agree(
    tmp_path: Path, entries: list[tuple[int, int, int, int]], reason: str
) -> None:
    path = tmp_path / "film.tif"
    path.write_bytes(directory(*entries))
    sizes = [size_or_none(read_header, path), size_or_none(lambda path: decode_image(path).show(), path)]
    assert sizes[0] == sizes[1], reason


def test_a_tiff_with_a_depth_and_nothing_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.tif"
    path.write_bytes(b"II*\0" + struct.pack("<LHHHLLL", 8, 1, 258, 4, 1, 16, 0))
    with pytest.raises(ImageError):
        decode_image(path)


def test_a_progressive_jpeg_of_very_many_scans_is_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    Image.fromarray(DEEP.astype(np.uint8)).save(buffer, "JPEG", progressive=True)
    whole = buffer.getvalue()
    # Each scan goes over the whole picture: at 80 million pixels a thousand of them, 100 KB, take minutes.
    tables = whole.rindex(b"\xff\xc4")
    last = whole[tables:-2]
    assert b"\xff\xda" in last
    path = tmp_path / "film.jpg"
    path.write_bytes(whole[:-2] + last * 1000 + b"\xff\xd9")
    with pytest.raises(ImageError, match="scans"):
        decode_image(path)


SIGNALLING = np.array([0x7F800001], np.uint32).view(np.float32)[0]  # a NaN that numpy warns of when it is converted


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, SIGNALLING])
def test_a_tiff_with_low_values_white_and_one_that_is_no_number(tmp_path: Path, value: float) -> None:
    pixels = np.array([[0, 1, 3], [2, 4, 0]], np.float32)
    pixels[1, 2] = value
    path = tmp_path / "film.tif"
    path.write_bytes(make.tiff(pixels, 0, sample_format=3))
    # 255 - 255 * value / 4; what is no number is black.
    assert decode_image(path).show("full").pixels.tolist() == [[255, 191, 64], [128, 0, 0]]


@pytest.mark.parametrize(("slope", "intercept"), [("1e308", "0"), ("1e300", "1e308"), ("1", "-1e308"), ("-1e307", "1e308")])
def test_numbers_beyond_all_units_give_a_picture_and_a_notice(tmp_path: Path, slope: str, intercept: str) -> None:
    film = decode_image(make.dicom(tmp_path / "film.dcm", DEEP, RescaleSlope=slope, RescaleIntercept=intercept, **WINDOW))
    assert np.isfinite(film.units).all()
    assert any("Rescale" in notice for notice in film.show().notices)
