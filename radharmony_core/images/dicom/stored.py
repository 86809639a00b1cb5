"""Stored pixel values, uncompressed: PixelData as an array, nothing applied yet (PS3.5 section 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ImageError, NotAnImageError, UnsupportedImageError
from radharmony_core.images.dicom.part10 import PIXEL_DATA, UNDEFINED, DicomFile, PixelElement
from radharmony_core.images.dicom.tags import PixelFormat

__all__ = ["Cells", "Stored", "frame_bytes", "native_cells", "pixel_element", "read_native", "stored_as_said"]

Cells = npt.NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class Stored:
    """Pixel cells as they stand in the file, and how a value is taken out of a cell.

    ``cells`` is rows x columns or rows x columns x 3, unsigned, of 8, 16 or 32 bits. A value is ``bits`` bits of the
    cell, ``shift`` bits above the lowest, in two's complement if ``signed`` (PS3.5 8.1.1). ``is_rescaled`` says that the
    picture has fewer bits than the header names, so that a window meant for the header's may not fit.
    """

    cells: Cells
    bits: int
    shift: int
    signed: bool
    is_rescaled: bool = False

    def values_of(self, cells: Cells) -> npt.NDArray[np.int64]:
        """The values in ``cells``: unused bits cut off, the sign extended from the highest stored bit."""
        values = (cells.astype(np.int64) >> self.shift) & ((1 << self.bits) - 1)
        if self.signed:
            top = 1 << (self.bits - 1)
            values = (values ^ top) - top
        return values

    @property
    def reach(self) -> npt.NDArray[np.int64]:
        """The lowest and the highest value that can be stored."""
        half = 1 << (self.bits - 1)
        return np.array([-half, half - 1] if self.signed else [0, 2 * half - 1])


def pixel_element(dicom: DicomFile, name: str) -> PixelElement:
    """Where the pixels are. Raises NotAnImageError without pixels, UnsupportedImageError for floating point ones."""
    element = dicom.pixels
    if element is None:
        raise NotAnImageError(
            f"{name} has no pixel data: its header describes an image and the pixels are not there. The file may be cut, "
            "or it was exported without pixels; take a fresh copy."
        )
    if element.tag != PIXEL_DATA:
        raise UnsupportedImageError(f"{name} has floating point pixel data, which no radiograph has and which is not read here.")
    return element


def read_native(dicom: DicomFile, form: PixelFormat, name: str, said: list[str]) -> Stored:
    """The first frame of uncompressed pixel data.

    Raises ImageError for pixel data that are cut, UnsupportedImageError for cells that are not 8, 16 or 32 bits.
    """
    element = pixel_element(dicom, name)
    need = frame_bytes(form, name)
    if element.length == UNDEFINED:
        raise ImageError(
            f"{name}: its pixel data are compressed, and its transfer syntax does not say how. Export the image again."
        )
    data = _read_frame(dicom, element, need, form, name, said)
    if form.bits_allocated == 8 and dicom.values.order == ">" and element.vr == "OW":
        # PS3.5 A.3: in big endian, 8-bit cells written as 16-bit words come with the bytes of each pair exchanged.
        data = np.frombuffer(data + b"\0" * (len(data) % 2), np.uint16).byteswap().tobytes()
    return native_cells(data, form, dicom.values.order, said)


def frame_bytes(form: PixelFormat, name: str) -> int:
    """How many bytes an uncompressed frame has. Raises UnsupportedImageError for cells that are not 8, 16 or 32 bits."""
    if form.bits_allocated not in (8, 16, 32):
        raise UnsupportedImageError(
            f"{name}: pixels of 8, 16 or 32 bits allocated are read, this file has {form.bits_allocated}. Export it again "
            "with 16."
        )
    return form.rows * form.columns * form.samples * form.bits_allocated // 8


def native_cells(data: bytes, form: PixelFormat, order: str, said: list[str]) -> Stored:
    """The first frame in ``data``, which are as many bytes as it needs or more, in byte ``order``."""
    cells = np.frombuffer(data, f"{order}u{form.bits_allocated // 8}", form.rows * form.columns * form.samples)
    return stored_as_said(_shaped(cells.astype(cells.dtype.newbyteorder("="), copy=False), form), form, said)


def stored_as_said(cells: Cells, form: PixelFormat, said: list[str]) -> Stored:
    """Cells whose values are where the header says."""
    shift = form.high_bit + 1 - form.bits_stored
    if shift:
        said.append(
            f"HighBit is {form.high_bit} with {form.bits_stored} bits stored (the standard has {form.bits_stored - 1}); the "
            f"values were taken {shift} bits above the lowest."
        )
    return Stored(cells, form.bits_stored, shift, form.signed)


def _read_frame(dicom: DicomFile, element: PixelElement, need: int, form: PixelFormat, name: str, said: list[str]) -> bytes:
    there = min(element.length, dicom.size - element.start)
    if there < need:
        raise ImageError(
            f"{name} is cut: {form.rows} rows x {form.columns} columns need {need:,} bytes of pixel data, {there:,} are "
            "there. Take a fresh copy of the file."
        )
    whole = need * form.frames
    if element.length > whole + whole % 2:
        said.append(f"The pixel data are {element.length - whole:,} bytes longer than the image; the rest was ignored.")
    dicom.stream.seek(element.start)
    # One byte more where it is there: the partner of the last odd byte, for pairs in exchanged order.
    return dicom.stream.read(min(need + need % 2, there))


def _shaped(cells: Cells, form: PixelFormat) -> Cells:
    if form.samples == 1:
        return cells.reshape(form.rows, form.columns)
    if form.planar:
        return np.moveaxis(cells.reshape(form.samples, form.rows, form.columns), 0, -1)
    return cells.reshape(form.rows, form.columns, form.samples)
