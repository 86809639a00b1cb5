"""Text tables as people have them: encodings, delimiters, rows of another length. No row may be lost, none made up."""

from __future__ import annotations

import contextlib
import gzip
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.tables.read import read_text_table
from radharmony_core.schema import IssueLog

TABLES = [
    # reason, bytes of the file, cells of columns a and b, issues as (code, row)
    ("plain", b"a,b\n1,2\n", [("1", "2")], []),
    ("no line end at the end", b"a,b\n1,2", [("1", "2")], []),
    ("header only", b"a,b\n", [], []),
    ("CR alone", b"a,b\r1,2\r3,4\r", [("1", "2"), ("3", "4")], []),
    ("every kind of line end", b"a,b\r\n1,2\r3,4\n5,6", [("1", "2"), ("3", "4"), ("5", "6")], []),
    ("CR alone and a blank line", b"a,b\r\r1,2\r", [("1", "2")], [("blank_row", 2)]),
    ("a line separator is a letter", "a,b\n1\u2028,2\x0b\n".encode(), [("1\u2028", "2\x0b")], []),
    ("zero bytes are letters", b"a,b\n1\0,2\n", [("1\0", "2")], []),
    ("a quote left open in the header", b'a,"b\n1,2\n', [("1", "2")], [("open_quote", 1)]),
    ("a header of empty cells first", b",\na,b\n1,2\n", [("1", "2")], [("blank_row", 1)]),
    ("CRLF", b"a,b\r\n1,2\r\n", [("1", "2")], []),
    ("byte order mark and quoted header", b'\xef\xbb\xbf"a","b"\r\n1,2\r\n', [("1", "2")], []),
    ("semicolons", b"a;b\n1,5;2\n", [("1,5", "2")], []),
    ("tabs in UTF-16", "a\tb\n1\té\n".encode("utf-16"), [("1", "é")], []),
    ("UTF-32 with a mark", "a,b\n1,é\n".encode("utf-32"), [("1", "é")], []),
    ("cp1252 keeps the apostrophe", "a,b\nl’œdème,2\n".encode("cp1252"), [("l’œdème", "2")], [("encoding_guess", None)]),
    ("columns in another order", b"b,a\n2,1\n", [("1", "2")], []),
    ("header with space and capitals", b" A , B\n1,2\n", [("1", "2")], []),
    ("an extra column", b"a,c,b\n1,9,2\n", [("1", "2")], [("extra_column", None)]),
    ("a column twice: the first is meant", b"a,b,a\n1,2,3\n", [("1", "2")], [("extra_column", None)]),
    ("a comma and a quote in quotes", b'a,b\n"x, ""y""",2\n', [('x, "y"', "2")], []),
    ("a line break in quotes", b'a,b\n"x\ny",2\n', [("x\ny", "2")], [("multiline_record", 2)]),
    ("words that look missing", b"a,b\nNone,NA\n", [("None", "NA")], []),
    ("a blank line", b"a,b\n1,2\n\n3,4\n", [("1", "2"), ("3", "4")], [("blank_row", 3)]),
    ("cells but nothing in them", b"a,b\n,\n3,4\n", [("3", "4")], [("blank_row", 2)]),
    ("blank lines before the header", b"\n\na,b\n1,2\n", [("1", "2")], [("blank_row", 1), ("blank_row", 2)]),
    ("a cell too few", b"a,b\n1\n3,4\n", [("1", ""), ("3", "4")], [("ragged_row", 2)]),
    ("a cell too many", b"a,b\n1,2\n3,4,5\n6,7\n", [("1", "2"), ("3", "4"), ("6", "7")], [("ragged_row", 3)]),
    ("every row too long", b"a,b\n1,2,9\n3,4,9\n", [("1", "2"), ("3", "4")], [("ragged_row", 2), ("ragged_row", 3)]),
]


WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("encoding", WIDE)
def test_wide_letters_without_a_mark_are_read_and_the_guess_is_named(tmp_path: Path, encoding: str, packed: bool) -> None:
    path, log = tmp_path / "t.csv", IssueLog()
    data = "dicom_id,b\r\n1,é’\r\n".encode(encoding)
    path.write_bytes(gzip.compress(data) if packed else data)
    table = read_text_table(path, ("dicom_id", "b"), log)
    assert (table.columns["dicom_id"].to_pylist(), table.columns["b"].to_pylist()) == (["1"], ["é’"])
    found = log.frame()
    assert found["message"].tolist() == [f"The file is not UTF-8; it was read as {encoding.upper()}."]


RAGGED = [
    # reason, bytes of the file, which rows are marked
    ("none", b"a,b\n1,2\n", [False]),
    ("no rows", b"a,b\n", []),
    ("a cell too few and a cell too many", b"a,b\n1\n3,4\n5,6,7\n", [True, False, True]),
    ("every one, and a blank line", b"a,b\n\n1,2,\n3\n", [True, True]),
    ("every row ends in a comma: none is shifted", b"a,b\n1,2,\n3,4,\n", [False, False]),
    ("one row ends in a comma: perhaps it is", b"a,b\n1,2,\n3,4\n", [True, False]),
    ("every row has one more that says something", b"a,b\n1,2,\n3,4,5\n", [True, True]),
    ("quotes do not make one", b'a,b\n"1,1",2\n1,2,3\n', [False, True]),
]


@pytest.mark.parametrize(("reason", "content", "marked"), RAGGED, ids=[row[0] for row in RAGGED])
def test_rows_of_another_length_are_marked(tmp_path: Path, reason: str, content: bytes, marked: list[bool]) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert read_text_table(path, ("a", "b"), IssueLog()).is_ragged().tolist() == marked, reason


EMPTY = [
    ("no byte", b""),
    ("blank lines", b"\n \r\n"),
    ("cells with nothing in them", b",,\n;\n"),
    ("packed", gzip.compress(b"")),
]


@pytest.mark.parametrize(("reason", "content"), EMPTY, ids=[row[0] for row in EMPTY])
def test_an_empty_file_is_said_to_be_empty(tmp_path: Path, reason: str, content: bytes) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(TableError, match=r"t\.csv; it is empty"):
        read_text_table(tmp_path / "t.csv", ("a", "b"), IssueLog())


@pytest.mark.parametrize(("reason", "content", "cells", "issues"), TABLES, ids=[row[0] for row in TABLES])
def test_every_row_is_read_and_every_oddity_is_said(
    tmp_path: Path, reason: str, content: bytes, cells: list[tuple[str, str]], issues: list[tuple[str, int | None]]
) -> None:
    path, log = tmp_path / "t.csv", IssueLog()
    path.write_bytes(content)
    table = read_text_table(path, ("a", "b"), log)
    assert list(zip(table.columns["a"].to_pylist(), table.columns["b"].to_pylist(), strict=True)) == cells, reason
    found = log.frame()
    rows = [None if row is None else int(row) for row in found["row"].astype(object).where(found["row"].notna(), None)]
    assert list(zip(found["code"], rows, strict=True)) == issues, reason


HEADERS = [
    # reason, header, the columns that are found, codes with the column they are about
    ("as expected", "a,b,c", ["a", "b", "c"], []),
    ("an optional one is missing", "a,b", ["a", "b"], []),
    ("one that is ignored", "a,b,c,d", ["a", "b", "c"], []),
    ("another name", "a,bee,c", ["a", "b", "c"], []),
    ("another name in capitals", "a,BEE,c", ["a", "b", "c"], []),
    ("both names", "a,bee,b,c", ["a", "b", "c"], [("extra_column", "bee")]),
    ("another name twice", "a,bee,bee,c", ["a", "b", "c"], [("extra_column", "bee")]),
    ("one is missing", "b,c", ["b", "c"], [("missing_column", "a")]),
]


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
@pytest.mark.parametrize(("reason", "header", "found", "issues"), HEADERS, ids=[row[0] for row in HEADERS])
def test_columns_are_known_by_their_names(
    tmp_path: Path, reason: str, header: str, found: list[str], issues: list[tuple[str, str]], encoding: str
) -> None:
    path, log = tmp_path / "t.csv", IssueLog()
    text = header + "\n" + header.lower().replace("bee", "b") + "\n"
    path.write_bytes(text.encode(encoding))
    table = read_text_table(path, ("a", "b", "c"), log, optional=("C",), ignored=("D",), other_names={"Bee": "b"})
    assert {name: cells.to_pylist() for name, cells in table.columns.items()} == {name: [name] for name in found}, reason
    said = log.frame()
    assert list(zip(said["code"], said["column"], strict=True)) == issues, reason


LONG = "x" * 200_000
LONG_CELLS = [
    # reason, text of the file, cells of columns a and b
    ("in the header", f"a,b,{LONG}\n1,2,3\n", ("1", "2")),
    ("in a row", f"a,b\n{LONG},2\n", (LONG, "2")),
    ("in a row of another length", f"a,b\n1,{LONG},3\n", ("1", LONG)),
    ("in quotes, in such a row", f'a,b\n1,"{LONG}""",3\n', ("1", LONG + '"')),
]


@pytest.mark.parametrize(("reason", "text", "cells"), LONG_CELLS, ids=[row[0] for row in LONG_CELLS])
def test_a_cell_may_be_long(tmp_path: Path, reason: str, text: str, cells: tuple[str, str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    table = read_text_table(path, ("a", "b"), IssueLog())
    assert (table.columns["a"].to_pylist(), table.columns["b"].to_pylist()) == ([cells[0]], [cells[1]]), reason


@pytest.mark.parametrize("seed", range(40))
def test_any_bytes_are_a_table_or_refused_in_words(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  made-up bytes
    letters = bytes(range(256)) if seed % 2 else b'ab,"\r\n\0;\xff'
    path = tmp_path / "t.csv"
    path.write_bytes((b"a,b\n" if seed % 4 > 1 else b"") + bytes(dice.choices(letters, k=dice.randrange(2000))))
    log = IssueLog()
    with contextlib.suppress(TableError):
        table = read_text_table(path, ("a", "b"), log)
        assert {len(column) for column in table.columns.values()} == {len(table.rows)}
    assert len(log.frame()) == len(log)


def folder(path: Path) -> None:
    path.mkdir()


PLACES = [
    # reason, what makes it, words of the refusal
    ("a folder", folder, "a folder"),
    ("a pipe that nobody writes to", lambda path: os.mkfifo(path), "a pipe"),
    ("a device without end", lambda path: path.symlink_to("/dev/zero"), "a device"),
    ("a link to itself", lambda path: path.symlink_to(path), "cannot be read"),
]


@pytest.mark.parametrize(("reason", "make", "words"), PLACES, ids=[row[0] for row in PLACES])
def test_only_a_file_is_opened(tmp_path: Path, reason: str, make: Callable[[Path], None], words: str) -> None:
    make(tmp_path / "t.csv")
    with pytest.raises(TableError, match=words):
        read_text_table(tmp_path / "t.csv", ("a", "b"), IssueLog())


def test_record_numbers_count_as_a_spreadsheet_does(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,2\n\n3\n4,5\n")
    table = read_text_table(path, ("a", "b"), IssueLog())
    assert table.rows.tolist() == [2, 4, 5]
    assert table.columns["a"].to_pylist() == ["1", "3", "4"]
