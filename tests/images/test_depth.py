"""JPEG, PNG and TIFF of other depths than 8 bits, spread by their range with a notice."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.images import read_image
from tests.images.make import png, saved, tiff

# 200 * (0..19) in each depth; the smallest is black, the largest white.
RAMP = np.arange(20).reshape(4, 5)
RAMP_GRAY = np.floor(RAMP / 19 * 255 + 0.5).astype(np.uint8)
DEEP: list[tuple[str, Any, dict[str, Any], str]] = [
    ("PNG", (RAMP * 200).astype(np.uint16), {}, "16-bit PNG"),
    ("TIFF", (RAMP * 200).astype(np.uint16), {}, "16-bit TIFF"),
    ("TIFF", (RAMP * 200).astype(np.uint16), {"compression": "tiff_lzw"}, "16-bit TIFF, LZW"),
    ("TIFF", (RAMP * 200 - 1000).astype(np.int32), {}, "32-bit TIFF with negative values"),
    ("TIFF", (RAMP * 0.001 - 0.01).astype(np.float32), {}, "TIFF of small fractions"),
]


@pytest.mark.parametrize(("kind", "pixels", "options", "reason"), DEEP, ids=[row[3] for row in DEEP])
def test_deep_values_are_spread_by_their_range_with_a_notice(
    tmp_path: Path, kind: str, pixels: Any, options: dict[str, Any], reason: str
) -> None:
    film = read_image(saved(tmp_path / "a.x", pixels, kind, **options))
    assert np.array_equal(film.pixels, RAMP_GRAY), reason
    assert any("values run from" in notice for notice in film.notices)


@pytest.mark.parametrize(("photometric", "expected"), [(1, [0, 128, 255]), (0, [255, 128, 0])])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_white_is_zero_is_turned_at_every_depth(tmp_path: Path, photometric: int, expected: list[int], dtype: Any) -> None:
    scale = 1 if dtype == np.uint8 else 100
    levels = [0, 128, 255] if photometric == 1 else [0, 127, 255]
    path = tmp_path / "a.tif"
    path.write_bytes(tiff((np.array([levels]) * scale).astype(dtype), photometric))
    assert read_image(path).pixels[0].tolist() == expected


@pytest.mark.parametrize("order", ["<", ">"])
def test_16_bit_tiff_in_both_byte_orders(tmp_path: Path, order: str) -> None:
    path = tmp_path / "a.tif"
    path.write_bytes(tiff((RAMP * 200).astype(np.uint16), 1, order=order))
    assert np.array_equal(read_image(path).pixels, RAMP_GRAY)


def test_unsigned_32_bit_values_above_half_are_not_negative(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    path.write_bytes(tiff(np.array([[0, 2**31, 2**32 - 1]], np.uint32), 1))
    assert read_image(path).pixels[0].tolist() == [0, 128, 255]


def test_numbers_that_are_none_are_black_with_a_notice(tmp_path: Path) -> None:
    film = read_image(saved(tmp_path / "a.x", np.array([[np.nan, 1, 2, np.inf]], np.float32), "TIFF"))
    assert film.pixels[0].tolist() == [0, 0, 255, 0]
    assert any("no finite number" in notice for notice in film.notices)


def test_a_constant_16_bit_image_is_one_gray_and_says_so(tmp_path: Path) -> None:
    film = read_image(saved(tmp_path / "a.x", np.full((3, 3), 40000, np.uint16), "PNG"))
    assert np.unique(film.pixels).tolist() == [128]
    assert any("same value" in notice for notice in film.notices)


def test_16_bit_colour_says_that_8_bits_are_read(tmp_path: Path) -> None:
    rows = b"".join(b"\0" + struct.pack(">3H", v, v, v) for v in (0x0100, 0x0300, 0x0500))
    path = tmp_path / "a.png"
    path.write_bytes(png(1, 3, rows, depth=16, colour=2))
    film = read_image(path)
    assert film.pixels[:, 0].tolist() == [0, 128, 255]
    assert any("upper 8 bits" in notice for notice in film.notices)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_shallow_png_is_spread_over_black_to_white(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(2, 1, bytes([0, (2**depth - 1) << (8 - 2 * depth)]), depth=depth))
    assert read_image(path).pixels.tolist() == [[0, 255]]
