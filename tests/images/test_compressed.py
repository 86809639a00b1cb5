"""Compressed DICOM files: frames and fragments, bits that differ from the header, damage. `test_codecs` has every coding."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images import read_image
from tests.images.make import ENCAPSULATED, J2K, JPEG_8, JPEG_12, RLE, coded, dicom, fragments, rle_frame

# 0..3960, rising by 40 a pixel; smooth, so that lossy coding keeps the order.
DEEP = (np.arange(100).reshape(10, 10) * 40).astype(np.uint16)
DEEP_GRAY = np.floor(np.arange(100).reshape(10, 10) / 99 * 255 + 0.5).astype(np.uint8)
FLAT = np.repeat(np.linspace(10, 240, 24).astype(np.uint8)[None], 16, 0)


def j2k(pixels: np.ndarray[Any, Any]) -> bytes:
    return coded(pixels, "JPEG2000", no_jp2=True, irreversible=False)


def frame_header(marker: int, precision: int, height: int, width: int) -> bytes:
    """A JPEG that has nothing but a frame header with one component and its end."""
    body = bytes([0, 11, precision]) + height.to_bytes(2, "big") + width.to_bytes(2, "big") + bytes([1, 1, 17, 0])
    return b"\xff\xd8\xff" + bytes([marker]) + body + b"\xff\xd9"


@pytest.mark.parametrize("photometric", ["MONOCHROME1", "MONOCHROME2"])
def test_lossless_codings_give_the_very_pixels(tmp_path: Path, photometric: str) -> None:
    expected = DEEP_GRAY if photometric == "MONOCHROME2" else np.floor(255.5 - np.arange(100).reshape(10, 10) / 99 * 255)
    for uid, frame in ((RLE, rle_frame(DEEP)), (J2K, j2k(DEEP))):
        path = dicom(tmp_path / "a.dcm", DEEP, uid=uid, pixels=fragments([frame]), PhotometricInterpretation=photometric)
        assert np.array_equal(read_image(path).pixels, expected), uid


def test_rle_of_8_bit_colour_and_of_signed_values(tmp_path: Path) -> None:
    planes = [bytes([200] * 4), bytes([100] * 4), bytes([50] * 4)]
    offsets = [64, 70, 76]
    frame = struct.pack("<4L", 3, *offsets).ljust(64, b"\0") + b"".join(b"\x03" + plane + b"\0" for plane in planes)
    film = read_image(dicom(tmp_path / "a.dcm", np.zeros((2, 2, 3), np.uint8), uid=RLE, pixels=fragments([frame])))
    # 0.299 * 200 + 0.587 * 100 + 0.114 * 50 = 124.2
    assert film.pixels.tolist() == [[124, 124], [124, 124]]
    signed = np.array([[-300, 0, 300]], np.int16)
    frame = rle_frame(signed.view(np.uint16))
    assert read_image(dicom(tmp_path / "a.dcm", signed, uid=RLE, pixels=fragments([frame]))).pixels.tolist() == [[0, 128, 255]]


def test_padding_behind_an_rle_segment_is_ignored(tmp_path: Path) -> None:
    frame = struct.pack("<2L", 1, 64).ljust(64, b"\0") + b"\x02\x00\x80\xff" + b"\x80" + b"\x05abcdef\0"
    film = read_image(dicom(tmp_path / "a.dcm", np.zeros((1, 3), np.uint8), uid=RLE, pixels=fragments([frame])))
    assert film.pixels.tolist() == [[0, 128, 255]]


@pytest.mark.parametrize("uid", [JPEG_8, JPEG_12])
def test_8_bit_jpeg_is_read_in_both_of_its_syntaxes(tmp_path: Path, uid: str) -> None:
    tags: dict[str, Any] = {"WindowCenter": 128, "WindowWidth": 256}
    path = dicom(tmp_path / "a.dcm", FLAT, uid=uid, pixels=fragments([coded(FLAT, "JPEG", quality=95)]), **tags)
    film = read_image(path)
    assert np.abs(film.pixels.astype(int) - FLAT).max() <= 2
    assert film.notices == []


def test_a_codestream_may_come_in_several_fragments(tmp_path: Path) -> None:
    stream = j2k(DEEP)
    half = len(stream) // 4 * 2
    path = dicom(tmp_path / "a.dcm", DEEP, uid=J2K, pixels=fragments([stream[:half], stream[half:]], [0]))
    assert np.array_equal(read_image(path).pixels, DEEP_GRAY)


@pytest.mark.parametrize("table", [True, False])
def test_the_first_of_several_frames_is_shown(tmp_path: Path, table: bool) -> None:
    first, second = j2k(DEEP), j2k(DEEP[::-1].copy())
    half = len(first) // 4 * 2
    parts = [first[:half], first[half:], second] if table else [first, second]
    padded = sum(8 + len(part) + len(part) % 2 for part in parts[:2])
    pixels = fragments(parts, [0, padded] if table else [])
    film = read_image(dicom(tmp_path / "a.dcm", DEEP, uid=J2K, pixels=pixels, NumberOfFrames=2))
    assert np.array_equal(film.pixels, DEEP_GRAY)


def test_frames_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    pixels = fragments([DEEP.tobytes()] * 3)
    path = dicom(tmp_path / "a.dcm", DEEP, uid=ENCAPSULATED, pixels=pixels, NumberOfFrames=2)
    with pytest.raises(UnsupportedImageError, match="2 frames in 3 fragments"):
        read_image(path)


def test_another_precision_than_the_header_says_is_not_shown_nearly_black(tmp_path: Path) -> None:
    # 8 bits in the codestream, 12 in the header, and a window for 12: it would leave at most 16 gray levels.
    tags: dict[str, Any] = {"BitsStored": 12, "WindowCenter": 2048, "WindowWidth": 4096}
    cells = FLAT.astype(np.uint16)
    film = read_image(dicom(tmp_path / "a.dcm", cells, uid=J2K, pixels=fragments([j2k(FLAT)]), **tags))
    assert film.pixels.min() == 0
    assert film.pixels.max() == 255
    assert any("12 bits" in notice and "8" in notice for notice in film.notices)
    assert any("other values" in notice for notice in film.notices)


def test_more_bits_in_the_codestream_than_stored_keep_values_and_window(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"BitsStored": 12, "WindowCenter": 2048, "WindowWidth": 4096}
    film = read_image(dicom(tmp_path / "a.dcm", DEEP, uid=J2K, pixels=fragments([j2k(DEEP)]), **tags))
    # LINEAR: (x - 2047.5) / 4095 + 0.5 = x / 4095
    assert np.array_equal(film.pixels, np.floor(DEEP / 4095 * 255 + 0.5))
    assert film.notices == []


def test_values_above_the_stored_bits_are_kept_with_a_notice(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"BitsStored": 10}
    film = read_image(dicom(tmp_path / "a.dcm", DEEP, uid=J2K, pixels=fragments([j2k(DEEP)]), **tags))
    assert np.array_equal(film.pixels, DEEP_GRAY)
    assert any("10 bits" in notice and "16" in notice for notice in film.notices)


def test_a_window_that_fits_fewer_bits_is_used(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"BitsStored": 16, "WindowCenter": 128, "WindowWidth": 256}
    cells = FLAT.astype(np.uint16)
    film = read_image(dicom(tmp_path / "a.dcm", cells, uid=J2K, pixels=fragments([j2k(FLAT)]), **tags))
    assert np.array_equal(film.pixels, FLAT)


@pytest.mark.parametrize("photometric", ["YBR_FULL_422", "RGB"])
def test_colour_jpeg_is_luminance(tmp_path: Path, photometric: str) -> None:
    cells = np.empty((16, 16, 3), np.uint8)
    cells[:] = (200, 100, 50)
    stream = coded(cells, "JPEG", quality=95, subsampling=0)
    path = dicom(tmp_path / "a.dcm", cells, uid=JPEG_8, pixels=fragments([stream]), PhotometricInterpretation=photometric)
    film = read_image(path)
    # 0.299 * 200 + 0.587 * 100 + 0.114 * 50 = 124.2
    assert np.abs(film.pixels.astype(int) - 124).max() <= 2
    assert any("luminance" in notice for notice in film.notices)


# transfer syntax, codestream, a word, the reason
BROKEN = [
    (J2K, j2k(DEEP)[:-40], "cut", "no end mark"),
    (J2K, j2k(DEEP)[:80] + b"\xff\xd9", "is not whole", "an end mark and nothing before it"),
    (J2K, j2k(DEEP[:5].copy()), "10 x 5", "half as high as the header says"),
    (J2K, b"", "first bytes", "nothing"),
    (JPEG_8, coded(FLAT, "JPEG"), "24 x 16", "another size than the header says"),
    (JPEG_8, coded(DEEP_GRAY, "JPEG")[:-30], "cut", "no end mark"),
    (JPEG_8, coded(np.dstack([DEEP_GRAY] * 3), "JPEG"), "1 samples", "three components for one sample"),
    (JPEG_8, frame_header(0xC0, 8, 65000, 65000), "65000", "claims 4 billion pixels"),
    (RLE, rle_frame(DEEP)[:-60], "could not be decoded", "a segment that is too short"),
    (RLE, b"\x05\0\0\0" * 20, "2 segments were expected", "another number of segments"),
    (RLE, b"\x02\0\0\0" * 3, "12 of 64", "no whole RLE header"),
]


@pytest.mark.parametrize(("uid", "stream", "words"), [row[:3] for row in BROKEN], ids=[row[3] for row in BROKEN])
def test_a_broken_codestream_is_refused(tmp_path: Path, uid: str, stream: bytes, words: str) -> None:
    path = dicom(tmp_path / "a.dcm", DEEP, uid=uid, pixels=fragments([stream]))
    with pytest.raises(ImageError, match=words):
        read_image(path)


def test_fragments_without_an_end_are_refused(tmp_path: Path) -> None:
    path = dicom(tmp_path / "a.dcm", DEEP, uid=J2K, pixels=fragments([j2k(DEEP)]))
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(ImageError, match="no end"):
        read_image(path)


def test_fragments_under_an_uncompressed_syntax_are_refused(tmp_path: Path) -> None:
    path = dicom(tmp_path / "a.dcm", DEEP, pixels=fragments([j2k(DEEP)]))
    with pytest.raises(ImageError, match="does not say how"):
        read_image(path)
