"""Finding files: whatever the case or the extension, at any usual depth, and never outside the dataset."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from radharmony_core.errors import MissingFileError, OutsideRootError, WriteError
from radharmony_core.paths import existing, find_file, find_tree, locate, locate_all, within, written_whole

ESCAPES = [
    ("a parent", "../secret.jpg"),
    ("a parent further in", "p10/../../secret.jpg"),
    ("an absolute path", "/etc/hostname"),
    ("a link that leads out", "link/secret.jpg"),
    ("a linked file", "linked.jpg"),
    ("a zero byte", "a\0.jpg"),
]


@pytest.mark.parametrize(("reason", "relative"), ESCAPES, ids=[row[0] for row in ESCAPES])
def test_nothing_outside_the_root_is_opened(tmp_path: Path, reason: str, relative: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    for name in (tmp_path / "secret.jpg", outside / "secret.jpg"):
        name.write_bytes(b"x")
    (root / "link").symlink_to(outside)
    (root / "linked.jpg").symlink_to(outside / "secret.jpg")
    with pytest.raises(OutsideRootError):
        within(root, relative)
    with pytest.raises(OutsideRootError):
        locate(root, relative)


def test_a_root_that_is_a_link_is_the_users_own_choice(tmp_path: Path) -> None:
    real = tmp_path / "disk2"
    real.mkdir()
    (real / "a.jpg").write_bytes(b"x")
    (tmp_path / "files").symlink_to(real)
    assert locate(tmp_path / "files", "a.jpg") == real / "a.jpg"


LOCATED = [
    # reason, files there, wanted, found
    ("the exact name", ["a.jpg", "a.dcm"], "a.jpg", "a.jpg"),
    ("DICOM instead", ["a.dcm"], "a.jpg", "a.dcm"),
    ("capitals", ["A.DCM"], "a.jpg", "A.DCM"),
    ("another spelling of the extension", ["a.JPEG"], "a.jpg", "a.JPEG"),
    ("no extension", ["a"], "a.jpg", "a"),
    ("an extension that is no image's", ["a.zip"], "a.jpg", None),
    ("dots are part of a DICOM name", ["1.2.840.2"], "1.2.840.1", None),
    ("a DICOM name without an extension", ["1.2.840.2"], "1.2.840.2.jpg", "1.2.840.2"),
    ("the folder itself", ["a.jpg"], ".", None),
    ("an empty path", ["files.zip"], "", None),
    ("a folder and back", ["x.zip"], "x/..", None),
    ("a companion of macOS is no image", ["._a.jpg"], "a.jpg", None),
    ("a report is no image", ["a.txt"], "a.jpg", None),
    ("another image", ["ab.jpg"], "a.jpg", None),
    ("an empty folder", [], "a.jpg", None),
    ("a folder of that name", ["a.jpg/inside"], "a.jpg", None),
    ("a name longer than any file's", [], "a" * 5000 + ".jpg", None),
]


@pytest.mark.parametrize(("reason", "files", "wanted", "found"), LOCATED, ids=[row[0] for row in LOCATED])
def test_locate(tmp_path: Path, reason: str, files: list[str], wanted: str, found: str | None) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    assert locate(tmp_path, wanted) == (None if found is None else tmp_path / found), reason


def test_no_file_is_given_to_two_paths(tmp_path: Path) -> None:
    for name in ("a.png", "b.DCM"):
        (tmp_path / name).write_bytes(b"x")
    wanted = ["a.jpg", "a.png", "b.jpg", "b.dcm", "../c.jpg", None, "\0"]
    assert locate_all(tmp_path, wanted) == [None, "a.png", "b.DCM", None, None, None, None]


def test_links_in_a_circle_are_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").symlink_to(tmp_path / "b.jpg")
    (tmp_path / "b.jpg").symlink_to(tmp_path / "a.jpg")
    with pytest.raises(OutsideRootError, match="cannot be followed"):
        locate(tmp_path, "a.jpg")
    assert find_tree(tmp_path, ["a.jpg"]) is None
    assert locate_all(tmp_path, ["a.jpg"]) == [None]


def test_a_file_that_comes_later_is_found(tmp_path: Path) -> None:
    assert locate(tmp_path, "a.jpg") is None
    (tmp_path / "A.Dicom").write_bytes(b"x")
    assert locate(tmp_path, "a.jpg") == tmp_path / "A.Dicom"


@pytest.mark.parametrize("given", ["", "files", "files/p10"])
def test_the_tree_is_found_from_above_and_from_within(tmp_path: Path, given: str) -> None:
    image = tmp_path / "files" / "p10" / "p10000001" / "s50000001" / "a.jpg"
    image.parent.mkdir(parents=True)
    image.write_bytes(b"x")
    assert find_tree(tmp_path / given, ["p10/p10000001/s50000001/a.jpg"]) == tmp_path / "files"


def test_the_tree_with_more_of_the_images_wins(tmp_path: Path) -> None:
    for folder, names in (("one", "a"), ("two", "ab")):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.jpg").write_bytes(b"x")
    assert find_tree(tmp_path, ["a.jpg", "b.jpg"]) == tmp_path / "two"


def test_of_two_whole_trees_the_one_with_the_tables_own_names_wins(tmp_path: Path) -> None:
    for folder, suffix in (("mimic-cxr", "dcm"), ("mimic-cxr-jpg", "jpg")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"a.{suffix}").write_bytes(b"x")
    assert find_tree(tmp_path, ["a.jpg"]) == tmp_path / "mimic-cxr-jpg"
    assert find_tree(tmp_path, ["a.dcm"]) == tmp_path / "mimic-cxr"


def test_no_tree_and_no_wish_give_none(tmp_path: Path) -> None:
    assert find_tree(tmp_path, ["a.jpg"]) is None
    assert find_tree(tmp_path, []) is None
    assert find_tree(tmp_path / "nowhere", ["a.jpg"]) is None


def test_existing_expands_and_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA", str(tmp_path))
    assert existing("$DATA", "data") == tmp_path
    for missing in ("$DATA/nowhere", "~nobody-of-that-name/x", "x" * 5000):
        with pytest.raises(MissingFileError, match="Expected the images at "):
            existing(missing, "the images")


def test_find_file_takes_the_newest_release(tmp_path: Path) -> None:
    folder = tmp_path / "ms-cxr" / "1.1.0"
    folder.mkdir(parents=True)
    for version in ("1.0.0", "1.1.0"):
        (folder / f"MS_CXR_v{version}.csv").write_text("x")
    assert find_file(tmp_path, "MS_CXR_v*.csv") == folder / "MS_CXR_v1.1.0.csv"
    assert find_file(tmp_path, "OTHER*.csv") is None


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "t.txt"
    target.write_text("old")

    def fail() -> None:
        with written_whole(target) as temporary:
            temporary.write_text("half")
            raise OSError(28, "No space left on device")

    with pytest.raises(WriteError, match="No space left"):
        fail()
    assert target.read_text() == "old"
    with written_whole(target) as temporary:
        temporary.write_text("new")
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["t.txt"], "nothing half is left"


@pytest.mark.skipif(os.name != "posix", reason="rights are POSIX's")
def test_a_private_file_is_its_owners_alone_from_the_beginning(tmp_path: Path) -> None:
    with written_whole(tmp_path / "t.txt", private=True) as temporary:
        assert oct(temporary.stat().st_mode & 0o777) == "0o600"
        temporary.write_text("x")
    assert oct((tmp_path / "t.txt").stat().st_mode & 0o777) == "0o600"


def test_a_file_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").touch()
    with written_whole(tmp_path / "t.txt") as temporary:
        temporary.write_text("x")
    assert (tmp_path / "t.txt").stat().st_mode == (tmp_path / "plain.txt").stat().st_mode
