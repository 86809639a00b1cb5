"""What is asked of the thumbnails' tables (`store`), and the bound that keeps them from growing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from radharmony_core.thumbnails.rows import Row

__all__ = [
    "MAX_BYTES",
    "ROOM",
    "Kept",
    "bound_of",
    "bytes_in_use",
    "count",
    "find",
    "give_back",
    "mark_used",
    "origins",
    "put",
    "remove",
    "set_bound",
]

MAX_BYTES = 4 << 30  # 377,110 films take about 3.7 GB
ROOM = 32  # where the bound is reached, one part of so many is emptied, so that not every film pushes another out
_AT_ONCE = 16  # entries that are removed before the size is looked at again
_PAGES = 4096  # given back to the disk at once, where the bound was lowered

_FIND = """select key, made_from, about, checksum, data from entries left join pictures using (id) where key = ?"""
_PUT = """
insert into entries (key, made_from, about, checksum, used) values (?, ?, ?, ?, ?)
on conflict (key) do update set
    made_from = excluded.made_from, about = excluded.about, checksum = excluded.checksum, used = excluded.used
returning id"""
_OLDEST = """select id from entries order by used, id limit ?"""


class Kept(NamedTuple):
    """A row as it is kept, texts as bytes; ``data`` is None where there is none."""

    key: bytes
    made_from: bytes
    about: bytes
    checksum: int
    data: bytes | None


def find(connection: sqlite3.Connection, keys: Iterable[bytes]) -> list[Kept]:
    """The rows there are of ``keys``, but for those in which a value is of another type, which only damage does."""
    rows = [row for key in keys if (row := connection.execute(_FIND, (key,)).fetchone()) is not None]
    sound = [row for row in rows if isinstance(row[4], bytes | None) and all(isinstance(value, bytes) for value in row[:3])]
    return [Kept(*row) for row in sound]


def origins(connection: sqlite3.Connection) -> list[tuple[int, bytes, bytes]]:
    """Of every entry its number, ``made_from`` and ``about``."""
    rows = connection.execute("select id, made_from, about from entries").fetchall()
    return [row for row in rows if isinstance(row[1], bytes) and isinstance(row[2], bytes)]


def remove(connection: sqlite3.Connection, entries: Sequence[tuple[int, bytes]]) -> None:
    """``entries``: numbers and ``made_from``, as one may have been made anew meanwhile."""
    for entry in entries:
        if connection.execute("delete from entries where id = ? and made_from = ?", entry).rowcount:
            connection.execute("delete from pictures where id = ?", entry[:1])


def count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("select count(*) from entries").fetchone()[0])


def mark_used(connection: sqlite3.Connection, used: Iterable[tuple[bytes, int]]) -> None:
    """``used``: keys, and when in milliseconds."""
    connection.executemany("update entries set used = ? where key = ?", [(when, key) for key, when in used])


def put(connection: sqlite3.Connection, rows: Sequence[Row], now: int) -> None:
    """Keeps ``rows`` in place of what there is of the same films, and removes the least recently used above the bound."""
    for row in rows:
        place = connection.execute(_PUT, (row.key, row.made_from, row.about, row.checksum, now)).fetchone()
        if row.data:
            connection.execute("insert or replace into pictures (id, data) values (?, ?)", (*place, row.data))
        else:
            connection.execute("delete from pictures where id = ?", place)
    _make_room(connection)


def bytes_in_use(connection: sqlite3.Connection) -> int:
    """Without the pages that are free for the next thumbnails. From the file's header: nothing is counted."""
    pages, free, size = (_number(connection, f"pragma {name}") for name in ("page_count", "freelist_count", "page_size"))
    return (pages - free) * size


def bound_of(connection: sqlite3.Connection) -> int:
    kept = connection.execute("select value from settings where name = 'max_bytes'").fetchone()
    return kept[0] if kept is not None and isinstance(kept[0], int) else MAX_BYTES


def set_bound(connection: sqlite3.Connection, max_bytes: int) -> None:
    connection.execute("insert or replace into settings (name, value) values ('max_bytes', ?)", (max_bytes,))


def _make_room(connection: sqlite3.Connection) -> None:
    bound = bound_of(connection)
    if bytes_in_use(connection) > bound:
        while bytes_in_use(connection) > bound - bound // ROOM:
            oldest = connection.execute(_OLDEST, (_AT_ONCE,)).fetchall()
            if not oldest:  # a bound that even the empty tables are above
                break
            connection.executemany("delete from pictures where id = ?", oldest)
            connection.executemany("delete from entries where id = ?", oldest)


def give_back(connection: sqlite3.Connection) -> None:
    """Makes the file shorter where the bound was lowered, some pages at a time. Not in a transaction."""
    bound = bound_of(connection)
    if _number(connection, "pragma page_count") * _number(connection, "pragma page_size") > bound + bound // ROOM:
        connection.executescript(f"pragma incremental_vacuum({_PAGES})")  # `execute` would give back a single page


def _number(connection: sqlite3.Connection, question: str) -> int:
    return int(connection.execute(question).fetchone()[0])
