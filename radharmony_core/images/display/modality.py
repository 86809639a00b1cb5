"""The modality transformation: stored values to the values that windows are meant for (PS3.3 C.11.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from radharmony_core.images.dicom.stored import Stored
from radharmony_core.images.dicom.tags import Values
from radharmony_core.images.film import Floats

__all__ = ["Table", "modality_of", "read_table"]


@dataclass(frozen=True)
class Table:
    """A lookup table as the file gives it: ``entries`` of ``bits`` bits, the first for the input value ``first``.

    Inputs below take the first entry and inputs above the last (PS3.3 C.11.1.1.1).
    """

    first: int
    bits: int
    entries: npt.NDArray[np.uint16]

    def __call__(self, x: npt.NDArray[np.float64] | npt.NDArray[np.int64]) -> Floats:
        places = np.clip(np.floor(np.asarray(x, np.float64) + 0.5) - self.first, 0, len(self.entries) - 1)
        return np.asarray(self.entries[places.astype(np.int64)], np.float64)


def modality_of(values: Values, stored: Stored, said: list[str]) -> Callable[[npt.NDArray[np.int64]], Floats]:
    """The function from stored values to modality values: the table, or slope and intercept, or no change."""
    items = values.items("ModalityLUTSequence")
    if items:
        table = read_table(items[0], signed=stored.signed)
        if table is not None:
            return table
        said.append("The modality lookup table of the file cannot be read; it was not applied.")
    slope = _number(values, "RescaleSlope", 1.0, said)
    intercept = _number(values, "RescaleIntercept", 0.0, said)
    if slope == 0:
        said.append("RescaleSlope is 0, which would make every pixel the same; 1 was used.")
        slope = 1.0
    return lambda x: np.asarray(x, np.float64) * slope + intercept


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
