"""Where the table comes from, and what is refused before anything is read."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.dataset import (
    CASIACXRDataset,
    DatasetWarning,
    DefaultTransform,
    MIMICCXRDataset,
    MIMICCXRJPGDataset,
    MSCXRDataset,
)
from radharmony_core.errors import ConfigError, MissingFileError, PickleRefusedError, SavedTableError, TableError
from radharmony_core.harmonizer import MSCXRHarmonizer
from tests.dataset.make import dataset, film, place_of, row

OFF: dict[str, Any] = {"cache_dir": None, "dtype": "float32"}


def test_too_little_is_refused(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    too_little: list[tuple[dict[str, Any], str]] = [
        ({}, "none of them"),
        ({"csv_path": table}, "csv_path"),
        ({"base_image_dir": files}, "base_image_dir"),  # as it was typed, whatever the harmonizer calls it
    ]
    for given, came in too_little:
        words = f"base_image_dir and csv_path, or one of harmonized_df, harmonizer and harmonizer_path; got {came}\\.$"
        with pytest.raises(ConfigError, match=words):
            MSCXRDataset(**given, **OFF)
    for sibling in (MIMICCXRJPGDataset, MIMICCXRDataset, CASIACXRDataset):
        with pytest.raises(ConfigError, match=r"root, or the paths.*got none of them"):
            sibling(**OFF)


def test_too_much_is_refused(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    harmonizer = MSCXRHarmonizer(table, files)
    with pytest.raises(ConfigError, match="harmonized_df and harmonizer"):
        MSCXRDataset(harmonizer=harmonizer, harmonized_df=harmonizer.harmonized_df, **OFF)
    with pytest.raises(ConfigError, match="harmonizer and harmonizer_path"):
        MSCXRDataset(harmonizer=harmonizer, harmonizer_path=tmp_path / "t.parquet", **OFF)
    with pytest.raises(ConfigError, match="got both"):
        MIMICCXRDataset(files, dicom_base_dir=files, **OFF)


def test_paths_that_are_not_there_are_said_at_once(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    with pytest.raises(MissingFileError, match="nowhere"):
        MSCXRDataset(tmp_path / "nowhere", table, **OFF)
    with pytest.raises(MissingFileError, match="it is a file"):
        MSCXRDataset(table, table, **OFF)
    with pytest.raises(MissingFileError, match=r"nowhere\.csv"):
        MSCXRDataset(files, tmp_path / "nowhere.csv", **OFF)
    with pytest.raises(MissingFileError, match=r"nowhere\.parquet"):
        MSCXRDataset(harmonizer_path=tmp_path / "nowhere.parquet", **OFF)


NO_PATHS: list[tuple[str, dict[str, Any], str]] = [
    ("a number as the folder", {"base_image_dir": 5}, "path as base_image_dir.*got 5"),
    ("a table as the CSV", {"csv_path": pd.DataFrame()}, "path as csv_path"),
    ("several CSVs", {"csv_path": ["a.csv", "b.csv"]}, "one path as csv_path"),
    ("a number as the cache", {"cache_dir": 5}, "path as cache_dir.*got 5"),
    ("truth as the cache", {"cache_dir": True}, "path as cache_dir.*got True"),
    ("bytes", {"base_image_dir": b"files"}, "path as base_image_dir"),
]


@pytest.mark.parametrize(("reason", "given", "words"), NO_PATHS, ids=[case[0] for case in NO_PATHS])
def test_what_is_no_path_is_refused_in_words(tmp_path: Path, reason: str, given: dict[str, Any], words: str) -> None:
    files, table = dataset(tmp_path)
    with pytest.raises(ConfigError, match=words):
        MSCXRDataset(**{"base_image_dir": files, "csv_path": table, **OFF, **given})


NO_PATHS_OF_SIBLINGS: list[tuple[Any, dict[str, Any], str]] = [
    (MIMICCXRJPGDataset, {"root": 5}, "path as root.*got 5"),
    (MIMICCXRJPGDataset, {"root": ["a", "b"]}, "one path as root"),
    (MIMICCXRJPGDataset, {"label_csv_path": [5]}, "path as label_csv_path.*got 5"),
    (MIMICCXRJPGDataset, {"label_csv_path": {"a": 1}}, "path as label_csv_path"),
    (MIMICCXRJPGDataset, {"label_source": ["chexpert"]}, "label_source"),
    (MIMICCXRDataset, {"dicom_base_dir": 5}, "path as dicom_base_dir or base_image_dir.*got 5"),
    (CASIACXRDataset, {"csv_path": [5]}, "path as csv_path.*got 5"),
    (MSCXRDataset, {"harmonizer_path": 5}, "path as harmonizer_path.*got 5"),
]


@pytest.mark.parametrize(("kind", "given", "words"), NO_PATHS_OF_SIBLINGS)
def test_the_siblings_refuse_them_too(tmp_path: Path, kind: Any, given: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        kind(**({"root": tmp_path} if kind in (MIMICCXRJPGDataset, MIMICCXRDataset) else {}) | given, **OFF)


@pytest.mark.parametrize("split", [["train"], ("train",), 5, {"train": 1}, b"train"])
def test_a_split_that_is_no_name_is_refused_in_words(tmp_path: Path, split: Any) -> None:
    with pytest.raises(ConfigError, match=r"name of one split as text.*got"):
        MSCXRDataset(*dataset(tmp_path), **OFF).get_datasets(split=split)


def test_other_objects_that_are_paths_are_paths(tmp_path: Path) -> None:
    class Own:
        def __init__(self, path: Path) -> None:
            self.path = path

        def __fspath__(self) -> str:
            return str(self.path)

    files, table = dataset(tmp_path)
    ds = MSCXRDataset(Own(files), Own(table), cache_dir=Own(tmp_path / "cache"), dtype="float32")  # type: ignore[arg-type]
    assert ds.get_datasets()[0]["img"].max() == 1


def test_another_datasets_harmonizer_is_refused(tmp_path: Path) -> None:
    class Other:
        kind = "casia_cxr"
        harmonized_df = pd.DataFrame()

    with pytest.raises(ConfigError, match="MSCXRHarmonizer; got Other, of another dataset"):
        MSCXRDataset(harmonizer=Other(), **OFF)
    for thing in (42, "t.parquet", pd.DataFrame()):
        with pytest.raises(ConfigError, match="object with harmonized_df"):
            MSCXRDataset(harmonizer=thing, **OFF)


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="DataFrame as harmonized_df; got list"):
        MSCXRDataset(tmp_path, harmonized_df=[], **OFF)  # type: ignore[arg-type]
    with pytest.raises(TableError, match="image_path"):
        MSCXRDataset(tmp_path, harmonized_df=pd.DataFrame({"a": [1]}), **OFF).get_datasets()
    with pytest.raises(TableError, match="edema"):
        MSCXRDataset(tmp_path, harmonized_df=pd.DataFrame({"image_path": ["a"]}), output_cls=True, **OFF).get_datasets()
    bare = MSCXRDataset(tmp_path, harmonized_df=pd.DataFrame({"image_path": ["a", "b"]}), **OFF)
    with pytest.raises(TableError, match="column patient_id"):
        bare.get_datasets(n_splits=2)
    with pytest.raises(TableError, match="column split"):
        bare.get_datasets(split="test")


def test_saved_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    with pytest.raises(ConfigError, match=r"t\.csv is a CSV. Read it with pandas and pass it as harmonized_df"):
        MSCXRDataset(harmonizer_path=tmp_path / "t.csv", **OFF)
    for name in ("t.pkl", "t.PICKLE"):
        (tmp_path / name).write_bytes(pickle.dumps([1]))
        words = rf"harmonizer=MSCXRHarmonizer\.load_from_saved\('.*{name}', allow_pickle=True\)"
        with pytest.raises(PickleRefusedError, match=words):  # there is no allow_pickle here
            MSCXRDataset(harmonizer_path=tmp_path / name, **OFF)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(SavedTableError):
        MSCXRDataset(harmonizer_path=tmp_path / "t.parquet", **OFF)


def test_a_pickle_comes_in_the_way_that_the_refusal_names(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    MSCXRHarmonizer(table).harmonized_df.to_pickle(tmp_path / "t.pkl")
    harmonizer = MSCXRHarmonizer.load_from_saved(tmp_path / "t.pkl", allow_pickle=True)
    assert MSCXRDataset(files, harmonizer=harmonizer, **OFF).get_datasets()[0]["img"].max() == 1


def test_a_table_without_a_folder_of_images_has_no_samples(tmp_path: Path) -> None:
    table = MSCXRHarmonizer(dataset(tmp_path)[1]).harmonized_df
    ds = MSCXRDataset(harmonized_df=table, **OFF)
    assert ds.get_harmonized_df().shape == (1, 17)
    for ask in (ds.get_datasets, ds.missing_images):
        with pytest.raises(ConfigError, match="Expected base_image_dir"):
            ask()


def test_a_folder_that_is_named_goes_before_the_harmonizers(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    harmonizer = MSCXRHarmonizer(table, files)
    film(tmp_path / "copy" / "files" / place_of(row()), np.zeros((100, 200), np.uint8))
    assert MSCXRDataset(harmonizer=harmonizer, **OFF).get_datasets()[0]["img"].max() == 1
    assert MSCXRDataset(tmp_path / "copy", harmonizer=harmonizer, **OFF).get_datasets()[0]["img"].max() == 0


def test_a_harmonizer_of_ones_own_is_an_object_with_a_table(tmp_path: Path) -> None:
    class Own:
        harmonized_df = pd.DataFrame({"image_path": ["a.png"], "bbox": ["[[0, 1, 0, 0.5]]"], "bbox_labels": ['["Edema"]']})

    film(tmp_path / "a.png", np.zeros((224, 224), np.uint8))
    ds = MSCXRDataset(tmp_path, harmonizer=Own(), output_bbox=True, **OFF)
    assert ds.get_datasets()[0]["bbox"] == [[0, 1, 0, 0.5]]
    assert ds.get_harmonized_df()["bbox"].tolist() == [[[0, 1, 0, 0.5]]]


def test_the_table_is_built_when_it_is_needed(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    harmonizer = MSCXRHarmonizer(table, files)
    for ds in (MSCXRDataset(files, table, **OFF), MSCXRDataset(harmonizer=harmonizer, **OFF)):
        whole = table.read_bytes()
        table.write_bytes(whole + whole.splitlines(keepends=True)[1].replace(b"image1", b"image2"))
        assert len(ds.get_datasets()) == 2, "a second image has come since"
        table.write_bytes(whole)


@pytest.mark.parametrize("depth", ["", "files", "files/p10"])
def test_the_images_folder_may_be_named_at_any_usual_depth(tmp_path: Path, depth: str) -> None:
    _, table = dataset(tmp_path / "mimic-cxr-jpg" / "2.1.0")
    ds = MSCXRDataset(tmp_path / "mimic-cxr-jpg" / "2.1.0" / depth, table, **OFF)
    assert ds.get_datasets()[0]["img"].max() == 1
    given = MSCXRDataset(tmp_path / "mimic-cxr-jpg" / "2.1.0" / depth, harmonized_df=ds.get_harmonized_df(), **OFF)
    assert given.get_datasets()[0]["img"].max() == 1


def test_a_folder_without_any_of_the_images_misses_each_by_name(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(2), films=False)
    ds = MSCXRDataset(files, table, **OFF)
    assert len(ds.get_datasets()) == len(ds.missing_images()) == 2
    with pytest.raises(MissingFileError, match="Row 1"):
        _ = ds.get_datasets()[1]


def test_a_class_of_transforms_is_no_transform(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"called with a sample; got the class .*DefaultTransform"):
        MSCXRDataset(*dataset(tmp_path), transform=DefaultTransform, **OFF)  # type: ignore[arg-type]


def test_a_transform_must_be_callable(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"transform.*str"):
        MSCXRDataset(*dataset(tmp_path), transform="resize", **OFF)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [MIMICCXRJPGDataset, MIMICCXRDataset, CASIACXRDataset])
@pytest.mark.parametrize("output", ["bbox", "mask"])
def test_what_a_dataset_has_not_is_said_with_one_that_has_it(tmp_path: Path, kind: Any, output: str) -> None:
    table = pd.DataFrame({"patient_id": ["1"], "image_path": ["a.png"]})
    with pytest.warns(DatasetWarning, match=f"output_{output} is left out: {kind.__name__} .* MSCXRDataset has") as caught:
        kind(tmp_path, harmonized_df=table, **{f"output_{output}": True}, **OFF)
    assert [warning.filename for warning in caught] == [__file__], "it points at the line that asked"
