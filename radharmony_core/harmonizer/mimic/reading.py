"""Several of MIMIC-CXR's tables at once: unpacking and parsing leave Python alone, so that two cores halve the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from radharmony_core.harmonizer.mimic.images import read_metadata, read_records
from radharmony_core.harmonizer.mimic.labels import read_labels
from radharmony_core.harmonizer.mimic.reports import read_study_list
from radharmony_core.harmonizer.mimic.split import read_split
from radharmony_core.schema import IssueLog

__all__ = ["Loaded", "load"]

_READERS: dict[str, Callable[[Path, IssueLog], Any]] = {
    "metadata": read_metadata,
    "record_list": read_records,
    "split": read_split,
    "chexpert": read_labels,
    "negbio": read_labels,
    "test_set": read_labels,
    "study_list": read_study_list,
}
_AT_ONCE = 2  # more would hold more texts in memory at a time


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read, by the table's key, and each table's issues, which name it."""

    tables: dict[str, Any]
    logs: dict[str, IssueLog]

    def give_issues(self, log: IssueLog) -> None:
        """Adds every table's issues to ``log``, table after table."""
        for own in self.logs.values():
            log.extend(own)


def load(paths: Mapping[str, Path], tell: Callable[[int, int, str], None]) -> Loaded:
    """Reads every table, the largest first. Raises RadHarmonyError where one cannot be read."""
    keys = [key for key in _READERS if key in paths]
    logs = {key: IssueLog(source=paths[key].name) for key in keys}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        running = {key: pool.submit(_READERS[key], paths[key], logs[key]) for key in keys}
        for done, _ in enumerate(as_completed(running.values()), 1):
            tell(done, len(keys), "tables")
        return Loaded({key: future.result() for key, future in running.items()}, logs)
