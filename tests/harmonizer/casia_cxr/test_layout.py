"""Where CASIA-CXR's folders, tables and images are found, in any case and at any depth, and never outside of the root."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import pyarrow as pa
import pytest

from radharmony_core.errors import ConfigError, MissingFileError
from radharmony_core.harmonizer.casia_cxr.images import ImageFiles
from radharmony_core.harmonizer.casia_cxr.layout import find_layout, list_below
from radharmony_core.labels import CASIA_CLASSES
from radharmony_core.schema import IssueLog
from tests.harmonizer.casia_cxr.made import write_class


def codes(log: IssueLog) -> list[tuple[str, str | None]]:
    found = log.frame()
    return [(code, value) for code, value in zip(found["code"], found["value"], strict=True) if code != "missing_class"]


FOLDERS = [
    # reason, the class's folder, the reports' name
    ("as published", "CASIA-CXR_Mass", "CASIA-CXR_Mass_Reports.csv"),
    ("the sample", "CASIA-CXR_Mass_Sample", "CASIA-CXR_Mass_Reports.csv"),
    ("the sample, its table as well", "CASIA-CXR_Mass_Sample", "CASIA-CXR_Mass_Sample_Reports.csv"),
    ("the other way about", "CASIA-CXR_Mass", "CASIA-CXR_Mass_Reports_Sample.csv"),
    ("small letters", "casia-cxr_mass", "casia-cxr_mass_reports.csv"),
    ("capitals", "CASIA-CXR_MASS", "CASIA-CXR_MASS_REPORTS.CSV"),
]


@pytest.mark.parametrize("depth", ["", "casia-cxr", "CASIA-CXR_Database", "downloads/casia/1.0"])
@pytest.mark.parametrize(("reason", "folder", "reports"), FOLDERS, ids=[row[0] for row in FOLDERS])
def test_a_classs_folder_is_found(tmp_path: Path, depth: str, reason: str, folder: str, reports: str) -> None:
    path = write_class(tmp_path / depth, folder=folder, reports=reports, labels="ImageID,Edema\n")
    layout = find_layout(tmp_path, IssueLog())
    (found,) = layout.classes
    assert (found.name, found.path, found.reports) == ("Mass", path, path / reports), reason
    assert found.labels == path / "CASIA-CXR_Mass_Labels.csv"
    assert layout.root == tmp_path / depth
    assert layout.images == [f"{folder}/CASIA-CXR_Mass_Images/CASIA-CXR_Mass_0001.JPEG"]


def test_the_root_may_be_one_classs_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_class(tmp_path)
    write_class(tmp_path, "Pneumonia")
    for root in (path, "."):
        monkeypatch.chdir(path)
        layout = find_layout(root, IssueLog())
        assert [found.name for found in layout.classes] == ["Mass"]
        assert layout.images == ["CASIA-CXR_Mass_Images/CASIA-CXR_Mass_0001.JPEG"]


def test_a_class_that_is_not_there_is_said_and_so_is_a_sixth(tmp_path: Path) -> None:
    write_class(tmp_path)
    write_class(tmp_path, "Fibrosis")
    log = IssueLog()
    find_layout(tmp_path, log)
    missing = [value for code, value in log.frame()[["code", "value"]].to_numpy().tolist() if code == "missing_class"]
    assert missing == [name for name in CASIA_CLASSES if name != "Mass"]
    assert codes(log) == [("unknown_class_folder", "CASIA-CXR_Fibrosis")]


def test_the_whole_class_is_read_rather_than_its_sample(tmp_path: Path) -> None:
    whole = write_class(tmp_path)
    write_class(tmp_path, folder="CASIA-CXR_Mass_Sample")
    log = IssueLog()
    assert [found.path for found in find_layout(tmp_path, log).classes] == [whole]
    assert codes(log) == [("several_files", str(whole))]


TABLES = [
    # reason, the tables in Mass's folder, the one that is read
    ("a shorter name", ["CASIA-CXR_Mass_Reports.csv", "Old_Reports.csv"], 0),
    ("one above it", ["tables/CASIA-CXR_Mass_Reports.csv", "Reports.csv"], 0),
    ("a copy below", ["CASIA-CXR_Mass_Reports.csv", "backup/CASIA-CXR_Mass_Reports.csv"], 0),
    ("its sample", ["CASIA-CXR_Mass_Reports.csv", "CASIA-CXR_Mass_Reports_Sample.csv"], 0),
    ("another class's", ["CASIA-CXR_PleuralEffusion_Reports.csv", "casia-cxr_mass_reports.csv"], 1),
    ("none is named as documented", ["Old_Mass_Reports.csv", "Reports.csv"], 1),
]


@pytest.mark.parametrize(("reason", "names", "read"), TABLES, ids=[row[0] for row in TABLES])
@pytest.mark.parametrize("kind", ["Reports", "Labels"])
def test_the_documented_name_is_read(tmp_path: Path, kind: str, reason: str, names: list[str], read: int) -> None:
    paths = [tmp_path / "CASIA-CXR_Mass" / name.replace("Reports", kind).replace("reports", kind.lower()) for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    log = IssueLog()
    (found,) = find_layout(tmp_path, log).classes
    assert (found.reports if kind == "Reports" else found.labels) == paths[read], reason
    assert codes(log) == [("several_files", str(paths[read]))]


def test_a_class_without_tables_or_images_is_found(tmp_path: Path) -> None:
    (tmp_path / "CASIA-CXR_Mass").mkdir()
    layout = find_layout(tmp_path, IssueLog())
    assert [(found.reports, found.labels) for found in layout.classes] == [(None, None)]
    assert layout.images == []


def test_what_systems_leave_behind_is_no_image(tmp_path: Path) -> None:
    write_class(tmp_path, images=["._CASIA-CXR_Mass_0001.JPEG", ".DS_Store", "Thumbs.db", "a.txt", "CASIA-CXR_Mass_0002.jpg"])
    names = [Path(file).name for file in find_layout(tmp_path, IssueLog()).images]
    assert names == ["CASIA-CXR_Mass_0002.jpg"]


@pytest.mark.parametrize("target", ["outside", "nowhere"])
def test_a_link_that_leads_out_is_not_followed(tmp_path: Path, target: str) -> None:
    root = tmp_path / "root"
    write_class(tmp_path / "outside", "Pneumonia")
    path = write_class(root)
    link = path / "CASIA-CXR_Mass_Images" / "CASIA-CXR_Mass_0002.jpg"
    link.symlink_to(tmp_path / target / "x.jpg")
    (root / "CASIA-CXR_Pneumonia").symlink_to(tmp_path / target / "CASIA-CXR_Pneumonia")
    (root / "another").symlink_to(tmp_path)
    log = IssueLog()
    layout = find_layout(root, log)
    assert [found.name for found in layout.classes] == ["Mass"]
    assert layout.images == ["CASIA-CXR_Mass/CASIA-CXR_Mass_Images/CASIA-CXR_Mass_0001.JPEG"]
    assert codes(log) == [("link_outside", str(root / "CASIA-CXR_Pneumonia")), ("link_outside", str(link))]


def test_a_link_inside_the_root_is_followed_and_a_circle_ends(tmp_path: Path) -> None:
    path = write_class(tmp_path, images=[])
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "CASIA-CXR_Mass_0001.jpg").touch()
    (path / "Images").symlink_to(tmp_path / "store")
    (path / "circle").symlink_to(path)
    layout = find_layout(tmp_path, IssueLog())
    assert "CASIA-CXR_Mass/Images/CASIA-CXR_Mass_0001.jpg" in layout.images


@pytest.mark.skipif(os.name != "posix", reason="Names of any bytes are POSIX's.")
def test_a_name_that_is_no_text_is_said(tmp_path: Path) -> None:
    path = write_class(tmp_path)
    Path(os.fsdecode(os.fsencode(path) + b"/\xe9.jpg")).touch()
    (path / "Radio\u00a0é.jpg").touch()
    log = IssueLog()
    assert len(find_layout(tmp_path, log).images) == 2, "any text is a name"
    assert [code for code, _ in codes(log)] == ["bad_file_name"]


def test_each_folder_is_listed_once_and_no_file_is_looked_at(tmp_path: Path) -> None:
    for name in ("Mass", "Pneumonia"):
        write_class(tmp_path, name, images=[f"CASIA-CXR_{name}_{number:04}.jpg" for number in range(200)])
    with mock.patch("os.scandir", wraps=os.scandir) as listed, mock.patch("os.stat", wraps=os.stat) as looked_at:
        layout = find_layout(tmp_path, IssueLog())
    assert len(layout.images) == 400
    assert listed.call_count == 1 + 2 * 2, "the root, two classes, two folders of images"
    assert looked_at.call_count < 10


def test_what_holds_no_class_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="CASIA-CXR's folder"):
        find_layout(tmp_path / "nowhere", IssueLog())
    (tmp_path / "a.csv").touch()
    for root in (tmp_path, tmp_path / "a.csv"):
        with pytest.raises(ConfigError, match="CASIA-CXR_Cardiomegaly"):
            find_layout(root, IssueLog())


def test_a_folder_of_images_may_be_named(tmp_path: Path) -> None:
    write_class(tmp_path / "casia")
    layout = list_below(tmp_path, IssueLog())
    assert layout.images == ["casia/CASIA-CXR_Mass/CASIA-CXR_Mass_Images/CASIA-CXR_Mass_0001.JPEG"]
    with pytest.raises(MissingFileError, match="folder of CASIA-CXR's images"):
        list_below(tmp_path / "nowhere", IssueLog())


IMAGE_ID = "CASIA-CXR_Mass_ImgID_0012"
LOOKED_UP = [
    # reason, files, the one that is found
    ("as published", ["a/CASIA-CXR_Mass_0012.JPEG"], 0),
    ("small letters", ["a/casia-cxr_mass_0012.jpg"], 0),
    ("capitals", ["A/CASIA-CXR_MASS_0012.JPG"], 0),
    ("under its ImageID", [f"a/{IMAGE_ID}.jpg"], 0),
    ("under its ImageID, small", [f"a/{IMAGE_ID.lower()}.jpeg"], 0),
    ("fewer zeros", ["a/CASIA-CXR_Mass_12.jpg"], 0),
    ("more zeros", ["a/CASIA-CXR_Mass_000012.jpg"], 0),
    ("its own digits first", ["a/CASIA-CXR_Mass_12.jpg", "b/CASIA-CXR_Mass_0012.jpg"], 1),
    ("its ImageID before its class and number", ["a/CASIA-CXR_Mass_0012.jpg", f"b/{IMAGE_ID}.jpg"], 1),
    (
        "in a folder of its class before another",
        ["CASIA-CXR_Pneumonia/CASIA-CXR_Mass_0012.jpg", "Mass/CASIA-CXR_Mass_0012.jpg"],
        1,
    ),
    ("the first of two alike", ["a/CASIA-CXR_Mass_0012.jpg", "b/CASIA-CXR_Mass_0012.JPEG"], 0),
    ("another class", ["a/CASIA-CXR_Pneumonia_0012.jpg"], None),
    ("another number", ["a/CASIA-CXR_Mass_0120.jpg", "a/CASIA-CXR_Mass_0001.jpg"], None),
    ("a number alone", ["CASIA-CXR_Mass_Images/0012.jpg"], None),
    ("no files", [], None),
]


@pytest.mark.parametrize(("reason", "files", "found"), LOOKED_UP, ids=[row[0] for row in LOOKED_UP])
def test_an_image_is_found_by_class_and_number(reason: str, files: Sequence[str], found: int | None) -> None:
    cells = (pa.array([text], pa.string()) for text in (IMAGE_ID, "Mass", "12"))
    assert ImageFiles.of(files).find(*cells).to_pylist() == [None if found is None else files[found]], reason


def test_an_image_of_no_class_known_is_found_under_its_id(tmp_path: Path) -> None:
    files = ImageFiles.of(["x/odd 7.jpg", "x/CASIA-CXR_Test_0003.jpg"])
    ids = pa.array(["odd 7", "CASIA-CXR_Test_ImgID_0003", "", None], pa.string())
    classes = pa.array([None, "Test", None, None], pa.string())
    numbers = pa.array([None, "3", None, None], pa.string())
    assert files.find(ids, classes, numbers).to_pylist() == ["x/odd 7.jpg", "x/CASIA-CXR_Test_0003.jpg", None, None]


def test_without_a_class_only_the_images_own_name_is_looked_for() -> None:
    files = ImageFiles.of(["a/CASIA-CXR_Mass_0001.jpg", "a/CASIA-CXR_Mass_ImgID_0002.jpg"])
    ids = pa.array(["CASIA-CXR_Mass_ImgID_0001", "CASIA-CXR_Mass_ImgID_0002"])
    nothing = pa.nulls(2, pa.string())
    assert files.find(ids, nothing, pa.array(["1", "2"])).to_pylist() == [None, "a/CASIA-CXR_Mass_ImgID_0002.jpg"]


PASSED_OVER = [
    # reason, the files that records have, those passed over
    ("the first is used", ["a/CASIA-CXR_Mass_0001.jpg"], ["b/CASIA-CXR_Mass_1.jpg"]),
    ("the second is used", ["b/CASIA-CXR_Mass_1.jpg"], ["a/CASIA-CXR_Mass_0001.jpg"]),
    ("both are used", ["a/CASIA-CXR_Mass_0001.jpg", "b/CASIA-CXR_Mass_1.jpg"], []),
    ("none is used", [], ["b/CASIA-CXR_Mass_1.jpg"]),
]


@pytest.mark.parametrize(("reason", "used", "left"), PASSED_OVER, ids=[row[0] for row in PASSED_OVER])
def test_files_that_share_class_and_number_are_counted(reason: str, used: list[str], left: list[str]) -> None:
    files = ImageFiles.of(["a/CASIA-CXR_Mass_0001.jpg", "b/CASIA-CXR_Mass_1.jpg", "c/other.jpg", "d/other.jpg"])
    assert files.passed_over(pa.array(used, pa.string())) == left, reason
    assert (files.count_of("Mass"), files.count_of("Pneumonia")) == (2, 0)
