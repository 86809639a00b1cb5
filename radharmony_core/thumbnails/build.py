"""Thumbnails of very many films: what is there is left, the rest is made by all cores and written by one."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from radharmony_core.errors import RadHarmonyError
from radharmony_core.thumbnails.cache import ThumbnailCache
from radharmony_core.thumbnails.make import SIDE, thumbnail
from radharmony_core.thumbnails.rows import Make, Row, outcome_of
from radharmony_core.thumbnails.workers import FILMS, rows_of

__all__ = ["Built", "Survey", "build", "bytes_needed", "survey"]

Progress = Callable[[int, int, str], None]
Refused = list[tuple[Path, RadHarmonyError]]
_LOOKED_AT = 500  # films, between two words on progress
_ENTRY = 9700  # bytes: a thumbnail of 256 pixels and its rows in the tables
_GROWTH = 1.6  # a JPEG of twice the side takes about three times the bytes
_FEW = 100  # thumbnails, whose size tells more than a guess


@dataclass(slots=True)
class Survey:
    """Which films are ``to_make``, how many are ``there``, and which were ``refused`` and are still the same file."""

    to_make: list[Path] = field(default_factory=list)
    there: int = 0
    refused: Refused = field(default_factory=list)


@dataclass(slots=True)
class Built:
    """How many were ``made``, which were ``refused``, how many were ``there`` when it came to them, as others make some too; and
    how many are ``left`` because it ``stopped``: the bound was reached ("full"), or nothing could be kept any more ("unkept").
    ``gone``: how many thumbnails of films that are gone or have changed made room, None where there was room enough."""

    made: int = 0
    refused: Refused = field(default_factory=list)
    there: int = 0
    left: int = 0
    stopped: Literal["", "full", "unkept"] = ""
    gone: int | None = None

    @property
    def done(self) -> int:
        return self.made + len(self.refused) + self.there


def survey(cache: ThumbnailCache, files: Sequence[Path], progress: Progress | None = None) -> Survey:
    """What there is of ``files``. Each is looked at, as it may have changed, and none is opened; what is kept is read, so that
    what is damaged is made anew."""
    found = Survey()
    for start in range(0, len(files), _LOOKED_AT):
        some = files[start : start + _LOOKED_AT]
        for path, state in zip(some, cache.has_many(some), strict=True):
            if isinstance(state, RadHarmonyError):
                found.refused.append((path, state))
            elif state:
                found.there += 1
            else:
                found.to_make.append(path)
        if progress is not None:
            progress(start + len(some), len(files), "films looked at")
    return found


def bytes_needed(cache: ThumbnailCache, films: int) -> int:
    """About how many bytes the thumbnails of ``films`` will take: as many as those that are there, or by their side."""
    entries = cache.count()
    each = cache.size / entries if entries >= _FEW else _ENTRY * (cache.side / SIDE) ** _GROWTH
    return round(films * each)


def build(
    cache: ThumbnailCache, files: Sequence[Path], *, jobs: int, progress: Progress | None = None, make: Make = thumbnail
) -> Built:
    """Makes the thumbnails of ``files`` with ``jobs`` processes. What is made is kept at once: whatever ends it, the next build
    goes on from there. Stops where the next ones would push others out, or cannot be kept."""
    built = Built()

    def tell() -> None:
        if progress is not None and built.done:
            progress(built.done, len(files), "thumbnails")

    def wanted(batch: Sequence[Path]) -> list[Path]:  # another command may be at the same films
        found = survey(cache, batch)
        built.there += found.there
        built.refused += found.refused
        tell()
        return found.to_make

    with contextlib.closing(rows_of(_mixed(files), cache.side, jobs, make, wanted)) as batches:
        for batch in batches:
            rows = [row for _, row in batch]
            if not _has_room(cache, rows, built) or not cache.put_many(rows):
                built.stopped = "unkept" if cache.has_room_for(rows) else "full"
                break
            for path, row in batch:
                outcome = outcome_of(row.about, row.data, row.checksum)
                if isinstance(outcome, RadHarmonyError):
                    built.refused.append((path, outcome))
                else:
                    built.made += 1
            tell()
    built.left = len(files) - built.done
    return built


def _mixed(files: Sequence[Path]) -> list[Path]:
    """The same, batches in any order: two commands at once that went in step would both make every film."""
    batches = [files[start : start + FILMS] for start in range(0, len(files), FILMS)]
    random.SystemRandom().shuffle(batches)
    return [path for batch in batches for path in batch]


def _has_room(cache: ThumbnailCache, rows: Sequence[Row], built: Built) -> bool:
    """Whether rows can be kept; once, where the bound is reached, after what was made of files that are gone is removed."""
    if built.gone is None and not cache.has_room_for(rows):
        built.gone = cache.forget_gone()
    return cache.has_room_for(rows)
