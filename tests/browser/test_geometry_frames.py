"""The outline lies on what was painted, whatever the file's size, shape and turn: measured on the screen to 0.25 film pixels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from radharmony_core.boxes import REACH, DisplayBox, PixelBox, View, display_to_pixel, pixel_to_display
from tests.browser import frames
from tests.browser.running import ROOT, opened, serving

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(frames.build(tmp_path_factory.mktemp("frames"))) as address:
        yield address


def native(page: Page) -> None:
    page.keyboard.press("1")


def closer(page: Page) -> None:
    native(page)
    for _ in range(2):
        page.keyboard.press("+")


def moved(page: Page) -> None:
    """Zoomed under the pointer by a fraction that nothing divides, and dragged."""
    native(page)
    page.mouse.move(600, 500)
    page.mouse.wheel(0, -313)
    page.mouse.down()
    page.mouse.move(637, 523, steps=3)
    page.mouse.up()
    page.mouse.move(5, 5)


def smaller(page: Page) -> None:
    native(page)
    page.keyboard.press("-")


HANDS = [native, closer, moved, smaller]
SEEN = ["same", "half", "turned", "swapped", "other"]


@pytest.mark.parametrize("hand", HANDS, ids=[hand.__name__ for hand in HANDS])
@pytest.mark.parametrize("name", SEEN)
def test_the_outline_runs_on_the_blocks_border(page: Page, server: str, name: str, hand: object) -> None:
    opened(page, server, name)
    assert callable(hand)
    hand(page)
    page.wait_for_timeout(400)  # a sharper picture may be on its way
    x, y, w, h = frames.on_stage(page, f"{name}#1")
    page.keyboard.press("b")
    scale = float(page.locator(".overlay").get_attribute("data-scale") or "nan")
    seen = frames.seen_edges(page, [x, y, w, h])
    assert seen == pytest.approx([x, y, x + w, y + h], abs=0.25 * max(1.0, scale))


WORDS = [
    # film, part of the notice of the film, issues of its box
    ("same", None, []),
    ("half", "a resized copy", []),
    ("turned", "turned with the film", []),
    ("swapped", "exchanged", []),
    ("other", "another shape, 33 % wider", []),
    (
        "partly",
        None,
        ["Box 1 lies partly outside the film, 60 px beyond its left border.", "box outside image (error)"],
    ),
    ("wholly", None, ["Box 1 lies wholly outside the film, 80 px to the right.", "box outside image (error)"]),
    (
        "far",
        None,
        [
            "Box 1 lies wholly outside the film, 2,400 px to the right. Its tag stands at the edge of the view.",
            "box outside image (error)",
        ],
    ),
    (
        "marker",
        None,
        [
            "Box 1 has no area: its width is 0 px, its height 60 px. A ring with a cross marks its corner.",
            "box without area (error)",
        ],
    ),
    (
        "reversed",
        None,
        [
            "Box 1 is turned over: its width is -80 px, its height 60 px. A ring with a cross marks its corner.",
            "box without area (error)",
        ],
    ),
]


@pytest.mark.parametrize(("name", "notice", "issues"), WORDS, ids=[row[0] for row in WORDS])
def test_what_is_odd_is_said_in_the_panel_and_at_the_box(
    page: Page, server: str, name: str, notice: str | None, issues: list[str]
) -> None:
    opened(page, server, name)
    if notice is not None:
        expect(page.locator(".notices")).to_contain_text(notice)
        expect(page.locator(".notices")).to_contain_text("x 480" if name != "half" else "240 x 320")
    assert page.locator(".phrase .issue").all_text_contents() == issues
    page.locator(".box").focus()
    assert page.locator(".tip .issue").all_text_contents() == issues
    heard = page.locator(".box").get_attribute("aria-label") or ""
    assert [issue for issue in issues if issue not in heard] == []


def test_a_box_across_the_border_is_whole_and_its_part_on_the_film_fits(page: Page, server: str) -> None:
    opened(page, server, "partly")
    native(page)
    x, y, w, h = frames.on_stage(page, "partly#1")
    assert (w, h) == pytest.approx((140, 60), abs=0.01)
    page.keyboard.press("b")
    _, top, right, bottom = frames.seen_edges(page, [x + 60, y, 80, h])
    assert (top, right, bottom) == pytest.approx((y, x + w, y + h), abs=0.25)


@pytest.mark.parametrize(
    ("name", "is_hatched"), [("same", False), ("half", False), ("partly", True), ("wholly", True), ("swapped", True)]
)
def test_where_no_picture_is_looks_like_none(page: Page, server: str, name: str, is_hatched: bool) -> None:
    """Beside the picture the stage is black, unless a box lies out there or the picture does not fill its frame."""
    opened(page, server, name)
    page.keyboard.press("b")
    film, stage = page.locator(".film").bounding_box(), page.locator(".stage").bounding_box()
    assert film
    assert stage
    left = film["x"] - stage["x"]
    rows = frames.screen(page)[200:400, 4:-4]
    across = np.arange(4, 4 + rows.shape[1])
    beside = rows[:, (across < left - 4) | (across > left + film["width"] + 4)]
    assert beside.size
    assert bool(beside.max() > 30) is is_hatched
    assert bool(beside.std() > 1) is is_hatched, "stripes, which no film has"


def test_a_box_that_is_not_in_view_is_pointed_to(page: Page, server: str) -> None:
    opened(page, server, "far")
    film, stage = page.locator(".film").bounding_box(), page.locator(".stage").bounding_box()
    tag = page.locator(".box .tag").bounding_box()
    assert film
    assert stage
    assert tag
    assert page.locator(".box .tag text").text_content() == "\u2192 1 Ed !"
    assert tag["x"] + tag["width"] == pytest.approx(stage["x"] + stage["width"], abs=2)
    assert film["height"] > 0.95 * stage["height"] - 16, "what is too far away does not make the film smaller"
    opened(page, server, "wholly")
    assert page.locator(".box .tag text").text_content() == "1 Ed !", "in the margin: it is seen"


def test_no_tag_leaves_the_stage_or_hides_another(page: Page, server: str) -> None:
    """Four boxes far away in one direction."""
    opened(page, server, "crowd")
    stage = page.locator(".stage").bounding_box()
    page.wait_for_timeout(1000)  # the film's own pixels come, and the boxes are drawn anew
    tags = [tag.bounding_box() for tag in page.locator(".box .tag rect").all()]
    assert stage
    assert len(tags) == 4
    tops = sorted(tag["y"] for tag in tags if tag and tag["x"] + tag["width"] <= stage["x"] + stage["width"] + 1)
    assert len(tops) == 4
    assert min(after - before for before, after in itertools.pairwise(tops)) >= 18


@pytest.mark.parametrize("name", ["marker", "reversed"])
def test_a_box_without_area_is_a_cross_on_its_corner(page: Page, server: str, name: str) -> None:
    opened(page, server, name)
    native(page)
    x, y, w, h = frames.on_stage(page, f"{name}#1")
    page.keyboard.press("b")
    left, top, _, _ = frames.seen_edges(page, [x + w / 2, y + h / 2, 80, 60])
    assert (x + w / 2, y + h / 2) == pytest.approx((left, top), abs=0.25)
    assert (w, h) == pytest.approx((18, 18), abs=0.01), "the same size at every zoom"


def test_the_browser_and_python_have_the_same_formulas(page: Page) -> None:
    """Both count in 64-bit floats, so equal means equal."""
    dice = np.random.default_rng(7)
    views = np.column_stack([dice.uniform(0.02, 64, 200), dice.uniform(-1e4, 1e4, (200, 2))])
    rects = dice.uniform(-1e4, 1e4, (200, 4))
    source = (Path(ROOT) / "pages/_ui/viewer/view.js").read_text(encoding="utf-8")
    page.goto("about:blank")
    there, back, reach = page.evaluate(
        "([source, views, rects]) => new Function('views', 'rects', source + `"
        "  const each = (change) => rects.map((rect, i) => change({ scale: views[i][0], x: views[i][1], y: views[i][2] }, rect));"
        "  return [each(pixelToDisplay), each(displayToPixel), REACH];`)(views, rects)",
        [source, views.tolist(), rects.tolist()],
    )
    pairs = [(View(*view), rect) for view, rect in zip(views.tolist(), rects.tolist(), strict=True)]
    assert there == [list(pixel_to_display(PixelBox(*rect), view)) for view, rect in pairs]
    assert back == [list(display_to_pixel(DisplayBox(*rect), view)) for view, rect in pairs]
    assert reach == REACH
