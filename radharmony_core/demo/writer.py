"""Building a folder so that it is there whole or not at all: everything is written beside it, and renamed at the end."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from radharmony_core.demo.casia import CASIA_ROOT, COUNTS, small_exams, write_casia
from radharmony_core.demo.helpers import draw_all
from radharmony_core.demo.marker import MARKER, strangers, write_marker
from radharmony_core.demo.mscxr import CSV_NAME, records_of, write_ms_cxr
from radharmony_core.demo.plan import LARGE, make_plan
from radharmony_core.demo.scale import write_scale
from radharmony_core.demo.tables import JPG_ROOT, MIMIC_ROOT, Progress, write_reports, write_tables
from radharmony_core.errors import ConfigError

__all__ = ["MARKER", "build", "new_folder"]

_REPORTS_BESIDE = f'report_dir = "{MIMIC_ROOT}/files"\n'  # an archive needs no word: it lies in MIMIC-CXR's own folder
_CONFIG = f"""# Made-up data; paths are relative to this file.
[ms_cxr]
csv_path = "{CSV_NAME}"
mimic_base_dir = "{JPG_ROOT}"
%s
[mimic_cxr_jpg]
root = "{JPG_ROOT}"

[mimic_cxr]
root = "{MIMIC_ROOT}"

[casia_cxr]
root = "{CASIA_ROOT}"
"""
_MOST = 1_000_000  # images; more than twice MIMIC-CXR, in about 1 GB of memory
_NAMED = 3  # files, in a refusal
_STALE = 3600.0  # seconds after which an unfinished folder belongs to a build that was killed


def _check(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise ConfigError(
            f"The demo needs a folder to be written in; {out} is a file. Name another folder, or move the file away."
        )
    if out.is_dir() and any(out.iterdir()) and not (out / MARKER).is_file():
        raise ConfigError(
            f"The demo is written into a new or empty folder, or in place of an earlier demo; {out} holds something else "
            f"(there is no {MARKER} in it). Nothing was changed. Name another folder."
        )
    if (out / MARKER).is_file() and (others := strangers(out)):
        names = ", ".join(others[:_NAMED]) + (f" and {len(others) - _NAMED:,} more" if len(others) > _NAMED else "")
        raise ConfigError(
            f"The demo in {out} would be replaced, and with it what somebody has put there or changed since: {names}. Nothing "
            "was changed. Move that away, delete the folder yourself, or name another one."
        )


def _remove_stale(out: Path) -> None:
    """What a killed build has left behind: its process is gone, or it is older than any build takes."""
    for left in out.parent.glob(f".{out.name}.building-*"):
        number = left.name.rpartition(".building-")[2].partition("-")[0]
        too_old = time.time() - left.stat().st_mtime > _STALE
        if too_old or (number.isdigit() and int(number) != os.getpid() and not _runs(int(number))):
            shutil.rmtree(left, ignore_errors=True)


def _runs(process: int) -> bool:
    """Whether that process runs. Windows has no way to ask without touching it: there, age decides."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write in, which takes the place of ``out`` if all goes well and vanishes if not. Raises ConfigError if ``out``
    holds something that no demo has written."""
    _check(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(out)
    name = f"{os.getpid()}-{secrets.token_hex(4)}"
    fresh = out.parent / f".{out.name}.building-{name}"
    fresh.mkdir()
    try:
        yield fresh
        write_marker(fresh)
        if out.exists():
            _check(out)
            old = out.parent / f".{out.name}.building-{name}-old"
            out.rename(old)
            fresh.rename(out)
            shutil.rmtree(old, ignore_errors=True)
        else:
            fresh.rename(out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def build(
    out: Path,
    images: int,
    seed: int,
    *,
    tables_only: bool = False,
    progress: Progress | None = None,
    processes: int | None = None,
) -> Path:
    """Write the demo and return its ``radharmony.toml``. Raises ConfigError for a folder or a number that cannot be used."""
    if not 1 <= images <= _MOST:
        raise ConfigError(
            f"The demo needs at least 1 image and at most {_MOST:,}; got {images}. Leave the number out for the usual size."
        )
    if seed < 0:
        raise ConfigError(
            f"The demo needs a seed of 0 or more; got {seed}. Any whole number will do, another one gives other patients."
        )
    with new_folder(out) as fresh:
        if tables_only and images > LARGE:
            write_scale(fresh, images, seed, progress)
        else:
            _write_small(fresh, images, seed, tables_only, progress, processes)
        config = _CONFIG % (_REPORTS_BESIDE if images <= LARGE else "")
        (fresh / "radharmony.toml").write_text(config, encoding="utf-8", newline="")
    return out / "radharmony.toml"


def _write_small(
    fresh: Path, images: int, seed: int, tables_only: bool, progress: Progress | None, processes: int | None
) -> None:
    """A demo whose every film can be drawn."""
    plan = make_plan(images, seed)
    write_tables(plan, fresh, tables_only=tables_only)
    write_reports(plan, fresh, progress)
    write_ms_cxr(records_of(plan), fresh)
    exams = small_exams(images, seed)
    write_casia(exams, [max(1, len(exams) // 20)] * len(COUNTS), fresh)
    if not tables_only:
        draw_all(plan, fresh, processes, progress)
