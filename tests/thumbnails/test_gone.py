"""What was made of films that are gone makes room first, and what others have made meanwhile is not made again."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from radharmony_core.thumbnails import ThumbnailCache, build, workers
from radharmony_core.thumbnails.build import _mixed
from radharmony_core.thumbnails.store import FILE_NAME
from tests.support import gray_image
from tests.thumbnails.test_bound import MIB, noisy
from tests.thumbnails.test_build import films
from tests.thumbnails.worker import made_at_once


def test_what_is_gone_or_has_changed_is_forgotten(tmp_path: Path) -> None:
    here, changed, gone, small, damaged = films(tmp_path, "here", "changed", "gone", "small", "damaged")
    odd = gray_image(tmp_path / os.fsdecode(b"not utf-8 \xff.jpg"))
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"text")
    with ThumbnailCache(tmp_path / "cache", side=32) as other:
        other.get(small)
    with ThumbnailCache(tmp_path / "cache") as cache:
        cache.get_many([here, changed, gone, damaged, odd, broken])
        assert cache.forget_gone() == 0
        gray_image(changed, width=90)
        for path in (gone, small, damaged, odd, broken):
            path.unlink()
        with sqlite3.connect(cache.path) as connection:
            connection.execute("update entries set about = x'ff' where instr(about, cast('/damaged' as blob))")
        connection.close()
        assert cache.forget_gone() == 5, "a damaged row does not say whose it is"
        assert cache.count() == 2
        assert cache.has_many([here]) == [True]
        assert cache.notices == []
    with sqlite3.connect(tmp_path / "cache" / FILE_NAME) as connection:
        assert connection.execute("select count(*) from pictures").fetchone() == (2,)
    connection.close()


def test_where_nothing_can_be_kept_nothing_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with ThumbnailCache(tmp_path / "file") as cache:
        assert cache.forget_gone() == 0
        assert cache.trouble == f"{cache.path} cannot be used (a folder was expected at {tmp_path / 'file'}, there is a file)"


def test_it_makes_room_once_for_films_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    old, new = noisy(tmp_path / "old", 22), noisy(tmp_path, 40)
    with ThumbnailCache(tmp_path / "cache", MIB) as cache:
        cache.get_many(old)
        for path in old[:18]:
            path.unlink()
        built = build(cache, new, jobs=1)
        assert (built.gone, built.stopped) == (18, "full")
        assert built.made == 16, "a batch of 16, in the room of 18"
        assert built.made + built.left == 40
        assert cache.has_many(old[18:]) == [True] * 4, "these are still there"


def test_what_another_has_made_meanwhile_is_not_made_again(tmp_path: Path) -> None:
    paths = films(tmp_path, *map(str, range(40)))
    told: list[int] = []
    with ThumbnailCache(tmp_path / "cache") as cache, ThumbnailCache(tmp_path / "cache") as other:
        other.get_many(paths[5:25])
        built = build(cache, paths, jobs=1, make=made_at_once, progress=lambda done, *_: told.append(done))
        assert (built.made, built.there, built.left) == (20, 20, 0)
        assert told[-1] == 40
        again = build(cache, paths, jobs=1, make=made_at_once)
        assert (again.made, again.there, again.left) == (0, 40, 0)


def test_two_commands_do_not_go_in_step() -> None:
    paths = [Path(f"{number:04}") for number in range(1001)]
    one, other = _mixed(paths), _mixed(paths)
    assert sorted(one) == sorted(other) == paths
    assert one != other, "by chance once in 63! times"
    assert _mixed([]) == []


def test_ctrl_c_is_heard_but_while_processes_are_begun_or_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that comes while it is ignored is lost."""
    deaf = workers._deaf_to_ctrl_c
    times: list[int] = []
    monkeypatch.setattr(workers, "_deaf_to_ctrl_c", lambda: times.append(1) or deaf())  # type: ignore[func-returns-value]
    with ThumbnailCache(tmp_path / "cache") as cache:
        assert build(cache, films(tmp_path, *map(str, range(100))), jobs=1, make=made_at_once).made == 100
    assert len(times) == 2, "seven batches, one process"
