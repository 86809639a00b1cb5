"""Films that an orientation tag turns upright: boxes that were measured on the stored picture turn with them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from radharmony_core.dataset import DatasetWarning, MSCXRDataset
from tests.dataset.make import BOX, dataset, place_of, rectangle, row

pytestmark = pytest.mark.filterwarnings("ignore:.*read_image:radharmony_core.dataset.DatasetWarning")  # the reader's notice
FULL: dict[str, Any] = {"dtype": np.float32, "output_bbox": True, "output_mask": True}
EDEMA = 3
# The stored picture has 100 rows and 200 columns; its box is rows 0.3 to 0.8 and columns 0.1 to 0.3. By TIFF 6.0 section 8:
TURNED = {
    5: [0.1, 0.3, 0.3, 0.8],
    6: [0.1, 0.3, 0.2, 0.7],
    7: [0.7, 0.9, 0.2, 0.7],
    8: [0.7, 0.9, 0.3, 0.8],
}


def tagged(path: Path, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    path.parent.mkdir(parents=True)
    Image.fromarray(rectangle(100, 200, **BOX)).save(path, format="PNG", exif=exif)


@pytest.mark.parametrize("orientation", TURNED)
def test_boxes_and_mask_turn_with_the_film(tmp_path: Path, orientation: int) -> None:
    files, table = dataset(tmp_path, films=False)
    tagged(files / place_of(row()), orientation)
    with pytest.warns(DatasetWarning, match="turned with the film"):
        sample = MSCXRDataset(files, table, cache_dir=None, transform=dict, **FULL).get_datasets()[0]
    assert sample["img"].shape == (1, 200, 100), "upright"
    assert sample["bbox"] == [pytest.approx(TURNED[orientation])]
    np.testing.assert_array_equal(sample["mask"][EDEMA], sample["img"][0], "both lie on what was painted")


def test_a_film_from_the_cache_knows_that_it_was_turned(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, films=False)
    tagged(files / place_of(row()), 6)
    data = [MSCXRDataset(files, table, cache_dir=tmp_path / "cache", **FULL).get_datasets() for _ in range(2)]
    with pytest.warns(DatasetWarning, match="turned with the film"):
        made, kept = (one[0] for one in data)
    assert made["bbox"] == kept["bbox"]
    white = made["img"][0] > 0.5
    assert (white == (kept["mask"][EDEMA] > 0)).mean() > 0.99


def test_a_table_that_speaks_of_the_upright_film_turns_nothing(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(height=200, width=100, x=30, y=20, w=50, h=40), films=False)
    tagged(files / place_of(row()), 5)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*boxes were measured.*")
        sample = MSCXRDataset(files, table, cache_dir=None, transform=dict, **FULL).get_datasets()[0]
    assert sample["bbox"] == [pytest.approx([0.1, 0.3, 0.3, 0.8])]
    np.testing.assert_array_equal(sample["mask"][EDEMA], sample["img"][0])


def test_a_film_that_keeps_its_shape_is_taken_as_upright_and_said(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, films=False)
    tagged(files / place_of(row()), 3)
    with pytest.warns(DatasetWarning, match="before or after"):
        sample = MSCXRDataset(files, table, cache_dir=None, transform=dict, **FULL).get_datasets()[0]
    assert sample["bbox"] == [[0.3, 0.8, 0.1, 0.3]]


SAID = [
    # reason, the table's size, the orientation tag, the words
    ("no size, and turned", ("", ""), 6, "no size.*before or after"),
    ("a film is never reduced so much", (20_000_000, 10_000_000), 1, "a factor of 100,000"),
    ("of one pixel", (1, 1), 1, "another shape than the table's 1 x 1"),
]


@pytest.mark.filterwarnings("ignore:.*a box has no place:radharmony_core.dataset.DatasetWarning")  # of a table's odd size
@pytest.mark.parametrize(("reason", "size", "orientation", "words"), SAID, ids=[one[0] for one in SAID])
def test_a_size_that_cannot_be_the_films_is_said(
    tmp_path: Path, reason: str, size: tuple[Any, Any], orientation: int, words: str
) -> None:
    files, table = dataset(tmp_path, row(width=size[0], height=size[1]), films=False)
    tagged(files / place_of(row()), orientation)
    with pytest.warns(DatasetWarning, match=words):
        assert MSCXRDataset(files, table, cache_dir=None, transform=dict, **FULL).get_datasets()[0], reason
