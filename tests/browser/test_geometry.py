"""Where the film and its boxes lie on the screen, against numbers worked out by hand and against the picture's own edges."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.running import on_screen, opened, outline

pytestmark = pytest.mark.browser


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


def test_a_box_outside_the_film_is_seen_in_a_margin(page: Page, server: str) -> None:
    opened(page, server, "outside")
    stage = page.locator(".stage").bounding_box()
    assert outline(page, "outside#1") == pytest.approx([-24, 10, 36, 20], abs=0.1)
    assert stage
    assert on_screen(page, "outside#1")[0] >= stage["x"], "all of it is on the stage"
    assert page.locator('.box[data-box-id="outside#2"] path.line').count() == 1, "no area: a marker"
    issues = page.locator(".phrase .issue").all_text_contents()
    assert [issue for issue in issues if issue.endswith("(error)")] == ["box outside image (error)", "box without area (error)"]


def test_a_box_miles_away_still_shows_its_tag_at_the_edge(page: Page, server: str) -> None:
    opened(page, server, "far")
    stage = page.locator(".stage").bounding_box()
    assert stage
    for number in (1, 2):
        tag = page.locator(f'.box[data-box-id="far#{number}"] .tag').bounding_box()
        assert tag
        assert stage["y"] - 1 <= tag["y"] <= stage["y"] + stage["height"] - tag["height"] + 1


def test_a_box_without_a_place_is_listed_not_drawn(page: Page, server: str) -> None:
    opened(page, server, "unplaced")
    assert page.locator(".box").count() == 0
    expect(page.locator(".phrase")).to_contain_text("not placed")
    expect(page.locator(".phrase .issue").first).to_contain_text("has no place")
    expect(page.locator(".phrase .issue").last).to_contain_text("not a number")


def test_a_resized_copy_and_exchanged_sides_are_said(page: Page, server: str) -> None:
    opened(page, server, "resized")
    expect(page.locator(".notices")).to_contain_text("a resized copy")
    assert outline(page, "resized#1") == pytest.approx([30, 10, 10, 20], abs=0.1), "60 of 96 is 30 of 48"
    opened(page, server, "turned")
    expect(page.locator(".notices")).to_contain_text("exchanged")
    film = page.locator(".film").bounding_box()
    assert film
    assert film["width"] / film["height"] == pytest.approx(48 / 64, abs=0.01), "never stretched in silence"


def test_two_phrases_on_one_box_are_both_seen(page: Page, server: str) -> None:
    opened(page, server, "shared")
    first, second = (page.locator(".box").nth(number) for number in (0, 1))
    offsets = [float(box.locator(".line").get_attribute("stroke-dashoffset") or "nan") for box in (first, second)]
    assert offsets == [0, pytest.approx(-10, abs=2)], "the outlines take turns"
    tags = [box.locator(".tag rect").bounding_box() for box in (first, second)]
    assert tags[0]
    assert tags[1]
    assert tags[1]["x"] >= tags[0]["x"] + tags[0]["width"], "the tags stand side by side"
