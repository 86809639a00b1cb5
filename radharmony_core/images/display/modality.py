"""The modality transformation: stored values to the values that windows are meant for (PS3.3 C.11.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from radharmony_core.images.film import LARGEST, Floats, Step

if TYPE_CHECKING:
    from radharmony_core.images.dicom.tags import Values

__all__ = ["Modality", "Table", "modality_of", "read_table"]


@dataclass(frozen=True)
class Table:
    """A lookup table as the file gives it: ``entries`` of ``bits`` bits, the first for the input value ``first``.

    Inputs below take the first entry and inputs above the last (PS3.3 C.11.1.1.1).
    """

    first: int
    bits: int
    entries: npt.NDArray[np.uint16]

    def __call__(self, x: Floats) -> Floats:
        places = np.clip(np.floor(x + 0.5) - self.first, 0, len(self.entries) - 1)
        return np.asarray(self.entries[places.astype(np.int64)], np.float64)

    def __str__(self) -> str:
        return f"Table of {len(self.entries)} entries of {self.bits} bits, the first for {self.first}"

    @property
    def numbers(self) -> dict[str, float]:
        """For the ledger."""
        return {"first": float(self.first), "entries": float(len(self.entries)), "bits": float(self.bits)}


@dataclass(frozen=True)
class Modality:
    """``apply`` turns stored values into values in ``unit``, such as HU; "" where the file names none."""

    apply: Callable[[Floats], Floats]
    unit: str
    step: Step


def modality_of(values: Values, occurring: Floats, said: list[str], *, signed: bool) -> Modality:
    """The file's own modality transformation, for the stored values that are ``occurring``: table, rescale or no change."""
    items = values.items("ModalityLUTSequence")
    if items:
        table = read_table(items[0], signed=signed)
        if table is not None:
            name = (items[0].words("LUTExplanation") or [""])[0]
            unit = _unit(items[0], "ModalityLUTType")
            words = _in_unit(f"{table} ({name})" if name else str(table), unit)
            return Modality(table, unit, Step("Modality", words, table.numbers, "PS3.3 C.11.1.1.1"))
        said.append("The modality lookup table of the file cannot be read; it was not applied.")
    slope = _number(values, "RescaleSlope", 1.0, said)
    intercept = _number(values, "RescaleIntercept", 0.0, said)
    if slope == 0:
        said.append("RescaleSlope is 0, which would make every pixel the same; 1 was used.")
        slope = 1.0
    return _rescale(slope, intercept, _unit(values, "RescaleType"), occurring, said)


def _rescale(slope: float, intercept: float, unit: str, occurring: Floats, said: list[str]) -> Modality:
    # In Python's numbers, which become infinite without a warning. 2**32 is more than any stored value.
    low, high = (float(end) * slope + intercept for end in (occurring.min(), occurring.max()))
    if 2.0**32 * abs(slope) + abs(intercept) > LARGEST or (low == high and occurring.min() < occurring.max()):
        said.append(
            f"RescaleSlope {slope:g} and RescaleIntercept {intercept:g} lead to numbers in which the pixels can no longer be "
            "told apart; they were not applied."
        )
        slope, intercept, unit = 1.0, 0.0, ""
    sign = "-" if intercept < 0 else "+"
    words = f"Stored value x {slope:.10g} {sign} {abs(intercept):.10g}" if (slope, intercept) != (1.0, 0.0) else "No rescale"
    step = Step("Modality", _in_unit(words, unit), {"slope": slope, "intercept": intercept}, "PS3.3 C.11.1.1.2")
    return Modality(lambda x: x * slope + intercept, unit, step)


def _in_unit(words: str, unit: str) -> str:
    return f"{words}, in {unit}" if unit else words


def _unit(values: Values, keyword: str) -> str:
    """C.11.1.1.2: US stands for unspecified."""
    words = (values.words(keyword) or [""])[0]
    return "" if words.upper() in ("US", "UNSPECIFIED") else words


def _number(values: Values, keyword: str, usual: float, said: list[str]) -> float:
    numbers = values.numbers(keyword)
    if not numbers:
        return usual
    if math.isnan(numbers[0]):
        said.append(f"{keyword} is not a number; {usual:g} was used.")
        return usual
    return numbers[0]


def read_table(item: Values, *, signed: bool) -> Table | None:
    """The table of one sequence item; None where it is missing or does not hold as many entries as it says.

    ``signed``: how the first input value is read where the file does not say (PS3.3 C.11.1.1).
    """
    descriptor = item.numbers("LUTDescriptor")
    data = item.data("LUTData")
    if len(descriptor) != 3 or any(math.isnan(number) for number in descriptor):
        return None
    # A count of 65536 does not fit into 16 bits and is written as 0; a signed VR makes large counts negative.
    count, first, bits = int(descriptor[0]) % 65536 or 65536, int(descriptor[1]), int(descriptor[2])
    if signed and first > 32767:
        first -= 65536
    if not 1 <= bits <= 16:
        return None
    if len(data) >= 2 * count:
        entries = np.frombuffer(data, f"{item.order}u2", count).astype(np.uint16)
    elif bits <= 8 and len(data) >= count:
        entries = np.frombuffer(data, np.uint8, count).astype(np.uint16)
    else:
        return None
    return Table(first, bits, entries)
