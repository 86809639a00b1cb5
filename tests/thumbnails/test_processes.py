"""Several processes on one file: writing at once, killed in the middle, forked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from radharmony_core.thumbnails import Thumbnail, ThumbnailCache, thumbnail
from tests.support import gray_image

ROOT = Path(__file__).resolve().parents[2]
POSIX = pytest.mark.skipif(os.name != "posix", reason="forks and signals as POSIX has them")


def films(folder: Path, number: int) -> list[Path]:
    return [gray_image(folder / "films" / f"{place}.jpg", width=20 + place % 30) for place in range(number)]


def writer(folder: Path, first: int, last: int) -> subprocess.Popen[bytes]:
    """A process that makes and keeps films ``first`` to ``last``, and says when it begins."""
    command = [sys.executable, "-m", "tests.thumbnails.worker", str(folder / "cache"), str(first), str(last)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    paths = films(tmp_path, 300)
    # 200 each, 100 of them the same; both begin the file.
    running = [writer(tmp_path, 0, 200), writer(tmp_path, 100, 300)]
    for process in running:
        out, err = process.communicate()
        assert (process.returncode, out, err) == (0, b"begun\n", b"")
    with ThumbnailCache(tmp_path / "cache") as cache:
        assert cache.count() == 300
        assert [type(one) for one in cache.peek_many(paths)] == [Thumbnail] * 300
        assert cache.notices == []


@POSIX
def test_a_process_that_is_killed_leaves_a_good_file(tmp_path: Path) -> None:
    paths = films(tmp_path, 400)
    with ThumbnailCache(tmp_path / "cache") as cache:
        for _ in range(3):
            cache.clear()
            process = writer(tmp_path, 0, 400)
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            while not cache.count() and process.poll() is None:
                time.sleep(0.005)
            process.kill()
            process.communicate()
            kept = cache.peek_many(paths)
            number = sum(one is not None for one in kept)
            assert 0 < number < 400
            assert number == cache.count(), "none that is there in part"
            assert kept[:number] == [thumbnail(path) for path in paths[:number]]
            assert isinstance(cache.get_many(paths)[-1], Thumbnail), "the next one goes on"
        assert cache.notices == []


@POSIX
def test_a_fork_has_a_connection_of_its_own(tmp_path: Path) -> None:
    paths = films(tmp_path, 6)
    with ThumbnailCache(tmp_path / "cache") as cache:
        cache.get_many(paths[:2])
        child = os.fork()
        if child == 0:
            code = 1
            try:
                found = cache.get_many(paths[:4])
                code = 0 if [type(one) for one in found] == [Thumbnail] * 4 and len(cache._store._opened) == 2 else 2
                cache.close()
            finally:
                os._exit(code)
        cache.get_many([paths[0], *paths[4:]])
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        assert cache.count() == 6
        assert None not in cache.peek_many(paths)
        assert cache.notices == []


@POSIX
def test_a_fork_while_another_thread_holds_the_lock_goes_on(tmp_path: Path) -> None:
    paths = films(tmp_path, 1)
    with ThumbnailCache(tmp_path / "cache") as cache:
        cache.get(paths[0])
        with cache._store._here().lock:
            child = os.fork()
            if child == 0:
                os._exit(0 if cache.get(paths[0]).height == 64 else 1)
            for _ in range(200):
                done, status = os.waitpid(child, os.WNOHANG)
                if done:
                    break
                time.sleep(0.05)
            else:
                os.kill(child, 9)
                os.waitpid(child, 0)
                pytest.fail("The child waits for a lock that nobody in it will open.")
        assert os.waitstatus_to_exitcode(status) == 0
