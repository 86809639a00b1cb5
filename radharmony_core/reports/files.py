"""A study's report and its text as it stands in its file; and a tree of such files.

MIMIC-CXR puts a report beside the study's folder: ``files/p10/p10000032/s50414267.txt``.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa

from radharmony_core.errors import MissingFileError, RadHarmonyError, TableError
from radharmony_core.paths import within
from radharmony_core.schema import IssueLog
from radharmony_core.texts import decode

__all__ = [
    "MOST_BYTES", "Form", "Layout", "Progress", "Raw", "Report", "ReportFiles", "ReportSource", "decoded", "read_report",
    "report_path",
]  # fmt: skip

MOST_BYTES = 10_000_000  # a report has a few thousand; what claims more is none, and is not taken into memory
Progress = Callable[[int, int, str], None]  # how many are read, of how many, and "reports"
Form = Literal["beside", "inside", "flat"]
Raw = bytes | RadHarmonyError | None  # a report's bytes, why it cannot be read, or None where there is none
_TOLD_EVERY = 2_000
_THREADS, _READ_AT_ONCE = 8, 500


@dataclass(frozen=True, slots=True)
class Report:
    """``text`` is the file's, every character kept; ``notices`` say how it had to be read."""

    text: str
    path: Path
    notices: tuple[str, ...] = ()


def report_path(image_path: str) -> str:
    """The report's path beside the study's folder: ``p10/p10000032/s50414267/x.jpg`` -> ``p10/p10000032/s50414267.txt``."""
    folder, _, _ = image_path.rpartition("/")
    return f"{folder}.txt"


def read_report(root: Path, relative: str) -> Report:
    """The report, decoded as `texts.decode` does, with a notice where that is a guess.

    Raises MissingFileError (where there is no regular file), OutsideRootError, TableError (where it cannot be read, or has
    more than `MOST_BYTES`).
    """
    path = within(root, relative)
    data = _content(path)
    if data is None:
        raise MissingFileError(f"Expected the study's report at {path}; there is no such file.")
    return decoded(data, path)


def decoded(data: bytes, path: Path) -> Report:
    """The bytes of ``path`` as a report."""
    text, guessed = decode(data)
    if guessed is None:
        return Report(text, path)
    return Report(text, path, (f"The report is not UTF-8; it was read as {guessed}. Accents and quotes may be wrong.",))


def _content(path: Path | str) -> bytes | None:
    """What is in the file; None where there is no regular file: a pipe of that name would be waited for without end."""
    try:
        status = os.stat(path)  # noqa: PTH116  this and open take a third of Path's time, for every report of a dataset
        if not stat.S_ISREG(status.st_mode):
            return None
        if status.st_size > MOST_BYTES:
            raise TableError(f"The report {path} has {status.st_size:,} bytes, which no report has.")
        with open(path, "rb") as handle:  # noqa: PTH123
            return handle.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise TableError(f"The report {path} cannot be read: {error.strerror or error}.") from error


def _strings(texts: list[bytes | None]) -> pa.Array:
    """UTF-8 texts as ``large_string``, in memory of their own size: Arrow's own builder takes more than twice that on its way."""
    known = pa.array([text is not None for text in texts], pa.bool_())
    ends = np.cumsum([0, *(0 if text is None else len(text) for text in texts)], dtype=np.int64)
    together = pa.py_buffer(b"".join(text for text in texts if text is not None))
    return pa.Array.from_buffers(pa.large_string(), len(texts), [known.buffers()[1], pa.py_buffer(ends), together])


class ReportSource(ABC):
    """Where reports come from. They are asked for by study report paths, ``p10/p10000032/s50414267.txt``."""

    @abstractmethod
    def inputs(self) -> list[Path]:
        """The file or folder whose change makes the texts stale."""

    @abstractmethod
    def read(self, relative: str) -> Report:
        """One report. Raises MissingFileError, OutsideRootError, TableError (where it cannot be read)."""

    @abstractmethod
    def _each(self, relatives: Sequence[str]) -> Generator[tuple[int, Raw]]:
        """Each report's place in ``relatives`` and what it holds, in the order that reads fastest."""

    def count(self, relatives: Sequence[str]) -> int:
        """How many of the reports are there and can be read."""
        return sum(isinstance(raw, bytes) for _, raw in self._each(relatives))

    def texts(self, relatives: Sequence[str], log: IssueLog, progress: Progress | None = None) -> pa.Array:
        """The texts as they stand, in the order asked for: ``large_string``, null where one is missing or cannot be read.

        Every null is an issue in ``log``, and so is every encoding that had to be guessed. ``progress`` is told about every
        2,000 reports. Raises TableError where nothing at all can be read.
        """
        texts: list[bytes | None] = [None] * len(relatives)
        missing, unreadable, guessed = list[int](), dict[int, str](), dict[int, str]()
        with contextlib.closing(self._each(relatives)) as each:  # closed at once where ``progress`` ends it
            for done, (place, raw) in enumerate(each, 1):
                if isinstance(raw, bytes):
                    text, guess = decode(raw)
                    texts[place] = text.encode()
                    guessed |= {} if guess is None else {place: guess}
                elif raw is None:
                    missing.append(place)
                else:
                    unreadable[place] = str(raw)
                if progress is not None and (done % _TOLD_EVERY == 0 or done == len(relatives)):
                    progress(done, len(relatives), "reports")
        every = itertools.repeat(None)
        log.add("missing_report", rows=every, values=[relatives[place] for place in sorted(missing)])
        log.add("unreadable_report", rows=every, values=[unreadable[place] for place in sorted(unreadable)])
        paths = [relatives[place] for place in sorted(guessed)]
        log.add("encoding_guess", rows=every, values=[guessed[place] for place in sorted(guessed)], image_paths=paths)
        return _strings(texts)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where reports are in a tree: ``beside`` the studies' folders, as published, ``inside`` of them, or ``flat``, all in one
    folder; and how their names end, which some systems turn to capitals."""

    form: Form = "beside"
    suffix: str = ".txt"

    def own(self, relative: str) -> str:
        """Where the report ``p10/p10000032/s50414267.txt`` is."""
        if self.form == "beside" and self.suffix == ".txt":
            return relative
        folder, _, name = relative.rpartition("/")
        study = name.removesuffix(".txt")
        folders = {"beside": [folder], "inside": [folder, study], "flat": []}[self.form]
        return "/".join([*folders, study + self.suffix])


class ReportFiles(ReportSource):
    """Reports as files of a tree, beside the studies' folders or without any: MIMIC-CXR's, or a JPG tree that has them.
    ``layout`` is another one that people gave it."""

    def __init__(self, root: Path, layout: Layout | None = None) -> None:
        self.root, self._layout = root, layout or Layout()

    def inputs(self) -> list[Path]:
        return [self.root]

    def read(self, relative: str) -> Report:
        return read_report(self.root, self._layout.own(relative))

    def _each(self, relatives: Sequence[str]) -> Generator[tuple[int, Raw]]:
        """In order. Several at once: a network disk answers late, and 227,835 files would take minutes. A local one answers at
        once, and loses some seconds by it."""
        parts = [relatives[start : start + _READ_AT_ONCE] for start in range(0, len(relatives), _READ_AT_ONCE)]
        with ThreadPoolExecutor(_THREADS) as pool:
            try:
                yield from enumerate(itertools.chain.from_iterable(pool.map(self._some, parts)))
            finally:
                pool.shutdown(cancel_futures=True)  # nobody waits for the rest where the reading is left

    def _some(self, relatives: Sequence[str]) -> list[Raw]:
        top = f"{self.root}/"

        @lru_cache(maxsize=64)
        def has_link(path: str) -> bool:
            return bool(path) and (has_link(path.rpartition("/")[0]) or os.path.islink(top + path))  # noqa: PTH114

        return [self._raw(self._layout.own(relative), has_link) for relative in relatives]

    def _raw(self, relative: str, has_link: Callable[[str], bool]) -> Raw:
        """Following every path takes ten times as long as looking for links in it, and none is the usual case."""
        try:
            odd = relative.startswith("/") or ".." in relative or "\0" in relative or has_link(relative)
            return _content(within(self.root, relative) if odd else f"{self.root}/{relative}")
        except RadHarmonyError as error:
            return error
