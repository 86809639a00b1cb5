"""MIMIC-CXR: the record list's DICOM files, what MIMIC-CXR-JPG's tables know of them, and each study's report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from radharmony_core.errors import ConfigError, MissingFileError, TableError
from radharmony_core.harmonizer import MIMICCXRHarmonizer
from radharmony_core.schema import MIMIC_CXR_COLUMNS
from tests.harmonizer.mimic.made import FILMS, TEXT, cells, codes, film, labels, made, mimic, record, report, with_reports, write


def test_images_reports_and_what_the_jpg_tables_know(tmp_path: Path) -> None:
    root = with_reports(mimic(tmp_path / "mimic"), {report(FILMS[0]): TEXT, report(FILMS[2]): "second\n"})
    (root / "files/p10/p10000001/s50000001").mkdir()
    (root / "files/p10/p10000001/s50000001/d1.dcm").touch()
    jpg = made(tmp_path / "jpg", FILMS, chexpert=[labels(edema="0"), labels("50000002", "10000002")])
    harmonizer = MIMICCXRHarmonizer(root, jpg_root=jpg)
    table = harmonizer.harmonize()
    assert list(table.columns) == [column.name for column in MIMIC_CXR_COLUMNS]
    assert cells(table, "image_path") == [f"p10/{name}.dcm" for name in (
        "p10000001/s50000001/d1", "p10000001/s50000001/d2", "p10000002/s50000002/d3",
    )]  # fmt: skip
    assert cells(table, "report") == [TEXT, TEXT, "second\n"], "every character of the file, for each image of the study"
    assert cells(table, "edema") == [0, 0, None]
    assert cells(table, "split") == ["train"] * 3
    assert cells(table, "view_group") == ["frontal"] * 3
    assert cells(table, "image_width") == [2544] * 3
    assert cells(table, "language") == ["en"] * 3
    assert harmonizer.issues.empty
    assert harmonizer.image_root == root / "files"
    inputs = [path.name for path in harmonizer.inputs()]
    released = [f"mimic-cxr-2.0.0-{key}.csv.gz" for key in ("metadata", "split", "chexpert", "negbio")]
    assert inputs == ["cxr-record-list.csv.gz", "cxr-study-list.csv.gz", *released, "files"]


def test_without_the_jpg_tables_their_columns_are_missing_and_it_is_said_once(tmp_path: Path) -> None:
    harmonizer = MIMICCXRHarmonizer(mimic(tmp_path))
    table = harmonizer.harmonize()
    known = {name for name in table.columns if table[name].notna().any()}
    assert known == {"patient_id", "study_id", "image_path", "dicom_id", "language"}
    assert codes(harmonizer.issues) == ["missing_table", "tree_not_found", "missing_report"]
    assert harmonizer.issues["value"][0] == "metadata, split, chexpert, negbio"


def test_the_record_list_says_which_images_there_are(tmp_path: Path) -> None:
    root, jpg = mimic(tmp_path / "mimic", FILMS[:2]), made(tmp_path / "jpg", [FILMS[2], film("d1", ViewPosition="LL")])
    harmonizer = MIMICCXRHarmonizer(root, jpg_root=jpg)
    table = harmonizer.harmonize()
    assert cells(table, "dicom_id") == ["d1", "d2"], "d3 is an image of MIMIC-CXR-JPG alone"
    assert cells(table, "view_position") == ["LL", None]
    assert cells(table, "view_group") == ["lateral", None]
    found = harmonizer.issues.query("code in ('missing_metadata', 'missing_record', 'missing_split')")
    assert found[["code", "value"]].to_numpy().tolist() == [
        ["missing_metadata", "d2"],
        ["missing_record", "1"],
        ["missing_split", "d2"],
    ]


def test_where_ids_differ_the_record_list_is_followed(tmp_path: Path) -> None:
    jpg = made(tmp_path / "jpg", [film("d1", "59999999")])
    harmonizer = MIMICCXRHarmonizer(mimic(tmp_path / "mimic", [film("d1")]), jpg_root=jpg)
    assert cells(harmonizer.harmonize(), "study_id") == ["50000001"]
    conflict = harmonizer.issues.query("code == 'id_conflict' and column == 'study_id'")
    assert "59999999" in conflict["value"].tolist()


RECORDS = [
    # reason, changes of the record, the image's path, codes beside the usual ones
    ("as published", {}, "p10/p10000001/s50000001/d1.dcm", []),
    ("no path", {"path": ""}, "p10/p10000001/s50000001/d1.dcm", []),
    ("without files/", {"path": "p10/p10000001/s50000001/d1.dcm"}, "p10/p10000001/s50000001/d1.dcm", []),
    ("below another folder", {"path": "a/files/p10/p10000001/s50000001/d1.dcm"}, "p10/p10000001/s50000001/d1.dcm", []),
    ("another place", {"path": "files/x/d1.dcm"}, "x/d1.dcm", ["path_mismatch"]),
    ("another image's file", {"path": "files/p10/p10000001/s50000001/d9.dcm"}, "p10/p10000001/s50000001/d1.dcm",
     ["path_conflict"]),
    ("its own, in another study's folder", {"path": "p10/p10000001/s50000009/d1.DCM"}, "p10/p10000001/s50000009/d1.DCM",
     ["path_mismatch"]),
    ("no study", {"study_id": ""}, "p10/p10000001/s50000001/d1.dcm", ["blank_id"]),
    ("neither", {"study_id": "", "path": ""}, None, ["blank_id"]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "changes", "path", "said"), RECORDS, ids=[row[0] for row in RECORDS])
def test_records(tmp_path: Path, reason: str, changes: dict[str, object], path: str | None, said: list[str]) -> None:
    harmonizer = MIMICCXRHarmonizer(csv_path=write(tmp_path, "record_list", [record(film()) | changes]))
    table = harmonizer.harmonize()
    assert cells(table, "image_path") == [path], reason
    assert [code for code in codes(harmonizer.issues) if not code.startswith("missing_")] == said, reason


def test_a_list_without_paths_has_those_of_its_ids(tmp_path: Path) -> None:
    harmonizer = MIMICCXRHarmonizer(
        csv_path=write(tmp_path, "record_list", [record(film())], header=("dicom_id", "study_id", "subject_id")),
        report_csv_path=write(tmp_path, "study_list", [{"study_id": "50000001"}], header=("study_id",)),
        report_dir=with_reports(tmp_path / "texts", {report(film()): TEXT}),
    )
    table = harmonizer.harmonize()
    assert (cells(table, "image_path"), cells(table, "report")) == (["p10/p10000001/s50000001/d1.dcm"], [TEXT])
    said = harmonizer.issues.query("code == 'paths_from_ids'")
    assert said["message"].tolist() == [
        f"{name}: There is no column 'path'; the paths are made of the ids."
        for name in ("cxr-record-list.csv.gz", "cxr-study-list.csv.gz")
    ]
    assert "missing_column" not in codes(harmonizer.issues)


def test_an_image_without_an_id_is_not_called_none(tmp_path: Path) -> None:
    root, jpg = mimic(tmp_path / "mimic", [film(""), film("d1")]), made(tmp_path / "jpg", [film("d1")])
    harmonizer = MIMICCXRHarmonizer(root, jpg_root=jpg)
    assert cells(harmonizer.harmonize(), "split") == [None, "train"]
    assert [message for message in harmonizer.issues["message"] if "None " in message.partition("None of the images")[0]] == []
    assert "blank_id" in codes(harmonizer.issues)


REQUESTS = [
    # reason, arguments, class of the refusal, words
    ("nothing", {}, ConfigError, "Expected root, MIMIC-CXR's folder, or csv_path"),
    ("no such source", {"root": ".", "label_source": "x"}, ConfigError, "got 'x'"),
    ("two words for one folder", {"root": ".", "dicom_base_dir": "a", "base_image_dir": "b"}, ConfigError, "name one of them"),
    ("a folder without tables", {"root": "."}, ConfigError, "Expected cxr-record-list.csv.gz below"),
    ("no such reports", {"root": "mimic", "report_dir": "nowhere"}, MissingFileError, "Expected a folder or zip of reports"),
    ("no such JPG folder", {"root": "mimic", "jpg_root": "nowhere"}, MissingFileError, "Expected MIMIC-CXR-JPG's folder"),
    ("reports that are no zip", {"root": "mimic", "report_dir": "mimic/cxr-study-list.csv.gz"}, TableError, "zip"),
]


@pytest.mark.parametrize(("reason", "arguments", "error", "words"), REQUESTS, ids=[row[0] for row in REQUESTS])
def test_what_cannot_be_met_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments.get("root") == "mimic":
        mimic(tmp_path / "mimic")
    with pytest.raises(error, match=words):
        MIMICCXRHarmonizer(**arguments).harmonize()


def test_a_folder_of_images_may_be_named_as_for_the_jpgs(tmp_path: Path) -> None:
    (tmp_path / "films" / "p10").mkdir(parents=True)
    harmonizer = MIMICCXRHarmonizer(mimic(tmp_path / "mimic"), base_image_dir=tmp_path / "films")
    harmonizer.harmonize()
    assert harmonizer.image_root == tmp_path / "films"


def test_lists_without_rows(tmp_path: Path) -> None:
    harmonizer = MIMICCXRHarmonizer(mimic(tmp_path, []))
    assert harmonizer.harmonize().shape == (0, len(MIMIC_CXR_COLUMNS))
    saved = harmonizer.save(tmp_path / "mimic.parquet")
    pd.testing.assert_frame_equal(MIMICCXRHarmonizer.load_from_saved(saved).harmonized_df, harmonizer.harmonized_df)
