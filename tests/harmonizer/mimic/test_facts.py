"""What the metadata says of an image: its view, when it was made, and its size."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.harmonizer import MIMICCXRJPGHarmonizer
from tests.harmonizer.mimic.made import METADATA, cells, codes, film, made, write

VIEWS = [
    ("AP", "frontal"), ("PA", "frontal"), ("LATERAL", "lateral"), ("LL", "lateral"), ("PA LLD", "other"), ("LAO", "other"),
    ("AP AXIAL", "other"), ("SWIMMERS", "other"), ("XTABLE LATERAL", "other"), ("", "unknown"), (" ", "unknown"),
    (" PA ", "frontal"),
]  # fmt: skip


@pytest.mark.parametrize(("view", "group"), VIEWS, ids=[repr(row[0]) for row in VIEWS])
def test_views_are_grouped(tmp_path: Path, view: str, group: str) -> None:
    table = MIMICCXRJPGHarmonizer(made(tmp_path, [film(ViewPosition=view)])).harmonize()
    assert (cells(table, "view_group"), cells(table, "view_position")) == ([group], [view.strip() or None])


MIDNIGHT = "2180-05-06 00:00:00"
TIMES = [
    # reason, date, time, what is read, the issue
    ("leading zeros lost", "21800506", "80556.875", "2180-05-06 08:05:56.875", None),
    ("a minute after midnight", "21800506", "102.5", "2180-05-06 00:01:02.500", None),
    ("midnight", "21800506", "0", MIDNIGHT, None),
    ("a number that has no exact form", "21800506", "213014.53100000001", "2180-05-06 21:30:14.531", None),
    ("the last moment of a day is not the next day", "21800506", "235959.9999", "2180-05-06 23:59:59.999", None),
    ("nor of a second the next one", "21800506", "165959.9996", "2180-05-06 16:59:59.999", None),
    ("leading zeros kept", "21800506", "000001.000", "2180-05-06 00:00:01", None),
    ("a date by way of numbers", "21800506.0", "80556", "2180-05-06 08:05:56", None),
    ("a leap day", "21960229", "0", "2196-02-29", None),
    ("a decimal comma", "21800506", "80556,875", "2180-05-06 08:05:56.875", "decimal_comma"),
    ("perhaps a comma of thousands", "21800506", "80,556", MIDNIGHT, "bad_time"),
    ("no leap day", "21970229", "0", None, "bad_datetime"),
    ("2100 has none", "21000229", "0", None, "bad_datetime"),
    ("the 31st of April", "21800431", "0", None, "bad_datetime"),
    ("month 13", "21801301", "0", None, "bad_datetime"),
    ("day 0", "21800500", "0", None, "bad_datetime"),
    ("hour 24", "21800506", "240000", MIDNIGHT, "bad_time"),
    ("minute 60", "21800506", "6000", MIDNIGHT, "bad_time"),
    ("second 60", "21800506", "60", MIDNIGHT, "bad_time"),
    ("a negative time", "21800506", "-1", MIDNIGHT, "bad_time"),
    ("words for a time", "21800506", "08:05:56", MIDNIGHT, "bad_time"),
    ("words", "yesterday", "noon", None, "bad_datetime"),
    ("no date", "", "80556", None, "bad_datetime"),
    ("no time", "21800506", "", MIDNIGHT, "bad_time"),
    ("a very long number", "9" * 40, "0", None, "bad_datetime"),
]


@pytest.mark.parametrize(("reason", "date", "time", "expected", "issue"), TIMES, ids=[row[0] for row in TIMES])
def test_date_and_time(tmp_path: Path, reason: str, date: str, time: str, expected: str | None, issue: str | None) -> None:
    rows = [film("d1"), film("d2", StudyDate=date, StudyTime=time)]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, rows))
    table = harmonizer.harmonize()
    assert cells(table, "study_datetime")[1] == (None if expected is None else pd.Timestamp(expected)), reason
    assert cells(table, "study_datetime")[0] == pd.Timestamp("2180-05-06 21:30:14.531"), "its neighbour stays"
    said = harmonizer.issues.query("code != 'tree_not_found'")
    assert list(zip(said["code"], said["row"], strict=True)) == ([] if issue is None else [(issue, 3)]), reason


COLUMNS = [
    # reason, the column that is missing, what is read, issues
    ("no dates", "StudyDate", None, ["missing_column"]),
    ("no times", "StudyTime", pd.Timestamp(MIDNIGHT), ["missing_column", "bad_time"]),
]


@pytest.mark.parametrize(("reason", "lacking", "expected", "issues"), COLUMNS, ids=[row[0] for row in COLUMNS])
def test_a_date_needs_no_time(
    tmp_path: Path, reason: str, lacking: str, expected: pd.Timestamp | None, issues: list[str]
) -> None:
    write(made(tmp_path, [film()]), "metadata", [film()], header=[name for name in METADATA if name != lacking])
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path)
    assert cells(harmonizer.harmonize(), "study_datetime") == [expected], reason
    assert [code for code in codes(harmonizer.issues) if code != "tree_not_found"] == issues


SIZES = [("3056", 3056), ("3056.0", 3056), ("", None), ("0", None), ("-1", None), ("1.5", None), ("big", None), ("1e300", None)]


@pytest.mark.parametrize(("cell", "size"), SIZES, ids=[repr(row[0]) for row in SIZES])
def test_sizes(tmp_path: Path, cell: str, size: int | None) -> None:
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, [film(Rows=cell)]))
    assert cells(harmonizer.harmonize(), "image_height") == [size]
    assert cells(harmonizer.harmonized_df, "image_width") == [2544]
    assert ("bad_size" in codes(harmonizer.issues)) == (size is None)
