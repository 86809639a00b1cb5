"""Files of another size than the table says: boxes are fractions, and a shape that no resizing gives is said, film by film."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from radharmony_core.dataset import DatasetWarning, MSCXRDataset
from tests.dataset.make import BOX, dataset, film, place_of, rectangle, row, white_box

FULL: dict[str, Any] = {"cache_dir": None, "dtype": np.float32, "output_bbox": True, "output_mask": True}
EDEMA = 3


def squashed(count: int = 1, side: int = 60) -> list[dict[str, object]]:
    """Rows of films that lie, 100 x 200, of which square copies are on the disk."""
    return [row(1, patient=f"1000{number:04}", dicom_id=f"i{number}") for number in range(count)]


def square_copies(files: Path, rows: list[dict[str, object]], side: int = 60) -> None:
    original = Image.fromarray(rectangle(100, 200, **BOX))
    for cells in rows:
        film(files / place_of(cells), np.asarray(original.resize((side, side), Image.Resampling.BOX)))


def overlap(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    return float((one & other).sum() / (one | other).sum())


def test_a_resized_copy_keeps_its_boxes(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(height=1000, width=2000, x=200, y=300, w=400, h=500), films=False)
    film(files / place_of(row()), rectangle(100, 200, **BOX))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sample = MSCXRDataset(files, table, **FULL).get_datasets()[0]
    assert white_box(sample["img"]) == pytest.approx(np.array(sample["bbox"][0]) * 224, abs=0.5)


@pytest.mark.parametrize("side", [60, 224, 512])
def test_a_squashed_copy_keeps_the_fractions_of_the_table(tmp_path: Path, side: int) -> None:
    """People keep all films at 512 x 512, whatever their shape was. The box of 0.3..0.8 and 0.1..0.3 stays that."""
    rows = squashed()
    files, table = dataset(tmp_path, *rows, films=False)
    square_copies(files, rows, side)
    with pytest.warns(DatasetWarning, match="another shape"):
        sample = MSCXRDataset(files, table, **FULL).get_datasets()[0]
    assert sample["bbox"] == [pytest.approx([0.3, 0.8, 0.1, 0.3])]
    white = sample["img"][0] > 0.5
    assert overlap(white, sample["mask"][EDEMA] > 0) > 0.95, "the mask follows the box, and both lie on what was painted"


def test_in_a_custom_transform_they_are_the_same(tmp_path: Path) -> None:
    rows = squashed()
    files, table = dataset(tmp_path, *rows, films=False)
    square_copies(files, rows)
    with pytest.warns(DatasetWarning, match="another shape"):
        sample = MSCXRDataset(files, table, transform=dict, **FULL).get_datasets()[0]
    assert sample["bbox"] == [[0.3, 0.8, 0.1, 0.3]]
    assert overlap(sample["img"][0] > 0.5, sample["mask"][EDEMA] > 0) > 0.9


def test_the_warning_says_what_is_assumed_how_many_there_are_and_which(tmp_path: Path) -> None:
    rows = [*squashed(2), row(9)]
    files, table = dataset(tmp_path, *rows)
    square_copies(files, rows[:2])
    data = MSCXRDataset(files, table, **FULL).get_datasets()
    with pytest.warns(DatasetWarning) as caught:
        _ = [data[number] for number in (0, 1, 2, 0, 1, 2)]
    words = [str(warning.message) for warning in caught]
    assert len(words) == 2, "each such film once"
    assert words[0].startswith(
        f"Row 0 ({place_of(rows[0])}): the file is 60 x 60 pixels, another shape than the table's 200 x 100"
    )
    assert "fractions of the whole picture" in words[0]
    assert "cropped" in words[0]
    assert words[0].endswith(f"1 so far: {place_of(rows[0])}.")
    assert words[1].endswith(f"2 so far: {place_of(rows[0])}, {place_of(rows[1])}.")


def test_a_whole_tree_of_them_is_no_wall_of_warnings(tmp_path: Path) -> None:
    rows = squashed(101)
    files, table = dataset(tmp_path, *rows, films=False)
    square_copies(files, rows)
    data = MSCXRDataset(files, table, **FULL).get_datasets()
    with pytest.warns(DatasetWarning) as caught:
        _ = list(data)
    words = [str(warning.message) for warning in caught]
    assert [word.rpartition(" so far")[0].rpartition(" ")[2] for word in words] == [*map(str, range(1, 11)), "100"]
    assert words[-1].endswith(f"100 so far: {', '.join(place_of(cells) for cells in rows[:3])} and others.")


def test_without_boxes_the_shape_matters_to_nobody(tmp_path: Path) -> None:
    rows = squashed()
    files, table = dataset(tmp_path, *rows, films=False)
    square_copies(files, rows)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert MSCXRDataset(files, table, cache_dir=None, output_cls=True).get_datasets()[0]["img"].shape == (1, 224, 224)
