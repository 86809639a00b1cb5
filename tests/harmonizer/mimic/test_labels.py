"""MIMIC-CXR-JPG's label files: four states stay four, and nothing else becomes one."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.harmonizer import find_label_table, read_label_table
from radharmony_core.labels import CHEXPERT_LABELS, column_of
from radharmony_core.schema import IssueLog
from tests.harmonizer.mimic.made import HEADERS, labels, write

CELLS = [
    # reason, the cell, the state (None: missing), whether it is an issue
    ("positive", "1.0", 1, False),
    ("negative", "0.0", 0, False),
    ("uncertain", "-1.0", -1, False),
    ("not mentioned", "", None, False),
    ("blanks alone", "  ", None, False),
    ("a whole number", "1", 1, False),
    ("blanks around it", " -1.0 ", -1, False),
    ("a minus before nought", "-0.0", 0, False),
    ("another number", "-9", None, True),
    ("between two states", "0.5", None, True),
    ("two", "2", None, True),
    ("a word", "maybe", None, True),
    ("a word for missing", "nan", None, True),
    ("a word for true", "True", None, True),
    ("digits of another script", "\uff11", None, True),
    ("without end", "inf", None, True),
]


@pytest.mark.parametrize(("reason", "cell", "state", "said"), CELLS, ids=[row[0] for row in CELLS])
def test_a_cell_is_a_state_or_missing(tmp_path: Path, reason: str, cell: str, state: int | None, said: bool) -> None:
    rows = [labels("1", edema="1.0"), labels("2", edema=cell, pneumonia="0.0"), labels("3", edema="-1.0")]
    log = IssueLog()
    table = read_label_table(write(tmp_path, "chexpert", rows), log)
    assert table["edema"].astype(object).where(table["edema"].notna(), None).tolist() == [1, state, -1], reason
    assert table["pneumonia"].tolist() == [pd.NA, 0, pd.NA], "its neighbours stay"
    found = log.frame()
    told = [("unknown_label", 3, "Edema", cell)] if said else []
    assert list(zip(found["code"], found["row"], found["column"], found["value"], strict=True)) == told, reason


def test_the_columns_are_the_fourteen_in_their_order(tmp_path: Path) -> None:
    table = read_label_table(write(tmp_path, "negbio", [labels("50000001")]), IssueLog())
    assert list(table.columns) == [column_of(name) for name in CHEXPERT_LABELS]
    assert set(table.dtypes) == {pd.Int8Dtype()}
    assert isinstance(table.index.dtype, pd.StringDtype)
    assert (table.index.name, table.index.tolist()) == ("study_id", ["50000001"])


ROWS = [
    # reason, (study, cell) a row, studies with their state, issues as (code, row, value)
    ("no rows", [], {}, []),
    ("one study", [("1", "1")], {"1": 1}, []),
    ("leading zeros are kept", [("000123", "1"), ("123", "0")], {"000123": 1, "123": 0}, []),
    ("blanks around an id", [(" 7 ", "1")], {"7": 1}, []),
    ("an id by way of numbers", [("50000001.0", "1")], {"50000001": 1}, [("id_as_number", 2, "1")]),
    ("a blank id", [("", "1"), ("2", "0")], {"2": 0}, [("blank_id", 2, None)]),
    ("the same twice", [("1", "1"), ("1", "1")], {"1": 1}, [("duplicate_study", 3, "1")]),
    ("the same in other words", [("1", "1"), ("1", "1.0")], {"1": 1}, [("duplicate_study", 3, "1")]),
    ("two answers", [("1", "1"), ("2", "1"), ("1", "0")], {"1": None, "2": 1}, [("label_conflict", 4, "1")]),
    ("an answer and none", [("1", ""), ("1", "0")], {"1": None}, [("label_conflict", 3, "1")]),
    (
        "the same again after two answers",
        [("1", "1"), ("1", "0"), ("1", "1")],
        {"1": None},
        [("label_conflict", 3, "1"), ("duplicate_study", 4, "1")],
    ),
]


@pytest.mark.parametrize(("reason", "rows", "states", "issues"), ROWS, ids=[row[0] for row in ROWS])
def test_a_study_stands_once(
    tmp_path: Path,
    reason: str,
    rows: list[tuple[str, str]],
    states: dict[str, int | None],
    issues: list[tuple[str, int, str | None]],
) -> None:
    log = IssueLog()
    table = read_label_table(write(tmp_path, "chexpert", [labels(study, edema=cell) for study, cell in rows]), log)
    edema = table["edema"].astype(object).where(table["edema"].notna(), None)
    assert dict(zip(table.index, edema, strict=True)) == states, reason
    found = log.frame()
    values = [None if pd.isna(value) else value for value in found["value"]]
    assert list(zip(found["code"], found["row"], values, strict=True)) == issues, reason


def test_only_the_label_in_conflict_is_missing(tmp_path: Path) -> None:
    rows = [labels("1", edema="1.0", pneumonia="0.0"), labels("1", edema="-1.0", pneumonia="0.0")]
    log = IssueLog()
    table = read_label_table(write(tmp_path, "chexpert", rows), log)
    assert (table.loc["1", "edema"], table.loc["1", "pneumonia"]) == (pd.NA, 0)
    assert log.frame()["message"].tolist() == [
        "The study '1' has different answers for Edema in two rows; the label is left missing."
    ]


def test_the_test_set_has_another_name_for_an_opacity_and_no_subjects(tmp_path: Path) -> None:
    log = IssueLog()
    path = write(tmp_path, "test_set", [labels("1", airspace_opacity="1.0", edema="0.0")])
    table = read_label_table(path, log)
    assert (table.loc["1", "lung_opacity"], table.loc["1", "edema"]) == (1, 0)
    assert log.frame().empty


def test_columns_may_have_our_own_names_and_labels_may_be_few(tmp_path: Path) -> None:
    log, header = IssueLog(), ("study_id", "lung_opacity", "Edema")
    path = write(tmp_path, "chexpert", [{"study_id": "1", "lung_opacity": "1", "Edema": "0"}], header=header)
    table = read_label_table(path, log)
    assert (table.loc["1", "lung_opacity"], table.loc["1", "edema"], table.loc["1", "fracture"]) == (1, 0, pd.NA)
    assert set(log.frame()["code"]) == {"missing_column"}
    assert len(log) == 12, "twelve labels are not there; the subject need not be"


def test_another_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("Edema\n1\n")
    with pytest.raises(TableError, match="Expected a column study_id in the label table"):
        read_label_table(path, IssueLog())
    with pytest.raises(MissingFileError):
        read_label_table(tmp_path / "nowhere.csv", IssueLog())


@pytest.mark.parametrize("source", ["chexpert", "negbio", "test_set"])
def test_the_label_file_is_found_below_a_root(tmp_path: Path, source: str) -> None:
    assert find_label_table(tmp_path, source) is None
    for each in ("chexpert", "negbio", "test_set"):
        write(tmp_path / "physionet.org" / "files" / "mimic-cxr-jpg" / "2.1.0", each, [])
    found = find_label_table(tmp_path, source)
    assert found is not None
    assert source.replace("_", "-") in found.name
    assert read_label_table(found, IssueLog()).shape == (0, len(HEADERS[source]) - (1 if source == "test_set" else 2))
