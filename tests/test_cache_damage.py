"""What is read is what was written: a changed byte anywhere is found, and a table that cannot be kept or read is said."""

from __future__ import annotations

import datetime
import pickle
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from radharmony_core.cache import Cached, TableCache, read_table, write_table
from radharmony_core.errors import MissingFileError, SavedTableError, WriteError

WORDS = ["mild edema", None, "", "l’œdème"]
TABLES = [
    # reason, table
    ("text", pa.table({"a": WORDS})),
    ("large text", pa.table({"a": pa.array(WORDS, pa.large_string())})),
    ("small integers with blanks", pa.table({"a": pa.array([1, 0, -1, None], pa.int8())})),
    ("days", pa.table({"a": pa.array([datetime.datetime(2150, 1, 2, 8, 5, 56, 875000), None], pa.timestamp("ms"))})),
    ("lists of lists", pa.table({"a": [[[0.1, 0.2], []], [], None]})),
    ("nothing but blanks", pa.table({"a": pa.nulls(3, pa.string())})),
    ("no rows", pa.table({"a": pa.array([], pa.string())})),
    ("names that repeat", pa.table({"a": pa.array(["x", "y", "x"]).dictionary_encode()})),
    ("metadata, bytes that are no text among it", pa.table({"a": [1]}, metadata={b"about": b"\xff\x00", b"pandas": b"{}"})),
]


@pytest.mark.parametrize(("reason", "table"), TABLES, ids=[row[0] for row in TABLES])
def test_a_table_comes_back_as_it_was(tmp_path: Path, reason: str, table: pa.Table) -> None:
    write_table(table, tmp_path / "t.parquet")
    again = read_table(tmp_path / "t.parquet")
    again.validate(full=True)
    assert again.equals(table), reason
    assert (again.schema.metadata or {}) == (table.schema.metadata or {})
    assert pq.read_table(tmp_path / "t.parquet").equals(table), "any reader of Parquet reads it"


def written(path: Path) -> bytes:
    write_table(pa.table({"id": ["p1", "p2", None], "state": pa.array([1, None, 0], pa.int8())}, metadata={"about": "it"}), path)
    return path.read_bytes()


def test_any_flipped_bit_is_found(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    whole = written(path)
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :])
        with pytest.raises(SavedTableError, match=r"t\.parquet"):
            read_table(path)


def test_any_cut_is_found(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    whole = written(path)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(SavedTableError, match="damaged"):
            read_table(path)


DAMAGE: list[tuple[str, Callable[[Path, bytes], object]]] = [
    ("one bit of a cell", lambda path, whole: path.write_bytes(whole.replace(b"p1", b"q1"))),
    ("a column's name", lambda path, whole: path.write_bytes(whole.replace(b"state", b"stale"))),
    ("a hole, as a bad disk leaves it", lambda path, whole: path.write_bytes(whole[:50] + bytes(50) + whole[100:])),
    ("cut", lambda path, whole: path.write_bytes(whole[:-1])),
    ("longer", lambda path, whole: path.write_bytes(whole + b"\0")),
    ("twice", lambda path, whole: path.write_bytes(whole + whole[:-9] + whole[-8:])),
    ("empty", lambda path, _: path.write_bytes(b"")),
    ("another table", lambda path, _: pq.write_table(pa.table({"id": ["p3"]}), path)),
    ("a pickle", lambda path, _: path.write_bytes(pickle.dumps({"id": ["p3"]}))),
    ("a page of a proxy", lambda path, _: path.write_bytes(b"<html>log in</html>")),
]


def get(folder: Path) -> Cached:
    return TableCache(folder).table("t", {}, [], lambda: pa.table({"id": ["p1", "p2"], "state": [1, 0]}))


@pytest.mark.parametrize(("reason", "damage"), DAMAGE, ids=[row[0] for row in DAMAGE])
def test_a_damaged_table_is_built_anew_and_said(tmp_path: Path, reason: str, damage: Callable[[Path, bytes], object]) -> None:
    first = get(tmp_path)
    assert first.path is not None
    whole = first.path.read_bytes()
    damage(first.path, whole)
    assert first.path.read_bytes() != whole, "it is damaged"
    second, third = get(tmp_path), get(tmp_path)
    assert second.table.equals(first.table), reason
    assert (second.hit, third.hit) == (False, True)
    assert len(second.notices) == 1
    assert first.path.name in second.notices[0]
    assert "built anew" in second.notices[0]
    assert third.notices == ()


def test_a_table_made_from_something_else_is_not_taken(tmp_path: Path) -> None:
    """Its bytes are sound, but it is the table of another key, copied to this name."""
    other = TableCache(tmp_path / "a").table("t", {"root": "elsewhere"}, [], lambda: pa.table({"id": ["p9"]}))
    own = get(tmp_path / "b")
    assert other.path is not None
    assert own.path is not None
    other.path.replace(own.path)
    again = get(tmp_path / "b")
    assert not again.hit
    assert again.table.equals(own.table)


def test_a_folder_where_the_table_should_be_is_said(tmp_path: Path) -> None:
    path = get(tmp_path).path
    assert path is not None
    path.unlink()
    path.mkdir()
    found = get(tmp_path)
    assert (found.hit, found.path) == (False, None)
    assert found.table.num_rows == 2
    assert "not kept" in found.notices[-1]


@pytest.mark.parametrize("name", ["file", "file/below", "a\0b"])
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("no folder")
    found = get(tmp_path / name)
    assert (found.hit, found.path, found.table.num_rows) == (False, None, 2)
    assert "not kept" in found.notices[0]
    assert "cannot be made" in found.notices[0]


def test_where_nothing_can_be_locked_the_table_is_kept_and_that_is_said(tmp_path: Path) -> None:
    first = get(tmp_path)
    assert first.path is not None
    lock = first.path.with_suffix(".lock")
    lock.unlink()
    lock.mkdir()
    first.path.unlink()
    second = get(tmp_path)
    assert second.path == first.path
    assert "cannot be locked" in second.notices[0]
    assert get(tmp_path).hit


def test_a_table_that_parquet_cannot_hold_is_said(tmp_path: Path) -> None:
    odd = pa.table({"a": pa.array([None], pa.run_end_encoded(pa.int32(), pa.int8()))})
    found = TableCache(tmp_path).table("t", {}, [], lambda: odd)
    assert found.table.equals(odd)
    assert "not kept" in found.notices[0]
    assert not list(tmp_path.glob("*.parquet"))


def test_writing_and_reading_refuse_in_words(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="nowhere"):
        write_table(TABLES[0][1], tmp_path / "nowhere" / "t.parquet")
    with pytest.raises(MissingFileError, match=r"t\.parquet"):
        read_table(tmp_path / "t.parquet")
    (tmp_path / "t.parquet").mkdir()
    with pytest.raises(WriteError, match=r"t\.parquet"):
        write_table(TABLES[0][1], tmp_path / "t.parquet")
    with pytest.raises(SavedTableError, match=r"t\.parquet"):
        read_table(tmp_path / "t.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["t.parquet"]
