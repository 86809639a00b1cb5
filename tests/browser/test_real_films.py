"""Real radiographs with NIH's own boxes, where they are at hand: every film shows, and an outline lies on the table's pixels."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.running import ROOT, painted, serving

pytestmark = pytest.mark.browser

ARRANGE = ROOT.parent / "shared" / "tools" / "nih_as_ms_cxr.py"


@pytest.fixture(scope="module", params=["jpg", "dicom"])
def arranged(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    if not ARRANGE.is_file():
        pytest.skip("The real radiographs (../shared) are not here.")
    folder = tmp_path_factory.mktemp(request.param)
    flags = ["--dicom"] if request.param == "dicom" else []
    subprocess.run([sys.executable, str(ARRANGE), str(folder), *flags], check=True, capture_output=True)
    config = folder / "radharmony.toml"
    config.write_text('[ms_cxr]\nroot = "."\n')
    with serving(config) as address:
        yield address, folder / "MS_CXR_Local_Alignment_v1.1.0.csv"


def test_twelve_films_show_and_outlines_lie_on_the_tables_pixels(page: Page, arranged: tuple[str, Path]) -> None:
    address, table = arranged
    with table.open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 12
    page.goto(address)
    for row in rows:
        painted(page, row["dicom_id"])
        assert page.locator(".message").is_hidden()
        page.locator(".native").click()
        film = page.locator(".film").bounding_box()
        assert film
        assert (film["width"], film["height"]) == pytest.approx((1024, 1024), abs=0.01)
        x, y, w, h = page.locator(".box .line").evaluate(
            "node => { const r = node.getBBox(), s = node.ownerSVGElement.getBoundingClientRect();"
            " return [r.x + s.x, r.y + s.y, r.width, r.height] }"
        )
        expected = [float(row[name]) for name in "xywh"]
        assert [x - film["x"], y - film["y"], w, h] == pytest.approx(expected, abs=1)
        phrase = page.locator(".phrase blockquote").text_content()
        assert phrase == row["label_text"]
        assert page.locator(".report mark").text_content() == row["label_text"]
        if row is not rows[-1]:
            page.get_by_role("button", name="Next").click()
