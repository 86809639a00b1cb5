"""Boxes and sizes far beyond what a film has: what is drawn of them, and that the hand on the film still works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.browser import frames
from tests.browser.running import ROOT, opened, serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(frames.build(tmp_path_factory.mktemp("extremes"))) as address:
        yield address


def film_width(page: Page) -> float:
    film = page.locator(".film").bounding_box()
    assert film
    return film["width"]


@pytest.mark.parametrize("keys", ["=", "1", "1+++", "1++++++"])
@pytest.mark.parametrize("name", ["long", "longest"])
def test_the_edge_of_a_very_long_box_is_drawn_where_it_is(page: Page, server: str, name: str, keys: str) -> None:
    """Its right edge is at 180 of 480; what is seen with boxes and not without is the outline."""
    opened(page, server, name)
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_timeout(400)  # a sharper picture may be on its way
    film, stage = page.locator(".film").bounding_box(), page.locator(".stage").bounding_box()
    assert film
    assert stage
    scale = film["width"] / 480
    left, top = film["x"] - stage["x"], film["y"] - stage["y"]
    middle = round(top + 230 * scale)
    drawn = frames.screen(page)
    page.keyboard.press("b")
    across = np.abs(drawn - frames.screen(page))[middle - 5 : middle + 5].mean(axis=0)
    expected = left + 180 * scale
    columns = np.arange(across.size) + 0.5
    near = np.abs(columns - expected) < 6
    assert across[near].sum() > 60, "there is a line"
    assert (columns[near] * across[near]).sum() / across[near].sum() == pytest.approx(expected, abs=0.5)
    assert across[(columns > 2) & ~near].max() < 5, "and no other that would be taken for an edge"


def test_a_step_from_the_fitted_film_is_a_step_whatever_size_the_table_gives(page: Page, server: str) -> None:
    opened(page, server, "huge")
    fitted = film_width(page)
    page.keyboard.press("-")
    assert film_width(page) == pytest.approx(0.8 * fitted, rel=1e-3)
    page.keyboard.press("=")
    page.keyboard.press("+")
    assert film_width(page) == pytest.approx(1.25 * fitted, rel=1e-3)
    page.keyboard.press("1")
    assert film_width(page) == pytest.approx(480, abs=0.01)


LIMITS = [
    # reason, the frame's (w, h), the file's, asked for, scale: 0.02 to 64 pixels of the screen a pixel of the file
    ("the original, far too small", (1000, 1000), (1000, 1000), 1e-9, 0.02),
    ("the original, far too large", (1000, 1000), (1000, 1000), 1e9, 64),
    ("a copy of a tenth", (1000, 1000), (100, 100), 1e9, 6.4),
    ("a table of one pixel", (1, 1), (1000, 1000), 1e9, 64_000),
    ("a table of one pixel, as it was fitted", (1, 1), (1000, 1000), 984, 984),
    ("a film that fits only below the least", (100_000, 100_000), (100_000, 100_000), 1e-9, 0.00984),
    ("no picture", (1000, 1000), None, 1e9, 64),
]


@pytest.mark.parametrize(("reason", "frame", "file", "asked", "scale"), LIMITS, ids=[row[0] for row in LIMITS])
def test_how_far_a_film_can_be_enlarged_and_reduced(
    page: Page, reason: str, frame: tuple[int, int], file: tuple[int, int] | None, asked: float, scale: float
) -> None:
    """On a stage of 1000 x 1000, with 8 pixels around the fitted film."""
    source = (Path(ROOT) / "pages/_ui/viewer/view.js").read_text(encoding="utf-8")
    page.goto("about:blank")
    zoomed = page.evaluate(
        "([source, w, h, size, asked]) => new Function('w', 'h', 'size', 'asked', source + `"
        "  const view = makeView(), film = { width: w, height: h, picture: [0, 0, w, h], size };"
        "  fit(view, boundsOf(film, []), 1000, 1000);"
        "  zoomAt(view, 0, 0, asked);"
        "  return view.scale;`)(w, h, size, asked)",
        [source, *frame, list(file) if file else None, asked],
    )
    assert zoomed == pytest.approx(scale), reason


@pytest.mark.parametrize(("name", "hand"), [("stack", "="), ("stack", "1"), ("rings", "=")])
def test_of_many_boxes_on_one_small_place_each_has_its_part_of_the_border(page: Page, server: str, name: str, hand: str) -> None:
    opened(page, server, name)
    page.keyboard.press(hand)
    lines = page.locator(".box .line").evaluate_all(
        "nodes => nodes.map((node) => [node.tagName, node.getTotalLength(), node.getAttribute('stroke-dasharray'),"
        " Number(node.getAttribute('stroke-dashoffset'))])"
    )
    assert len(lines) == frames.BOXES[name]
    for turn, (tag, length, pattern, offset) in enumerate(lines):
        border = length if tag == "rect" else length - 36  # a marker's path goes on with its cross, of twice 18 pixels
        dash, gap = map(float, pattern.split())
        assert (gap, offset) == pytest.approx((dash * (len(lines) - 1), -dash * turn))
        assert dash >= 1
        assert dash * (turn + 1) <= border * 1.001, "the first dash of each is on the border"
        assert border / (dash * len(lines)) == pytest.approx(round(border / (dash * len(lines))), abs=0.01), "whole rounds"


def test_no_tag_lies_under_the_words_in_the_corner(page: Page, server: str) -> None:
    """Four boxes far away to the right and below: their tags gather where it says that there is no picture."""
    opened(page, server, "corner")
    words = page.locator(".no-picture").bounding_box()
    tags = [tag.bounding_box() for tag in page.locator(".box .tag rect").all()]
    assert words
    assert words["width"] > 0
    assert len(tags) == 4
    for tag in tags:
        assert tag
        above = tag["y"] + tag["height"] <= words["y"] + 1
        assert above or tag["x"] + tag["width"] <= words["x"] + 1, "beside it"
