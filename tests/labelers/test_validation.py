"""A labeler against a radiologist: by hand, as the dataset's authors published, and equal to scikit-learn throughout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix, f1_score, precision_score, recall_score

from radharmony_core.errors import TableError
from radharmony_core.labelers import TASKS, VALIDATION_COLUMNS, validate_labels
from radharmony_core.labels import CHEXPERT_LABELS, column_of
from radharmony_core.schema import IssueLog
from tests.labelers.tables import LETTERS, columns_table, edema_table, label_table

COUNTS = ("true_positive", "false_positive", "false_negative", "true_negative")
SCORES = ("precision", "recall", "f1")
NO = None

# Edema in truth and as predicted; the task; TP, FP, FN, TN; precision, recall, F1; a word of the reason.
BY_HAND = [
    ("+-?.", "+-?.", "mention", (3, 0, 0, 1), (1, 1, 1), "", "all as in truth"),
    ("+-?.", "+-?.", "negation", (1, 0, 0, 3), (1, 1, 1), "", "only 0 is a negation"),
    ("+-?.", "+-?.", "uncertainty", (1, 0, 0, 3), (1, 1, 1), "", "only -1 is uncertain"),
    ("+-?.", "?+-+", "mention", (3, 1, 0, 0), (3 / 4, 1, 6 / 7), "", "a wrong state is a mention all the same"),
    ("+-?.", "?+-+", "negation", (0, 1, 1, 2), (0, 0, 0), "", "no hit gives 0, which is a score"),
    ("--.+", "-..-", "negation", (1, 1, 1, 1), (1 / 2, 1 / 2, 1 / 2), "", "positive in truth is not negated"),
    ("??", "..", "uncertainty", (0, 0, 2, 0), (NO, 0, 0), "Precision: no study is predicted uncertain", "never called"),
    ("..", "??", "uncertainty", (0, 2, 0, 0), (0, NO, 0), "Recall: no study is uncertain in truth", "never there"),
    ("+.", "+.", "negation", (0, 0, 0, 2), (NO, NO, NO), "neither in truth nor as predicted", "neither"),
    ("..", "..", "mention", (0, 0, 0, 2), (NO, NO, NO), "positive, negative or uncertain", "nobody mentions it"),
    ("++", "--", "mention", (2, 0, 0, 0), (1, 1, 1), "", "every study is a yes"),
    ("", "", "mention", (0, 0, 0, 0), (NO, NO, NO), "nothing to score", "no study"),
]


def _row(table: pd.DataFrame, label: str, task: str) -> pd.Series[Any]:
    return table[(table["label"] == label) & (table["task"] == task)].iloc[0]


def _scores(row: pd.Series[Any]) -> list[object]:
    return [None if row[name] is pd.NA else row[name] for name in SCORES]


@pytest.mark.parametrize(("truth", "predicted", "task", "counts", "scores", "words", "reason"), BY_HAND)
def test_by_hand(
    truth: str,
    predicted: str,
    task: str,
    counts: tuple[int, ...],
    scores: tuple[float | None, ...],
    words: str,
    reason: str,
) -> None:
    row = _row(validate_labels(edema_table(truth), edema_table(predicted)), "Edema", task)
    assert tuple(row[name] for name in COUNTS) == counts, reason
    assert _scores(row) == pytest.approx(list(scores)), reason
    assert words in str(row["reason"]), reason
    assert (row["reason"] == "") == (None not in scores), "a reason where a score is missing, and only there"


# The authors' notebook, compare_negbio_and_chexpert.ipynb, NegBio's negation: precision, recall, F1 and how many there are
# in truth. TP is recall times those; FP follows from the precision.
NOTEBOOK = [
    ("Cardiomegaly", 59, 10, 23, 0.855072, 0.719512, 0.781457),
    ("Edema", 70, 28, 15, 0.714286, 0.823529, 0.765027),
    ("Pneumothorax", 163, 13, 16, 0.926136, 0.910615, 0.918310),
    ("Pleural Effusion", 79, 7, 3, 0.918605, 0.963415, 0.940476),
]


@pytest.mark.parametrize(("label", "hits", "wrong", "missed", "precision", "recall", "f1"), NOTEBOOK)
def test_the_figures_that_the_datasets_authors_published(
    label: str, hits: int, wrong: int, missed: int, precision: float, recall: float, f1: float
) -> None:
    ids = [str(50000000 + place) for place in range(687)]
    rest = 687 - hits - wrong - missed
    truth = columns_table(ids, {label: [0] * hits + [1] * wrong + [0] * missed + [None] * rest})
    negbio = columns_table(ids, {label: [0] * hits + [0] * wrong + [None] * missed + [-1] * rest})
    row = _row(validate_labels(truth, negbio), label, "negation")
    assert _scores(row) == pytest.approx([precision, recall, f1], abs=5e-7)


def assert_equal_to_scikit_learn(truth: pd.DataFrame, predicted: pd.DataFrame, labels: Sequence[str]) -> None:
    """Every cell: the counts of its confusion matrix, and the scores with ``zero_division=nan``, NaN being our missing."""
    table = validate_labels(truth, predicted)
    yes = {"mention": [1, 0, -1], "negation": [0], "uncertainty": [-1]}
    for _, row in table[table["label"].isin(labels)].iterrows():
        column = column_of(row["label"])
        true, guess = truth[column].isin(yes[row["task"]]).to_numpy(), predicted[column].isin(yes[row["task"]]).to_numpy()
        (true_negative, false_positive), (false_negative, true_positive) = confusion_matrix(true, guess, labels=[False, True])
        assert [row[name] for name in COUNTS] == [true_positive, false_positive, false_negative, true_negative]
        expected = [score(true, guess, zero_division=np.nan) for score in (precision_score, recall_score, f1_score)]
        assert [math.nan if row[name] is pd.NA else row[name] for name in SCORES] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("seed", range(4))
def test_random_tables_equal_scikit_learn(seed: int) -> None:
    dice = np.random.default_rng(seed)
    ids = [str(50000000 + place) for place in range(200)]

    def states() -> list[int | None]:
        # A labeler's habits differ by label, so that some labels lack a state altogether.
        weights = dice.dirichlet([0.3, 0.3, 0.3, 0.3])
        return [[1, 0, -1, None][place] for place in dice.choice(4, size=len(ids), p=weights)]

    truth, predicted = (columns_table(ids, {label: states() for label in CHEXPERT_LABELS}) for _ in range(2))
    assert_equal_to_scikit_learn(truth, predicted, labels=CHEXPERT_LABELS)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("+-?."), st.sampled_from("+-?.")), min_size=1, max_size=5))
def test_small_tables_equal_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    """So few studies that most scores have no divisor."""
    truth, predicted = (edema_table("".join(states)) for states in zip(*pairs, strict=True))
    assert_equal_to_scikit_learn(truth, predicted, labels=["Edema"])


def test_the_table_has_a_row_a_label_and_task() -> None:
    table = validate_labels(edema_table("+-"), edema_table("+."))
    assert list(table.columns) == ["label", "task", *COUNTS, *SCORES, "reason"] == list(VALIDATION_COLUMNS)
    tasks = ["mention", "negation", "uncertainty"]
    assert list(zip(table["label"], table["task"], strict=True)) == [(name, task) for name in CHEXPERT_LABELS for task in tasks]
    assert list(TASKS) == tasks
    assert {str(table[name].dtype) for name in COUNTS} == {"Int64"}
    assert {str(table[name].dtype) for name in SCORES} == {"Float64"}
    assert {table[name].dtype.name for name in ("label", "task", "reason")} == {"str"}
    assert set(table[list(COUNTS)].sum(axis=1)) == {2}, "every study is in one of the four, label by label"


def test_studies_meet_by_id_and_a_missing_one_is_blank_and_said() -> None:
    truth = label_table({"1": {"Edema": 0}, "2": {"Edema": 0}, "3": {"Edema": 1}})
    predicted = label_table({"9": {"Edema": 0}, "3": {"Edema": 1}, "1": {"Edema": 0}})
    log = IssueLog()
    row = _row(validate_labels(truth, predicted, log), "Edema", "negation")
    assert tuple(row[name] for name in COUNTS) == (1, 0, 1, 1), "2 is missed; 9 is in no truth and not looked at"
    said = log.frame()
    assert said[["code", "severity", "value"]].to_numpy().tolist() == [["study_without_labels", "warning", "2"]]
    assert "'2'" in said["message"].iloc[0]


def test_no_finding_says_why_it_has_no_negation() -> None:
    table = columns_table(["1", "2"], {"No Finding": [LETTERS["+"], None]})
    row = _row(validate_labels(table, table), "No Finding", "negation")
    assert _scores(row) == [None, None, None]
    assert row["reason"] == "No Finding is positive or not mentioned, never negative: there is nothing to score."


def test_a_table_of_another_form_is_refused() -> None:
    with pytest.raises(TableError, match="true labels"):
        validate_labels(edema_table("+").drop(columns="edema"), edema_table("+"))
    with pytest.raises(TableError, match="predicted labels"):
        validate_labels(edema_table("+"), edema_table("++").set_axis(["1", "1"]))
