"""Where MIMIC-CXR's tables are: at any usual depth, packed or not, or named one by one."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from radharmony_core.errors import ConfigError, MissingFileError, TableError
from radharmony_core.harmonizer import MIMICCXRHarmonizer, MIMICCXRJPGHarmonizer, find_label_table
from radharmony_core.harmonizer.mimic.find import find_tables
from tests.harmonizer.mimic.made import HEADERS, cells, codes, csv_text, film, in_split, labels, made, write

DEPTHS = ["", "2.1.0", "mimic-cxr-jpg/2.1.0", "physionet.org/files/mimic-cxr-jpg/2.1.0", "a/b/c/d/e"]


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_tables_and_the_images_are_found_at_any_usual_depth(tmp_path: Path, depth: str) -> None:
    folder = made(tmp_path / depth, [film()])
    (folder / "files" / "p10" / "p10000001").mkdir(parents=True)
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path)
    assert cells(harmonizer.harmonize(), "split") == ["train"]
    assert harmonizer.image_root == folder / "files"
    names = [path.relative_to(folder).as_posix() for path in harmonizer.inputs()]
    released = [f"mimic-cxr-2.0.0-{key}.csv.gz" for key in ("metadata", "split", "chexpert", "negbio")]
    assert sorted(names) == sorted([*released, "files"]), "every table that is read, and the images' folder"


def test_the_images_folder_may_be_named_as_the_root(tmp_path: Path) -> None:
    folder = made(tmp_path / "2.1.0", [film()])
    (folder / "files" / "p10").mkdir(parents=True)
    harmonizer = MIMICCXRJPGHarmonizer(folder / "files")
    assert (cells(harmonizer.harmonize(), "split"), harmonizer.image_root) == (["train"], folder / "files")


NAMES = [
    # reason, files in the folder, the one that is read, files that are passed over
    ("as published", ["mimic-cxr-2.0.0-split.csv.gz"], "mimic-cxr-2.0.0-split.csv.gz", 0),
    ("unpacked", ["mimic-cxr-2.0.0-split.csv"], "mimic-cxr-2.0.0-split.csv", 0),
    ("both", ["mimic-cxr-2.0.0-split.csv", "mimic-cxr-2.0.0-split.csv.gz"], "mimic-cxr-2.0.0-split.csv.gz", 1),
    ("the newest release", ["mimic-cxr-2.10.0-split.csv", "mimic-cxr-2.9.0-split.csv.gz"], "mimic-cxr-2.10.0-split.csv", 1),
    ("a name of one's own", ["split.csv"], "split.csv", 0),
    ("another case", ["MIMIC-CXR-2.0.0-SPLIT.CSV.GZ"], "MIMIC-CXR-2.0.0-SPLIT.CSV.GZ", 0),
    ("a copy beside the published one", ["my-split.csv", "mimic-cxr-2.0.0-split.csv.gz"], "mimic-cxr-2.0.0-split.csv.gz", 1),
    ("a companion of macOS", ["._mimic-cxr-2.0.0-split.csv.gz"], None, 0),
    ("another table", ["split_conflict.csv", "resplit.csv", "split.csv.bak"], None, 0),
    ("nothing", [], None, 0),
]


@pytest.mark.parametrize(("reason", "files", "taken", "passed_over"), NAMES, ids=[row[0] for row in NAMES])
def test_of_several_files_the_published_one_is_read(
    tmp_path: Path, reason: str, files: list[str], taken: str | None, passed_over: int
) -> None:
    for name in files:
        write(tmp_path, "split", [], name)
    found = [path.name for path in find_tables(tmp_path, ["split"])["split"]]
    assert (found[0] if found else None, max(0, len(found) - 1)) == (taken, passed_over), reason


def test_which_of_two_was_read_is_said(tmp_path: Path) -> None:
    made(tmp_path, [film()])
    write(tmp_path, "chexpert", [labels(edema="1")], "mimic-cxr-2.0.0-chexpert.csv")
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path)
    assert cells(harmonizer.harmonize(), "edema") == [None]
    said = harmonizer.issues.query("code == 'several_files'")
    assert said["value"].tolist() == ["mimic-cxr-2.0.0-chexpert.csv.gz, not mimic-cxr-2.0.0-chexpert.csv"]


PACKED = gzip.compress(csv_text(HEADERS["chexpert"], [labels(edema="-1")]).encode())
GZ, CSV, OWN = "mimic-cxr-2.0.0-chexpert.csv.gz", "mimic-cxr-2.0.0-chexpert.csv", "my-chexpert.csv.gz"
DAMAGED = [
    # reason, what is in the packed file, other files, the label, issues
    ("a sound one goes first", PACKED, [CSV], -1, [("several_files", f"{GZ}, not {CSV}")]),
    ("it is empty", b"", [CSV], 1, [("passed_over_file", GZ)]),
    ("it was cut off", PACKED[:60], [CSV], 1, [("passed_over_file", GZ)]),
    ("a bit has changed", PACKED[:60] + b"x" + PACKED[61:], [CSV], 1, [("passed_over_file", GZ)]),
    ("and another one is left", b"", [CSV, OWN], 1, [("passed_over_file", GZ), ("several_files", f"{CSV}, not {OWN}")]),
    ("what is left has any name", b"", [OWN], 1, [("passed_over_file", GZ)]),
]


@pytest.mark.parametrize(("reason", "packed", "others", "edema", "issues"), DAMAGED, ids=[row[0] for row in DAMAGED])
def test_of_several_files_a_whole_one_is_read(
    tmp_path: Path, reason: str, packed: bytes, others: list[str], edema: int, issues: list[tuple[str, str]]
) -> None:
    made(tmp_path, [film()])
    (tmp_path / GZ).write_bytes(packed)
    for name in others:
        write(tmp_path, "chexpert", [labels(edema="1")], name)
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path)
    assert cells(harmonizer.harmonize(), "edema") == [edema], reason
    said = harmonizer.issues.query("code != 'tree_not_found'")
    assert list(zip(said["code"], said["value"], strict=True)) == issues
    read = find_label_table(tmp_path, "chexpert")
    assert read in harmonizer.inputs(), "everybody takes the same"


def test_without_a_whole_one_the_first_is_refused(tmp_path: Path) -> None:
    made(tmp_path, [film()])
    for name in (GZ, CSV):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(TableError, match=rf"{GZ}; it is empty"):
        MIMICCXRJPGHarmonizer(tmp_path).harmonize()


COPIES = [
    # reason, folders with a whole release, the root below them, the one that is read, what is said of it
    ("one", ["2.1.0"], "", "2.1.0", None),
    ("two releases", ["2.0.0", "2.1.0"], "", "2.1.0", "../2.0.0"),
    ("in folders of their own", ["a/2.0.0", "b/2.1.0"], "", "b/2.1.0", "../../a/2.0.0"),
    ("the release itself is the root", ["2.0.0", "2.1.0"], "2.0.0", "2.0.0", None),
    ("a copy within", ["", "old"], "", "", None),
    ("beside a root of the name files", ["files", "other"], "files", "files", None),
    ("its images' folder is the root", ["2.0.0", "2.1.0"], "2.1.0/files", "2.1.0", None),
]


@pytest.mark.parametrize(("reason", "folders", "root", "read", "said"), COPIES, ids=[row[0] for row in COPIES])
def test_of_two_releases_below_one_root_it_is_said_which_is_read(
    tmp_path: Path, reason: str, folders: list[str], root: str, read: str, said: str | None
) -> None:
    for folder in folders:
        made(tmp_path / folder, [film()], chexpert=[labels(edema="1" if folder == read else "0")])
        (tmp_path / folder / "files" / "p10" / "p10000001").mkdir(parents=True)
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path / root)
    assert cells(harmonizer.harmonize(), "edema") == [1], reason
    names = [f"mimic-cxr-2.0.0-{key}.csv.gz" for key in ("metadata", "split", "chexpert", "negbio")]
    told = [] if said is None else [("several_files", f"{name}, not {said}/{name}") for name in names]
    assert list(zip(harmonizer.issues["code"], harmonizer.issues["value"], strict=True)) == told


def test_tables_that_are_not_there_are_said_once(tmp_path: Path) -> None:
    write(tmp_path, "metadata", [film("d1"), film("d2")])
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    assert (cells(table, "split"), cells(table, "edema"), cells(table, "labels_disagreed")) == ([None] * 2,) * 3
    assert codes(harmonizer.issues) == ["missing_table", "tree_not_found"]
    assert harmonizer.issues["value"][0] == "split, chexpert, negbio"


def test_a_named_table_goes_before_what_is_found(tmp_path: Path) -> None:
    root = made(tmp_path / "root", [film()])
    other = {
        "csv_path": write(tmp_path, "metadata", [film("d9", "50000009")], "a.csv"),
        "split_csv_path": write(tmp_path, "split", [in_split(film("d9", "50000009"), "test")], "b.csv"),
        "label_csv_path": write(tmp_path, "chexpert", [labels("50000009", edema="1")], "c.csv"),
    }
    harmonizer = MIMICCXRJPGHarmonizer(root, **other)  # type: ignore[arg-type]
    table = harmonizer.harmonize()
    assert (cells(table, "dicom_id"), cells(table, "split"), cells(table, "edema")) == (["d9"], ["test"], [1])
    assert set(other.values()) < set(harmonizer.inputs())


LABEL_FILES = [
    # reason, label files that are named, label_source, edema, whether the labelers can be compared
    ("told by its name", ["chexpert.csv"], "chexpert", [1], False),
    ("its name says nothing", ["labels.csv"], "chexpert", [1], False),
    ("its name says nothing", ["labels.csv"], "negbio", [1], False),
    ("both, in any order", ["x-negbio.csv", "mimic-chexpert.csv.gz"], "chexpert", [1], True),
    ("both agree", ["negbio.csv", "chexpert.csv"], "agreed", [1], True),
    ("the test set", ["mimic-cxr-2.1.0-test-set-labeled.csv", "chexpert.csv", "negbio.csv"], "test_set", [1], True),
]


@pytest.mark.parametrize(("reason", "files", "source", "edema", "compared"), LABEL_FILES)
def test_label_files_are_told_apart(
    tmp_path: Path, reason: str, files: list[str], source: str, edema: list[int], compared: bool
) -> None:
    paths = [write(tmp_path, "chexpert", [labels(edema="1")], name) for name in files]
    metadata = write(tmp_path, "metadata", [film()])
    named: Path | list[Path] = paths if len(paths) > 1 else paths[0]
    table = MIMICCXRJPGHarmonizer(csv_path=metadata, label_csv_path=named, label_source=source).harmonize()
    assert cells(table, "edema") == edema, reason
    assert cells(table, "labels_disagreed") == ([0] if compared else [None]), reason


REFUSED = [
    # reason, label files that are named, label_source, words
    ("another labeler's", ["negbio.csv"], "chexpert", "label_source is 'chexpert', which needs the labels of chexpert"),
    ("one of two", ["negbio.csv"], "agreed", "Name chexpert as well, or change label_source"),
    ("whose is it", ["labels.csv"], "agreed", "Expected chexpert or negbio in the name of"),
    ("two of one labeler", ["chexpert.csv", "my-chexpert.csv"], "chexpert", "Expected one label table of chexpert, got"),
]


@pytest.mark.parametrize(("reason", "files", "source", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_label_file_that_does_not_fit_is_refused(
    tmp_path: Path, reason: str, files: list[str], source: str, words: str
) -> None:
    paths = [write(tmp_path, "chexpert", [], name) for name in files]
    metadata = write(tmp_path, "metadata", [film()])
    with pytest.raises(ConfigError, match=re.escape(words)):
        MIMICCXRJPGHarmonizer(csv_path=metadata, label_csv_path=paths, label_source=source).harmonize()


@pytest.mark.parametrize("name", ["root", "csv_path", "label_csv_path", "split_csv_path"])
@pytest.mark.parametrize("blank", ["", "  ", [""], ["a.csv", ""]])
def test_a_blank_path_is_refused(name: str, blank: str | list[str]) -> None:
    arguments: dict[str, Any] = {"root": "somewhere", name: blank}
    for kind in (MIMICCXRJPGHarmonizer, MIMICCXRHarmonizer):
        with pytest.raises(ConfigError, match=f"Expected a path as {name}, got an empty text"):
            kind(**arguments)


@pytest.mark.parametrize("name", ["label_csv_path", "split_csv_path", "base_image_dir"])
def test_a_named_path_has_to_be_there(tmp_path: Path, name: str) -> None:
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, [film()]), **{name: tmp_path / "nowhere"})  # type: ignore[arg-type]
    with pytest.raises(MissingFileError, match="nowhere"):
        harmonizer.inputs()
    with pytest.raises(MissingFileError, match="nowhere"):
        harmonizer.harmonize()
