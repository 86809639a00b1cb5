"""Films ready for the screen: read once, shown by a look, kept for as long as they may be asked for again.

What is handed out is shared by every session: nobody changes it.
"""

from __future__ import annotations

import contextlib
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pages._ui.data import cache_folder
from pages._ui.datasets.names import TITLES
from pages._ui.look import DEFAULT, USUAL, Look
from radharmony_core.catalog import Catalog
from radharmony_core.errors import RadHarmonyError, UnknownWindowError
from radharmony_core.images import DecodedFilm, FilmImage, Preset, Step, Window, decode_image, encode_jpeg
from radharmony_core.images.agreement import compare_films
from radharmony_core.images.encode import area_reduced, fitted_size
from radharmony_core.paths import stamp
from radharmony_core.thumbnails import Thumbnail, ThumbnailCache

__all__ = ["SCREEN_SIDE", "Codes", "Film", "agreement_of", "codes_of", "film_of", "prepare_film", "thumbnails_of"]

SCREEN_SIDE = 1400  # pixels of the longer side that is sent: about what a 1080p window shows of a film
_PAUSE = 0.12  # seconds: meanwhile the browser paints the film that was just sent, and has the processor
_Stamp = tuple[int, int, int, int] | None
_BACKGROUND = ThreadPoolExecutor(max_workers=1, thread_name_prefix="next-film")
_ahead: Future[Film] | None = None


@dataclass(frozen=True, slots=True)
class Film:
    """A film as it goes to the browser: ``jpeg`` empty and ``error`` worded where the file cannot be shown.

    ``file`` changes with the file, ``version`` with the picture. ``files`` are the datasets that have this film,
    each with what its file is called. ``look`` is what is shown: not what was asked for where the film does not offer that.
    """

    jpeg: bytes = b""
    size: tuple[int, int] | None = None
    sent: tuple[int, int] | None = None
    notices: tuple[str, ...] = ()
    error: str | None = None
    version: str = ""
    file: str = ""
    orientation: int = 1
    look: Look = USUAL
    window: Preset | None = None
    presets: tuple[Preset, ...] = ()
    ledger: tuple[Step, ...] = ()
    lut: bytes = b""
    reach: tuple[float, float] = (0.0, 255.0)
    unit: str = ""
    is_inverted: bool = False
    files: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Codes:
    """A film's values for the browser: ``data`` rows x columns of ``itemsize`` bytes, little endian, and the value in the
    file's units of each code, float32, NaN for padding. ``is_shown``: these are gray levels as shown, not values."""

    data: bytes
    width: int
    height: int
    itemsize: int
    units: bytes
    is_native: bool
    is_shown: bool


def film_of(catalog: Catalog, place: int, look: Look = USUAL) -> Film:
    """The film of a row of ``catalog.images`` as it goes to the screen; a file that is missing or cannot be shown is a worded
    error, never an exception."""
    files: tuple[tuple[str, str], ...] = ()
    try:
        path, files, known = _file(catalog, place, look)
        said = () if known.file == look.file else (f"There is no file of {look.file!r} of this film; the first one is shown.",)
        film = _film(path, stamp(path), known)
        return replace(film, files=files, notices=(*said, *film.notices))
    except RadHarmonyError as error:
        others = f" This film has {len(files)} files: the list below it offers the other." if len(files) > 1 else ""
        return Film(error=f"{error}{others}", version=str(error), look=look, files=files)


def _file(catalog: Catalog, place: int, look: Look) -> tuple[Path, tuple[tuple[str, str], ...], Look]:
    """The file to show, the datasets that have one, and the look with a dataset that has it."""
    if not look.file and len(catalog.datasets) < 2:
        return catalog.image_file(place), (), look
    found = catalog.image_files(place)
    if look.file not in found:
        look = replace(look, file="")
    files = tuple((kind, _words(kind, path)) for kind, path in found.items())
    return found[look.file] if look.file else catalog.image_file(place), files, look


def _words(kind: str, path: Path) -> str:
    form = path.suffix.lower().removeprefix(".")
    return f"{'DICOM' if form in ('dcm', 'dicom', '') else form.upper()} of {TITLES[kind]}"


@lru_cache(maxsize=3)  # the film that is looked at, the next one, and one more; not Streamlit's: the background has no session
def _decoded(path: Path, _stamped: _Stamp) -> DecodedFilm:
    return decode_image(path)


@lru_cache(maxsize=64)
def _film(path: Path, stamped: _Stamp, look: Look) -> Film:
    decoded = _decoded(path, stamped)
    image, look, more = _shown(decoded, look)
    jpeg, width, height = encode_jpeg(image.pixels, max_side=SCREEN_SIDE)
    return Film(
        jpeg=jpeg,
        size=image.size,
        sent=(width, height),
        notices=(*more, *image.notices),
        version=f"{path} {stamped} {look}",
        file=f"{path} {stamped}",
        orientation=image.orientation,
        look=look,
        window=image.window,
        presets=decoded.presets,
        ledger=image.ledger,
        lut=decoded.lut(_window(look), invert=look.invert).tobytes(),
        reach=_reach(decoded),
        unit=decoded.unit,
        is_inverted=decoded.is_inverted,
    )


def _shown(decoded: DecodedFilm, look: Look) -> tuple[FilmImage, Look, list[str]]:
    try:
        return decoded.show(_window(look), invert=look.invert, local_contrast=look.local_contrast), look, []
    except UnknownWindowError as error:
        look = replace(look, window=DEFAULT)
        image = decoded.show(invert=look.invert, local_contrast=look.local_contrast)
        return image, look, [f"{error} The default is shown."]


def _window(look: Look) -> str | Window:
    return look.by_hand or look.window


def _reach(decoded: DecodedFilm) -> tuple[float, float]:
    """The values that occur, in the file's units."""
    inside = decoded.units[decoded.is_present & ~decoded.is_padding]
    return (float(inside.min()), float(inside.max())) if inside.size else (0.0, 0.0)


def codes_of(catalog: Catalog, place: int, look: Look, *, native: bool) -> Codes | None:
    """The values of the film that is shown, all of them or reduced to the screen; None where it cannot be shown.

    Reduced values are averages: they serve while a hand is on the window, and the picture of the look replaces them. Local
    contrast is no function of a value, so then the native gray levels are handed out as they are shown.
    """
    try:
        path, _, look = _file(catalog, place, look)
        decoded = _decoded(path, stamp(path))
        is_shown = native and look.local_contrast
        codes = _shown(decoded, look)[0].pixels if is_shown else decoded.codes
    except RadHarmonyError:
        return None  # the film itself says so
    units = np.arange(256.0) if is_shown else np.where(decoded.is_padding, np.nan, decoded.units)
    data = codes if native else _reduced(codes)
    data = data.astype(data.dtype.newbyteorder("<"), copy=False)
    height, width = data.shape
    return Codes(data.tobytes(), width, height, data.itemsize, units.astype("<f4").tobytes(), native, is_shown)


def _reduced(codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    height, width = codes.shape
    return area_reduced(codes, fitted_size(width, height, SCREEN_SIDE))


def agreement_of(catalog: Catalog, place: int) -> str:
    """Whether the film's JPG and its DICOM file show the same, in a sentence."""
    try:
        found = catalog.image_files(place)
        dicom = found.get("mimic_cxr")
        jpg = next((path for kind, path in found.items() if kind != "mimic_cxr" and path.suffix.lower() != ".dcm"), None)
        if dicom is None or jpg is None:
            return "There is no pair of a JPG and a DICOM file of this film to compare."
        return _agreement(dicom, stamp(dicom), jpg, stamp(jpg))
    except RadHarmonyError as error:
        return str(error)


@lru_cache(maxsize=64)
def _agreement(dicom: Path, _dicom_stamp: _Stamp, jpg: Path, _jpg_stamp: _Stamp) -> str:
    return compare_films(dicom, jpg).words


@lru_cache(maxsize=4)
def _thumbnails(folder: Path) -> ThumbnailCache:
    return ThumbnailCache(folder)


def thumbnails_of(catalog: Catalog, places: list[int]) -> dict[int, bytes]:
    """Small pictures (JPEG) of films, by their place; one whose file cannot be shown is left out: the film itself says why."""
    files = {}
    for place in places:
        with contextlib.suppress(RadHarmonyError):
            files[place] = catalog.image_file(place)
    made = _thumbnails(cache_folder()).get_many(list(files.values()))
    return {place: small.data for place, small in zip(files, made, strict=True) if isinstance(small, Thumbnail)}


def prepare_film(catalog: Catalog, place: int, look: Look) -> None:
    """Makes a film ready in the background, the one that will be asked for next. One at a time: while an earlier one is
    being made, the wish is dropped, so that no queue of stale work grows."""
    global _ahead
    if _ahead is None or _ahead.done():
        _ahead = _BACKGROUND.submit(_made_ahead, catalog, place, look)


def _made_ahead(catalog: Catalog, place: int, look: Look) -> Film:
    time.sleep(_PAUSE)
    return film_of(catalog, place, look)
