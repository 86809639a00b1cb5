"""The hand on the viewer: pointing, switches, keys, links, and windows of another size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.running import opened, painted, serving
from tests.support import annotation, gray_image, write_table

pytestmark = pytest.mark.browser


def test_a_box_its_phrase_and_its_words_light_up_together_without_the_server(page: Page, server: str) -> None:
    frames: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(frame)))
    opened(page, server, "several")
    page.wait_for_timeout(500)
    assert frames, "frames are counted at all"
    frames.clear()
    page.locator('.box[data-box-id="several#3"] .line').hover()
    assert page.locator(".phrase.lit blockquote").all_text_contents() == ["mild edema"]
    assert page.locator(".report mark.lit").all_text_contents() == ["Mild\n edema"]
    page.locator(".phrase").first.hover()
    lit = page.locator(".box.lit").evaluate_all("nodes => nodes.map(node => node.dataset.boxId)")
    assert sorted(lit) == ["several#1", "several#2"], "both boxes of the phrase"
    assert page.locator(".report mark.lit").all_text_contents() == ["both bases"]
    assert frames == []


def test_boxes_are_switched_one_by_one_and_all_at_once(page: Page, server: str) -> None:
    opened(page, server, "several")
    page.locator('.switch input[data-box-id="several#2"]').uncheck()
    expect(page.locator('.box[data-box-id="several#2"]')).to_be_hidden()
    expect(page.locator('.box[data-box-id="several#1"]')).to_be_visible()
    page.keyboard.press("b")
    expect(page.locator('.box[data-box-id="several#1"]')).to_be_hidden()
    page.keyboard.press("b")
    for number in (1, 2, 3):
        expect(page.locator(f'.box[data-box-id="several#{number}"]')).to_be_visible()
    page.locator(".all").click()
    expect(page.locator(".box").first).to_be_hidden()


def test_keys_change_films_and_typing_is_not_a_command(page: Page, server: str) -> None:
    opened(page, server, "block")
    page.keyboard.press("ArrowRight")
    painted(page, "wide")
    page.keyboard.press("ArrowLeft")
    painted(page, "block")
    field = page.get_by_label("Phrase contains")
    field.click()
    field.type("b+")
    assert page.locator(".box").first.is_visible(), "b in a field hides nothing"
    before = page.locator(".zoom").text_content()
    field.press("=")
    assert page.locator(".zoom").text_content() == before


def test_zoom_keys(page: Page, server: str) -> None:
    opened(page, server, "block")
    fitted = page.locator(".film").bounding_box()
    page.keyboard.press("1")
    native = page.locator(".film").bounding_box()
    assert native
    assert fitted
    assert native["width"] == pytest.approx(48, abs=0.01)
    page.keyboard.press("+")
    larger = page.locator(".film").bounding_box()
    assert larger
    assert larger["width"] == pytest.approx(60, abs=0.01)
    page.keyboard.press("=")
    again = page.locator(".film").bounding_box()
    assert again
    assert again["width"] == pytest.approx(fitted["width"], abs=0.01)


def test_no_press_is_lost_and_none_queues(page: Page, server: str) -> None:
    opened(page, server, "block")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Film 6 of 13")).to_be_visible()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Film 13 of 13")).to_be_visible()
    for number in range(9):
        page.keyboard.press("ArrowRight" if number % 3 == 2 else "ArrowLeft")
        page.wait_for_timeout(10 * number)
    expect(page.get_by_text("Film 10 of 13")).to_be_visible()
    check_that_one_film_is_shown(page)


def test_clicking_faster_than_films_come_never_mixes_two(page: Page, server: str) -> None:
    opened(page, server, "block")
    for _ in range(15):
        page.get_by_role("button", name="Next").click(no_wait_after=True)
    page.wait_for_timeout(1500)
    check_that_one_film_is_shown(page)


def check_that_one_film_is_shown(page: Page) -> None:
    """Picture, boxes and facts speak of the same film, read in one moment, and the URL of it in the end."""
    page.wait_for_timeout(1000)  # the last film asked for may still be on its way
    seen = page.locator(".viewer").evaluate(
        "viewer => ({"
        " shown: viewer.dataset.painted, alt: viewer.querySelector('.film').alt,"
        " boxes: [...viewer.querySelectorAll('.box')].map(node => node.dataset.boxId),"
        " facts: viewer.querySelector('.facts').textContent })"
    )
    shown = seen["shown"]
    assert seen["alt"].startswith(f"Chest X-ray {shown} ")
    assert {name.partition("#")[0] for name in seen["boxes"]} <= {shown}
    assert f"Image{shown}" in seen["facts"]
    expect(page).to_have_url(re.compile(f"film={shown}$"))  # the last thing that the server says of a film


def test_a_film_that_is_replaced_or_lost_does_not_stay_on_the_screen(page: Page, tmp_path: Path, browser: Browser) -> None:
    image = gray_image(tmp_path / "files/p10/p10000001/s50000001/aaaa.jpg", 48, 64)
    write_table(tmp_path / "ms.csv", [annotation()])
    (tmp_path / "radharmony.toml").write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "files"\n')
    with serving(tmp_path / "radharmony.toml") as address:
        page.goto(address)
        painted(page, "aaaa")
        first = page.locator(".film").get_attribute("src")
        gray_image(image, 96, 128)
        field = page.get_by_label("Phrase contains")
        field.fill("edema")
        field.press("Enter")
        expect(page.locator(".notices")).to_contain_text("96 x 128")
        assert page.locator(".film").get_attribute("src") != first, "the picture is the new file's"
        image.unlink()
        field.fill("mild")
        field.press("Enter")
        expect(page.locator(".message")).to_contain_text("is not there")
        expect(page.locator(".film")).to_be_hidden()


def test_a_link_brings_the_view_back_in_another_browser(page: Page, server: str, browser: Browser) -> None:
    opened(page, server, "several", "&label=Pneumonia")
    expect(page.get_by_text("Film 1 of 1")).to_be_visible()
    page.reload()
    painted(page, "several")
    expect(page.get_by_text("Film 1 of 1")).to_be_visible()
    other = browser.new_context().new_page()
    other.goto(page.url)
    painted(other, "several")
    expect(other.get_by_text("Film 1 of 1")).to_be_visible()
    other.context.close()


def test_the_browsers_back_button_returns_to_the_film_before(page: Page, server: str) -> None:
    opened(page, server, "block")
    page.get_by_role("button", name="Next").click()
    painted(page, "wide")
    page.go_back()
    painted(page, "block")
    expect(page).to_have_url(re.compile("film=block$"))


def test_everything_is_seen_without_scrolling(page: Page, server: str) -> None:
    opened(page, server, "several")
    film, stage = page.locator(".film").bounding_box(), page.locator(".stage").bounding_box()
    tools = page.locator(".tools").bounding_box()
    assert film
    assert stage
    assert tools
    assert tools["y"] + tools["height"] <= 900
    assert film["height"] >= 0.9 * stage["height"], "a portrait film fills the stage's height"
    assert stage["width"] * stage["height"] >= 0.4 * 1440 * 900, "the film is the largest thing on the page"


def test_the_viewer_fits_the_window_with_the_sidebar_folded_and_after_a_resize(page: Page, server: str) -> None:
    opened(page, server, "several")
    page.locator('[data-testid="stSidebar"]').hover()
    page.locator('[data-testid="stSidebarCollapseButton"] button').click()
    for height in (900, 700, 1000):
        page.set_viewport_size({"width": 1440, "height": height})
        page.wait_for_timeout(700)
        tools = page.locator(".tools").bounding_box()
        assert tools
        assert height - 60 <= tools["y"] + tools["height"] <= height


def test_boxes_are_reached_and_named_from_the_keyboard(page: Page, server: str) -> None:
    opened(page, server, "several")
    page.locator('.box[data-box-id="several#3"]').focus()
    expect(page.locator(".tip")).to_contain_text("3 Edema")
    name = page.locator('.box[data-box-id="several#3"]').get_attribute("aria-label")
    assert name == "Box 3 of 3, Edema, x 10 to 38, y 10 to 30 px (21 to 79 % across, 16 to 47 % down), phrase: mild edema"
    alt = page.locator(".film").get_attribute("alt")
    assert alt == "Chest X-ray several with 3 annotated boxes"


def test_a_small_window_stacks_film_and_panel(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 600, "height": 900})
    opened(page, server, "several")
    stage, panel = page.locator(".stage").bounding_box(), page.locator(".panel").bounding_box()
    assert stage
    assert panel
    assert panel["y"] >= stage["y"] + stage["height"]
