"""The first start: no configuration, no demo; the app makes the demo with progress and opens on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running import ROOT, serving

pytestmark = pytest.mark.browser


def test_the_demo_is_built_with_progress_and_shown(page: Page, tmp_path: Path) -> None:
    app = tmp_path / "app with a space é"
    app.mkdir()
    for name in ("app.py", "pages", "radharmony_core", ".streamlit"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, app / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, app / name)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    with serving(None, app) as address:
        page.goto(address)
        expect(page.get_by_text("Demo data, made up:").first).to_be_visible(timeout=60_000)
        page.wait_for_selector(".viewer[data-painted]", timeout=240_000)
        expect(page.get_by_text("every film and every word is made up")).to_be_visible()
        assert page.locator(".message").is_hidden()
        assert page.locator(".box").count() >= 1
        assert (app / "demo" / "radharmony.toml").is_file()
        page.reload()
        page.wait_for_selector(".viewer[data-painted]", timeout=30_000)
        assert [url for url in requests if not url.startswith((address, "blob:", "data:"))] == [], "nothing leaves the machine"
