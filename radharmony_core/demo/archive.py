"""``mimic-cxr-reports.zip``: every report in one file, its entries named like the paths of the study list."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["write_archive"]

_EVERY = 2000  # reports between two words about the progress
_NO_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say, so that equal reports give equal bytes


def write_archive(
    path: Path, entries: Iterable[tuple[str, str]], total: int, progress: Callable[[int, int, str], None] | None
) -> None:
    """Write (name, text) after (name, text); ``total`` is how many will come."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for done, (name, text) in enumerate(entries, start=1):
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(entry, text, compresslevel=1)
            if progress and (done % _EVERY == 0 or done == total):
                progress(done, total, "reports")
