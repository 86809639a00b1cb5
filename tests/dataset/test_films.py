"""Which file a row's film is, and rows without one: listed, never skipped, never another row's film."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.dataset import DatasetWarning, MSCXRDataset
from radharmony_core.errors import MissingFileError, OutsideRootError, RadHarmonyError
from tests.dataset.make import dataset, film, place_of, row

ARRAYS: dict[str, Any] = {"cache_dir": None, "dtype": np.float32}


def flat(path: Path, value: int) -> Path:
    return film(path, np.full((8, 8), value, np.uint8))


def table_of(*paths: str | None) -> pd.DataFrame:
    return pd.DataFrame({"patient_id": "1", "image_path": pd.Series(paths, dtype="str")})


def test_rows_without_an_image_are_listed_and_stay(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(2), row(3), row(4, path=""))
    (files / place_of(row(2))).unlink()
    ds = MSCXRDataset(files, table, **ARRAYS)
    missing = ds.missing_images()
    assert missing.index.tolist() == [1, 3]
    assert missing["image_path"].tolist()[0] == place_of(row(2))
    data = ds.get_datasets()
    assert len(data) == 4
    assert data[2]["img"].max() == 1
    with pytest.raises(MissingFileError, match=r"Row 1 \(p10/p10000002/s50000002/image2\.jpg\): there is no such image below"):
        _ = data[1]
    with pytest.raises(MissingFileError, match="Row 3 names no image"):
        _ = data[3]


def test_the_way_out_that_the_message_names_works(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(2), row(3))
    (files / place_of(row(2))).unlink()
    ds = MSCXRDataset(files, table, **ARRAYS)
    with pytest.raises(MissingFileError, match=r"harmonized_df=present_images\(\)"):
        _ = ds.get_datasets()[1]
    without = MSCXRDataset(files, harmonized_df=ds.present_images(), **ARRAYS)
    assert len(list(without.get_datasets())) == 2
    assert without.missing_images().empty


def test_an_index_that_repeats_loses_no_row(tmp_path: Path) -> None:
    """As of tables put together: to drop the missing ones by their index would take sound ones of the same number with them."""
    files, table = dataset(tmp_path, row(1), row(2))
    whole = MSCXRDataset(files, table, **ARRAYS).get_harmonized_df()
    joined = pd.concat([whole, whole.head(1).assign(image_path="nowhere.jpg"), whole])
    ds = MSCXRDataset(files, harmonized_df=joined, **ARRAYS)
    present, missing = ds.present_images(), ds.missing_images()
    assert present["image_path"].tolist() == [place_of(row(number)) for number in (1, 2, 1, 2)]
    assert missing["image_path"].tolist() == ["nowhere.jpg"]
    assert (present.index.tolist(), missing.index.tolist()) == ([0, 1, 0, 1], [0])
    assert list(present.columns) == list(missing.columns) == list(whole.columns)


def test_both_tables_are_the_callers_own(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(2))
    (files / place_of(row(2))).unlink()
    ds = MSCXRDataset(files, table, output_bbox=True, **ARRAYS)
    for part in (ds.present_images(), ds.missing_images()):
        part["bbox"].iloc[0][0][0] = 9.0
        part["patient_id"] = "nobody"
    assert ds.get_harmonized_df()["bbox"].tolist() == [[[0.3, 0.8, 0.1, 0.3]]] * 2
    assert "nobody" not in ds.get_harmonized_df()["patient_id"].tolist()


def test_an_empty_table_keeps_its_columns(tmp_path: Path) -> None:
    files, table = dataset(tmp_path)
    empty = MSCXRDataset(files, table, **ARRAYS).get_harmonized_df().head(0)
    ds = MSCXRDataset(files, harmonized_df=empty, **ARRAYS)
    for part in (ds.missing_images(), ds.present_images()):
        assert (len(part), list(part.columns)) == (0, list(empty.columns))


@pytest.mark.parametrize("linked", ["p10", "p10/p10000001", "p10/p10000001/s50000001", "p10/p10000001/s50000001/image1.jpg"])
def test_films_that_a_link_leads_out_to_are_missing_and_the_reason_is_said(tmp_path: Path, linked: str) -> None:
    """People put a part of a large dataset on another disk. What is outside is not opened, so it is not called present."""
    files, table = dataset(tmp_path, row(1), row(2, patient="11000000", path="files/p11/p11000000/s50000002/image2.jpg"))
    (tmp_path / "disk2").mkdir()
    (files / linked).rename(tmp_path / "disk2" / "moved")
    (files / linked).symlink_to(tmp_path / "disk2" / "moved")
    ds = MSCXRDataset(files, table, **ARRAYS)
    with pytest.warns(
        DatasetWarning, match=r"1 images count as missing because .* lead out of .*image1\.jpg.*Copy them"
    ) as caught:
        missing = [ds.missing_images().index.tolist() for _ in range(2)]
    assert missing == [[0], [0]]
    assert len(caught) == 1
    with pytest.raises(OutsideRootError, match="Row 0"):
        _ = ds.get_datasets()[0]
    assert ds.get_datasets()[1]["img"].max() == 1


@pytest.mark.parametrize("base", ["", "files"])
def test_where_all_films_are_behind_such_a_link_it_is_said_too(tmp_path: Path, base: str) -> None:
    files, table = dataset(tmp_path / "data", row(1), row(2))
    (files / "p10").rename(tmp_path / "disk2")
    (files / "p10").symlink_to(tmp_path / "disk2")
    ds = MSCXRDataset(tmp_path / "data" / base, table, **ARRAYS)
    with pytest.warns(DatasetWarning, match="2 images count as missing because .* lead out"):
        assert len(ds.missing_images()) == 2
    with pytest.raises(OutsideRootError, match="Row 0"):
        _ = ds.get_datasets()[0]


def test_links_inside_the_folder_are_no_trouble(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1))
    (files / "p10" / "p10000001").rename(files / "real")
    (files / "p10" / "p10000001").symlink_to(files / "real")
    (tmp_path / "linked").symlink_to(files)
    for folder in (files, tmp_path / "linked"):
        ds = MSCXRDataset(folder, table, **ARRAYS)
        assert ds.missing_images().empty
        assert ds.get_datasets()[0]["img"].max() == 1


def test_a_table_of_another_tree_finds_its_films(tmp_path: Path) -> None:
    flat(tmp_path / "a.DCM", 100), flat(tmp_path / "b.png", 200)
    data = MSCXRDataset(tmp_path, harmonized_df=table_of("a.jpg", "b.jpg"), **ARRAYS).get_datasets()
    assert [round(float(sample["img"].max()) * 255) for sample in data] == [100, 200]


def test_a_film_is_never_taken_for_that_of_another_row(tmp_path: Path) -> None:
    flat(tmp_path / "a.png", 100), flat(tmp_path / "c.dcm", 50)
    ds = MSCXRDataset(tmp_path, harmonized_df=table_of("a.jpg", "a.png", "c.jpg"), **ARRAYS)
    data = ds.get_datasets()
    assert round(float(data[1]["img"].max()) * 255) == 100
    assert round(float(data[2]["img"].max()) * 255) == 50
    with pytest.raises(MissingFileError, match=r"Row 0 \(a\.jpg\)"):
        _ = data[0]
    assert ds.missing_images().index.tolist() == [0]


@pytest.mark.parametrize("path", ["../secret.png", "/etc/hostname", "inner/../../secret.png", "link.png"])
def test_nothing_outside_the_folder_is_opened(tmp_path: Path, path: str) -> None:
    flat(tmp_path / "secret.png", 100)
    flat(tmp_path / "files" / "inner" / "b.png", 100)
    (tmp_path / "files" / "link.png").symlink_to(tmp_path / "secret.png")
    ds = MSCXRDataset(tmp_path / "files", harmonized_df=table_of(path, "inner/b.png"), **ARRAYS)
    with pytest.raises(OutsideRootError, match="Row 0"):
        _ = ds.get_datasets()[0]


def test_paths_that_are_numbers_are_read_as_text(tmp_path: Path) -> None:
    flat(tmp_path / "1", 100)
    data = MSCXRDataset(tmp_path, harmonized_df=pd.DataFrame({"image_path": [1, 2]}), **ARRAYS).get_datasets()
    assert data[0]["img"].max() > 0
    with pytest.raises(MissingFileError, match=r"Row 1 \(2\)"):
        _ = data[1]


@pytest.mark.parametrize("path", ["", ".", "inner", "a\0b.png", "x" * 300 + ".png", "nowhere/a.png", "b.png/c.png"])
def test_odd_paths_are_refused_in_words(tmp_path: Path, path: str) -> None:
    flat(tmp_path / "b.png", 100), flat(tmp_path / "inner" / "d.png", 100)
    ds = MSCXRDataset(tmp_path, harmonized_df=table_of(path, "b.png"), **ARRAYS)
    with pytest.raises(RadHarmonyError, match=r"^Row 0 (?!.*Row 0)"):
        _ = ds.get_datasets()[0]
    assert ds.get_datasets()[1]["img"].max() > 0
