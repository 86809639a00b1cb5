"""Two references for gray levels: pydicom's own functions, and the standard's formulas written out pixel by pixel.

Both give float64 levels 0.0 (black) to 255.0 (white), rows x columns, before rounding. Nothing here uses the code under test.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from pydicom import dcmread
from pydicom.dataset import Dataset
from pydicom.pixels.processing import apply_modality_lut, apply_presentation_lut, apply_voi_lut

__all__ = ["Levels", "by_pydicom", "by_standard", "mimic_look", "modality_of", "padding_of", "stored_values"]

Levels: TypeAlias = npt.NDArray[np.float64]


def by_pydicom(path: Path, index: int = 0) -> Levels:
    """pydicom's modality, VOI and presentation functions in the order of PS3.4 N.2, its output range brought to 0..255.

    pydicom has no function for MONOCHROME1; the levels are turned as C.7.6.3.1.2 says. ``index``: which window or table.
    """
    data = dcmread(path)
    values = apply_modality_lut(data.pixel_array, data)
    # Far below a sigmoid e**x is infinite and the level 0, as it should be; fractions into a table are what is compared.
    with np.errstate(over="ignore"), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Applying a VOI LUT on a float input")
        out = apply_voi_lut(values, data, index).astype(np.float64)
    is_padding = np.isin(data.pixel_array, padding_of(data))
    low, high = _pydicoms_range(data, out[~is_padding], index)
    if data.get("PresentationLUTShape") == "INVERSE":
        return np.asarray(apply_presentation_lut(out, data) / (high - low) * 255)
    level = (out - low) / (high - low) * 255
    return np.asarray(255 - level if data.PhotometricInterpretation == "MONOCHROME1" else level)


def _pydicoms_range(data: Dataset, out: Levels, index: int) -> tuple[float, float]:
    """What its output runs over: the entries' bits after a table, the values that can be stored after a window. Without both
    pydicom changes nothing, and the range is that of the picture."""
    if "VOILUTSequence" in data:
        return 0.0, 2.0 ** data.VOILUTSequence[index].LUTDescriptor[2] - 1
    if "WindowCenter" not in data:
        return float(out.min()), float(out.max())
    if "ModalityLUTSequence" in data:
        return 0.0, 2.0 ** data.ModalityLUTSequence[0].LUTDescriptor[2] - 1
    ends = np.array([0, 2**data.BitsStored - 1]) - (2 ** (data.BitsStored - 1) if data.PixelRepresentation else 0)
    ends = ends * float(data.get("RescaleSlope", 1)) + float(data.get("RescaleIntercept", 0))
    return float(ends.min()), float(ends.max())


def by_standard(path: Path, index: int = 0) -> Levels:
    """PS3.4 N.2: modality (PS3.3 C.11.1), VOI (C.11.2), polarity last (C.7.6.3.1.2, C.11.6.1.2); padding black (C.7.5.1.1.2).

    A film without window and table runs from the lowest to the highest value that is no padding.
    """
    data = dcmread(path)
    stored, padding, modality = stored_values(data), padding_of(data), modality_of(data)
    values = [[modality(x) for x in row] for row in stored]
    shown = [modality(x) for row in stored for x in row if x not in padding]
    voi = _voi_of(data, index, min(shown), max(shown))
    is_inverted = data.PhotometricInterpretation == "MONOCHROME1" or data.get("PresentationLUTShape") == "INVERSE"
    level = np.zeros((data.Rows, data.Columns))
    for row, column in np.ndindex(level.shape):
        if stored[row][column] not in padding:
            y = voi(values[row][column])
            level[row, column] = 255.0 - y if is_inverted else y
    return level


def stored_values(data: Dataset) -> list[list[int]]:
    """PS3.5 8.1.1: little-endian cells, the stored bits at the bottom, the highest of them the sign."""
    size, bits, signed, pixels = data.BitsAllocated // 8, data.BitsStored, data.PixelRepresentation, data.PixelData
    cells = [int.from_bytes(pixels[i : i + size], "little") % 2**bits for i in range(0, data.Rows * data.Columns * size, size)]
    values = [cell - 2**bits if signed and cell >= 2 ** (bits - 1) else cell for cell in cells]
    return [values[i : i + data.Columns] for i in range(0, len(values), data.Columns)]


def padding_of(data: Dataset) -> range:
    """C.7.5.1.1.2: one value, or all from it to the limit, whichever of the two is lower."""
    if "PixelPaddingValue" not in data:
        return range(0)
    ends = sorted((data.PixelPaddingValue, data.get("PixelPaddingRangeLimit", data.PixelPaddingValue)))
    return range(ends[0], ends[1] + 1)


def modality_of(data: Dataset) -> Callable[[int], float]:
    """C.11.1.1: the table, or ``slope * x + intercept`` (C.11.1.1.2)."""
    if "ModalityLUTSequence" in data:
        return _table_of(data.ModalityLUTSequence[0], is_signed=data.PixelRepresentation == 1)
    slope, intercept = float(data.get("RescaleSlope", 1)), float(data.get("RescaleIntercept", 0))
    return lambda x: x * slope + intercept


def _table_of(item: Dataset, *, is_signed: bool) -> Callable[[float], float]:
    """C.11.1.1.1, C.11.2.1.1: inputs below the first take the first entry, above the last the last. Entries of 8 bits stand two
    in a word or, as its note has it, one in each. An input between two whole numbers takes the nearer one, a half the upper.
    ``is_signed``: inputs can be below 0, and so can the first; a file of implicit VR does not say which it is.
    """
    (count, first, bits), entries = item.LUTDescriptor, item.LUTData
    first -= 65536 if is_signed and first > 32767 else 0
    size = 1 if bits == 8 and len(entries) < 2 * count else 2

    def looked_up(x: float) -> float:
        place = min(max(math.floor(x + 0.5) - first, 0), count - 1) * size
        return float(int.from_bytes(entries[place : place + size], "little"))

    return looked_up


def _voi_of(data: Dataset, index: int, low: float, high: float) -> Callable[[float], float]:
    """C.11.2.1 with an output from 0 to 255."""
    if "VOILUTSequence" in data:
        item = data.VOILUTSequence[index]
        top, table = 2.0 ** item.LUTDescriptor[2] - 1, _table_of(item, is_signed=data.PixelRepresentation == 1 or low < 0)
        return lambda x: table(x) / top * 255.0
    if "WindowCenter" not in data:
        return lambda x: (x - low) / (high - low) * 255.0
    c, w = (float(np.atleast_1d(data[name].value)[index]) for name in ("WindowCenter", "WindowWidth"))
    function = data.get("VOILUTFunction", "LINEAR")
    if function == "SIGMOID":  # C.11.2.1.3.1
        return lambda x: 255.0 / (1.0 + math.exp(min(-4.0 * (x - c) / w, 700.0)))
    if function == "LINEAR":  # C.11.2.1.2.1
        c, w = c - 0.5, w - 1.0
    return lambda x: 0.0 if x <= c - w / 2 else 255.0 if x > c + w / 2 else ((x - c) / w + 0.5) * 255.0


def mimic_look(stored: list[list[int]], is_first: bool) -> npt.NDArray[np.uint8]:
    """The MIMIC-CXR-JPG look by its description: to 0..255 by the values that occur, cut off to whole numbers, turned for
    MONOCHROME1 (``is_first``), then the histogram equalized over the whole film, in float32 as OpenCV does.

    An explicit loop for each step. A film of one value has no range; it is taken as all 0 before it is turned.
    """
    low = min(min(row) for row in stored)
    top = max(max(row) for row in stored) - low
    grays = [[int((x - low) / top * 255.0) if top else 0 for x in row] for row in stored]
    if is_first:
        grays = [[255 - v for v in row] for row in grays]
    histogram = [0] * 256
    for row in grays:
        for v in row:
            histogram[v] += 1
    count = sum(histogram)
    first = next(v for v in range(256) if histogram[v])
    table = list(range(256))
    if histogram[first] < count:
        scale = np.float32(255) / np.float32(count - histogram[first])
        so_far = 0
        for v in range(256):
            so_far += histogram[v] if v > first else 0
            table[v] = min(max(round(float(np.float32(so_far) * scale)), 0), 255)  # Python rounds halves to the even one
    return np.array([[table[v] for v in row] for row in grays], np.uint8)
