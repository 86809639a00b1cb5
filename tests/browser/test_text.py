"""What the data say is shown as they say it: no character lost, nothing run, nothing fetched; and a film that fails says why."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import dataset
from tests.browser.running import opened

pytestmark = pytest.mark.browser


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
