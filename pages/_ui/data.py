"""The data behind the pages: the configuration, the catalog, films and reports ready for the screen.

The only caches of the app are here. What they hand out is shared by every session: nobody changes it.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pandas as pd
import streamlit as st

from pages._ui.first_start import demo_config
from radharmony_core.catalog import Catalog, annotations_of, load_catalog
from radharmony_core.config import CONFIG_NAME, Config, find_config, load_config
from radharmony_core.errors import RadHarmonyError
from radharmony_core.images import encode_jpeg, read_image
from radharmony_core.paths import within
from radharmony_core.reports import Report, read_report, report_path

__all__ = ["Film", "configuration", "film_of", "open_catalog", "prepare_film", "report_of"]

APP_FOLDER = Path(__file__).resolve().parents[2]
SCREEN_SIDE = 1400  # pixels of the longer side that is sent: about what a 1080p window shows of a film
_FEW = 20_000  # images
_Stamp = tuple[int, int, int, int] | None
_READING = threading.Lock()
_read: dict[Path, tuple[dict[Path, _Stamp], Catalog]] = {}
_BACKGROUND = ThreadPoolExecutor(max_workers=1, thread_name_prefix="next-film")
_ahead: Future[Film] | None = None


@dataclass(frozen=True, slots=True)
class Film:
    """A film as it goes to the browser: ``jpeg`` empty and ``error`` worded where the file cannot be shown. ``version``
    changes with the file."""

    jpeg: bytes
    size: tuple[int, int] | None
    sent: tuple[int, int] | None
    notices: tuple[str, ...]
    error: str | None
    version: str


def configuration() -> Config:
    """The user's configuration, or the demo's; on the first start the demo is built, with progress.

    Raises RadHarmonyError when a configuration is there and cannot be used, or the demo cannot be written.
    """
    path = find_config(APP_FOLDER)
    return load_config(path if path is not None else demo_config(APP_FOLDER / "demo"))


def open_catalog(config: Config) -> Catalog:
    """The tables of ``config``, one object for all sessions, read again when the configuration or the annotations' table has
    changed. Opening or reloading the page looks anew for files, unless there are very many. Raises RadHarmonyError."""
    opened_now = "_opened" not in st.session_state
    st.session_state["_opened"] = True
    with _READING:
        stamps, catalog = _read.get(config.path, ({}, None))
        fresh = catalog is not None and all(_stamp(path) == stamp for path, stamp in stamps.items())
        if catalog is None or not fresh or (opened_now and _looks_anew(catalog)):
            with st.spinner("Reading the tables"):
                before = {config.path: _stamp(config.path)}  # what changes while it is read is read again
                config = load_config(config.path)
                source = annotations_of(config)
                before[source] = _stamp(source)
                catalog = load_catalog(config)
            _read.clear()  # one dataset at a time is looked at, and a large one is large
            _read[config.path] = (before, catalog)
    return catalog


def _looks_anew(catalog: Catalog) -> bool:
    """Whether opening the page reads everything again: a tenth of a second for MS-CXR, too long for hundreds of thousands."""
    gaps = catalog.issues["code"].isin(["missing_image", "missing_report", "tree_not_found"])
    return len(catalog.images) <= _FEW or bool(gaps.any())


def _stamp(path: Path) -> _Stamp:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ctime_ns, about.st_ino  # a copy may bring its time along


def film_of(catalog: Catalog, place: int) -> Film:
    """The film of a row of ``catalog.images`` as it goes to the screen; a file that is missing or cannot be shown is a worded
    error, never an exception."""
    path, file = (catalog.images[name].iloc[place] for name in ("image_path", "file"))
    if not isinstance(path, str):
        return _failed("The table gives no path for this image.")
    if catalog.image_root is None:
        return _failed(f"No folder of images was found; expected {path} in one. Set mimic_base_dir in {CONFIG_NAME}.")
    try:
        full = within(catalog.image_root, file if isinstance(file, str) else path)
        if not isinstance(file, str):
            return _failed(f"Expected the image at {full}; there is no such file.")
        return _film(full, _stamp(full))
    except RadHarmonyError as error:
        return _failed(str(error))


def _failed(error: str) -> Film:
    return Film(b"", None, None, (), error, error)


def prepare_film(catalog: Catalog, place: int) -> None:
    """Makes a film ready in the background, the one that will be asked for next. One at a time: while an earlier one is
    being made, the wish is dropped, so that no queue of stale work grows."""
    global _ahead
    if _ahead is None or _ahead.done():
        _ahead = _BACKGROUND.submit(film_of, catalog, place)


@lru_cache(maxsize=64)  # not Streamlit's: the background has no session
def _film(path: Path, stamp: _Stamp) -> Film:
    image = read_image(path)
    jpeg, width, height = encode_jpeg(image.pixels, max_side=SCREEN_SIDE)
    return Film(jpeg, (image.width, image.height), (width, height), tuple(image.notices), None, f"{path} {stamp}")


def report_of(catalog: Catalog, place: int) -> tuple[Report | None, str]:
    """The report beside the image's own study, and a note where there is none or it had to be guessed at."""
    path, study = (catalog.images[name].iloc[place] for name in ("image_path", "study_id"))
    if pd.isna(study) or not isinstance(path, str):
        return None, "The image's path names no study, so no report can be looked for."
    if catalog.report_root is None:
        return None, f"No folder of reports was found; expected {report_path(path)} in one. Set report_dir in {CONFIG_NAME}."
    try:
        report = read_report(catalog.report_root, report_path(path))
    except RadHarmonyError as error:
        return None, str(error)
    empty = "" if report.text.strip() else "The report's file is empty."
    return report, " ".join((*report.notices, empty)).strip()
