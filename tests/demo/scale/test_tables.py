"""The tables of a large demo, against each other: the same films and studies in all of them, and the columns of the releases."""

from __future__ import annotations

import csv
import gzip
import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest

JPG, MIMIC = "mimic-cxr-jpg/2.1.0", "mimic-cxr/2.1.0"
LABELS = (
    "Atelectasis,Cardiomegaly,Consolidation,Edema,Enlarged Cardiomediastinum,Fracture,Lung Lesion,Lung Opacity,"
    "No Finding,Pleural Effusion,Pleural Other,Pneumonia,Pneumothorax,Support Devices"
)
METADATA = (
    "dicom_id,subject_id,study_id,PerformedProcedureStepDescription,ViewPosition,Rows,Columns,StudyDate,StudyTime,"
    "ProcedureCodeSequence_CodeMeaning,ViewCodeSequence_CodeMeaning,PatientOrientationCodeSequence_CodeMeaning"
)
STUDIES = 3_625


def lines_of(root: Path, name: str) -> list[str]:
    data = (root / name).read_bytes()
    return (gzip.decompress(data) if name.endswith(".gz") else data).decode().splitlines()


def rows_of(root: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(lines_of(root, name)))


@pytest.mark.parametrize(
    ("name", "header", "rows"),
    [
        (f"{JPG}/mimic-cxr-2.0.0-metadata.csv.gz", METADATA, 6_000),
        (f"{JPG}/mimic-cxr-2.0.0-split.csv.gz", "dicom_id,study_id,subject_id,split", 6_000),
        (f"{JPG}/mimic-cxr-2.0.0-chexpert.csv.gz", f"subject_id,study_id,{LABELS}", STUDIES),
        (f"{JPG}/mimic-cxr-2.0.0-negbio.csv.gz", f"subject_id,study_id,{LABELS}", STUDIES),
        (f"{JPG}/mimic-cxr-2.1.0-test-set-labeled.csv", f"study_id,{LABELS.replace('Lung Opacity', 'Airspace Opacity')}", 11),
        (f"{MIMIC}/cxr-record-list.csv.gz", "subject_id,study_id,dicom_id,path", 6_000),
        (f"{MIMIC}/cxr-study-list.csv.gz", "subject_id,study_id,path", STUDIES),
    ],
)
def test_columns_and_rows(root: Path, name: str, header: str, rows: int) -> None:
    lines = lines_of(root, name)
    assert lines[0] == header
    assert len(lines) == 1 + rows


def test_all_tables_name_the_same_films(root: Path) -> None:
    metadata = rows_of(root, f"{JPG}/mimic-cxr-2.0.0-metadata.csv.gz")
    films = [(row["subject_id"], row["study_id"], row["dicom_id"]) for row in metadata]
    assert len(set(films)) == 6_000
    split = rows_of(root, f"{JPG}/mimic-cxr-2.0.0-split.csv.gz")
    assert [(row["subject_id"], row["study_id"], row["dicom_id"]) for row in split] == films
    records = rows_of(root, f"{MIMIC}/cxr-record-list.csv.gz")
    assert [(row["subject_id"], row["study_id"], row["dicom_id"]) for row in records] == films
    paths = [f"files/p{subject[:2]}/p{subject}/s{study}/{film}" for subject, study, film in films]
    assert [row["path"] for row in records] == [f"{path}.dcm" for path in paths]
    assert lines_of(root, f"{JPG}/IMAGE_FILENAMES") == [f"{path}.jpg" for path in paths]


def test_all_tables_name_the_same_studies(root: Path) -> None:
    studies = rows_of(root, f"{MIMIC}/cxr-study-list.csv.gz")
    ids = [(row["subject_id"], row["study_id"]) for row in studies]
    assert len({study for _, study in ids}) == STUDIES
    for labeler in ("chexpert", "negbio"):
        rows = rows_of(root, f"{JPG}/mimic-cxr-2.0.0-{labeler}.csv.gz")
        assert [(row["subject_id"], row["study_id"]) for row in rows] == ids
    with zipfile.ZipFile(root / MIMIC / "mimic-cxr-reports.zip") as archive:
        assert archive.namelist() == [row["path"] for row in studies]
        assert archive.testzip() is None
    assert all(row["path"] == f"files/p{s[:2]}/p{s}/s{n}.txt" for row, (s, n) in zip(studies, ids, strict=True))


def test_no_patient_spans_a_split(root: Path) -> None:
    rows = rows_of(root, f"{JPG}/mimic-cxr-2.0.0-split.csv.gz")
    pairs = {(row["subject_id"], row["split"]) for row in rows}
    assert len(pairs) == len({row["subject_id"] for row in rows}) == 1_040, "65,379 x 6,000 / 377,110"
    assert Counter(row["split"] for row in rows) == {"train": 5_870, "validate": 48, "test": 82}


def test_metadata_cells_are_plausible(root: Path) -> None:
    rows = rows_of(root, f"{JPG}/mimic-cxr-2.0.0-metadata.csv.gz")
    for row in rows:
        assert re.fullmatch(r"([0-9a-f]{8}-){4}[0-9a-f]{8}", row["dicom_id"])
        date = row["StudyDate"]
        assert 2100 <= int(date[:4]) <= 2200
        assert 1 <= int(date[4:6]) <= 12
        assert 1 <= int(date[6:]) <= 31
        clock = row["StudyTime"].split(".")[0].zfill(6)
        assert (int(clock[:2]) < 24, int(clock[2:4]) < 60, int(clock[4:]) < 60) == (True, True, True)
        assert not re.match(r"0\d", row["StudyTime"]), "leading zeros are lost in the real file"
        assert 1_700 <= int(row["Rows"]) <= 3_056
        assert bool(row["ViewCodeSequence_CodeMeaning"]) <= bool(row["ViewPosition"]), "blank together"
    assert any(len(row["StudyTime"].split(".")[0]) < 6 for row in rows)


def test_the_hand_labels_are_of_test_studies_and_mostly_those_of_the_labelers(root: Path) -> None:
    split = {row["study_id"]: row["split"] for row in rows_of(root, f"{JPG}/mimic-cxr-2.0.0-split.csv.gz")}
    machine = {row["study_id"]: row for row in rows_of(root, f"{JPG}/mimic-cxr-2.0.0-chexpert.csv.gz")}
    hand = rows_of(root, f"{JPG}/mimic-cxr-2.1.0-test-set-labeled.csv")
    assert {split[row["study_id"]] for row in hand} == {"test"}
    cells = [(row["Edema"], machine[row["study_id"]]["Edema"]) for row in hand]
    cells += [(row["Airspace Opacity"], machine[row["study_id"]]["Lung Opacity"]) for row in hand]
    assert sum(one == other for one, other in cells) > 0.7 * len(cells)
    assert {cell for row in hand for name, cell in row.items() if name != "study_id"} <= {"1.0", "0.0", "-1.0", ""}
