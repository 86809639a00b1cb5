"""MIMIC-CXR-JPG's label files: four states stay four, and nothing else becomes one."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.harmonizer import find_label_table, read_label_table
from radharmony_core.harmonizer.mimic.label_cells import BLANK, UNUSABLE
from radharmony_core.harmonizer.mimic.labels import read_labels
from radharmony_core.labels import CHEXPERT_LABELS, column_of
from radharmony_core.schema import IssueLog
from tests.harmonizer.mimic.made import HEADERS, labels, write

CELLS = [
    # reason, the cell, the state (None: missing), the issue, its value
    ("positive", "1.0", 1, None, None),
    ("negative", "0.0", 0, None, None),
    ("uncertain", "-1.0", -1, None, None),
    ("not mentioned", "", None, None, None),
    ("blanks alone", "  ", None, None, None),
    ("a whole number", "1", 1, None, None),
    ("blanks around it", " -1.0 ", -1, None, None),
    ("a minus before nought", "-0.0", 0, None, None),
    ("another number", "-9", None, "unknown_label", "-9"),
    ("between two states", "0.5", None, "unknown_label", "0.5"),
    ("two", "2", None, "unknown_label", "2"),
    ("a word", "maybe", None, "unknown_label", "maybe"),
    ("a word for true", "True", None, "unknown_label", "True"),
    ("digits of another script", "\uff11", None, "unknown_label", "\uff11"),
    ("without end", "inf", None, "unknown_label", "inf"),
    ("pandas' word for missing", "nan", None, "word_for_blank", "1"),
    ("its other word", "NaN", None, "word_for_blank", "1"),
    ("R's word for missing", "NA", None, "word_for_blank", "1"),
    ("JSON's", "null", None, "word_for_blank", "1"),
    ("Python's, with blanks", " None ", None, "word_for_blank", "1"),
    ("in another case it is any word", "NULL", None, "unknown_label", "NULL"),
    ("a decimal comma", "1,0", 1, "decimal_comma", "1"),
    ("uncertain with a comma", "-1,0", -1, "decimal_comma", "1"),
    ("perhaps a thousand", "1,000", None, "unknown_label", "1,000"),
    ("half, with a comma", "0,5", None, "unknown_label", "0,5"),
]


@pytest.mark.parametrize(("reason", "cell", "state", "issue", "value"), CELLS, ids=[row[0] for row in CELLS])
def test_a_cell_is_a_state_or_missing(
    tmp_path: Path, reason: str, cell: str, state: int | None, issue: str | None, value: str | None
) -> None:
    rows = [labels("1", edema="1.0"), labels("2", edema=cell, pneumonia="0.0"), labels("3", edema="-1.0")]
    log = IssueLog()
    table = read_label_table(write(tmp_path, "chexpert", rows), log)
    assert table["edema"].astype(object).where(table["edema"].notna(), None).tolist() == [1, state, -1], reason
    assert table["pneumonia"].tolist() == [pd.NA, 0, pd.NA], "its neighbours stay"
    found = log.frame()
    told = [] if issue is None else [(issue, 3, "Edema", value)]
    assert list(zip(found["code"], found["row"], found["column"], found["value"], strict=True)) == told, reason


def test_what_is_not_mentioned_is_told_from_what_cannot_be_used(tmp_path: Path) -> None:
    cells = ["", "NaN", "-9", "NULL", "1,0"]
    rows = [labels(str(number), edema=cell) for number, cell in enumerate(cells)]
    codes = read_labels(write(tmp_path, "chexpert", rows), IssueLog()).codes
    edema = CHEXPERT_LABELS.index("Edema")
    assert codes[edema].tolist() == [BLANK, BLANK, UNUSABLE, UNUSABLE, 1]
    assert set(codes[edema + 1]) == {BLANK}


MANY = [
    # reason, the cell in every row and column, issues of each column
    ("pandas' word for missing", "NaN", [("word_for_blank", 2, "1,500")]),
    ("decimal commas", "0,0", [("decimal_comma", 2, "1,500")]),
    ("a word nobody knows", ".", [("unknown_labels", 2, "1,500")]),
]


@pytest.mark.parametrize(("reason", "cell", "issues"), MANY, ids=[row[0] for row in MANY])
def test_a_file_full_of_them_is_said_once_a_column(
    tmp_path: Path, reason: str, cell: str, issues: list[tuple[str, int, str]]
) -> None:
    log, full = IssueLog(), {column_of(name): cell for name in CHEXPERT_LABELS if name != "No Finding"}
    read_label_table(write(tmp_path, "chexpert", [labels(str(number), **full) for number in range(1500)]), log)
    found = log.frame()
    assert list(zip(found["code"], found["row"], found["value"], strict=True)) == issues * 13, reason
    assert found["column"].tolist() == [name for name in CHEXPERT_LABELS if name != "No Finding"]


NO_FINDING = [("positive or blank", ["1.0", ""], []), ("negative", ["1.0", "0.0", "-1.0"], [("odd_state", 3, "No Finding", "2")])]


@pytest.mark.parametrize(("reason", "states", "issues"), NO_FINDING, ids=[row[0] for row in NO_FINDING])
def test_no_finding_is_positive_or_blank(
    tmp_path: Path, reason: str, states: list[str], issues: list[tuple[str, int, str, str]]
) -> None:
    log = IssueLog()
    rows = [labels(str(number), no_finding=state, edema="0.0") for number, state in enumerate(states)]
    table = read_label_table(write(tmp_path, "chexpert", rows), log)
    found = log.frame()
    assert list(zip(found["code"], found["row"], found["column"], found["value"], strict=True)) == issues, reason
    assert [f"{state:.1f}" for state in table["no_finding"].dropna()] == list(filter(None, states)), "they are kept"


def test_the_columns_are_the_fourteen_in_their_order(tmp_path: Path) -> None:
    table = read_label_table(write(tmp_path, "negbio", [labels("50000001")]), IssueLog())
    assert list(table.columns) == [column_of(name) for name in CHEXPERT_LABELS]
    assert set(table.dtypes) == {pd.Int8Dtype()}
    assert isinstance(table.index.dtype, pd.StringDtype)
    assert (table.index.name, table.index.tolist()) == ("study_id", ["50000001"])


NINE = [("unknown_label", 2, "-9"), ("unknown_label", 3, "-9")]
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
    ("the same word twice", [("1", "-9"), ("1", "-9")], {"1": None}, [*NINE, ("duplicate_study", 3, "1")]),
    (
        "a word and an answer",
        [("1", "-9"), ("1", "1")],
        {"1": None},
        [("unknown_label", 2, "-9"), ("study_row_conflict", 3, "1")],
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


PATIENTS = [
    # reason, patient and cell of two rows of one study, issues
    ("the same", [("10000001", "1"), ("10000001", "1.0")], ["duplicate_study"]),
    ("another patient", [("10000001", "1"), ("10000002", "1")], ["study_row_conflict"]),
    ("no patient in one of them", [("10000001", "1"), ("", "1")], ["blank_id", "duplicate_study"]),
    ("another patient and another answer", [("10000001", "1"), ("10000002", "0")], ["label_conflict", "study_row_conflict"]),
]


@pytest.mark.parametrize(("reason", "rows", "issues"), PATIENTS, ids=[row[0] for row in PATIENTS])
def test_a_study_of_two_patients_is_not_said_to_be_the_same(
    tmp_path: Path, reason: str, rows: list[tuple[str, str]], issues: list[str]
) -> None:
    log = IssueLog()
    path = write(tmp_path, "chexpert", [labels("50000001", patient, edema=cell) for patient, cell in rows])
    assert len(read_label_table(path, log)) == 1
    assert log.frame()["code"].tolist() == issues, reason


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


def test_labels_of_a_missing_column_are_not_taken_for_not_mentioned(tmp_path: Path) -> None:
    header = [name for name in HEADERS["chexpert"] if name != "Edema"]
    log = IssueLog()
    table = read_labels(write(tmp_path, "chexpert", [labels(edema="1", fracture="")], header=header), log)
    states = dict(zip(CHEXPERT_LABELS, table.codes[:, 0].tolist(), strict=True))
    assert (states["Edema"], states["Fracture"]) == (UNUSABLE, BLANK)
    assert log.frame()[["code", "column"]].to_numpy().tolist() == [["missing_column", "Edema"]]


def test_a_table_without_any_label_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"such as Atelectasis in the label table .*split.csv; of the 14 it has none"):
        read_label_table(write(tmp_path, "split", [], "split.csv"), IssueLog())


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
