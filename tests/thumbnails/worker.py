"""What other processes do in the tests of thumbnails: they import this by its name."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from radharmony_core.thumbnails import Thumbnail, ThumbnailCache, thumbnail

FAST = b"a thumbnail that takes no time"


def made_at_once(path: Path, side: int) -> Thumbnail:
    return Thumbnail(FAST + path.name.encode(), side, 1)


def odd_maker(path: Path, side: int) -> Thumbnail:
    """Does to its process what a film's name asks for."""
    if "ends" in path.name:
        os._exit(9)
    if "raises" in path.name:
        raise KeyError(path.name)
    return thumbnail(path, side)


def ends_always(path: Path, side: int) -> Thumbnail:
    os._exit(9)


def slow(path: Path, side: int) -> Thumbnail:
    """Says that it has begun, and takes its time."""
    path.with_suffix(f".{os.getpid()}").touch()
    time.sleep(0.05)
    return made_at_once(path, side)


def endless(path: Path, side: int) -> Thumbnail:
    """Says that it has begun, and takes longer than anybody waits."""
    path.with_suffix(".begun").touch()
    time.sleep(3600)
    return made_at_once(path, side)


def _write(folder: str, first: str, last: str) -> None:
    """Films one by one, each put by itself."""
    with ThumbnailCache(folder) as cache:
        print("begun", flush=True)
        for number in range(int(first), int(last)):
            cache.get(Path(folder).parent / "films" / f"{number}.jpg")
        assert cache.notices == [], cache.notices


if __name__ == "__main__":
    _write(*sys.argv[1:])
