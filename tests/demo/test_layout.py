"""Folders, file names and columns, against the descriptions of MIMIC-CXR-JPG, MIMIC-CXR and MS-CXR on PhysioNet."""

from __future__ import annotations

import csv
import gzip
import json
import re
import tomllib
from pathlib import Path

import pydicom
import pytest
from PIL import Image

JPG = "mimic-cxr-jpg/2.1.0"
MIMIC = "mimic-cxr/2.1.0"
MS_CXR = "ms-cxr/1.1.0/MS_CXR_Local_Alignment_v1.1.0"
LABELS = (
    "Atelectasis,Cardiomegaly,Consolidation,Edema,Enlarged Cardiomediastinum,Fracture,Lung Lesion,Lung Opacity,"
    "No Finding,Pleural Effusion,Pleural Other,Pneumonia,Pneumothorax,Support Devices"
)
METADATA = (
    "dicom_id,subject_id,study_id,PerformedProcedureStepDescription,ViewPosition,Rows,Columns,StudyDate,StudyTime,"
    "ProcedureCodeSequence_CodeMeaning,ViewCodeSequence_CodeMeaning,PatientOrientationCodeSequence_CodeMeaning"
)


def text_of(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(text_of(path).splitlines()))


@pytest.mark.parametrize(
    ("name", "header"),
    [
        (f"{JPG}/mimic-cxr-2.0.0-metadata.csv.gz", METADATA),
        (f"{JPG}/mimic-cxr-2.0.0-split.csv.gz", "dicom_id,study_id,subject_id,split"),
        (f"{JPG}/mimic-cxr-2.0.0-chexpert.csv.gz", f"subject_id,study_id,{LABELS}"),
        (f"{JPG}/mimic-cxr-2.0.0-negbio.csv.gz", f"subject_id,study_id,{LABELS}"),
        (f"{JPG}/mimic-cxr-2.1.0-test-set-labeled.csv", f"study_id,{LABELS.replace('Lung Opacity', 'Airspace Opacity')}"),
        (f"{MIMIC}/cxr-record-list.csv.gz", "subject_id,study_id,dicom_id,path"),
        (f"{MIMIC}/cxr-study-list.csv.gz", "subject_id,study_id,path"),
        (f"{MS_CXR}.csv", "dicom_id,category_name,label_text,path,x,y,w,h,image_width,image_height,split"),
    ],
)
def test_columns(demo: Path, name: str, header: str) -> None:
    assert text_of(demo / name).splitlines()[0] == header


def test_every_image_of_the_tables_is_there_with_its_size(demo: Path) -> None:
    rows = rows_of(demo / JPG / "mimic-cxr-2.0.0-metadata.csv.gz")
    assert len(rows) == 11
    for row in rows:
        subject, study = row["subject_id"], row["study_id"]
        path = demo / JPG / "files" / f"p{subject[:2]}" / f"p{subject}" / f"s{study}" / f"{row['dicom_id']}.jpg"
        with Image.open(path) as film:
            assert (film.format, film.mode, film.width, film.height) == ("JPEG", "L", int(row["Columns"]), int(row["Rows"]))
    assert len(list((demo / JPG).rglob("*.jpg"))) == 11


def test_ids_dates_and_times(demo: Path) -> None:
    for row in rows_of(demo / JPG / "mimic-cxr-2.0.0-metadata.csv.gz"):
        assert re.fullmatch(r"([0-9a-f]{8}-){4}[0-9a-f]{8}", row["dicom_id"])
        assert re.fullmatch(r"1\d{7}", row["subject_id"])
        assert re.fullmatch(r"5\d{7}", row["study_id"])
        assert 2100 <= int(row["StudyDate"][:4]) <= 2200
        assert 0 <= float(row["StudyTime"]) < 240_000
        assert not re.match(r"0\d", row["StudyTime"]), "leading zeros are lost in the real file"


def test_image_filenames_names_every_jpg(demo: Path) -> None:
    listed = (demo / JPG / "IMAGE_FILENAMES").read_text().splitlines()
    there = [path.relative_to(demo / JPG).as_posix() for path in (demo / JPG).rglob("*.jpg")]
    assert sorted(listed) == sorted(there)


def test_record_list_names_exactly_the_dicom_files(demo: Path) -> None:
    listed = {row["path"]: row for row in rows_of(demo / MIMIC / "cxr-record-list.csv.gz")}
    there = {path.relative_to(demo / MIMIC).as_posix(): path for path in (demo / MIMIC).rglob("*.dcm")}
    assert there
    assert listed.keys() == there.keys()
    for name, path in there.items():
        ds = pydicom.dcmread(path)
        assert ds.PatientID == listed[name]["subject_id"]
        assert ds.StudyID == listed[name]["study_id"]
        assert ds.SOPClassUID == "1.2.840.10008.5.1.4.1.1.1.1"  # Digital X-Ray, for presentation
        assert ds.file_meta.TransferSyntaxUID == "1.2.840.10008.1.2.1"  # explicit little endian
        assert (ds.BitsAllocated, ds.BitsStored, ds.SamplesPerPixel) == (16, 12, 1)
        assert int(ds.pixel_array.max()) <= 4095


def test_every_study_has_its_report_beside_its_folder(demo: Path) -> None:
    listed = {row["path"] for row in rows_of(demo / MIMIC / "cxr-study-list.csv.gz")}
    there = {path.relative_to(demo / MIMIC).as_posix() for path in (demo / MIMIC).rglob("*.txt")}
    assert listed == there
    assert all(re.fullmatch(r"files/p1\d/p1\d{7}/s5\d{7}\.txt", name) for name in listed)


def test_config_points_at_what_is_there(demo: Path) -> None:
    config = tomllib.loads((demo / "radharmony.toml").read_text())
    assert {name: set(table) for name, table in config.items()} == {
        "ms_cxr": {"csv_path", "mimic_base_dir", "report_dir"},
        "mimic_cxr_jpg": {"root"},
        "mimic_cxr": {"root"},
        "casia_cxr": {"root"},
    }
    assert all((demo / path).exists() for table in config.values() for path in table.values())


def test_json_holds_the_same_boxes_as_the_csv(demo: Path) -> None:
    coco = json.loads((demo / f"{MS_CXR}.json").read_text())
    paths = {image["id"]: image["path"] for image in coco["images"]}
    names = {category["id"]: category["name"] for category in coco["categories"]}
    from_json = [(paths[a["image_id"]], names[a["category_id"]], a["label_text"], a["bbox"]) for a in coco["annotations"]]
    from_csv = [
        (row["path"], row["category_name"], row["label_text"], [float(row[side]) for side in "xywh"])
        for row in rows_of(demo / f"{MS_CXR}.csv")
    ]
    assert from_json == from_csv
