"""The first start: the demo is made in the background, once for all windows, and each of them shows how far it is."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from radharmony_core.config import CONFIG_NAME
from radharmony_core.demo import write_demo
from radharmony_core.errors import ConfigError, RadHarmonyError

__all__ = ["demo_config"]


@dataclass(slots=True)
class _Build:
    """One making of the demo: ``done`` of ``total`` are finished; ``failed`` says why it ended without a demo."""

    done: int = 0
    total: int = 1
    what: str = "films"
    failed: RadHarmonyError | None = None
    finished: threading.Event = field(default_factory=threading.Event)


_LOCK = threading.Lock()
_builds: dict[Path, _Build] = {}


def demo_config(folder: Path) -> Path:
    """The demo's ``radharmony.toml`` in ``folder``, made first where it is not there. Raises RadHarmonyError.

    A window that is closed or reloaded leaves the making to go on, and finds it again.
    """
    path = folder / CONFIG_NAME
    if path.is_file():
        return path
    with _LOCK:
        build = _builds.get(folder)
        if build is None or build.finished.is_set():
            build = _builds[folder] = _Build()
            threading.Thread(target=_make, args=(folder, build), daemon=True).start()
    _show(build)
    if build.failed is not None:
        raise build.failed
    return path


def _make(folder: Path, build: _Build) -> None:
    def progress(done: int, total: int, what: str) -> None:
        build.done, build.total, build.what = done, total, what

    try:
        write_demo(folder, progress=progress)
    except RadHarmonyError as error:
        build.failed = error
    except OSError as error:
        build.failed = ConfigError(
            f"The demo data cannot be written to {folder}: {error.strerror or error}. Make room or make the folder "
            f"writable, or name your own {CONFIG_NAME} in RADHARMONY_CONFIG."
        )
    finally:
        build.finished.set()


def _show(build: _Build) -> None:
    heading = st.subheader("RadHarmony prepares its demo")
    bar = st.progress(0.0, "Chest X-rays of patients who do not exist. This happens once and takes about half a minute.")
    while not build.finished.is_set():
        if build.done:
            bar.progress(build.done / build.total, f"Demo data, made up: {build.done} of {build.total} {build.what}")
        time.sleep(0.1)
    bar.empty()
    heading.empty()
