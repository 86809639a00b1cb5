"""Reduced films on disk, so that a film is decoded once and not in every epoch.

An entry is a line that says what the file is, a checksum, a line of JSON, and the bytes of the pixels: nothing in it can
run. It is written beside and renamed, so that any number of workers and processes may share a folder. What an entry was made
from is in its name: a changed file or another size has an entry of its own. The folder can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from radharmony_core.dataset.notices import Said
from radharmony_core.images.film import Gray
from radharmony_core.paths import written_whole

__all__ = ["VERSION", "ReducedFilm", "SampleCache"]

VERSION = 1  # raise with every change of what is decoded or how it is reduced
_MAGIC = b"RadHarmony reduced film\n"


@dataclass(frozen=True, slots=True, eq=False)
class ReducedFilm:
    """``pixels`` (uint8, rows x columns) of a film that had ``height`` x ``width`` pixels; ``notices`` are its reader's."""

    pixels: Gray
    height: int
    width: int
    notices: tuple[str, ...] = ()


class SampleCache:
    """Entries below ``folder``, made at the first writing; None switches the cache off."""

    def __init__(self, folder: Path | None, said: Said) -> None:
        self._folder = folder
        self._said = said
        self._writes = folder is not None

    def get(self, file: Path, settings: str, make: Callable[[], ReducedFilm]) -> ReducedFilm:
        """The entry of ``file`` under ``settings``; made, and kept if it can be, where there is none or it is damaged.

        A folder that cannot be written to gives one warning, and films are made anew each time. Raises what ``make`` does.
        """
        entry = self._entry(file, settings)
        if entry is None:
            return make()
        kept = _read(entry)
        if kept is None:
            kept = make()
            self._write(entry, kept)
        return kept

    def _entry(self, file: Path, settings: str) -> Path | None:
        """None without a cache, and for a file that is not there: that is for its reader to say."""
        try:
            status = file.stat() if self._folder is not None else None
        except (OSError, ValueError):
            status = None
        if self._folder is None or status is None:
            return None
        what = json.dumps([VERSION, str(file.absolute()), status.st_size, status.st_mtime_ns, settings])
        name = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / "samples" / name[:2] / name  # some folders of a thousand entries, rather than one of all

    def _write(self, entry: Path, film: ReducedFilm) -> None:
        if not self._writes:
            return
        try:
            entry.parent.mkdir(parents=True, exist_ok=True)
            with written_whole(entry) as temporary:
                temporary.write_bytes(_encoded(film))
        except (OSError, ValueError) as error:  # ValueError: a path that no folder can have
            if _read(entry) is not None:  # another worker was faster, and its entry is open: Windows refuses the name then
                return
            self._writes = False
            reason = getattr(error.__cause__ or error, "strerror", None) or str(error)  # the disk's own words
            self._said.once(
                "cache",
                f"Samples are not kept for the next time, as {self._folder} cannot be written to ({reason.rstrip('.')}). Make "
                "room, or pass another cache_dir, or None for no cache.",
            )


def _encoded(film: ReducedFilm) -> bytes:
    about = {"shape": film.pixels.shape, "of": (film.height, film.width), "notices": film.notices}
    body = json.dumps(about).encode() + b"\n" + film.pixels.tobytes()
    return _MAGIC + _checksum(body) + body


def _checksum(body: bytes) -> bytes:
    return b"%08x\n" % zlib.crc32(body)


def _read(entry: Path) -> ReducedFilm | None:
    """The entry, or None where there is none, it cannot be read, or it is not whole."""
    try:
        content = entry.read_bytes()
    except (OSError, ValueError):
        return None
    start = len(_MAGIC) + len(_checksum(b""))
    body = content[start:]
    if content[:start] != _MAGIC + _checksum(body):
        return None
    line, _, data = body.partition(b"\n")
    about = json.loads(line)
    height, width = about["of"]
    return ReducedFilm(np.frombuffer(data, np.uint8).reshape(about["shape"]), height, width, tuple(about["notices"]))
