"""The data behind the pages: the configuration, the catalog, reports ready for the screen.

The catalog is kept here, films in `films`. What is handed out is shared by every session: nobody changes it.
"""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path

import streamlit as st

from pages._ui.first_start import demo_config
from pages._ui.jobs import Progress, shared_job, wait_for
from radharmony_core.cache import TableCache
from radharmony_core.catalog import Catalog, inputs_of, load_catalog
from radharmony_core.config import CONFIG_NAME, Config, find_config, load_config
from radharmony_core.errors import RadHarmonyError
from radharmony_core.paths import stamp
from radharmony_core.reports import Report

__all__ = ["cache_folder", "configuration", "open_catalog", "own_config", "rebuild", "report_of"]

APP_FOLDER = Path(__file__).resolve().parents[2]
CACHE_VARIABLE = "RADHARMONY_CACHE"
_FEW = 20_000  # images
_Stamp = tuple[int, int, int, int] | None
_KEEPING = threading.Lock()
_kept: dict[Path, tuple[dict[Path, _Stamp], Catalog]] = {}


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


def cache_folder() -> Path:
    """Where tables and thumbnails are kept: RADHARMONY_CACHE, else ``cache`` beside app.py."""
    told = os.environ.get(CACHE_VARIABLE, "").strip()
    return Path(told) if told else APP_FOLDER / "cache"


def _table_cache() -> TableCache:
    return TableCache(cache_folder())


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


def report_of(catalog: Catalog, place: int) -> tuple[Report | None, str]:
    """The report of the image's own study, and a note where there is none or it had to be guessed at."""
    report, note = catalog.report(place)
    if report is None:
        return None, note
    empty = "" if report.text.strip() else "The report is empty."
    return report, " ".join([*report.notices, empty]).strip()
