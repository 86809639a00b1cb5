"""Reports from a tree or from a zip that stays packed: the file's own characters, and every one that is not there is said."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from radharmony_core.errors import MissingFileError, OutsideRootError, TableError
from radharmony_core.reports import ReportArchive, ReportFiles, ReportSource, find_reports
from radharmony_core.schema import IssueLog
from tests.reports.support import ONE, READ, THREE, TWO, write_tree, zip_of


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
