"""CASIA-CXR's labels: the class, and a labels table of either shape. What nobody marked never becomes a negative."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.harmonizer import CASIACXRHarmonizer
from radharmony_core.harmonizer.casia_cxr.labels import common_of, read_labels
from radharmony_core.schema import LABEL_COLUMNS, IssueLog
from tests.harmonizer.casia_cxr.made import record, write_class

EXAM, IMAGE = "CASIA-CXR_Mass_ExamID_0001", "CASIA-CXR_Mass_ImgID_0001"
QUIET = ("missing_class", "no_images_of_class", "repeated_text")


def labelled(tmp_path: Path, labels: str | None, kind: str = "Mass", numbers: tuple[str, ...] = ("0001",)) -> CASIACXRHarmonizer:
    write_class(tmp_path, kind, [record(kind, number) for number in numbers], images=[], labels=labels)
    return CASIACXRHarmonizer(tmp_path)


def positive(table: pd.DataFrame, place: int = 0) -> list[str]:
    """The labels of one record that are 1; all others must be missing."""
    states = {column.name: table[column.name].iloc[place] for column in LABEL_COLUMNS}
    assert all(pd.isna(state) or state == 1 for state in states.values())
    return sorted(name for name, state in states.items() if not pd.isna(state))


def issues(harmonizer: CASIACXRHarmonizer) -> list[tuple[str, str | None, str | None]]:
    found = harmonizer.issues.astype(object).where(lambda frame: frame.notna(), None)
    rows = zip(found["code"], found["column"], found["value"], strict=True)
    return [(code, column, value) for code, column, value in rows if code not in QUIET]


SHAPES = [
    # reason, the labels table, labels that are 1, source_labels
    ("a column a label", f"ImageID,Edema,Emphysema\n{IMAGE},1,1\n", ["edema", "lung_lesion"], ["Mass", "Edema", "Emphysema"]),
    ("0 and blank are not marked", f"ImageID,Edema,Emphysema\n{IMAGE},0,\n", ["lung_lesion"], ["Mass"]),
    ("by way of numbers", f"ImageID,Edema,Fracture\n{IMAGE},1.0,0.0\n", ["edema", "lung_lesion"], ["Mass", "Edema"]),
    ("the exam's id", f"ExamID,Edema\n{EXAM},1\n", ["edema", "lung_lesion"], ["Mass", "Edema"]),
    ("the id in another column", f"Edema,x\n1,{EXAM}\n", ["edema", "lung_lesion"], ["Mass", "Edema"]),
    ("the image's name", "Image,Edema\nCASIA-CXR_Mass_0001.JPEG,1\n", ["edema", "lung_lesion"], ["Mass", "Edema"]),
    ("a number, in the class's folder", "ID,Edema\n1,1\n", ["edema", "lung_lesion"], ["Mass", "Edema"]),
    ("small letters", f"imageid,EDEMA\n{IMAGE.lower()},1\n", ["edema", "lung_lesion"], ["Mass", "EDEMA"]),
    ("semicolons", f"ImageID;Edema\n{IMAGE};1\n", ["edema", "lung_lesion"], ["Mass", "Edema"]),
    ("names in a cell, by commas", f'ImageID,Labels\n{IMAGE},"Edema, Emphysema"\n', ["edema", "lung_lesion"],
     ["Mass", "Edema", "Emphysema"]),
    ("by semicolons", f"ImageID,Labels\n{IMAGE},Edema;Pleural Thickening\n", ["edema", "lung_lesion", "pleural_other"],
     ["Mass", "Edema", "Pleural Thickening"]),
    ("by bars", f"ImageID,Labels\n{IMAGE},Edema|Edema| |\n", ["edema", "lung_lesion"], ["Mass", "Edema"]),
    ("one name, under any heading", f"ImageID,x\n{IMAGE},Pulmonary_Opacity\n", ["lung_lesion", "lung_opacity"],
     ["Mass", "Pulmonary_Opacity"]),
    ("as a Python list", f"ImageID,Labels\n{IMAGE},\"['Edema', 'Emphysema']\"\n", ["edema", "lung_lesion"],
     ["Mass", "Edema", "Emphysema"]),
    ("an empty cell of names", f"ImageID,Labels\n{IMAGE},\n", ["lung_lesion"], ["Mass"]),
    ("the class among the labels", f"ImageID,Mass,Edema\n{IMAGE},1,0\n", ["lung_lesion"], ["Mass"]),
    ("another class as well", f"ImageID,Pneumonia\n{IMAGE},1\n", ["lung_lesion", "pneumonia"], ["Mass", "Pneumonia"]),
    ("two labels of one finding", f"ImageID,Infiltration,Oval Opacity\n{IMAGE},0,1\n", ["lung_lesion", "lung_opacity"],
     ["Mass", "Oval Opacity"]),
    ("columns of filling", f"ImageID,Edema,,EndHere\n{IMAGE},1,#,#\n", ["edema", "lung_lesion"], ["Mass", "Edema"]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "labels", "found", "names"), SHAPES, ids=[row[0] for row in SHAPES])
def test_a_labels_table_of_either_shape(tmp_path: Path, reason: str, labels: str, found: list[str], names: list[str]) -> None:
    harmonizer = labelled(tmp_path, labels)
    table = harmonizer.harmonize()
    assert positive(table) == found, reason
    assert table["source_labels"].iloc[0] == names
    assert [issue for issue in issues(harmonizer) if issue[0] != "extra_column"] == [], "nothing about it is a fault"


FAULTS = [
    # reason, the labels table, labels that are 1, source_labels, issues as (code, column, value)
    ("no table", None, ["lung_lesion"], ["Mass"], [("missing_table", None, "the labels of Mass")]),
    ("a header alone", "ImageID,Edema\n", ["lung_lesion"], ["Mass"], [("missing_labels", None, EXAM)]),
    ("another record's row", "ImageID,Edema\nCASIA-CXR_Mass_ImgID_0002,1\n", ["lung_lesion"], ["Mass"],
     [("unmatched_label_row", None, "CASIA-CXR_Mass_ImgID_0002"), ("missing_labels", None, EXAM)]),
    ("another class's row", "ImageID,Edema\nCASIA-CXR_Pneumonia_ImgID_0001,1\n", ["lung_lesion"], ["Mass"],
     [("unmatched_label_row", None, "CASIA-CXR_Pneumonia_ImgID_0001"), ("missing_labels", None, EXAM)]),
    ("a label nobody knows", f"ImageID,Pulmonary Fog\n{IMAGE},1\n", ["lung_lesion"], ["Mass", "Pulmonary Fog"],
     [("unknown_label_name", "Pulmonary Fog", "CASIA-CXR_Mass_Labels.csv")]),
    ("such a name in a cell", f"ImageID,Labels\n{IMAGE},Edema|Pulmonary Fog\n", ["edema", "lung_lesion"],
     ["Mass", "Edema", "Pulmonary Fog"], [("unknown_label_name", "Pulmonary Fog", "CASIA-CXR_Mass_Labels.csv")]),
    ("neither 0 nor 1", f"ImageID,Edema,Emphysema\n{IMAGE},-1,maybe\n", ["lung_lesion"], ["Mass"],
     [("unknown_flag", "Edema", "-1 (CASIA-CXR_Mass_Labels.csv)"),
      ("unknown_flag", "Emphysema", "maybe (CASIA-CXR_Mass_Labels.csv)")]),
    ("an unknown label, a damaged cell", f"ImageID,Fog\n{IMAGE},1\n{IMAGE},0\n{IMAGE},?\n", ["lung_lesion"], ["Mass", "Fog"],
     [("unknown_flag", "Fog", "? (CASIA-CXR_Mass_Labels.csv)"), ("unknown_label_name", "Fog", "CASIA-CXR_Mass_Labels.csv"),
      ("repeated_label_row", None, IMAGE), ("repeated_label_row", None, IMAGE), ("label_outvoted", "Fog", IMAGE)]),
    ("ids under no name, one damaged", f"x,Edema\n{IMAGE},1\nCASIA-CXR_Mass_ImgID_0001,1\n?,1\n", ["edema", "lung_lesion"],
     ["Mass", "Edema"], [("row_without_id", None, "? (CASIA-CXR_Mass_Labels.csv)"), ("repeated_label_row", None, IMAGE)]),
    ("a row twice, once marked", f"ImageID,Edema\n{IMAGE},0\n{IMAGE},1\n", ["edema", "lung_lesion"], ["Mass", "Edema"],
     [("repeated_label_row", None, IMAGE), ("label_outvoted", "Edema", IMAGE)]),
    ("a row a label", f"ImageID,Label\n{IMAGE},Edema\n{IMAGE},Fracture\n", ["edema", "fracture", "lung_lesion"],
     ["Mass", "Edema", "Fracture"], [("repeated_label_row", None, IMAGE)]),
    ("a 0 for its own class", f"ImageID,Mass\n{IMAGE},0\n", ["lung_lesion"], ["Mass"], [("label_outvoted", "Mass", IMAGE)]),
    ("a row without an id", f"ImageID,Edema\n{IMAGE},0\n,1\n", ["lung_lesion"], ["Mass"],
     [("row_without_id", None, " (CASIA-CXR_Mass_Labels.csv)")]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "labels", "found", "names", "said"), FAULTS, ids=[row[0] for row in FAULTS])
def test_what_is_odd_about_labels_is_said_and_the_record_stays(
    tmp_path: Path,
    reason: str,
    labels: str | None,
    found: list[str],
    names: list[str],
    said: list[tuple[str, str | None, str | None]],
) -> None:
    harmonizer = labelled(tmp_path, labels)
    table = harmonizer.harmonize()
    assert len(table) == 1
    assert positive(table) == found, reason
    assert table["source_labels"].iloc[0] == names
    assert issues(harmonizer) == said, reason


def test_each_record_gets_its_own_labels(tmp_path: Path) -> None:
    rows = [f"CASIA-CXR_Mass_ImgID_{number},{edema},{emphysema}" for number, edema, emphysema in
            (("0003", 1, 0), ("0001", 0, 1), ("0002", 0, 0))]  # fmt: skip
    table = labelled(
        tmp_path, "\n".join(["ImageID,Edema,Emphysema", *rows]), numbers=("0001", "0002", "0003", "0004")
    ).harmonize()
    assert table["source_labels"].tolist() == [["Mass", "Emphysema"], ["Mass"], ["Mass", "Edema"], ["Mass"]]
    assert [positive(table, place) for place in range(4)] == [["lung_lesion"]] * 2 + [["edema", "lung_lesion"], ["lung_lesion"]]


def test_labels_without_an_id_are_nobodys(tmp_path: Path) -> None:
    rows = [record(PatientID="", ReportID=""), record(number="0002", PatientID="", ExamID="")]
    write_class(tmp_path, rows=rows, images=[], labels=f"ImageID,Edema\n,1\n{IMAGE},0\n")
    harmonizer = CASIACXRHarmonizer(tmp_path)
    assert harmonizer.harmonize()["source_labels"].tolist() == [["Mass"], ["Mass"]]
    assert ("missing_labels", None, "CASIA-CXR_Mass_ImgID_0002") in issues(harmonizer)


def test_a_sixth_class_flags_nothing_whatever_it_is_called(tmp_path: Path) -> None:
    path = write_class(tmp_path, "Edema", folder="x") / "CASIA-CXR_Edema_Reports.csv"
    table = CASIACXRHarmonizer(csv_path=path).harmonize()
    assert positive(table) == []
    assert table["source_labels"].tolist() == [["Edema"]]


def test_an_exam_and_an_image_of_other_numbers_are_not_mixed_up(tmp_path: Path) -> None:
    rows = [record(ImageID="CASIA-CXR_Mass_ImgID_0002"), record(number="0002", ImageID=IMAGE)]
    write_class(tmp_path, rows=rows, images=[], labels=f"ExamID,Edema\n{EXAM},1\nCASIA-CXR_Mass_ExamID_0002,0\n")
    assert CASIACXRHarmonizer(tmp_path).harmonize()["source_labels"].tolist() == [["Mass", "Edema"], ["Mass"]]


COMMON = [
    ("Cardiomegaly", "Cardiomegaly", "the class"),
    ("PleuralEffusion", "Pleural Effusion", "as the folder has it"),
    ("Pleural Effusion", "Pleural Effusion", "as the site has it"),
    ("Mass", "Lung Lesion", "CheXpert's name"),
    ("pulmonary_opacity", "Lung Opacity", "written otherwise"),
    ("Pleural Thickening", "Pleural Other", "as CheXpert's mention list"),
    ("Consolidation", "Consolidation", "a common finding that is not in the dataset's list"),
    ("Emphysema", None, "in the list, and no common finding"),
    ("Pulmonary Fog", None, "in neither"),
    ("", None, "nothing"),
]


@pytest.mark.parametrize(("name", "expected", "reason"), COMMON, ids=[row[2] for row in COMMON])
def test_the_common_finding_of_a_label(name: str, expected: str | None, reason: str) -> None:
    assert common_of(name) == expected, reason


CLASSES = [
    ("Cardiomegaly", "cardiomegaly"),
    ("Pneumothorax", "pneumothorax"),
    ("Pneumonia", "pneumonia"),
    ("PleuralEffusion", "pleural_effusion"),
    ("Mass", "lung_lesion"),
]


@pytest.mark.parametrize(("kind", "column"), CLASSES)
def test_the_class_is_the_global_label(tmp_path: Path, kind: str, column: str) -> None:
    table = labelled(tmp_path, None, kind).harmonize()
    assert positive(table) == [column]
    assert table["source_labels"].tolist() == [[kind]]


@pytest.mark.parametrize("named", [True, False])
def test_a_labels_table_named_by_hand_is_read_instead(tmp_path: Path, named: bool) -> None:
    write_class(tmp_path, images=[], labels=f"ImageID,Edema\n{IMAGE},1\n")
    write_class(tmp_path, "Pneumonia", images=[])
    other = tmp_path / "all.csv"
    other.write_text(f"ImageID,Labels\n{IMAGE},Fracture\nCASIA-CXR_Pneumonia_ImgID_0001,Edema\n")
    table = CASIACXRHarmonizer(tmp_path, label_csv_path=other if named else None).harmonize()
    expected = [["Mass", "Fracture"], ["Pneumonia", "Edema"]] if named else [["Mass", "Edema"], ["Pneumonia"]]
    assert table["source_labels"].tolist() == expected


REFUSED = [
    ("empty", "", "right file"),
    ("no ids", "a,Edema\nx,1\n", r"\['a', 'Edema'\]"),
    ("ids alone", f"ImageID\n{IMAGE}\n", r"\['ImageID'\]"),
    ("numbers that are no flags", f"ImageID,age\n{IMAGE},57\n", r"\['ImageID', 'age'\]"),
    ("texts, which list nothing", f'ImageID,x\n{IMAGE},"Opacité, discrète"\n', r"\['ImageID', 'x'\]"),
    ("a header without end", "a;" * 50_000 + "\n", "'a', 'a'"),
    ("two columns of words", f"ImageID,a,b\n{IMAGE},x,y\n", "Its header is"),
    ("a web page", "<!DOCTYPE html>\n<html></html>\n", "DOCTYPE"),
]


@pytest.mark.parametrize(("reason", "content", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_table_of_neither_shape_is_refused_with_its_header(tmp_path: Path, reason: str, content: str, words: str) -> None:
    path = tmp_path / "CASIA-CXR_Mass_Labels.csv"
    path.write_text(content)
    with pytest.raises(TableError, match=words) as refusal:
        read_labels(path, "Mass", IssueLog())
    assert str(path) in str(refusal.value), reason


def test_a_labels_table_that_is_named_and_not_there_is_refused(tmp_path: Path) -> None:
    write_class(tmp_path)
    with pytest.raises(MissingFileError, match="labels table"):
        CASIACXRHarmonizer(tmp_path, label_csv_path=tmp_path / "no.csv").harmonize()
