"""Small MIMIC-CXR-JPG and MIMIC-CXR folders for tests, written by hand: nothing here comes from the code under test."""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

METADATA = (
    *("dicom_id", "subject_id", "study_id", "PerformedProcedureStepDescription", "ViewPosition", "Rows", "Columns"),
    *("StudyDate", "StudyTime", "ProcedureCodeSequence_CodeMeaning", "ViewCodeSequence_CodeMeaning"),
    "PatientOrientationCodeSequence_CodeMeaning",
)
LABELS = (
    *("Atelectasis", "Cardiomegaly", "Consolidation", "Edema", "Enlarged Cardiomediastinum", "Fracture", "Lung Lesion"),
    *("Lung Opacity", "No Finding", "Pleural Effusion", "Pleural Other", "Pneumonia", "Pneumothorax", "Support Devices"),
)
NAMES = {
    "metadata": "mimic-cxr-2.0.0-metadata.csv.gz",
    "split": "mimic-cxr-2.0.0-split.csv.gz",
    "chexpert": "mimic-cxr-2.0.0-chexpert.csv.gz",
    "negbio": "mimic-cxr-2.0.0-negbio.csv.gz",
    "test_set": "mimic-cxr-2.1.0-test-set-labeled.csv",
    "record_list": "cxr-record-list.csv.gz",
    "study_list": "cxr-study-list.csv.gz",
}
HEADERS = {
    "metadata": METADATA,
    "split": ("dicom_id", "study_id", "subject_id", "split"),
    "chexpert": ("subject_id", "study_id", *LABELS),
    "negbio": ("subject_id", "study_id", *LABELS),
    "test_set": ("study_id", *("Airspace Opacity" if name == "Lung Opacity" else name for name in LABELS)),
    "record_list": ("subject_id", "study_id", "dicom_id", "path"),
    "study_list": ("subject_id", "study_id", "path"),
}
Row = Mapping[str, object]


def csv_text(header: Sequence[str], rows: Iterable[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([row.get(name, "") for name in header] for row in rows)
    return out.getvalue()


def write(root: Path, key: str, rows: Iterable[Row], name: str | None = None, header: Sequence[str] | None = None) -> Path:
    """The table ``key`` in ``root`` under its published name, or under ``name``; packed where the name ends in .gz."""
    path = root / (name or NAMES[key])
    path.parent.mkdir(parents=True, exist_ok=True)
    data = csv_text(header or HEADERS[key], rows).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return path


def film(dicom_id: str = "d1", study_id: str = "50000001", subject_id: str = "10000001", **changes: object) -> dict[str, object]:
    """One sound row of the metadata: a PA film of 3056 rows and 2544 columns, made on 6 May 2180 at 21:30:14.531."""
    row: dict[str, object] = {
        **{"dicom_id": dicom_id, "subject_id": subject_id, "study_id": study_id, "ViewPosition": "PA", "Rows": 3056},
        **{"Columns": 2544, "StudyDate": 21800506, "StudyTime": 213014.531},
        "PerformedProcedureStepDescription": "CHEST (PA AND LAT)",
    }
    return row | changes


FILMS = [film("d1"), film("d2"), film("d3", "50000002", "10000002")]
TEXT = "                                 FINAL REPORT\n EXAMINATION:  CHEST\n \n IMPRESSION: \n \n ___ No edema.\n"


def in_split(film: Row, split: str = "train") -> dict[str, object]:
    return {name: film[name] for name in ("dicom_id", "study_id", "subject_id")} | {"split": split}


def labels(study_id: str = "50000001", subject_id: str = "10000001", **states: object) -> dict[str, object]:
    """A row of a label file; labels by their column names: ``lung_opacity="1.0"``."""
    names = {name.lower().replace(" ", "_"): name for name in LABELS} | {"airspace_opacity": "Airspace Opacity"}
    return {"subject_id": subject_id, "study_id": study_id} | {names[name]: state for name, state in states.items()}


def record(film: Row, suffix: str = ".dcm") -> dict[str, object]:
    subject, study = str(film["subject_id"]), film["study_id"]
    path = f"files/p{subject[:2]}/p{subject}/s{study}/{film['dicom_id']}{suffix}"
    return {name: film[name] for name in ("subject_id", "study_id", "dicom_id")} | {"path": path}


def made(root: Path, films: list[dict[str, object]], splits: list[dict[str, object]] | None = None, **tables: Any) -> Path:
    """A folder with the four tables; unless given, every image is in train and every study has a row without labels."""
    write(root, "metadata", films)
    write(root, "split", [in_split(each) for each in films] if splits is None else splits)
    studies = {str(each["study_id"]): str(each["subject_id"]) for each in films}
    for key in ("chexpert", "negbio"):
        write(root, key, tables.get(key, [labels(study, subject) for study, subject in studies.items()]))
    return root


def mimic(root: Path, films: list[dict[str, object]] | None = None, studies: list[dict[str, object]] | None = None) -> Path:
    """A folder with the two lists; without ``studies`` the study list is that of the films."""
    listed = FILMS if films is None else films
    write(root, "record_list", [record(each) for each in listed])
    firsts = {each["study_id"]: each for each in listed}
    rows = [{"subject_id": one["subject_id"], "study_id": study, "path": report(one)} for study, one in firsts.items()]
    write(root, "study_list", rows if studies is None else studies)
    return root


def report(film: dict[str, object]) -> str:
    subject = str(film["subject_id"])
    return f"files/p{subject[:2]}/p{subject}/s{film['study_id']}.txt"


def with_reports(root: Path, texts: dict[str, str]) -> Path:
    for place, text in texts.items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return root


def zipped(path: Path, texts: dict[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for place, text in texts.items():
            archive.writestr(place, text)
    return path


def cells(table: pd.DataFrame, name: str) -> list[Any]:
    return [None if pd.isna(value) else value for value in table[name]]


def codes(issues: pd.DataFrame) -> list[str]:
    """The issues' codes in the order they were found."""
    return issues["code"].tolist()
