"""The archived clinical records: texts of their own, every one of them kept, never joined to an image."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.harmonizer import read_clinical_records
from radharmony_core.schema import IssueLog
from tests.support import write_table

HEADER = ("PatientID", "Gender", "ExamDate", "Age", "text")


def clinical(**changes: object) -> dict[str, object]:
    row = {
        "PatientID": "P0017",
        "Gender": "M",
        "ExamDate": "7/6/2019",
        "Age": "57 ans",
        "text": "Toux depuis l’hiver.\nCœur normal.",
    }
    return row | changes


def test_one_record_by_hand(tmp_path: Path) -> None:
    log = IssueLog()
    table = read_clinical_records(write_table(tmp_path / "c.csv", [clinical()], HEADER), log)
    assert list(table.columns) == ["patient_id", "patient_sex", "study_datetime", "patient_age", "report", "language"]
    expected = ["P0017", "M", pd.Timestamp(2019, 7, 6), 57, "Toux depuis l’hiver.\nCœur normal.", "fr"]
    assert table.iloc[0].tolist() == expected
    assert log.frame()["code"].tolist() == ["multiline_record"], "a note that the text has a line break"


FAULTS = [
    # reason, changed cells, column that is missing, code and column of the issue
    ("a shifted sex", {"Gender": "57"}, "patient_sex", ("bad_cell", "Gender")),
    ("a month of 13", {"ExamDate": "13/1/2021"}, "study_datetime", ("bad_datetime", "ExamDate")),
    ("an age of words", {"Age": "vieux"}, "patient_age", ("bad_cell", "Age")),
    ("no text", {"text": ""}, "report", ("blank_text", "text")),
    ("no patient", {"PatientID": ""}, "patient_id", None),
    ("no age", {"Age": ""}, "patient_age", None),
]


@pytest.mark.parametrize(("reason", "changes", "missing", "issue"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_record_stays_whatever_is_wrong_with_it(
    tmp_path: Path, reason: str, changes: dict[str, object], missing: str, issue: tuple[str, str] | None
) -> None:
    log = IssueLog()
    rows = [clinical(text="a", **{key: cell for key, cell in changes.items() if key != "text"}) | changes, clinical(text="None")]
    table = read_clinical_records(write_table(tmp_path / "c.csv", rows, HEADER), log)
    assert table.isna().sum().to_dict() == {name: int(name == missing) for name in table.columns}, reason
    assert table["report"].iloc[1] == "None", "a word is text"
    found = log.frame()
    assert list(zip(found["code"], found["row"], found["column"], strict=True)) == ([(issue[0], 2, issue[1])] if issue else [])


@pytest.mark.parametrize(("encoding", "delimiter"), [("utf-8", ","), ("utf-8-sig", ";"), ("cp1252", ";")])
def test_every_encoding_says_the_same(tmp_path: Path, encoding: str, delimiter: str) -> None:
    path = write_table(tmp_path / "c.csv", [clinical(text="L’œdème")], HEADER, encoding=encoding, delimiter=delimiter)
    assert read_clinical_records(path, IssueLog())["report"].tolist() == ["L’œdème"]


def test_the_column_of_texts_may_be_named_in_french(tmp_path: Path) -> None:
    log = IssueLog()
    path = write_table(tmp_path / "c.csv", [clinical() | {"Texte": "Toux"}], [*HEADER[:-1], "Texte"])
    assert read_clinical_records(path, log)["report"].tolist() == ["Toux"]
    assert not len(log)


def test_a_header_alone_is_no_records(tmp_path: Path) -> None:
    table = read_clinical_records(write_table(tmp_path / "c.csv", [], HEADER), IssueLog())
    assert table.shape == (0, 6)


def test_what_is_no_such_table_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="clinical records"):
        read_clinical_records(tmp_path / "no.csv", IssueLog())
    with pytest.raises(TableError, match="a column text"):
        read_clinical_records(write_table(tmp_path / "c.csv", [clinical()], HEADER[:-1]), IssueLog())
    with pytest.raises(TableError, match="right file"):
        read_clinical_records(write_table(tmp_path / "d.csv", [], ["a", "b"]), IssueLog())
