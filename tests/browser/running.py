"""Running the app and a Chromium for real: what the browser tests and the browser benchmarks share."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

__all__ = ["NO_CHROMIUM", "QUIET", "ROOT", "chromium", "on_screen", "opened", "outline", "painted", "serving", "wait_until"]

ROOT = Path(__file__).parents[2]
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def chromium() -> str | None:
    """The program to drive: RADHARMONY_CHROMIUM, else the first of the usual names on the path."""
    named = os.environ.get("RADHARMONY_CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


NO_CHROMIUM = "No Chromium: install one (Debian: apt install chromium) or name it in RADHARMONY_CHROMIUM."


@contextmanager
def serving(config: Path | None, app: Path = ROOT) -> Iterator[str]:
    """The app on a free loopback port, ready to answer. ``config`` is its configuration, None for none."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if name != "RADHARMONY_CONFIG"}
    if config is not None:
        environment["RADHARMONY_CONFIG"] = str(config)
    kept = tempfile.TemporaryDirectory()  # the app's tables: never beside the sources
    environment["RADHARMONY_CACHE"] = kept.name
    module = "pages._ui.server" if (app / "pages").is_dir() else "streamlit"
    command = [sys.executable, "-m", module, "run", "app.py", "--server.port", str(port), "--server.headless", "true"]
    log = open(os.devnull, "wb")  # noqa: SIM115, PTH123  closed below, with the server
    server = subprocess.Popen(command, cwd=app, env=environment, stdout=log, stderr=log)
    try:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/_stcore/health"), "the server to answer")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)
        log.close()
        kept.cleanup()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310  our own loopback address
            return bool(answer.status == 200)
    except OSError:
        return False


def wait_until(happened: Callable[[], bool], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, f"waited {seconds:.0f} s for {what}"
        time.sleep(0.05)


def painted(page: Page, image_id: str) -> None:
    """Waits until the viewer shows this film: its picture, its boxes, its words."""
    page.wait_for_selector(f'.viewer[data-painted="{image_id}"]', timeout=30_000)


def opened(page: Page, server: str, film: str, query: str = "") -> Page:
    page.goto(f"{server}/?film={film}{query}")
    painted(page, film)
    return page


def on_screen(page: Page, box_id: str) -> list[float]:
    """x, y, width, height of a box's outline in screen pixels: the line's middle, without the stroke's thickness."""
    rect: list[float] = page.locator(f'.box[data-box-id="{box_id}"] .line').evaluate(
        "node => { const r = node.getBBox(), s = node.ownerSVGElement.getBoundingClientRect();"
        " return [r.x + s.x, r.y + s.y, r.width, r.height] }"
    )
    return rect


def outline(page: Page, box_id: str) -> list[float]:
    """x, y, width, height of a box's outline in pixels of a film that is 48 wide, read off the screen."""
    film, rect = page.locator(".film").bounding_box(), on_screen(page, box_id)
    assert film
    scale = film["width"] / 48
    return [(rect[0] - film["x"]) / scale, (rect[1] - film["y"]) / scale, rect[2] / scale, rect[3] / scale]
