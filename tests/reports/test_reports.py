"""Reports: the file's own characters, and where a phrase stands in them. Offsets are counted by hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from radharmony_core.errors import MissingFileError, OutsideRootError, TableError
from radharmony_core.reports import locate_phrase, read_report, report_path


@pytest.mark.parametrize(
    ("image", "report"),
    [
        ("p10/p10000032/s50414267/a.jpg", "p10/p10000032/s50414267.txt"),
        ("p10/p10000032/s50414267/a", "p10/p10000032/s50414267.txt"),
    ],
)
def test_the_report_lies_beside_the_studys_folder(image: str, report: str) -> None:
    assert report_path(image) == report


TEXTS = [
    # reason, bytes, text, whether a notice is due
    ("UTF-8", "œdème ___ 3.\n # 2".encode(), "œdème ___ 3.\n # 2", False),
    ("with a mark", b"\xef\xbb\xbfNormal.", "Normal.", False),
    ("cp1252", "l’œdème".encode("cp1252"), "l’œdème", True),
    ("bytes no encoding has", b"a\x81b\xff", "a\ufffdbÿ", True),
    ("line ends stay", b"one\r\ntwo\n", "one\r\ntwo\n", False),
    ("UTF-16 with a mark", "œdème".encode("utf-16"), "œdème", False),
    ("an empty file", b"", "", False),
]


@pytest.mark.parametrize(("reason", "data", "text", "noticed"), TEXTS, ids=[row[0] for row in TEXTS])
def test_every_character_is_the_files(tmp_path: Path, reason: str, data: bytes, text: str, noticed: bool) -> None:
    (tmp_path / "s1.txt").write_bytes(data)
    report = read_report(tmp_path, "s1.txt")
    assert report.text == text, reason
    assert bool(report.notices) is noticed, reason


def test_a_report_that_is_not_there_or_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(MissingFileError, match=r"pipe\.txt"):
        read_report(tmp_path, "pipe.txt")
    with pytest.raises(MissingFileError, match=r"s1\.txt"):
        read_report(tmp_path, "s1.txt")
    with pytest.raises((MissingFileError, TableError), match=r"folder\.txt"):
        read_report(tmp_path, "folder.txt")
    with pytest.raises(OutsideRootError):
        read_report(tmp_path, "../s1.txt")


PLACES = [
    # reason, phrase, report, (start, end, grade) or None
    ("verbatim", "mild edema", "There is mild edema.", (9, 19, "exact")),
    ("letter case", "Mild edema", "There is mild edema.", (9, 19, "folded")),
    ("a wrapped line of MIMIC-CXR", "mild edema", "There is mild\n edema.", (9, 20, "folded")),
    ("exact wins over an earlier folded one", "edema", "Edema? No edema.", (10, 15, "exact")),
    ("the first of several", "edema", "edema, edema", (0, 5, "exact")),
    ("whole words only", "edema", "edematous", None),
    ("signs of a pattern are letters here", "3.5 cm (left)", "a 3.5 cm (left) mass", (2, 15, "exact")),
    ("the de-identified gap", "seen by ___ today", "seen by ___ today", (0, 17, "exact")),
    ("accents", "épanchement", "Épanchement.", (0, 11, "folded")),
    ("an accent of its own belongs to its letter", "cafe", "cafe\u0301 here", (0, 5, "folded")),
    ("a letter that folds to two", "strasse", "Die STRA\u00dfE.", (4, 10, "folded")),
    ("between emoji", "mild edema", "\U0001fac1 mild edema \U0001fac1", (2, 12, "exact")),
    ("across a tab and CRLF", "mild left edema", "mild\tleft\r\n edema", (0, 17, "folded")),
    ("a sign at the border", "(new)", "base (new), old", (5, 10, "exact")),
    ("underscores are letters of a gap", "_", "___", None),
    ("another phrase", "pneumonia", "There is mild edema.", None),
    ("an empty phrase is nowhere", "", "There is mild edema.", None),
    ("a phrase of space is nowhere", "  ", "There is mild edema.", None),
    ("an empty report", "edema", "", None),
]


@pytest.mark.parametrize(("reason", "phrase", "report", "place"), PLACES, ids=[row[0] for row in PLACES])
def test_where_a_phrase_stands(reason: str, phrase: str, report: str, place: tuple[int, int, str] | None) -> None:
    match = locate_phrase(phrase, report)
    assert (match and (match.start, match.end, match.grade)) == place, reason


def test_long_phrases_in_long_reports_end() -> None:
    assert locate_phrase("left lower lobe opacity", " left lower" * 20_000) is None
    assert locate_phrase("a " * 60_000 + "c", "a " * 100_000) is None
    assert locate_phrase("a" * 20_000, "a" * 200_000) is None
