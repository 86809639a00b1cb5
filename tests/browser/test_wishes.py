"""What is asked for in quick succession adds up, and a look goes along where it belongs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.ramps import levels, looked, shows
from tests.browser.running import opened, painted

pytestmark = pytest.mark.browser


def test_an_eight_bit_film_is_windowed_too_and_a_preset_goes_along(page: Page, address: str) -> None:
    opened(page, address, "c_gray")
    before = levels(page)
    page.keyboard.press("i")
    looked(page, invert="1")
    assert np.abs(levels(page) - (255 - before)).mean() < 4
    page.keyboard.press("ArrowLeft")
    painted(page, "b_inverted")
    looked(page, invert="1")
    expect(page.locator(".caption")).to_contain_text("inverted")


def test_how_the_picture_was_made_is_told(page: Page, address: str) -> None:
    opened(page, address, "b_inverted")
    page.locator(".made summary").click()
    told = " ".join(page.locator(".steps li").all_text_contents())
    for words in ("MONOCHROME1", "1000", "PS3.3"):
        assert words in told


def test_wishes_in_quick_succession_add_up(page: Page, address: str) -> None:
    opened(page, address, "a_plain")
    for key in "icww":
        page.keyboard.press(key)
    looked(page, invert="1", contrast="1", window="full")
    page.keyboard.press("i")
    page.keyboard.press("ArrowRight")
    painted(page, "b_inverted")
    looked(page, invert="", contrast="1", window="full")


def test_the_film_can_be_left_and_looked_at_closely_again(page: Page, address: str) -> None:
    opened(page, address, "a_plain")
    page.keyboard.press("1")
    shows(page, "native")
    page.keyboard.press("ArrowRight")
    painted(page, "b_inverted")
    page.keyboard.press("ArrowLeft")
    painted(page, "a_plain")
    shows(page, "jpeg")
    page.keyboard.press("1")
    shows(page, "native")


def test_the_look_comes_back_after_a_change_of_page(page: Page, address: str) -> None:
    opened(page, address, "a_plain")
    page.keyboard.press("i")
    page.keyboard.press("w")
    looked(page, invert="1", window="window2")
    page.get_by_role("link", name="Datasets").click()
    page.wait_for_url("**/datasets**")
    page.get_by_role("link", name="Viewer").click()
    painted(page, "a_plain")
    looked(page, invert="1", window="window2", film="a_plain")


def test_after_a_choice_the_keys_are_the_films_again(page: Page, address: str) -> None:
    opened(page, address, "a_plain")
    page.locator(".preset").select_option("full")
    looked(page, window="full")
    page.keyboard.press("ArrowRight")
    painted(page, "b_inverted")
    page.locator(".width").fill("400")
    page.locator(".width").press("Enter")
    looked(page, window="2047.5,400,LINEAR_EXACT")
    page.keyboard.press("ArrowLeft")
    painted(page, "a_plain")


def test_an_answer_does_not_take_away_what_is_being_typed(page: Page, address: str) -> None:
    opened(page, address, "a_plain")
    page.keyboard.press("1")  # asks for the film's own pixels, which come while a number is typed
    page.locator(".width").fill("400")
    shows(page, "native")
    expect(page.locator(".width")).to_have_value("400")
    page.locator(".width").press("Enter")
    looked(page, window="1000,400")


@pytest.mark.parametrize("pause", [0, 150, 200, 230, 260, 300])
def test_a_step_is_not_undone_by_a_wish_about_the_film_before(page: Page, server: str, pause: int) -> None:
    """A small film is seen close up at once, so its own pixels are asked for 200 ms after it is shown."""
    opened(page, server, "block")
    page.wait_for_timeout(pause)
    page.get_by_role("button", name="Next").click()
    painted(page, "wide")
    page.wait_for_timeout(700)
    painted(page, "wide")
    expect(page).to_have_url(re.compile("film=wide$"))
    page.go_back()
    painted(page, "block")
