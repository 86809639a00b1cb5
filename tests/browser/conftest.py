"""A real Chromium against the real app. Without a Chromium the tests skip and say how to get one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import dataset, ramps
from tests.browser.running import NO_CHROMIUM, QUIET, chromium, serving


def cannot_run(reason: str) -> NoReturn:
    """A skip for people, a failure where the tests are required to run."""
    if os.environ.get("RADHARMONY_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = chromium()
    if program is None:
        cannot_run(NO_CHROMIUM)
    driver = subprocess.run([compute_driver_executable()[0], "--version"], capture_output=True, text=True, check=False)
    if driver.returncode:
        cannot_run(f"Playwright's driver does not start: {driver.stderr.strip()}. On Debian: apt install libatomic1.")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield running
        running.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window of 1440 x 900; an error in a script fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert not errors, errors


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app on the small dataset of `dataset.build`, one for all tests."""
    with serving(dataset.build(tmp_path_factory.mktemp("cases"))) as address:
        yield address


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the films of `ramps.build`."""
    return ramps.build(tmp_path_factory.mktemp("windows")).parent


@pytest.fixture(scope="session")
def address(browser: Browser, films: Path) -> Iterator[str]:
    """The app on those films, one for all tests."""
    with serving(films / "radharmony.toml") as running:
        yield running
