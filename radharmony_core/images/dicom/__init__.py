"""A DICOM file as a decoded film: the data set, the stored values, the display pipeline."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.decoded import DecodedFilm
from radharmony_core.images.dicom.colour import COLOURS, by_palette, luminance, native_form
from radharmony_core.images.dicom.compressed import read_compressed
from radharmony_core.images.dicom.part10 import DicomFile, open_dicom
from radharmony_core.images.dicom.remarks import decoding_steps, unapplied
from radharmony_core.images.dicom.stored import pixel_element, read_native
from radharmony_core.images.dicom.tags import PixelFormat, read_pixel_format
from radharmony_core.images.display.pipeline import decoded_gray, decoded_stored
from radharmony_core.images.film import shown_name

__all__ = ["decode_dicom", "read_dicom_size"]


def decode_dicom(stream: BinaryIO, size: int, path: Path, said: list[str]) -> DecodedFilm:
    """The first frame of the file of ``size`` bytes. Choices and guesses are added to ``said``.

    Raises ImageError or one of its kinds for everything that cannot be shown as it is meant.
    """
    name = shown_name(path)
    dicom, form = _opened(stream, size, name, said)
    _check_photometric(form, name)
    if dicom.is_compressed:
        stored = read_compressed(dicom, form, name, said)
    else:
        form = native_form(dicom, form, name, said)
        stored = read_native(dicom, form, name, said)
    steps = [*decoding_steps(dicom, form, said), *unapplied(dicom.values, said)]
    if form.samples > 1:
        gray, top, step = luminance(stored, form, dicom, name, said)
    elif form.photometric == "PALETTE COLOR":
        gray, top, step = by_palette(stored, dicom.values, name, said)
    else:
        return decoded_stored(stored, form, dicom.values, steps, path, said)
    return decoded_gray(gray, top, [*steps, step], path, said)


def read_dicom_size(stream: BinaryIO, size: int, name: str) -> tuple[int, int]:
    """Width and height in pixels, from the header. Raises as ``decode_dicom``, as far as the header shows it."""
    _, form = _opened(stream, size, name, [])
    return form.columns, form.rows


def _opened(stream: BinaryIO, size: int, name: str, said: list[str]) -> tuple[DicomFile, PixelFormat]:
    dicom = open_dicom(stream, size, name, said)
    form = read_pixel_format(dicom.values, name, dicom.pixels.length if dicom.pixels else 0, said)
    element = pixel_element(dicom, name)
    if not dicom.is_compressed:
        _check_allocated(form, element.length, name)
    return dicom, form


def _check_allocated(form: PixelFormat, length: int, name: str) -> None:
    """Pixel data of exactly twice the bytes are cells of 16 bits, whose halves would be shown as pixels."""
    count = form.rows * form.columns * form.samples * form.frames
    if form.bits_allocated == 8 and count > 1 and length == 2 * count:
        raise ImageError(
            f"{name} contradicts itself: BitsAllocated 8 asks for {count:,} bytes of pixel data, and there are twice as many, as "
            "for 16. Export the image again."
        )


def _check_photometric(form: PixelFormat, name: str) -> None:
    """PS3.3 C.7.6.3.1.2: which photometric interpretations go with how many samples, and which are shown here."""
    if form.samples == 1 and form.photometric in ("MONOCHROME1", "MONOCHROME2", "PALETTE COLOR"):
        return
    if form.samples == 3 and form.photometric in COLOURS:
        return
    raise UnsupportedImageError(
        f"{name}: MONOCHROME1, MONOCHROME2 or PALETTE COLOR with 1 sample a pixel, or colour with 3, was expected; it has "
        f"{form.photometric} with {form.samples}. Export it as MONOCHROME2."
    )
