"""JPEG, PNG and TIFF: depth, colour, transparency, orientation, and files that are cut."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, TiffImagePlugin

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images import read_header, read_image
from tests.images.make import chunk, exif, png

GRAY = np.arange(0, 240, 12, dtype=np.uint8).reshape(4, 5)
NOISE = np.random.default_rng(5).integers(0, 256, (64, 72)).astype(np.uint8)


def saved(path: Path, image: Image.Image | np.ndarray[Any, Any], kind: str, **options: Any) -> Path:
    image = Image.fromarray(image) if isinstance(image, np.ndarray) else image
    image.save(path, kind, **options)
    return path


def rgb(gray: np.ndarray[Any, Any], *more: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.dstack([gray, gray, gray, *more])


SAME: list[tuple[str, Any, str]] = [
    ("PNG", GRAY, "8-bit gray"),
    ("PNG", rgb(GRAY), "RGB of equal channels"),
    ("PNG", rgb(GRAY, np.full_like(GRAY, 255)), "RGBA, opaque, as the NIH films are"),
    ("PNG", Image.fromarray(GRAY).convert("LA"), "gray with opaque alpha"),
    ("PNG", Image.fromarray(GRAY).quantize(256), "a palette of grays"),
    ("TIFF", GRAY, "8-bit gray"),
    ("TIFF", rgb(GRAY), "RGB of equal channels"),
]


@pytest.mark.parametrize(("kind", "image", "reason"), SAME, ids=[f"{row[0]} {row[2]}" for row in SAME])
def test_gray_comes_out_as_it_is_without_a_notice(tmp_path: Path, kind: str, image: Any, reason: str) -> None:
    path = saved(tmp_path / "a.x", image, kind)
    film = read_image(path)
    assert np.array_equal(film.pixels, GRAY), reason
    assert film.notices == []
    assert film.source == kind.lower()
    header = read_header(path)
    assert (header.source, header.width, header.height) == (film.source, 5, 4)


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_blocks": 2}])
def test_jpeg_is_read(tmp_path: Path, options: dict[str, Any]) -> None:
    path = saved(tmp_path / "a.x", NOISE, "JPEG", quality=95, **options)
    film = read_image(path)
    with Image.open(path) as expected:
        assert np.array_equal(film.pixels, np.asarray(expected))
    assert film.notices == []
    assert (read_header(path).width, read_header(path).height) == (72, 64)


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


def test_jpeg_in_colour_is_luminance_with_a_notice(tmp_path: Path) -> None:
    film = read_image(saved(tmp_path / "a.x", Image.new("RGB", (16, 16), (200, 100, 50)), "JPEG", quality=95))
    # 0.299 * 200 + 0.587 * 100 + 0.114 * 50 = 124.2
    assert abs(int(film.pixels[8, 8]) - 124) <= 2
    assert any("colour" in notice for notice in film.notices)


def test_cmyk_jpeg_is_not_inverted(tmp_path: Path) -> None:
    # No ink but black: 60 of 255 black is 195 of 255 light.
    film = read_image(saved(tmp_path / "a.x", Image.new("CMYK", (16, 16), (0, 0, 0, 60)), "JPEG", quality=95))
    assert abs(int(film.pixels[8, 8]) - 195) <= 2
    assert any("CMYK" in notice for notice in film.notices)


def test_transparency_is_shown_over_black_with_a_notice(tmp_path: Path) -> None:
    alpha = np.full_like(GRAY, 255)
    alpha[0] = 0
    film = read_image(saved(tmp_path / "a.x", rgb(GRAY + 10, alpha), "PNG"))
    assert film.pixels[0].tolist() == [0] * 5
    assert np.array_equal(film.pixels[1:], GRAY[1:] + 10)
    assert any("transparent" in notice for notice in film.notices)


def test_a_value_marked_as_transparent_is_shown(tmp_path: Path) -> None:
    film = read_image(saved(tmp_path / "a.x", GRAY, "PNG", transparency=12))
    assert np.array_equal(film.pixels, GRAY)
    assert any("transparent" in notice for notice in film.notices)


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


def tiff(pixels: np.ndarray[Any, Any], photometric: int, *, sample_format: int = 1, order: str = "<") -> bytes:
    """An uncompressed TIFF of one strip (TIFF 6.0 section 4)."""
    height, width = pixels.shape
    data = pixels.astype(pixels.dtype.newbyteorder(order)).tobytes()
    tags = [
        (256, width),
        (257, height),
        (258, 8 * pixels.dtype.itemsize),
        (259, 1),
        (262, photometric),
        (273, 8),
        (277, 1),
        (278, height),
        (279, len(data)),
        (339, sample_format),
    ]
    data += b"\0" * (len(data) % 2)
    entries = b"".join(struct.pack(f"{order}HHLL", tag, 4, 1, value) for tag, value in tags)
    start = struct.pack(f"{order}HL", 42, 8 + len(data))
    return ({"<": b"II", ">": b"MM"}[order] + start + data) + struct.pack(f"{order}H", len(tags)) + entries + bytes(4)


@pytest.mark.parametrize(("photometric", "expected"), [(1, [0, 128, 255]), (0, [255, 128, 0])])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_white_is_zero_is_turned_at_every_depth(tmp_path: Path, photometric: int, expected: list[int], dtype: Any) -> None:
    scale = 1 if dtype == np.uint8 else 100
    levels = [0, 128, 255] if photometric == 1 else [0, 127, 255]
    path = tmp_path / "a.tif"
    path.write_bytes(tiff((np.array([levels]) * scale).astype(dtype), photometric))
    assert read_image(path).pixels[0].tolist() == expected


@pytest.mark.parametrize(("tag", "count"), [(257, 2), (258, 0)])
def test_a_tiff_tag_with_another_count_of_values_is_no_crash(tmp_path: Path, tag: int, count: int) -> None:
    data = bytearray(tiff(GRAY, 1))
    start = data.index(struct.pack("<HHL", tag, 4, 1))
    data[start + 4 : start + 8] = struct.pack("<L", count)
    (tmp_path / "a.tif").write_bytes(data)
    with pytest.raises(ImageError, match="damaged"):
        read_image(tmp_path / "a.tif")


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


# EXIF 2.3 4.6.4: what the first row and column of the stored picture are, and so how [[1, 2, 3], [4, 5, 6]] must be shown.
TURNED = {
    1: [[1, 2, 3], [4, 5, 6]],
    2: [[3, 2, 1], [6, 5, 4]],
    3: [[6, 5, 4], [3, 2, 1]],
    4: [[4, 5, 6], [1, 2, 3]],
    5: [[1, 4], [2, 5], [3, 6]],
    6: [[4, 1], [5, 2], [6, 3]],
    7: [[6, 3], [5, 2], [4, 1]],
    8: [[3, 6], [2, 5], [1, 4]],
}


@pytest.mark.parametrize("orientation", TURNED)
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "JPEG"])
def test_every_orientation_is_turned_upright_with_a_notice(tmp_path: Path, kind: str, orientation: int) -> None:
    blocks = np.kron(np.arange(1, 7).reshape(2, 3) * 40, np.ones((16, 16))).astype(np.uint8)
    if kind == "TIFF":
        directory = TiffImagePlugin.ImageFileDirectory_v2()
        directory[0x0112] = orientation
        path = saved(tmp_path / "a.x", blocks, kind, tiffinfo=directory)
    else:
        path = saved(tmp_path / "a.x", blocks, kind, exif=b"Exif\0\0" + exif(orientation))
    film = read_image(path)
    assert np.round(film.pixels[8::16, 8::16] / 40).astype(int).tolist() == TURNED[orientation]
    assert (orientation == 1) == (film.notices == [])
    header = read_header(path)
    assert (header.width, header.height) == (film.width, film.height)


def test_the_first_picture_of_several_is_shown_with_a_notice(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    Image.fromarray(GRAY).save(path, "TIFF", save_all=True, append_images=[Image.fromarray(GRAY[::-1].copy())])
    film = read_image(path)
    assert np.array_equal(film.pixels, GRAY)
    assert any("several pictures" in notice for notice in film.notices)


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


def test_text_and_profiles_in_a_png_do_not_reach_the_decoder(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    more = chunk(b"acTL", b"\0") + chunk(b"iCCP", b"x\0\0damaged") + chunk(b"zTXt", b"k\0\0damaged")
    path.write_bytes(png(2, 1, b"\0\x05\x06", more=more))
    film = read_image(path)
    assert film.pixels.tolist() == [[5, 6]]
    assert any("animated" in notice for notice in film.notices)


def test_damaged_exif_does_not_stop_a_whole_picture(tmp_path: Path) -> None:
    broken = b"Exif\0\0II*\0\x08\0\0\0\xff\xff\x1a\x01\x05\0\xff\xff\xff\0\xff\xff\xff\xff"
    film = read_image(saved(tmp_path / "a.x", NOISE, "JPEG", exif=broken))
    assert film.pixels.shape == NOISE.shape


@pytest.mark.parametrize(("marker", "precision"), [(0xC3, 8), (0xC1, 12), (0xF7, 8)])
def test_jpeg_that_the_decoder_has_not_is_refused(tmp_path: Path, marker: int, precision: int) -> None:
    buffer = io.BytesIO()
    Image.fromarray(NOISE).save(buffer, "JPEG")
    data = bytearray(buffer.getvalue())
    start = data.index(b"\xff\xc0")
    data[start + 1], data[start + 4] = marker, precision
    (tmp_path / "a.jpg").write_bytes(data)
    with pytest.raises(UnsupportedImageError, match="JPEG"):
        read_image(tmp_path / "a.jpg")
