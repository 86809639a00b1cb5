"""A table is built once; it is built again when anything it was made from has changed, and never kept in silence or by half."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest

from radharmony_core.cache import Cached, TableCache

KEY = {"root": "data", "label_source": None}
VERSIONS = {"version": 1, "schema_version": 2}


class Shelf:
    """A cache over one input file and one input folder, whose table is what stands in the file; ``builds`` counts."""

    def __init__(self, folder: Path) -> None:
        self.file, self.below, self.kept = folder / "raw.csv", folder / "raw", folder / "kept"
        self.file.write_text("one")
        self.below.mkdir()
        self.cache, self.builds = TableCache(self.kept), 0
        self.key: dict[str, object] = dict(KEY)
        self.versions: dict[str, object] = dict(VERSIONS)

    def build(self) -> pa.Table:
        self.builds += 1
        return pa.table({"text": [self.file.read_text() if self.file.exists() else None]}, metadata={"about": "it"})

    def get(self) -> Cached:
        return self.cache.table("t", self.key, [self.file, self.below], self.build, versions=self.versions)

    def names(self) -> list[str]:
        return sorted(path.suffix for path in self.kept.iterdir() if path.suffix != ".lock")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path)


def replaced_by_a_twin(shelf: Shelf) -> None:
    """Another content of the same size with the same time of change, as some copying tools leave it."""
    before = shelf.file.stat()
    twin = shelf.file.with_name("twin")
    twin.write_text("two")
    os.utime(twin, ns=(before.st_atime_ns, before.st_mtime_ns))
    twin.replace(shelf.file)


CHANGES: list[tuple[str, Callable[[Shelf], object], int]] = [
    # reason, what changes, builds in all
    ("nothing", lambda _: None, 1),
    ("the input grew", lambda shelf: shelf.file.write_text("one more"), 2),
    ("only its time", lambda shelf: os.utime(shelf.file, (1, 1)), 2),
    ("another file of the same size and time", replaced_by_a_twin, 2),
    ("it is gone", lambda shelf: shelf.file.unlink(), 2),
    ("a file more in the folder", lambda shelf: (shelf.below / "new.txt").touch(), 2),
    ("the builder's version", lambda shelf: shelf.versions.update(version=2), 2),
    ("the schema's version", lambda shelf: shelf.versions.update(schema_version=3), 2),
    ("a version that was not told before", lambda shelf: shelf.versions.update(pandas="3"), 2),
]


@pytest.mark.parametrize(("reason", "change", "builds"), CHANGES, ids=[row[0] for row in CHANGES])
def test_what_has_changed_is_built_again(shelf: Shelf, reason: str, change: Callable[[Shelf], object], builds: int) -> None:
    first = shelf.get()
    change(shelf)
    second, third = shelf.get(), shelf.get()
    assert shelf.builds == builds, reason
    assert (first.hit, second.hit, third.hit) == (False, builds == 1, True)
    expected = shelf.file.read_text() if shelf.file.exists() else None
    assert second.table.column("text").to_pylist() == third.table.column("text").to_pylist() == [expected]
    assert first.notices == second.notices == third.notices == ()
    assert shelf.names() == [".parquet"], "a table that was replaced leaves nothing"


def test_a_table_read_is_the_table_built(shelf: Shelf) -> None:
    built, read = shelf.get(), shelf.get()
    assert read.table.equals(built.table, check_metadata=True)
    assert read.table.schema.metadata[b"about"] == b"it"
    assert built.path == read.path
    assert read.path is not None
    assert read.path.parent == shelf.kept


def test_each_key_has_a_table_of_its_own(shelf: Shelf) -> None:
    shelf.get()
    shelf.key["label_source"] = "negbio"
    shelf.get()
    shelf.key["label_source"] = None
    assert shelf.get().hit
    assert shelf.builds == 2
    assert shelf.names() == [".parquet", ".parquet"]


def test_an_input_that_comes_later_is_seen(shelf: Shelf) -> None:
    shelf.file.unlink()
    assert shelf.get().table.column("text").to_pylist() == [None]
    shelf.file.write_text("now")
    assert shelf.get().table.column("text").to_pylist() == ["now"]


def test_an_input_that_changes_while_it_is_read_is_read_again(shelf: Shelf) -> None:
    def build() -> pa.Table:
        table = shelf.build()
        shelf.file.write_text(f"changed {shelf.builds}")
        return table

    for builds in (1, 2):
        assert not shelf.cache.table("t", KEY, [shelf.file], build).hit
        assert shelf.builds == builds
    assert shelf.cache.table("t", KEY, [shelf.file], shelf.build).table.column("text").to_pylist() == ["changed 2"]


def test_without_a_folder_nothing_is_kept(shelf: Shelf) -> None:
    shelf.cache = TableCache(None)
    assert [shelf.get() for _ in range(2)] == [Cached(pa.table({"text": ["one"]}), None, hit=False)] * 2
    assert shelf.builds == 2
    assert not shelf.kept.exists()
    shelf.cache.clear()


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize("is_there", [True, False])
def test_only_the_owner_may_read_what_is_kept(shelf: Shelf, is_there: bool) -> None:
    if is_there:
        shelf.kept.mkdir(mode=0o755)
    shelf.get()
    assert shelf.kept.stat().st_mode & 0o777 == (0o755 if is_there else 0o700), "a folder of the user's stays as it is"
    assert {path.stat().st_mode & 0o077 for path in shelf.kept.iterdir()} == {0}


def test_a_folder_of_the_users_home_is_found(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEPT_BELOW", str(tmp_path))
    shelf.cache = TableCache("$KEPT_BELOW/kept")
    shelf.get()
    assert shelf.names() == [".parquet"]


def test_a_build_that_fails_keeps_nothing_and_frees_the_lock(shelf: Shelf) -> None:
    def build() -> pa.Table:
        raise KeyError("raw")

    for _ in range(2):
        with pytest.raises(KeyError, match="raw"):
            shelf.cache.table("t", KEY, [shelf.file], build)
    assert shelf.names() == []
    assert not shelf.get().hit


def test_of_many_threads_one_builds(shelf: Shelf) -> None:
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: shelf.get(), range(12)))
    assert shelf.builds == 1
    assert sum(not each.hit for each in found) == 1
    assert {each.table.column("text").to_pylist()[0] for each in found} == {"one"}


def test_who_waits_is_told_and_may_leave(shelf: Shelf) -> None:
    building, leave = threading.Event(), threading.Event()

    def build() -> pa.Table:
        building.set()
        assert leave.wait(60)
        return shelf.build()

    def waiting() -> None:
        raise InterruptedError("enough")

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(lambda: shelf.cache.table("t", KEY, [shelf.file], build))
        try:
            assert building.wait(60)
            with pytest.raises(InterruptedError, match="enough"):
                shelf.cache.table("t", KEY, [shelf.file], build, waiting=waiting)
        finally:
            leave.set()
        assert not first.result().hit
    assert shelf.cache.table("t", KEY, [shelf.file], build).hit


def test_clearing_forgets_the_tables_and_nothing_else(shelf: Shelf) -> None:
    shelf.get()
    others = [shelf.kept / "own.parquet", shelf.kept / "t-0123456789abcdef.csv"]
    for path in others:
        path.touch()
    shelf.cache.clear()
    shelf.cache.clear()
    assert all(path.exists() for path in others)
    assert not shelf.get().hit
    assert shelf.builds == 2


def test_left_over_parts_go_and_those_being_written_stay(shelf: Shelf) -> None:
    path = shelf.get().path
    assert path is not None
    own, old, young = (shelf.kept / name for name in (f".{path.name}.x.part", ".other.y.part", ".other.z.part"))
    for part in (own, old, young):
        part.touch()
    os.utime(old, (1, 1))
    shelf.versions["version"] = 2
    shelf.get()
    assert [part.exists() for part in (own, old, young)] == [False, False, True]
