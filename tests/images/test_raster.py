"""JPEG, PNG and TIFF: gray, colour, transparency, orientation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, TiffImagePlugin

from radharmony_core.images import read_header, read_image
from tests.images.make import chunk, exif, png, rgb, saved

GRAY = np.arange(0, 240, 12, dtype=np.uint8).reshape(4, 5)
NOISE = np.random.default_rng(5).integers(0, 256, (64, 72)).astype(np.uint8)


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
