"""CASIA-CXR's folders to one row per record: what a row holds, what is missing from it and why, and that no row is lost."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.harmonizer import HARMONIZERS, CASIACXRHarmonizer
from radharmony_core.schema import CASIA_CXR_COLUMNS, LABEL_COLUMNS, validate
from tests.harmonizer.casia_cxr.made import record, write_class

QUIET = ("missing_class", "missing_table")


def codes(harmonizer: CASIACXRHarmonizer) -> list[tuple[str, int | None, str | None]]:
    """Code, row and column of every issue, but for classes and labels tables that these small cases leave out."""
    found = harmonizer.issues.astype(object).where(lambda frame: frame.notna(), None)
    rows = zip(found["code"], found["row"], found["column"], strict=True)
    return [row for row in rows if row[0] not in QUIET]


def test_one_row_by_hand(tmp_path: Path) -> None:
    write_class(tmp_path)
    harmonizer = CASIACXRHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    assert table.shape == (1, len(CASIA_CXR_COLUMNS))
    row = table.iloc[0]
    assert row["patient_id"] == "CASIA-CXR_MassPatientID_0001"
    assert row["study_id"] == "CASIA-CXR_Mass_ExamID_0001"
    assert row["image_id"] == "CASIA-CXR_Mass_ImgID_0001"
    assert row["report_id"] == "CASIA-CXR_MassReportID_0001"
    assert row["image_path"] == "CASIA-CXR_Mass/CASIA-CXR_Mass_Images/CASIA-CXR_Mass_0001.JPEG"
    assert (harmonizer.image_root or Path()) / row["image_path"] == tmp_path / row["image_path"]
    assert pd.isna(row["split"])
    assert (row["view_position"], row["view_group"]) == ("PA", "frontal")
    assert row["study_datetime"] == pd.Timestamp(2019, 7, 6)
    assert (row["patient_age"], row["patient_sex"]) == (57, "F")
    assert (row["image_width"], row["image_height"]) == (2372, 3000)
    assert row["lung_lesion"] == 1
    assert row[[column.name for column in LABEL_COLUMNS if column.name != "lung_lesion"]].isna().all()
    assert row["source_labels"] == ["Mass"]
    assert row["findings"] == "Absence d’épanchement./Cœur de taille normale./"
    assert (row["indication"], row["comparison"], row["impression"]) == ("Toux", "None", "Pas d’anomalie/")
    assert row["language"] == "fr"
    assert codes(harmonizer) == []


REPORTS = [
    # reason, cells, the report
    (
        "all four",
        {"Findings": "- A./ B.", "Indication": "C", "Comparison": "None", "Impression": "D/"},
        "Findings:\n- A./ B.\n\nIndication:\nC\n\nComparison:\nNone\n\nImpression:\nD/",
    ),
    ("two", {"Findings": "", "Indication": "C", "Comparison": " ", "Impression": "D"}, "Indication:\nC\n\nImpression:\nD"),
    ("one", {"Findings": "A", "Indication": "", "Comparison": "", "Impression": ""}, "Findings:\nA"),
    (
        "lines and quotes",
        {"Findings": 'A\n "B", C', "Indication": "", "Comparison": "", "Impression": "1/3 et/ou"},
        'Findings:\nA\n "B", C\n\nImpression:\n1/3 et/ou',
    ),
]


@pytest.mark.parametrize(("reason", "cells", "report"), REPORTS, ids=[row[0] for row in REPORTS])
def test_the_report_is_its_cells_under_their_names(tmp_path: Path, reason: str, cells: dict[str, str], report: str) -> None:
    write_class(tmp_path, rows=[record(**cells)])
    row = CASIACXRHarmonizer(tmp_path).harmonize().iloc[0]
    assert row["report"] == report, reason
    for name, cell in cells.items():
        assert (row[name.lower()] == cell) if cell else pd.isna(row[name.lower()]), "as it stands in the file"


CELLS = [
    # reason, changed cells, column and its value (None for missing), code and column of the issue
    ("an age with its unit", {"PatientAge": "057Y"}, ("patient_age", 57), None),
    ("no age", {"PatientAge": ""}, ("patient_age", None), None),
    ("an age nobody reads", {"PatientAge": "lune"}, ("patient_age", None), ("bad_cell", "PatientAge")),
    ("a month of 13", {"StudyDate": "13/1/2021"}, ("study_datetime", None), ("bad_datetime", "StudyDate")),
    ("no date", {"StudyDate": ""}, ("study_datetime", None), None),
    ("a shifted sex", {"PatientGender": "PA"}, ("patient_sex", None), ("bad_cell", "PatientGender")),
    ("no sex", {"PatientGender": ""}, ("patient_sex", None), None),
    ("a size of words", {"ImageWidth": "large"}, ("image_width", None), ("bad_size", "ImageWidth")),
    ("no size", {"ImageHeight": ""}, ("image_height", None), None),
    ("the projection fills a blank position", {"PositionView": ""}, ("view_position", "PA"), None),
    ("the position a blank projection", {"Projection": "", "PositionView": "AnteroPosterior"}, ("view_position", "AP"), None),
    ("no position at all", {"Projection": "", "PositionView": ""}, ("view_group", "unknown"), None),
    ("a report in the age's cell", {"PatientAge": "Toux " * 50}, ("patient_age", None), ("bad_cell", "PatientAge")),
    ("two positions", {"Projection": "AP"}, ("view_position", "AP"), ("view_conflict", "PositionView")),
    ("a lateral film", {"Projection": "LL", "PositionView": ""}, ("view_position", None), ("bad_cell", "Projection")),
    ("no exam", {"ExamID": ""}, ("study_id", None), ("blank_id", "ExamID")),
    ("a shifted exam", {"ExamID": "PA"}, ("study_id", None), ("bad_cell", "ExamID")),
    ("no patient", {"PatientID": ""}, ("patient_id", None), ("blank_id", "PatientID")),
    ("a patient without a class", {"PatientID": "0001"}, ("patient_id", "Mass_0001"), None),
    ("the site's form of a patient", {"PatientID": "CASIA-CXR_Mass_PatientID_0001"},
     ("patient_id", "CASIA-CXR_Mass_PatientID_0001"), None),
    ("no report id", {"ReportID": ""}, ("report_id", None), None),
    ("words stay words", {"Comparison": "NA", "Impression": "null"}, ("comparison", "NA"), None),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "changes", "expected", "issue"), CELLS, ids=[row[0] for row in CELLS])
def test_a_cell_is_read_or_missing_with_an_issue(
    tmp_path: Path, reason: str, changes: dict[str, str], expected: tuple[str, object], issue: tuple[str, str] | None
) -> None:
    write_class(tmp_path, rows=[record(**changes), record(number="0002")], images=[f"CASIA-CXR_Mass_000{n}.jpg" for n in (1, 2)])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    name, value = expected
    assert len(table) == 2
    assert pd.isna(table[name].iloc[0]) if value is None else table[name].iloc[0] == value, reason
    assert [found for found in codes(harmonizer) if found[0] != "repeated_text"] == ([(issue[0], 2, issue[1])] if issue else [])
    assert table["image_path"].notna().all(), "the image is found all the same"


IMAGES = [
    # reason, image files, whether each of two records has its image, codes of the issues
    ("both", ["CASIA-CXR_Mass_0001.JPEG", "casia-cxr_mass_2.JPG"], [True, True], []),
    ("one is missing", ["CASIA-CXR_Mass_0001.JPEG"], [True, False], [("missing_image", 3, None)]),
    ("all are missing", [], [False, False], [("no_images_of_class", None, None)]),
    ("two of one number", ["CASIA-CXR_Mass_0001.JPEG", "CASIA-CXR_Mass_0002.jpg", "CASIA-CXR_Mass_2.jpg"], [True, True],
     [("several_images", None, None)]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "images", "there", "issues"), IMAGES, ids=[row[0] for row in IMAGES])
def test_a_record_without_an_image_stays(
    tmp_path: Path, reason: str, images: list[str], there: list[bool], issues: list[tuple[str, int | None, None]]
) -> None:
    rows = [record(), record(number="0002", Findings="Opacité")]
    write_class(tmp_path, rows=rows, images=images)
    harmonizer = CASIACXRHarmonizer(tmp_path)
    assert harmonizer.harmonize()["image_path"].notna().tolist() == there, reason
    assert codes(harmonizer) == issues


def test_records_with_one_id_stay_and_can_be_told_apart(tmp_path: Path) -> None:
    rows = [record(), record(Findings="Opacité"), record(number="0002", Impression="Masse"), record(Findings="Masse")]
    write_class(tmp_path, rows=rows, images=["CASIA-CXR_Mass_0001.jpg", "CASIA-CXR_Mass_0002.jpg"])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    first = "CASIA-CXR_Mass_ImgID_0001"
    assert table["image_id"].tolist() == [first, f"{first}~2", "CASIA-CXR_Mass_ImgID_0002", f"{first}~3"]
    assert table["study_id"].nunique() == 2
    duplicated = [issue for issue in codes(harmonizer) if issue[0] == "duplicate_id"]
    assert duplicated == [("duplicate_id", row, name) for name in ("ExamID", "ImageID") for row in (3, 5)]


def test_numbers_restart_in_every_class(tmp_path: Path) -> None:
    for kind in ("Mass", "Pneumonia"):
        write_class(tmp_path, kind, [record(kind, PatientID="0001", Findings=kind)])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    assert table["patient_id"].tolist() == ["Mass_0001", "Pneumonia_0001"]
    assert table["image_path"].tolist() == [
        f"CASIA-CXR_{kind}/CASIA-CXR_{kind}_Images/CASIA-CXR_{kind}_0001.JPEG" for kind in ("Mass", "Pneumonia")
    ]
    assert codes(harmonizer) == []


def test_one_text_on_many_records_is_a_note_and_drops_none(tmp_path: Path) -> None:
    write_class(tmp_path, rows=[record(number=f"{n:04}", Findings="A" if n < 4 else "B") for n in range(1, 6)], images=[])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    assert len(harmonizer.harmonize()) == 5
    (note,) = harmonizer.issues[harmonizer.issues["code"] == "repeated_text"].to_dict("records")
    assert note["value"] == "2 different ones on 5 records, the most frequent on 3"
    assert note["severity"] == "note"


def test_classes_that_are_missing_and_tables_are_said_once_each(tmp_path: Path) -> None:
    write_class(tmp_path)
    (tmp_path / "CASIA-CXR_Pneumonia").mkdir()
    issues = CASIACXRHarmonizer(tmp_path).issues
    told = {code: issues.loc[issues["code"] == code, "value"].tolist() for code in QUIET}
    assert told["missing_class"] == ["Cardiomegaly", "PleuralEffusion", "Pneumothorax"]
    assert told["missing_table"] == ["the reports of Pneumonia", "the labels of Mass"]


def test_a_class_of_a_header_alone_has_no_rows(tmp_path: Path) -> None:
    write_class(tmp_path, rows=[])
    table = CASIACXRHarmonizer(tmp_path).harmonize()
    assert table.empty
    assert validate(table, CASIA_CXR_COLUMNS) == []


def test_a_saved_table_comes_back_as_it_was(tmp_path: Path) -> None:
    write_class(tmp_path, rows=[record(), record(number="0002", StudyDate="?", PatientAge="")])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    again = CASIACXRHarmonizer.load_from_saved(harmonizer.save(tmp_path / "t.parquet"))
    pd.testing.assert_frame_equal(again.harmonized_df, harmonizer.harmonized_df)
    pd.testing.assert_frame_equal(again.issues, harmonizer.issues)
    assert again.image_root == tmp_path
    assert again.inputs() == harmonizer.inputs(), "its arguments came back as well"


def test_it_stands_in_the_registry() -> None:
    assert HARMONIZERS["casia_cxr"] is CASIACXRHarmonizer
