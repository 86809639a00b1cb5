"""A zip of reports: found whatever its folders, and damage is said, never shown and never paid for in memory."""

from __future__ import annotations

import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from radharmony_core.errors import TableError
from radharmony_core.reports import ReportArchive
from radharmony_core.schema import IssueLog
from tests.reports.support import ONE, READ, THREE, TWO, write_zip, zip_of

LAYOUTS = [
    # reason, entries of the zip, text of ONE
    ("no folders at all", [("s50000001.txt", b"a")], "a"),
    ("another root", [("x/y/mimic-cxr-reports/files/" + ONE, b"a")], "a"),
    ("the shard only", [("files/p10/s50000001.txt", b"a")], "a"),
    ("separators of Windows", [("files\\p10\\p10000001\\s50000001.txt", b"a")], "a"),
    ("another patient's", [("files/p10/p10000002/s50000001.txt", b"a")], None),
    ("an id that only ends alike", [("files/p10/p10000001/s150000001.txt", b"a"), ("files/xs50000001.txt", b"b")], None),
    ("a Mac's companion", [("__MACOSX/files/p10/p10000001/._s50000001.txt", b"a")], None),
    ("twice, one with the whole path", [("old/p10000001/s50000001.txt", b"a"), ("files/" + ONE, b"b")], "b"),
    ("twice, the same text", [("a/" + ONE, b"a"), ("b/" + ONE, b"a")], "a"),
    ("with and without the patient's folder", [("s50000001.txt", b"a"), ("p10000001/s50000001.txt", b"b")], "b"),
    ("in the study's folder", [("files/p10/p10000001/s50000001/s50000001.txt", b"a")], "a"),
    ("in a study's folder of another patient", [("files/p10/p10000002/s50000001/s50000001.txt", b"a")], None),
    ("capitals", [("FILES/P10/P10000001/S50000001.TXT", b"a")], "a"),
    ("its ending in capitals, twice", [("old/s50000001.TXT", b"a"), ("files/p10/p10000001/s50000001.TXT", b"b")], "b"),
    ("capitals, twice", [("a/" + ONE.upper(), b"a"), ("b/p10000001/s50000001.txt", b"b")], "a"),
    ("an empty zip", [], None),
]


@pytest.mark.parametrize(("reason", "entries", "text"), LAYOUTS, ids=[row[0] for row in LAYOUTS])
def test_whatever_the_folders_in_the_zip(tmp_path: Path, reason: str, entries: list[tuple[str, bytes]], text: str | None) -> None:
    log = IssueLog()
    archive = ReportArchive(write_zip(tmp_path / "r.zip", entries))
    assert archive.texts([ONE], log).to_pylist() == [text], reason
    assert log.frame()["code"].tolist() == ([] if text is not None else ["missing_report"])


def test_a_zip_that_holds_every_report_twice_is_read(tmp_path: Path) -> None:
    names = [f"p10/p{10_000_000 + number // 3}/s{50_000_000 + number}.txt" for number in range(5_000)]
    entries = [(folder + name, name[-9:].encode()) for folder in ("copy/", "files/") for name in names]
    archive, log = ReportArchive(write_zip(tmp_path / "r.zip", entries, zipfile.ZIP_STORED)), IssueLog()
    assert archive.texts(names, log).to_pylist() == [name[-9:] for name in names]
    assert len(log) == 0


def test_two_different_texts_of_one_report_are_not_chosen_from(tmp_path: Path) -> None:
    archive = ReportArchive(write_zip(tmp_path / "r.zip", [("a/" + ONE, b"a"), ("b/" + ONE, b"b"), ("files/" + TWO, b"c")]))
    log = IssueLog()
    assert archive.texts([ONE, TWO], log).to_pylist() == [None, "c"]
    assert log.frame()["code"].tolist() == ["unreadable_report"]
    assert "more than once" in log.frame()["message"].iloc[0]


def changed(data: bytes, name: bytes, at: int, value: bytes) -> bytes:
    """The zip with ``value`` at ``at`` in the central directory's record of the entry ``name`` (APPNOTE 4.3.12)."""
    record = data.rindex(name) - 46
    assert data[record : record + 4] == b"PK\x01\x02"
    return data[: record + at] + value + data[record + at + len(value) :]


DAMAGE = [
    # reason, place in the record, value, words
    ("encrypted", 8, b"\x01\x00", "encrypted"),
    ("compressed by LZMA", 10, b"\x0e\x00", "method 14"),
    ("Deflate64, as Windows does for large ones", 10, b"\x09\x00", "method 9"),
    ("another checksum", 16, b"\x00\x00\x00\x00", "checksum"),
    ("claims 3 GB packed", 20, struct.pack("<I", 3_000_000_000), "3,000,000,000"),
    ("claims 3 GB unpacked", 24, struct.pack("<I", 3_000_000_000), "3,000,000,000"),
    ("claims one byte too few", 24, struct.pack("<I", 26), "checksum"),
    ("claims one byte too many", 24, struct.pack("<I", 28), "checksum"),
    ("begins at another place", 42, struct.pack("<I", 7), "damaged"),
    ("begins beyond the end", 42, struct.pack("<I", 1 << 30), "damaged"),
]


@pytest.mark.parametrize(("reason", "at", "value", "words"), DAMAGE, ids=[row[0] for row in DAMAGE])
def test_a_damaged_entry_is_an_issue(tmp_path: Path, reason: str, at: int, value: bytes, words: str) -> None:
    path = zip_of(tmp_path / "r.zip")
    path.write_bytes(changed(path.read_bytes(), b"files/" + ONE.encode(), at, value))
    archive, log = ReportArchive(path), IssueLog()
    tracemalloc.start()
    assert archive.texts([ONE, THREE], log).to_pylist() == [None, ""], reason
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < 10_000_000, "nothing is taken on its word"
    issues = log.frame()
    assert issues["code"].tolist() == ["unreadable_report"]
    assert ONE in issues["message"].iloc[0]
    assert words in issues["message"].iloc[0]
    with pytest.raises(TableError, match=words):
        archive.read(ONE)


def test_a_bomb_that_lies_about_its_size_is_not_unpacked(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "r.zip", [("files/" + ONE, b"\0" * 200_000_000)])
    path.write_bytes(changed(path.read_bytes(), b"files/" + ONE.encode(), 24, struct.pack("<I", 100)))
    log = IssueLog()
    tracemalloc.start()
    assert ReportArchive(path).texts([ONE], log).to_pylist() == [None]
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < 10_000_000
    assert log.frame()["code"].tolist() == ["unreadable_report"]


def test_any_flipped_byte_gives_the_text_or_an_issue(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "r.zip")
    whole = path.read_bytes()
    outcomes = set()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        log = IssueLog()
        try:
            texts = ReportArchive(path).texts([ONE, TWO, THREE], log).to_pylist()
        except TableError:
            outcomes.add("refused")
            continue
        wrong = [number for number, text in enumerate(texts) if text not in (None, READ[number])]
        assert not wrong, place
        assert len(log.frame().query("code != 'encoding_guess'")) == texts.count(None)
        outcomes.add("said" if None in texts else "right")
    assert outcomes == {"refused", "said", "right"}, "each was met, so each was tested"


def test_a_zip_that_is_replaced_is_read_anew(tmp_path: Path) -> None:
    archive = ReportArchive(zip_of(tmp_path / "r.zip"))
    assert archive.read(ONE).text == READ[0]
    write_zip(tmp_path / "new.zip", [(TWO, b"x" * 500), (ONE, b"another")]).replace(tmp_path / "r.zip")
    assert archive.read(ONE).text == "another"
    (tmp_path / "r.zip").unlink()
    with pytest.raises(TableError, match=r"r\.zip"):
        archive.read(ONE)


def test_stored_entries_and_marks_are_read(tmp_path: Path) -> None:
    entries = [(ONE, b"\xef\xbb\xbfNormal."), (TWO, "œdème".encode("utf-16"))]
    archive, log = ReportArchive(write_zip(tmp_path / "r.zip", entries, zipfile.ZIP_STORED)), IssueLog()
    assert archive.texts([ONE, TWO], log).to_pylist() == ["Normal.", "œdème"]
    assert len(log) == 0


def test_more_entries_than_a_plain_zip_can_count(tmp_path: Path) -> None:
    names = [f"p10/p{10_000_000 + number // 3}/s{50_000_000 + number}.txt" for number in range(66_000)]
    archive = ReportArchive(write_zip(tmp_path / "r.zip", [(name, name[-9:].encode()) for name in names], zipfile.ZIP_STORED))
    log = IssueLog()
    assert archive.texts(names[::-1], log).to_pylist() == [name[-9:] for name in names[::-1]]
    assert len(log) == 0
