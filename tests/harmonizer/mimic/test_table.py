"""Rows with a cell too few or too many: what may stand under another name never becomes a value, and the row stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.harmonizer import MIMICCXRHarmonizer, MIMICCXRJPGHarmonizer, read_label_table
from radharmony_core.harmonizer.mimic.label_cells import BLANK, UNUSABLE
from radharmony_core.harmonizer.mimic.labels import read_labels
from radharmony_core.schema import IssueLog
from tests.harmonizer.mimic.made import (
    HEADERS,
    METADATA,
    cells,
    codes,
    csv_text,
    film,
    in_split,
    record,
    report,
    with_reports,
    write,
)

LINE = "10000001,50000001,,,,-1.0,,,,,,1.0,,,,0.0"  # Edema uncertain, Pleural Effusion positive, Support Devices negative
LABELED = [
    # reason, a line of the label file, the study it is kept for (None: for none)
    ("a decimal comma without quotes", LINE.replace("-1.0", "-1,0"), "50000001"),
    ("a comma too many at the end", LINE + ",", "50000001"),
    ("cut off", LINE[:-9], "50000001"),
    ("a cell too few", LINE.replace(",,", ",", 1), "50000001"),
    ("no patient", LINE.partition(",")[2], None),
    ("another cell first", "0," + LINE, None),
    ("an id of another shape", LINE.replace("50000001", "123")[:-4], None),
]


@pytest.mark.parametrize(("reason", "line", "study"), LABELED, ids=[row[0] for row in LABELED])
def test_labels_of_a_row_of_another_length_are_unusable(tmp_path: Path, reason: str, line: str, study: str | None) -> None:
    good = LINE.replace("50000001", "50000002")
    path, log = tmp_path / "chexpert.csv", IssueLog()
    path.write_text("\n".join([",".join(HEADERS["chexpert"]), good, line, ""]))
    table = read_labels(path, log)
    assert table.studies.to_pylist() == ["50000002", *([] if study is None else [study])], reason
    assert set(table.codes[:, 0].tolist()) == {1, 0, -1, BLANK}, "its neighbour stays"
    assert study is None or set(table.codes[:, 1].tolist()) == {UNUSABLE}
    found = log.frame()
    assert found["code"].tolist() == ["ragged_row", "shifted_rows"], reason
    assert found["row"].astype(object).where(found["row"].notna(), None).tolist() == [3, None]


def test_a_row_that_is_whole_does_not_speak_for_one_that_is_not(tmp_path: Path) -> None:
    path, log = tmp_path / "chexpert.csv", IssueLog()
    path.write_text("\n".join([",".join(HEADERS["chexpert"]), LINE, LINE + ",", LINE + ",", ""]))
    table = read_label_table(path, log)
    assert table.isna().all(axis=None), "the other row may say something else"
    found = log.frame()
    assert found["code"].tolist() == ["ragged_row", "ragged_row", "shifted_rows", "study_row_conflict", "study_row_conflict"]


DICOM = "02aa804e-bde0afdd-112c0b34-7bc16630-4e384014"
ROW = csv_text(METADATA, [film(DICOM)]).splitlines()[1]
NO_FACTS = {"image_width": None, "image_height": None, "view_position": None, "view_group": "unknown", "procedure": None}
IMAGES = [
    # reason, a line of the metadata, the ids that are kept
    ("a comma in the procedure", ROW.replace("CHEST (", "CHEST, ("), (DICOM, "50000001", "10000001")),
    ("a cell too many", ROW + ",", (DICOM, "50000001", "10000001")),
    ("cut off", ROW[:70], (DICOM, "50000001", "10000001")),
    ("no image", ROW.partition(",")[2], (None, None, None)),
    ("no patient", ROW.replace("10000001,", ""), (DICOM, None, None)),
    ("another id of an image", ROW.replace(DICOM, "d1") + ",", (None, "50000001", "10000001")),
]


@pytest.mark.parametrize(("reason", "line", "ids"), IMAGES, ids=[row[0] for row in IMAGES])
def test_facts_of_a_row_of_another_length_are_missing(
    tmp_path: Path, reason: str, line: str, ids: tuple[str | None, str | None, str | None]
) -> None:
    path = tmp_path / "metadata.csv"
    path.write_text("\n".join([",".join(METADATA), line, csv_text(METADATA, [film("d2")]).splitlines()[1], ""]))
    harmonizer = MIMICCXRJPGHarmonizer(csv_path=path)
    table = harmonizer.harmonize()
    assert (cells(table, "dicom_id")[0], cells(table, "study_id")[0], cells(table, "patient_id")[0]) == ids, reason
    assert {name: cells(table, name)[0] for name in NO_FACTS} == NO_FACTS
    assert table["study_datetime"].isna().tolist() == [True, False]
    assert table["image_path"].isna()[0] == (None in ids)
    assert cells(table, "image_height")[1] == 3056, "its neighbour stays"
    assert codes(harmonizer.issues) == ["missing_table", "ragged_row", "shifted_rows"], "nothing is said of shifted cells"


def test_a_row_of_another_length_with_nothing_in_it_is_no_image(tmp_path: Path) -> None:
    path = tmp_path / "metadata.csv"
    path.write_text(csv_text(METADATA, [film("d1")]) + ",,,\n")
    harmonizer = MIMICCXRJPGHarmonizer(csv_path=path)
    assert cells(harmonizer.harmonize(), "dicom_id") == ["d1"]
    assert codes(harmonizer.issues) == ["missing_table", "ragged_row", "blank_row"]


def test_a_split_of_a_row_of_another_length_is_missing(tmp_path: Path) -> None:
    films = [film(DICOM), film("d2")]
    write(tmp_path, "metadata", films)
    split = write(tmp_path, "split", [in_split(each) for each in films], "split.csv")
    split.write_text(split.read_text().replace("10000001,train", "10000001,,train", 1))
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path)
    assert cells(harmonizer.harmonize(), "split") == [None, "train"]
    assert [code for code in codes(harmonizer.issues) if not code.endswith("_table")] == [
        *("tree_not_found", "ragged_row", "shifted_rows", "missing_split"),
    ]


def test_paths_of_rows_of_another_length_are_those_of_the_ids(tmp_path: Path) -> None:
    films = [film(DICOM), film(DICOM.replace("0", "1"), "50000002")]
    records = write(tmp_path, "record_list", [record(each) for each in films], "record-list.csv")
    records.write_text(records.read_text().replace("files/", "x,files/", 1))
    studies = write(tmp_path, "study_list", [], "study-list.csv")
    studies.write_text(studies.read_text() + f"10000001,50000001,{report(films[1])},x\n10000001,50000002,{report(films[1])}\n")
    with_reports(tmp_path, {report(each): str(each["study_id"]) for each in films})
    table = MIMICCXRHarmonizer(tmp_path).harmonize()
    assert cells(table, "image_path") == [f"p10/p10000001/s{each['study_id']}/{each['dicom_id']}.dcm" for each in films]
    assert cells(table, "report") == ["50000001", "50000002"]
