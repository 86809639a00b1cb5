"""Colour in compressed DICOM: its luminance, whether the coding, the header or both say what the three samples are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.images import decode_image
from tests.images.make import (
    DEFLATED_FRAME,
    ENCAPSULATED,
    HTJ2K,
    J2K,
    JPEG_8,
    JPEG_LOSSLESS,
    JPEG_LS,
    JPEG_XL,
    RLE,
    coded,
    deflated,
    dicom,
    fragments,
    rle_frame,
)

# 0.299 R + 0.587 G + 0.114 B: 124.2, 76.245 (red), 149.685 (green), 29.07 (blue), 255
COLOURS = np.array([[200, 100, 50], [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]], np.uint8)
LUMINANCE = [124, 76, 150, 29, 255]


def bars(side: int = 1) -> npt.NDArray[np.uint8]:
    """A bar for each colour, ``side`` pixels wide and high."""
    return np.repeat(np.repeat(COLOURS[None], side, 0), side, 1)


def j2k(cells: npt.NDArray[Any], *, mct: bool) -> bytes:
    return bytes(imagecodecs.jpeg2k_encode(cells, codecformat="j2k", reversible=True, level=0, mct=mct))


def jpeg_ls(cells: npt.NDArray[Any]) -> bytes:
    return bytes(imagecodecs.jpegls_encode(cells))


def lossless(cells: npt.NDArray[Any]) -> bytes:
    return bytes(imagecodecs.jpeg8_encode(cells, lossless=True))


RGB: list[tuple[str, str, bytes, str]] = [
    (J2K, "YBR_RCT", j2k(bars(), mct=True), "turned for coding and back"),
    (J2K, "RGB", j2k(bars(), mct=True), "turned for coding, which the header does not say"),
    (J2K, "RGB", j2k(bars(), mct=False), "as they are"),
    (HTJ2K, "YBR_RCT", bytes(imagecodecs.htj2k_encode(bars(), reversible=True)), "HTJ2K"),
    (JPEG_LS, "RGB", jpeg_ls(bars()), "JPEG-LS"),
    (JPEG_LOSSLESS, "RGB", lossless(bars()), "lossless JPEG"),
    (JPEG_XL, "RGB", bytes(imagecodecs.jpegxl_encode(bars(), lossless=True)), "JPEG XL"),
    (RLE, "RGB", rle_frame(bars()), "RLE, three segments"),
    (ENCAPSULATED, "RGB", bars().tobytes(), "uncompressed"),
    (DEFLATED_FRAME, "RGB", deflated(bars()), "deflated"),
]


@pytest.mark.parametrize(("uid", "photometric", "stream", "reason"), RGB, ids=[row[3] for row in RGB])
def test_red_green_and_blue_are_their_luminance(tmp_path: Path, uid: str, photometric: str, stream: bytes, reason: str) -> None:
    path = dicom(tmp_path / "a.dcm", bars(), uid=uid, pixels=fragments([stream]), PhotometricInterpretation=photometric)
    film = decode_image(path).show()
    assert film.pixels.tolist() == [LUMINANCE], reason
    assert any("luminance" in notice for notice in film.notices)


# Y, Cb, Cr as they stand in the file: the first is the luminance (PS3.3 C.7.6.3.1.2).
YBR = np.array([[[10, 128, 128], [124, 90, 180], [250, 3, 7]]], np.uint8)
AS_YBR: list[tuple[str, bytes, str]] = [
    (J2K, j2k(YBR, mct=False), "JPEG 2000 that turned nothing"),
    (JPEG_LS, jpeg_ls(YBR), "JPEG-LS"),
    (JPEG_LOSSLESS, lossless(YBR), "lossless JPEG"),
    (RLE, rle_frame(YBR), "RLE"),
    (ENCAPSULATED, YBR.tobytes(), "uncompressed"),
    (DEFLATED_FRAME, deflated(YBR), "deflated"),
]


@pytest.mark.parametrize(("uid", "stream", "reason"), AS_YBR, ids=[row[2] for row in AS_YBR])
def test_samples_that_no_decoder_turns_are_luminance_first(tmp_path: Path, uid: str, stream: bytes, reason: str) -> None:
    path = dicom(tmp_path / "a.dcm", YBR, uid=uid, pixels=fragments([stream]), PhotometricInterpretation="YBR_FULL")
    assert decode_image(path).show().pixels.tolist() == [[10, 124, 250]], reason


@pytest.mark.parametrize(("photometric", "options"), [("YBR_FULL_422", {}), ("YBR_FULL", {"subsampling": 0}), ("RGB", {})])
@pytest.mark.parametrize("progressive", [False, True])
def test_colour_jpeg_is_turned_as_its_own_marks_say(
    tmp_path: Path, photometric: str, options: dict[str, Any], progressive: bool
) -> None:
    # Written by Pillow with a JFIF mark, which says YCbCr, whatever the header does.
    stream = coded(bars(16), "JPEG", quality=97, progressive=progressive, **options)
    path = dicom(tmp_path / "a.dcm", bars(16), uid=JPEG_8, pixels=fragments([stream]), PhotometricInterpretation=photometric)
    assert np.abs(decode_image(path).show().pixels[8, 8::16].astype(int) - LUMINANCE).max() <= 3


def test_jpeg_in_red_green_and_blue_without_a_mark_is_read_as_the_header_says(tmp_path: Path) -> None:
    made = bytes(imagecodecs.jpeg8_encode(bars(16), level=97, colorspace="RGB", outcolorspace="RGB"))
    # Without the Adobe segment nothing but the header tells, and the usual reading is YCbCr.
    start = made.index(b"\xff\xee")
    stream = made[:start] + made[start + 2 + int.from_bytes(made[start + 2 : start + 4], "big") :]
    components = stream.index(b"\xff\xc0") + 10
    stream = b"".join(
        [
            stream[:components],
            *(bytes([i + 1]) + stream[components + 1 + 3 * i :][:2] for i in range(3)),
            stream[components + 9 :],
        ]
    )
    scan = stream.index(b"\xff\xda") + 5
    stream = stream[:scan] + bytes([1, stream[scan + 1], 2, stream[scan + 3], 3]) + stream[scan + 5 :]
    path = dicom(tmp_path / "a.dcm", bars(16), uid=JPEG_8, pixels=fragments([stream]), PhotometricInterpretation="RGB")
    assert np.abs(decode_image(path).show().pixels[8, 8::16].astype(int) - LUMINANCE).max() <= 3


def test_16_bit_colours_are_their_luminance(tmp_path: Path) -> None:
    cells = bars().astype(np.uint16) * 257
    for uid, stream in ((J2K, j2k(cells, mct=True)), (RLE, rle_frame(cells)), (JPEG_LS, jpeg_ls(cells))):
        film = decode_image(dicom(tmp_path / "a.dcm", cells, uid=uid, pixels=fragments([stream])))
        assert np.abs(film.units[film.codes] / 257 - [124.2, 76.245, 149.685, 29.07, 255]).max() < 0.01, uid
