"""Reduced films on disk, so that a film is decoded once and not in every epoch.

An entry is a line that says what the file is, a checksum, a line of JSON, and the bytes of the pixels: nothing in it can
run. It is written beside and renamed, so that any number of workers and processes may share a folder. What an entry was made
from is in its name: a changed file or another size has an entry of its own. The films are under use agreements, so that
entries are for their owner alone. The folder can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from radharmony_core.dataset.notices import Said
from radharmony_core.images.film import Gray
from radharmony_core.paths import stamp, written_whole

__all__ = ["VERSION", "ReducedFilm", "SampleCache"]

VERSION = 3  # raise with every change of what is decoded or how it is reduced
_MAGIC = b"RadHarmony reduced film\n"
_ENTRIES = re.compile(r"[0-9a-f]{2}")  # names of folders of entries


@dataclass(frozen=True, slots=True, eq=False)
class ReducedFilm:
    """``pixels`` (uint8, rows x columns) of a film that had ``height`` x ``width`` pixels; ``notices`` are its reader's, and
    ``orientation`` (1..8) is the tag by which it was turned upright."""

    pixels: Gray
    height: int
    width: int
    notices: tuple[str, ...] = ()
    orientation: int = 1


class SampleCache:
    """Entries below ``folder``, made at the first writing; None switches the cache off."""

    def __init__(self, folder: Path | None, said: Said) -> None:
        self._folder = folder
        self._said = said
        self._writes = folder is not None
        self._is_private = False

    def get(self, file: Path, settings: str, shape: tuple[int, int], make: Callable[[], ReducedFilm]) -> ReducedFilm:
        """The entry of ``file`` under ``settings``, of ``shape``; where there is no whole one it is made, and kept if it can be.

        A folder that cannot be written to gives one warning, and films are made anew each time. Raises what ``make`` does.
        """
        entry = self._entry(file, settings)
        if entry is None:
            return make()
        self._make_private(entry.parent.parent)
        kept = _read(entry, shape)
        if kept is None:
            kept = make()
            self._write(entry, kept)
        return kept

    def _entry(self, file: Path, settings: str) -> Path | None:
        """None without a cache, and for a file that is not there: that is for its reader to say."""
        stamped = None if self._folder is None else stamp(file)
        if self._folder is None or stamped is None:
            return None
        what = json.dumps([VERSION, str(file.absolute()), *stamped, settings])
        name = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / "samples" / name[:2] / name  # some folders of a thousand entries, rather than one of all

    def _write(self, entry: Path, film: ReducedFilm) -> None:
        if not self._writes:
            return
        try:
            for folder in (entry.parent.parent.parent, entry.parent.parent, entry.parent):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with written_whole(entry, private=True) as temporary:
                temporary.write_bytes(_encoded(film))
        except (OSError, ValueError) as error:  # ValueError: a path that no folder can have
            if (
                _read(entry, film.pixels.shape) is not None
            ):  # another worker was faster, and its entry is open: Windows refuses then
                return
            self._writes = False
            reason = getattr(error.__cause__ or error, "strerror", None) or str(error)  # the disk's own words
            self._said.once(
                "cache",
                f"Samples are not kept for the next time, as {self._folder} cannot be written to ({reason.rstrip('.')}). Make "
                "room, or pass another cache_dir, or None for no cache.",
            )

    def _make_private(self, samples: Path) -> None:
        """Takes our own folders from everybody else, where an earlier version has left them open; once, and no link's target."""
        if self._is_private or os.name != "posix":
            return
        self._is_private = True
        for folder in filter(_is_open, _own_folders(samples)):
            try:
                folder.chmod(0o700)
            except OSError as error:
                self._said.once("rights", f"{folder} is open to other users of this machine: {error.strerror}. Close it by hand.")


def _own_folders(samples: Path) -> list[Path]:
    """``samples`` and the folders of entries in it; not itself, where somebody keeps other things in a folder of that name."""
    try:
        names = os.listdir(samples)  # noqa: PTH208
    except (OSError, ValueError):  # not made yet, or for its writer to say
        return []
    own = [samples / name for name in names if _ENTRIES.fullmatch(name)]
    return own if len(own) < len(names) or not own else [samples, *own]


def _is_open(folder: Path) -> bool:
    """Whether it is a folder of ours, no link, that others may look into."""
    try:
        status = folder.lstat()
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_mode & 0o077 != 0 and status.st_uid == os.getuid()


def _encoded(film: ReducedFilm) -> bytes:
    of = {"of": (film.height, film.width), "orientation": film.orientation, "notices": film.notices}
    about = {"shape": film.pixels.shape, **of}
    body = json.dumps(about).encode() + b"\n" + film.pixels.tobytes()
    return _MAGIC + _checksum(body) + body


def _checksum(body: bytes) -> bytes:
    return b"%08x\n" % zlib.crc32(body)


def _read(entry: Path, shape: tuple[int, ...]) -> ReducedFilm | None:
    """The entry, or None where there is none, it cannot be read, it is not whole, or is no film of ``shape``."""
    try:
        content = entry.read_bytes()
    except (OSError, ValueError):
        return None
    start = len(_MAGIC) + len(_checksum(b""))
    body = content[start:]
    if content[:start] != _MAGIC + _checksum(body):
        return None
    line, _, data = body.partition(b"\n")
    try:
        about = json.loads(line)
        (height, width), notices, orientation = about["of"], about["notices"], about["orientation"]
        film = ReducedFilm(np.frombuffer(data, np.uint8).reshape(about["shape"]), height, width, tuple(notices), orientation)
    except (ValueError, TypeError, KeyError, RecursionError):  # another program's, with our mark on it
        return None
    is_film = all(type(side) is int and side > 0 for side in (height, width)) and all(isinstance(one, str) for one in notices)
    is_film = is_film and type(orientation) is int and 1 <= orientation <= 8
    return film if is_film and film.pixels.shape == shape else None
