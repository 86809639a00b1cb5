"""From stored values to gray: modality, window or VOI table, polarity last, in one lookup table (PS3.3 C.7.6.16.2, C.11).

The order is the standard's (PS3.4 N.2): modality transformation, VOI transformation, presentation. A table over all values
that a pixel cell can hold is computed once in float64 and applied once, so that no rounding happens in between.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from radharmony_core.images.dicom.stored import Cells, Stored
from radharmony_core.images.dicom.tags import PixelFormat, Values
from radharmony_core.images.display.modality import modality_of
from radharmony_core.images.display.voi import Curve, voi_of
from radharmony_core.images.film import Floats, Gray, stretch, to_gray

__all__ = ["display"]


def display(stored: Stored, form: PixelFormat, values: Values, said: list[str]) -> Gray:
    """Gray levels 0..255 of a single-channel image, rows x columns. Choices and guesses are added to ``said``."""
    present = _present(stored.cells)
    if _has_dirty_bits(stored, present):
        said.append(f"Bits outside the {stored.bits} bits stored are set in the file; they were ignored.")
    is_padding = _padding(stored, values, present, said)
    modality = modality_of(values, stored, said)
    at_shown = modality(stored.values_of(present if is_padding.all() else present[~is_padding]))
    if np.ptp(at_shown) == 0:
        said.append("Every pixel of the image has the same value; it is shown as one flat gray.")
    reach = modality(stored.reach) if stored.is_rescaled else None
    curve = voi_of(values, at_shown, stored, reach, said) or _full_range(at_shown, said)
    invert = _is_inverted(form, values, said)
    domain = present if stored.cells.dtype.itemsize > 2 else np.arange(256**stored.cells.dtype.itemsize).astype(present.dtype)
    level = curve(modality(stored.values_of(domain)))
    table = to_gray(255.0 - level if invert else level)
    # Padding is no part of the picture (PS3.3 C.7.5.1.1.2): black whatever the polarity.
    table[np.isin(domain, present[is_padding])] = 0
    if domain is present:
        return table[np.searchsorted(present, stored.cells)]
    return np.take(table, stored.cells)


def _present(cells: Cells) -> Cells:
    """The distinct cell values, sorted; for 8 and 16 bits by marking, which is much faster than sorting."""
    if cells.dtype.itemsize > 2:
        return np.unique(cells)
    marks = np.zeros(256**cells.dtype.itemsize, bool)
    marks[cells.ravel()] = True
    return np.flatnonzero(marks).astype(cells.dtype)


def _has_dirty_bits(stored: Stored, present: Cells) -> bool:
    """Whether bits are set that hold no value: anything outside the stored bits but the sign, written again above them."""
    width = 8 * stored.cells.dtype.itemsize
    if stored.bits == width:
        return False
    values = stored.values_of(present)
    plain = (values & ((1 << stored.bits) - 1)) << stored.shift
    extended = (values << stored.shift) & ((1 << width) - 1)
    return bool(((present != plain) & (present != extended)).any())


def _padding(stored: Stored, values: Values, present: Cells, said: list[str]) -> npt.NDArray[np.bool_]:
    """Which of the present cells are padding: PixelPaddingValue, up to PixelPaddingRangeLimit where there is one."""
    first = _padding_number(values, "PixelPaddingValue", stored)
    if first is None:
        return np.zeros(present.shape, bool)
    last = _padding_number(values, "PixelPaddingRangeLimit", stored)
    low, high = sorted((first, first if last is None else last))
    at_present = stored.values_of(present)
    found = (at_present >= low) & (at_present <= high)
    if found.any():
        which = f"value {low}" if low == high else f"values {low} to {high}"
        said.append(f"Pixels with the padding {which} are shown black and were left out of the value range.")
    return np.asarray(found)


def _padding_number(values: Values, keyword: str, stored: Stored) -> int | None:
    number = values.integer(keyword)
    # US or SS, as PixelRepresentation says; files without VR, and wrong ones, give the unsigned form of a negative number.
    return number - 65536 if number is not None and stored.signed and number > 32767 else number


def _full_range(at_shown: Floats, said: list[str]) -> Curve:
    low, high = float(at_shown.min()), float(at_shown.max())
    if low < high:
        said.append(f"No window of the file is used: its full value range, {low:g} to {high:g}, is shown.")
    return lambda x: stretch(x, low, high)


def _is_inverted(form: PixelFormat, values: Values, said: list[str]) -> bool:
    """MONOCHROME1 (PS3.3 C.7.6.3.1.2) or a presentation LUT of shape INVERSE (C.11.6.1.2); both say the same thing."""
    words = values.words("PresentationLUTShape")
    shape = words[0].upper() if words else ""
    is_first = form.photometric == "MONOCHROME1"
    if shape in ("INVERSE", "IDENTITY") and (shape == "INVERSE") != is_first:
        said.append(
            f"PhotometricInterpretation is {form.photometric} and PresentationLUTShape is {shape}, which contradict each "
            "other; the image is shown inverted."
        )
        return True
    return is_first
