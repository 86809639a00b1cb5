"""When a study was made. MIMIC-CXR-JPG keeps date and time as numbers: 21800506 and 80556.875, which is 08:05:56.875.

Dates are shifted to 2100-2200 patient by patient, so that only the gaps between a patient's studies are true.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.places import values_at
from radharmony_core.harmonizer.tables.numbers import as_mask, as_numbers, with_points
from radharmony_core.harmonizer.tables.read import TextTable
from radharmony_core.schema import IssueLog

__all__ = ["study_times"]

_DATE, _TIME = "StudyDate", "StudyTime"
_Floats = npt.NDArray[np.float64]
_Bools = npt.NDArray[np.bool_]


def study_times(table: TextTable, paths: pa.Array, log: IssueLog) -> pa.Array:
    """``StudyDate`` and ``StudyTime`` as timestamps of milliseconds. Null where there is no date; 00:00 of the date where there
    is no time of day: what a patient's studies are ordered by is the date. Either is an issue."""
    count = len(table.rows)
    if _DATE not in table.columns:
        return pa.nulls(count, pa.timestamp("ms"))
    dates, dated = _days(_numbers(table, _DATE, log))
    _say("bad_datetime", ~dated, table, _DATE, paths, log)
    times = np.zeros(count, dtype=np.int64)
    if _TIME in table.columns:
        times, timed = _times(_numbers(table, _TIME, log))
        _say("bad_time", dated & ~timed, table, _TIME, paths, log)
        times[~timed] = 0
    elif count:
        log.add("bad_time", column=_TIME)
    return pa.array(dates + times, pa.int64(), mask=~dated).cast(pa.timestamp("ms"))


def _numbers(table: TextTable, name: str, log: IssueLog) -> _Floats:
    """A column as numbers, those with a decimal comma as well, which is said once."""
    cells, commas = with_points(table.columns[name])
    if commas.any():
        where = np.flatnonzero(commas)
        log.add("decimal_comma", rows=table.rows[where[:1]].tolist(), values=[f"{len(where):,}"], column=name)
    numbers, _ = as_numbers(cells)
    return numbers


def _say(code: str, wrong: _Bools, table: TextTable, name: str, paths: pa.Array, log: IssueLog) -> None:
    """An issue of each cell that is ``wrong``; of one that is null all has been said."""
    where = np.flatnonzero(wrong & as_mask(pc.is_valid(table.columns[name])))
    cells = values_at(table.columns[name], where)
    log.add(code, rows=table.rows[where].tolist(), image_paths=values_at(paths, where), values=cells, column=name)


def _days(dates: _Floats) -> tuple[npt.NDArray[np.int64], _Bools]:
    """YYYYMMDD as milliseconds since 1970, and which of them are days of the calendar."""
    whole, right = _whole(dates)
    years, months, days = whole // 10_000, whole // 100 % 100, whole % 100
    right &= (years >= 1) & (years <= 9999) & (months >= 1) & (months <= 12) & (days >= 1)
    firsts = np.where(right, 12 * (years - 1970) + months - 1, 0).astype("datetime64[M]")
    found = firsts.astype("datetime64[D]") + np.where(right, days - 1, 0)
    right &= found.astype("datetime64[M]") == firsts  # the 31st of a short month is in the next
    return found.astype("datetime64[ms]").astype(np.int64), right


def _times(times: _Floats) -> tuple[npt.NDArray[np.int64], _Bools]:
    """HHMMSS.fff, leading zeros lost, as milliseconds of the day, and which of them are times of day. Decimals that have no
    exact form are rounded, but not up to another second, which may be another day's."""
    whole, right = _whole(np.floor(times))
    hours, minutes, seconds = whole // 10_000, whole // 100 % 100, whole % 100
    right &= (times >= 0) & (hours < 24) & (minutes < 60) & (seconds < 60)
    fraction = np.minimum(np.rint(np.where(right, times - whole, 0) * 1000), 999).astype(np.int64)
    return 1000 * (3600 * hours + 60 * minutes + seconds) + fraction, right


def _whole(numbers: _Floats) -> tuple[npt.NDArray[np.int64], _Bools]:
    right: Any = (numbers == np.floor(numbers)) & (np.abs(numbers) < 2**31)
    return np.where(right, numbers, 0).astype(np.int64), right
