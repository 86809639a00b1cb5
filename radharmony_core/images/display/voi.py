"""The VOI transformation: which values are spread over the gray levels (PS3.3 C.11.2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from radharmony_core.images.display.modality import Table, read_table
from radharmony_core.images.film import Floats

if TYPE_CHECKING:
    from radharmony_core.images.dicom.tags import Values

__all__ = ["FUNCTIONS", "Curve", "VoiTable", "Window", "tables_of", "windows_of"]

# Values in the file's units to 0.0 .. 255.0.
Curve = Callable[[Floats], Floats]

# Each with the paragraph of PS3.3 that defines it.
FUNCTIONS = {"LINEAR": "C.11.2.1.2.1", "LINEAR_EXACT": "C.11.2.1.3.2", "SIGMOID": "C.11.2.1.3.1"}

# The fewest bits that C.11.2.1.1 allows for an entry, and how many bits too few leave a sixteenth of the light.
_FEWEST_BITS, _SPARE_BITS, _DARK_BITS = 8, 2, 4


@dataclass(frozen=True)
class Window:
    """A center and a width in the file's units, and the function they are meant for.

    ``function`` is LINEAR, LINEAR_EXACT or SIGMOID; ``words`` a name for the window.
    """

    center: float
    width: float
    function: str = "LINEAR"
    words: str = ""

    @property
    def is_usable(self) -> bool:
        """Both numbers are there; the width is at least 1 for LINEAR, above 0 otherwise (C.11.2.1.2, C.11.2.1.3)."""
        if self.function not in FUNCTIONS or not (math.isfinite(self.center) and math.isfinite(self.width)):
            return False
        return self.width >= 1 if self.function == "LINEAR" else self.width > 0

    def __str__(self) -> str:
        name = f", {self.words}" if self.words else ""
        center, width = ("none" if math.isnan(number) else f"{number:g}" for number in (self.center, self.width))
        return f"center {center}, width {width}{name}"

    def __call__(self, x: Floats) -> Floats:
        """Values to 0.0 .. 255.0."""
        # What leaves float64, as a quotient by a tiny width does, is infinite then, and clipped to black or white.
        with np.errstate(over="ignore"):
            if self.function == "SIGMOID":
                # C.11.2.1.3.1. The exponent is bounded so that far values do not overflow; e**-700 is 0 for a gray level.
                exponent = np.clip(-4.0 * ((x - self.center) / self.width), -700.0, 700.0)
                return np.asarray(255.0 / (1.0 + np.exp(exponent)))
            if self.function == "LINEAR_EXACT":
                # C.11.2.1.3.2
                return np.clip(((x - self.center) / self.width + 0.5) * 255.0, 0.0, 255.0)
            # C.11.2.1.2.1: a width of 1 is a threshold, without values in between.
            center, width = self.center - 0.5, self.width - 1.0
            if width == 0:
                return np.where(x <= center, 0.0, 255.0)
            return np.clip(((x - center) / width + 0.5) * 255.0, 0.0, 255.0)


@dataclass(frozen=True)
class VoiTable:
    """A VOI lookup table with the file's own name for it. Its entries of 0 to 2**bits - 1 become 0.0 .. 255.0.

    ``said`` is what had to be guessed about it.
    """

    table: Table
    words: str
    said: tuple[str, ...] = ()

    def __call__(self, x: Floats) -> Floats:
        return np.clip(self.table(x) * (255.0 / ((1 << self.table.bits) - 1)), 0.0, 255.0)


def tables_of(values: Values, *, signed: bool, said: list[str]) -> list[VoiTable | None]:
    """The VOI lookup tables in the file's order, None for one that cannot be read.

    ``signed``: C.11.2.1.1: the first input value is signed where the values coming in can be.
    """
    tables: list[VoiTable | None] = []
    for item in values.items("VOILUTSequence"):
        table = read_table(item, signed=signed)
        tables.append(None if table is None else _fitting(table, (item.words("LUTExplanation") or [""])[0]))
    if tables and tables[0] is None:
        if values.items("VOILUTSequence")[0].numbers("WindowCenter"):
            said.append("The file has a window where a VOI lookup table belongs (in VOILUTSequence); it was not applied.")
        else:
            said.append("The VOI lookup table of the file cannot be read; it was not applied.")
    return tables


def _fitting(table: Table, words: str) -> VoiTable:
    """C.11.2.1.1: the third value of the descriptor is the number of bits, and 0 to 2**bits - 1 the range of the entries.

    Writers put 16 there for entries of 12 bits, or 8 for longer ones. Entries beyond the range need more bits. Entries that
    end exactly at 2**k - 1, with k from 8 to 2 less than stated, were made for k bits. Others are shown as stated: a table that
    ends at half of the range may be meant so.
    """
    top = int(table.entries.max())
    needed = top.bit_length()
    found = f"The VOI lookup table is stated to have entries of {table.bits} bits, and they go up to {top}"
    if needed > table.bits or (_FEWEST_BITS <= needed <= table.bits - _SPARE_BITS and top == (1 << needed) - 1):
        said = f"{found}; it was read as one of {needed} bits (PS3.3 C.11.2.1.1)."
        return VoiTable(replace(table, bits=needed), words, (said,))
    if needed <= table.bits - _DARK_BITS:
        return VoiTable(table, words, (f"{found}; it was applied as stated, so the picture is nearly black.",))
    return VoiTable(table, words)


def windows_of(values: Values, said: list[str]) -> list[Window]:
    """All pairs of WindowCenter and WindowWidth in the file's order. A pair that lacks a number stays in, with NaN."""
    centers, widths = values.numbers("WindowCenter"), values.numbers("WindowWidth")
    names = values.words("WindowCenterWidthExplanation")
    function = (values.words("VOILUTFunction") or ["LINEAR"])[0].upper()
    if function not in FUNCTIONS:
        if centers and widths:
            said.append(f"The VOI LUT function {function!r} is not known; LINEAR was used.")
        function = "LINEAR"
    count = max(len(centers), len(widths))
    padded = [numbers + [math.nan] * (count - len(numbers)) for numbers in (centers, widths)]
    # A delimiter at the end announces a value that does not come: no window.
    while count > 1 and math.isnan(padded[0][-1]) and math.isnan(padded[1][-1]):
        count -= 1
        padded = [numbers[:count] for numbers in padded]
    return [
        Window(center, width, function, names[i] if i < len(names) else "")
        for i, (center, width) in enumerate(zip(*padded, strict=True))
    ]
