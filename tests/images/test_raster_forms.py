"""The forms that JPEG, PNG and TIFF come in: how they were coded, what they hold, what is said of them."""

from __future__ import annotations

import io
import struct
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, TiffImagePlugin

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.film import Kind
from radharmony_core.images.raster import Raster, read_raster
from tests.images.make import coded, exif, png, rgb, tiff

GRAY = np.random.default_rng(8).integers(0, 256, (21, 34)).astype(np.uint8)
DEEP = np.random.default_rng(9).integers(0, 4096, (21, 34)).astype(np.uint16)
SMOOTH = np.asarray(np.add.outer(np.arange(21) * 60, np.arange(34) * 70), np.uint16)


def read(kind: Kind, data: bytes) -> tuple[Raster, list[str]]:
    said: list[str] = []
    return read_raster(kind, data, "film", said), said


def lossless(cells: npt.NDArray[Any], bits: int) -> bytes:
    return bytes(imagecodecs.ljpeg_encode(cells, bitspersample=bits))


# kind, file, values, whether they are spread, bits, words
SAME: list[tuple[Kind, bytes, npt.NDArray[Any], bool, int, str]] = [
    ("jpeg", lossless(GRAY, 8), GRAY, False, 8, "JPEG, lossless, gray"),
    ("jpeg", lossless(DEEP, 12), DEEP, True, 12, "JPEG, lossless, gray"),
    ("jpeg", lossless(DEEP * 16, 16), DEEP * 16, True, 16, "JPEG, lossless, gray"),
    ("jpeg", bytes(imagecodecs.jpeg8_encode(rgb(GRAY), lossless=True)), GRAY, False, 8, "JPEG, lossless, colour"),
    ("png", coded(GRAY, "PNG"), GRAY, False, 8, "PNG, gray"),
    ("png", coded(DEEP, "PNG"), DEEP, True, 16, "PNG, gray"),
    ("png", bytes(imagecodecs.png_encode(DEEP)), DEEP, True, 16, "PNG, gray"),
    ("png", coded(rgb(GRAY, np.full_like(GRAY, 255)), "PNG"), GRAY, False, 8, "PNG, RGBA"),
    ("tiff", tiff(GRAY, 1), GRAY, False, 8, "TIFF, uncompressed"),
    ("tiff", tiff(GRAY.view(np.int8), 1, sample_format=2), GRAY.view(np.int8), True, 8, "TIFF, uncompressed"),
    ("tiff", tiff(DEEP, 1), DEEP, True, 16, "TIFF, uncompressed"),
    ("tiff", tiff(DEEP, 1, order=">"), DEEP, True, 16, "TIFF, uncompressed"),
    ("tiff", tiff(DEEP.view(np.int16) - 2000, 1, sample_format=2), DEEP.view(np.int16) - 2000, True, 16, "TIFF, uncompressed"),
    ("tiff", tiff(DEEP.astype(np.int32) - 9, 1, sample_format=2), DEEP.astype(np.int32) - 9, True, 32, "TIFF, uncompressed"),
    ("tiff", tiff(DEEP.astype(np.uint32) << 20, 1), DEEP.astype(np.uint32) << 20, True, 32, "TIFF, uncompressed"),
    ("tiff", tiff(DEEP / np.float32(7), 1, sample_format=3, order=">"), DEEP / np.float32(7), True, 32, "TIFF, uncompressed"),
    ("tiff", tiff(DEEP / 7.0, 1, sample_format=3), DEEP / 7.0, True, 64, "TIFF, uncompressed"),
    *(
        ("tiff", coded(cells, "TIFF", compression=compression), cells, cells.dtype != np.uint8, 8 * cells.itemsize, words)
        for cells in (GRAY, DEEP, DEEP.astype(np.int32) - 9, DEEP / np.float32(7))
        for compression, words in (
            ("tiff_lzw", "TIFF, LZW"),
            ("tiff_adobe_deflate", "TIFF, deflate"),
            ("packbits", "TIFF, PackBits"),
        )
    ),
]


@pytest.mark.parametrize(("kind", "data", "values", "is_spread", "bits", "words"), SAME)
def test_values_are_those_of_the_file(
    kind: Kind, data: bytes, values: npt.NDArray[Any], is_spread: bool, bits: int, words: str
) -> None:
    raster, said = read(kind, data)
    assert np.array_equal(raster.values, values)
    assert raster.values.flags.c_contiguous
    assert (raster.is_spread, raster.bits, raster.words) == (is_spread, bits, words)
    assert (raster.orientation, raster.stored_size) == (1, (34, 21))
    assert said == []


def test_jpeg_of_12_bits_in_a_file_of_its_own() -> None:
    raster, said = read("jpeg", bytes(imagecodecs.jpeg8_encode(SMOOTH, level=98, bitspersample=12)))
    assert np.abs(raster.values.astype(int) - SMOOTH).max() <= 12
    assert (raster.is_spread, raster.bits, raster.words, said) == (True, 12, "JPEG, extended, gray", [])


@pytest.mark.parametrize("orientation", range(1, 9))
def test_deep_values_are_turned_as_gray_levels_are(orientation: int) -> None:
    def turned(kind: Kind, data: bytes) -> npt.NDArray[Any]:
        raster, said = read(kind, data)
        assert (raster.orientation, raster.stored_size, len(said)) == (orientation, (34, 21), int(orientation != 1))
        return raster.values

    directory = TiffImagePlugin.ImageFileDirectory_v2()
    directory[0x0112] = orientation
    plain = turned("png", coded(GRAY, "PNG", exif=exif(orientation)))
    assert np.array_equal(turned("png", coded(GRAY.astype(np.uint16), "PNG", exif=exif(orientation))), plain)
    for compression in ("raw", "tiff_lzw"):
        for cells in (GRAY, GRAY.astype(np.uint16), GRAY.astype(np.float32)):
            assert np.array_equal(turned("tiff", coded(cells, "TIFF", tiffinfo=directory, compression=compression)), plain)


# WhiteIsZero: 0 is white, so the order of the values is the other way round.
@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "i2", "i4", "f4"])
@pytest.mark.parametrize("order", ["<", ">"])
def test_white_is_zero_turns_the_order_of_any_values(dtype: str, order: str) -> None:
    low = -120 if dtype[0] != "u" else 0
    cells = np.array([[low, low + 7, low + 100]], dtype)
    values = read("tiff", tiff(cells, 0, sample_format={"u": 1, "i": 2, "f": 3}[dtype[0]], order=order))[0].values.astype(float)
    assert (values - values.min()).tolist() == [[100, 93, 0]]


def test_the_ends_of_white_is_zero_do_not_run_over() -> None:
    for dtype, form in (("i4", 2), ("i2", 2), ("u4", 1)):
        limits = np.iinfo(dtype)
        cells = np.array([[limits.min, limits.max // 3, limits.max]], dtype)
        assert (np.diff(read("tiff", tiff(cells, 0, sample_format=form))[0].values.astype(float)) < 0).all(), dtype


def cmyk(out: str, *, marked: bool) -> bytes:
    """No ink but black: 60 of 255 black is 195 of 255 light. With the Adobe mark the numbers stand for light, not ink."""
    inks = np.zeros((16, 16, 4), np.uint8)
    inks[..., 3] = 60
    data = bytes(imagecodecs.jpeg8_encode(255 - inks if marked else inks, level=95, colorspace="CMYK", outcolorspace=out))
    start = data.find(b"\xff\xee")
    if marked:
        assert start > 0
        return data
    return data if start < 0 else data[:start] + data[start + 2 + int.from_bytes(data[start + 2 : start + 4], "big") :]


@pytest.mark.parametrize(("out", "marked"), [("CMYK", True), ("CMYK", False), ("YCCK", True)])
def test_four_inks_are_light_where_there_is_little_ink(out: str, marked: bool) -> None:
    raster, said = read("jpeg", cmyk(out, marked=marked))
    assert np.abs(raster.values.astype(int) - 195).max() <= 2
    assert any("CMYK" in words for words in said)


@pytest.mark.parametrize("subsampling", [0, 1, 2])
@pytest.mark.parametrize("progressive", [False, True])
def test_colour_jpeg_is_decoded_as_pillow_does(subsampling: int, progressive: bool) -> None:
    small = Image.fromarray(np.random.default_rng(2).integers(0, 256, (7, 9, 3)).astype(np.uint8))
    picture = np.asarray(small.resize((75, 61), Image.Resampling.BICUBIC))
    data = coded(picture, "JPEG", quality=90, subsampling=subsampling, progressive=progressive)
    with Image.open(io.BytesIO(data)) as image:
        expected = np.asarray(image.convert("L"))
    raster, said = read("jpeg", data)
    assert np.array_equal(raster.values, expected)
    assert said == ["The picture is in colour; its luminance is shown."]


def test_png_of_few_bits_palette_and_transparency() -> None:
    for depth in (1, 2, 4):
        rows = b"\0" + bytes([0b00_01_10_11 if depth == 2 else 0b0110_1001])
        width = 8 // depth
        digits = [(rows[1] >> (8 - depth * (i + 1))) & ((1 << depth) - 1) for i in range(width)]
        raster, said = read("png", png(width, 1, rows, depth=depth))
        assert raster.values.tolist() == [[digit * 255 // ((1 << depth) - 1) for digit in digits]]
        assert (raster.bits, raster.is_spread, said) == (depth, False, [])
    palette = Image.fromarray(GRAY).quantize(5)
    raster, _ = read("png", coded(np.asarray(palette.convert("L")), "PNG"))
    assert np.array_equal(raster.values, np.asarray(palette.convert("L")))


def test_a_strip_apart_is_found_and_a_strip_outside_is_refused() -> None:
    # Two strips of one row each, the second before the first; uncompressed, 16 bits.
    def two_strips(first: int, second: int) -> bytes:
        pixels = struct.pack("<4H", 30, 40, 10, 20)
        tags = [(256, 4, 1, 2), (257, 4, 1, 2), (258, 4, 1, 16), (259, 4, 1, 1), (262, 4, 1, 1), (273, 4, 2, 200)]
        tags += [(277, 4, 1, 1), (278, 4, 1, 1), (279, 4, 2, 208)]
        entries = b"".join(struct.pack("<HHLL", *tag) for tag in tags)
        head = b"II*\0" + struct.pack("<L", 16) + pixels + struct.pack("<H", len(tags)) + entries + bytes(4)
        return head.ljust(200, b"\0") + struct.pack("<4L", first, second, 4, 4)

    assert read("tiff", two_strips(12, 8))[0].values.tolist() == [[10, 20], [30, 40]]
    assert read("tiff", two_strips(8, 12))[0].values.tolist() == [[30, 40], [10, 20]]
    with pytest.raises(ImageError):
        read("tiff", two_strips(8, 4000))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (bytes(imagecodecs.jpeg8_encode(rgb(DEEP), lossless=True, bitspersample=12)), "colours of 12 bits"),
        (bytes(imagecodecs.jpegls_encode(DEEP)), "JPEG-LS"),
    ],
)
def test_jpeg_that_is_not_read_in_a_file_of_its_own(data: bytes, words: str) -> None:
    with pytest.raises(UnsupportedImageError, match=words):
        read("jpeg", data)
