"""Reports out of ``mimic-cxr-reports.zip``, without unpacking it.

A report is found by its file's name and its patient's folder: the folders above those are not the same in every copy. The
zip's index is read once and kept small, about 25 MB for 227,835 reports, a sixth of what `zipfile` takes; so entries are
read here, after https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7.
"""

from __future__ import annotations

import os
import re
import struct
import zipfile
import zlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import MissingFileError, RadHarmonyError, TableError
from radharmony_core.paths import existing
from radharmony_core.reports.files import MOST_BYTES, Raw, Report, ReportSource, decoded

__all__ = ["ReportArchive"]

# ``p10`` is a shard of many patients, not a patient; a report may be in its study's folder.
_REPORT = re.compile(r"(?:^|/)(?:(p\d{3,}/)(?:s\d+/)?)?(s\d+\.txt)\Z", re.IGNORECASE)
_HEADER = struct.Struct("<4s22xHH")  # the signature, then how long the name and the extra field after it are
_SIGNATURE, _STORED, _DEFLATED, _ENCRYPTED = b"PK\x03\x04", 0, 8, 1
_BUFFER = 1 << 16
_BROKEN = (zipfile.BadZipFile, NotImplementedError, OSError, OverflowError, ValueError, struct.error)


@dataclass(frozen=True, slots=True)
class _Index:
    """The reports in a zip as it was at ``stamp``, one place each in ``paths``, ``keys`` and ``numbers``.

    ``keys`` are the ends of the paths, ``p10000032/s50414267.txt`` or ``s50414267.txt``; ``twins`` has, for the first of several
    places with one key, all of them. ``numbers`` has shape (reports, 6): offset, compressed size, size, CRC-32, method, flags.
    """

    stamp: tuple[int, int]
    paths: pa.Array
    keys: pa.Array
    twins: dict[int, list[int]]
    numbers: npt.NDArray[np.int64]

    def places(self, relatives: Sequence[str]) -> list[int | None]:
        """The entry of each report, the first where several have its key; None where there is none. An entry that lies in
        another patient's folder is not taken for it; one that lies in no patient's is."""
        keys = [_key(relative) for relative in relatives]
        names = [key and key.rpartition("/")[2] for key in keys]
        own, bare = (pc.index_in(pa.array(wanted, pa.string()), value_set=self.keys) for wanted in (keys, names))
        found: list[int | None] = pc.coalesce(own, bare).to_pylist()
        return found

    def one_of(self, place: int, relative: str) -> int | None:
        """Which of the entries with the key of ``place`` the report is: the one with its whole path. None where that leaves
        several, and they differ."""
        twins = self.twins.get(place)
        if twins is None:
            return place
        left = [twin for twin in twins if f"/{self.paths[twin]}".lower().endswith(f"/{relative}".lower())] or twins
        sizes_and_checksums = {tuple(self.numbers[twin, 2:4].tolist()) for twin in left}
        return left[0] if len(sizes_and_checksums) == 1 else None


class ReportArchive(ReportSource):
    """``ReportArchive(path)``: the reports in a zip, whatever its name and the folders in it.

    Raises MissingFileError where there is none, TableError where the file is no zip or may not be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = existing(path, "a zip of reports")
        self._kept: _Index | None = None
        with self._opened() as handle:
            if not zipfile.is_zipfile(handle):
                raise TableError(f"Expected a zip of reports in {path}; it is another file, or cut short. Download it again.")

    def inputs(self) -> list[Path]:
        return [self.path]

    def read(self, relative: str) -> Report:
        """One report; its ``path`` is the zip's with the report's after it."""
        [(_, raw)] = self._each([relative])
        if raw is None:
            raise MissingFileError(f"Expected the report {relative} in {self.path}; there is no such entry.")
        if isinstance(raw, RadHarmonyError):
            raise raw
        return decoded(raw, self.path / relative)

    def _each(self, relatives: Sequence[str]) -> Generator[tuple[int, Raw]]:
        """In the order in which they lie in the zip."""
        index = self._index()
        places = index.places(relatives)
        yield from ((number, None) for number, place in enumerate(places) if place is None)
        found = [(number, place) for number, place in enumerate(places) if place is not None]
        with self._opened() as handle:
            for at in np.argsort(index.numbers[[place for _, place in found], 0]).tolist():
                number, place = found[at]
                try:
                    yield number, _content(handle, index, place, relatives[number])
                except _UnreadableEntryError as reason:
                    yield number, TableError(f"The report {relatives[number]} in {self.path} cannot be read: it {reason}.")

    def _opened(self) -> BinaryIO:
        try:
            if self.path.is_file():  # a pipe of that name would be waited for without end
                return self.path.open("rb", buffering=_BUFFER)
        except OSError as error:
            raise TableError(f"The zip of reports {self.path} cannot be read: {error.strerror or error}.") from error
        raise TableError(f"Expected a zip of reports at {self.path}; there is no regular file.")

    def _index(self) -> _Index:
        """The index, read anew where the zip is another one by now."""
        with self._opened() as handle:
            status = os.fstat(handle.fileno())
            stamp = (status.st_mtime_ns, status.st_size)
            if self._kept is None or self._kept.stamp != stamp:
                try:
                    self._kept = _read_index(handle, stamp)
                except _BROKEN as error:
                    raise TableError(f"The index of {self.path} is damaged ({error}). Download the zip again.") from error
            return self._kept


def _key(path: str) -> str | None:
    """The patient's folder and the report's name, small letters: ``p10000032/s50414267.txt``; the name alone where it is in no
    patient's folder, None where it is no report's."""
    match = _REPORT.search(path)
    return match and f"{match[1] or ''}{match[2]}".lower()


def _read_index(handle: BinaryIO, stamp: tuple[int, int]) -> _Index:
    with zipfile.ZipFile(handle) as archive:
        named = ((info.filename.replace("\\", "/"), info) for info in archive.infolist())  # some Windows tools write ``\``
        reports = [(path, key, info) for path, info in named if (key := _key(path)) is not None]
    facts = ((i.header_offset, i.compress_size, i.file_size, i.CRC, i.compress_type, i.flag_bits) for _, _, i in reports)
    keys = [key for _, key, _ in reports]
    return _Index(
        stamp=stamp,
        paths=pa.array([path for path, _, _ in reports], pa.string()),
        keys=pa.array(keys, pa.string()),
        twins=_twins(keys),
        numbers=np.fromiter(facts, np.dtype((np.int64, 6)), len(reports)),
    )


def _twins(keys: list[str]) -> dict[int, list[int]]:
    places: dict[str, list[int]] = {}
    for place in np.flatnonzero(pd.Series(keys, dtype="str").duplicated(keep=False)).tolist():
        places.setdefault(keys[place], []).append(place)
    return {twins[0]: twins for twins in places.values()}


class _UnreadableEntryError(Exception):
    """Why an entry cannot be read, as the end of a sentence that begins with "it"."""


def _content(handle: BinaryIO, index: _Index, place: int, relative: str) -> bytes:
    chosen = index.one_of(place, relative)
    if chosen is None:
        raise _UnreadableEntryError("is there more than once, with different texts")
    offset, packed, size, checksum, method, flags = index.numbers[chosen].tolist()
    if flags & _ENCRYPTED:
        raise _UnreadableEntryError("is encrypted")
    if method not in (_STORED, _DEFLATED):
        raise _UnreadableEntryError(f"is compressed in an unusual way (method {method})")
    if max(packed, size) > MOST_BYTES:
        raise _UnreadableEntryError(f"claims {max(packed, size):,} bytes, which no report has")
    try:
        handle.seek(offset)
        signature, name, extra = _HEADER.unpack(handle.read(_HEADER.size))
        handle.seek(name + extra, os.SEEK_CUR)
        data = handle.read(packed)
        content = data if method == _STORED else zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, size + 1)
    except (OSError, ValueError, struct.error, zlib.error) as error:
        raise _UnreadableEntryError(f"is damaged ({error})") from error
    if signature != _SIGNATURE or len(content) != size or zlib.crc32(content) != checksum:
        raise _UnreadableEntryError("is damaged: its checksum is another")
    return content
