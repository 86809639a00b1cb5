"""Labels tables as people write them by hand: names without quotes, both shapes at once, words for 1 and 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.errors import TableError
from radharmony_core.harmonizer import CASIACXRHarmonizer
from radharmony_core.harmonizer.casia_cxr.labels import read_labels
from radharmony_core.schema import IssueLog
from tests.harmonizer.casia_cxr.made import record, write_class

ONE, TWO = "CASIA-CXR_Mass_ImgID_0001", "CASIA-CXR_Mass_ImgID_0002"
QUIET = {"missing_class", "no_images_of_class", "repeated_text", "missing_labels"}


def labelled(tmp_path: Path, labels: str) -> tuple[list[list[str]], list[tuple[str, str | None, int | None]]]:
    """The labels of two records beside their class, and the issues."""
    write_class(tmp_path, rows=[record(), record(number="0002")], images=[], labels=labels)
    harmonizer = CASIACXRHarmonizer(tmp_path)
    names = harmonizer.harmonize()["source_labels"]
    found = harmonizer.issues.astype(object).where(lambda frame: frame.notna(), None)
    rows = zip(found["code"], found["column"], found["row"], strict=True)
    return [cell[1:] for cell in names], [row for row in rows if row[0] not in QUIET]


FORMS = [
    # reason, the labels table, labels of two records, issues as (code, column, row)
    ("names without quotes", f"ImageID,Labels\n{ONE},Edema,Infiltration\n{TWO},Edema\n", [["Edema", "Infiltration"], ["Edema"]],
     [("names_joined", "Labels", 2)]),
    ("under any heading", f"ImageID,x\n{ONE},Edema,Infiltration,Fracture\n{TWO},Edema\n",
     [["Edema", "Infiltration", "Fracture"], ["Edema"]], [("names_joined", "x", 2)]),
    ("behind another column", f"ImageID,PatientID,Labels\n{ONE},7,Edema,Infiltration\n{TWO},8,Edema\n",
     [["Edema", "Infiltration"], ["Edema"]], [("extra_column", "PatientID", None), ("names_joined", "Labels", 2)]),
    ("semicolons", f"ImageID;Labels\n{ONE};Edema;Fracture\n", [["Edema", "Fracture"], []], [("names_joined", "Labels", 2)]),
    ("nothing in the surplus", f"ImageID,Labels\n{ONE},Edema,,\n", [["Edema"], []], [("ragged_row", None, 2)]),
    ("a row of an id alone", f"ImageID,Labels\n{ONE}\n{TWO},Edema\n", [[], ["Edema"]], [("ragged_row", None, 2)]),
    ("names before the ids", f"Labels,ImageID\nEdema,{ONE}\nEdema,Fracture,{TWO}\n", [["Edema"], []],
     [("ragged_row", None, 3), ("row_without_id", None, 3)]),
    ("a list beside a column of 0 and 1", f"ImageID,Labels,Edema\n{ONE},Infiltration,1\n{TWO},Fracture,0\n",
     [["Edema", "Infiltration"], ["Fracture"]], []),
    ("that say the same", f"ImageID,Labels,Edema\n{ONE},edema,1\n", [["Edema"], []], []),
    ("that contradict", f"ImageID,Labels,Edema\n{ONE},Edema,0\n", [["Edema"], []], [("label_outvoted", "Edema", 2)]),
    ("True and False", f"ImageID,Edema,Fracture\n{ONE},True,False\n{TWO},FALSE,TRUE\n", [["Edema"], ["Fracture"]],
     [("flags_as_words", None, None)]),
    ("oui and non", f"ImageID,Edema,Fracture\n{ONE},oui,non\n{TWO},Non,1\n", [["Edema"], ["Fracture"]],
     [("flags_as_words", None, None)]),
    ("words under a label nobody knows", f"ImageID,Fog\n{ONE},True\n{TWO},False\n", [["Fog"], []],
     [("flags_as_words", None, None), ("unknown_label_name", "Fog", None)]),
    ("a word that is neither", f"ImageID,Edema\n{ONE},peut-être\n{TWO},1\n", [[], ["Edema"]], [("unknown_flag", "Edema", 2)]),
    ("paths of images", "path,Edema\n/x/CASIA-CXR_Mass_0001.jpg,1\nx\\CASIA-CXR_Mass_0002.JPEG,0\n", [["Edema"], []], []),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "labels", "names", "issues"), FORMS, ids=[row[0] for row in FORMS])
def test_no_label_is_lost(
    tmp_path: Path, reason: str, labels: str, names: list[list[str]], issues: list[tuple[str, str | None, int | None]]
) -> None:
    assert labelled(tmp_path, labels) == (names, issues), reason


WHOSE = [
    # reason, changed ids of the first record, the labels table, labels of two records
    ("a number alone, ids that disagree", {"ImageID": "CASIA-CXR_Mass_ImgID_0009"}, "ID,Edema\n1,1\n9,1\n", [[], []]),
    ("a patient's number is not an image's", {"PatientID": "CASIA-CXR_MassPatientID_0002"},
     "PatientID,Edema\nCASIA-CXR_Mass_PatientID_0002,1\n", [["Edema"], []]),
    ("an image of another class", {"ImageID": "CASIA-CXR_Pneumonia_ImgID_0001"}, "ImageID,Edema\n1,1\n", [[], []]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "ids", "labels", "names"), WHOSE, ids=[row[0] for row in WHOSE])
def test_labels_go_to_nobody_else(tmp_path: Path, reason: str, ids: dict[str, str], labels: str, names: list[list[str]]) -> None:
    rows = [record(**ids), record(number="0002", PatientID="CASIA-CXR_MassPatientID_0003")]
    write_class(tmp_path, rows=rows, images=[], labels=labels)
    assert [cell[1:] for cell in CASIACXRHarmonizer(tmp_path).harmonize()["source_labels"]] == names, reason


def test_a_bare_number_is_one_of_its_own_folder(tmp_path: Path) -> None:
    write_class(tmp_path, rows=[record(PatientID="0001")], images=[], labels="ID,Edema\n0001,1\n")
    write_class(tmp_path, "Pneumonia", rows=[record("Pneumonia", PatientID="0001")], images=[])
    table = CASIACXRHarmonizer(tmp_path).harmonize().set_index("study_id")
    assert table.loc["CASIA-CXR_Pneumonia_ExamID_0001", "source_labels"] == ["Pneumonia"]
    assert table.loc["CASIA-CXR_Mass_ExamID_0001", "source_labels"] == ["Mass", "Edema"]


HEADERLESS = [
    ("an image", f"{ONE},Edema\n{TWO},Fracture\n"),
    ("one record", f"{ONE},1,0\n"),
    ("a file", "CASIA-CXR_Mass_0001.jpg,Edema\n"),
    ("an id behind other cells", f'1,"{ONE}"\n'),
]


@pytest.mark.parametrize(("reason", "content"), HEADERLESS, ids=[row[0] for row in HEADERLESS])
def test_a_table_without_a_header_is_refused_in_words(tmp_path: Path, reason: str, content: str) -> None:
    path = tmp_path / "CASIA-CXR_Mass_Labels.csv"
    path.write_text(content)
    with pytest.raises(TableError, match="first record"):
        read_labels(path, "Mass", IssueLog())
