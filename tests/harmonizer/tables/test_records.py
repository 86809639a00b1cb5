"""Quotes that are opened and never closed: no row may vanish into a cell, and no phrase over two lines may be torn apart."""

from __future__ import annotations

import csv
import io
import random
import time
from pathlib import Path

import pytest

from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.harmonizer.tables.read import read_text_table
from radharmony_core.harmonizer.tables.records import count_lines, mend, split_cells
from radharmony_core.schema import IssueLog
from tests.support import annotation, write_table

COLUMNS = ("id", "label", "phrase", "path")
GOOD = [("g", "Edema", f"good {number}", f"files/{number}") for number in range(500)]
PROPER = ("z", "Edema", "quoted, phrase", "files/z")


def read(folder: Path, text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, int, str]]]:
    """The rows, and the issues as (code, record, value)."""
    path, log = folder / "t.csv", IssueLog()
    path.write_text(text, newline="")
    table = read_text_table(path, COLUMNS, log)
    rows = list(zip(*(table.columns[name].to_pylist() for name in COLUMNS), strict=True))
    assert len(table.rows) == len(rows)
    found = log.frame()
    issues = list(zip(found["code"], found["row"].tolist(), found["value"].fillna(""), strict=True))
    return rows, issues


def lines(*rows: tuple[str, ...] | str) -> str:
    """Rows as a program writes them, texts as they stand."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in (COLUMNS, *rows):
        out.write(row) if isinstance(row, str) else writer.writerow(row)
    return out.getvalue()


STRAY = 'b,Pneumonia,"unclosed phrase,files/b\n'
READ = ("b", "Pneumonia", '"unclosed phrase', "files/b")
EXTRA = STRAY.replace("\n", ",\n")
COMMA = ("y", "Edema", "base, left,", "files/y")
TWO_LINES = ("c", "Edema", "two\nlines", "files/c")
PARAGRAPHS = ("c", "Edema", "one, two\n\nthree, four\n, five", "files/c")
CASES = [
    # reason, rows as written, rows as read, issues
    ("hundreds of rows up to the next quote", [STRAY, *GOOD, PROPER], [READ, *GOOD, PROPER], [("open_quote", 2, "")]),
    ("a thousand and no other quote", [STRAY, *GOOD, *GOOD], [READ, *GOOD, *GOOD], [("open_quote", 2, "")]),
    ("the next row has a quote", [STRAY, PROPER], [READ, PROPER], [("open_quote", 2, "")]),
    ("the last row", [*GOOD[:2], STRAY], [*GOOD[:2], READ], [("open_quote", 4, "")]),
    ("the last row without a line end", [GOOD[0], STRAY.rstrip()], [GOOD[0], READ], [("open_quote", 3, "")]),
    ("two of them", [STRAY, STRAY, PROPER], [READ, READ, PROPER], [("open_quote", 2, ""), ("open_quote", 3, "")]),
    ("two far apart", [STRAY, *GOOD, STRAY, *GOOD], [READ, *GOOD, READ, *GOOD], [("open_quote", 2, ""), ("open_quote", 503, "")]),
    (
        "a comma in the phrase: that row alone is too long",
        ['b,Edema,"unclosed, phrase,files/b\n', *GOOD[:3], PROPER],
        [("b", "Edema", '"unclosed', " phrase"), *GOOD[:3], PROPER],
        [("open_quote", 2, ""), ("ragged_row", 2, "5")],
    ),
    (
        "a quote within a cell does not open one",
        ['b,Edema,5" tube,"files/b\n', *GOOD[:3]],
        [("b", "Edema", '5" tube', '"files/b'), *GOOD[:3]],
        [("open_quote", 2, "")],
    ),
    (
        "two in a row, both too long as well",
        [EXTRA, EXTRA, GOOD[0]],
        [READ, READ, GOOD[0]],
        [("open_quote", 2, ""), ("open_quote", 3, ""), ("ragged_row", 2, "5"), ("ragged_row", 3, "5")],
    ),
    (
        "the next row goes over two lines",
        [STRAY, TWO_LINES, GOOD[0]],
        [READ, TWO_LINES, GOOD[0]],
        [("open_quote", 2, ""), ("multiline_record", 3, "2")],
    ),
    ("a comma ends the next row's phrase", [STRAY, COMMA, *GOOD[:3]], [READ, COMMA, *GOOD[:3]], [("open_quote", 2, "")]),
    ("CRLF", [STRAY.replace("\n", "\r\n"), *GOOD[:3], PROPER], [READ, *GOOD[:3], PROPER], [("open_quote", 2, "")]),
    (
        "a blank line and a short row between",
        [STRAY, *GOOD[:3], "\n", "x,y\n", *GOOD[:3]],
        [READ, *GOOD[:3], ("x", "y", "", ""), *GOOD[:3]],
        [("open_quote", 2, ""), ("blank_row", 6, ""), ("ragged_row", 7, "2")],
    ),
    ("a phrase over two lines", [TWO_LINES, *GOOD[:3]], [TWO_LINES, *GOOD[:3]], [("multiline_record", 2, "2")]),
    ("a phrase of paragraphs", [PARAGRAPHS, PROPER], [PARAGRAPHS, PROPER], [("multiline_record", 2, "4")]),
    (
        "a phrase over thirty lines",
        [("c", "Edema", "line,\n" * 30, "files/c")],
        [("c", "Edema", "line,\n" * 30, "files/c")],
        [("multiline_record", 2, "31")],
    ),
    (
        "both in one file",
        [TWO_LINES, STRAY, *GOOD, TWO_LINES],
        [TWO_LINES, READ, *GOOD, TWO_LINES],
        [("open_quote", 3, ""), ("multiline_record", 2, "2"), ("multiline_record", 504, "2")],
    ),
    (
        "cut off within a phrase",
        [GOOD[0], 'c,Edema,"cut, off\nhere\n'],
        [GOOD[0], ("c", "Edema", "cut, off\nhere", "")],
        [("open_quote", 3, ""), ("multiline_record", 3, "2"), ("ragged_row", 3, "3")],
    ),
    ("proper quotes only", [PROPER, PROPER], [PROPER, PROPER], []),
    ("no rows", [], [], []),
]


@pytest.mark.parametrize(("reason", "written", "expected", "issues"), CASES, ids=[row[0] for row in CASES])
def test_no_row_is_lost_and_no_phrase_torn(
    tmp_path: Path,
    reason: str,
    written: list[tuple[str, ...] | str],
    expected: list[tuple[str, ...]],
    issues: list[tuple[str, int, str]],
) -> None:
    rows, found = read(tmp_path, lines(*written))
    assert rows == expected, reason
    assert found == issues, reason


NARROW = [
    # reason, text of a table of two columns, records that were mended, records over several lines
    ("a phrase whose lines look like rows", '"one,\ntwo",2\n', [], [(1, 2)]),
    ("rows up to a quoted cell", '1,"x\n3,4\n5,6\n7,"y"\n', [1], []),
    ("rows to the end", '1,"x\n3,4\n5,6\n', [1], []),
]


@pytest.mark.parametrize(("reason", "text", "mended", "spanning"), NARROW, ids=[row[0] for row in NARROW])
def test_in_a_narrow_table_the_closing_quote_decides(
    reason: str, text: str, mended: list[int], spanning: list[tuple[int, int]]
) -> None:
    found = mend(text, ",", 2)
    assert (found.open_quotes, found.multiline) == (mended, spanning), reason


LINES = [
    ("nothing", "", 0),
    ("no end", "a", 1),
    ("LF", "a\nb\n", 2),
    ("CRLF", "a\r\nb", 2),
    ("CR", "a\rb\r", 2),
    ("mixed", "\r\r\n\n", 3),
]


@pytest.mark.parametrize(("reason", "text", "count"), LINES, ids=[row[0] for row in LINES])
def test_lines_are_counted(reason: str, text: str, count: int) -> None:
    assert count_lines(text) == count, reason


def test_cells_are_those_of_pythons_csv() -> None:
    dice = random.Random(0)  # noqa: S311  made-up records
    for _ in range(3000):
        record = "".join(dice.choices('ab ,"', k=dice.randrange(1, 15)))
        assert split_cells(record, ",") == next(csv.reader([record])), record
    assert split_cells("", ",") == [""]


@pytest.mark.parametrize("line", [STRAY, 'a"b,"c\n', '"\n', '""",\n', 'a,b,c,"d"\n', "a,b,c,d\n"])
def test_the_time_grows_with_the_file_alone(line: str) -> None:
    def took(count: int) -> float:
        start = time.process_time()
        mend(line * count, ",", 4)
        return time.process_time() - start

    assert took(16_000) < 16 * max(took(4_000), 0.01), "four times the lines, sixteen times the time: it is quadratic"


def test_a_phrase_of_lines_that_lost_its_closing_quote_takes_no_row_with_it(tmp_path: Path) -> None:
    rows = [annotation(dicom_id=f"d{number}", label_text="mild") for number in range(1, 6)]
    lines = write_table(tmp_path / "ms.csv", rows).read_text().splitlines()
    lines[2] = lines[2].replace("mild", '"two\nlines')
    lines[4] = lines[4].replace("mild", '"opacity"')
    (tmp_path / "ms.csv").write_text("\n".join(lines) + "\n")
    harmonizer = MSCXRHarmonizer(tmp_path / "ms.csv")
    boxes, images = harmonizer.boxes_df, harmonizer.harmonized_df
    paths = images["image_path"].take(boxes["image"].to_numpy()).tolist()
    found = {str(path)[-6:-4]: phrase for path, phrase in zip(paths, boxes["phrase"], strict=True)}
    assert (found["d1"], found["d3"], found["d4"], found["d5"]) == ("mild", "mild", "opacity", "mild")
    assert ("open_quote", 3) in list(zip(harmonizer.issues["code"], harmonizer.issues["row"].fillna(0), strict=True))
