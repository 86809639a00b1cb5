"""Where two labelers agree: each pair of states, studies of one file only, tables of another form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.errors import TableError
from radharmony_core.labelers import AGREEMENT_COLUMNS, agreement
from radharmony_core.labels import CHEXPERT_LABELS
from radharmony_core.schema import IssueLog
from tests.labelers.tables import columns_table, edema_table, label_table

PAIRS = [
    ("+", "+", (1, 0, 0, 0), "both positive"),
    ("-", "-", (0, 1, 0, 0), "both negative"),
    ("?", "?", (0, 0, 1, 0), "both uncertain"),
    (".", ".", (0, 0, 0, 0), "both blank: nobody mentions it, and nobody disagrees"),
    ("+", ".", (0, 0, 0, 1), "one blank and the other not"),
    (".", "-", (0, 0, 0, 1), "the other way round"),
    ("?", ".", (0, 0, 0, 1), "uncertain is not blank"),
    ("+", "-", (0, 0, 0, 1), "two states"),
    ("?", "+", (0, 0, 0, 1), "uncertain is not positive"),
    ("-", "?", (0, 0, 0, 1), "nor negative"),
    ("", "", (0, 0, 0, 0), "no study at all"),
    ("++-?..+", "+---.+?", (1, 1, 0, 4), "several studies: blank beside blank is the one in no column"),
]


@pytest.mark.parametrize(("chexpert", "negbio", "counts", "reason"), PAIRS, ids=[row[3] for row in PAIRS])
def test_each_pair_of_states_has_its_column(chexpert: str, negbio: str, counts: tuple[int, int, int, int], reason: str) -> None:
    table = agreement(edema_table(chexpert), edema_table(negbio))
    assert tuple(table.loc["Edema"]) == counts, reason


def test_the_table_has_a_row_a_label_in_the_order_of_the_files() -> None:
    table = agreement(edema_table("+"), edema_table("+"))
    assert list(table.index) == list(CHEXPERT_LABELS)
    assert list(table.columns) == ["positive", "negative", "uncertain", "disagreement"] == list(AGREEMENT_COLUMNS)
    assert {str(dtype) for dtype in table.dtypes} == {"Int64"}
    assert tuple(table.loc["Fracture"]) == (0, 0, 0, 0), "what nobody mentions is 0 everywhere, not missing"


def test_no_finding_has_only_positive_and_disagreement() -> None:
    both = columns_table(["1", "2"], {"No Finding": [1, None]})
    row = agreement(both, columns_table(["1", "2"], {"No Finding": [1, 1]})).loc["No Finding"]
    assert row["positive"] == 1
    assert row["disagreement"] == 1
    assert row["negative"] is pd.NA
    assert row["uncertain"] is pd.NA


def test_a_state_that_no_finding_cannot_have_is_still_counted() -> None:
    odd = columns_table(["1"], {"No Finding": [0]})
    assert agreement(odd, odd).loc["No Finding", "negative"] == 1


def test_rows_meet_by_study_whatever_their_order() -> None:
    chexpert = label_table({"1": {"Edema": 1}, "2": {"Edema": 0}, "3": {}})
    negbio = label_table({"3": {}, "2": {"Edema": 0}, "1": {"Edema": 1}})
    assert tuple(agreement(chexpert, negbio).loc["Edema"]) == (1, 1, 0, 0)


def test_a_study_of_one_file_only_is_blank_in_the_other_and_said() -> None:
    chexpert = label_table({"1": {"Edema": 1}, "2": {"Edema": 1}, "3": {}})
    negbio = label_table({"1": {"Edema": 1}, "4": {"Fracture": -1}})
    log = IssueLog()
    table = agreement(chexpert, negbio, log)
    assert tuple(table.loc["Edema"]) == (1, 0, 0, 1), "2 is blank in NegBio; 3 is blank in both"
    assert tuple(table.loc["Fracture"]) == (0, 0, 0, 1)
    said = log.frame()
    assert sorted(zip(said["code"], said["column"], said["value"], strict=True)) == [
        ("study_without_labels", "CheXpert", "4"),
        ("study_without_labels", "NegBio", "2"),
        ("study_without_labels", "NegBio", "3"),
    ]


def test_nothing_is_said_where_both_have_the_same_studies() -> None:
    log = IssueLog()
    agreement(label_table({"1": {}, "2": {}}), label_table({"2": {}, "1": {}}), log)
    assert len(log) == 0


def test_ids_are_text_so_000123_and_123_are_two_studies() -> None:
    table = agreement(label_table({"000123": {"Edema": 1}}), label_table({"123": {"Edema": 1}}))
    assert tuple(table.loc["Edema"]) == (0, 0, 0, 2)


def _with(cells: Any) -> pd.DataFrame:
    return edema_table("+-").assign(edema=cells)


REFUSED = [
    (edema_table("+").drop(columns="pneumonia"), "pneumonia is not there", "a column is missing"),
    (edema_table("+").set_axis([50000001]), "as text, got int64", "numbers would meet no text, and all would be blank"),
    (edema_table("++").set_axis(["7", "7"]), "study 7 stands there more than once", "no join may grow"),
    (_with(pd.array([1, -9], dtype="Int8")), "for Edema in the CheXpert labels; got -9", "no such state"),
    (_with(pd.array([2, None], dtype="Int8")), "got 2", "the number that stands for blank inside"),
    (_with([0.5, np.nan]), "float64 cells", "half a state"),
    (_with(["yes", None]), "for Edema in the CheXpert labels", "words"),
    (_with([300, 1]), "for Edema in the CheXpert labels", "too large for the type"),
]


@pytest.mark.parametrize(("table", "words", "reason"), REFUSED, ids=[row[2] for row in REFUSED])
def test_a_table_of_another_form_is_refused(table: pd.DataFrame, words: str, reason: str) -> None:
    with pytest.raises(TableError, match=words):
        agreement(table, edema_table("+-"))


def test_plain_numbers_with_gaps_are_read_as_states() -> None:
    table = edema_table("+-?.").astype("float64")
    assert tuple(agreement(table, edema_table("+-?.")).loc["Edema"]) == (1, 1, 1, 0)


def test_the_tables_stay_as_they_were() -> None:
    chexpert, negbio = edema_table("+."), edema_table("-", first=50000009)
    before = chexpert.copy(), negbio.copy()
    agreement(chexpert, negbio)
    pd.testing.assert_frame_equal(chexpert, before[0])
    pd.testing.assert_frame_equal(negbio, before[1])
