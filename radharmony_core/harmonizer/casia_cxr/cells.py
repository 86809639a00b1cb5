"""What CASIA-CXR's cells say: dates, ages, sexes, positions and sizes, from text as it stands in the files.

Each function gives the values, missing where a cell is blank or cannot be read, and a mask of those that cannot be read.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.casia_cxr.names import is_blank, mapped

__all__ = ["ages", "days", "positions", "sexes", "sizes", "split_sizes"]

Mask = npt.NDArray[np.bool_]

_MONTH_FIRST = r"^(\d{1,2})/(\d{1,2})/(\d{4})$"
_YEAR_FIRST = r"^(?P<year>\d{4})[/-](?P<month>\d{1,2})[/-](?P<day>\d{1,2})$"
_MIDNIGHT = r"^\s+|\s+0?0:00(?::00)?\s*$|\s+$"  # what a spreadsheet adds to a day
_YEARS = (1900, 2100)

_AGE = r"^\s*(?P<number>\d{1,5})(?:\.0*)?\s*(?P<unit>[a-z]*)\.?\s*$"
_UNITS = {  # how many make a year; DICOM's letters, English, French
    **dict.fromkeys(("", "y", "yr", "yrs", "year", "years", "an", "ans"), 1),
    **dict.fromkeys(("m", "mo", "month", "months", "mois"), 12),
    **dict.fromkeys(("w", "week", "weeks", "sem", "semaine", "semaines"), 52),
    **dict.fromkeys(("d", "day", "days", "j", "jour", "jours"), 365),
}
_OLDEST = 130

_SEXES = {
    **dict.fromkeys(("m", "male", "masculin", "homme"), "M"),
    **dict.fromkeys(("f", "female", "feminin", "femme"), "F"),
}
_POSITIONS = {
    **dict.fromkeys(("ap", "anteroposterior", "anteroposterieur"), "AP"),
    **dict.fromkeys(("pa", "posteroanterior", "posteroanterieur"), "PA"),
}
_PAIR = r"^\D*(?P<width>\d+)\s*[x\x{d7}X*,]\s*(?P<height>\d+)\D*$"


def days(cells: pa.Array) -> tuple[npt.NDArray[np.datetime64], Mask]:
    """Days as ``datetime64[ms]``, from M/D/YYYY and YYYY/M/D (or with dashes). A month above 12 is never taken for a day:
    ``13/1/2021`` cannot be read."""
    text = pc.replace_substring_regex(cells, _MIDNIGHT, "")
    parts = pc.extract_regex(pc.replace_substring_regex(text, _MONTH_FIRST, r"\3/\1/\2"), _YEAR_FIRST)
    year, month, day = (_numbers(pc.struct_field(parts, name), 0) for name in ("year", "month", "day"))
    usable = (year >= _YEARS[0]) & (year <= _YEARS[1]) & (month >= 1) & (month <= 12)
    months = np.where(usable, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
    first = months.astype("datetime64[D]")
    length = ((months + 1).astype("datetime64[D]") - first).astype(np.int64)
    usable &= (day >= 1) & (day <= length)
    values = np.where(usable, first + np.where(usable, day - 1, 0), np.datetime64("NaT", "D")).astype("datetime64[ms]")
    return values, ~usable & _filled(cells)


def ages(cells: pa.Array) -> tuple[Any, Mask]:
    """Whole years as nullable integers: ``57``, ``057Y``, ``57 ans``; ``006M`` and ``3 mois`` are 0. Above 130 is no age."""
    parts = pc.extract_regex(pc.utf8_lower(cells), _AGE)
    number = _numbers(pc.struct_field(parts, "number"), -1)
    units = pc.fill_null(pc.struct_field(parts, "unit"), "-").dictionary_encode()
    per_year = np.array([_UNITS.get(unit, 0) for unit in units.dictionary.to_pylist()] or [0])[units.indices.to_numpy()]
    years = np.where(per_year > 0, number // np.maximum(per_year, 1), -1)
    usable = (number >= 0) & (years >= 0) & (years <= _OLDEST)
    return pd.arrays.IntegerArray(np.where(usable, years, 0), ~usable), ~usable & _filled(cells)


def sexes(cells: pa.Array) -> tuple[pa.Array, Mask]:
    """``M`` or ``F``."""
    return mapped(cells, _SEXES)


def positions(cells: pa.Array) -> tuple[pa.Array, Mask]:
    """``AP`` or ``PA``, from those or from ``AnteroPosterior`` and ``PosteroAnterior``."""
    return mapped(cells, _POSITIONS)


def sizes(cells: pa.Array) -> tuple[Any, Mask]:
    """Pixels as nullable integers above 0; ``2372.0`` and what the brackets of ``[2372`` and ``3000]`` hold are read as well."""
    number = _numbers(pc.struct_field(pc.extract_regex(cells, r"^\s*\[?\s*(?P<size>\d{1,9})(?:\.0*)?\s*\]?\s*$"), "size"), 0)
    usable = number > 0
    return pd.arrays.IntegerArray(np.where(usable, number, 0), ~usable), ~usable & _filled(cells)


def split_sizes(cells: pa.Array) -> tuple[pa.Array, pa.Array]:
    """``2372x3000`` as a column of widths and one of heights, text. What is not such a pair stays whole as the width."""
    parts = pc.extract_regex(cells, _PAIR)
    width, height = (pc.struct_field(parts, name) for name in ("width", "height"))
    return pc.coalesce(width, cells), pc.fill_null(height, "")


def _numbers(digits: pa.Array, missing: int) -> npt.NDArray[np.int64]:
    return pc.fill_null(pc.cast(digits, pa.int64()), missing).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _filled(cells: pa.Array) -> Mask:
    return ~is_blank(cells).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]
