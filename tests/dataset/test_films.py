"""Which file a row's film is, and rows without one: listed, never skipped, never another row's film."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.dataset import MSCXRDataset
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
    kept = ds.get_harmonized_df().drop(index=ds.missing_images().index)
    without = MSCXRDataset(files, harmonized_df=kept, **ARRAYS)
    assert len(list(without.get_datasets())) == 2
    assert without.missing_images().empty


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
