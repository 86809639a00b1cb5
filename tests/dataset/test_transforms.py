"""The default transform: where a film comes to lie, by hand, and that boxes lie where their pixels do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.boxes import NormBox
from radharmony_core.dataset import DefaultTransform, MSCXRDataset
from radharmony_core.errors import ConfigError
from tests.dataset.make import BOX, dataset, rectangle, row, white_box
from tests.images.make import dicom

LETTERBOXES = [
    # reason, height, width, size, (top, left, height, width)
    ("a square fills it", 512, 512, 224, (0, 0, 224, 224)),
    ("twice as wide as high", 100, 200, 224, (56, 0, 112, 224)),
    ("twice as high as wide", 200, 100, 224, (0, 56, 224, 112)),
    ("MIMIC-CXR's usual film: 2544 * 224 / 3056 is 186.47", 3056, 2544, 224, (0, 19, 224, 186)),
    ("lying: 37 pixels are left, 18 above and 19 below", 2500, 3000, 224, (18, 0, 187, 224)),
    ("one pixel", 1, 1, 224, (0, 0, 224, 224)),
    ("smaller than the square", 3, 2, 6, (0, 1, 6, 4)),
    ("a line: at least one pixel is left of it", 1, 10_000, 224, (111, 0, 1, 224)),
    ("a square of one pixel", 30, 20, 1, (0, 0, 1, 1)),
]


@pytest.mark.parametrize(("reason", "height", "width", "size", "where"), LETTERBOXES, ids=[case[0] for case in LETTERBOXES])
def test_a_film_lies_where_it_should(reason: str, height: int, width: int, size: int, where: tuple[int, ...]) -> None:
    assert DefaultTransform(size).letterbox(height, width) == (*where, size), reason


def test_a_box_moves_with_the_film() -> None:
    where = DefaultTransform(224).letterbox(100, 200)  # rows 56 to 168
    assert where.place(NormBox(0, 1, 0, 1)) == pytest.approx((0.25, 0.75, 0, 1))
    assert where.place(NormBox(0.5, 0.75, 0.25, 0.5)) == pytest.approx((0.5, 0.625, 0.25, 0.5))
    assert where.place(NormBox(-1, 2, 0, 1)) == pytest.approx((-0.25, 1.25, 0, 1)), "beyond the film is beyond the film"
    assert math.isnan(where.place(NormBox(math.nan, 1, 0, 1)).y_min)


FILMS = [
    ("lying", 100, 200, BOX),
    ("standing", 200, 100, BOX),
    ("square", 224, 224, {"x": 10, "y": 100, "w": 71, "h": 37}),
    ("odd sides", 301, 257, {"x": 33, "y": 77, "w": 111, "h": 101}),
    ("enlarged", 20, 31, {"x": 5, "y": 4, "w": 10, "h": 8}),
    ("reduced a lot", 2544, 3056, {"x": 200, "y": 900, "w": 800, "h": 700}),
    ("at the corner", 100, 200, {"x": 0, "y": 0, "w": 50, "h": 40}),
    ("the whole film", 90, 70, {"x": 0, "y": 0, "w": 70, "h": 90}),
    ("one pixel", 1, 1, {"x": 0, "y": 0, "w": 1, "h": 1}),
]


@pytest.mark.parametrize(("reason", "height", "width", "box"), FILMS, ids=[case[0] for case in FILMS])
@pytest.mark.parametrize("size", [224, 97])
def test_the_white_pixels_lie_in_their_box(
    tmp_path: Path, reason: str, height: int, width: int, box: dict[str, int], size: int
) -> None:
    files, table = dataset(tmp_path, row(height=height, width=width, **box))
    options: dict[str, Any] = {"cache_dir": None, "dtype": np.float32, "output_bbox": True, "output_mask": True}
    sample = MSCXRDataset(files, table, transform=DefaultTransform(size), **options).get_datasets()[0]
    assert sample["img"].shape == (1, size, size)
    in_pixels = np.array(sample["bbox"][0]) * size
    assert white_box(sample["img"]) == pytest.approx(in_pixels, abs=0.5 + 1e-9), "half a pixel, and the float of an edge on it"
    assert white_box(sample["mask"][3]) == pytest.approx(in_pixels, abs=0.5 + 1e-9)
    assert sample["img"].min() >= 0
    assert sample["img"].max() == 1


def test_values_are_those_of_the_film_and_the_border_is_black() -> None:
    pixels = np.full((50, 100), 51, np.uint8)
    square = DefaultTransform(10).fit(pixels)
    assert square.dtype == np.uint8
    np.testing.assert_array_equal(square[2:7], np.full((5, 10), 51))
    assert not square[:2].any()
    assert not square[7:].any()


def test_a_film_is_averaged_when_it_is_reduced() -> None:
    """A checkerboard becomes gray: picking pixels would give black or white, and moire on a grid's lines."""
    board = np.indices((400, 400)).sum(axis=0) % 2 * 255
    assert np.abs(DefaultTransform(40).fit(board.astype(np.uint8)).astype(int) - 127).max() <= 2


def test_sixteen_bit_dicom_keeps_its_box_and_its_range(tmp_path: Path) -> None:
    cells = rectangle(64, 48, 30, 10, 10, 20).astype(np.uint16) * 257
    files, table = dataset(tmp_path, row(height=64, width=48, x=30, y=10, w=10, h=20), films=False)
    path = files / "p10" / "p10000001" / "s50000001" / "image1.dcm"
    path.parent.mkdir(parents=True)
    dicom(path, cells, WindowCenter=None)
    ds = MSCXRDataset(files, table, cache_dir=None, dtype=np.float32, output_bbox=True)
    with pytest.warns(UserWarning, match=r"image1\.dcm"):  # without a window the range had to be chosen, which is said
        sample = ds.get_datasets()[0]
    assert (sample["img"].min(), sample["img"].max()) == (0, 1)
    assert white_box(sample["img"]) == pytest.approx(np.array(sample["bbox"][0]) * 224, abs=0.5)
    # 48 x 64 becomes 168 x 224, from column 28 on: y is 10 and 30 of 64, x is 30 and 40 of 48.
    assert sample["bbox"] == [pytest.approx([10 / 64, 30 / 64, (28 + 105) / 224, (28 + 140) / 224])]


class Negative(DefaultTransform):
    """As somebody writes it who wants the default, and one thing more."""

    def __call__(self, sample: Mapping[str, Any]) -> dict[str, Any]:
        made = super().__call__(sample)
        return {**made, "img": 1 - made["img"]}


class Brighter(DefaultTransform):
    def fit(self, pixels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return super().fit(pixels) * 0.5


@pytest.mark.parametrize(("kind", "black", "white"), [(DefaultTransform, 0, 1), (Negative, 1, 0), (Brighter, 0, 0.5)])
def test_a_subclass_is_called_and_not_answered_from_the_defaults_cache(
    tmp_path: Path, kind: type[DefaultTransform], black: float, white: float
) -> None:
    files, table = dataset(tmp_path)
    options: dict[str, Any] = {"dtype": np.float32, "output_bbox": True, "cache_dir": tmp_path / "cache"}
    plain = MSCXRDataset(files, table, **options).get_datasets()[0]  # its film is in the cache from now on
    for cache in (tmp_path / "cache", None):
        sample = MSCXRDataset(files, table, **{**options, "cache_dir": cache, "transform": kind()}).get_datasets()[0]
        assert (sample["img"][0, 0, 0], sample["img"][0, 100, 40]) == pytest.approx((black, white)), cache
        assert sample["bbox"] == plain["bbox"]


def test_a_size_may_be_numpys(tmp_path: Path) -> None:
    assert DefaultTransform(np.int64(32)) == DefaultTransform(32)  # type: ignore[arg-type]
    assert type(DefaultTransform(np.int64(32)).size) is int  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, -1, 8193, 224.0, "224", None, True, np.True_, np.float64(224), [224]])
def test_a_size_that_cannot_be_is_refused(size: Any) -> None:
    with pytest.raises(ConfigError, match="1 to 8192"):
        DefaultTransform(size)


def test_as_a_transform_on_samples_it_does_the_same_and_changes_nothing(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(height=130, width=201, x=17, y=33, w=100, h=61))
    options: dict[str, Any] = {
        "cache_dir": None,
        "dtype": np.float32,
        "output_bbox": True,
        "output_mask": True,
        "output_cls": True,
    }
    seen: list[dict[str, Any]] = []

    def keep_and_fit(sample: dict[str, Any]) -> dict[str, Any]:
        seen.append(sample)
        return DefaultTransform(60)(sample)

    fitted = MSCXRDataset(files, table, transform=keep_and_fit, **options).get_datasets()[0]
    default = MSCXRDataset(files, table, transform=DefaultTransform(60), **options).get_datasets()[0]
    assert seen[0]["img"].shape == (1, 130, 201), "the sample given stays as it was"
    assert seen[0]["mask"].shape == (8, 130, 201)
    assert fitted["bbox"] == default["bbox"]
    np.testing.assert_allclose(fitted["img"], default["img"], atol=1 / 255)
    np.testing.assert_array_equal(fitted["mask"], default["mask"])
    np.testing.assert_array_equal(fitted["cls"], default["cls"])
    assert set(np.unique(fitted["mask"])) == {0, 1}
