"""MIMIC-CXR-JPG: one row an image, joined to split and labels without gaining or losing a row."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.errors import ConfigError, MissingFileError, TableError
from radharmony_core.harmonizer import MIMICCXRJPGHarmonizer
from radharmony_core.schema import MIMIC_CXR_JPG_COLUMNS
from tests.harmonizer.mimic.made import cells, codes, film, in_split, labels, made, write


def test_one_image_gets_all_its_columns(tmp_path: Path) -> None:
    chexpert = [labels(edema="-1.0", no_finding="")]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, [film()], chexpert=chexpert, negbio=[labels(edema="-1.0", fracture="0.0")]))
    table = harmonizer.harmonize()
    assert list(table.columns) == [column.name for column in MIMIC_CXR_JPG_COLUMNS]
    row = {name: value for name, value in table.iloc[0].items() if not pd.isna(value)}
    assert row == {
        "patient_id": "10000001",
        "study_id": "50000001",
        "image_path": "p10/p10000001/s50000001/d1.jpg",
        "dicom_id": "d1",
        "split": "train",
        "view_position": "PA",
        "view_group": "frontal",
        "procedure": "CHEST (PA AND LAT)",
        "study_datetime": pd.Timestamp("2180-05-06 21:30:14.531"),
        "image_width": 2544,
        "image_height": 3056,
        "edema": -1,
        "labels_disagreed": 1,
    }
    assert table["study_datetime"].dtype == "datetime64[ms]"
    assert codes(harmonizer.issues) == ["tree_not_found"], "there are tables only"


def test_images_share_their_studys_labels_and_none_is_multiplied(tmp_path: Path) -> None:
    films = [film("d1"), film("d2"), film("d3"), film("d4", "50000002")]
    chexpert = [labels(edema="1.0"), labels(edema="1.0"), labels("50000002", edema="0.0")]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, films, chexpert=chexpert))
    assert cells(harmonizer.harmonize(), "edema") == [1, 1, 1, 0]
    assert codes(harmonizer.issues).count("duplicate_study") == 1


def test_two_answers_for_one_study_leave_the_label_missing(tmp_path: Path) -> None:
    chexpert = [labels(edema="1.0", fracture="0.0"), labels(edema="0.0", fracture="0.0")]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, [film("d1"), film("d2")], chexpert=chexpert))
    table = harmonizer.harmonize()
    assert (cells(table, "edema"), cells(table, "fracture")) == ([None, None], [0, 0])
    conflict = harmonizer.issues.query("code == 'label_conflict'").iloc[0]
    assert (conflict["value"], conflict["row"], conflict["column"], conflict["severity"]) == ("50000001", 3, "Edema", "error")
    assert conflict["message"].startswith("mimic-cxr-2.0.0-chexpert.csv.gz: The study '50000001' has different answers")


SPLITS = [
    # reason, rows of the split file as (image, split), splits of d1 and d2, issues by code and value
    ("as published", [("d1", "train"), ("d2", "train")], ["train", "train"], []),
    ("in another order", [("d2", "train"), ("d1", "train")], ["train", "train"], []),
    ("an image is not in it", [("d1", "train")], ["train", None], [("missing_split", "d2")]),
    ("an image has none", [("d1", "train"), ("d2", " ")], ["train", None], [("missing_split", "d2")]),
    ("another word", [("d1", "val"), ("d2", "val")], ["val", "val"], [("unknown_split", "val"), ("unknown_split", "val")]),
    ("a row twice", [("d1", "train"), ("d2", "train"), ("d1", "train")], ["train", "train"], [("duplicate_image", "d1")]),
    (
        "two splits of one image",
        [("d1", "train"), ("d2", "train"), ("d1", "test")],
        [None, "train"],
        [("split_disagreement", "d1"), ("missing_split", "d1")],
    ),
    ("an image that is not there", [("d1", "test"), ("d2", "test"), ("d3", "test")], ["test", "test"], [("unmatched_row", "1")]),
    ("a patient in two", [("d1", "train"), ("d2", "test")], ["train", "test"], [("split_conflict", "train")]),
    ("no rows", [], [None, None], [("missing_split", "d1"), ("missing_split", "d2")]),
]


@pytest.mark.parametrize(("reason", "rows", "splits", "issues"), SPLITS, ids=[row[0] for row in SPLITS])
def test_split(
    tmp_path: Path, reason: str, rows: list[tuple[str, str]], splits: list[str | None], issues: list[tuple[str, str]]
) -> None:
    films = [film("d1"), film("d2")]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, films, [in_split(film(image), split) for image, split in rows]))
    assert cells(harmonizer.harmonize(), "split") == splits, reason
    found = harmonizer.issues.query("code != 'tree_not_found'")
    assert sorted(zip(found["code"], found["value"], strict=True)) == sorted(issues), reason


def test_ids_that_contradict_the_metadata_are_said_and_the_row_is_joined(tmp_path: Path) -> None:
    splits = [in_split(film("d1", "59999999", "19999999"))]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, [film()], splits, chexpert=[labels(subject_id="18888888", edema="1")]))
    table = harmonizer.harmonize()
    assert (cells(table, "split"), cells(table, "edema"), cells(table, "patient_id")) == (["train"], [1], ["10000001"])
    found = harmonizer.issues.query("code == 'id_conflict'")
    assert sorted(zip(found["column"], found["value"], strict=True)) == [
        ("study_id", "59999999"),
        ("subject_id", "18888888"),
        ("subject_id", "19999999"),
    ]


def test_a_study_of_two_patients_is_said(tmp_path: Path) -> None:
    films = [film("d1"), film("d2", subject_id="10000002")]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, films, chexpert=[labels()], negbio=[labels()]))
    assert len(harmonizer.harmonize()) == 2
    conflict = harmonizer.issues.query("code == 'study_conflict'")
    assert conflict[["row", "value"]].to_numpy().tolist() == [[3, "10000001"]]


def test_only_ids_and_a_view_are_enough(tmp_path: Path) -> None:
    header = ("dicom_id", "subject_id", "study_id", "ViewPosition")
    harmonizer = MIMICCXRJPGHarmonizer(csv_path=write(tmp_path, "metadata", [film()], header=header))
    table = harmonizer.harmonize()
    known = {name: value for name, value in table.iloc[0].items() if not pd.isna(value)}
    assert known == {
        **{"patient_id": "10000001", "study_id": "50000001", "image_path": "p10/p10000001/s50000001/d1.jpg", "dicom_id": "d1"},
        **{"view_position": "PA", "view_group": "frontal"},
    }
    assert sorted(set(codes(harmonizer.issues))) == ["missing_column", "missing_table"]
    assert harmonizer.image_root is None


def test_without_a_view_the_group_is_missing_too(tmp_path: Path) -> None:
    path = write(tmp_path, "metadata", [film()], header=("dicom_id", "subject_id", "study_id"))
    table = MIMICCXRJPGHarmonizer(csv_path=path).harmonize()
    assert (cells(table, "view_position"), cells(table, "view_group")) == ([None], [None])


@pytest.mark.parametrize("lacking", ["dicom_id", "subject_id", "study_id"])
def test_ids_are_needed(tmp_path: Path, lacking: str) -> None:
    header = [name for name in ("dicom_id", "subject_id", "study_id", "ViewPosition") if name != lacking]
    path = write(tmp_path, "metadata", [film()], header=header)
    with pytest.raises(TableError, match=f"{lacking} is missing"):
        MIMICCXRJPGHarmonizer(csv_path=path).harmonize()


def test_tables_without_rows(tmp_path: Path) -> None:
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, []))
    assert harmonizer.harmonize().shape == (0, len(MIMIC_CXR_JPG_COLUMNS))
    write(tmp_path, "metadata", [film()])
    assert cells(harmonizer.harmonize(), "edema") == [None]
    assert codes(harmonizer.issues).count("missing_labels") == 2, "one of each labeler's file"


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_bytes(b"")
    with pytest.raises(TableError, match="it is empty"):
        MIMICCXRJPGHarmonizer(tmp_path).harmonize()


REQUESTS = [
    # reason, arguments, class of the refusal, words
    ("nothing", {}, ConfigError, "Expected root, MIMIC-CXR-JPG's folder, or csv_path"),
    (
        "no such source",
        {"root": "x", "label_source": "radiologist"},
        ConfigError,
        "chexpert, negbio, agreed, test_set; got 'radiol",
    ),
    ("no such folder", {"root": "nowhere"}, MissingFileError, "Expected MIMIC-CXR-JPG's folder at"),
    ("a folder without tables", {"root": "."}, ConfigError, "Expected mimic-cxr-2.0.0-metadata.csv.gz below"),
    ("no such table", {"csv_path": "nowhere.csv"}, MissingFileError, "Expected MIMIC-CXR-JPG's metadata at"),
    ("a folder as a table", {"csv_path": "."}, TableError, "that is a folder"),
]


@pytest.mark.parametrize(("reason", "arguments", "error", "words"), REQUESTS, ids=[row[0] for row in REQUESTS])
def test_what_cannot_be_met_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, arguments: dict[str, str], error: type[Exception], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        MIMICCXRJPGHarmonizer(**arguments).harmonize()


def test_progress_is_told_table_by_table(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    MIMICCXRJPGHarmonizer(made(tmp_path, [film()])).harmonize(lambda *step: told.append(step))
    assert told == [(1, 4, "tables"), (2, 4, "tables"), (3, 4, "tables"), (4, 4, "tables")]
