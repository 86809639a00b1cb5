"""Several datasets meet by image and study: no image twice, none lost, and each film knows its labels, views and visits."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.catalog import Catalog, label_word, load_catalog
from radharmony_core.config import Config
from radharmony_core.errors import ConfigError, MissingFileError, RadHarmonyError
from tests.catalog.mimic import REPORT, write_jpg_tables, write_mimic_tables
from tests.support import annotation, gray_image, write_table

ANNOTATED = [annotation(dicom_id="aaaa"), annotation(dicom_id="zzzz", patient="10000009", study="50000009")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_table(tmp_path / "ms.csv", ANNOTATED)
    write_jpg_tables(tmp_path / "jpg")
    write_mimic_tables(tmp_path / "mimic")
    return tmp_path


def catalog_of(folder: Path, *kinds: str) -> Catalog:
    settings = {
        "ms_cxr": {"csv_path": folder / "ms.csv"},
        "mimic_cxr_jpg": {"root": folder / "jpg"},
        "mimic_cxr": {"root": folder / "mimic"},
    }
    return load_catalog(Config(folder / "radharmony.toml", {kind: settings[kind] for kind in kinds}))


UNIONS = [
    # reason, kinds, image ids in order
    ("annotations alone", ["ms_cxr"], ["aaaa", "zzzz"]),
    ("images alone", ["mimic_cxr_jpg"], ["aaaa", "bbbb", "cccc", "dddd"]),
    ("DICOM alone", ["mimic_cxr"], ["aaaa", "dddd"]),
    ("annotated first, even one the images lack", ["ms_cxr", "mimic_cxr_jpg"], ["aaaa", "zzzz", "bbbb", "cccc", "dddd"]),
    ("all three", ["ms_cxr", "mimic_cxr_jpg", "mimic_cxr"], ["aaaa", "zzzz", "bbbb", "cccc", "dddd"]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "kinds", "ids"), UNIONS, ids=[row[0] for row in UNIONS])
def test_each_image_is_one_row(folder: Path, reason: str, kinds: list[str], ids: list[str]) -> None:
    catalog = catalog_of(folder, *kinds)
    assert catalog.images["image_id"].tolist() == ids, reason
    assert [catalog.place_of(name) for name in ids] == list(range(len(ids)))
    assert catalog.place_of("nobody") is None
    assert [status.kind for status in catalog.datasets] == kinds
    assert [status.error for status in catalog.datasets] == [None] * len(kinds)


def test_what_each_dataset_knows_of_an_image_comes_together(folder: Path) -> None:
    images = catalog_of(folder, "ms_cxr", "mimic_cxr_jpg", "mimic_cxr").images
    assert images["image_id"].tolist()[:2] == ["aaaa", "zzzz"]
    flags = images[["ms_cxr", "mimic_cxr_jpg", "mimic_cxr", "casia_cxr"]].to_numpy().tolist()
    assert flags[:2] == [[True, True, True, False], [True, False, False, False]]
    assert images["split"].isna().tolist()[:2] == [False, True]
    assert images["split"].iloc[0] == "train"
    assert images["ms_cxr_split"].iloc[0] == "test", "the two splits are two columns"
    assert images["view_position"].isna().tolist() == [False, True, False, False, True]
    assert images["view_group"].iloc[0] == "frontal"
    assert images["boxes"].tolist() == [1, 1, 0, 0, 0]


def test_a_film_knows_its_views_and_the_patients_other_studies_by_date(folder: Path) -> None:
    catalog = catalog_of(folder, "ms_cxr", "mimic_cxr_jpg")
    ids, study_of = catalog.images["image_id"], catalog.images["study"].tolist()
    assert [ids[place] for place in catalog.images_of_study(study_of[0])] == ["aaaa", "bbbb"]
    studies = catalog.studies_of_patient(study_of[0])
    assert catalog.studies["study_id"].iloc[studies].tolist() == ["50000002", "50000001"], "by date, not by id"
    assert catalog.studies["study_datetime"].iloc[studies[0]] == pd.Timestamp("2110-01-01 08:05:56.875")
    assert catalog.images_of_study(-1).tolist() == catalog.studies_of_patient(-1).tolist() == []


LABELS = [
    # study, labeler, edema, pneumonia
    ("50000001", "chexpert", "positive", "negative"),
    ("50000001", "negbio", "negative", "negative"),
    ("50000002", "chexpert", "uncertain", "not mentioned"),
    ("50000003", "chexpert", "not mentioned", "not mentioned"),
    ("50000009", "negbio", "no row in its file", "no row in its file"),
]
STATES = {"positive": 1, "negative": 0, "uncertain": -1}


@pytest.mark.parametrize(("study", "labeler", "edema", "pneumonia"), LABELS)
def test_each_study_has_both_labelers_states(folder: Path, study: str, labeler: str, edema: str, pneumonia: str) -> None:
    catalog = catalog_of(folder, "ms_cxr", "mimic_cxr_jpg")
    assert list(catalog.labels) == ["chexpert", "negbio"]
    place = catalog.studies["study_id"].tolist().index(study)
    codes = catalog.labels_of_study(place, labeler)
    assert len(codes) == 14
    assert [label_word(codes[name]) for name in ("edema", "pneumonia")] == [edema, pneumonia]
    for name, word in (("edema", edema), ("pneumonia", pneumonia)):
        state = catalog.studies[f"{labeler}_{name}"].iloc[place]
        assert (None if pd.isna(state) else state) == STATES.get(word)


def test_a_cell_that_cannot_be_used_is_not_called_not_mentioned(folder: Path) -> None:
    path = folder / "jpg" / "mimic-cxr-2.0.0-chexpert.csv.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b",1.0,", b",-9,")))
    catalog = catalog_of(folder, "mimic_cxr_jpg")
    codes = catalog.labels_of_study(0, "chexpert")
    assert label_word(codes["edema"]) == "cannot be used"
    assert pd.isna(catalog.studies["chexpert_edema"].iloc[0])


def test_labels_are_read_from_the_file_that_is_named(folder: Path) -> None:
    corrected = folder / "corrected.csv"
    text = gzip.decompress((folder / "jpg" / "mimic-cxr-2.0.0-chexpert.csv.gz").read_bytes())
    corrected.write_bytes(text.replace(b",1.0,", b",-1.0,"))
    settings = {"root": folder / "jpg", "label_csv_path": corrected}
    catalog = load_catalog(Config(folder / "radharmony.toml", {"mimic_cxr_jpg": settings}))
    assert catalog.labels_of_study(0, "chexpert")["edema"] == -1
    assert catalog.labels_of_study(0, "negbio")["edema"] == 0
    status = catalog.status("mimic_cxr_jpg")
    assert status is not None
    assert corrected in status.inputs


def test_studies_of_nobody_known_are_not_one_patients(folder: Path) -> None:
    path = folder / "jpg" / "mimic-cxr-2.0.0-metadata.csv.gz"
    text = gzip.decompress(path.read_bytes()).replace(b"cccc,10000001", b"cccc,").replace(b"dddd,10000002", b"dddd,")
    path.write_bytes(gzip.compress(text.replace(b"bbbb,10000001", b"bbbb,")))
    catalog = catalog_of(folder, "mimic_cxr_jpg")
    studies = catalog.images["study"].tolist()
    assert studies[0] == studies[1], "a view without a patient is its study's"
    assert [len(catalog.studies_of_patient(study)) for study in dict.fromkeys(studies)] == [1, 1, 1]


def test_the_same_cell_of_two_files_is_two_issues(folder: Path) -> None:
    for name in ("chexpert", "negbio"):
        path = folder / "jpg" / f"mimic-cxr-2.0.0-{name}.csv.gz"
        path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b",-1.0,", b",7,")))
    issues = catalog_of(folder, "mimic_cxr_jpg").issues
    assert (issues["value"] == "7").sum() == 2


def test_a_zip_of_reports_serves_ms_cxr(folder: Path) -> None:
    with zipfile.ZipFile(folder / "reports.zip", "w") as archive:
        archive.writestr("files/p10/p10000001/s50000001.txt", REPORT)
    settings = {"csv_path": folder / "ms.csv", "report_dir": folder / "reports.zip"}
    catalog = load_catalog(Config(folder / "radharmony.toml", {"ms_cxr": settings}))
    report, note = catalog.report(0)
    assert (report.text if report else None, note) == (REPORT, "")
    missing = catalog.issues[(catalog.issues["code"] == "missing_report").to_numpy()]
    assert missing["value"].tolist() == ["p10/p10000009/s50000009.txt"]


def test_reports_beside_the_films_are_found_without_annotations(folder: Path) -> None:
    report = folder / "jpg/files/p10/p10000001/s50000001.txt"
    report.parent.mkdir(parents=True)
    report.write_text(REPORT, encoding="utf-8")
    found, _ = catalog_of(folder, "mimic_cxr_jpg").report(0)
    assert found is not None
    assert found.text == REPORT


def test_reports_come_from_the_tree_or_from_the_table(folder: Path) -> None:
    catalog = catalog_of(folder, "ms_cxr", "mimic_cxr_jpg", "mimic_cxr")
    report, note = catalog.report(0)
    assert (report.text if report else None, note) == (REPORT, "")
    (folder / "mimic/files/p10/p10000001/s50000001.txt").unlink()
    kept, note = catalog.report(0)
    assert (kept.text if kept else None, note) == (REPORT, ""), "the table has it still"
    missing, note = catalog.report(4)
    assert missing is None
    assert "s50000003.txt" in note


def test_a_films_file_is_looked_for_in_each_dataset_that_has_it(folder: Path) -> None:
    film = gray_image(folder / "jpg/files/p10/p10000001/s50000001/bbbb.jpg")
    dicom = gray_image(folder / "mimic/files/p10/p10000001/s50000001/aaaa.dcm")
    catalog = catalog_of(folder, "mimic_cxr_jpg", "mimic_cxr")
    assert catalog.image_file(1) == film
    assert catalog.image_file(0) == dicom, "the JPG is not there, the DICOM is"
    with pytest.raises(MissingFileError, match="dddd"):
        catalog.image_file(3)


def test_a_dataset_that_cannot_be_read_leaves_the_others(folder: Path) -> None:
    (folder / "ms.csv").unlink()
    catalog = catalog_of(folder, "ms_cxr", "mimic_cxr_jpg")
    status = catalog.status("ms_cxr")
    assert status is not None
    assert status.error is not None
    assert "ms.csv" in status.error
    assert len(catalog.images) == 4
    assert catalog.boxes.empty


def test_where_none_can_be_read_the_first_refusal_is_raised(folder: Path) -> None:
    (folder / "ms.csv").unlink()
    with pytest.raises(MissingFileError, match=r"ms\.csv"):
        catalog_of(folder, "ms_cxr")
    with pytest.raises(ConfigError, match="expected a table for a dataset"):
        catalog_of(folder)


def test_a_problem_of_a_shared_file_is_told_once(folder: Path) -> None:
    path = folder / "jpg" / "mimic-cxr-2.0.0-chexpert.csv.gz"
    path.unlink()
    path.with_suffix("").write_text("subject_id,study_id,Edema\n10000001,50000001,-9\n")
    issues = catalog_of(folder, "mimic_cxr_jpg", "mimic_cxr").issues
    assert len(issues[issues["value"].astype("str").str.contains("-9", regex=False)]) == 1


def test_counts_are_set_against_the_published_ones(folder: Path) -> None:
    catalog = catalog_of(folder, "ms_cxr", "mimic_cxr_jpg", "mimic_cxr")
    counts = {status.kind: status.counts for status in catalog.datasets}
    assert counts["ms_cxr"] == {
        "images": 2, "phrases": 2, "boxes": 2, "patients": 2, "boxes, train": 0, "boxes, val": 0, "boxes, test": 2,
    }  # fmt: skip
    assert counts["mimic_cxr_jpg"]["images, train"] == 3
    assert counts["mimic_cxr_jpg"]["studies"] == 3
    assert counts["mimic_cxr_jpg"]["patients, test"] == 1
    assert counts["mimic_cxr"] == {"images": 2, "studies": 2, "patients": 2, "reports": 1}


def test_every_error_is_ours(tmp_path: Path) -> None:
    with pytest.raises(RadHarmonyError):
        load_catalog(Config(tmp_path / "c.toml", {"casia_cxr": {"root": tmp_path / "nowhere"}}))
