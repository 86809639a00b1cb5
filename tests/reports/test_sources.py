"""Reports from a tree or from a zip that stays packed: the file's own characters, and every one that is not there is said."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from radharmony_core.errors import MissingFileError, OutsideRootError, TableError
from radharmony_core.reports import ReportArchive, ReportFiles, ReportSource, find_reports
from radharmony_core.schema import IssueLog
from tests.reports.support import ONE, READ, TEXTS, THREE, TWO, write_tree, write_zip, zip_of


def make_files(folder: Path) -> ReportSource:
    return ReportFiles(write_tree(folder / "files"))


def make_zip(folder: Path) -> ReportSource:
    return ReportArchive(zip_of(folder / "r.zip"))


SOURCES = [pytest.param(make_files, id="files"), pytest.param(make_zip, id="zip")]
Make = Callable[[Path], ReportSource]


@pytest.mark.parametrize("make", SOURCES)
def test_texts_are_the_files_own_in_the_order_asked_for(tmp_path: Path, make: Make) -> None:
    log = IssueLog()
    texts = make(tmp_path).texts([THREE, ONE, TWO, ONE], log)
    assert texts.type == pa.large_string()
    assert texts.to_pylist() == [READ[2], READ[0], READ[1], READ[0]]
    issues = log.frame()
    assert issues[["code", "value", "image_path"]].to_numpy().tolist() == [["encoding_guess", "cp1252", TWO]]


@pytest.mark.parametrize("make", SOURCES)
def test_every_missing_report_is_said_and_null(tmp_path: Path, make: Make) -> None:
    log = IssueLog()
    gone = ["p10/p10000001/s50000009.txt", "p10/p10000009/s50000001.txt", "p10/p10000001", ""]
    assert make(tmp_path).texts([*gone, ONE, gone[0]], log).to_pylist() == [None, None, None, None, READ[0], None]
    issues = log.frame()
    assert set(issues["code"]) == {"missing_report"}
    assert issues["value"].tolist() == [*gone, gone[0]], "another patient's report is not taken for it"


@pytest.mark.parametrize("make", SOURCES)
def test_no_reports_asked_for_are_none(tmp_path: Path, make: Make) -> None:
    log, told = IssueLog(), list[tuple[int, int, str]]()
    texts = make(tmp_path).texts([], log, lambda *how_far: told.append(how_far))
    assert (len(texts), texts.type, len(log), told) == (0, pa.large_string(), 0, [])


@pytest.mark.parametrize("make", SOURCES)
def test_progress_counts_to_the_end_and_may_stop_the_reading(tmp_path: Path, make: Make) -> None:
    source, asked, told = make(tmp_path), [ONE, TWO, THREE] * 1500, list[tuple[int, int, str]]()
    source.texts(asked, IssueLog(), lambda *how_far: told.append(how_far))
    assert told == [(2000, 4500, "reports"), (4000, 4500, "reports"), (4500, 4500, "reports")]

    def stop(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt(f"{done} of {total} {what}")

    with pytest.raises(KeyboardInterrupt, match="2000 of 4500"):
        source.texts(asked, IssueLog(), stop)


@pytest.mark.parametrize("make", SOURCES)
def test_one_report_is_read_with_its_notices(tmp_path: Path, make: Make) -> None:
    source = make(tmp_path)
    assert (source.read(ONE).text, source.read(ONE).notices) == (READ[0], ())
    assert source.read(TWO).text == READ[1]
    assert "cp1252" in source.read(TWO).notices[0]
    assert source.read(ONE).path.as_posix().endswith(ONE)
    with pytest.raises(MissingFileError, match=r"s50000009\.txt"):
        source.read("p10/p10000001/s50000009.txt")


DEEP = "physionet.org/files/mimic-cxr/2.1.0"
ALL, FIRST, NONE = (ONE, TWO, THREE), (ONE,), ()
FOUND = [
    # reason, folder of the tree and its reports, path of the zip and its reports, what is taken
    ("the tree itself", (".", ALL), None, "."),
    ("the tree after wget", (f"{DEEP}/files", ALL), None, f"{DEEP}/files"),
    ("the zip at the top", None, ("mimic-cxr-reports.zip", ALL), "mimic-cxr-reports.zip"),
    ("the zip after wget", None, (f"{DEEP}/mimic-cxr-reports.zip", ALL), f"{DEEP}/mimic-cxr-reports.zip"),
    ("files go before the zip", ("files", ALL), ("mimic-cxr-reports.zip", ALL), "files"),
    ("the zip is unpacked in part", ("files", FIRST), ("mimic-cxr-reports.zip", ALL), "mimic-cxr-reports.zip"),
    ("a part, and no zip", ("files", FIRST), None, "files"),
    ("a part, and the zip has no more", ("files", FIRST), ("mimic-cxr-reports.zip", FIRST), "files"),
    ("a zip without these reports", None, ("mimic-cxr-reports.zip", NONE), "mimic-cxr-reports.zip"),
    ("a zip of another name", None, ("other.zip", ALL), None),
    ("neither", None, None, None),
]
_Written = tuple[str, Sequence[str]] | None


@pytest.mark.parametrize(("reason", "tree", "packed", "taken"), FOUND, ids=[row[0] for row in FOUND])
def test_reports_are_found(tmp_path: Path, reason: str, tree: _Written, packed: _Written, taken: str | None) -> None:
    if tree is not None:
        write_tree(tmp_path / "place" / tree[0], {name: TEXTS[name] for name in tree[1]})
    if packed is not None:
        write_zip(tmp_path / "place" / packed[0], [("files/" + name, TEXTS[name]) for name in packed[1]])
    found = find_reports([tmp_path / "nowhere", tmp_path / "place"], [ONE, TWO, THREE])
    assert (found and found.inputs()) == (taken and [tmp_path / "place" / taken]), reason
    assert isinstance(found, ReportArchive) == (taken is not None and taken.endswith(".zip"))


@pytest.mark.parametrize(
    ("first", "second", "taken"), [((ONE, TWO), (THREE,), 0), ((ONE,), (TWO, THREE), 1), ((ONE,), (TWO,), 0)]
)
def test_of_two_trees_the_one_with_most_is_taken(tmp_path: Path, first: Sequence[str], second: Sequence[str], taken: int) -> None:
    places = [write_tree(tmp_path / str(number), dict.fromkeys(held, b"")) for number, held in enumerate((first, second))]
    found = find_reports(places, [ONE, TWO, THREE])
    assert found is not None
    assert found.inputs() == [places[taken]]


@pytest.mark.parametrize("folder", ["mimic-cxr/2.1.0/files", "files"])
def test_a_few_patients_of_many_are_a_tree_too(tmp_path: Path, folder: str) -> None:
    """Of 10,000 studies in the list two were downloaded: those few that are looked for are not among them."""
    write_tree(tmp_path / folder, {ONE: b"a", THREE: b"b"})
    many = [f"p12/p12000000/s{59_000_000 + number}.txt" for number in range(10_000)]
    found = find_reports([tmp_path / "nowhere", tmp_path], many)
    assert found is not None
    assert found.inputs() == [tmp_path / folder]


def test_a_tree_of_images_has_no_reports(tmp_path: Path) -> None:
    write_tree(tmp_path / "files", {"p10/p10000001/s50000001/a.jpg": b"", "p10/p10000001/s50000001/a.txt": b""})
    assert find_reports([tmp_path], [ONE]) is None


def test_without_reports_to_look_for_a_zip_is_found(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "mimic-cxr-reports.zip")
    found = find_reports([tmp_path], [])
    assert found is not None
    assert found.inputs() == [path]


def test_a_zip_of_any_name_may_be_the_place(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "copied reports")
    found = find_reports([path], [ONE])
    assert found is not None
    assert found.inputs() == [path]


def test_of_two_zips_the_one_with_the_reports_is_taken(tmp_path: Path) -> None:
    one, other = write_zip(tmp_path / "a.zip", [("files/" + ONE, b"")]), zip_of(tmp_path / "b.zip")
    found = find_reports([one, other], [ONE, TWO])
    assert found is not None
    assert found.inputs() == [other]


@pytest.mark.parametrize("relatives", [[ONE], []])
def test_no_reports_anywhere_are_none(tmp_path: Path, relatives: list[str]) -> None:
    (tmp_path / "files" / "p10").mkdir(parents=True)
    assert find_reports([tmp_path, tmp_path / "nowhere"], relatives) is None
    assert find_reports([], relatives) is None


def test_a_file_that_is_no_zip_is_refused_in_words(tmp_path: Path) -> None:
    whole = zip_of(tmp_path / "whole.zip").read_bytes()
    for name, data in {"empty": b"", "page": b"<html>log in</html>", "cut": whole[:-30], "table.csv": b"a,b\n1,2\n"}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(TableError, match=name):
            find_reports([tmp_path / name], [ONE])
    with pytest.raises(MissingFileError, match="nowhere"):
        ReportArchive(tmp_path / "nowhere")
    with pytest.raises(TableError, match="no regular file"):
        ReportArchive(tmp_path)


def test_links_that_lead_out_of_the_tree_are_not_followed(tmp_path: Path) -> None:
    source = ReportFiles(write_tree(tmp_path / "files"))
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "s1.txt").write_text("secret")
    folder = tmp_path / "files" / "p10" / "p10000001"
    (folder / "s1.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "s2.txt").symlink_to(folder / "s50000001.txt")
    (tmp_path / "files" / "p12").symlink_to(tmp_path / "other")
    out = ["p10/p10000001/s1.txt", "p12/s1.txt", "../secret.txt", str(tmp_path / "secret.txt"), "a\0.txt"]
    log = IssueLog()
    assert source.texts([*out, "p10/p10000001/s2.txt"], log).to_pylist() == [None] * 5 + [READ[0]]
    assert log.frame()["code"].tolist() == ["unreadable_report"] * 5
    for relative in out:
        with pytest.raises(OutsideRootError):
            source.read(relative)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_pipes_and_huge_files_are_not_read(tmp_path: Path) -> None:
    source = ReportFiles(tmp_path)
    os.mkfifo(tmp_path / "pipe.txt")
    with (tmp_path / "huge.txt").open("wb") as handle:
        handle.truncate(50_000_000_000)
    log = IssueLog()
    assert source.texts(["pipe.txt", "huge.txt"], log).to_pylist() == [None, None]
    assert log.frame()["code"].tolist() == ["missing_report", "unreadable_report"]
    with pytest.raises(TableError, match="50,000,000,000"):
        source.read("huge.txt")
    with pytest.raises(TableError, match="no regular file"):
        ReportArchive(tmp_path / "pipe.txt")
