"""The hand on the window, in a real browser: what is seen is the core's own table, at rest and while it is dragged."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from radharmony_core.images import Window
from tests.browser.ramps import expected, levels, looked, same_course, shows
from tests.browser.running import opened

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["a_plain", "b_inverted"])
def test_the_list_offers_the_files_windows_and_ours(page: Page, address: str, films: Path, name: str) -> None:
    opened(page, address, name)
    assert same_course(levels(page), expected(films, name, "default"))
    for key in ("window2", "full", "auto", "mimic_cxr_jpg"):
        page.locator(".preset").select_option(key)
        looked(page, window=key)
        assert same_course(levels(page), expected(films, name, key)), key
        shows(page, "jpeg")
    page.locator(".reset").click()
    looked(page, window="")
    assert same_course(levels(page), expected(films, name, "default"))


def test_numbers_keys_and_the_corner_of_the_film(page: Page, address: str, films: Path) -> None:
    opened(page, address, "a_plain")
    expect(page.locator(".center")).to_have_value("1000")
    expect(page.locator(".width")).to_have_value("1000")
    page.locator(".width").fill("500")
    page.locator(".width").press("Enter")
    looked(page, window="1000,500")
    assert same_course(levels(page), expected(films, "a_plain", Window(1000, 500)))
    expect(page.locator(".preset")).to_have_value("hand")
    page.locator(".stage").click()
    page.keyboard.press("i")
    looked(page, invert="1")
    assert same_course(levels(page), expected(films, "a_plain", Window(1000, 500), invert=True))
    expect(page.locator(".caption")).to_contain_text("inverted")
    page.keyboard.press("c")
    looked(page, contrast="1")
    expect(page.locator(".caption")).to_contain_text("local contrast")
    page.keyboard.press("r")
    looked(page, window="", invert="", contrast="")
    assert same_course(levels(page), expected(films, "a_plain", "default"))
    page.keyboard.press("w")
    looked(page, window="window2")


@pytest.mark.parametrize(("name", "sign"), [("a_plain", 1), ("b_inverted", -1)])
def test_a_right_drag_sets_the_window_in_the_browser_first(page: Page, address: str, films: Path, name: str, sign: int) -> None:
    """600 pixels are all 4,095 values: 100 to the right widen by 682.5, 40 up make it brighter by 273, by whole numbers."""
    opened(page, address, name)
    page.mouse.move(400, 400)
    page.mouse.down(button="right")
    page.mouse.move(450, 380)
    page.wait_for_timeout(500)
    page.mouse.move(500, 360)
    expect(page.locator(".width")).to_have_value("1683")
    shows(page, "reduced")
    wanted = Window(1000 - sign * 273, 1683)  # in whole values: 1682.5
    assert same_course(levels(page), expected(films, name, wanted)), "while it is held"
    page.mouse.up(button="right")
    looked(page, window=f"{wanted.center:.6g},{wanted.width:.6g}")
    shows(page, "jpeg")
    assert same_course(levels(page), expected(films, name, wanted)), "when it rests"
