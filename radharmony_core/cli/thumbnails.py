"""``thumbnails``: the small pictures of all films, made before a page asks for them."""

from __future__ import annotations

import argparse
import math
import os
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from radharmony_core.cache import TableCache
from radharmony_core.catalog import Catalog, load_catalog
from radharmony_core.cli.arguments import Commands, add_command, add_quiet, path
from radharmony_core.cli.output import as_text, emit, say
from radharmony_core.cli.progress import ProgressLine
from radharmony_core.config import KINDS, Config, find_config, load_config
from radharmony_core.errors import ConfigError, RadHarmonyError, WriteError
from radharmony_core.paths import expanded
from radharmony_core.thumbnails import SIDE, Built, Survey, ThumbnailCache, build, bytes_needed, film_files, survey

__all__ = ["add"]

_APP_FOLDER = Path(__file__).resolve().parents[2]
_CACHE_VARIABLE = "RADHARMONY_CACHE"
_EXAMPLES = 3  # of films, for each reason
_GIB = 1 << 30

_DESCRIPTION = """\
Makes the thumbnails of every film of the configured datasets and keeps them
where the app looks for them: in `cache` beside app.py, or in the folder that
RADHARMONY_CACHE names. Without this the app makes them as they are asked for.

How many there are to make, and about how much room they take, is said first.
What is there is left as it is, unless its film has changed; so after Ctrl-C, or
when films have come along, the same command goes on. Films that cannot be read
are counted by reason, kept in mind, and tried again when their file changes.

With --max-gb the folder has another bound from then on (4 GiB at first); what
is above a lower one is removed. Where the bound is reached, thumbnails of films
that are gone or have changed make room, and then this command ends; the app
removes the least recently used. Ctrl-C ends it at once.

Exit code 0 when done or in part; 1 when a dataset named by --dataset cannot be
read, nothing was made and nothing is there, the bound left no room for any, or
what was made could not be kept; 2 when not written right; 130 after Ctrl-C."""

_EXAMPLE = """\
  python -m radharmony_core thumbnails --jobs 4
  python -m radharmony_core thumbnails --config ~/radharmony.toml --dataset mimic_cxr_jpg --max-gb 6"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "thumbnails", "make the small pictures of all films", _DESCRIPTION, _EXAMPLE)
    parser.add_argument("--config", type=path, metavar="FILE", help="radharmony.toml (default: the app's)")
    parser.add_argument("--dataset", choices=list(KINDS), metavar="KIND", help=f"only the films of {', '.join(KINDS)}")
    parser.add_argument("--side", type=_side, default=SIDE, metavar="PIXELS", help=f"the longer side (default {SIDE}, the app's)")
    parser.add_argument("--max-gb", type=_gibibytes, metavar="N", help="keep at most N GiB (default: as before, 4 at first)")
    jobs = _cores()
    parser.add_argument("--jobs", type=_at_least_one, default=jobs, metavar="N", help=f"processes (default one a core: {jobs})")
    add_quiet(parser)
    parser.set_defaults(run=_run)


def _cores() -> int:
    """Those that this process may use, which in a container are fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return int(text)


def _side(text: str) -> int:
    if not text.isdecimal() or not 16 <= int(text) <= 2048:
        raise argparse.ArgumentTypeError(f"expected 16 to 2048 pixels, got {text!r}")
    return int(text)


def _gibibytes(text: str) -> int:
    try:
        size = round(float(text) * _GIB)
    except (ValueError, OverflowError):  # the second: "inf"
        size = 0
    if not 1 << 20 <= size <= 1 << 50:
        raise argparse.ArgumentTypeError(f"expected a number of GiB, 0.001 or more, got {text!r}")
    return size


def _run(options: argparse.Namespace) -> int:
    config = _configured(options.config, options.dataset)
    told = os.environ.get(_CACHE_VARIABLE, "").strip()
    folder = expanded(told) if told else _APP_FOLDER / "cache"
    with ThumbnailCache(folder, options.max_gb, side=options.side) as cache:
        try:
            return _make(config, cache, options)
        except KeyboardInterrupt:
            say(f"Stopped. {cache.count():,} films are done in {cache.path}; the same command goes on from there.")
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process ends now: another one would only show where
            return 130


def _configured(named: Path | None, kind: str | None) -> Config:
    file = named or find_config(_APP_FOLDER)
    if file is None:
        raise ConfigError(f"Expected radharmony.toml in {_APP_FOLDER}; there is none. Name one: --config FILE.")
    config = load_config(file)
    if kind is not None and kind not in config.datasets:
        raise ConfigError(f"{file} has no dataset [{kind}]; it has {', '.join(config.datasets) or 'none'}.")
    return config


def _make(config: Config, cache: ThumbnailCache, options: argparse.Namespace) -> int:
    _begin(cache)
    with ProgressLine(quiet=options.quiet) as progress:
        catalog = load_catalog(config, TableCache(cache.path.parent), progress)
        unread = [status for status in catalog.datasets if status.error is not None and options.dataset in (None, status.kind)]
        for status in unread:
            say(f"{status.kind} cannot be read: {status.error}")
        found = film_files(catalog, options.dataset)
        before = survey(cache, found.files, progress)
    if before.to_make and not options.quiet:
        _foretell(cache, before)
    with ProgressLine(quiet=options.quiet) as progress:
        built = build(cache, before.to_make, jobs=options.jobs, progress=_with_rate(progress))
    refused = [*before.refused, *built.refused]
    _say_reasons(refused, catalog, found.missing)
    for notice in cache.notices:
        if built.stopped != "unkept" or cache.trouble not in notice:  # which says what the app does then
            say(notice)
    _say_gone(built.gone)
    _say_stop(built, cache)
    made, there = _kept(cache, before, built, found.files)
    lost = built.made + built.there + before.there - made - there
    if lost > 0:
        say(f"{lost:,} thumbnails that were there are gone: the folder was emptied meanwhile. The same command makes them again.")
    counts = {"made": made, "there before": there, "refused": len(refused), "no file": len(found.missing), "left": built.left}
    emit(f"{cache.path}\n{as_text(['films', 'count'], list(counts.items()))}")
    nothing = not (made or there) and bool(refused or found.missing or unread)
    full = built.stopped == "full" and not made
    return 1 if nothing or full or lost > 0 or built.stopped == "unkept" or (options.dataset and unread) else 0


def _begin(cache: ThumbnailCache) -> None:
    """Sets the bound, and finds out whether anything can be kept, before hours of work."""
    _say_gone(cache.forget_gone() if cache.size > cache.max_bytes else None)
    before = cache.count()
    if not cache.put_many([]):
        raise WriteError(f"No thumbnails are made, as {cache.trouble}. Make room, or name another folder by {_CACHE_VARIABLE}.")
    removed = before - cache.count()
    if removed > 0:
        say(f"At most {_size(cache.max_bytes)} are kept from now on: {removed:,} thumbnails were removed, the longest unused.")


def _kept(cache: ThumbnailCache, before: Survey, built: Built, files: list[Path]) -> tuple[int, int]:
    """How many that were made are kept, and how many that were there: looked at again where the cache has too few for that."""
    made, there = built.made, before.there + built.there
    if cache.count() < made + there:
        kept = survey(cache, before.to_make).there
        made, there = min(made, kept), survey(cache, files).there - min(made, kept)
    return made, there


def _foretell(cache: ThumbnailCache, before: Survey) -> None:
    films, needed, bound = len(before.to_make), bytes_needed(cache, len(before.to_make)), cache.max_bytes
    say(f"{films:,} thumbnails to make, {before.there:,} are there. They take about {_size(needed)} in {cache.path.parent}.")
    if cache.size + needed > bound:
        say(f"At most {_size(bound)} are kept, so it will end before all are made; --max-gb N allows more.")
    free = shutil.disk_usage(cache.path.parent).free
    if needed > free:
        say(f"The disk has {_size(free)} left. Make room, or name another folder by {_CACHE_VARIABLE}.")


def _size(count: int) -> str:
    return f"{count / _GIB:.1f} GiB" if count >= _GIB // 10 else f"{max(1, round(count / (1 << 20)))} MiB"


def _with_rate(
    progress: Callable[[int, int, str, str], None], clock: Callable[[], float] = time.monotonic
) -> Callable[[int, int, str], None]:
    """With how many a second there are since the first ones, and how long the rest takes at that rate."""
    begun: list[tuple[float, int]] = []

    def tell(done: int, total: int, what: str) -> None:
        if not begun:
            begun.append((clock(), done))
        seconds, made = clock() - begun[0][0], done - begun[0][1]
        rate = made / seconds if seconds > 0 else 0.0
        progress(done, total, what, f", {rate:.0f} a second, {_time((total - done) / rate)} left" if rate else "")

    return tell


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{round(seconds)} s" if seconds < 90 else f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _say_reasons(refused: list[tuple[Path, RadHarmonyError]], catalog: Catalog, missing: list[int]) -> None:
    counts = Counter(type(error).__name__ for _, error in refused)
    for reason, count in counts.most_common():
        say(f"  {count:,} x {reason}")
        examples = [(file, error) for file, error in refused if type(error).__name__ == reason][:_EXAMPLES]
        for file, error in examples:
            say(f"    {file}: {error}")
    if missing:
        say(f"  {len(missing):,} x MissingFileError")
        for place in missing[:_EXAMPLES]:
            try:
                catalog.image_file(place)
            except RadHarmonyError as error:
                say(f"    {catalog.images['image_id'].iloc[place]}: {error}")


def _say_gone(gone: int | None) -> None:
    if gone:
        say(f"{gone:,} thumbnails of films that are gone or have changed were removed to make room.")


def _say_stop(built: Built, cache: ThumbnailCache) -> None:
    if built.stopped == "full":
        enough = math.ceil((cache.size + bytes_needed(cache, built.left)) * 1.1 / _GIB * 10) / 10
        say(
            f"The thumbnails take {_size(cache.size)}, which is the bound: {built.left:,} were not made. For all of them, say "
            f"--max-gb {enough:g} and run it again; else the app makes them when they are looked at."
        )
    elif built.stopped == "unkept":
        say(f"{cache.trouble}, so nothing is kept any more: {built.left:,} were not made. The same command goes on from here.")
