"""The images' folder of people who have a part of a dataset, and what of a table is there, with few looks at the disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from radharmony_core.paths import find_root, leads_out, locate_all

MANY = [f"p{10 + number % 10}/p{10 + number % 10}{number:06}/s5{number:07}/i{number}.jpg" for number in range(5_000)]
FLAT = [f"i{number}.jpg" for number in range(5_000)]


def write(root: Path, names: Sequence[str]) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x")
    return root


def dcm(names: Sequence[str]) -> list[str]:
    return [name.replace(".jpg", ".dcm") for name in names]


DEEP = "physionet.org/files/jpg/2.1.0/files"
TEXTS = [f"{path.rpartition('/')[0]}.txt" for path in MANY[1:400]]
PARTS = [
    # reason, relatives, trees as (folder, files), the folder found
    ("one film of 5,000", MANY, [("files", MANY[1:2])], "files"),
    ("at the usual depth of a download", MANY, [(DEEP, MANY[7:9])], DEEP),
    ("as DICOM", MANY, [("files", dcm(MANY[7:9]))], "files"),
    ("capitals", MANY, [("files", [MANY[7].replace(".jpg", ".DCM")])], "files"),
    ("reports before the images", MANY, [("x/files", TEXTS), ("a/files", MANY[1:2])], "a/files"),
    ("more of them as JPG", MANY, [("a", MANY[1:4]), ("b", dcm(MANY[1:3]))], "a"),
    ("as many of both: the table's own names", MANY, [("a", dcm(MANY[1:4])), ("b", MANY[1:4])], "b"),
    ("other studies of the same patients", MANY, [("files", [path.replace("/s5", "/s6") for path in MANY[1:9]])], None),
    ("other images of the same studies", MANY, [("files", [path.replace("/i", "/j") for path in MANY[1:9]])], None),
    ("one folder for all", FLAT, [("images", FLAT[1:2])], "images"),
    ("a folder a class", [f"class{number % 5}/{number}.jpg" for number in range(5_000)], [("data", ["class1/1.jpg"])], "data"),
    ("nothing at all", MANY, [], None),
    ("no wish", [], [("files", MANY[1:2])], None),
    ("paths that name no file", ["", ".", "..", "/", "\0", "a//b.jpg"], [("files", ["b.jpg"])], None),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "relatives", "trees", "found"), PARTS, ids=[row[0] for row in PARTS])
def test_a_part_of_a_dataset_is_found(
    tmp_path: Path, reason: str, relatives: list[str], trees: list[tuple[str, list[str]]], found: str | None
) -> None:
    for folder, files in trees:
        write(tmp_path / folder, files)
    assert find_root(tmp_path, relatives) == (None if found is None else tmp_path / found), reason


@pytest.mark.parametrize("given", ["", "files", "files/p11"])
def test_a_part_is_found_from_above_and_from_within(tmp_path: Path, given: str) -> None:
    write(tmp_path / "files", [MANY[1]])
    assert find_root(tmp_path / given, MANY) == tmp_path / "files"


def test_a_link_that_leads_out_is_no_part(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", [MANY[1]])
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "p11").symlink_to(tmp_path / "elsewhere" / "p11")
    assert find_root(tmp_path / "files", MANY) is None


def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every call that asks the disk, as it is made; the calls themselves go through."""
    made: list[str] = []
    for name in ("stat", "lstat", "scandir"):

        def counted(path: object, *rest: object, _real: object = getattr(os, name), **words: object) -> object:
            made.append(str(path))
            assert callable(_real)
            return _real(path, *rest, **words)

        monkeypatch.setattr(os, name, counted)
    return made


def test_a_part_is_found_with_few_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "files", MANY[1:2])
    made = looks(monkeypatch)
    counts = []
    for table in (MANY[:48], MANY):
        made.clear()
        assert find_root(tmp_path, table) == tmp_path / "files"
        counts.append(len(made))
    assert counts[1] <= counts[0] + 100, "for a table a hundred times as long about the same"


def test_what_is_not_there_costs_a_look_a_patient_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty images a patient, of whom one was downloaded."""
    table = [f"p10/p1000{number // 50:04}/s{number:08}/i.jpg" for number in range(5_000)]
    write(tmp_path, table[50:100])
    made = looks(monkeypatch)
    assert locate_all(tmp_path, table) == [path if 50 <= number < 100 else None for number, path in enumerate(table)]
    assert len(made) < 100 + 2 * 50 + 50, "a look for each of 100 patients, and for the folder and the file of 50 images"


LINKS = [
    # reason, path, whether it is found, whether it leads out
    ("a file", "p10/a.jpg", True, False),
    ("a folder that is a link out", "p11/a.jpg", False, True),
    ("a file that is a link out", "p10/b.jpg", False, True),
    ("a link out to nothing", "p10/c.jpg", False, True),
    ("a link inside", "p10/d.jpg", True, False),
    ("a folder that is a link inside", "p12/a.jpg", True, False),
    ("a link inside to nothing", "p10/e.jpg", False, False),
    ("a link to itself", "p10/f.jpg", False, False),
    ("missing", "p10/z.jpg", False, False),
    ("a missing folder", "p99/a.jpg", False, False),
    ("a parent", "../out/a.jpg", False, True),
    ("an absolute path", "/etc/hostname", False, True),
    ("a zero byte", "p10/\0.jpg", False, False),
    ("a folder", "p10", False, False),
    ("none", "", False, False),
    ("a path of a thousand folders", "a/" * 1000 + "b.jpg", False, False),
]


@pytest.mark.parametrize(("reason", "path", "found", "out"), LINKS, ids=[row[0] for row in LINKS])
def test_links_out_are_told_from_what_is_missing(tmp_path: Path, reason: str, path: str, found: bool, out: bool) -> None:
    root = write(tmp_path / "root", ["p10/a.jpg"])
    write(tmp_path / "out", ["a.jpg"])
    (root / "p11").symlink_to(tmp_path / "out")
    (root / "p12").symlink_to("p10")
    for name, target in {
        "b": f"{tmp_path}/out/a.jpg",
        "c": f"{tmp_path}/out/c.jpg",
        "d": "a.jpg",
        "e": "y.jpg",
        "f": "f.jpg",
    }.items():
        (root / "p10" / f"{name}.jpg").symlink_to(target)
    assert locate_all(root, [path]) == [path if found else None], reason
    assert leads_out(root, [path]) == [out], reason


def test_of_none_none_leads_out(tmp_path: Path) -> None:
    assert leads_out(tmp_path, []) == []
    assert leads_out(tmp_path / "nowhere", ["a.jpg"]) == [False]
