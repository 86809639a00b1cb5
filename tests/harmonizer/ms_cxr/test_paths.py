"""What MS-CXR's paths tell: which image, whose study, and where the files are, at any depth and of any kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from radharmony_core.errors import MissingFileError
from radharmony_core.harmonizer import MSCXRHarmonizer
from tests.support import annotation, gray_image, write_table


def harmonized(tmp_path: Path, *rows: dict[str, object], **form: Any) -> MSCXRHarmonizer:
    return MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows or [annotation()], **form))


PATHS = [
    ("as published", "files/p10/p10000001/s50000001/aaaa.jpg", "p10/p10000001/s50000001/aaaa.jpg"),
    ("without files", "p10/p10000001/s50000001/aaaa.jpg", "p10/p10000001/s50000001/aaaa.jpg"),
    (
        "as downloaded",
        "physionet.org/files/mimic-cxr-jpg/2.1.0/files/p10/p10000001/s50000001/aaaa.jpg",
        "p10/p10000001/s50000001/aaaa.jpg",
    ),
    ("from Windows", "files\\p10\\p10000001\\s50000001\\aaaa.jpg", "p10/p10000001/s50000001/aaaa.jpg"),
    ("a folder that only ends in files", "myfiles/aaaa.jpg", "myfiles/aaaa.jpg"),
]


@pytest.mark.parametrize(("reason", "path", "expected"), PATHS, ids=[row[0] for row in PATHS])
def test_image_paths_stand_below_the_images_folder(tmp_path: Path, reason: str, path: str, expected: str) -> None:
    table = harmonized(tmp_path, annotation(path=path)).harmonize()
    assert table["image_path"].tolist() == [expected], reason
    assert table["patient_id"].isna().tolist() == ["p10" not in path]


MIMIC = "p10/p10000001/s50000001/x.jpg"
SPELLINGS = [
    # reason, paths of the rows, number of images
    ("one image in every spelling", ["p/x.jpg", "files/p/x.jpg", "./p/x.jpg", "files\\p\\x.jpg", "files//p/./x.jpg"], 1),
    ("as published and as downloaded", [f"files/{MIMIC}", f"mimic-cxr-jpg/2.1.0/files/{MIMIC}"], 1),
    ("another shape does not say which image it is", ["one/files/x.jpg", "two/files/x.jpg"], 2),
    ("two images", ["files/p/x.jpg", "files/q/x.jpg"], 2),
    ("no path: the name tells", ["", ""], 1),
    ("a path is not another row's name", ["", "aaaa"], 2),
    ("a path of blanks is none", ["", "  "], 1),
]


@pytest.mark.parametrize(("reason", "paths", "count"), SPELLINGS, ids=[row[0] for row in SPELLINGS])
def test_rows_of_one_image_come_together_however_its_path_is_spelled(
    tmp_path: Path, reason: str, paths: list[str], count: int
) -> None:
    table = harmonized(tmp_path, *[annotation(path=path, x=place) for place, path in enumerate(paths)]).harmonize()
    assert len(table) == count, reason
    assert sum(map(len, table["bbox"])) == len(paths), "no box is lost"


STUDIES = [
    # reason, patient and study of each row, rows with a conflict, the other patient
    ("one patient's", [("10000001", "50000001"), ("10000001", "50000001")], [], []),
    ("two patients', two studies", [("10000001", "50000001"), ("10000002", "50000002")], [], []),
    ("a study of two patients", [("10000001", "50000001"), ("10000002", "50000001")], [3], ["10000001"]),
    (
        "every row of the later patient",
        [("10000002", "50000001"), ("10000001", "50000001"), ("10000002", "50000001"), ("10000001", "50000001")],
        [3, 5],
        ["10000002", "10000002"],
    ),
]


@pytest.mark.parametrize(("reason", "ids", "rows", "values"), STUDIES, ids=[row[0] for row in STUDIES])
def test_a_study_belongs_to_one_patient(
    tmp_path: Path, reason: str, ids: list[tuple[str, str]], rows: list[int], values: list[str]
) -> None:
    lines = [annotation(patient=patient, study=study, x=place) for place, (patient, study) in enumerate(ids)]
    issues = harmonized(tmp_path, *lines).issues
    found = issues[issues["code"] == "study_conflict"]
    assert (found["row"].tolist(), found["value"].tolist()) == (rows, values), reason


TREES = [
    # reason, files written below the tree's root, image paths expected
    ("JPG tree", ["p10/p10000001/s50000001/aaaa.jpg", "p10/p10000001/s50000001/bbbb.jpg"], ["aaaa.jpg", "bbbb.jpg"]),
    ("DICOM tree", ["p10/p10000001/s50000001/aaaa.dcm", "p10/p10000001/s50000001/bbbb.dcm"], ["aaaa.dcm", "bbbb.dcm"]),
    ("mixed tree", ["p10/p10000001/s50000001/aaaa.jpg", "p10/p10000001/s50000001/bbbb.dcm"], ["aaaa.jpg", "bbbb.dcm"]),
    ("capitals and none", ["p10/p10000001/s50000001/aaaa.DCM", "p10/p10000001/s50000001/bbbb"], ["aaaa.DCM", "bbbb"]),
    ("one image missing", ["p10/p10000001/s50000001/aaaa.dcm"], ["aaaa.dcm", "bbbb.dcm"]),
    ("no image at all", [], ["aaaa.jpg", "bbbb.jpg"]),
]


@pytest.mark.parametrize("depth", ["", "files", "mimic-cxr-jpg/2.1.0/files", "physionet.org/files/mimic-cxr-jpg/2.1.0/files"])
@pytest.mark.parametrize(("reason", "files", "expected"), TREES, ids=[row[0] for row in TREES])
def test_the_trees_kind_and_depth_are_found_out(
    tmp_path: Path, depth: str, reason: str, files: list[str], expected: list[str]
) -> None:
    base = tmp_path / "data"
    base.mkdir()
    for name in files:
        gray_image(base / depth / name)
    path = write_table(tmp_path / "ms.csv", [annotation(), annotation(dicom_id="bbbb")])
    harmonizer = MSCXRHarmonizer(path, base)
    table = harmonizer.harmonize()
    assert [Path(found).name for found in table["image_path"]] == expected, reason
    assert all(found.startswith("p10/p10000001/s50000001/") for found in table["image_path"])
    assert harmonizer.image_root == (base / depth if files else None)
    assert "tree_not_found" in harmonizer.issues["code"].tolist() or files


def test_a_folder_of_images_that_is_not_there_is_refused(tmp_path: Path) -> None:
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", [annotation()]), tmp_path / "nowhere")
    with pytest.raises(MissingFileError, match="nowhere"):
        harmonizer.harmonize()


SWAPS = [
    # reason, paths of the table, files of the DICOM tree, image paths expected
    ("one file is not two images", ["im.jpg", "im.png"], ["im.dcm"], ["im.dcm", "im.png"]),
    ("dots in a DICOM name are no extension", ["a.jpg", "1.2.840.1", "1.2.840.2"], ["a.dcm", "1.2.840.2"], None),
    ("paths that name no file", ["a.jpg", ".", "/"], ["a.dcm"], None),
]


@pytest.mark.parametrize(("reason", "paths", "files", "expected"), SWAPS, ids=[row[0] for row in SWAPS])
def test_in_a_dicom_tree_every_image_keeps_a_name_of_its_own(
    tmp_path: Path, reason: str, paths: list[str], files: list[str], expected: list[str] | None
) -> None:
    root = tmp_path / "files"
    for name in files:
        gray_image(root / name)
    table = write_table(tmp_path / "ms.csv", [annotation(path=path, dicom_id="") for path in paths])
    found = MSCXRHarmonizer(table, root).harmonize()["image_path"]
    assert len(found) == len(paths)
    assert found.dropna().is_unique, reason
    if expected is not None:
        assert found.tolist() == expected, reason
    if "1.2.840.2" in files:
        assert found.tolist() == ["a.dcm", "1.2.840.1", "1.2.840.2"]


def test_a_name_with_dots_is_not_another_images(tmp_path: Path) -> None:
    row = annotation(dicom_id="1.2.840.5.1", path="files/p10/p10000001/s50000001/1.2.840.5.1.dcm")
    assert MSCXRHarmonizer(write_table(tmp_path / "ms.csv", [row])).issues.empty
