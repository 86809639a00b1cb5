"""The hand on the window, in a real browser: what is seen is the core's own table, at rest and while it is dragged."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from radharmony_core.images import Window, decode_image
from tests.browser.running import opened, painted, serving
from tests.images.make import dicom
from tests.support import annotation, gray_image, write_table

pytestmark = pytest.mark.browser

ROWS, COLUMNS = 1600, 1200  # more than is sent, so that there is something to fetch
TAGS: dict[str, Any] = {"BitsStored": 12, "HighBit": 11, "WindowCenter": ["1000", "3000"], "WindowWidth": ["1000", "800"]}

ROW_OF_CANVAS = """(row) => {
  const roots = [...document.querySelectorAll('*')].map((node) => node.shadowRoot).filter(Boolean)
  const canvas = roots.find((root) => root.querySelector('.viewer')).querySelector('.codes')
  const pixels = canvas.getContext('2d').getImageData(0, row, canvas.width, 1).data
  return {width: canvas.width, height: canvas.height, row: [...pixels].filter((_, i) => i % 4 === 0)}
}"""


def ramp() -> np.ndarray:
    """Values 0 to 4095 from left to right."""
    return np.broadcast_to(np.linspace(0, 4095, COLUMNS).round().astype(np.uint16), (ROWS, COLUMNS))


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("windows")
    own = {"image_width": COLUMNS, "image_height": ROWS, "w": 300, "h": 300}
    rows = []
    for number, name in enumerate(("a_plain", "b_inverted", "c_gray")):
        row = annotation(dicom_id=name, patient=f"1000{number:04d}", study=f"5000{number:04d}", **own)
        path = folder / str(row["path"])
        path.parent.mkdir(parents=True)
        if name == "c_gray":
            gray_image(path, COLUMNS, ROWS)
        else:
            photometric = "MONOCHROME1" if name == "b_inverted" else "MONOCHROME2"
            dicom(path.with_suffix(".dcm"), ramp(), PhotometricInterpretation=photometric, **TAGS)
        rows.append(row)
    write_table(folder / "ms.csv", rows)
    (folder / "radharmony.toml").write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "."\n')
    return folder


@pytest.fixture(scope="module")
def address(browser: Browser, films: Path) -> Iterator[str]:
    with serving(films / "radharmony.toml") as running:
        yield running


def levels(page: Page) -> np.ndarray:
    """The gray levels across the middle row of the film as it is on the screen, without boxes, one number a screen pixel."""
    if page.locator(".all").get_attribute("aria-pressed") == "true":
        page.locator(".all").dispatch_event("click")  # without the mouse, which may be dragging
    stage = page.locator(".stage").bounding_box()
    film = page.locator(".film").bounding_box()
    assert stage
    assert film
    picture = np.asarray(Image.open(io.BytesIO(page.locator(".stage").screenshot())).convert("L")).astype(int)
    left, right = (round(max(0, edge - stage["x"])) for edge in (film["x"], film["x"] + film["width"]))
    row: np.ndarray = picture[picture.shape[0] // 3, left + 3 : min(right, picture.shape[1]) - 3]
    return row


def expected(films: Path, name: str, window: str | Window, *, invert: bool = False) -> np.ndarray:
    path = next(films.rglob(f"{name}.dcm"))
    row: np.ndarray = decode_image(path).show(window, invert=invert).pixels[0]
    return row.astype(int)


def same_course(seen: np.ndarray, made: np.ndarray, within: float = 4) -> bool:
    """Whether the two rows of gray levels agree on average when one is brought to the other's length."""
    at = (np.arange(len(seen)) + 3.5) / (len(seen) + 6) * len(made)
    return bool(np.abs(seen - np.interp(at, np.arange(len(made)) + 0.5, made)).mean() < within)


def shows(page: Page, kind: str) -> None:
    expect(page.locator(".viewer")).to_have_attribute("data-shown", kind, timeout=15_000)


def looked(page: Page, **parameters: str) -> None:
    """Waits until the URL says so, which is after the server's answer."""
    for name, value in parameters.items():
        page.wait_for_function(
            "([name, value]) => (new URLSearchParams(location.search).get(name) || '') === value",
            arg=[name, value],
            timeout=15_000,
        )
    page.wait_for_timeout(300)


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
    shows(page, "reduced")
    wanted = Window(1000 - sign * 273, 1683)  # in whole values: 1682.5
    assert same_course(levels(page), expected(films, name, wanted)), "while it is held"
    page.mouse.up(button="right")
    looked(page, window=f"{wanted.center:.6g},{wanted.width:.6g}")
    shows(page, "jpeg")
    assert same_course(levels(page), expected(films, name, wanted)), "when it rests"


@pytest.mark.parametrize("name", ["a_plain", "b_inverted"])
def test_a_close_look_shows_the_files_own_pixels(page: Page, address: str, films: Path, name: str) -> None:
    opened(page, address, name)
    shows(page, "jpeg")
    page.locator(".native").click()
    shows(page, "native")
    shown = page.evaluate(ROW_OF_CANVAS, 800)
    assert (shown["width"], shown["height"]) == (COLUMNS, ROWS)
    assert shown["row"] == expected(films, name, "default").tolist(), "every pixel, to the gray level"
    page.locator(".fit").click()
    shows(page, "jpeg")


def test_the_browsers_table_is_the_cores(page: Page, address: str, films: Path) -> None:
    opened(page, address, "a_plain")
    page.locator(".native").click()
    shows(page, "native")
    page.mouse.move(400, 300)
    page.mouse.down(button="right")
    page.mouse.move(437, 317)
    live = page.evaluate(ROW_OF_CANVAS, 8)["row"]
    wanted = Window(1116, 1253)  # 17 x 4095 / 600 = 116.0, 37 x 4095 / 600 = 252.5
    assert live == expected(films, "a_plain", wanted).tolist()
    page.mouse.up(button="right")


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


def shown_row(page: Page, row: int = 800) -> list[int]:
    levels: list[int] = page.evaluate(ROW_OF_CANVAS, row)["row"]
    return levels


def test_local_contrast_also_shows_close_up(page: Page, address: str, films: Path) -> None:
    path = next(films.rglob("a_plain.dcm"))
    opened(page, address, "a_plain")
    page.keyboard.press("1")
    shows(page, "native")
    page.keyboard.press("c")
    looked(page, contrast="1")
    shows(page, "native")
    wanted = decode_image(path).show(local_contrast=True).pixels[800].tolist()
    page.wait_for_timeout(800)
    assert shown_row(page) == wanted
    page.keyboard.press("c")
    looked(page, contrast="")
    page.wait_for_timeout(800)
    assert shown_row(page) == decode_image(path).show().pixels[800].tolist()


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
