"""The data behind the pages: the configuration, the catalog, the demo of the first start, films ready for the screen.

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

from radharmony_core.catalog import Catalog, load_catalog
from radharmony_core.config import CONFIG_NAME, Config, find_config, load_config
from radharmony_core.demo import write_demo
from radharmony_core.errors import ConfigError, RadHarmonyError
from radharmony_core.images import encode_jpeg, read_image
from radharmony_core.paths import locate
from radharmony_core.reports import Report, read_report

__all__ = ["APP_FOLDER", "Film", "configuration", "film_of", "open_catalog", "prepare_film", "report_of"]

APP_FOLDER = Path(__file__).resolve().parents[2]
DEMO_FOLDER = APP_FOLDER / "demo"
SCREEN_SIDE = 1600  # pixels of the longer side that is sent: about what a 1080p window shows of a film
_BUILDING = threading.Lock()
_BACKGROUND = ThreadPoolExecutor(max_workers=1, thread_name_prefix="next-film")
_ahead: Future[Film] | None = None


@dataclass(frozen=True, slots=True)
class Film:
    """A film as it goes to the browser: ``jpeg`` empty and ``error`` worded where the file cannot be shown."""

    jpeg: bytes
    size: tuple[int, int] | None
    sent: tuple[int, int] | None
    notices: tuple[str, ...]
    error: str | None
    path: str


def configuration() -> Config:
    """The user's configuration, or the demo's; on the first start the demo is built, with progress.

    Raises RadHarmonyError when a configuration is there and cannot be used, or the demo cannot be written.
    """
    path = find_config(APP_FOLDER)
    return load_config(path if path is not None else _demo_config())


def _demo_config() -> Path:
    path = DEMO_FOLDER / CONFIG_NAME
    if path.is_file():
        return path
    with st.spinner("Another window is preparing the demo data.") if _BUILDING.locked() else _quiet(), _BUILDING:
        return path if path.is_file() else _build_demo()


def _quiet() -> threading.Lock:
    """A context that does nothing: a lock of one's own."""
    return threading.Lock()


def _build_demo() -> Path:
    heading = st.subheader("RadHarmony prepares its demo")
    bar = st.progress(0.0, "Chest X-rays of patients who do not exist. This happens once and takes about half a minute.")

    def progress(done: int, total: int, what: str) -> None:
        bar.progress(done / total, f"Demo data, made up: {done} of {total} {what}")

    try:
        return write_demo(DEMO_FOLDER, progress=progress)
    except OSError as error:
        raise ConfigError(
            f"The demo data cannot be written to {DEMO_FOLDER}: {error.strerror or error}. Make room or make the folder "
            f"writable, or name your own {CONFIG_NAME} in RADHARMONY_CONFIG."
        ) from error
    finally:
        bar.empty()
        heading.empty()


def open_catalog(config: Config) -> Catalog:
    """The tables of ``config``, read again only when one of its files has changed. Raises RadHarmonyError."""
    files = (config.path, *(path for table in config.datasets.values() for path in table.values()))
    return _catalog(config.path, tuple((str(path), _changed(path)) for path in files))


def _changed(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


@st.cache_resource(max_entries=2, show_spinner="Reading the tables")
def _catalog(path: Path, _files: tuple[tuple[str, tuple[int, int] | None], ...]) -> Catalog:
    return load_catalog(load_config(path))


def film_of(root: Path | None, image_path: str | None) -> Film:
    """The film as it goes to the screen; a file that is missing or cannot be shown is a worded error, never an exception."""
    if image_path is None:
        return Film(b"", None, None, (), "The table gives no path for this image.", "")
    if root is None:
        return Film(b"", None, None, (), f"No folder of images was found; expected {image_path} in one.", image_path)
    try:
        path = locate(root, image_path)
        if path is None:
            return Film(b"", None, None, (), f"Expected the image at {root / image_path}; there is no such file.", image_path)
        return _film(str(path), _changed(path))
    except RadHarmonyError as error:
        return Film(b"", None, None, (), str(error), image_path)


def prepare_film(root: Path | None, image_path: str | None) -> None:
    """Makes a film ready in the background, the one that will be asked for next. One at a time: while an earlier one is
    being made, the wish is dropped, so that no queue of stale work grows."""
    global _ahead
    if _ahead is None or _ahead.done():
        _ahead = _BACKGROUND.submit(film_of, root, image_path)


@lru_cache(maxsize=64)  # not Streamlit's: the background has no session
def _film(path: str, _changed_at: tuple[int, int] | None) -> Film:
    image = read_image(Path(path))
    jpeg, width, height = encode_jpeg(image.pixels, max_side=SCREEN_SIDE)
    return Film(jpeg, (image.width, image.height), (width, height), tuple(image.notices), None, path)


def report_of(catalog: Catalog, study_id: str | float) -> tuple[Report | None, str]:
    """The study's report, and a note where there is none or it had to be guessed at."""
    if pd.isna(study_id) or study_id not in catalog.studies.index:
        return None, "The image's path names no study, so no report can be looked for."
    relative = str(catalog.studies["report_path"].loc[study_id])
    if catalog.report_root is None:
        return None, f"No folder of reports was found; expected {relative} in one. Set report_dir in {CONFIG_NAME}."
    try:
        report = read_report(catalog.report_root, relative)
    except RadHarmonyError as error:
        return None, str(error)
    empty = "" if report.text.strip() else "The report's file is empty."
    return report, " ".join((*report.notices, empty)).strip()
