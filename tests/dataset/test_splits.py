"""No patient on two sides, the same parts on every machine, every row on one side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radharmony_core.dataset.splits import patient_folds, rows_of_split
from radharmony_core.errors import ConfigError

# Patients 10000000 to 10000009: the sha256sum of "0 id 10000000" and so on, sorted, dealt out to 0, 1, 2, 3, 4, 0, 1, 2, 3, 4.
PUBLISHED = [4, 3, 2, 1, 0, 0, 4, 3, 1, 2]
IDS = st.one_of(st.none(), st.sampled_from([f"1000000{number}" for number in range(8)]))


def texts(values: Sequence[str | None]) -> pd.Series[str]:
    return pd.Series(list(values), dtype="str")


@settings(max_examples=60, deadline=None)
@given(ids=st.lists(IDS, min_size=1, max_size=60), n_splits=st.integers(2, 4), seed=st.integers(0, 3))
def test_no_patient_is_divided_and_no_row_lost(ids: list[str | None], n_splits: int, seed: int) -> None:
    if len(set(ids)) < n_splits:
        with pytest.raises(ConfigError, match="as many as there are patients"):
            patient_folds(texts(ids), n_splits, seed)
        return
    folds = patient_folds(texts(ids), n_splits, seed)
    assert len(folds) == len(ids)
    assert set(folds.tolist()) == set(range(n_splits)), "no part is empty"
    assert len({(name, fold) for name, fold in zip(ids, folds.tolist(), strict=True)}) == len(set(ids))


def test_folds_do_not_depend_on_the_order_of_the_rows() -> None:
    ids = [f"{number // 3}" for number in range(300)]
    turned = np.random.default_rng(1).permutation(300)
    folds = patient_folds(texts(ids), 5)
    np.testing.assert_array_equal(patient_folds(texts([ids[place] for place in turned]), 5), folds[turned])


def test_folds_are_the_same_on_every_machine() -> None:
    assert patient_folds(texts([f"1000000{number}" for number in range(10)]), 5).tolist() == PUBLISHED
    assert patient_folds(texts([f"1000000{number}" for number in range(10)]), 5, seed=1).tolist() != PUBLISHED


@pytest.mark.parametrize("n_splits", [2, 5, 10])
def test_folds_are_about_equally_long(n_splits: int) -> None:
    """Patients of 1 to 40 images, as in MIMIC-CXR: a fold is longer than another by less than the largest patient."""
    images = np.random.default_rng(0).geometric(0.25, 2_000).clip(max=40)
    ids = np.repeat([str(number) for number in range(2_000)], images)
    lengths = np.bincount(patient_folds(texts(ids.tolist()), n_splits))
    assert lengths.max() - lengths.min() <= 1, "the many patients of one image level them"


def test_one_patient_with_half_of_the_images_leaves_no_fold_empty() -> None:
    folds = patient_folds(texts(["1"] * 50 + [str(number) for number in range(2, 52)]), 5)
    assert sorted(np.bincount(folds).tolist()) == [12, 12, 13, 13, 50]


def test_rows_without_an_id_stay_together() -> None:
    folds = patient_folds(texts([None, "1", None, "2", None, "None"]), 3)
    assert folds[0] == folds[2] == folds[4]
    assert len({folds[0], folds[1], folds[3], folds[5]}) == 3
    assert folds[0] != folds[5], "a patient who is called None has an id"


@pytest.mark.parametrize(
    ("n_splits", "words", "reason"),
    [
        (1, "2 or more", "one part is no division"),
        (0, "2 or more", "none neither"),
        (-5, "2 or more", "below 0"),
        (4, "at most 3", "more parts than patients"),
        (2.0, "whole number", "not a whole number by type"),
        (True, "whole number", "nor is this"),
        ("5", "whole number", "text"),
        (np.float64(2), "whole number", "NumPy's, and not whole by type"),
        (np.True_, "whole number", "NumPy's truth"),
        (None, "whole number", "nothing"),
    ],
)
def test_a_number_that_cannot_be_is_refused(n_splits: object, words: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=words):
        patient_folds(texts(["1", "2", "2", "3"]), n_splits)  # type: ignore[arg-type]


@pytest.mark.parametrize("n_splits", [np.int64(5), np.uint8(5), np.array(5)])
def test_a_whole_number_may_be_numpys(n_splits: Any) -> None:
    assert patient_folds(texts([f"1000000{number}" for number in range(10)]), n_splits).tolist() == PUBLISHED


SPELLED: list[tuple[str, list[object], object]] = [
    # reason, the ids of PUBLISHED's ten patients as they come, and of which type
    ("as text", [f"1000000{number}" for number in range(10)], "str"),
    ("as numbers", [10000000 + number for number in range(10)], "int64"),
    ("as floats, where a cell was empty", [10000000.0 + number for number in range(10)], "float64"),
    ("as texts of floats", [f"1000000{number}.0" for number in range(10)], "str"),
    ("with blanks", [f" 1000000{number}\t" for number in range(10)], "str"),
    ("of every kind", ["10000000", 10000001, 10000002.0, " 10000003 ", *range(10000004, 10000009), 10000009.0], "object"),
    ("as categories", [f"1000000{number}" for number in range(10)], "category"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "ids", "dtype"), SPELLED, ids=[row[0] for row in SPELLED])
def test_folds_do_not_depend_on_how_an_id_is_spelled(reason: str, ids: list[object], dtype: Any) -> None:
    assert patient_folds(pd.Series(ids, dtype=dtype), 5).tolist() == PUBLISHED, reason


def test_what_is_another_id_stays_another() -> None:
    ids = ["123", "000123", "123.5", "123.0.0", "a1.0", "-1.0", "1e3"]
    assert len(set(patient_folds(texts(ids), 7).tolist())) == 7, "one patient a fold: these are seven"


def test_blanks_alone_are_no_id() -> None:
    folds = patient_folds(texts([None, "", " ", "1", "2"]), 3)
    assert folds[0] == folds[1] == folds[2]
    assert len(set(folds.tolist())) == 3


def test_no_patient_at_all_is_refused() -> None:
    with pytest.raises(ConfigError, match="at most 0"):
        patient_folds(texts([]), 2)


def test_a_published_split_keeps_the_tables_order() -> None:
    splits = texts(["test", "train", None, "test"])
    assert rows_of_split(splits, "test").tolist() == [0, 3]
    assert rows_of_split(splits.set_axis([7, 7, 8, 9]), "test").tolist() == [0, 3], "rows are counted, whatever the index"


def test_an_unknown_split_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ConfigError, match=r"'test' \(2 images\), 'train' \(1 images\); got 'validate'"):
        rows_of_split(texts(["test", "train", None, "test"]), "validate")
    with pytest.raises(ConfigError, match="has none"):
        rows_of_split(texts([None, None]), "test")
    with pytest.raises(ConfigError, match="has none"):
        rows_of_split(texts([]), "test")
    filtered: pd.Series[Any] = texts(["test", "train"]).astype("category").iloc[:1]
    with pytest.raises(ConfigError, match=r"the splits 'test' \(1 images\); got 'train'"):
        rows_of_split(filtered, "train")
