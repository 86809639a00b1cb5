"""Thumbnails of very many films: what is there is left, the rest is made by all cores and written by one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from radharmony_core.errors import RadHarmonyError
from radharmony_core.thumbnails.cache import ThumbnailCache
from radharmony_core.thumbnails.make import SIDE, thumbnail
from radharmony_core.thumbnails.rows import Make, outcome_of
from radharmony_core.thumbnails.workers import rows_of

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
    """How many were ``made``, which were ``refused``, and how many are ``left`` because it ``stopped``: the bound was reached
    ("full"), or nothing could be kept any more ("unkept")."""

    made: int = 0
    refused: Refused = field(default_factory=list)
    left: int = 0
    stopped: Literal["", "full", "unkept"] = ""


def survey(cache: ThumbnailCache, files: Sequence[Path], progress: Progress | None = None) -> Survey:
    """What there is of ``files``. Each is looked at, as it may have changed, and none is opened."""
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
    built, done = Built(), 0
    with contextlib.closing(rows_of(files, cache.side, jobs, make)) as batches:
        while done < len(files):
            batch = next(batches)
            rows = [row for _, row in batch]
            if not cache.has_room_for(rows) or not cache.put_many(rows):
                built.stopped = "unkept" if cache.has_room_for(rows) else "full"
                break
            for path, row in batch:
                outcome = outcome_of(row.about, row.data, row.checksum)
                if isinstance(outcome, RadHarmonyError):
                    built.refused.append((path, outcome))
                else:
                    built.made += 1
            done += len(batch)
            if progress is not None:
                progress(done, len(files), "thumbnails")
    built.left = len(files) - done
    return built
