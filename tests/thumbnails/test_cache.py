"""What is kept, for how long, and what is made anew."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from radharmony_core.errors import ImageError, MissingFileError, NotAnImageError, RadHarmonyError, UnsupportedImageError
from radharmony_core.thumbnails import Thumbnail, ThumbnailCache, cache, rows, thumbnail
from radharmony_core.thumbnails.make import MAKER_VERSION
from radharmony_core.thumbnails.store import FILE_NAME
from tests.support import gray_image
from tests.thumbnails.films import KINDS

Made = list[str]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """The names of the films that thumbnails are made of, as that happens."""
    names: Made = []

    def counted(path: Path, side: int) -> Thumbnail:
        names.append(path.name)
        return thumbnail(path, side)

    monkeypatch.setattr(cache, "thumbnail", counted)
    return names


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[ThumbnailCache]:
    with ThumbnailCache(tmp_path / "cache") as opened:
        yield opened
        assert opened.notices == [], "nothing went wrong"


@pytest.mark.parametrize("kind", KINDS)
def test_the_second_look_gives_the_same_and_makes_nothing(tmp_path: Path, made: Made, kept: ThumbnailCache, kind: str) -> None:
    path = KINDS[kind](tmp_path / "film")
    first = kept.get(path)
    assert first == thumbnail(path)
    assert kept.get(str(path)) == first
    assert made == ["film"]


NAMES = [
    "Œdème pulmonaire, côté gauche.jpg",
    "e\u0301te\u0301.jpg",
    "été.jpg",
    "a'b\"; drop table entries; --.jpg",
    "%s ?.jpg",
    "名.jpg",
]


def test_any_name_is_a_key_of_its_own(tmp_path: Path, made: Made, kept: ThumbnailCache) -> None:
    paths = [gray_image(tmp_path / "dossier à côté" / name, width=20 + number) for number, name in enumerate(NAMES)]
    paths.append(gray_image(tmp_path / os.fsdecode(b"not utf-8 \xff.jpg"), width=90))
    for _ in range(2):
        assert [one.width for one in kept.get_many(paths) if isinstance(one, Thumbnail)] == [*range(20, 20 + len(NAMES)), 90]
    assert sorted(made) == sorted(path.name for path in paths)
    assert kept.count() == len(paths)


def test_it_survives_a_restart(tmp_path: Path, made: Made) -> None:
    path = gray_image(tmp_path / "a.jpg")
    for _ in range(2):
        with ThumbnailCache(tmp_path / "cache") as opened:
            assert opened.get(path).height == 64
            assert opened.get(path).height == 64, "after closing it opens again"
    assert made == ["a.jpg"]


CHANGES = ["content", "same size and time", "made of another version", "another side"]


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_made_anew(tmp_path: Path, made: Made, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    path, folder = gray_image(tmp_path / "a.jpg"), tmp_path / "cache"
    ThumbnailCache(folder).get(path)
    side = 256
    if change == "content":
        gray_image(path, width=50)
    elif change == "same size and time":  # as a copy that brings its time along does: the inode is another
        about, other = path.stat(), tmp_path / "other"
        other.write_bytes(path.read_bytes())
        os.utime(other, ns=(about.st_atime_ns, about.st_mtime_ns))
        other.replace(path)
    elif change == "another side":
        side = 32
    else:
        monkeypatch.setattr(rows, "MAKER_VERSION", MAKER_VERSION + 1)
    again = ThumbnailCache(folder, side=side)
    assert again.peek_many([path]) == [None]
    assert again.has_many([path]) == [False]
    assert again.get(path) == thumbnail(path, side)
    assert again.count() == (2 if change == "another side" else 1), "in place of the old one"
    assert made == ["a.jpg", "a.jpg"]


def test_many_are_asked_for_in_order_and_made_once(tmp_path: Path, made: Made, kept: ThumbnailCache) -> None:
    paths = [gray_image(tmp_path / f"{number}.jpg", width=number) for number in (5, 6, 7)]
    broken, gone = tmp_path / "broken.jpg", tmp_path / "gone.jpg"
    broken.write_bytes(b"text")
    assert kept.get_many([]) == []
    asked: list[str | Path] = [paths[2], broken, paths[0], gone, paths[2], str(paths[1]), broken]
    for _ in range(2):
        found = kept.get_many(asked)
        assert [one.width if isinstance(one, Thumbnail) else type(one) for one in found] == [
            *(7, NotAnImageError, 5, MissingFileError, 7, 6, NotAnImageError)
        ]
    assert sorted(made) == ["5.jpg", "6.jpg", "7.jpg", "broken.jpg", "gone.jpg", "gone.jpg"], "no file, nothing to keep"
    peeked = kept.peek_many([paths[0], broken, gone])
    assert [type(one) for one in peeked] == [Thumbnail, NotAnImageError, type(None)]
    states = kept.has_many([paths[0], broken, gone])
    assert states[0] is True
    assert isinstance(states[1], NotAnImageError)
    assert states[2] is False


def test_a_refusal_is_kept_with_its_words_until_the_file_changes(tmp_path: Path, made: Made, kept: ThumbnailCache) -> None:
    path = tmp_path / "cassé.jpg"
    path.write_bytes(gray_image(tmp_path / "whole.jpg").read_bytes()[:-300])
    words = set()
    for _ in range(3):
        with pytest.raises(ImageError, match=r"cassé\.jpg") as refused:
            kept.get(path)
        words.add(str(refused.value))
    assert (len(words), made) == (1, ["cassé.jpg"])
    gray_image(path)
    assert kept.get(path).height == 64
    assert kept.count() == 1


def test_what_is_the_machines_refusal_is_not_kept(tmp_path: Path, kept: ThumbnailCache, monkeypatch: pytest.MonkeyPatch) -> None:
    path = gray_image(tmp_path / "a.jpg")
    causes: list[tuple[Exception | None, int]] = [
        (OSError(5, "Input/output error"), 0),
        (MemoryError(), 0),
        (OSError("image file is truncated"), 1),  # Pillow's: no number of the system's
        (None, 1),
    ]
    for cause, entries in causes:

        def refuse(path: Path, side: int, cause: Exception | None = cause) -> Thumbnail:
            raise UnsupportedImageError(path.name) from cause

        monkeypatch.setattr(cache, "thumbnail", refuse)
        kept.clear()
        assert isinstance(kept.get_many([path])[0], UnsupportedImageError)
        assert kept.count() == entries, cause


def test_a_class_of_errors_that_is_gone_is_still_a_refusal() -> None:
    for name in ("GoneError", "annotations", "Exception"):
        row = rows.refusal_row(Path("a"), 256, RadHarmonyError("words"))
        about = row.about.replace(b"RadHarmonyError", name.encode())
        found = rows.outcome_of(about, None, rows._checksum(about, b""))
        assert (type(found), str(found)) == (RadHarmonyError, "words")


@pytest.mark.parametrize("column", ["data", "type of data", "no data", "about", "checksum"])
def test_a_damaged_entry_is_made_anew(tmp_path: Path, made: Made, column: str) -> None:
    path, folder = gray_image(tmp_path / "a.jpg"), tmp_path / "cache"
    with ThumbnailCache(folder) as opened:
        first = opened.get(path)
    changes = {
        "data": "update pictures set data = substr(data, 2)",
        "type of data": "update pictures set data = substr(data, 1, 300) || x'00' || substr(data, 302)",  # which is a text
        "no data": "delete from pictures",
        "about": "update entries set about = cast(replace(about, '48', '84') as blob)",
        "checksum": "update entries set checksum = checksum + 1",
    }
    with sqlite3.connect(folder / FILE_NAME) as connection:
        connection.execute(changes[column])
    connection.close()
    with ThumbnailCache(folder) as opened:
        assert opened.peek_many([path]) == [None]
        assert opened.get(path) == first
        assert opened.peek_many([path]) == [first]


def test_threads_share_it(tmp_path: Path, kept: ThumbnailCache) -> None:
    paths = [gray_image(tmp_path / f"{number}.jpg", width=number) for number in range(1, 41)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda start: kept.get_many(paths[start:] + paths[:start]), range(0, 40, 5)))
    for start, some in zip(range(0, 40, 5), found, strict=True):
        assert [one.width for one in some if isinstance(one, Thumbnail)] == [*range(start + 1, 41), *range(1, start + 1)]
    assert kept.count() == 40


@pytest.mark.parametrize(("bound", "side"), [(0, 256), (-1, 256), (None, 0)])
def test_a_bound_or_side_below_one_is_refused(tmp_path: Path, bound: int | None, side: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ThumbnailCache(tmp_path, bound, side=side)
