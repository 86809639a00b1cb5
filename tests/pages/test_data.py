"""Films on their way to the screen: an error is words, a film made ahead is the film that is shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pages._ui import data
from tests.support import gray_image

FAILING = [
    ("no path in the table", None, "gives no path"),
    ("no file", "gone.jpg", "no such file"),
    ("outside the dataset", "../outside.jpg", "outside"),
    ("no image", "junk.jpg", "HTML"),
    ("an empty file", "empty.jpg", "empty"),
]


@pytest.mark.parametrize(("reason", "path", "words"), FAILING, ids=[row[0] for row in FAILING])
def test_a_film_that_cannot_be_shown_is_words(tmp_path: Path, reason: str, path: str | None, words: str) -> None:
    root = tmp_path / "files"
    root.mkdir()
    gray_image(tmp_path / "outside.jpg")
    (root / "junk.jpg").write_text("<!DOCTYPE html><html></html>")
    (root / "empty.jpg").touch()
    film = data.film_of(root, path)
    assert film.jpeg == b""
    assert film.error
    assert words in film.error, reason


def test_without_a_folder_of_images_the_film_is_words() -> None:
    assert "No folder of images" in (data.film_of(None, "a.jpg").error or "")


def test_a_film_made_ahead_is_the_one_that_is_shown(tmp_path: Path) -> None:
    gray_image(tmp_path / "a.jpg", 3000, 2000)
    data.prepare_film(tmp_path, "a.jpg")
    assert data._ahead
    assert data._ahead.result(30) is data.film_of(tmp_path, "a.jpg"), "made once"
    film = data.film_of(tmp_path, "a.jpg")
    assert (film.size, film.sent) == ((3000, 2000), (1600, 1067))


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    gray_image(tmp_path / "a.jpg", 48, 64)
    assert data.film_of(tmp_path, "a.jpg").size == (48, 64)
    gray_image(tmp_path / "a.jpg", 60, 80)
    os.utime(tmp_path / "a.jpg", (1, 1))
    assert data.film_of(tmp_path, "a.jpg").size == (60, 80)
