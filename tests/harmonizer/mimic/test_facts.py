"""What the metadata says of an image: its view, when it was made, and its size."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.harmonizer import MIMICCXRJPGHarmonizer
from tests.harmonizer.mimic.made import cells, codes, film, made

VIEWS = [
    ("AP", "frontal"), ("PA", "frontal"), ("LATERAL", "lateral"), ("LL", "lateral"), ("PA LLD", "other"), ("LAO", "other"),
    ("AP AXIAL", "other"), ("SWIMMERS", "other"), ("XTABLE LATERAL", "other"), ("", "unknown"), (" ", "unknown"),
    (" PA ", "frontal"),
]  # fmt: skip


@pytest.mark.parametrize(("view", "group"), VIEWS, ids=[repr(row[0]) for row in VIEWS])
def test_views_are_grouped(tmp_path: Path, view: str, group: str) -> None:
    table = MIMICCXRJPGHarmonizer(made(tmp_path, [film(ViewPosition=view)])).harmonize()
    assert (cells(table, "view_group"), cells(table, "view_position")) == ([group], [view.strip() or None])


TIMES = [
    # reason, date, time, what is read
    ("leading zeros lost", "21800506", "80556.875", "2180-05-06 08:05:56.875"),
    ("a minute after midnight", "21800506", "102.5", "2180-05-06 00:01:02.500"),
    ("midnight", "21800506", "0", "2180-05-06 00:00:00"),
    ("a number that has no exact form", "21800506", "213014.53100000001", "2180-05-06 21:30:14.531"),
    ("the last moment of a day", "21800506", "235959.9999", "2180-05-07 00:00:00"),
    ("leading zeros kept", "21800506", "000001.000", "2180-05-06 00:00:01"),
    ("a date by way of numbers", "21800506.0", "80556", "2180-05-06 08:05:56"),
    ("a leap day", "21960229", "0", "2196-02-29"),
    ("no leap day", "21970229", "0", None),
    ("2100 has none", "21000229", "0", None),
    ("the 31st of April", "21800431", "0", None),
    ("month 13", "21801301", "0", None),
    ("day 0", "21800500", "0", None),
    ("hour 24", "21800506", "240000", None),
    ("minute 60", "21800506", "6000", None),
    ("second 60", "21800506", "60", None),
    ("a negative time", "21800506", "-1", None),
    ("words", "yesterday", "noon", None),
    ("no date", "", "80556", None),
    ("no time", "21800506", "", None),
    ("a very long number", "9" * 40, "0", None),
]


@pytest.mark.parametrize(("reason", "date", "time", "expected"), TIMES, ids=[row[0] for row in TIMES])
def test_date_and_time(tmp_path: Path, reason: str, date: str, time: str, expected: str | None) -> None:
    rows = [film("d1"), film("d2", StudyDate=date, StudyTime=time)]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, rows))
    table = harmonizer.harmonize()
    assert cells(table, "study_datetime")[1] == (None if expected is None else pd.Timestamp(expected)), reason
    assert table["study_datetime"].notna()[0], "its neighbour stays"
    said = harmonizer.issues.query("code == 'bad_datetime'")
    assert (len(said) > 0) == (expected is None), reason
    assert set(said["row"]) <= {3}


SIZES = [("3056", 3056), ("3056.0", 3056), ("", None), ("0", None), ("-1", None), ("1.5", None), ("big", None), ("1e300", None)]


@pytest.mark.parametrize(("cell", "size"), SIZES, ids=[repr(row[0]) for row in SIZES])
def test_sizes(tmp_path: Path, cell: str, size: int | None) -> None:
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, [film(Rows=cell)]))
    assert cells(harmonizer.harmonize(), "image_height") == [size]
    assert cells(harmonizer.harmonized_df, "image_width") == [2544]
    assert ("bad_size" in codes(harmonizer.issues)) == (size is None)
