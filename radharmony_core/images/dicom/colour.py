"""Colour pixel data as luminance: RGB and YBR samples, and numbers that mean a colour by a palette (PS3.3 C.7.6.3.1.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.dicom.part10 import DicomFile
from radharmony_core.images.dicom.stored import Stored
from radharmony_core.images.dicom.tags import PixelFormat, Values
from radharmony_core.images.display.codes import Coded, plain
from radharmony_core.images.display.modality import Table, read_table
from radharmony_core.images.film import Step, row_strips

__all__ = ["COLOURS", "by_palette", "luminance", "native_form"]

COLOURS = ("RGB", "YBR_FULL", "YBR_FULL_422", "YBR_ICT", "YBR_RCT")

# ITU-R BT.601 in 65536ths: 0.299 R + 0.587 G + 0.114 B. They sum to 65536, so a gray stays the gray it is, and 32 bits hold
# the sum for samples of 16 bits.
_RED, _GREEN, _BLUE = (np.uint32(share) for share in (19595, 38470, 7471))
_HALF = np.uint32(32768)

_IN_COLOUR = "The picture is in colour; its luminance is shown."


def native_form(dicom: DicomFile, form: PixelFormat, name: str, said: list[str]) -> PixelFormat:
    """How uncompressed pixel data are laid out, where YBR_FULL_422 says that two pixels share their colour.

    PS3.3 C.7.6.3.1.2: Y1 Y2 Cb Cr for each pair, so two samples a pixel. Files that say so and hold three are read as
    YBR_FULL. Raises ImageError for pairs that do not fill a row.
    """
    if form.photometric != "YBR_FULL_422" or dicom.is_compressed or dicom.pixels is None:
        return form
    if dicom.pixels.length >= form.rows * form.columns * 3 * form.frames:
        said.append("PhotometricInterpretation is YBR_FULL_422 and every pixel has its own colour; it was read as YBR_FULL.")
        return replace(form, photometric="YBR_FULL")
    if form.columns % 2 or form.bits_allocated != 8:
        raise ImageError(
            f"{name}: YBR_FULL_422 needs an even number of columns and 8 bits allocated; it has {form.columns} columns and "
            f"{form.bits_allocated} bits. Export it as MONOCHROME2."
        )
    return replace(form, samples=2, planar=False)


def luminance(stored: Stored, form: PixelFormat, dicom: DicomFile, name: str, said: list[str]) -> tuple[Coded, int, Step]:
    """The luminance, the largest that can be, and the step of the ledger. Decoders give red, green and blue, or luminance.

    Raises ImageError for samples that are not kept as YBR here, UnsupportedImageError for samples of 32 bits.
    """
    cells = stored.cells
    if cells.dtype.itemsize > 2:
        raise UnsupportedImageError(f"{name}: colour of 8 or 16 bits a sample is read, this file has 32. Export it with 8.")
    said.append(_IN_COLOUR)
    step = Step("Colour to luminance", f"{form.photometric}: its luminance", {}, "PS3.3 C.7.6.3.1.2")
    top = (1 << stored.bits) - 1
    if cells.ndim == 2:
        return plain(_values(stored, cells)), top, step
    if form.photometric == "RGB" or dicom.is_compressed:
        numbers = {"red": 0.299, "green": 0.587, "blue": 0.114}
        return plain(_weighed(stored)), top, replace(step, words="RGB: 0.299 R + 0.587 G + 0.114 B", numbers=numbers)
    if form.photometric == "YBR_FULL":
        return plain(_values(stored, cells[..., 0])), top, step
    if form.photometric == "YBR_FULL_422":
        return plain(_values(stored, cells[:, ::2].reshape(cells.shape[:2]))), top, step
    raise ImageError(f"{name}: {form.photometric} is read in compressed files only. Export it as MONOCHROME2.")


def _values(stored: Stored, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The samples without unused bits."""
    if stored.bits == 8 * cells.dtype.itemsize:
        return cells
    return np.asarray((cells >> stored.shift) & ((1 << stored.bits) - 1), cells.dtype)


def _weighed(stored: Stored) -> npt.NDArray[Any]:
    cells = stored.cells
    gray = np.empty(cells.shape[:2], cells.dtype)
    for strip in row_strips(gray.shape):
        red, green, blue = (_values(stored, cells[strip, :, i]).astype(np.uint32) for i in range(3))
        gray[strip] = (red * _RED + green * _GREEN + blue * _BLUE + _HALF) >> np.uint32(16)
    return gray


def by_palette(stored: Stored, values: Values, name: str, said: list[str]) -> tuple[Coded, int, Step]:
    """PS3.3 C.7.6.3.1.5: three tables give each number its colour. The numbers stay codes; their luminance is their value.

    Raises UnsupportedImageError for a palette that is missing, segmented or damaged.
    """
    if stored.cells.dtype.itemsize > 2:
        raise UnsupportedImageError(f"{name}: a palette goes with 8 or 16 bits allocated, this file has 32. Export it as RGB.")
    red, green, blue = (_palette(values, colour, name, signed=stored.signed) for colour in ("Red", "Green", "Blue"))
    top = (1 << red.bits) - 1
    places = stored.values_of(np.arange(256**stored.cells.dtype.itemsize).astype(stored.cells.dtype)).astype(np.float64)
    r, g, b = (np.minimum(table(places), top).astype(np.uint32) for table in (red, green, blue))
    if not (np.array_equal(r, g) and np.array_equal(g, b)):
        said.append(_IN_COLOUR)
    levels = ((r * _RED + g * _GREEN + b * _BLUE + _HALF) >> np.uint32(16)).astype(np.float64)
    words = f"PALETTE COLOR: {len(red.entries)} colours of {red.bits} bits, 0.299 R + 0.587 G + 0.114 B of each"
    step = Step("Colour to luminance", words, red.numbers, "PS3.3 C.7.6.3.1.5")
    return Coded(np.ascontiguousarray(stored.cells), levels, np.zeros(levels.shape, bool)), top, step


def _palette(values: Values, colour: str, name: str, *, signed: bool) -> Table:
    if values.data(f"Segmented{colour}PaletteColorLookupTableData"):
        raise UnsupportedImageError(f"{name} has a segmented palette (PS3.3 C.7.9.2), which is not read. Export it as RGB.")
    table = read_table(values.palette(colour), signed=signed)
    if table is None:
        raise UnsupportedImageError(
            f"{name} is in PALETTE COLOR, numbers that mean a colour only by a palette, and its {colour.lower()} palette is "
            "missing or shorter than it says. Export it as MONOCHROME2 or RGB."
        )
    return table
