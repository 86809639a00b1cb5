"""The cells of a DICOM file as codes, and what is odd about them: bits that hold no value, and padding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from radharmony_core.images.display.codes import Bools, Coded, coded
from radharmony_core.images.film import Floats, Step, row_strips

if TYPE_CHECKING:
    from radharmony_core.images.dicom.stored import Cells, Stored
    from radharmony_core.images.dicom.tags import Values

__all__ = ["coded_cells", "has_dirty_bits", "padding_range", "padding_steps", "stored_step"]


def coded_cells(stored: Stored, padding: tuple[int, int] | None) -> Coded:
    """Cells of 8 and 16 bits are codes as they stand. ``padding``: its lowest and highest value, both included."""

    def is_apart(x: npt.NDArray[Any]) -> Bools:
        return np.zeros(x.shape, bool) if padding is None else (x >= padding[0]) & (x <= padding[1])

    cells = stored.cells
    if cells.dtype.itemsize <= 2:
        at_codes = stored.values_of(np.arange(256**cells.dtype.itemsize).astype(cells.dtype)).astype(np.float64)
        return Coded(np.ascontiguousarray(cells), at_codes, is_apart(at_codes))
    return coded((cells.shape[0], cells.shape[1]), lambda strip: stored.values_of(cells[strip]), is_apart)


def has_dirty_bits(stored: Stored, is_present: Bools) -> bool:
    """Whether bits are set that hold no value: anything outside the stored bits but the sign, written again above them."""
    cells = stored.cells
    width = 8 * cells.dtype.itemsize
    if stored.bits == width:
        return False

    def are_dirty(some: Cells) -> Bools:
        values = stored.values_of(some)
        plain = (values & ((1 << stored.bits) - 1)) << stored.shift
        extended = (values << stored.shift) & ((1 << width) - 1)
        return np.asarray((some != plain) & (some != extended))

    if width > 16:
        return any(are_dirty(cells[strip]).any() for strip in row_strips(cells.shape))
    return bool(are_dirty(np.flatnonzero(is_present).astype(cells.dtype)).any())


def stored_step(stored: Stored, occurring: Floats) -> Step:
    """How a value is taken out of its cell, and the range of those ``occurring``."""
    width = 8 * stored.cells.dtype.itemsize
    low, high, high_bit = float(occurring.min()), float(occurring.max()), stored.shift + stored.bits - 1
    sign = "signed" if stored.signed else "unsigned"
    return Step(
        "Stored values",
        f"{stored.bits} of {width} bits, high bit {high_bit}, {sign}: {low:.15g} to {high:.15g} occur",
        {"bits": stored.bits, "high_bit": high_bit, "is_signed": float(stored.signed), "low": low, "high": high},
        "PS3.3 C.7.6.3",
    )


def padding_range(values: Values, stored: Stored) -> tuple[int, int] | None:
    """PixelPaddingValue, up to PixelPaddingRangeLimit where there is one: the lowest and the highest value."""
    first = _padding_number(values, "PixelPaddingValue", stored)
    if first is None:
        return None
    last = _padding_number(values, "PixelPaddingRangeLimit", stored)
    # Signs written in different ways would make a range out of the two of them that holds the picture.
    if last is None or (first != values.integer("PixelPaddingValue")) != (last != values.integer("PixelPaddingRangeLimit")):
        last = first
    low, high = sorted((first, last))
    return low, high


def _padding_number(values: Values, keyword: str, stored: Stored) -> int | None:
    number = values.integer(keyword)
    # US or SS, as PixelRepresentation says; files without VR, and wrong ones, give the other form of the same 16 bits.
    if number is not None and stored.signed and number > 32767:
        return number - 65536
    if number is not None and not stored.signed and number < 0 and stored.cells.dtype.itemsize <= 2:
        return number + 65536
    return number


def padding_steps(padding: tuple[int, int] | None, counts: npt.NDArray[np.int64], is_apart: Bools, said: list[str]) -> list[Step]:
    """What became of the padding; ``counts`` and ``is_apart`` are by code. Where there is some, it is said."""
    if padding is None:
        return []
    low, high = padding
    which = f"value {low}" if low == high else f"values {low} to {high}"
    pixels = int(counts[is_apart].sum())
    if pixels:
        said.append(f"Pixels with the padding {which} are shown black and were left out of the value range.")
    share = pixels / int(counts.sum())
    words = f"Padding {which}: {pixels:,} pixels ({share:.1%}), left out of the value range and black"
    numbers = {"low": float(low), "high": float(high), "pixels": float(pixels), "share": share}
    return [Step("Padding", words, numbers, "PS3.3 C.7.5.1.1.2")]
