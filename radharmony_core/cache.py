"""Tables that are built once and kept as Parquet, each file whole or not there.

A kept file says what it was made from, and has a checksum of every byte in it: those of Parquet cover the pages but not their
headers, and to check them takes longer than to read the table. No pickle is written or read.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import mmap
import os
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import filelock
import pyarrow as pa
import pyarrow.parquet as pq

from radharmony_core.errors import MissingFileError, RadHarmonyError, SavedTableError, WriteError
from radharmony_core.paths import expanded, stamp, written_whole

__all__ = ["Cached", "TableCache", "read_table", "write_table"]

_MADE_FROM, _CHECKSUM = b"radharmony_made_from", b"radharmony_checksum"
_MARK, _UNSIGNED = b"radharmony-crc32:", b"00000000"  # found by itself: damaged bytes are not given to Arrow
_SUFFIX = ".cache.parquet"
_PIECE = 1 << 18
_LOOK_EVERY = 0.5  # seconds, while another process has the lock
_LEFT_OVER = 86_400  # seconds: nobody writes a table for a day


def write_table(table: pa.Table, target: Path, *, private: bool = False) -> None:
    """Writes ``table`` and its schema's metadata as Parquet with a checksum; ``private``: only the owner may read it.

    Raises MissingFileError where the folder is not there, WriteError where it cannot be written to.
    """
    metadata = table.schema.metadata or {}
    own = {key: value for key, value in metadata.items() if key != b"pandas"}  # not in the schema, or Arrow keeps it twice
    schema = table.schema.with_metadata({key: value for key, value in metadata.items() if key not in own})
    with written_whole(target) as temporary:
        if private:
            temporary.chmod(0o600)
        with pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
            writer.write_table(table)
            writer.add_key_value_metadata({**own, _CHECKSUM: _MARK + _UNSIGNED})
        with temporary.open("r+b") as handle:
            with mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as content:
                place, checksum = content.rfind(_MARK + _UNSIGNED) + len(_MARK), zlib.crc32(content)
            handle.seek(place)
            handle.write(b"%08x" % checksum)


def read_table(source: Path) -> pa.Table:
    """A table as `write_table` wrote it. Raises MissingFileError where there is no such file, SavedTableError where it is
    another one, or a byte in it has changed."""
    try:
        _refuse_changes(source)
        table = pq.ParquetFile(source).read()
    except FileNotFoundError as error:
        raise MissingFileError(f"Expected a saved table at {source}; there is no such file.") from error
    except (pa.ArrowException, OSError, ValueError) as error:
        raise SavedTableError(
            f"Expected a table saved by RadHarmony in {source}; it is another file or damaged ({error})."
        ) from error
    return table.replace_schema_metadata({key: value for key, value in table.schema.metadata.items() if key != _CHECKSUM})


def _refuse_changes(source: Path) -> None:
    """Raises OSError, and ValueError where the file's checksum is missing or another. Parquet ends with a footer, in which the
    checksum is, the footer's length in four bytes, and four letters."""
    with source.open("rb", buffering=0) as handle:
        size = os.fstat(handle.fileno()).st_size
        handle.seek(max(0, size - 8))
        ending = handle.read(8)
        footer = size - 8 - int.from_bytes(ending[:4], "little")
        if ending[4:] != b"PAR1" or footer < 0:
            raise ValueError("it is no Parquet, or cut short")
        handle.seek(footer)
        end = handle.read()
        place = end.rfind(_MARK) + len(_MARK)
        if place < len(_MARK):
            raise ValueError("it has no checksum")
        handle.seek(0)
        checksum = _crc32(handle, footer)
    for part in (end[:place], _UNSIGNED, end[place + len(_UNSIGNED) :]):
        checksum = zlib.crc32(part, checksum)
    if end[place : place + len(_UNSIGNED)] != b"%08x" % checksum:
        raise ValueError("its checksum is another")


def _crc32(handle: io.FileIO, size: int) -> int:
    """Of the next ``size`` bytes, in one small piece of memory: to take new memory for them all takes longer than to read."""
    checksum, piece = 0, memoryview(bytearray(_PIECE))
    while size > 0 and (count := handle.readinto(piece[:size])):
        checksum = zlib.crc32(piece[:count], checksum)
        size -= count
    return checksum


@dataclass(frozen=True, slots=True)
class Cached:
    """``table``, and ``path`` where it is kept (None where it is not). ``hit``: it was read, not built. ``notices`` say in
    sentences what went wrong with keeping it."""

    table: pa.Table
    path: Path | None
    hit: bool
    notices: tuple[str, ...] = ()


class TableCache:
    """``TableCache(folder)`` keeps tables in ``folder``, which is made when it is needed, for its owner only: tables may hold
    text of reports. ``None`` keeps nothing."""

    def __init__(self, folder: str | Path | None) -> None:
        self.folder = None if folder is None else expanded(folder)

    def table(
        self,
        name: str,
        key: Mapping[str, object],
        inputs: Sequence[Path],
        build: Callable[[], pa.Table],
        *,
        versions: Mapping[str, object] | None = None,
        waiting: Callable[[], None] | None = None,
    ) -> Cached:
        """The table called ``name``: read where it is kept and still right, else what ``build`` gives, and kept.

        Each ``key`` (what the table is asked for with) has a file of its own. That file is replaced when ``versions`` (of what
        builds it) change, or one of ``inputs``: its size, times or inode, not its content; of a folder, what lies directly in
        it. ``waiting`` is called twice a second while another process builds the same table. Raises only what ``build`` and
        ``waiting`` raise.
        """
        if self.folder is None:
            return Cached(build(), None, hit=False)
        asked = json.dumps(key, sort_keys=True, default=str)
        path = self.folder / f"{name}-{hashlib.sha256(asked.encode()).hexdigest()[:16]}{_SUFFIX}"

        def made_from() -> bytes:
            about = {"key": asked, "versions": versions, "inputs": [_stamp(source) for source in inputs]}
            return json.dumps(about, sort_keys=True, default=str).encode()

        kept, _ = _kept(path, made_from())
        if kept is not None:
            return Cached(kept, path, hit=True)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            notice = f"The table is built and not kept: the folder {self.folder} cannot be made ({error})."
            return Cached(build(), None, hit=False, notices=(notice,))
        lock = filelock.FileLock(path.with_suffix(".lock"), mode=0o600, fallback_to_soft=False)
        unlocked = _acquired(lock, waiting)
        try:
            return _read_or_built(path, made_from, build, unlocked)
        finally:
            lock.release()

    def clear(self) -> None:
        """Forgets every table, so that each is built anew at the next look. Raises WriteError where one cannot be removed."""
        for path in [] if self.folder is None else self.folder.glob(f"*-{'[0-9a-f]' * 16}{_SUFFIX}"):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise WriteError(f"The kept table {path} cannot be removed: {error.strerror}. Remove it by hand.") from error


def _read_or_built(
    path: Path, made_from: Callable[[], bytes], build: Callable[[], pa.Table], unlocked: tuple[str, ...]
) -> Cached:
    key = made_from()  # before building: what changes meanwhile is another table next time
    kept, damaged = _kept(path, key)  # another process may have built it by now
    if kept is not None:
        return Cached(kept, path, hit=True)
    built = build()
    table = built.replace_schema_metadata({**(built.schema.metadata or {}), _MADE_FROM: key})
    unkept = _keep(table, path, alone=not unlocked)
    return Cached(table, None if unkept else path, hit=False, notices=(*damaged, *(unkept or unlocked)))


def _stamp(source: Path) -> list[object]:
    """What changes when ``source`` does. A file that is not there has another stamp than any that is."""
    return [str(source.absolute()), *(stamp(source) or [None])]


def _kept(path: Path, made_from: bytes) -> tuple[pa.Table | None, tuple[str, ...]]:
    """The table in ``path`` where it was made from just that, else None; and a notice where it cannot be used."""
    try:
        table = read_table(path)
    except MissingFileError:
        return None, ()
    except SavedTableError as error:
        return None, (f"{error} It was built anew.",)
    return (table if table.schema.metadata.get(_MADE_FROM) == made_from else None), ()


def _acquired(lock: filelock.BaseFileLock, waiting: Callable[[], None] | None) -> tuple[str, ...]:
    """Waits for the lock, which the system takes from a process that ends however it ends. A notice where there can be none."""
    while True:
        try:
            lock.acquire(timeout=_LOOK_EVERY)
        except filelock.Timeout:
            if waiting is not None:
                waiting()
        except OSError as error:
            return (f"{lock.lock_file} cannot be locked ({error.strerror}); another start may build the same table.",)
        else:
            return ()


def _keep(table: pa.Table, path: Path, *, alone: bool) -> tuple[str, ...]:
    """Writes the table; a notice where that cannot be. ``alone``: nobody else writes to ``path`` now."""
    now = time.time()
    for part in path.parent.glob(".*.part"):  # of builds that were killed
        with contextlib.suppress(OSError):  # gone by now, or somebody else's: the next one may remove it
            if (alone and part.name.startswith(f".{path.name}.")) or part.stat().st_mtime < now - _LEFT_OVER:
                part.unlink()
    try:
        write_table(table, path, private=True)
    except (RadHarmonyError, pa.ArrowException) as error:
        return (f"The table is built and not kept. {error}",)
    return ()
