"""Tables as CSV: whatever reads them, there are as many rows as there were, and every cell is what it was."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from radharmony_core.cli import csv_files
from radharmony_core.cli.csv_files import as_csv, write_csv
from radharmony_core.cli.output import say_issues
from radharmony_core.errors import MissingFileError
from radharmony_core.schema import IssueLog

CELLS = [
    # reason, the cell, how it is written
    ("plain", "a b", "a b"),
    ("a lone carriage return", "a\rb", '"a\rb"'),
    ("at its end", "a\r", '"a\r"'),
    ("a line end", "a\nb", '"a\nb"'),
    ("that of Windows", "a\r\nb", '"a\r\nb"'),
    ("a comma", "a,b", '"a,b"'),
    ("quotes", 'a"b', '"a""b"'),
    ("a quote alone", '"', '""""'),
    ("nothing", "", ""),
    ("missing", None, ""),
    ("a zero byte", "a\0b", "a\0b"),
    ("what only some call a line's end", "a\u2028b\x0b\x85c", "a\u2028b\x0b\x85c"),
    ("blanks around it", " a ", " a "),
    ("a word for missing", "NA", "NA"),
    ("letters of other scripts", "œ\U0001f600", "œ\U0001f600"),
]


@pytest.mark.parametrize(("reason", "cell", "written"), CELLS, ids=[row[0] for row in CELLS])
def test_a_cell_is_quoted_where_a_reader_needs_it(tmp_path: Path, reason: str, cell: str | None, written: str) -> None:
    table = pd.DataFrame({"a": pd.array([cell], dtype="str"), "b": [1]})
    write_csv(table, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes().decode() == f"a,b\n{written},1\n", reason
    assert as_csv(["a", "b"], [[cell, 1]]) == f"a,b\n{written},1", reason


KINDS: list[tuple[str, Any, list[str]]] = [
    ("states", pd.array([1, 0, -1, None], dtype="Int8"), ["1", "0", "-1", ""]),
    ("whole numbers", pd.array([3056, None, 2**40, -1], dtype="Int64"), ["3056", "", "1099511627776", "-1"]),
    ("plain whole numbers", [1, 2, 3, 4], ["1", "2", "3", "4"]),
    ("fractions", [0.1, 1.0, float("nan"), 1 / 3], ["0.1", "1.0", "", "0.3333333333333333"]),
    ("flags", [True, False, True, False], ["True", "False", "True", "False"]),
    ("whatever Python has", pd.Series(["a,b", None, 1, 2.5], dtype=object), ['"a,b"', "", "1", "2.5"]),
]


@pytest.mark.parametrize(("reason", "column", "written"), KINDS, ids=[row[0] for row in KINDS])
def test_numbers_are_written_in_full(tmp_path: Path, reason: str, column: Any, written: list[str]) -> None:
    table = pd.DataFrame({"a,": column, "b": list("wxyz")})
    write_csv(table, tmp_path / "t.csv")
    lines = (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines()
    assert lines == ['"a,",b', *(f"{cell},{letter}" for cell, letter in zip(written, "wxyz", strict=True))], reason


def read_back(path: Path) -> dict[str, list[list[str]]]:
    """The rows as three readers have them."""
    with path.open(newline="", encoding="utf-8") as handle:
        python = list(csv.reader(handle))[1:]
    pandas = pd.read_csv(path, dtype=str, keep_default_na=False, skip_blank_lines=False)
    arrow = pyarrow.csv.read_csv(
        path,
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(column_types={name: pa.string() for name in pandas.columns}),
    )
    cells = [column.to_pylist() for column in arrow.columns]
    return {"csv": python, "pandas": pandas.to_numpy().tolist(), "arrow": [list(row) for row in zip(*cells, strict=True)]}


LETTERS = st.text(st.one_of(st.sampled_from("\r\n\",\0\u2028\x85 a#;\t'\\"), st.characters(codec="utf-8")), max_size=6)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.one_of(st.none(), LETTERS), min_size=2, max_size=2), max_size=8), st.sampled_from([1, 3, 1000]))
@example([["\r", None], ["", ""], [None, "\r\n"]], 1)
def test_whatever_stands_in_the_cells_every_reader_has_them_back(rows: list[list[str | None]], at_once: int) -> None:
    table = pd.DataFrame({name: pd.array([row[place] for row in rows], dtype="str") for place, name in enumerate("ab")})
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(csv_files, "_ROWS_AT_ONCE", at_once)
        write_csv(table, Path(folder) / "t.csv")
        found = read_back(Path(folder) / "t.csv")
    expected = [[cell or "" for cell in row] for row in rows]
    assert found == {"csv": expected, "pandas": expected, "arrow": expected}
    assert list(csv.reader(io.StringIO(as_csv(["a", "b"], rows), newline=""))) == [["a", "b"], *expected]


def test_a_single_column_keeps_its_empty_rows(tmp_path: Path) -> None:
    write_csv(pd.DataFrame({"a": pd.array(["", "x", None], dtype="str")}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == 'a\n""\nx\n""\n'
    assert as_csv(["a"], [[""], [None]]) == 'a\n""\n""'


def test_columns_of_one_name_are_both_written(tmp_path: Path) -> None:
    write_csv(pd.DataFrame([[1, 2]], columns=["a", "a"]), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == "a,a\n1,2\n"


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        write_csv(pd.DataFrame({"a": [1]}), tmp_path / "gone" / "t.csv")
    write_csv(pd.DataFrame({"a": [1]}), tmp_path / "t.csv")
    with pytest.raises(UnicodeEncodeError):
        write_csv(pd.DataFrame({"\udce9": [1]}), tmp_path / "t.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == "a\n1\n"


def test_problems_are_as_many_rows_as_there_are(tmp_path: Path) -> None:
    log = IssueLog()
    log.add("unknown_split", rows=[2, 3], values=["a\rb", 'c"\n'])
    say_issues(log.frame(), tmp_path / "issues.csv")
    back = pd.read_csv(tmp_path / "issues.csv", dtype=str)
    assert back["value"].tolist() == ["a\rb", 'c"\n']
    assert back["row"].tolist() == ["2", "3"]
