"""The file behind it: for its owner only, set aside where it cannot be used, and nothing lost but time where there is none."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from radharmony_core.errors import WriteError
from radharmony_core.thumbnails import ThumbnailCache, store, thumbnail
from radharmony_core.thumbnails.store import FILE_NAME
from tests.support import gray_image

POSIX = pytest.mark.skipif(os.name != "posix", reason="rights and limits as POSIX has them")
ROOT = Path(__file__).resolve().parents[2]
ASIDE = "thumbnails.damaged.sqlite"


@POSIX
def test_it_is_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "cache"
    before = os.umask(0)
    try:
        with ThumbnailCache(folder) as opened:
            opened.get(gray_image(tmp_path / "a.jpg"))
            rights = {path.name: path.stat().st_mode & 0o777 for path in [folder, *folder.iterdir()]}
    finally:
        os.umask(before)
    assert {FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"} < set(rights), "while it is open"
    assert rights.pop("cache") == 0o700
    assert set(rights.values()) == {0o600}


@POSIX
def test_a_file_that_was_left_open_to_others_is_closed_to_them(tmp_path: Path) -> None:
    path = gray_image(tmp_path / "a.jpg")
    ThumbnailCache(tmp_path).get(path)
    (tmp_path / FILE_NAME).chmod(0o644)
    ThumbnailCache(tmp_path).get(path)
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def _sound(folder: Path) -> Path:
    with ThumbnailCache(folder) as opened:
        opened.get_many([gray_image(folder.parent / "films" / f"{number}.jpg", width=100 + number) for number in range(40)])
    return folder / FILE_NAME


def _with_version(file: Path, pragma: str, value: int) -> None:
    connection = sqlite3.connect(file)
    connection.execute(f"pragma {pragma} = {value}")
    connection.close()


def _foreign(file: Path) -> None:
    file.unlink()
    connection = sqlite3.connect(file)
    connection.execute("create table mine (x)")
    connection.commit()
    connection.close()


def _overwritten(file: Path, start: int, length: int) -> None:
    data = bytearray(file.read_bytes())
    data[start : start + length] = b"\xa5" * len(data[start : start + length])
    file.write_bytes(data)


def _without_a_table(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("drop table pictures")
    connection.close()


# What is done to the file; what is said; why.
DAMAGE = [
    (
        lambda file: file.write_bytes(b"not a database, but long enough to be one " * 100),
        "not a database",
        "another kind of file",
    ),
    (lambda file: file.write_bytes(b"short"), "not a database", "a short one"),
    (lambda file: _overwritten(file, 0, 100), "not a database", "its header"),
    (lambda file: _overwritten(file, 4096, 1 << 30), "malformed", "all but its header"),
    (lambda file: os.truncate(file, 4096 * 3), "malformed", "cut"),
    (lambda file: os.truncate(file, 5000), "malformed", "cut within a page"),
    (lambda file: _with_version(file, "user_version", 99), "version 99", "a later version's"),
    (lambda file: _with_version(file, "application_id", 1), "another program's", "another program's mark"),
    (_foreign, "another program's", "another program's tables"),
    (_without_a_table, "no such table", "a table is gone"),
]


@pytest.mark.parametrize(("damage", "words", "reason"), DAMAGE, ids=[row[2] for row in DAMAGE])
def test_a_file_that_cannot_be_used_is_set_aside(tmp_path: Path, damage: object, words: str, reason: str) -> None:
    file = _sound(tmp_path / "cache")
    assert callable(damage)
    damage(file)
    was = file.read_bytes()
    films = sorted((tmp_path / "films").iterdir())
    with ThumbnailCache(tmp_path / "cache") as opened:
        assert opened.get_many(films) == [thumbnail(path) for path in films], reason
        assert (len(opened.notices), opened.count()) == (1, 40)
        assert words in opened.notices[0]
        assert ASIDE in opened.notices[0]
    assert file.with_name(ASIDE).read_bytes() == was, "it is somebody's, so it is not thrown away"
    with ThumbnailCache(tmp_path / "cache") as opened:
        assert None not in opened.peek_many(films)
        assert opened.notices == []


def test_damage_that_comes_while_it_is_open(tmp_path: Path) -> None:
    file = _sound(tmp_path / "cache")
    films = sorted((tmp_path / "films").iterdir())
    with ThumbnailCache(tmp_path / "cache") as opened, ThumbnailCache(tmp_path / "cache") as other:
        assert (opened.count(), other.count()) == (40, 40)
        _overwritten(file, 0, 1 << 30)
        for one in (opened, other):
            assert one.get_many(films) == [thumbnail(path) for path in films]
            assert one.count() == 40
        assert len(opened.notices) == 1
        assert other.notices == [], "the second finds the new file, and does not set that aside as well"


def test_damage_that_two_find_at_once_is_set_aside_once(tmp_path: Path) -> None:
    file = _sound(tmp_path / "cache")
    films = sorted((tmp_path / "films").iterdir())
    with ThumbnailCache(tmp_path / "cache") as opened, ThumbnailCache(tmp_path / "cache") as late:
        assert (opened.count(), late.count()) == (40, 40)
        _overwritten(file, 0, 1 << 30)
        opened.get_many(films)
        assert late._store._set_aside(late._store._here(), "found before the other was done")
        assert (opened.count(), late.count(), late.notices) == (40, 40, [])


@POSIX
@pytest.mark.parametrize("what", ["the folder", "the file", "another in its place"])
def test_it_may_be_deleted_while_it_is_open(tmp_path: Path, what: str) -> None:
    file = _sound(tmp_path / "cache")
    films = sorted((tmp_path / "films").iterdir())
    with ThumbnailCache(tmp_path / "cache") as opened:
        opened.get(films[0])
        if what == "the folder":
            shutil.rmtree(file.parent)
        else:
            file.unlink()
        if what == "another in its place":
            with ThumbnailCache(tmp_path / "cache") as other:
                other.get(films[1])
        assert opened.get(films[0]) == thumbnail(films[0])
        assert opened.count() == (2 if what == "another in its place" else 1)
        assert opened.notices == []


def test_clearing_is_for_everybody(tmp_path: Path) -> None:
    _sound(tmp_path / "cache")
    with ThumbnailCache(tmp_path / "cache") as opened, ThumbnailCache(tmp_path / "cache") as other:
        assert other.count() == 40
        opened.clear()
        assert (opened.count(), other.count()) == (0, 0)
        opened.get(tmp_path / "films" / "1.jpg")
        assert (opened.count(), other.count()) == (1, 1)
        assert opened.notices == other.notices == []


def test_clearing_what_cannot_be_removed_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "cache" / FILE_NAME).mkdir(parents=True)
    with pytest.raises(WriteError, match="cannot be removed"):
        ThumbnailCache(tmp_path / "cache").clear()


UNUSABLE = ["a file in place of the folder", "a folder in place of the file", "a zero byte", "too long a name"]


@pytest.mark.parametrize("what", UNUSABLE)
def test_where_nothing_can_be_kept_they_are_made_and_that_is_said_once(tmp_path: Path, what: str) -> None:
    places = dict(zip(UNUSABLE, [tmp_path / "file", tmp_path / "cache", tmp_path / "a\0b", tmp_path / ("x" * 300)], strict=True))
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "cache" / FILE_NAME).mkdir(parents=True)
    paths = [gray_image(tmp_path / f"{number}.jpg") for number in range(3)]
    with ThumbnailCache(places[what]) as opened:
        for _ in range(2):
            assert opened.get_many(paths) == [thumbnail(path) for path in paths]
        assert (opened.count(), opened.size) == (0, 0)
        assert not opened.put_many([])
        assert len(opened.notices) == 1
        assert "not kept" in opened.notices[0]
    assert (tmp_path / "file").read_bytes() == b"mine"


@pytest.mark.skipif(
    os.name != "posix" or os.getuid() == 0, reason="root may write anywhere; a file in place of the folder is tested"
)
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o500)
    with ThumbnailCache(folder) as opened:
        assert opened.get(gray_image(tmp_path / "a.jpg")).height == 64
        assert "Permission denied" in opened.notices[0]


FULL = """
import resource, sys
from pathlib import Path
from radharmony_core.thumbnails import ThumbnailCache, store
store._REST = 0.0
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))
folder, *films = map(Path, sys.argv[1:])
with ThumbnailCache(folder) as cache:
    made = [len(cache.get_many([film])) for film in films]
    before = cache.count()
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    cache.get_many(films)
    print(len(made), 0 < before < len(films), cache.count(), len(cache.notices), "not kept" in cache.notices[0])
"""


@POSIX
def test_a_full_disk_and_one_that_has_room_again(tmp_path: Path) -> None:
    """A limit on the size of files, which SQLite meets as it meets a full disk: a write that is refused."""
    films = [gray_image(tmp_path / f"{number}.png", width=256, height=200 + number) for number in range(60)]
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "cache"), *map(str, films)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("60 True 60 1 True", "")


def test_another_that_holds_it_for_long_costs_one_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_PATIENCE", 0.05)
    _sound(tmp_path / "cache")
    other = sqlite3.connect(tmp_path / "cache" / FILE_NAME, isolation_level=None)
    other.execute("begin immediate")
    with ThumbnailCache(tmp_path / "cache") as opened:
        assert opened.get(tmp_path / "films" / "1.jpg").width == 101, "reading does not wait"
        assert opened.get(gray_image(tmp_path / "new.jpg")).width == 48
        assert ["locked" in words for words in opened.notices] == [True]
        other.execute("rollback")
        other.close()
        assert not opened.put_many([]), "it rests for a while"
        opened._store._rests_until = 0.0
        assert opened.put_many([]), "and tries again"
