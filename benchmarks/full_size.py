"""MIMIC-CXR at its published size, 377,110 images: harmonizing against bare `pandas.read_csv`, starting warm against pyarrow,
and how much memory each takes. Every run is a process of its own, so that none finds what another has left behind.

python -m benchmarks.full_size [FOLDER]

FOLDER is a demo of that size, made at the first time (about half a minute); without it, one in the system's temporary folder.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from benchmarks._timing import print_ratios
from radharmony_core.cache import TableCache
from radharmony_core.catalog import load_catalog
from radharmony_core.config import load_config
from radharmony_core.demo import write_demo
from radharmony_core.harmonizer import MIMICCXRHarmonizer, MIMICCXRJPGHarmonizer

IMAGES, ROUNDS = 377_110, 5
TABLES = ("metadata", "split", "chexpert", "negbio")
MIB_AT_MOST = {"harmonize": 1536.0, "harmonize_with_reports": 1536.0, "warm_start": 1536.0, "catalog": 700.0}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.full_size", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(tempfile.gettempdir()) / "radharmony-full-size")
    parser.add_argument("--run", choices=sorted(WAYS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        return run(options.run, options.folder)
    made(options.folder)
    child("warm_start", options.folder)  # fills the cache
    times, memory = measured(options.folder)
    kept = [
        print_ratios("The four tables of MIMIC-CXR-JPG", times_of(times, "read_csv", "harmonize"), "read_csv", {"harmonize": 3}),
        print_ratios("The same table, kept as Parquet", times_of(times, "parquet", "warm_start"), "parquet", {"warm_start": 1.5}),
        print_memory(memory),
    ]
    return 0 if all(kept) else 1


def made(folder: Path) -> None:
    """The demo in ``folder``, unless it is there."""
    if not (folder / "radharmony.toml").is_file():
        write_demo(folder, images=IMAGES, tables_only=True)


def measured(folder: Path) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Milliseconds of every round, and the most MiB, by way. The ways take turns, so that a slow moment slows them all."""
    times: dict[str, list[float]] = {}
    memory: dict[str, float] = {}
    for _ in range(ROUNDS):
        for way in ("read_csv", "harmonize", "parquet", "warm_start"):
            took, mib = child(way, folder)
            times.setdefault(way, []).append(took)
            memory[way] = max(mib, memory.get(way, 0))
    for way in ("harmonize_with_reports", "catalog", "catalog"):  # the first catalog fills the cache
        _, memory[way] = child(way, folder)
    return times, memory


def times_of(times: dict[str, list[float]], *ways: str) -> dict[str, float]:
    return {way: statistics.median(times[way]) for way in ways}


def child(way: str, folder: Path) -> tuple[float, float]:
    """Milliseconds and MiB of one way, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.full_size", str(folder), "--run", way]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    took, mib = json.loads(run.stdout)
    return took, mib


def run(way: str, folder: Path) -> int:
    """What a child does: one way, once. Loading the libraries is not measured."""
    start = time.perf_counter()
    mib = WAYS[way](folder)
    took = 1000 * (time.perf_counter() - start)
    print(json.dumps([took, most_memory() if mib is None else mib]))
    return 0


def most_memory() -> float:
    """The most MiB this process had at a time."""
    kib_or_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kib_or_bytes / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def resident_memory() -> float:
    """MiB that this process has now, where the system says it in /proc."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def print_memory(memory: dict[str, float]) -> bool:
    print(f"\n{'Memory, MiB':44}{'most':>10}{'at most':>18}")
    kept = True
    for way, mib in memory.items():
        limit = MIB_AT_MOST.get(way)
        kept = kept and (limit is None or mib <= limit)
        print(f"{way:44}{mib:10.0f}{'' if limit is None else f'{limit:18.0f}'}")
    return kept


def read_csv(folder: Path) -> None:
    root = folder / "mimic-cxr-jpg" / "2.1.0"
    for name in TABLES:
        pd.read_csv(root / f"mimic-cxr-2.0.0-{name}.csv.gz")


def harmonize(folder: Path) -> None:
    table = MIMICCXRJPGHarmonizer(folder / "mimic-cxr-jpg").harmonize()
    assert len(table) == IMAGES


def harmonize_with_reports(folder: Path) -> None:
    table = MIMICCXRHarmonizer(folder / "mimic-cxr", jpg_root=folder / "mimic-cxr-jpg").harmonize()
    assert len(table) == IMAGES
    assert table["report"].notna().all()


def parquet(folder: Path) -> None:
    [kept] = (folder / "cache" / "warm").glob("*.parquet")
    assert len(pq.read_table(kept).to_pandas()) == IMAGES


def warm_start(folder: Path) -> None:
    table = MIMICCXRJPGHarmonizer(folder / "mimic-cxr-jpg").fill_from(TableCache(folder / "cache" / "warm"))
    assert len(table) == IMAGES


def catalog(folder: Path) -> float:
    """All datasets with all reports, out of the cache: what stays in memory while pages use it."""
    config, cache = load_config(folder / "radharmony.toml"), TableCache(folder / "cache")
    tables = load_catalog(config, cache)
    assert len(tables.images) >= IMAGES
    return resident_memory()


WAYS: dict[str, Callable[[Path], float | None]] = {
    "read_csv": read_csv,
    "harmonize": harmonize,
    "harmonize_with_reports": harmonize_with_reports,
    "parquet": parquet,
    "warm_start": warm_start,
    "catalog": catalog,
}


if __name__ == "__main__":
    sys.exit(main())
