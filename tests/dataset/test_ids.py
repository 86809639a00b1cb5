"""Ids that became numbers or have blanks beside them get one spelling when a table comes in, and it is said once."""

from __future__ import annotations

import io
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.dataset import DatasetWarning, MIMICCXRJPGDataset, MSCXRDataset
from tests.dataset.make import film

OFF: dict[str, Any] = {"cache_dir": None, "dtype": "float32"}


def table(count: int = 40) -> pd.DataFrame:
    """Two images a patient."""
    ids = [str(10_000_000 + number // 2) for number in range(count)]
    paths = [f"p10/p{ids[number]}/s5{number:07}/{number}.jpg" for number in range(count)]
    return pd.DataFrame(
        {"patient_id": ids, "study_id": [f"5{number:07}" for number in range(count)], "image_path": paths, "split": "train"}
    )


def through_a_csv(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(frame.to_csv(index=False)))


def with_one_unknown(frame: pd.DataFrame) -> pd.DataFrame:
    unknown = pd.DataFrame({"patient_id": [None], "study_id": ["59999999"], "image_path": ["y/z.jpg"], "split": ["train"]})
    return pd.concat([frame, unknown], ignore_index=True)


@pytest.mark.filterwarnings("ignore:1 images name no patient:radharmony_core.dataset.DatasetWarning")
def test_a_csv_with_an_unknown_patient_gives_the_same_folds(tmp_path: Path) -> None:
    """pandas reads a column of numbers with an empty cell as floats."""
    whole = with_one_unknown(table())
    back = through_a_csv(whole)
    assert back["patient_id"].dtype == np.float64
    kept = MIMICCXRJPGDataset(tmp_path, harmonized_df=whole, **OFF)
    with pytest.warns(DatasetWarning, match=r"40 of patient_id.*10000000\.0.*10000000") as caught:
        ds = MIMICCXRJPGDataset(tmp_path, harmonized_df=back, **OFF)
    assert len(caught) == 1
    for fold in range(5):
        one, other = (each.get_datasets(n_splits=5, fold=fold)[1].places.tolist() for each in (kept, ds))
        assert one == other
    assert ds.get_harmonized_df()["patient_id"].tolist()[:-1] == whole["patient_id"].tolist()[:-1]
    assert pd.isna(ds.get_harmonized_df()["patient_id"].iloc[-1])


MIXTURES = [
    ("texts and floats", lambda value, place: float(value) if place % 2 else value),
    ("texts and whole numbers", lambda value, place: int(value) if place % 2 else value),
    ("blanks", lambda value, place: f"{value} " if place % 2 else value),
    ("blanks of other kinds", lambda value, place: f"\t{value}\u00a0" if place % 2 else value),
    ("texts of floats", lambda value, place: f"{value}.0" if place % 2 else value),
]


@pytest.mark.parametrize(("reason", "change"), MIXTURES, ids=[row[0] for row in MIXTURES])
@pytest.mark.filterwarnings("ignore:.*of patient_id:radharmony_core.dataset.DatasetWarning")
def test_no_patient_is_on_both_sides_however_the_rows_spell_them(tmp_path: Path, reason: str, change: Any) -> None:
    whole = table()
    changed = [change(value, place) for place, value in enumerate(whole["patient_id"])]
    ds = MIMICCXRJPGDataset(tmp_path, harmonized_df=whole.assign(patient_id=pd.Series(changed, dtype=object)), **OFF)
    patients = np.arange(40) // 2
    for fold in range(5):
        train, validation = ds.get_datasets(n_splits=5, fold=fold)
        assert not set(patients[train.places]) & set(patients[validation.places]), reason


def test_sound_ids_stay_as_they_are_and_nothing_is_said(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given in (table(), table().astype({"patient_id": int, "study_id": int}), table().astype({"patient_id": "category"})):
            ds = MIMICCXRJPGDataset(tmp_path, harmonized_df=given, **OFF)
            pd.testing.assert_frame_equal(ds.get_harmonized_df(), given)


def test_studies_and_splits_are_cleaned_as_well(tmp_path: Path) -> None:
    film(tmp_path / "a.png", np.zeros((4, 4), np.uint8))
    given = pd.DataFrame(
        {"patient_id": ["1", "2"], "study_id": [7.0, math.nan], "image_path": ["a.png", "a.png"], "split": [" train", "train "]}
    )
    with pytest.warns(DatasetWarning, match=r"1 of study_id .*; 2 of split "):
        ds = MSCXRDataset(tmp_path, harmonized_df=given, **OFF)
    assert len(ds.get_datasets(split="train")) == 2, "a blank does not make another split"
    assert ds.get_harmonized_df()["study_id"].tolist()[0] == "7"
    assert given["split"].tolist() == [" train", "train "], "the table that was given stays as it was"


def test_a_harmonizer_of_ones_own_is_cleaned_too(tmp_path: Path) -> None:
    class Own:
        harmonized_df = pd.DataFrame({"patient_id": [1.0, 2.0, 2.0], "image_path": ["a", "b", "c"]})

    ds = MSCXRDataset(tmp_path, harmonizer=Own(), **OFF)
    with pytest.warns(DatasetWarning, match="3 of patient_id"):
        assert ds.get_harmonized_df()["patient_id"].tolist() == ["1", "2", "2"]


def test_an_empty_table_and_one_without_ids_have_nothing_to_clean(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given in (table(0), table()[["image_path"]], table().assign(patient_id=None)):
            assert len(MIMICCXRJPGDataset(tmp_path, harmonized_df=given, **OFF).get_harmonized_df()) == len(given)
