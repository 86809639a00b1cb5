"""From what a file holds to a decoded film: codes, their values in the file's units, what is padding, how it can be shown.

The order is the standard's (PS3.4 N.2): modality transformation, VOI transformation, presentation. Every step is a table over
codes, computed in float64, so that no rounding happens in between.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from radharmony_core.images.decoded import DecodedFilm, Notes
from radharmony_core.images.display.cells import coded_cells, has_dirty_bits, padding_range, padding_steps, stored_step
from radharmony_core.images.display.codes import Coded, coded, counted, plain
from radharmony_core.images.display.looks import mimic_cxr_jpg
from radharmony_core.images.display.modality import Modality, modality_of
from radharmony_core.images.display.presets import Choice, Offer, default_of, from_file, from_values, gray_levels, spread
from radharmony_core.images.display.voi import tables_of, windows_of
from radharmony_core.images.film import LARGEST, Floats, Kind, Step

if TYPE_CHECKING:
    from radharmony_core.images.dicom.stored import Stored
    from radharmony_core.images.dicom.tags import PixelFormat, Values
    from radharmony_core.images.raster import Raster

__all__ = ["decoded_gray", "decoded_raster", "decoded_stored"]


def decoded_stored(
    stored: Stored, form: PixelFormat, values: Values, steps: list[Step], path: Path, said: list[str]
) -> DecodedFilm:
    """A single-channel DICOM image (PS3.3 C.11). ``steps`` led to ``stored``; what had to be guessed is added to ``said``."""
    padding = padding_range(values, stored)
    numbered = coded_cells(stored, padding)
    counts = counted(numbered.codes)
    is_present = counts > 0
    if has_dirty_bits(stored, is_present):
        said.append(f"Bits outside the {stored.bits} bits stored are set in the file; they were ignored.")
    reading = (*steps, stored_step(stored, numbered.stored[is_present]), *numbered.steps)
    is_shown = is_present & ~numbered.is_apart
    if not is_shown.any():
        is_shown = is_present
    told: list[str] = []
    modality = modality_of(values, numbered.stored[is_shown], told, signed=stored.signed)
    units = modality.apply(numbered.stored)
    about_padding = padding_steps(padding, counts, numbered.is_apart, told)
    if np.ptp(units[is_shown]) == 0:
        told.append("Every pixel of the image has the same value; it is shown as one flat gray.")
    is_inverted, polarity = _polarity(form, values, told)
    choices = _choices(values, stored, modality, units[is_shown], counts[is_shown], told)
    look = mimic_cxr_jpg(numbered.stored, counts, is_monochrome1=form.photometric == "MONOCHROME1")
    return DecodedFilm(
        codes=numbered.codes,
        units=units,
        is_present=is_present,
        is_padding=numbered.is_apart,
        is_inverted=is_inverted,
        choices=(*choices, look),
        notes=Notes(reading, (modality.step, *about_padding), (polarity,), tuple(said), tuple(told)),
        source="dicom",
        path=path,
        unit=modality.unit,
    )


def _choices(
    values: Values,
    stored: Stored,
    modality: Modality,
    shown: Floats,
    counts: npt.NDArray[np.int64],
    said: list[str],
) -> tuple[Choice, ...]:
    # C.11.2.1.1: the first input value of a table is signed where the values coming in can be, whether or not they are.
    reach = modality.apply(stored.reach.astype(np.float64))
    is_signed = stored.signed or bool((reach < 0).any())
    offer = Offer(tables_of(values, signed=is_signed, said=said), windows_of(values, said))
    own, (full, auto) = from_file(offer), from_values(shown, counts)
    return default_of(own, full, offer, shown, reach if stored.is_rescaled else None), *own, full, auto


def _polarity(form: PixelFormat, values: Values, said: list[str]) -> tuple[bool, Step]:
    """MONOCHROME1 (PS3.3 C.7.6.3.1.2) or a presentation LUT of shape INVERSE (C.11.6.1.2); both say the same thing."""
    shape = (values.words("PresentationLUTShape") or [""])[0].upper()
    is_inverted = form.photometric == "MONOCHROME1"
    if shape in ("INVERSE", "IDENTITY") and (shape == "INVERSE") != is_inverted:
        said.append(
            f"PhotometricInterpretation is {form.photometric} and PresentationLUTShape is {shape}, which contradict each "
            "other; the image is shown inverted."
        )
        is_inverted = True
    words = form.photometric + (f", PresentationLUTShape {shape}" if shape else "")
    end = "low values are white, 255 less each gray level" if is_inverted else "low values are black"
    return is_inverted, Step("Polarity", f"{words}: {end}", {"is_inverted": float(is_inverted)}, "PS3.3 C.7.6.3.1.2")


def decoded_raster(raster: Raster, kind: Kind, path: Path, said: list[str]) -> DecodedFilm:
    """A JPEG, PNG or TIFF picture. What had to be guessed is added to ``said``."""
    width, height = raster.stored_size
    words = f"{raster.words}, {width} x {height} pixels, {raster.bits} bits a sample"
    steps = [Step("Decoding", words, {"width": width, "height": height, "bits": raster.bits})]
    if raster.orientation != 1:
        words = f"EXIF orientation {raster.orientation}: turned upright"
        steps.append(Step("Turned", words, {"orientation": raster.orientation}, "EXIF 2.3 4.6.4"))
    film = _decoded_values(_coded_values(raster.values), None if raster.is_spread else 255, steps, kind, path, said)
    return replace(film, orientation=raster.orientation, stored_size=raster.stored_size)


def decoded_gray(gray: Coded, top: int, steps: list[Step], path: Path, said: list[str]) -> DecodedFilm:
    """A DICOM picture whose values are gray levels, 0..``top``, already: the luminance of a colour picture."""
    return _decoded_values(gray, top, steps, "dicom", path, said)


def _decoded_values(numbered: Coded, top: int | None, steps: list[Step], kind: Kind, path: Path, said: list[str]) -> DecodedFilm:
    """Values that are gray levels up to ``top``, or whose range is spread over the gray levels."""
    counts = counted(numbered.codes)
    is_present = counts > 0
    if (is_present & numbered.is_apart).any():
        said.append("Some pixels are no finite number; they are shown black.")
    is_shown = is_present & ~numbered.is_apart
    shown, counts = (numbered.stored[is_shown], counts[is_shown]) if is_shown.any() else (np.zeros(1), np.ones(1, np.int64))
    full, auto = from_values(shown, counts)
    default = spread(full, shown, said) if top is None else gray_levels(top)
    return DecodedFilm(
        codes=numbered.codes,
        units=numbered.stored,
        is_present=is_present,
        is_padding=numbered.is_apart,
        is_inverted=False,
        choices=(default, full, auto),
        notes=Notes((*steps, *numbered.steps), said=tuple(said)),
        source=kind,
        path=path,
    )


def _coded_values(values: npt.NDArray[Any]) -> Coded:
    if values.dtype in (np.uint8, np.uint16):
        return plain(values)
    shape = (values.shape[0], values.shape[1])
    if values.dtype.kind != "f":
        return coded(shape, lambda strip: values[strip], lambda x: np.zeros(x.shape, bool))
    # What is no number may be a signalling one, of which numpy warns where it is made wider.
    with np.errstate(invalid="ignore"):
        return coded(shape, lambda strip: values[strip].astype(np.float64), lambda x: ~(np.abs(x) < LARGEST))
