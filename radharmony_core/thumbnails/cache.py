"""Thumbnails that are made once and kept, each as long as its file stays as it is.

Any number of threads and processes may share a folder. It can be deleted at any time.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from radharmony_core.errors import RadHarmonyError
from radharmony_core.paths import expanded
from radharmony_core.thumbnails import tables
from radharmony_core.thumbnails.make import SIDE, Thumbnail, thumbnail
from radharmony_core.thumbnails.rows import Outcome, Row, file_of, key_of, made_from, make_row, outcome_of
from radharmony_core.thumbnails.store import Store

__all__ = ["ThumbnailCache"]

_USES = 500  # that are written at once: to look at a film is no reason to write
_BESIDE = 400  # bytes that an entry takes beside its picture and words
_THREADS = min(4, os.cpu_count() or 1)


class ThumbnailCache:
    """``ThumbnailCache(folder)`` keeps thumbnails of ``side`` pixels in one file there, at most ``max_bytes``, the least
    recently used out first. A bound that is given is the folder's from the next writing on, in every process; without one
    it stays as it is, 4 GiB at first.

    Where nothing can be kept, thumbnails are made each time, and ``notices`` say so once.
    """

    def __init__(self, folder: str | Path, max_bytes: int | None = None, *, side: int = SIDE) -> None:
        if side < 1 or (max_bytes is not None and max_bytes < 1):
            raise ValueError(f"A side and a bound of at least 1 were expected; got {side} and {max_bytes}.")
        self.side = side
        self._said: dict[str, None] = {}
        self._store = Store(expanded(folder), lambda words: self._said.setdefault(words))
        self._new_bound = max_bytes  # None once it is written
        self._used: dict[bytes, int] = {}  # without a lock, which a fork could leave locked: each use of it is one step

    @property
    def path(self) -> Path:
        """The file they are kept in, there or not."""
        return self._store.path

    @property
    def notices(self) -> list[str]:
        """What went wrong with keeping, a sentence or two each."""
        return list(self._said)

    @property
    def trouble(self) -> str:
        """Why nothing could be kept the last time that this was so, in a few words; "" where that was never so."""
        return self._store.trouble

    @property
    def size(self) -> int:
        """The bytes in use, which is what the bound is for."""
        return self._store.read(tables.bytes_in_use, 0)

    @property
    def max_bytes(self) -> int:
        """The bound."""
        return self._store.read(tables.bound_of, tables.MAX_BYTES) if self._new_bound is None else self._new_bound

    def has_room_for(self, rows: Sequence[Row]) -> bool:
        """Whether rows could be kept without pushing others out."""
        return self.size + sum(len(row.data) + len(row.about) + _BESIDE for row in rows) <= self.max_bytes

    def count(self) -> int:
        """How many entries there are: thumbnails, and refusals of films that cannot be read."""
        return self._store.read(tables.count, 0)

    def get(self, path: str | Path) -> Thumbnail:
        """The thumbnail of a film, made where there is none. Raises as `thumbnail`, also where the refusal was kept."""
        found = self.get_many([path])[0]
        if isinstance(found, RadHarmonyError):
            raise found
        return found

    def get_many(self, paths: Iterable[str | Path]) -> list[Outcome]:
        """For each path its thumbnail, or the error that says why there is none. What is not kept is made, several at once."""
        files = [Path(path) for path in paths]
        found = dict(zip(files, self.peek_many(files), strict=True))
        missing = [path for path, outcome in found.items() if outcome is None]
        if missing:
            with ThreadPoolExecutor(min(_THREADS, len(missing))) as pool:
                rows = list(pool.map(lambda path: make_row(path, self.side, thumbnail), missing))
            self.put_many(rows)
            found |= {path: outcome_of(row.about, row.data, row.checksum) for path, row in zip(missing, rows, strict=True)}
        return [outcome for path in files if (outcome := found[path]) is not None]

    def peek_many(self, paths: Iterable[str | Path]) -> list[Outcome | None]:
        """As `get_many`, but None for what would have to be made."""
        kept = self._look_up(paths)
        found = [_outcome(row) for row in kept]
        now = _now()
        self._used.update({row.key: now for row, outcome in zip(kept, found, strict=True) if row and outcome})
        if len(self._used) >= _USES:
            self._store.write(self._write_uses)
        return found

    def has_many(self, paths: Iterable[str | Path]) -> list[bool | RadHarmonyError]:
        """Whether each film's thumbnail is there and whole, or the refusal that is kept. None counts as used."""
        found = [_outcome(row) for row in self._look_up(paths)]
        return [outcome if isinstance(outcome, RadHarmonyError) else outcome is not None for outcome in found]

    def put_many(self, rows: Sequence[Row]) -> bool:
        """Keeps rows that `make_row` made, all or none. False, and a notice, where nothing can be kept."""
        kept = [row for row in rows if row.made_from is not None]
        bound, now = self._new_bound, _now()

        def work(connection: sqlite3.Connection) -> None:
            if bound is not None:
                tables.set_bound(connection, bound)
            self._write_uses(connection)
            tables.put(connection, kept, now)

        written = self._store.write(work)
        if written:
            self._new_bound = None
            self._store.read(tables.give_back, None)
        return written

    def forget_gone(self) -> int:
        """Removes what was made of files that are gone or have changed, of any folder and side, and says how many. Each entry's
        file is looked at: seconds for hundreds of thousands on a disk of one's own."""
        none: list[tuple[int, bytes, bytes]] = []
        files = [(entry, source, file_of(about)) for entry, source, about in self._store.read(tables.origins, none)]
        gone = [(entry, source) for entry, source, file in files if file is not None and made_from(file) != source]
        return len(gone) if gone and self._store.write(lambda connection: tables.remove(connection, gone)) else 0

    def clear(self) -> None:
        """Forgets every thumbnail. Raises WriteError where the file cannot be removed."""
        self._new_bound = self.max_bytes
        self._used = {}
        self._store.remove()

    def close(self) -> None:
        """Writes what is to be written. The next look opens it again."""
        if self._used:
            self._store.write(self._write_uses)
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def _look_up(self, paths: Iterable[str | Path]) -> list[tables.Kept | None]:
        """For each path the row that was made from the file as it is now."""
        wanted = [(key_of(Path(path), self.side), made_from(Path(path))) for path in paths]
        keys = dict.fromkeys(key for key, source in wanted if source is not None)
        none: list[tables.Kept] = []
        rows = {row.key: row for row in self._store.read(partial(tables.find, keys=keys), none)}
        found = [rows.get(key) for key, _ in wanted]
        return [row if row and row.made_from == source else None for row, (_, source) in zip(found, wanted, strict=True)]

    def _write_uses(self, connection: sqlite3.Connection) -> None:
        used, self._used = self._used, {}
        tables.mark_used(connection, list(used.items()))


def _outcome(row: tables.Kept | None) -> Outcome | None:
    return None if row is None else outcome_of(row.about, row.data, row.checksum)


def _now() -> int:
    return time.time_ns() // 1_000_000  # milliseconds
