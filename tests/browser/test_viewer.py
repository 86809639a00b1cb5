"""The film viewer as a reader sees it: where boxes lie, what text says, what keys do."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser import dataset
from tests.browser.running import painted, serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(dataset.build(tmp_path_factory.mktemp("cases"))) as address:
        yield address


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


def screen(page: Page) -> np.ndarray:
    """The stage's pixels, gray, without boxes."""
    picture = page.locator(".stage").screenshot()
    return np.asarray(Image.open(io.BytesIO(picture)).convert("L")).astype(int)


@pytest.mark.parametrize("zoom", ["native", "fit", "closer"])
def test_the_outline_runs_on_the_bright_blocks_border(page: Page, server: str, zoom: str) -> None:
    """Rows 20-26 and columns 10-18 are bright: the outline's edges and the picture's own edges must agree."""
    opened(page, server, "block")
    if zoom != "fit":
        page.locator(".native").click()
    if zoom == "closer":
        for _ in range(6):
            page.locator(".zoom-in").click()
    assert outline(page, "block#1") == pytest.approx([10, 20, 8, 6], abs=0.25)
    stage, line = page.locator(".stage").bounding_box(), on_screen(page, "block#1")
    page.keyboard.press("b")
    bright = screen(page) > 135
    rows, columns = np.flatnonzero(bright.any(axis=1)), np.flatnonzero(bright.any(axis=0))
    assert stage
    scale = line[2] / 8
    seen = [columns[0], rows[0], columns[-1] + 1 - columns[0], rows[-1] + 1 - rows[0]]
    drawn = [line[0] - stage["x"], line[1] - stage["y"], line[2], line[3]]
    assert seen == pytest.approx(drawn, abs=max(1.0, 0.25 * scale))


def test_one_film_pixel_is_one_screen_pixel_at_native_size(page: Page, server: str) -> None:
    opened(page, server, "wide")
    page.locator(".native").click()
    film = page.locator(".film").bounding_box()
    assert film
    assert (film["width"], film["height"]) == pytest.approx((800, 300), abs=0.01)
    assert on_screen(page, "wide#1") == pytest.approx([film["x"], film["y"], 400, 150], abs=0.01)


def test_the_point_under_the_wheel_stays(page: Page, server: str) -> None:
    opened(page, server, "several")
    pointer = (420, 560)

    def under_pointer() -> list[float]:
        film = page.locator(".film").bounding_box()
        assert film
        return [(pointer[0] - film["x"]) / film["width"], (pointer[1] - film["y"]) / film["height"]]

    before, small = under_pointer(), on_screen(page, "several#1")
    page.mouse.move(*pointer)
    page.mouse.wheel(0, -600)
    page.wait_for_timeout(100)
    assert on_screen(page, "several#1")[2] > 2 * small[2]
    assert under_pointer() == pytest.approx(before, abs=1e-4)


def test_dragging_moves_film_and_boxes_together(page: Page, server: str) -> None:
    opened(page, server, "several")
    before = page.locator(".film").bounding_box()
    assert before
    page.mouse.move(500, 400)
    page.mouse.down()
    page.mouse.move(570, 430, steps=4)
    page.mouse.up()
    after = page.locator(".film").bounding_box()
    assert after
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((70, 30), abs=1)
    assert outline(page, "several#3") == pytest.approx([10, 10, 28, 20], abs=0.05)
    page.mouse.dblclick(500, 400)
    assert page.locator(".film").bounding_box() == pytest.approx(before, abs=0.5)


TEXTS = [("markdown", dataset.MARKDOWN), ("markup", dataset.MARKUP)]


@pytest.mark.parametrize(("film", "text"), TEXTS, ids=[row[0] for row in TEXTS])
def test_a_report_is_the_files_own_characters(page: Page, server: str, film: str, text: str) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    opened(page, server, film)
    assert page.locator(".report").text_content() == text
    assert page.locator(".report *").count() == page.locator(".report mark").count(), "nothing in it became an element"
    page.wait_for_timeout(300)
    assert page.evaluate("window.__ran") is None
    assert [url for url in requests if not url.startswith((server, "blob:", "data:"))] == []


def test_a_phrase_is_text_wherever_it_is_shown(page: Page, server: str) -> None:
    opened(page, server, "markup")
    assert page.locator(".phrase blockquote").text_content() == dataset.MARKUP_PHRASE
    page.locator(".box .line").hover()
    assert dataset.MARKUP_PHRASE in (page.locator(".tip").text_content() or "")
    assert page.locator(".tip b, .tip img, .phrase b, .phrase img").count() == 0
    assert page.evaluate("window.__ran") is None
    name = page.locator(".box").get_attribute("aria-label")
    assert name is not None
    assert dataset.MARKUP_PHRASE in name


FAILING = [
    ("missing", "there is no such file"),
    ("junk", "HTML"),
]


@pytest.mark.parametrize(("film", "words"), FAILING, ids=[row[0] for row in FAILING])
def test_a_film_that_fails_says_why_and_the_next_one_shows(page: Page, server: str, film: str, words: str) -> None:
    opened(page, server, film)
    expect(page.locator(".message")).to_contain_text(words)
    expect(page.locator(".box")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    page.wait_for_selector(f'.viewer[data-painted]:not([data-painted="{film}"])')


def test_a_box_outside_the_film_is_seen_in_a_margin(page: Page, server: str) -> None:
    opened(page, server, "outside")
    stage = page.locator(".stage").bounding_box()
    assert outline(page, "outside#1") == pytest.approx([-24, 10, 36, 20], abs=0.1)
    assert stage
    assert on_screen(page, "outside#1")[0] >= stage["x"], "all of it is on the stage"
    assert page.locator('.box[data-box-id="outside#2"] path.line').count() == 1, "no area: a marker"
    assert page.locator(".phrase .issue").all_text_contents() == ["box outside image (error)", "box without area (error)"]


def test_a_box_without_a_place_is_listed_not_drawn(page: Page, server: str) -> None:
    opened(page, server, "unplaced")
    assert page.locator(".box").count() == 0
    expect(page.locator(".phrase")).to_contain_text("not placed")
    expect(page.locator(".phrase .issue")).to_contain_text("not a number")


def test_a_resized_copy_and_another_shape_are_said(page: Page, server: str) -> None:
    opened(page, server, "resized")
    expect(page.locator(".notices")).to_contain_text("a resized copy")
    assert outline(page, "resized#1") == pytest.approx([30, 10, 10, 20], abs=0.1), "60 of 96 is 30 of 48"
    opened(page, server, "turned")
    expect(page.locator(".notices")).to_contain_text("another shape")
    film = page.locator(".film").bounding_box()
    assert film
    assert film["width"] / film["height"] == pytest.approx(48 / 64, abs=0.01), "never stretched in silence"


def test_a_box_its_phrase_and_its_words_light_up_together_without_the_server(page: Page, server: str) -> None:
    opened(page, server, "several")
    frames: list[object] = []
    page.on("websocket", lambda socket: frames.append(socket))
    page.locator('.box[data-box-id="several#3"] .line').hover()
    assert page.locator(".phrase.lit blockquote").all_text_contents() == ["mild edema"]
    assert page.locator(".report mark.lit").all_text_contents() == ["Mild\n edema"]
    page.locator(".phrase").first.hover()
    lit = page.locator(".box.lit").evaluate_all("nodes => nodes.map(node => node.dataset.boxId)")
    assert sorted(lit) == ["several#1", "several#2"], "both boxes of the phrase"
    assert page.locator(".report mark.lit").all_text_contents() == ["both bases"]
    assert frames == []


def test_two_phrases_on_one_box_are_both_seen(page: Page, server: str) -> None:
    opened(page, server, "shared")
    first, second = (page.locator(".box").nth(number) for number in (0, 1))
    offsets = [box.locator(".line").get_attribute("stroke-dashoffset") for box in (first, second)]
    assert offsets == ["0", "-10"], "the outlines take turns"
    tags = [box.locator(".tag rect").bounding_box() for box in (first, second)]
    assert tags[0]
    assert tags[1]
    assert tags[1]["x"] >= tags[0]["x"] + tags[0]["width"], "the tags stand side by side"


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


def test_boxes_are_reached_and_named_from_the_keyboard(page: Page, server: str) -> None:
    opened(page, server, "several")
    page.locator('.box[data-box-id="several#3"]').focus()
    expect(page.locator(".tip")).to_contain_text("3 Edema")
    name = page.locator('.box[data-box-id="several#3"]').get_attribute("aria-label")
    assert name == "Box 3 of 3, Edema, x 10 to 38, y 10 to 30 px (21-79 % across, 16-47 % down), phrase: mild edema"
    alt = page.locator(".film").get_attribute("alt")
    assert alt == "Chest X-ray several with 3 annotated boxes"


def test_a_small_window_stacks_film_and_panel(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 600, "height": 900})
    opened(page, server, "several")
    stage, panel = page.locator(".stage").bounding_box(), page.locator(".panel").bounding_box()
    assert stage
    assert panel
    assert panel["y"] >= stage["y"] + stage["height"]
