"""MIMIC-CXR-JPG, MIMIC-CXR and CASIA-CXR as samples, from small raw files of each, made by hand."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.dataset import (
    DATASETS,
    CASIACXRDataset,
    DatasetWarning,
    MIMICCXRDataset,
    MIMICCXRJPGDataset,
    MSCXRDataset,
)
from radharmony_core.errors import ConfigError, MissingFileError, TableError
from radharmony_core.harmonizer import HARMONIZERS
from radharmony_core.labels import CHEXPERT_LABELS
from tests.dataset.make import film
from tests.images.make import dicom

OFF: dict[str, Any] = {"cache_dir": None, "dtype": "float32"}
GRAYS = np.tile(np.arange(48, dtype=np.uint8) * 5, (64, 1))
FOUR = {"Atelectasis": "1.0", "Edema": "0.0", "Pneumonia": "-1.0"}  # and nothing for the other eleven
STATES = [1, math.nan, math.nan, 0, *[math.nan] * 7, -1, math.nan, math.nan]  # the same in the order of CHEXPERT_LABELS
PATIENTS = (("10000001", "50000001", "aaaa"), ("10000002", "50000002", "bbbb"))
REPORT = " " * 33 + "FINAL REPORT\n FINDINGS:\n \n No pneumothorax ___.\n"


def write(path: Path, header: Sequence[str], *rows: Sequence[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows([header, *rows])
    return path


def jpg_root(folder: Path) -> Path:
    """MIMIC-CXR-JPG of two images of two patients; only the first study has labels."""
    root = folder / "mimic-cxr-jpg" / "2.1.0"
    more = ("PerformedProcedureStepDescription", "ViewPosition", "Rows", "Columns", "StudyDate", "StudyTime")
    codes = [f"{name}CodeSequence_CodeMeaning" for name in ("Procedure", "View", "PatientOrientation")]
    facts = ("CHEST (PA AND LAT)", "PA", "64", "48", "21800506", "80556.875", "", "", "")
    write(
        root / "mimic-cxr-2.0.0-metadata.csv",
        ("dicom_id", "subject_id", "study_id", *more, *codes),
        *[(image, patient, study, *facts) for patient, study, image in PATIENTS],
    )
    write(
        root / "mimic-cxr-2.0.0-split.csv",
        ("dicom_id", "study_id", "subject_id", "split"),
        *[(image, study, patient, split) for (patient, study, image), split in zip(PATIENTS, ("train", "validate"), strict=True)],
    )
    labels = [FOUR.get(name, "") for name in CHEXPERT_LABELS]
    for labeler in ("chexpert", "negbio"):
        write(root / f"mimic-cxr-2.0.0-{labeler}.csv", ("subject_id", "study_id", *CHEXPERT_LABELS), (*PATIENTS[0][:2], *labels))
    for patient, study, image in PATIENTS:
        film(root / "files" / "p10" / f"p{patient}" / f"s{study}" / f"{image}.jpg", GRAYS)
    return root


def dicom_root(folder: Path) -> Path:
    """MIMIC-CXR of the same two images; only the first study has a report."""
    root = folder / "mimic-cxr" / "2.1.0"
    paths = [f"files/p10/p{patient}/s{study}/{image}.dcm" for patient, study, image in PATIENTS]
    header = ("subject_id", "study_id", "dicom_id", "path")
    write(root / "cxr-record-list.csv", header, *[(*one, path) for one, path in zip(PATIENTS, paths, strict=True)])
    for path in paths:
        (root / path).parent.mkdir(parents=True)
        dicom(root / path, GRAYS, WindowCenter="128", WindowWidth="256")
    (root / "files/p10/p10000001/s50000001.txt").write_text(REPORT)
    return root


def casia_root(folder: Path) -> Path:
    """CASIA-CXR of one class with two records, the second without an image."""
    root = folder / "CASIA-CXR"
    name = "CASIA-CXR_Pneumothorax"
    header = (
        "ExamID",
        "ImageID",
        "PatientID",
        "StudyDate",
        "PatientAge",
        "PatientGender",
        "Projection",
        "ImageWidth",
        "ImageHeight",
    )
    texts = ("ReportID", "Findings", "Indication", "Comparison", "Impression")
    rows = [
        (
            *(f"{name}_ExamID_{number}", f"{name}_ImgID_{number}", f"{name}PatientID_{number}", "12/29/2021", "57", "F", "PA"),
            *("48", "64", f"{name}ReportID_{number}", "Absence d’épanchement./ Cœur normal./", "Douleur", "None", "Pneumothorax"),
        )
        for number in ("0001", "0002")
    ]
    write(root / name / f"{name}_Reports.csv", (*header, *texts), *rows)
    film(root / name / f"{name}_Images" / f"{name}_0001.jpg", GRAYS)
    return root


def test_mimic_cxr_jpg(tmp_path: Path) -> None:
    ds = MIMICCXRJPGDataset(root=jpg_root(tmp_path), output_cls=True, **OFF)
    first, second = ds.get_datasets()
    assert set(first) == {"img", "cls"}
    assert first["img"].shape == (1, 224, 224)
    np.testing.assert_array_equal(first["cls"], np.array(STATES, np.float32), "four states stay four")
    np.testing.assert_array_equal(second["cls"], np.full(14, np.nan, np.float32))
    assert ds.missing_images().empty
    assert len(ds.get_datasets(split="validate")) == 1
    with pytest.raises(ConfigError, match=r"'train' \(1 images\), 'validate' \(1 images\); got 'val'"):
        ds.get_datasets(split="val")
    assert [len(part) for part in ds.get_datasets(n_splits=2)] == [1, 1]


def test_mimic_cxr_jpg_by_its_paths(tmp_path: Path) -> None:
    root = jpg_root(tmp_path)
    ds = MIMICCXRJPGDataset(
        root / "files",
        root / "mimic-cxr-2.0.0-metadata.csv",
        label_csv_path=[root / "mimic-cxr-2.0.0-negbio.csv"],
        label_source="negbio",
        output_cls=True,
        **OFF,
    )
    np.testing.assert_array_equal(ds.get_datasets()[0]["cls"], np.array(STATES, np.float32))
    with pytest.raises(MissingFileError, match="label_csv_path"):
        MIMICCXRJPGDataset(root=root, label_csv_path=root / "nowhere.csv", **OFF)


def test_mimic_cxr_jpg_has_reports_where_they_were_copied(tmp_path: Path) -> None:
    root = jpg_root(tmp_path)
    with pytest.warns(DatasetWarning, match="MIMICCXRDataset"):
        assert "report" not in MIMICCXRJPGDataset(root=root, output_report=True, **OFF).get_datasets()[0]
    (root / "files/p10/p10000001/s50000001.txt").write_text(REPORT)
    assert MIMICCXRJPGDataset(root=root, output_report=True, **OFF).get_datasets()[0]["report"] == REPORT


def test_mimic_cxr(tmp_path: Path) -> None:
    ds = MIMICCXRDataset(root=dicom_root(tmp_path), jpg_root=jpg_root(tmp_path), output_cls=True, output_report=True, **OFF)
    data = ds.get_datasets()
    assert data[0]["report"] == REPORT
    np.testing.assert_array_equal(data[0]["cls"], np.array(STATES, np.float32))
    assert data[0]["img"].max() == pytest.approx(235 / 255, abs=0.01), "the DICOM's own window"
    with pytest.warns(DatasetWarning, match=r"Row 1 \(p10/p10000002/s50000002/bbbb\.dcm\): its study has no report"):
        assert data[1]["report"] == ""


@pytest.mark.parametrize("name", ["dicom_base_dir", "base_image_dir"])
def test_mimic_cxr_by_its_paths_has_no_labels(tmp_path: Path, name: str) -> None:
    root = dicom_root(tmp_path)
    options: dict[str, Any] = {name: root / "files", "csv_path": root / "cxr-record-list.csv", "output_cls": True, **OFF}
    ds = MIMICCXRDataset(**options)
    with pytest.warns(DatasetWarning, match=r"no image of this table has a label.*Name jpg_root, .*or label_csv_path"):
        sample = ds.get_datasets()[0]
    assert set(sample) == {"img"}


def test_mimic_cxr_jpg_without_its_labels_says_how_to_get_them(tmp_path: Path) -> None:
    root = jpg_root(tmp_path)
    ds = MIMICCXRJPGDataset(root / "files", root / "mimic-cxr-2.0.0-metadata.csv", output_cls=True, **OFF)
    with pytest.warns(DatasetWarning, match=r"no image of this table has a label.*Name root, .*or label_csv_path"):
        sample = ds.get_datasets()[0]
    assert set(sample) == {"img"}


def test_a_part_of_mimic_cxr_jpg_is_found_with_the_whole_table(tmp_path: Path) -> None:
    """Of 3,000 images one was downloaded, and it is none of the few that are looked for first."""
    ids = [(f"10{number:06}", f"50{number:06}", f"i{number}") for number in range(3_000)]
    paths = [f"p10/p{patient}/s{study}/{image}.jpg" for patient, study, image in ids]
    table = pd.DataFrame({"patient_id": [patient for patient, _, _ in ids], "image_path": paths})
    film(tmp_path / "2.1.0" / "files" / paths[1234], GRAYS)
    for base in (tmp_path, tmp_path / "2.1.0" / "files"):
        ds = MIMICCXRJPGDataset(base, harmonized_df=table, **OFF)
        assert ds.present_images().index.tolist() == [1234]
        assert ds.get_datasets()[1234]["img"].max() > 0.9
        with pytest.raises(MissingFileError, match=r"below .*2\.1\.0/files"):
            _ = ds.get_datasets()[0]


def test_casia_cxr(tmp_path: Path) -> None:
    ds = CASIACXRDataset(root=casia_root(tmp_path), output_cls=True, output_report=True, **OFF)
    data = ds.get_datasets()
    assert len(data) == 2
    assert "Absence d’épanchement./ Cœur normal./" in data[0]["report"]
    assert data[0]["cls"][CHEXPERT_LABELS.index("Pneumothorax")] == 1
    assert math.isnan(data[0]["cls"][CHEXPERT_LABELS.index("Fracture")])
    with pytest.raises(MissingFileError, match="Row 1 names no image"):
        _ = data[1]
    assert ds.missing_images()["study_id"].tolist() == ["CASIA-CXR_Pneumothorax_ExamID_0002"]
    with pytest.raises(ConfigError, match="has none"):
        ds.get_datasets(split="train")


MAKERS = {"mimic_cxr_jpg": jpg_root, "mimic_cxr": dicom_root, "casia_cxr": casia_root}


@pytest.mark.parametrize("kind", sorted(MAKERS))
def test_the_table_may_come_from_elsewhere(tmp_path: Path, kind: str) -> None:
    root = MAKERS[kind](tmp_path)
    make: Any = DATASETS[kind]
    harmonizer: Any = HARMONIZERS[kind]
    built = harmonizer(root)
    table = built.harmonize()
    ways = [
        make(harmonizer=built, **OFF),
        make(harmonizer_path=built.save(tmp_path / "t.parquet"), **OFF),
        make(root, harmonized_df=table, **OFF),
    ]
    expected = make(root=root, **OFF).get_datasets()[0]["img"]
    assert expected.max() > 0.9
    for ds in ways:
        np.testing.assert_array_equal(ds.get_datasets()[0]["img"], expected)
        pd.testing.assert_frame_equal(ds.get_harmonized_df(), table)


@pytest.mark.parametrize("kind", sorted(HARMONIZERS))
def test_every_dataset_has_its_samples(kind: str) -> None:
    dataset = DATASETS[kind]
    assert dataset.origin.kind == kind
    assert dataset.origin.columns == HARMONIZERS[kind].columns
    assert dataset.__name__ == HARMONIZERS[kind].__name__.replace("Harmonizer", "Dataset")
    labels = [column.name for column in dataset.origin.columns if column.kind in ("state", "flag")]
    assert [name.lower().replace(" ", "_") for name in dataset.findings] == labels, "cls has the order of the label columns"
    has_boxes = "bbox" in [column.name for column in dataset.origin.columns]
    assert dataset.serves == {"cls", "report", *(("bbox", "mask") if has_boxes else ())}


def test_a_label_that_is_no_state_is_refused_for_each(tmp_path: Path) -> None:
    table = pd.DataFrame({"image_path": ["a.png"], **{name.lower().replace(" ", "_"): [math.nan] for name in CHEXPERT_LABELS}})
    for dataset in (MIMICCXRJPGDataset, MIMICCXRDataset, CASIACXRDataset, MSCXRDataset):
        with pytest.raises(TableError, match="1 cells hold another number, as -9"):
            dataset(tmp_path, harmonized_df=table.assign(edema=[-9]), output_cls=True, **OFF).get_datasets()
