"""The bound: least recently used out first, in one go, for every process, and given back to the disk."""

from __future__ import annotations

import sqlite3
from itertools import count, pairwise
from pathlib import Path

import numpy as np
import pytest

from radharmony_core.thumbnails import ThumbnailCache, cache
from radharmony_core.thumbnails.store import FILE_NAME
from tests.images.make import saved

MIB = 1 << 20


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the time is a millisecond later."""
    ticks = count(1)
    monkeypatch.setattr(cache, "_now", lambda: next(ticks))


def noisy(folder: Path, number: int) -> list[Path]:
    """Films of pure grain: thumbnails of about 40,000 bytes each."""
    draws = np.random.default_rng(0)
    return [saved(folder / f"{place}.png", draws.integers(0, 256, (256, 256), dtype=np.uint8), "PNG") for place in range(number)]


def there(opened: ThumbnailCache, paths: list[Path]) -> list[int]:
    return [place for place, state in enumerate(opened.has_many(paths)) if state is True]


def test_the_least_recently_used_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radharmony_core.thumbnails.tables._AT_ONCE", 1)
    paths = noisy(tmp_path, 30)
    with ThumbnailCache(tmp_path / "cache", MIB) as opened:
        for path in paths[:20]:
            opened.get(path)
        assert there(opened, paths) == list(range(20)), "all fit"
        opened.peek_many([paths[0], paths[3]])
        for path in paths[20:]:
            opened.get(path)
            assert opened.size <= MIB
        left = there(opened, paths)
        assert {0, 3} <= set(left), "they were looked at"
        others = [place for place in left if place not in (0, 3)]
        assert others == list(range(others[0], 30)), "the oldest are gone, the newest there"
        assert 18 <= len(left) < 30
        assert opened.notices == []


def test_it_makes_room_for_several_at_once(tmp_path: Path) -> None:
    """Else every film would push another out, and the tables would be gone through each time."""
    paths = noisy(tmp_path, 40)
    with ThumbnailCache(tmp_path / "cache", MIB) as opened:
        counts = [len(opened.get_many([path])) and opened.count() for path in paths]
    falls = [place for place in range(1, len(counts)) if counts[place] < counts[place - 1]]
    assert falls
    assert all(opened - closed > 1 for closed, opened in pairwise(falls))


def test_uses_are_written_many_at_once_and_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_USES", 3)
    paths = noisy(tmp_path, 4)

    def used() -> list[int]:
        connection = sqlite3.connect(tmp_path / "cache" / FILE_NAME)
        times = [row[0] for row in connection.execute("select used from entries order by id")]
        connection.close()
        return times

    with ThumbnailCache(tmp_path / "cache") as opened:
        opened.get_many(paths)
        before = used()
        opened.peek_many(paths[:1])
        opened.peek_many(paths[:2])
        assert used() == before, "two films, three looks: nothing is written yet"
        opened.peek_many(paths[2:3])
        after = used()
        assert [new > old for new, old in zip(after, before, strict=True)] == [True, True, True, False]
        opened.peek_many(paths[3:])
    assert used()[3] > before[3], "what is left is written when it is closed"


def test_a_bound_is_the_folders(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert ThumbnailCache(folder).max_bytes == 4 << 30, "4 GiB at first"
    with ThumbnailCache(folder, MIB) as given:
        assert given.max_bytes == MIB
        assert given.put_many([])
    with ThumbnailCache(folder) as other, ThumbnailCache(folder, 3 * MIB) as third:
        assert other.max_bytes == MIB
        third.put_many([])
        assert other.max_bytes == 3 * MIB, "also for those that were open"
        other.clear()
        assert (other.max_bytes, other.count()) == (3 * MIB, 0)
        other.put_many([])
    assert ThumbnailCache(folder).max_bytes == 3 * MIB


def test_a_lower_bound_gives_the_disk_its_room_back(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    with ThumbnailCache(folder) as opened:
        opened.get_many(noisy(tmp_path, 60))
        assert opened.size > 2 * MIB
    with ThumbnailCache(folder, MIB) as opened:
        assert opened.put_many([])
        assert 0 < opened.count() < 30
    assert (folder / FILE_NAME).stat().st_size <= MIB


def test_a_bound_below_the_empty_tables_keeps_nothing_and_ends(tmp_path: Path) -> None:
    with ThumbnailCache(tmp_path / "cache", 1) as opened:
        assert opened.get(noisy(tmp_path, 1)[0]).width == 256
        assert opened.count() == 0
        assert opened.notices == []
