"""Faults met in other tools' reading of tables and reports, as small files kept beside the project.

Skipped where those files are not: ``manifest.json`` there says what is right. Each kind is also tested with cases of our own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from radharmony_core.harmonizer import CASIACXRHarmonizer, MIMICCXRJPGHarmonizer, MSCXRHarmonizer, read_label_table
from radharmony_core.harmonizer.saved import from_arrow, to_arrow
from radharmony_core.harmonizer.tables.read import read_text_table
from radharmony_core.labels import LABEL_STATES, NOT_MENTIONED
from radharmony_core.reports import section_text
from radharmony_core.schema import Column, IssueLog, issues_frame
from tests.test_handed_cases import CASES, entries

COLUMNS = (
    *("ExamID", "ImageID", "PatientID", "ReportID", "Findings", "Indication", "Comparison", "Impression"),
    *("study_id", "report"),
)


def cells(path: Path) -> dict[str, list[str | None]]:
    """The columns of a table of texts; an empty cell is missing."""
    table = read_text_table(path, COLUMNS, IssueLog())
    return {name: [cell or None for cell in column.to_pylist()] for name, column in table.columns.items()}


@pytest.mark.parametrize("entry", entries("b20"))
def test_marks_quotes_and_encodings_do_not_hide_a_column(entry: dict[str, Any]) -> None:
    columns = entry["checks"][0]["v"]
    table = read_text_table(CASES / entry["file"], columns, IssueLog())
    assert list(table.columns) == columns
    assert [len(table.rows)] == [check["n"] for check in entry["checks"] if check["op"] == "rows"] or len(entry["checks"]) == 1
    assert len(MSCXRHarmonizer(CASES / entry["file"]).harmonize()) == 1


@pytest.mark.parametrize("entry", entries("b21", "b24", "b26"))
def test_words_stay_words(entry: dict[str, Any]) -> None:
    found = cells(CASES / entry["file"])
    for check in entry["checks"]:
        if check["op"] == "cell":
            assert found[check["col"]][check["row"]] == check["v"]
        elif check["op"] == "column":
            assert found[check["col"]] == check["v"]
        elif check["op"] == "columns":
            assert list(found) == check["v"]
        elif check["op"] == "rows":
            assert len(next(iter(found.values()))) == check["n"]
        else:
            assert check["op"] == "cell_len"
            assert len(found[check["col"]][check["row"]] or "") == check["n"]


@pytest.mark.parametrize("entry", entries("b21"))
def test_a_french_table_is_harmonized_whatever_its_encoding(entry: dict[str, Any]) -> None:
    table = CASIACXRHarmonizer(report_csv_path=CASES / entry["file"]).harmonize()
    for check in entry["checks"]:
        if check["op"] == "cell":
            assert table[check["col"].lower()].iloc[check["row"]] == check["v"]


@pytest.mark.parametrize("entry", entries("b23"))
def test_four_states_stay_four_and_an_unknown_one_is_named(entry: dict[str, Any]) -> None:
    log = IssueLog()
    table = read_label_table(CASES / entry["file"], log)
    (column,) = (check["v"] for check in entry["checks"] if check["op"] == "column")
    states = [NOT_MENTIONED if pd.isna(state) else LABEL_STATES[state] for state in table["edema"]]
    assert states == [NOT_MENTIONED if word == "unknown" else word for word in column]
    issues = log.frame()
    assert issues.loc[(issues["column"] == "Edema").to_numpy(), "value"].str.contains("-9", regex=False).tolist() == [True]


def jpg_of(labels: str) -> MIMICCXRJPGHarmonizer:
    folder = CASES / "b29_join_growth"
    return MIMICCXRJPGHarmonizer(
        csv_path=folder / "metadata.csv", split_csv_path=folder / "split.csv", label_csv_path=folder / labels
    )


@pytest.mark.parametrize("entry", entries("b29"))
def test_a_join_multiplies_no_row_and_two_answers_are_reported(entry: dict[str, Any]) -> None:
    conflict = entry["checks"][0]["op"] == "warn"
    harmonizer = jpg_of("chexpert_conflict.csv" if conflict else "chexpert.csv")
    table = harmonizer.harmonize()
    assert table["dicom_id"].tolist() == ["d1", "d2", "d3", "d4"]
    if conflict:
        said = harmonizer.issues[(harmonizer.issues["severity"] == "error").to_numpy()]
        assert said["message"].str.contains(entry["checks"][0]["about"], regex=False).any()
        assert table["edema"].isna().all(), "neither of two answers is taken"
    else:
        states = [LABEL_STATES[state] for state in table["edema"]]
        assert states == entry["checks"][1]["v"]


@pytest.mark.parametrize("entry", entries("b30"))
def test_sections_are_found_and_a_missing_one_is_missing(entry: dict[str, Any]) -> None:
    text = (CASES / entry["file"]).read_text(encoding="utf-8")
    for name, expected in entry["checks"][0]["v"].items():
        found = section_text(text, name)
        if expected == "contains both":
            assert found is not None
            assert "First film clear." in found
            assert "Second film: line in place." in found
        else:
            assert found == expected


@pytest.mark.parametrize("entry", entries("b38"))
def test_nested_lists_come_back_as_lists(entry: dict[str, Any]) -> None:
    table = pq.read_table(CASES / entry["file"])
    columns = [Column("image_path", "text", ""), Column("bbox", "boxes", ""), Column("label_text", "texts", "")]
    made = to_arrow(pd.DataFrame(), issues_frame([]), {}).schema.metadata
    frame = from_arrow(table.replace_schema_metadata(made), {}, columns).table
    for check in entry["checks"]:
        assert frame[check["col"]].tolist() == check["v"]
        assert all(type(cell) is list for cell in frame[check["col"]])
