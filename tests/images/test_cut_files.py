"""JPEG, PNG and TIFF that are cut, damaged or beyond the decoder are refused; whole ones that look so are shown."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images import read_image
from tests.images.make import chunk, coded, png, rgb, saved, tiff

GRAY = np.arange(0, 240, 12, dtype=np.uint8).reshape(4, 5)
NOISE = np.random.default_rng(5).integers(0, 256, (64, 72)).astype(np.uint8)


WHOLE: list[dict[str, Any]] = [{}, {"optimize": True}, {"progressive": True}, {"restart_marker_blocks": 3}]


@pytest.mark.parametrize("options", WHOLE)
@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("size", [(64, 72), (61, 70)])
def test_a_whole_jpeg_with_a_flat_corner_is_shown(
    tmp_path: Path, options: dict[str, Any], channels: int, size: tuple[int, int]
) -> None:
    pixels = NOISE[: size[0], : size[1]].copy()
    pixels[40:] = 0
    path = saved(tmp_path / "a.x", pixels if channels == 1 else rgb(pixels), "JPEG", **options)
    assert read_image(path).pixels.shape == size
    path.write_bytes(path.read_bytes() + b"appended by some camera \xff\xd9")
    assert read_image(path).pixels.shape == size


@pytest.mark.parametrize(("tag", "count"), [(257, 2), (258, 0)])
def test_a_tiff_tag_with_another_count_of_values_is_no_crash(tmp_path: Path, tag: int, count: int) -> None:
    data = bytearray(tiff(GRAY, 1))
    start = data.index(struct.pack("<HHL", tag, 4, 1))
    data[start + 4 : start + 8] = struct.pack("<L", count)
    (tmp_path / "a.tif").write_bytes(data)
    with pytest.raises(ImageError, match="damaged"):
        read_image(tmp_path / "a.tif")


CUT: list[tuple[str, dict[str, Any]]] = [
    ("JPEG", {"quality": 90}),
    ("JPEG", {"progressive": True}),
    ("PNG", {}),
    ("TIFF", {}),
    ("TIFF", {"compression": "tiff_lzw"}),
]


@pytest.mark.parametrize(("kind", "options"), CUT)
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, kind: str, options: dict[str, Any]) -> None:
    whole = saved(tmp_path / "a.x", NOISE, kind, **options).read_bytes()
    cut = tmp_path / "cut.x"
    for length in [*range(0, len(whole), 131), len(whole) - 1]:
        cut.write_bytes(whole[:length])
        with pytest.raises(ImageError):
            read_image(cut)


@pytest.mark.parametrize("options", [{}, {"progressive": True}])
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_jpeg_with_an_end_mark_behind_half_a_picture_is_refused(tmp_path: Path, options: dict[str, Any], part: float) -> None:
    whole = saved(tmp_path / "a.x", NOISE, "JPEG", quality=90, **options).read_bytes()
    (tmp_path / "a.x").write_bytes(whole[: int(len(whole) * part)] + b"\xff\xd9")
    with pytest.raises(ImageError, match="cut"):
        read_image(tmp_path / "a.x")


@pytest.mark.parametrize("rows", [0, 1, 39])
def test_a_png_with_fewer_rows_than_its_header_says_is_refused(tmp_path: Path, rows: int) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(30, 40, (b"\0" + bytes([200]) * 30) * rows))
    with pytest.raises(ImageError, match="cut"):
        read_image(path)


def test_interlaced_png_is_whole_with_the_rows_of_its_seven_passes(tmp_path: Path) -> None:
    # 3 x 3 pixels, Adam7: passes 1 (1 pixel), 4 (1), 5 (2), 6 (1, 1), 7 (3) have rows, 2 and 3 have none.
    rows = b"\0\x01" + b"\0\x03" + b"\0\x07\x09" + b"\0\x02" + b"\0\x08" + b"\0\x04\x05\x06"
    header = struct.pack(">LLBBBBB", 3, 3, 8, 0, 0, 0, 1)
    whole = png(3, 3, rows)
    path = tmp_path / "a.png"
    path.write_bytes(whole[:8] + chunk(b"IHDR", header) + whole[33:])
    assert read_image(path).pixels.tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    short = png(3, 3, rows[:-1])
    path.write_bytes(short[:8] + chunk(b"IHDR", header) + short[33:])
    with pytest.raises(ImageError, match="cut"):
        read_image(path)


@pytest.mark.parametrize(
    ("marker", "precision", "words"),
    [
        (0xC5, 8, "hierarchical"),
        (0xCB, 8, "lossless, arithmetic coding"),
        (0xC9, 12, "12 bits, extended, arithmetic coding"),
        (0xF7, 8, "JPEG-LS"),
    ],
)
def test_jpeg_that_the_decoder_has_not_is_refused(tmp_path: Path, marker: int, precision: int, words: str) -> None:
    data = bytearray(coded(NOISE, "JPEG"))
    start = data.index(b"\xff\xc0")
    data[start + 1], data[start + 4] = marker, precision
    (tmp_path / "a.jpg").write_bytes(data)
    with pytest.raises(UnsupportedImageError, match=words):
        read_image(tmp_path / "a.jpg")
