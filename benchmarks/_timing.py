"""Interleaved timing: every way runs in turn, so that a slow moment of the machine slows them all."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

__all__ = ["medians", "print_ratios"]


def medians(ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each way over ``rounds`` rounds, after one round to warm up."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if number:
                taken[name].append(1000 * (time.perf_counter() - start))
    return {name: statistics.median(times) for name, times in taken.items()}


def print_ratios(title: str, times: Mapping[str, float], base: str, limits: Mapping[str, float]) -> bool:
    """Prints a table of times and their ratio to ``base``; False where a ratio is over its limit."""
    print(f"\n{title}\n{'':44}{'ms':>10}{'ratio':>9}{'at most':>9}")
    kept = True
    for name, took in times.items():
        ratio, limit = took / times[base], limits.get(name)
        kept = kept and (limit is None or ratio <= limit)
        print(f"{name:44}{took:10.2f}{ratio:9.2f}{'' if limit is None else f'{limit:9.2f}'}")
    return kept
