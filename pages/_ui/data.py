"""The data behind the pages: the configuration, the catalog, films and reports ready for the screen.

The only caches of the app are here. What they hand out is shared by every session: nobody changes it.
"""

from __future__ import annotations

import contextlib
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import streamlit as st

from pages._ui.first_start import demo_config
from pages._ui.jobs import Progress, shared_job, wait_for
from radharmony_core.cache import TableCache
from radharmony_core.catalog import Catalog, inputs_of, load_catalog
from radharmony_core.config import CONFIG_NAME, Config, find_config, load_config
from radharmony_core.errors import RadHarmonyError
from radharmony_core.images import encode_jpeg, read_image
from radharmony_core.paths import stamp
from radharmony_core.reports import Report

__all__ = ["Film", "configuration", "film_of", "open_catalog", "own_config", "prepare_film", "rebuild", "report_of"]

APP_FOLDER = Path(__file__).resolve().parents[2]
CACHE_VARIABLE = "RADHARMONY_CACHE"
SCREEN_SIDE = 1400  # pixels of the longer side that is sent: about what a 1080p window shows of a film
_FEW = 20_000  # images
_Stamp = tuple[int, int, int, int] | None
_KEEPING = threading.Lock()
_kept: dict[Path, tuple[dict[Path, _Stamp], Catalog]] = {}
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


def own_config() -> Path:
    """Where the user's configuration is, or would be: what a page may write. Raises MissingFileError for a name that leads
    nowhere."""
    return find_config(APP_FOLDER) or APP_FOLDER / CONFIG_NAME


def configuration() -> Config:
    """The user's configuration, or the demo's; on the first start the demo is built, with progress.

    Raises RadHarmonyError when a configuration is there and cannot be used, or the demo cannot be written.
    """
    path = find_config(APP_FOLDER)
    return load_config(path if path is not None else demo_config(APP_FOLDER / "demo"))


def _table_cache() -> TableCache:
    told = os.environ.get(CACHE_VARIABLE, "").strip()
    return TableCache(Path(told) if told else APP_FOLDER / "cache")


def open_catalog(config: Config) -> Catalog:
    """The tables of ``config``, one object for all sessions, read again when the configuration or a file it was read from has
    changed. Opening or reloading the page looks anew for files, unless there are very many. Raises RadHarmonyError."""
    opened_now = "_opened" not in st.session_state
    st.session_state["_opened"] = True
    kept = _still_right(config.path, opened_now)
    if kept is not None:
        return kept
    job = shared_job(("catalog", config.path), lambda progress: _load(config.path, progress))
    return wait_for(job, "Reading the datasets", "Tables are built once and kept; this page may be left.")


def _still_right(path: Path, opened_now: bool) -> Catalog | None:
    """The catalog that is kept, unless it is out of date."""
    with _KEEPING:
        stamps, catalog = _kept.get(path, ({}, None))
    if catalog is None or any(stamp(place) != stamped for place, stamped in stamps.items()):
        return None
    return None if opened_now and _looks_anew(catalog) else catalog


def _load(path: Path, progress: Progress) -> Catalog:
    before = {path: stamp(path)}  # what changes while it is read is read again
    config = load_config(path)
    for kind, settings in config.datasets.items():
        places = list(settings.values())
        with contextlib.suppress(RadHarmonyError):  # told again by the catalog, in the place where it is shown
            places += inputs_of(config, kind)
        folders = [place.parent for place in places]  # where a table that is missing would appear
        before |= {place: stamp(place) for place in (*places, *folders)}
    with _KEEPING:
        _kept.clear()  # before the next is built: one configuration at a time is looked at, and a large one is large
    catalog = load_catalog(config, _table_cache(), progress)
    with _KEEPING:
        _kept[path] = (before, catalog)
    return catalog


def rebuild(config: Config) -> None:
    """Forgets every table that was kept, in memory and on disk, so that all are built from the raw files at the next look."""
    _table_cache().clear()
    with _KEEPING:
        _kept.pop(config.path, None)


def _looks_anew(catalog: Catalog) -> bool:
    """Whether opening the page reads everything again: a moment for a small dataset, too long for hundreds of thousands."""
    return len(catalog.images) <= _FEW


def film_of(catalog: Catalog, place: int) -> Film:
    """The film of a row of ``catalog.images`` as it goes to the screen; a file that is missing or cannot be shown is a worded
    error, never an exception."""
    try:
        full = catalog.image_file(place)
        return _film(full, stamp(full))
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
def _film(path: Path, stamped: _Stamp) -> Film:
    image = read_image(path)
    jpeg, width, height = encode_jpeg(image.pixels, max_side=SCREEN_SIDE)
    return Film(jpeg, (image.width, image.height), (width, height), tuple(image.notices), None, f"{path} {stamped}")


def report_of(catalog: Catalog, place: int) -> tuple[Report | None, str]:
    """The report of the image's own study, and a note where there is none or it had to be guessed at."""
    report, note = catalog.report(place)
    if report is None:
        return None, note
    empty = "" if report.text.strip() else "The report is empty."
    return report, " ".join([*report.notices, empty]).strip()
