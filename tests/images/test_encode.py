"""Films for the browser."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from radharmony_core.images import encode_jpeg

FILM = np.tile(np.linspace(0, 255, 300).astype(np.uint8), (200, 1))

# rows, columns, max_side, the size given back, the reason
SIZES = [
    (200, 300, None, (300, 200), "as it is"),
    (200, 300, 300, (300, 200), "just fits"),
    (200, 300, 1400, (300, 200), "never larger"),
    (200, 300, 150, (150, 100), "half"),
    (300, 200, 150, (100, 150), "the longer side counts"),
    (3056, 2544, 1400, (1165, 1400), "2544 * 1400 / 3056 = 1165.4"),
    (2544, 3056, 1000, (1000, 832), "2544 * 1000 / 3056 = 832.5 to the even neighbour"),
    (1, 5000, 100, (100, 1), "never below one pixel"),
    (1, 1, 1, (1, 1), "one pixel"),
]


@pytest.mark.parametrize(("rows", "columns", "side", "size", "reason"), SIZES)
def test_the_aspect_is_kept_and_sides_are_rounded(
    rows: int, columns: int, side: int | None, size: tuple[int, int], reason: str
) -> None:
    film = encode_jpeg(np.zeros((rows, columns), np.uint8), max_side=side)
    with Image.open(io.BytesIO(film.data)) as image:
        assert (film.width, film.height) == image.size == size, reason
        assert (image.format, image.mode) == ("JPEG", "L")


def test_the_picture_is_the_film() -> None:
    with Image.open(io.BytesIO(encode_jpeg(FILM, quality=95).data)) as image:
        assert np.abs(np.asarray(image).astype(int) - FILM).max() <= 3


def test_shrinking_averages_and_does_not_overshoot() -> None:
    stripes = np.zeros((64, 64), np.uint8)
    stripes[:, ::2] = 200
    with Image.open(io.BytesIO(encode_jpeg(stripes, max_side=16, quality=95).data)) as image:
        assert np.abs(np.asarray(image).astype(int) - 100).max() <= 16
    edge = np.full((64, 64), 50, np.uint8)
    edge[:, 32:] = 150
    small = np.asarray(Image.open(io.BytesIO(encode_jpeg(edge, max_side=32, quality=95).data)))
    assert small.min() >= 46
    assert small.max() <= 154


def test_a_read_only_film_can_be_encoded() -> None:
    pixels = FILM.copy()
    pixels.setflags(write=False)
    assert encode_jpeg(pixels, max_side=100).width == 100


def test_a_film_longer_than_jpeg_can_be_is_made_smaller() -> None:
    assert encode_jpeg(np.zeros((2, 70_000), np.uint8)).width == 65_500


@pytest.mark.parametrize(
    ("pixels", "options"),
    [
        (np.zeros((2, 2), np.uint16), {}),
        (np.zeros((2, 2, 3), np.uint8), {}),
        (np.zeros((0, 2), np.uint8), {}),
        (FILM, {"max_side": 0}),
        (FILM, {"quality": 0}),
        (FILM, {"quality": 100}),
    ],
)
def test_other_input_is_a_value_error(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"expected|at least"):
        encode_jpeg(pixels, **options)
