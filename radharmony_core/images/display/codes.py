"""Every picture as codes of 8 or 16 bits, so that one table of 256 or 65,536 entries shows it (PS3.4 N.2).

Cells of 8 and 16 bits are codes as they stand. Wider values and fractions are numbered: exactly where their range allows,
else in equal levels over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from radharmony_core.images.film import LARGEST, Floats, Step, row_strips

__all__ = ["Bools", "Coded", "Codes", "coded", "counted", "plain"]

Codes = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
Bools = npt.NDArray[np.bool_]
ValuesOf = Callable[[slice], npt.NDArray[Any]]

_LAST = 65535

# cv2.calcHist counts in whole numbers and hands them out as float32, which is exact up to here.
_EXACT_IN_FLOAT32 = 1 << 24


@dataclass(frozen=True, eq=False)
class Coded:
    """``codes``, rows x columns; ``stored`` the value of each code in the file (256 or 65,536); ``is_apart`` the codes that
    stand for no value of the picture: padding, or no number. ``steps`` says how the codes came about, where it is not plain.
    """

    codes: Codes
    stored: Floats
    is_apart: Bools
    steps: tuple[Step, ...] = ()


def plain(values: npt.NDArray[Any]) -> Coded:
    """Values of 8 or 16 bits as their own codes, none of them apart."""
    size = 256**values.dtype.itemsize
    return Coded(np.ascontiguousarray(values), np.arange(float(size)), np.zeros(size, bool))


def counted(codes: Codes) -> npt.NDArray[np.int64]:
    """How many pixels have each code, exactly: 256 or 65,536 counts."""
    size = 256**codes.dtype.itemsize
    counts = np.zeros(size, np.int64)
    for strip in row_strips(codes.shape, _EXACT_IN_FLOAT32):
        counts += cv2.calcHist([codes[strip]], [0], None, [size], [0, size]).ravel().astype(np.int64)
    return counts


def coded(shape: tuple[int, int], values: ValuesOf, is_apart: Callable[[npt.NDArray[Any]], Bools]) -> Coded:
    """Codes of 16 bits for the values that ``values`` gives for a strip of rows; ``is_apart`` tells padding and the like.

    Whole numbers of a range up to 65,535 stay exact, less the smallest. So they do where only the picture without what is
    apart has such a range; that becomes the code 0 then. Everything else is rounded to equal levels over the range.
    """
    extent = _extent(shape, values, is_apart)
    has_own_codes = extent.is_whole and extent.highest - extent.lowest <= _LAST
    first = int(extent.has_apart and not has_own_codes)
    low, high = (extent.lowest, extent.highest) if has_own_codes else (extent.low, extent.high)
    is_exact = low == high or (extent.is_whole and high - low <= _LAST - first)
    step = 1.0 if is_exact else (high - low) / (_LAST - first)
    stored = low + (np.arange(_LAST + 1.0) - first) * step
    apart = is_apart(stored) if has_own_codes else np.arange(_LAST + 1) < first
    if first:
        stored[0] = extent.apart
    codes = np.empty(shape, np.uint16)
    for strip in row_strips(shape):
        x = values(strip)
        out = is_apart(x) if first else np.zeros(x.shape, bool)
        numbers = np.rint((np.where(out, low, x).astype(np.float64) - low) / step) + first
        codes[strip] = np.where(out, 0, numbers)
    return Coded(codes, stored, apart, (_step(low, high, step, first, is_exact=is_exact),))


@dataclass(frozen=True)
class _Extent:
    """What a first pass over the values finds: the range of the picture, ``lowest`` to ``highest`` that of everything, one
    value that is ``apart`` (NaN for no number), whether there is any, and whether the picture has whole numbers only.
    """

    low: float
    high: float
    lowest: float
    highest: float
    apart: float
    has_apart: bool
    is_whole: bool


def _extent(shape: tuple[int, int], values: ValuesOf, is_apart: Callable[[npt.NDArray[Any]], Bools]) -> _Extent:
    picture: list[float] = []
    beside: list[float] = []
    is_whole = True
    for strip in row_strips(shape):
        x = values(strip)
        out = is_apart(x)
        for some, ends in ((x[~out], picture), (x[out], beside)):
            if some.size:
                ends += [float(some.min()), float(some.max())]
        is_whole = is_whole and bool((x[~out] == np.floor(x[~out])).all())
    # A NaN among them makes the range of everything NaN, which no comparison accepts.
    everything = np.array(picture + beside)
    low, high = (min(picture), max(picture)) if picture else (0.0, 0.0)
    apart = beside[0] if beside and abs(beside[0]) < LARGEST else np.nan
    return _Extent(low, high, float(everything.min()), float(everything.max()), apart, bool(beside), is_whole)


def _step(low: float, high: float, step: float, first: int, *, is_exact: bool) -> Step:
    numbers = {"low": low, "step": step, "first": float(first)}
    if is_exact:
        return Step("Codes", f"Each value less {low - first:.15g}, so that it fits into 16 bits; nothing is rounded", numbers)
    words = f"The values run from {low:g} to {high:g}, more than 16 bits can tell apart; they were rounded to "
    return Step("Codes", f"{words}{_LAST + 1 - first:,} equal levels of {step:g}", numbers)
