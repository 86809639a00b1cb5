"""What a cell of CASIA-CXR says, and that nothing is guessed. Expected values are worked out by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from radharmony_core.harmonizer.casia_cxr.cells import ages, days, positions, sexes, sizes, split_sizes


def column(*cells: str) -> pa.Array:
    return pa.array(cells, pa.string())


DAYS = [
    # reason, cell, day or None, whether it cannot be read
    ("month first", "12/29/2021", "2021-12-29", False),
    ("month first, not padded: the 6th of July", "7/6/2019", "2019-07-06", False),
    ("year first, as on the site", "2021/12/29", "2021-12-29", False),
    ("with dashes", "2021-01-05", "2021-01-05", False),
    ("what a spreadsheet adds", " 12/29/2021 0:00 ", "2021-12-29", False),
    ("a month of 13 is not a day", "13/1/2021", None, True),
    ("year first, a month of 13", "2021/13/1", None, True),
    ("a leap day", "2/29/2020", "2020-02-29", False),
    ("no leap day", "2/29/2021", None, True),
    ("day 0", "1/0/2021", None, True),
    ("day 31 of a month of 30", "4/31/2021", None, True),
    ("month 0", "0/1/2021", None, True),
    ("a year of two digits", "7/6/19", None, True),
    ("a year nobody was filmed in", "1/1/0202", None, True),
    ("a spreadsheet's number of days", "44559", None, True),
    ("a time that is none", "12/29/2021 9:30", None, True),
    ("words", "hier", None, True),
    ("blank", "", None, False),
    ("space", "  ", None, False),
]


@pytest.mark.parametrize(("reason", "cell", "day", "wrong"), DAYS, ids=[row[0] for row in DAYS])
def test_days(reason: str, cell: str, day: str | None, wrong: bool) -> None:
    values, unreadable = days(column("1/2/2020", cell))
    assert values.dtype == "datetime64[ms]"
    assert values[0] == np.datetime64("2020-01-02"), "the cell before it is untouched"
    assert np.isnat(values[1]) if day is None else values[1] == np.datetime64(day), reason
    assert unreadable.tolist() == [False, wrong], reason


AGES = [
    # reason, cell, years or None, whether it cannot be read
    ("a number", "57", 57, False),
    ("DICOM's form", "057Y", 57, False),
    ("French", "57 ans", 57, False),
    ("one year", "1 an", 1, False),
    ("by way of a spreadsheet", "57.0", 57, False),
    ("months, as DICOM has them", "018M", 1, False),
    ("months in French", "3 mois", 0, False),
    ("weeks", "60W", 1, False),
    ("days", "400 jours", 1, False),
    ("born today", "0", 0, False),
    ("the oldest", "130", 130, False),
    ("nobody is so old", "131", None, True),
    ("half years", "57.5", None, True),
    ("below 0", "-5", None, True),
    ("a unit nobody knows", "57 lunes", None, True),
    ("a shifted cell", "F", None, True),
    ("too long for a number", "9" * 30, None, True),
    ("digits of another script", "\uff15\uff17", None, True),
    ("blank", "", None, False),
]


@pytest.mark.parametrize(("reason", "cell", "years", "wrong"), AGES, ids=[row[0] for row in AGES])
def test_ages(reason: str, cell: str, years: int | None, wrong: bool) -> None:
    values, unreadable = ages(column(cell))
    assert values.isna().tolist() == [years is None], reason
    assert years is None or values[0] == years, reason
    assert unreadable.tolist() == [wrong], reason


WORDS = [
    ("as documented", sexes, "M", "M", False),
    ("small", sexes, " f ", "F", False),
    ("English", sexes, "Male", "M", False),
    ("French, with its accent", sexes, "Féminin", "F", False),
    ("a shifted cell", sexes, "PA", None, True),
    ("blank", sexes, "", None, False),
    ("as documented", positions, "PA", "PA", False),
    ("spelled out", positions, "AnteroPosterior", "AP", False),
    ("with a dash and accents", positions, "Postéro-antérieur", "PA", False),
    ("lateral: the dataset has none", positions, "LL", None, True),
    ("blank", positions, " ", None, False),
]


@pytest.mark.parametrize(("reason", "read", "cell", "value", "wrong"), WORDS)
def test_sexes_and_positions(reason: str, read: object, cell: str, value: str | None, wrong: bool) -> None:
    assert callable(read)
    values, unreadable = read(column(cell))
    assert values.to_pylist() == [value], reason
    assert unreadable.tolist() == [wrong], reason


SIZES = [
    ("a number", "2372", 2372, False),
    ("by way of a spreadsheet", " 2372.0 ", 2372, False),
    ("the first of a pair in brackets", "[2372", 2372, False),
    ("the second", "3000]", 3000, False),
    ("none", "0", None, True),
    ("below 0", "-1", None, True),
    ("half a pixel", "2372.5", None, True),
    ("more than a number holds", "9" * 30, None, True),
    ("words", "large", None, True),
    ("blank", "", None, False),
]


@pytest.mark.parametrize(("reason", "cell", "pixels", "wrong"), SIZES, ids=[row[0] for row in SIZES])
def test_sizes(reason: str, cell: str, pixels: int | None, wrong: bool) -> None:
    values, unreadable = sizes(column(cell))
    assert values.isna().tolist() == [pixels is None], reason
    assert pixels is None or values[0] == pixels, reason
    assert unreadable.tolist() == [wrong], reason


PAIRS = [
    ("as on the site", "2372x3000", ("2372", "3000")),
    ("capital, with space", "2372 X 3000", ("2372", "3000")),
    ("a sign of multiplication", "2372\u00d73000", ("2372", "3000")),
    ("in brackets", "[2372, 3000]", ("2372", "3000")),
    ("one number is no pair", "2372", ("2372", "")),
    ("three numbers neither", "1x2x3", ("1x2x3", "")),
    ("blank", "", ("", "")),
]


@pytest.mark.parametrize(("reason", "cell", "pair"), PAIRS, ids=[row[0] for row in PAIRS])
def test_two_sizes_in_one_cell(reason: str, cell: str, pair: tuple[str, str]) -> None:
    widths, heights = split_sizes(column(cell))
    assert (widths.to_pylist(), heights.to_pylist()) == ([pair[0]], [pair[1]]), reason


@pytest.mark.parametrize("read", [days, ages, sexes, positions, sizes])
def test_no_cells_are_no_values(read: object) -> None:
    assert callable(read)
    values, unreadable = read(column())
    assert (len(values), len(unreadable)) == (0, 0)
