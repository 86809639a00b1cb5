"""The Datasets page in a browser: a path is looked at while it is typed, and what it leads to is plain text."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.running import serving
from tests.catalog.mimic import write_jpg_tables, write_mimic_tables
from tests.support import annotation, write_table

pytestmark = pytest.mark.browser

ODD = "jpg *bold* ![x](http://127.0.0.1:9/x.png) é"


def test_a_dataset_is_added_by_typing(page: Page, tmp_path: Path) -> None:
    write_table(tmp_path / "ms.csv", [annotation(dicom_id="aaaa")])
    write_jpg_tables(tmp_path / ODD)
    write_mimic_tables(tmp_path / "mimic")
    config = tmp_path / "radharmony.toml"
    config.write_text('[ms_cxr]\ncsv_path = "ms.csv"\n', encoding="utf-8")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    with serving(config) as address:
        page.goto(f"{address}/datasets")
        page.get_by_text("Add or change a dataset").wait_for()
        expect(page.get_by_role("link", name="Viewer")).to_be_visible()  # the first link after the start names a page
        page.get_by_role("combobox", name="Add or change a dataset").click()
        page.get_by_role("option", name="MIMIC-CXR-JPG").click()
        root = page.get_by_placeholder("The release's folder, with the mimic-cxr-2.0.0")
        root.press_sequentially("nowhere")
        expect(page.get_by_text("there is nothing. Check the path.")).to_be_visible()
        root.fill("")
        root.press_sequentially(str(tmp_path / ODD))
        expect(page.get_by_text("mimic-cxr-2.0.0-split.csv.gz")).to_be_visible()
        expect(page.get_by_role("button", name="Save")).to_be_enabled()  # without Enter, and without leaving the field
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("MIMIC-CXR-JPG was written to")).to_be_visible()
        page.get_by_text("MIMIC-CXR-JPG: 4 images").click()
        expect(page.get_by_text(f"root = {tmp_path / ODD}")).to_be_visible()
        assert page.locator("img").count() == 0, "the path became no picture"
        page.goto(f"{address}/?film=cccc")
        page.get_by_text("Film 3 of 4").wait_for()
        assert [url for url in requests if not url.startswith((address, "blob:", "data:"))] == []
