"""Whose film a record gets: ImageID's own, else that of the class and number that both of its ids name, and never another's
without a word."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.harmonizer import CASIACXRHarmonizer
from tests.harmonizer.casia_cxr.made import record, write_class

FILMS = ["CASIA-CXR_Mass_0001.jpg", "CASIA-CXR_Mass_0002.jpg", "CASIA-CXR_Mass_0023.jpg"]
SAID = {"class_conflict", "number_conflict", "shared_image", "missing_image", "bad_cell", "blank_id"}
CASES = [
    # reason, the record's ids, more files in Mass's folder, the film's name, codes of the issues
    ("both ids agree", {}, [], "CASIA-CXR_Mass_0001.jpg", []),
    ("ImageID's own name before class and number", {}, ["CASIA-CXR_Mass_ImgID_0001.jpg"], "CASIA-CXR_Mass_ImgID_0001.jpg", []),
    ("ImageID with a file's suffix", {"ImageID": "CASIA-CXR_Mass_ImgID_0001.JPEG"}, [], "CASIA-CXR_Mass_0001.jpg", []),
    ("ImageID as a path", {"ImageID": r"D:\x\CASIA-CXR_Mass_0001.jpg"}, [], "CASIA-CXR_Mass_0001.jpg", []),
    ("ImageID of another number", {"ImageID": "CASIA-CXR_Mass_ImgID_0002"}, [], None, ["number_conflict"]),
    ("of another number, and its own file is there", {"ImageID": "CASIA-CXR_Mass_ImgID_0002"}, ["CASIA-CXR_Mass_ImgID_0002.jpg"],
     "CASIA-CXR_Mass_ImgID_0002.jpg", ["number_conflict"]),
    ("ImageID of another class", {"ExamID": "CASIA-CXR_Mass_ExamID_0023", "ImageID": "CASIA-CXR_Pneumonia_ImgID_0001"}, [], None,
     ["class_conflict", "number_conflict"]),
    ("of another class, one number", {"ImageID": "CASIA-CXR_Pneumonia_ImgID_0001"}, [], None, ["class_conflict"]),
    ("of another class, and its own file is there", {"ImageID": "CASIA-CXR_Pneumonia_ImgID_0001"},
     ["CASIA-CXR_Pneumonia_ImgID_0001.jpg"], "CASIA-CXR_Pneumonia_ImgID_0001.jpg", ["class_conflict"]),
    ("an exam of another class", {"ExamID": "CASIA-CXR_Pneumonia_ExamID_0001"}, [], None, ["class_conflict"]),
    ("both ids of a class that has no films", {"ExamID": "CASIA-CXR_Pneumonia_ExamID_0001",
     "ImageID": "CASIA-CXR_Pneumonia_ImgID_0001"}, [], None, ["class_conflict", "missing_image"]),
    ("no exam", {"ExamID": ""}, [], "CASIA-CXR_Mass_0001.jpg", ["blank_id"]),
    ("no ImageID", {"ImageID": ""}, [], "CASIA-CXR_Mass_0001.jpg", ["blank_id"]),
    ("a shifted ImageID that ends in another's digits", {"ImageID": "large 0002"}, [], "CASIA-CXR_Mass_0001.jpg", ["bad_cell"]),
    ("a day as ImageID", {"ImageID": "12/29/0023"}, [], "CASIA-CXR_Mass_0001.jpg", ["bad_cell"]),
    ("ids that name no class", {"ExamID": "CASIA-CXR_ExamID_0001", "ImageID": "CASIA-CXR_ImgID_0001"}, [],
     "CASIA-CXR_Mass_0001.jpg", []),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "ids", "more", "film", "codes"), CASES, ids=[row[0] for row in CASES])
def test_the_film_of_a_record(
    tmp_path: Path, reason: str, ids: dict[str, str], more: list[str], film: str | None, codes: list[str]
) -> None:
    write_class(tmp_path, rows=[record(**ids)], images=[*FILMS, *more])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    (path,) = harmonizer.harmonize()["image_path"]
    assert pd.isna(path) if film is None else Path(path).name == film, reason
    assert [code for code in harmonizer.issues["code"] if code in SAID] == codes


def test_a_suffix_is_no_part_of_the_image_id(tmp_path: Path) -> None:
    write_class(tmp_path, rows=[record(ImageID="CASIA-CXR_Mass_ImgID_0001.JPEG")])
    assert CASIACXRHarmonizer(tmp_path).harmonize()["image_id"].tolist() == ["CASIA-CXR_Mass_ImgID_0001"]


def test_a_record_in_another_classs_table_gets_the_film_that_its_ids_name(tmp_path: Path) -> None:
    write_class(tmp_path, "Pneumonia", [record("Pneumonia"), record("Mass", "0002")], images=["CASIA-CXR_Pneumonia_0001.jpg",
                "CASIA-CXR_Pneumonia_0002.jpg", "CASIA-CXR_Mass_0002.jpg"])  # fmt: skip
    write_class(tmp_path, "Mass", images=["CASIA-CXR_Mass_0001.jpg", "CASIA-CXR_Mass_0002.jpg"])
    table = CASIACXRHarmonizer(tmp_path).harmonize().set_index("study_id")
    path = table.loc["CASIA-CXR_Mass_ExamID_0002", "image_path"]
    assert path == "CASIA-CXR_Mass/CASIA-CXR_Mass_Images/CASIA-CXR_Mass_0002.jpg", "its own class's folder, not a stray copy"
    assert table.loc["CASIA-CXR_Mass_ExamID_0002", "source_labels"] == ["Pneumonia"], "the label is the folder's"


def test_a_file_that_two_records_get_is_an_error(tmp_path: Path) -> None:
    write_class(tmp_path, "Pneumonia", [record("Pneumonia"), record("Mass")], images=["CASIA-CXR_Pneumonia_0001.jpg"])
    write_class(tmp_path, "Mass", images=["CASIA-CXR_Mass_0001.jpg"])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    assert table["image_path"].notna().all()
    (shared,) = harmonizer.issues.query("code == 'shared_image'").to_dict("records")
    assert (shared["severity"], shared["row"], shared["value"]) == ("error", 3, "CASIA-CXR_Mass_ExamID_0001")
    assert shared["image_path"] == "CASIA-CXR_Mass/CASIA-CXR_Mass_Images/CASIA-CXR_Mass_0001.jpg"


def test_a_file_is_said_to_be_passed_over_only_when_nobody_has_it(tmp_path: Path) -> None:
    images = ["CASIA-CXR_Mass_0001.jpg", "CASIA-CXR_Mass_1.jpg", "CASIA-CXR_Mass_ImgID_0001.jpg"]
    write_class(tmp_path, images=images)
    harmonizer = CASIACXRHarmonizer(tmp_path)
    assert Path(harmonizer.harmonize()["image_path"].iloc[0]).name == images[2]
    said = harmonizer.issues.query("code == 'several_images'")["value"]
    assert [Path(path).name for path in said] == images[:2]
