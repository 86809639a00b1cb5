"""Finding tables and MIMIC-CXR's images with few looks at the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.paths import find_files, find_shards, some_files

IMAGE = "p10/p10000001/s50000001/a"


def tree(root: Path, suffix: str) -> Path:
    image = root / (IMAGE + suffix)
    image.parent.mkdir(parents=True)
    image.write_bytes(b"x")
    return root


@pytest.mark.parametrize("given", ["", "files", "files/p10"])
def test_the_shards_are_found_from_above_and_from_within(tmp_path: Path, given: str) -> None:
    tree(tmp_path / "files", ".jpg")
    assert find_shards(tmp_path / given, ".jpg") == tmp_path / "files"


FORESTS = [
    # reason, trees as (folder, suffix), the suffix that is wanted, the folder found
    ("none", [], ".jpg", None),
    ("the one there is, whatever it holds", [("files", ".dcm")], ".jpg", "files"),
    ("JPGs beside DICOM", [("jpg/2.1.0/files", ".jpg"), ("mimic/2.1.0/files", ".dcm")], ".jpg", "jpg/2.1.0/files"),
    ("DICOM beside JPGs", [("jpg/2.1.0/files", ".jpg"), ("mimic/2.1.0/files", ".dcm")], ".dcm", "mimic/2.1.0/files"),
    ("capitals", [("a", ".jpg"), ("b", ".DCM")], ".dcm", "b"),
    ("the newest release first", [("2.0.0/files", ".jpg"), ("2.1.0/files", ".jpg")], ".jpg", "2.1.0/files"),
    ("neither fits: the nearest", [("b/c", ".png"), ("a", ".png")], ".jpg", "a"),
    ("hidden folders are none", [(".Trash/files", ".jpg")], ".jpg", None),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "trees", "suffix", "found"), FORESTS, ids=[row[0] for row in FORESTS])
def test_of_several_trees_the_one_of_that_kind(
    tmp_path: Path, reason: str, trees: list[tuple[str, str]], suffix: str, found: str | None
) -> None:
    for folder, kind in trees:
        tree(tmp_path / folder, kind)
    assert find_shards(tmp_path, suffix) == (None if found is None else tmp_path / found), reason


def test_shards_that_are_empty_or_links_count_as_well(tmp_path: Path) -> None:
    (tmp_path / "disk2" / "shards" / "p11").mkdir(parents=True)
    (tmp_path / "root" / "files").mkdir(parents=True)
    (tmp_path / "root" / "files" / "p11").symlink_to(tmp_path / "disk2" / "shards" / "p11")
    assert find_shards(tmp_path / "root", ".jpg") == tmp_path / "root" / "files"


@pytest.mark.parametrize("place", ["nowhere", "file"])
def test_what_is_no_folder_holds_nothing(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("x")
    assert find_shards(tmp_path / place, ".jpg") is None
    assert find_files(tmp_path / place, ["x"]) == [[]]


def test_files_are_found_in_the_nearest_folder_that_has_one(tmp_path: Path) -> None:
    for name in ("a/x-1.csv", "a/X-2.CSV", "a/b/x-3.csv", "a/b/y.csv", "a/.x-4.csv", "a/x-5.csv.bak"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "a" / "x-6.csv").mkdir()
    found = find_files(tmp_path, [r"x-\d\.csv", r"y\.csv", r"z\.csv"])
    assert found == [[tmp_path / "a/X-2.CSV", tmp_path / "a/x-1.csv"], [tmp_path / "a/b/y.csv"], []]


def test_a_tree_of_folders_is_left_after_a_few(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number:02}" / "deeper").mkdir(parents=True)
    (tmp_path / "00" / "deeper" / "t.csv").write_text("x")
    assert find_files(tmp_path, [r"t\.csv"]) == [[]], "60 folders were not opened"
    assert find_files(tmp_path / "00", [r"t\.csv"]) == [[tmp_path / "00" / "deeper" / "t.csv"]]


SHAPES = (r"p\d\d", r"p\d{3,}", r"s\d+\.txt")


@pytest.mark.parametrize(
    ("reason", "files", "most", "count"),
    [
        ("none", [], 4, 0),
        ("one, after a patient without", ["p10/p10000001/s1/a.jpg", "p10/p10000002/s2.txt"], 4, 1),
        ("of three two are enough", ["p10/p10000001/s1.txt", "p10/p10000001/s2.txt", "p11/p11000001/s3.txt"], 2, 2),
        ("other names", ["p10/p10000001/notes.txt", "q10/p10000001/s1.txt", "p10/s1.txt"], 4, 0),
    ],
)
def test_some_files_of_a_shape_are_seen(tmp_path: Path, reason: str, files: list[str], most: int, count: int) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    found = some_files(tmp_path, SHAPES, most)
    assert len(found) == count, reason
    assert set(found) <= set(files)


def test_looking_for_some_files_ends(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / "p10" / f"p1000{number:04}").mkdir(parents=True)
    assert some_files(tmp_path, SHAPES, 1) == []
    assert some_files(tmp_path / "nowhere", SHAPES, 1) == []
