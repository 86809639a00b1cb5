"""A DICOM file as gray levels: the data set, the stored values, the display pipeline."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np
from PIL import Image

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.dicom.compressed import read_compressed
from radharmony_core.images.dicom.part10 import DicomFile, open_dicom
from radharmony_core.images.dicom.stored import Stored, pixel_element, read_native
from radharmony_core.images.dicom.tags import PixelFormat, read_pixel_format
from radharmony_core.images.display.pipeline import display
from radharmony_core.images.film import Gray

__all__ = ["read_dicom", "read_dicom_size"]

_COLOURS = ("RGB", "YBR_FULL", "YBR_FULL_422", "YBR_ICT", "YBR_RCT")


def read_dicom(stream: BinaryIO, size: int, name: str, said: list[str]) -> Gray:
    """The first frame of the file of ``size`` bytes, 0..255, rows x columns. Choices and guesses are added to ``said``.

    Raises ImageError or one of its kinds for everything that cannot be shown as it is meant.
    """
    dicom, form = _opened(stream, size, name, said)
    _check_photometric(form, name)
    stored = (read_compressed if dicom.is_compressed else read_native)(dicom, form, name, said)
    if form.frames > 1:
        said.append(f"The file has {form.frames} frames; the first is shown.")
    if form.samples == 3:
        return _luminance(stored, form, dicom, name, said)
    return display(stored, form, dicom.values, said)


def read_dicom_size(stream: BinaryIO, size: int, name: str) -> tuple[int, int]:
    """Width and height in pixels, from the header. Raises as ``read_dicom``, as far as the header shows it."""
    _, form = _opened(stream, size, name, [])
    return form.columns, form.rows


def _opened(stream: BinaryIO, size: int, name: str, said: list[str]) -> tuple[DicomFile, PixelFormat]:
    dicom = open_dicom(stream, size, name, said)
    form = read_pixel_format(dicom.values, name, dicom.pixels.length if dicom.pixels else 0, said)
    pixel_element(dicom, name)
    return dicom, form


def _check_photometric(form: PixelFormat, name: str) -> None:
    """PS3.3 C.7.6.3.1.2: which photometric interpretations go with how many samples, and which are shown here."""
    if form.photometric == "PALETTE COLOR":
        raise UnsupportedImageError(
            f"{name} is in PALETTE COLOR, numbers that mean a colour only by a palette; no palette is read here. Export it as "
            "MONOCHROME2."
        )
    if form.samples == 1 and form.photometric in ("MONOCHROME1", "MONOCHROME2"):
        return
    if form.samples == 3 and form.photometric in _COLOURS:
        return
    raise UnsupportedImageError(
        f"{name}: MONOCHROME1 or MONOCHROME2 with 1 sample a pixel, or colour with 3, was expected; it has "
        f"{form.photometric} with {form.samples}. Export it as MONOCHROME2."
    )


def _luminance(stored: Stored, form: PixelFormat, dicom: DicomFile, name: str, said: list[str]) -> Gray:
    if stored.cells.dtype != np.uint8:
        raise UnsupportedImageError(f"{name}: colour of 8 bits a sample is read, this file has more. Export it as MONOCHROME2.")
    said.append("The picture is in colour; its luminance is shown.")
    if stored.cells.ndim == 2:
        return stored.cells
    if form.photometric == "RGB" or dicom.is_compressed:
        return np.asarray(Image.fromarray(np.ascontiguousarray(stored.cells)).convert("L"))
    if form.photometric == "YBR_FULL":
        # PS3.3 C.7.6.3.1.2: the first sample is the luminance.
        return np.ascontiguousarray(stored.cells[..., 0])
    raise ImageError(f"{name}: {form.photometric} is read in compressed files only. Export it as MONOCHROME2.")
