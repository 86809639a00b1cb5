"""A map-style dataset: numbers, slices, iteration, splits of patients."""

from __future__ import annotations

import math
import multiprocessing
import operator
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.dataset import DatasetWarning, MSCXRDataset, SampleDataset
from radharmony_core.errors import ConfigError, MissingFileError
from tests.dataset.make import dataset, film, rectangle, row

OFF: dict[str, Any] = {"cache_dir": None, "dtype": "float32"}


@pytest.fixture
def five(tmp_path: Path) -> SampleDataset:
    """Films whose gray level is 10 times their number."""
    return MSCXRDataset(tmp_path, harmonized_df=grays(tmp_path, 5), **OFF).get_datasets()


def grays(folder: Path, count: int, images_a_patient: int = 1) -> pd.DataFrame:
    names = [f"{number}.png" for number in range(count)]
    for number, name in enumerate(names):
        film(folder / name, np.full((4, 4), 10 * number, np.uint8))
    patients = [str(number // images_a_patient) for number in range(count)]
    return pd.DataFrame(
        {"patient_id": patients, "image_path": names, "split": ["train", "test"] * (count // 2) + ["x"] * (count % 2)}
    )


def numbers(data: Any) -> list[int]:
    """Which films a dataset holds, in its order."""
    return [round(float(sample["img"].max()) * 25.5) for sample in data]


def test_it_says_what_it_is_in_a_line(five: SampleDataset, tmp_path: Path) -> None:
    assert repr(five[1:]) == f"<SampleDataset of 4 images below {tmp_path}>"


def test_it_is_indexed_as_a_list_is(five: SampleDataset) -> None:
    assert len(five) == 5
    assert numbers(five) == [0, 1, 2, 3, 4]
    assert numbers([five[0], five[-1], five[-5], five[np.int64(3)]]) == [0, 4, 0, 3]
    assert numbers(reversed(five)) == [4, 3, 2, 1, 0]
    assert numbers(five) == [0, 1, 2, 3, 4], "and may be gone through again"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (slice(1, 3), [1, 2]),
        (slice(None, None, -2), [4, 2, 0]),
        (slice(-2, None), [3, 4]),
        (slice(3, 3), []),
        (slice(9, 12), []),
    ],
)
def test_a_slice_is_a_dataset_of_those(five: SampleDataset, part: slice, expected: list[int]) -> None:
    some = five[part]
    assert isinstance(some, SampleDataset)
    assert len(some) == len(expected)
    assert numbers(some) == expected


@pytest.mark.parametrize("index", [5, -6, 10**9])
def test_beyond_the_end_is_an_index_error(five: SampleDataset, index: int) -> None:
    with pytest.raises(IndexError, match="there are 5"):
        _ = five[index]


@pytest.mark.parametrize("index", ["0", 1.0, None])
def test_what_is_no_number_is_refused(five: SampleDataset, index: Any) -> None:
    with pytest.raises(TypeError):
        _ = five[index]


def test_an_empty_table_is_an_empty_dataset(tmp_path: Path) -> None:
    data = MSCXRDataset(tmp_path, harmonized_df=grays(tmp_path, 0), **OFF).get_datasets()
    assert len(data) == 0
    assert list(data) == []
    with pytest.raises(IndexError):
        _ = data[0]


def test_an_empty_file_is_an_empty_dataset(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    table.write_text(table.read_text().splitlines()[0] + "\n")
    ds = MSCXRDataset(files, table, output_cls=True, output_bbox=True, output_mask=True, output_report=True, **OFF)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ds.get_datasets()) == 0
    assert ds.missing_images().empty


def test_a_filtered_table_keeps_its_rows_numbers(tmp_path: Path) -> None:
    table = grays(tmp_path, 6)
    data = MSCXRDataset(tmp_path, harmonized_df=table[table["split"] == "test"], **OFF).get_datasets()
    assert numbers(data) == [1, 3, 5]


def test_training_and_validation_share_no_patient(tmp_path: Path) -> None:
    table = grays(tmp_path, 20, images_a_patient=2)
    ds = MSCXRDataset(tmp_path, harmonized_df=table, **OFF)
    train, validation = ds.get_datasets(n_splits=5)
    assert (len(train), len(validation)) == (16, 4)
    assert sorted(numbers(train) + numbers(validation)) == list(range(20))
    assert not {number // 2 for number in numbers(train)} & {number // 2 for number in numbers(validation)}
    again = MSCXRDataset(tmp_path, harmonized_df=table, **OFF).get_datasets(n_splits=5)
    assert [numbers(part) for part in again] == [numbers(train), numbers(validation)]
    assert numbers(ds.get_datasets(n_splits=5, seed=1)[1]) != numbers(validation)


def test_all_folds_are_a_cross_validation(tmp_path: Path) -> None:
    ds = MSCXRDataset(tmp_path, harmonized_df=grays(tmp_path, 10), **OFF)
    held = [numbers(ds.get_datasets(n_splits=5, fold=fold)[1]) for fold in range(5)]
    assert sorted(number for part in held for number in part) == list(range(10))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_splits": 5, "fold": 5}, "fold of 0 to 4"),
        ({"n_splits": 5, "fold": -1}, "fold of 0 to 4"),
        ({"n_splits": 5, "fold": 1.5}, "fold of 0 to 4"),
        ({"n_splits": 1}, "2 or more"),
        ({"n_splits": 11}, "at most 10"),
        ({"fold": 2}, "n_splits where a fold"),
        ({"split": "validate"}, r"'test' \(5 images\), 'train' \(5 images\); got 'validate'"),
    ],
)
def test_what_cannot_be_divided_is_refused(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    ds = MSCXRDataset(tmp_path, harmonized_df=grays(tmp_path, 10), **OFF)
    with pytest.raises(ConfigError, match=words):
        ds.get_datasets(**options)


def test_a_published_split_may_be_divided_further(tmp_path: Path) -> None:
    ds = MSCXRDataset(tmp_path, harmonized_df=grays(tmp_path, 20), **OFF)
    assert numbers(ds.get_datasets(split="test")) == list(range(1, 20, 2))
    train, validation = ds.get_datasets(n_splits=5, split="test")
    assert sorted(numbers(train) + numbers(validation)) == list(range(1, 20, 2))


def test_images_of_no_patient_stay_together_and_it_is_said(tmp_path: Path) -> None:
    table = grays(tmp_path, 10)
    table.loc[[0, 3, 7], "patient_id"] = math.nan
    with pytest.warns(DatasetWarning, match="3 images name no patient"):
        parts = MSCXRDataset(tmp_path, harmonized_df=table, **OFF).get_datasets(n_splits=2)
    assert sorted(len({0, 3, 7} & set(numbers(part))) for part in parts) == [0, 3]


def test_numbers_as_ids_are_read_as_text(tmp_path: Path) -> None:
    table = grays(tmp_path, 10)
    whole = MSCXRDataset(tmp_path, harmonized_df=table.astype({"patient_id": int}), **OFF).get_datasets(n_splits=5)
    text = MSCXRDataset(tmp_path, harmonized_df=table, **OFF).get_datasets(n_splits=5)
    assert [numbers(part) for part in whole] == [numbers(part) for part in text]


def test_the_published_split_is_refused_where_there_is_none(tmp_path: Path) -> None:
    ds = MSCXRDataset(*dataset(tmp_path, row(1, split="")), **OFF)
    with pytest.raises(ConfigError, match=r"has none.*n_splits=5"):
        ds.get_datasets(split="train")


def test_another_process_gives_samples_and_names_what_is_missing(five: SampleDataset, tmp_path: Path) -> None:
    (tmp_path / "4.png").unlink()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert numbers([pool.submit(operator.getitem, five, 3).result()]) == [3]
        with pytest.raises(MissingFileError, match=r"^Row 4 \(4\.png\): there is no such image"):
            pool.submit(operator.getitem, five, 4).result()


def test_a_custom_transform_gets_the_film_at_its_own_size_and_gives_what_it_likes(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    full: dict[str, Any] = {**OFF, "output_bbox": True, "output_mask": True, "output_cls": True}

    def flipped(sample: dict[str, Any]) -> dict[str, Any]:
        assert sample["img"].dtype == np.float32
        np.testing.assert_array_equal(sample["img"][0] * 255, rectangle(100, 200, 20, 30, 40, 50))
        np.testing.assert_array_equal(sample["mask"][3] * 255, rectangle(100, 200, 20, 30, 40, 50))
        boxes = [[top, bottom, 1 - right, 1 - left] for top, bottom, left, right in sample["bbox"]]
        return {**sample, "img": sample["img"][..., ::-1].astype(np.float64), "bbox": boxes, "extra": "kept"}

    sample = MSCXRDataset(files, table, transform=flipped, **full).get_datasets()[0]
    assert sample["img"].dtype == np.float32, "what comes back is brought to dtype"
    assert sample["bbox"] == [pytest.approx([0.3, 0.8, 0.7, 0.9])]
    assert sample["extra"] == "kept"

    def spoils(sample: dict[str, Any]) -> dict[str, Any]:
        assert sample["cls"].tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
        sample["cls"][...] = 7
        return sample

    spoiled = MSCXRDataset(files, table, transform=spoils, **full).get_datasets()
    assert [sample["cls"].max() for sample in (spoiled[0], spoiled[0])] == [7, 7], "what it gets is its own"
    crops = MSCXRDataset(files, table, transform=lambda sample: [sample, sample], **full).get_datasets()[0]
    assert [crop["img"].shape for crop in crops] == [(1, 100, 200)] * 2
    assert MSCXRDataset(files, table, transform=lambda sample: len(sample), **full).get_datasets()[0] == 5
