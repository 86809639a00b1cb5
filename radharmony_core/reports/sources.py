"""Which of the places that were named has the reports: a tree of files, or a zip."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from radharmony_core.paths import find_file, find_shards, find_tree, some_files
from radharmony_core.reports.archive import ReportArchive
from radharmony_core.reports.files import ReportFiles

__all__ = ["ARCHIVE_NAME", "find_reports"]

ARCHIVE_NAME = "mimic-cxr-reports.zip"
_LOOKED_FOR = 12
_REPORT_IN_TREE = (r"p\d\d", r"p\d{3,}", r"s\d+\.txt")


def find_reports(places: Sequence[Path], relatives: Sequence[str]) -> ReportFiles | ReportArchive | None:
    """Where the reports ``relatives`` (``p10/p10000032/s50414267.txt``) are; None where no place has any.

    A place is a folder that has them as files, or has `ARCHIVE_NAME`, at any usual depth, or is a zip of any name. A few
    reports are looked for, and the source that has most of them is taken: people unpack a part of the zip. Of two that have
    as many, files go before a zip, and an earlier place before a later one. Where there is neither, a tree with any reports
    is taken: people download a few patients. A zip that is the only source is not looked into, so without ``relatives`` a
    zip is found at no cost. Raises TableError where a zip is none.
    """
    few = relatives[:: max(1, -(-len(relatives) // _LOOKED_FOR))]
    best: ReportFiles | ReportArchive | None = None
    most = 0
    for root in (root for place in places if few and (root := find_tree(place, few)) is not None):
        held = ReportFiles(root).count(few)
        if held > most:
            best, most = ReportFiles(root), held
        if most == len(few):
            return best
    archives = [ReportArchive(path) for path in dict.fromkeys(filter(None, map(_zip, places)))]
    if best is None and len(archives) == 1:
        return archives[0]
    for archive in archives:
        held = archive.count(few)
        if best is None or held > most:
            best, most = archive, held
    return _any_tree(places) if best is None else best


def _zip(place: Path) -> Path | None:
    if os.path.isfile(place):  # noqa: PTH113  says no, where Path raises for one that may not be seen
        return place
    return find_file(place, ARCHIVE_NAME)


def _any_tree(places: Sequence[Path]) -> ReportFiles | None:
    trees = (root for place in places for kind in (".dcm", ".jpg") if (root := find_shards(place, kind)) is not None)
    return next((ReportFiles(root) for root in trees if some_files(root, _REPORT_IN_TREE, 1)), None)
