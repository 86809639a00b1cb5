"""The SQLite file behind the thumbnails: opened once a process, for its owner only, begun anew where it cannot be used."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import filelock

from radharmony_core.errors import WriteError

__all__ = ["FILE_NAME", "Store", "transaction"]

T = TypeVar("T")
FILE_NAME = "thumbnails.sqlite"
_SET_ASIDE = "thumbnails.damaged.sqlite"
_APPLICATION, _VERSION = 0x52485468, 1  # "RHTh"; raise the second with every change of the tables
_PATIENCE = 5.0  # seconds that one process waits for another's writing
_REST = 30.0  # seconds without writing, after it has failed: a page that waits at each film would be of no use
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)  # the last: a table is not there

# Two tables: what is asked most, whether a film is there, is read without the pictures. The index serves what is removed first.
_TABLES = """
create table entries (
    id integer primary key, key blob not null unique, made_from blob not null, about blob not null, checksum integer not null,
    used integer not null);
create index by_use on entries (used);
create table pictures (id integer primary key, data blob not null);
create table settings (name text primary key, value integer not null);
"""


class _OtherFileError(sqlite3.DatabaseError):
    """A database that somebody else, or another version, has written."""


class _Opened:
    """One process's connection, and which file it is to. ``lock``: one thread at a time."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.connection: sqlite3.Connection | None = None
        self.file: tuple[int, int] | None = None


class Store:
    """``say`` is told once in words what has gone wrong; nothing here raises where the file cannot be used."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.path = folder / FILE_NAME
        self._say = say
        # By process: after a fork the child must neither use nor close the connection it was born with, so that stays here.
        self._opened: dict[int, _Opened] = {}
        self._rests_until = 0.0
        self.trouble = ""  # why it could not be used the last time that it could not

    def read(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """What ``work`` gives; ``otherwise`` where the file cannot be used."""
        return self._done(work, otherwise)

    def write(self, work: Callable[[sqlite3.Connection], None]) -> bool:
        """Does ``work`` in a transaction, whole or not at all. False where that cannot be; tried again after a while."""
        if time.monotonic() < self._rests_until:
            return False

        def whole(connection: sqlite3.Connection) -> bool:
            with transaction(connection):
                work(connection)
            return True

        return self._done(whole, otherwise=False)

    def close(self) -> None:
        opened = self._here()
        with opened.lock:
            _close(opened)

    def remove(self) -> None:
        """Takes the file away; another one begins at the next look. Raises WriteError where it cannot be removed."""
        opened = self._here()
        with opened.lock, self._alone():
            _close(opened)
            try:
                for path in (*self._companions(), self.path):
                    path.unlink(missing_ok=True)
            except OSError as error:
                raise WriteError(f"{error.filename} cannot be removed: {error.strerror}. Remove it by hand.") from error

    def _here(self) -> _Opened:
        process = os.getpid()
        return self._opened.get(process) or self._opened.setdefault(process, _Opened())

    def _done(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        opened = self._here()
        reason = ""
        with opened.lock:
            for _ in range(3):  # it may be damaged, and another process may have begun it anew meanwhile
                try:
                    return work(self._connection(opened))
                except sqlite3.Error as error:
                    reason = str(error)
                    if not self._is_worth_another(opened, error):
                        break
                except (OSError, ValueError) as error:  # ValueError: a path that no folder can have
                    reason = self._no_folder() or getattr(error, "strerror", None) or str(error)
                    break
        self._rests_until = time.monotonic() + _REST
        self.trouble = f"{self.path} cannot be used ({reason})"
        self._say(
            f"Thumbnails are made and not kept for the next time, as {self.trouble}. Make room, or name another folder by "
            "RADHARMONY_CACHE."
        )
        return otherwise

    def _no_folder(self) -> str:
        """What is in the place of the folder, or of one that it is in; "" where that is not what is wrong."""
        with contextlib.suppress(OSError, ValueError):
            for place in (self.path.parent, *self.path.parent.parents):
                if place.exists():
                    return "" if place.is_dir() else f"a folder was expected at {place}, there is a file"
        return ""

    def _is_worth_another(self, opened: _Opened, error: sqlite3.Error) -> bool:
        """Whether there is a sound file, or none, after what was tried with this one."""
        if isinstance(error, _OtherFileError) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
            return self._set_aside(opened, str(error))
        return opened.file != _identity(self.path)  # moved away under our hands, by another process or a person

    def _connection(self, opened: _Opened) -> sqlite3.Connection:
        if opened.connection is not None and opened.file == _identity(self.path):
            return opened.connection
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._alone():
            _close(opened)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            if os.name == "posix" and self.path.stat().st_mode & 0o077:
                self.path.chmod(0o600)
            opened.file = _identity(self.path)
            opened.connection = connection = sqlite3.connect(
                self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            connection.text_factory = bytes  # what is damaged need not be text
            _prepare(connection)
        return connection

    def _set_aside(self, opened: _Opened, reason: str) -> bool:
        """Gives the file another name, unless another process has done so already. False where it stays."""
        aside = self.path.with_name(_SET_ASIDE)
        with self._alone():
            _close(opened)
            if opened.file != _identity(self.path):
                return True
            try:
                # First, so that no stop in between leaves the next file with the last writings of this one.
                for path in self._companions():
                    path.unlink(missing_ok=True)
                self.path.replace(aside)
            except OSError:  # what is wrong with the file is told by the caller
                return False
        self._say(
            f"The kept thumbnails could not be used ({reason}): they are made anew. {aside} is what was there; it may be removed."
        )
        return True

    def _companions(self) -> list[Path]:
        """What SQLite keeps beside a file while it is written to."""
        return [self.path.with_name(FILE_NAME + ending) for ending in ("-wal", "-shm")]

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """While the file is opened, begun or removed, of all processes only this one. On disks without locks without one."""
        lock = filelock.FileLock(self.path.with_suffix(".lock"), timeout=_PATIENCE, mode=0o600, fallback_to_soft=False)
        with contextlib.suppress(OSError):  # TimeoutError, which filelock raises, is one as well
            lock.acquire()
        try:
            yield
        finally:
            lock.release()


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it, or nothing: also where a disk is full in the middle, or the process ends."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:  # SQLite may have taken it back already
            connection.execute("rollback")
        raise


def _prepare(connection: sqlite3.Connection) -> None:
    """Raises _OtherFileError for a file that is not of this program and this version."""
    application, version, tables = (
        connection.execute(question).fetchone()[0]
        for question in ("pragma application_id", "pragma user_version", "select count(*) from sqlite_master")
    )
    if not tables:
        connection.execute("pragma auto_vacuum = incremental")  # only before there is a table
    elif (application, version) != (_APPLICATION, _VERSION):
        whose = f"it is of version {version}, not {_VERSION}" if application == _APPLICATION else "it is another program's"
        raise _OtherFileError(whose)
    connection.execute("pragma journal_mode = wal")  # who reads does not wait for who writes
    connection.execute("pragma synchronous = normal")  # a power cut may lose the last thumbnails, never the file
    connection.execute(f"pragma journal_size_limit = {1 << 24}")
    if not tables:
        with transaction(connection):
            for statement in filter(str.strip, _TABLES.split(";")):
                connection.execute(statement)
            connection.execute(f"pragma application_id = {_APPLICATION}")
            connection.execute(f"pragma user_version = {_VERSION}")


def _close(opened: _Opened) -> None:
    connection, opened.connection = opened.connection, None
    if connection is not None:
        with contextlib.suppress(sqlite3.Error):  # a damaged file may be complained of once more
            connection.close()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino
