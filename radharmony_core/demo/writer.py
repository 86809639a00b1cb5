"""Building a folder so that it is there whole or not at all: everything is written beside it, and renamed at the end."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from radharmony_core.demo.helpers import draw_all
from radharmony_core.demo.mscxr import CSV_NAME, write_ms_cxr
from radharmony_core.demo.plan import make_plan
from radharmony_core.demo.tables import JPG_ROOT, MIMIC_ROOT, Progress, write_reports, write_tables
from radharmony_core.errors import ConfigError

__all__ = ["MARKER", "build", "new_folder"]

MARKER = "RADHARMONY_DEMO.txt"
_NOTE = """RadHarmony demo data

Everything in this folder is made up by a program: every film, report, number and date. No patient exists, and no pixel and
no word comes from a real film or a real report. The folders have the layout of MIMIC-CXR-JPG, MIMIC-CXR and MS-CXR, so that
software for those datasets can be tried and shown without them. Not for diagnosis, training or measuring any model.

RadHarmony replaces a folder that holds this file when a demo is built in its place.
"""
_CONFIG = f"""# Made-up data; paths are relative to this file.
[ms_cxr]
csv_path = "{CSV_NAME}"
mimic_base_dir = "{JPG_ROOT}/files"
report_dir = "{MIMIC_ROOT}/files"

[mimic_cxr_jpg]
root = "{JPG_ROOT}"

[mimic_cxr]
root = "{MIMIC_ROOT}"
"""
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
    holds something that is not a demo."""
    _check(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(out)
    name = f"{os.getpid()}-{secrets.token_hex(4)}"
    fresh = out.parent / f".{out.name}.building-{name}"
    fresh.mkdir()
    try:
        yield fresh
        (fresh / MARKER).write_text(_NOTE, encoding="utf-8", newline="")
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
    if images < 1:
        raise ConfigError(f"The demo needs at least 1 image; got {images}. Leave the number out for the usual size.")
    with new_folder(out) as fresh:
        plan = make_plan(images, seed)
        write_tables(plan, fresh, tables_only=tables_only)
        write_reports(plan, fresh, progress)
        write_ms_cxr(plan, fresh)
        if not tables_only:
            draw_all(plan, fresh, processes, progress)
        (fresh / "radharmony.toml").write_text(_CONFIG, encoding="utf-8", newline="")
    return out / "radharmony.toml"
