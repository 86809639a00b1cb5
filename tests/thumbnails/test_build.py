"""Thumbnails of many films: what is there is left, what cannot be read is told, and any end leaves what was made."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from radharmony_core.errors import NotAnImageError, RadHarmonyError
from radharmony_core.thumbnails import Thumbnail, ThumbnailCache, build, bytes_needed, survey, workers
from tests.support import gray_image
from tests.thumbnails.films import KINDS
from tests.thumbnails.test_processes import ROOT
from tests.thumbnails.worker import ends_always, made_at_once, odd_maker

MIB = 1 << 20


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ThumbnailCache]:
    with ThumbnailCache(tmp_path / "cache") as opened:
        yield opened


def films(folder: Path, *names: str) -> list[Path]:
    return [gray_image(folder / "films" / f"{name}.jpg") for name in names]


def test_every_kind_is_made_and_only_once(tmp_path: Path, cache: ThumbnailCache) -> None:
    paths = [write(tmp_path / f"{number} {kind}") for number, (kind, write) in enumerate(KINDS.items())]
    (tmp_path / "text.jpg").write_bytes(b"text")
    paths.append(tmp_path / "text.jpg")
    told: list[tuple[int, int, str]] = []
    before = survey(cache, paths, lambda *one: told.append(one))
    assert (before.to_make, before.there, before.refused) == (paths, 0, [])
    built = build(cache, paths, jobs=2, progress=lambda *one: told.append(one))
    assert (built.made, built.left, built.stopped) == (len(KINDS), 0, "")
    assert [(path.name, type(error)) for path, error in built.refused] == [("text.jpg", NotAnImageError)]
    assert told[0] == (len(paths), len(paths), "films looked at")
    assert told[-1] == (len(paths), len(paths), "thumbnails")
    assert [type(one) for one in cache.peek_many(paths)] == [Thumbnail] * len(KINDS) + [NotAnImageError]
    gray_image(paths[0], width=90)
    again = survey(cache, paths)
    assert (again.to_make, again.there) == (paths[:1], len(KINDS) - 1)
    assert [path.name for path, _ in again.refused] == ["text.jpg"]


def test_nothing_to_make_starts_no_process(cache: ThumbnailCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_pool", lambda _: pytest.fail("a process"))
    assert build(cache, [], jobs=2).made == 0
    assert survey(cache, []).to_make == []


def test_a_film_that_ends_a_process_or_breaks_a_reader_is_one_film(tmp_path: Path, cache: ThumbnailCache) -> None:
    names = [f"{number:02}" for number in range(40)]
    names[3], names[20], names[30] = "03 raises", "20 ends", "30 ends"
    paths = films(tmp_path, *names)
    built = build(cache, paths, jobs=2, make=odd_maker)
    assert (built.made, built.left, built.stopped) == (37, 0, "")
    assert sorted(path.stem for path, _ in built.refused) == ["03 raises", "20 ends", "30 ends"]
    words = {path.stem: str(error) for path, error in built.refused}
    assert "KeyError" in words["03 raises"]
    assert "ended the process" in words["20 ends"]
    assert cache.count() == 37, "it may have been the machine, so that it is tried again the next time"


def test_where_every_film_ends_its_process_the_work_ends(tmp_path: Path, cache: ThumbnailCache) -> None:
    with pytest.raises(RadHarmonyError, match="end at once"):
        build(cache, films(tmp_path, *map(str, range(8))), jobs=1, make=ends_always)


def test_it_stops_at_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = films(tmp_path, *map(str, range(200)))
    with ThumbnailCache(tmp_path / "cache", 48 << 10) as small:  # the empty tables take 28 of these 48 KiB
        small.put_many([])
        built = build(small, paths, jobs=1, make=made_at_once)
        assert built.stopped == "full"
        assert 0 < built.made < 200
        assert built.made + built.left == 200
        assert small.size <= 48 << 10
        assert built.gone == 0, "looked for, and there are none"
        again = build(small, survey(small, paths).to_make, jobs=1, make=made_at_once)
        assert (again.made, again.stopped) == (0, "full")


def test_it_stops_where_nothing_can_be_kept(tmp_path: Path) -> None:
    paths = films(tmp_path, *map(str, range(50)))
    with ThumbnailCache(paths[0]) as unusable:
        built = build(unusable, paths, jobs=1, make=made_at_once)
    assert (built.made, built.left, built.stopped) == (0, 50, "unkept")


# How many of what size are there, the side, films asked about, bytes by hand.
NEEDED = [
    (0, 256, 1000, 9_700_000, 9_700_000, "a guess: 9,700 bytes a film"),
    (0, 256, 0, 0, 0, "none"),
    (0, 512, 1000, 20_000_000, 35_000_000, "a larger side takes more"),
    (150, 256, 1000, 200_000, 2_000_000, "as those that are there, which are small"),
]


@pytest.mark.parametrize(("there", "side", "asked", "least", "most", "reason"), NEEDED, ids=[row[5] for row in NEEDED])
def test_how_much_room_it_takes(tmp_path: Path, there: int, side: int, asked: int, least: int, most: int, reason: str) -> None:
    with ThumbnailCache(tmp_path / "cache", side=side) as opened:
        if there:
            opened.get_many(films(tmp_path, *map(str, range(there))))
        assert least <= bytes_needed(opened, asked) <= most, reason


LONG = """
from pathlib import Path
import sys
from radharmony_core.thumbnails import ThumbnailCache, build
from tests.thumbnails.worker import slow
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    build(ThumbnailCache(folder / "cache"), sorted((folder / "films").glob("*.jpg")), jobs=2, make=slow)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="whether a process runs is asked as Linux answers it")
def test_its_processes_end_with_it_however_it_ends(tmp_path: Path) -> None:
    films(tmp_path, *map(str, range(400)))
    (tmp_path / "long.py").write_text(LONG, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, str(tmp_path / "long.py"), str(tmp_path)], cwd=ROOT, env=environment)

    def begun() -> set[int]:
        return {int(mark.suffix[1:]) for mark in (tmp_path / "films").iterdir() if mark.suffix[1:].isdigit()}

    while len(begun()) < 2 and process.poll() is None:
        time.sleep(0.01)
    workers_of_it = begun()
    process.kill()
    process.wait()
    assert len(workers_of_it) == 2
    for worker in workers_of_it:
        for _ in range(200):
            if not _runs(worker):
                break
            time.sleep(0.05)
        else:
            os.kill(worker, 9)
            pytest.fail("A process goes on although the one that began it is gone.")


def _runs(process: int) -> bool:
    """Also not one that is dead and waits to be buried, as happens where nobody does that."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
