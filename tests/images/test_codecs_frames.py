"""Which fragments are the first frame, where NumberOfFrames and the offset table do not tell; and bits that hold no value."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.images import DecodedFilm, decode_image
from tests.images.make import EXPLICIT, J2K, JPEG_LOSSLESS, JPEG_LS, JPEG_XL, RLE, dicom, fragments, rle_frame

Cells = npt.NDArray[Any]

# 0..4080, smooth along a row.
FILM = (np.add.outer(np.arange(24), np.arange(28)) * 80).astype(np.uint16)


def j2k(cells: Cells, bits: int = 12) -> bytes:
    return bytes(imagecodecs.jpeg2k_encode(cells, codecformat="j2k", reversible=True, bitspersample=bits, level=0))


CODINGS: dict[str, tuple[str, Callable[[Cells, int], bytes]]] = {
    "lossless JPEG": (JPEG_LOSSLESS, lambda cells, bits: bytes(imagecodecs.ljpeg_encode(cells, bitspersample=bits))),
    "JPEG-LS": (JPEG_LS, lambda cells, _: bytes(imagecodecs.jpegls_encode(cells))),
    "JPEG 2000": (J2K, j2k),
    "RLE": (RLE, lambda cells, _: rle_frame(cells)),
    "JPEG XL": (
        JPEG_XL,
        lambda cells, bits: bytes(imagecodecs.jpegxl_encode(cells, lossless=True, bitspersample=bits, usecontainer=False)),
    ),
}


def units(film: DecodedFilm) -> Cells:
    return np.asarray(film.units[film.codes])


def cut_up(stream: bytes, count: int) -> list[bytes]:
    step = len(stream) // count // 2 * 2
    return [stream[i * step : (i + 1) * step if i < count - 1 else None] for i in range(count)]


# frames in the pixel data, fragments of each, NumberOfFrames, a word of the notice, the reason
FRAMES: list[tuple[int, int, int | None, str, str]] = [
    (2, 1, None, "several frames", "NumberOfFrames is missing"),
    (3, 1, 1, "several frames", "NumberOfFrames is 1"),
    (2, 3, None, "several frames", "missing, and each frame is in fragments"),
    (2, 3, 2, "2 frames", "each frame in three fragments"),
    (1, 1, 3, "one frame only", "NumberOfFrames is too large"),
    (3, 1, 2, "2 frames", "NumberOfFrames is too small"),
]


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize(("frames", "parts", "number", "words", "reason"), FRAMES, ids=[row[4] for row in FRAMES])
def test_the_first_frame_is_told_by_its_first_bytes(
    tmp_path: Path, coding: str, frames: int, parts: int, number: int | None, words: str, reason: str
) -> None:
    uid, encode = CODINGS[coding]
    streams = [encode(cells, 12) for cells in (FILM, FILM[::-1].copy(), FILM[:, ::-1].copy())[:frames]]
    pieces = [piece for stream in streams for piece in cut_up(stream, parts)]
    film = decode_image(dicom(tmp_path / "a.dcm", FILM, uid=uid, pixels=fragments(pieces), BitsStored=12, NumberOfFrames=number))
    assert np.array_equal(units(film), FILM), reason
    assert any(words in notice for notice in film.show().notices), reason


@pytest.mark.parametrize("coding", ["lossless JPEG", "JPEG-LS", "JPEG 2000"])
def test_one_frame_in_fragments_where_several_are_named(tmp_path: Path, coding: str) -> None:
    uid, encode = CODINGS[coding]
    for parts in (2, 3, 4):
        pixels = fragments(cut_up(encode(FILM, 12), parts))
        film = decode_image(dicom(tmp_path / "a.dcm", FILM, uid=uid, pixels=pixels, BitsStored=12, NumberOfFrames=3))
        assert np.array_equal(units(film), FILM), parts


def with_overlay() -> Cells:
    cells = FILM.copy()
    cells[5:9] |= 0x8000
    cells[12:14, 3:9] |= 0x1000
    return cells


# cells, HighBit, the values, a word of the notice, the reason: PS3.5 8.1.1, 12 bits stored
UNUSED: list[tuple[Cells, int, Cells, str, str]] = [
    (FILM, 11, FILM, "", "nothing in the bits above"),
    (with_overlay(), 11, FILM, "Bits outside", "an old overlay in bits 12 and 15"),
    (FILM << 4, 15, FILM, "HighBit is 15", "values in the upper bits"),
    (FILM << 4 | 9, 15, FILM, "HighBit is 15", "values in the upper bits, and something below"),
]


@pytest.mark.parametrize("coding", [None, *CODINGS])
@pytest.mark.parametrize(("cells", "high", "values", "words", "reason"), UNUSED, ids=[row[4] for row in UNUSED])
def test_a_film_is_the_same_compressed_and_not(
    tmp_path: Path, coding: str | None, cells: Cells, high: int, values: Cells, words: str, reason: str
) -> None:
    uid, encode = CODINGS[coding] if coding else (EXPLICIT, None)
    pixels = fragments([encode(cells, 16)]) if encode else None
    film = decode_image(dicom(tmp_path / "a.dcm", cells, uid=uid, pixels=pixels, BitsStored=12, HighBit=high))
    assert np.array_equal(units(film), values), reason
    assert any(words in notice for notice in [*film.show().notices, ""]), reason


def test_values_that_the_encoder_moved_down_stay_there(tmp_path: Path) -> None:
    # HighBit 15 with 12 bits stored, and a codestream of 16 bits whose values begin at the lowest.
    cells = FILM + np.uint16(1)
    pixels = fragments([j2k(cells, 16)])
    film = decode_image(dicom(tmp_path / "a.dcm", cells, uid=J2K, pixels=pixels, BitsStored=12, HighBit=15))
    assert np.array_equal(units(film), cells)


def test_values_that_go_on_above_the_stored_bits_are_values(tmp_path: Path) -> None:
    # 10 bits stored, values to 4080: cut to 10 bits, a slope would jump from 1023 to 0.
    for cells in (FILM, FILM.astype(np.int16) - 2000):
        pixels = fragments([j2k(cells, 16)])
        film = decode_image(dicom(tmp_path / "a.dcm", cells, uid=J2K, pixels=pixels, BitsStored=10))
        assert np.array_equal(units(film), cells)
        assert any("10 bits" in notice for notice in film.show().notices)


@pytest.mark.parametrize("photometric", ["RGB", "YBR_RCT", "YBR_ICT"])
@pytest.mark.parametrize("mixed", [True, False])
def test_jpeg_2000_in_colour_is_luminance_with_its_transformation_and_without(
    tmp_path: Path, photometric: str, mixed: bool
) -> None:
    cells = np.empty((16, 16, 3), np.uint8)
    cells[:] = (200, 100, 50)
    stream = bytes(imagecodecs.jpeg2k_encode(cells, codecformat="j2k", reversible=True, level=0, mct=mixed))
    path = dicom(tmp_path / "a.dcm", cells, uid=J2K, pixels=fragments([stream]), PhotometricInterpretation=photometric)
    film = decode_image(path)
    # 0.299 * 200 + 0.587 * 100 + 0.114 * 50 = 124.2
    assert np.unique(units(film)).tolist() == [124]
    assert any("coded without it" in notice for notice in film.show().notices) == (photometric != "RGB" and not mixed)
