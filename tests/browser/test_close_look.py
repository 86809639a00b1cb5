"""Close up the film's own pixels are shown, to the gray level."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from radharmony_core.images import Window, decode_image
from tests.browser.ramps import expected, looked, native, shows
from tests.browser.running import opened, wait_until

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["a_plain", "b_inverted"])
def test_a_close_look_shows_the_files_own_pixels(page: Page, address: str, films: Path, name: str) -> None:
    opened(page, address, name)
    shows(page, "jpeg")
    page.locator(".native").click()
    shows(page, "native")
    assert native(page) == expected(films, name, "default").tolist(), "every pixel, to the gray level"
    page.locator(".fit").click()
    shows(page, "jpeg")


def test_the_browsers_table_is_the_cores(page: Page, address: str, films: Path) -> None:
    opened(page, address, "a_plain")
    page.locator(".native").click()
    shows(page, "native")
    page.mouse.move(400, 300)
    page.mouse.down(button="right")
    page.mouse.move(437, 317)
    expect(page.locator(".width")).to_have_value("1253")
    wanted = Window(1116, 1253)  # 17 x 4095 / 600 = 116.0, 37 x 4095 / 600 = 252.5
    assert native(page, 8) == expected(films, "a_plain", wanted).tolist()
    page.mouse.up(button="right")


def test_local_contrast_also_shows_close_up(page: Page, address: str, films: Path) -> None:
    path = next(films.rglob("a_plain.dcm"))
    opened(page, address, "a_plain")
    page.keyboard.press("1")
    shows(page, "native")
    page.keyboard.press("c")
    looked(page, contrast="1")
    shows(page, "native")
    wanted = decode_image(path).show(local_contrast=True).pixels[800].tolist()
    wait_until(lambda: native(page) == wanted, "local contrast close up")
    page.keyboard.press("c")
    looked(page, contrast="")
    plain = decode_image(path).show().pixels[800].tolist()
    wait_until(lambda: native(page) == plain, "the film as its file says")
