"""Tables as people, spreadsheets and programs read them, and the list of problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.cli.csv_files import as_csv
from radharmony_core.cli.output import as_json, as_text, say_issues
from radharmony_core.schema import IssueLog

TEXTS: list[tuple[list[str], list[list[Any]], str, str]] = [
    (["a", "b"], [], "a  b", "no row"),
    (["name", "n"], [["x", 1234567], ["longer", 5]], "name            n\nx       1,234,567\nlonger          5", "numbers right"),
    (["n"], [[pd.NA], [None], [float("nan")], [0.5]], "    n\n    -\n    -\n    -\n0.500", "what is missing is a dash"),
    (["a", "why"], [["x", ""]], "a  why\nx", "no blanks at a line's end"),
]


@pytest.mark.parametrize(("header", "rows", "text", "reason"), TEXTS, ids=[row[3] for row in TEXTS])
def test_text(header: list[str], rows: list[list[Any]], text: str, reason: str) -> None:
    assert as_text(header, rows) == text, reason


def test_csv_keeps_every_digit_and_quotes_what_must_be() -> None:
    assert as_csv(["a", "b"], [["x, y", 1 / 3], [pd.NA, 1234567]]) == 'a,b\n"x, y",0.3333333333333333\n,1234567'


def test_json_has_null_for_what_is_missing_and_plain_numbers() -> None:
    value = {"a": pd.NA, "b": np.int64(3), "c": np.float64(0.5), "d": Path("x.csv"), "e": "œ"}
    assert json.loads(as_json(value)) == {"a": None, "b": 3, "c": 0.5, "d": "x.csv", "e": "œ"}
    assert "œ" in as_json(value)


def test_json_refuses_what_json_has_not() -> None:
    with pytest.raises(TypeError, match="set is no JSON"):
        as_json({"a": set()})
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"a": float("nan")})


def test_no_problem_is_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    say_issues(IssueLog().frame(), None)
    assert capsys.readouterr().err == ""


def test_the_file_of_problems_is_written_when_there_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say_issues(IssueLog().frame(), tmp_path / "i.csv")
    assert (tmp_path / "i.csv").read_text(encoding="utf-8") == "code,severity,row,image_path,column,value,message\n"
    assert "0 issues" in capsys.readouterr().err


def test_the_most_frequent_problem_comes_first_then_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    log = IssueLog()
    for code, count in (("tree_mixed", 1), ("empty_phrase", 1), ("open_quote", 1200), ("blank_row", 1)):
        log.add(code, rows=range(2, 2 + count))
    say_issues(log.frame(), None)
    told = [line.split(" (")[0].strip() for line in capsys.readouterr().err.splitlines()]
    assert told == ["1,200 x open_quote", "1 x blank_row", "1 x empty_phrase", "1 x tree_mixed"]


def test_an_example_is_one_short_line(capsys: pytest.CaptureFixture[str]) -> None:
    log = IssueLog()
    log.add("unknown_category", rows=[7, 8], values=["two\nlines " + "x" * 5000, "y"], image_paths=["p10/a.jpg", None])
    say_issues(log.frame(), None)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("  2 x unknown_category (error): row 7, p10/a.jpg: The category 'two\\nlines xxx")
    assert len(lines[0]) < 400
