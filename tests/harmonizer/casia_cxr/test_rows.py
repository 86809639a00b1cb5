"""Which rows of a reports table are records, under whatever names its columns go, and whose class they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.harmonizer.casia_cxr.log import FileLog
from radharmony_core.harmonizer.casia_cxr.rows import Records, joined, read_records
from radharmony_core.schema import IssueLog
from tests.harmonizer.casia_cxr.made import HEADER, record
from tests.support import write_table

JUNK = ("", "", "EndHere")  # columns without a name, and the one that says where the table ends


def read(path: Path, folder_class: str | None = "Mass") -> tuple[Records, list[tuple[str, int | None, str | None, str | None]]]:
    log = IssueLog()
    records = read_records(path, folder_class, log)
    found = log.frame().astype(object).where(lambda frame: frame.notna(), None)
    return records, list(zip(found["code"], found["row"], found["column"], found["value"], strict=True))


def empty(**cells: object) -> dict[str, object]:
    return dict.fromkeys(HEADER, "") | cells


ID = "CASIA-CXR_Mass_ExamID_0002"
JUNK_ROWS: list[tuple[str, dict[str, object], tuple[str, str | None] | None]] = [
    # reason, cells of the row, code and value of its issue, None where it is kept
    ("a sound one", record(number="0002"), None),
    ("blank", empty(), ("blank_row", None)),
    ("space only", empty(Findings=" ", ExamID="  "), ("filler_row", None)),
    ("filled with #", dict.fromkeys(HEADER, "###"), ("filler_row", None)),
    ("an id and nothing else", empty(ExamID=ID), ("row_without_text", ID)),
    ("all but the texts", record(number="0002", Findings="", Impression=" "), ("row_without_text", ID)),
    ("Findings alone", record(Impression=""), None),
    ("Impression alone", record(Findings=""), None),
    ("the word None is a text", record(Findings="None", Impression=""), None),
    ("a text without an id", record(ExamID="", ImageID=""), ("row_without_id", "")),
    ("an id that is a word", record(ExamID="EndHere", ImageID=""), ("row_without_id", "EndHere")),
    ("an id without a number", record(ExamID="CASIA-CXR_Mass", ImageID=""), ("row_without_id", "CASIA-CXR_Mass")),
    ("another dataset's", record(ExamID="MIMIC-CXR_0001", ImageID=""), ("row_without_id", "MIMIC-CXR_0001")),
    ("the image's id is enough", record(ExamID=""), None),
    ("the exam's id is enough", record(ImageID="x"), None),
    ("small letters and space", record(ExamID=" casia-cxr_mass_examid_0001 ", ImageID=""), None),
]


@pytest.mark.parametrize(("reason", "row", "issue"), JUNK_ROWS, ids=[row[0] for row in JUNK_ROWS])
def test_a_row_is_a_record_or_left_out_with_its_reason(
    tmp_path: Path, reason: str, row: Mapping[str, object], issue: tuple[str, str | None] | None
) -> None:
    path = write_table(tmp_path / "r.csv", [record(), row, record(number="0003")], HEADER)
    records, issues = read(path)
    assert records.rows.tolist() == ([2, 4] if issue else [2, 3, 4]), reason
    assert [(code, row, value) for code, row, _, value in issues] == ([(issue[0], 3, issue[1])] if issue else []), reason


def test_every_row_is_a_record_or_counted(tmp_path: Path) -> None:
    rows = [row for _, row, _ in JUNK_ROWS] * 50
    records, issues = read(write_table(tmp_path / "r.csv", rows, HEADER))
    assert len(records.rows) + len(issues) == len(rows)
    assert len(records.rows) == 50 * sum(issue is None for _, _, issue in JUNK_ROWS)


def test_junk_columns_are_said_and_left_out(tmp_path: Path) -> None:
    path = write_table(tmp_path / "r.csv", [record() | {"EndHere": "#"}], [*HEADER, *JUNK])
    records, issues = read(path)
    assert [code for code, *_ in issues] == ["extra_column"] * 3
    assert records.cells["Findings"].to_pylist() == ["Absence d’épanchement./Cœur de taille normale./"]


ALIASES = [
    # reason, the header's names that are changed, cells under the new names, expected cells
    ("StudyID", {"ExamID": "StudyID"}, {"StudyID": ID}, {"ExamID": ID}),
    ("ViewPosition", {"PositionView": "ViewPosition"}, {"ViewPosition": "AnteroPosterior"}, {"PositionView": "AnteroPosterior"}),
    ("MethodProjection", {"ProjectionMethod": "MethodProjection"}, {"MethodProjection": "x"}, {}),
    ("both sizes in one", {"ImageWidth": "OriginalImage [Width, Height]", "ImageHeight": None},
     {"OriginalImage [Width, Height]": "1024x2048"}, {"ImageWidth": "1024", "ImageHeight": "2048"}),
    ("both in one, other spacing", {"ImageWidth": "OriginalImage[Width,Height]", "ImageHeight": None},
     {"OriginalImage[Width,Height]": "1024x2048"}, {"ImageWidth": "1024", "ImageHeight": "2048"}),
    ("a pair in brackets", {"ImageWidth": "OriginalImage[Width", "ImageHeight": "Height]"},
     {"OriginalImage[Width": "1024", "Height]": "2048"}, {"ImageWidth": "1024", "ImageHeight": "2048"}),
    ("both in the width's column", {}, {"ImageWidth": "1024x2048", "ImageHeight": ""},
     {"ImageWidth": "1024", "ImageHeight": "2048"}),
    ("letter case and space", {"ExamID": " examid ", "Findings": "FINDINGS"}, {" examid ": ID, "FINDINGS": "x"},
     {"ExamID": ID, "Findings": "x"}),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "names", "cells", "expected"), ALIASES, ids=[row[0] for row in ALIASES])
def test_other_names_of_the_columns(
    tmp_path: Path, reason: str, names: dict[str, str | None], cells: dict[str, object], expected: dict[str, str]
) -> None:
    header = [new for name in HEADER if (new := names.get(name, name)) is not None]
    records, issues = read(write_table(tmp_path / "r.csv", [record(number="0002") | cells], header))
    assert issues == [], "another name is no fault"
    assert {name: records.cells[name].to_pylist()[0] for name in expected} == expected, reason


COLUMNS_LEFT = [
    # reason, columns that are there, columns that are said to be missing
    ("what is not used", set(HEADER) - {"ImageDir", "PatientPosition", "ProjectionMethod"}, []),
    ("one of two that say the same", set(HEADER) - {"PositionView"}, []),
    ("the other", set(HEADER) - {"Projection"}, []),
    ("both", set(HEADER) - {"Projection", "PositionView"}, ["PositionView"]),
    ("the sizes", set(HEADER) - {"ImageWidth", "ImageHeight"}, ["ImageWidth", "ImageHeight"]),
    ("the age", set(HEADER) - {"PatientAge"}, ["PatientAge"]),
]


@pytest.mark.parametrize(("reason", "there", "missing"), COLUMNS_LEFT, ids=[row[0] for row in COLUMNS_LEFT])
def test_a_column_that_is_missing_is_said(tmp_path: Path, reason: str, there: set[str], missing: list[str]) -> None:
    header = [name for name in HEADER if name in there]
    records, issues = read(write_table(tmp_path / "r.csv", [record()], header))
    assert [(code, column) for code, _, column, _ in issues] == [("missing_column", name) for name in missing], reason
    assert records.cells["PatientAge"].to_pylist() == ["57" if "PatientAge" in there else ""]


CLASSES = [
    # reason, name of the table, class of its folder, class in the ids, the record's class, code of the issue
    ("folder and ids agree", "r.csv", "Mass", "Mass", "Mass", None),
    ("the folder counts", "r.csv", "Mass", "Pneumonia", "Mass", "class_conflict"),
    ("the folder, for ids of no class known", "r.csv", "Mass", "Test", "Mass", "class_conflict"),
    ("no folder: the ids", "r.csv", None, "PleuralEffusion", "PleuralEffusion", None),
    ("written apart", "r.csv", None, "pleural_effusion", "PleuralEffusion", None),
    ("the ids, not the table's name", "CASIA-CXR_Mass_Reports.csv", None, "Pneumonia", "Pneumonia", None),
    ("a sample's ids", "r.csv", None, "Mass_Sample", "Mass", None),
    ("a sixth class", "r.csv", None, "Test", "Test", "unknown_class"),
]


@pytest.mark.parametrize(("reason", "name", "folder_class", "kind", "expected", "code"), CLASSES, ids=[row[0] for row in CLASSES])
def test_whose_class_a_record_is(
    tmp_path: Path, reason: str, name: str, folder_class: str | None, kind: str, expected: str, code: str | None
) -> None:
    records, issues = read(write_table(tmp_path / name, [record(kind)], HEADER), folder_class)
    assert (records.classes.to_pylist(), records.numbers.to_pylist()) == ([expected], ["1"]), reason
    assert [issue[0] for issue in issues] == ([code] if code else [])


def test_ids_without_a_class_take_it_from_the_tables_name(tmp_path: Path) -> None:
    rows = [record(ExamID="CASIA-CXR_ExamID_0007", ImageID="CASIA-CXR_ImgID_0007")]
    records, _ = read(write_table(tmp_path / "CASIA-CXR_Mass_Reports.csv", rows, HEADER), None)
    assert (records.classes.to_pylist(), records.numbers.to_pylist()) == (["Mass"], ["7"])


REFUSED = [
    ("empty", b"", TableError, "right file"),
    ("another table", b"a,b\n1,2\n", TableError, "ExamID"),
    ("no ids", b"Findings,Impression\nx,y\n", TableError, "ExamID or ImageID"),
    ("no texts", b"ExamID,ImageID\nx,y\n", TableError, "Findings or Impression"),
    ("not there", None, MissingFileError, "no such file"),
    (
        "a comma in the header shifts the cells",
        b"ExamID,OriginalImage [Width, Height],Findings,Impression\nCASIA-CXR_Mass_ExamID_0001,2372x3000,x,y\n",
        TableError,
        "in quotes",
    ),
]


@pytest.mark.parametrize(("reason", "content", "kind", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_no_such_table_is_refused_in_words(
    tmp_path: Path, reason: str, content: bytes | None, kind: type[Exception], words: str
) -> None:
    path = tmp_path / "r.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(kind, match=words):
        read_records(path, "Mass", IssueLog())


def test_a_header_alone_is_no_records(tmp_path: Path) -> None:
    records, issues = read(write_table(tmp_path / "r.csv", [], HEADER))
    assert (len(records.rows), records.class_names, issues) == (0, [], [])


def test_tables_are_joined_one_after_the_other(tmp_path: Path) -> None:
    paths = [write_table(tmp_path / f"{kind}.csv", [record(kind)], HEADER) for kind in ("Pneumonia", "Mass")]
    both = joined([read(path, None)[0] for path in paths])
    assert both.rows.tolist() == [2, 2]
    assert both.classes.to_pylist() == ["Pneumonia", "Mass"]
    assert both.class_names == ["Mass", "Pneumonia"]


AGE = "PatientAge is {}, which cannot be read; it is left missing."
TOLD = [
    # reason, code, value, image path, the value in the issue, the message
    ("no value", "blank_row", None, None, "r.csv", "The line is empty; it is counted and left out."),
    ("a cell", "bad_cell", "57 lunes", None, "57 lunes (r.csv)", AGE.format("'57 lunes' (r.csv)")),
    ("the image tells", "bad_cell", "57 lunes", "a.jpg", "57 lunes", AGE.format("'57 lunes'")),
    ("an id tells", "bad_cell", ID, None, ID, AGE.format(f"'{ID}'")),
]


@pytest.mark.parametrize(("reason", "code", "value", "path", "told", "message"), TOLD, ids=[row[0] for row in TOLD])
def test_an_issue_tells_which_table_it_counts_in(
    reason: str, code: str, value: str | None, path: str | None, told: str, message: str
) -> None:
    log = IssueLog()
    FileLog(log, "r.csv").add(code, rows=[5], values=[value], image_paths=[path], column="PatientAge")
    assert log.frame()[["value", "message"]].to_numpy().tolist() == [[told, message]], reason
