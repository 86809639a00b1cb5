"""Cells as numbers: what is none is marked, and a decimal comma is one only where it can be nothing else."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from radharmony_core.harmonizer.tables.numbers import as_numbers, with_points


def test_numbers_that_are_none_are_marked() -> None:
    others = ["\uff11\uff12", "\u0663", "1e999", "0x10", "1,5", "9" * 400, None]  # full-width and Arabic digits first
    values, bad = as_numbers(pa.array(["1", "2.5", "1e3", "x", "", "nan", "inf", "1_000", " 7 ", *others]))
    assert bad.tolist() == [False, False, False, True, True, True, True, True, False, *[True] * len(others)]
    assert values[~bad].tolist() == [1.0, 2.5, 1000.0, 7.0]
    assert np.isnan(values[bad]).all()


COMMAS = [
    # reason, cells, cells with points, which of them had a comma
    ("none", ["1.0", "", None, "x"], ["1.0", "", None, "x"], [False] * 4),
    ("no cells", [], [], []),
    ("of a program in French", ["80556,875", "-80556,0", "1000,5"], ["80556.875", "-80556.0", "1000.5"], [True] * 3),
    ("blanks around it", [" 80556,5 "], [" 80556.5 "], [True]),
    ("perhaps thousands", ["80,556", "1,0"], ["80,556", "1,0"], [False] * 2),
    ("a list, a word, half a number", ["1000,2,3", "a,b", ",5", "5000,"], ["1000,2,3", "a,b", ",5", "5000,"], [False] * 4),
    ("only some, and a missing one", ["1000,0", None, "2"], ["1000.0", None, "2"], [True, False, False]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "cells", "points", "commas"), COMMAS, ids=[row[0] for row in COMMAS])
def test_decimal_commas(reason: str, cells: list[str | None], points: list[str | None], commas: list[bool]) -> None:
    found, which = with_points(pa.array(cells, pa.string()))
    assert (found.to_pylist(), which.tolist()) == (points, commas), reason
