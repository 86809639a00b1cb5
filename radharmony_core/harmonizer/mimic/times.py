"""When a study was made. MIMIC-CXR-JPG keeps date and time as numbers: 21800506 and 80556.875, which is 08:05:56.875.

Dates are shifted to 2100-2200 patient by patient, so that only the gaps between a patient's studies are true.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from radharmony_core.harmonizer.places import values_at
from radharmony_core.harmonizer.tables.read import TextTable, as_numbers
from radharmony_core.schema import IssueLog

__all__ = ["study_times"]

_Floats = npt.NDArray[np.float64]
_Bools = npt.NDArray[np.bool_]


def study_times(table: TextTable, paths: pa.Array, log: IssueLog) -> pa.Array:
    """``StudyDate`` and ``StudyTime`` as timestamps of milliseconds; null where one of them is no date or time of day, which is
    an issue, or where the table has no such column."""
    count = len(table.rows)
    if "StudyDate" not in table.columns or "StudyTime" not in table.columns:
        return pa.nulls(count, pa.timestamp("ms"))
    usable = np.ones(count, dtype=bool)
    milliseconds = np.zeros(count, dtype=np.int64)
    for name, read in (("StudyDate", _days), ("StudyTime", _times)):
        numbers, _ = as_numbers(table.columns[name])
        values, right = read(numbers)
        where = np.flatnonzero(~right)
        cells = values_at(table.columns[name], where)
        log.add("bad_datetime", rows=table.rows[where].tolist(), image_paths=values_at(paths, where), values=cells, column=name)
        usable &= right
        milliseconds += values
    return pa.array(milliseconds, pa.int64(), mask=~usable).cast(pa.timestamp("ms"))


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
    """HHMMSS.fff, leading zeros lost, as milliseconds of the day, and which of them are times of day."""
    whole, right = _whole(np.floor(times))
    hours, minutes, seconds = whole // 10_000, whole // 100 % 100, whole % 100
    right &= (times >= 0) & (hours < 24) & (minutes < 60) & (seconds < 60)
    fraction = np.rint(np.where(right, times - whole, 0) * 1000).astype(np.int64)
    return 1000 * (3600 * hours + 60 * minutes + seconds) + fraction, right


def _whole(numbers: _Floats) -> tuple[npt.NDArray[np.int64], _Bools]:
    right: Any = (numbers == np.floor(numbers)) & (np.abs(numbers) < 2**31)
    return np.where(right, numbers, 0).astype(np.int64), right
