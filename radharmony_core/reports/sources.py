"""Which of the places that were named have the reports: trees of files, and zips."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Sequence
from pathlib import Path

import pyarrow as pa

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.paths import find_file, find_files, find_shards, find_tree, some_files
from radharmony_core.reports.archive import ReportArchive
from radharmony_core.reports.files import Form, Layout, Progress, Raw, Report, ReportFiles, ReportSource
from radharmony_core.schema import IssueLog

__all__ = ["ARCHIVE_NAME", "ReportChain", "find_reports"]

ARCHIVE_NAME = "mimic-cxr-reports.zip"
_LOOKED_FOR = 12
_NAME = r"s\d+\.(?i:txt)"
_SHAPES: dict[Form, tuple[str, ...]] = {
    "beside": (r"p\d\d", r"p\d{3,}", _NAME),
    "inside": (r"p\d\d", r"p\d{3,}", r"s\d+", _NAME),
}
_IN_ONE_FOLDER = r"s\d{6,}\.txt"


def find_reports(places: Sequence[Path], relatives: Sequence[str], log: IssueLog | None = None) -> ReportSource | None:
    """Where the reports ``relatives`` (``p10/p10000032/s50414267.txt``) are; None where no place has any.

    A place is a folder that has them as files, or has `ARCHIVE_NAME`, at any usual depth, or is a zip of any name; of the
    images' own folder, ``files``, the zip may be beside it. All that is found is asked, one after the other: people unpack a
    part of the zip. A few reports are looked for, and what has most of them goes first; of two that have as many, files before
    a zip, and an earlier place before a later one. Where there is neither, a tree with any reports is taken: people download a
    few patients, or keep reports in the studies' folders, or all in one. A zip that is the only source, or comes after files
    that have them all, is not looked into, so without ``relatives`` a zip is found at no cost.

    A zip that cannot be read raises TableError; with ``log`` it is an issue there, unless it is a place itself.
    """
    few = relatives[:: max(1, -(-len(relatives) // _LOOKED_FOR))]
    ranked: list[tuple[int, ReportSource]] = [*_trees(places, few)]
    archives = _archives(places, log)
    if len(ranked) + len(archives) > 1 and not any(held == len(few) for held, _ in ranked):
        ranked += _counted(archives, few, places, log)
    else:
        ranked += [(0, archive) for archive in archives]
    sources = [source for _, source in sorted(ranked, key=lambda each: -each[0])] or _any_tree(places)
    if len(sources) < 2 and not (log is not None and archives):
        return sources[0] if sources else None
    return ReportChain(sources, [archive for archive in archives if archive.path in places])


def _trees(places: Sequence[Path], few: Sequence[str]) -> list[tuple[int, ReportFiles]]:
    """The trees that have some of the reports, each with how many."""
    roots = dict.fromkeys(root for place in places if few and (root := find_tree(place, few)) is not None)
    counted = [(ReportFiles(root).count(few), ReportFiles(root)) for root in roots]
    return [(held, tree) for held, tree in counted if held]


def _archives(places: Sequence[Path], log: IssueLog | None) -> list[ReportArchive]:
    archives: dict[Path, ReportArchive] = {}
    for place in places:
        path = _zip(place)
        if path is None or path in archives:
            continue
        try:
            archives[path] = ReportArchive(path)
        except TableError as error:
            if log is None or path == place:
                raise
            log.add("unreadable_archive", values=[str(error)])
    return list(archives.values())


def _counted(
    archives: Sequence[ReportArchive], few: Sequence[str], places: Sequence[Path], log: IssueLog | None
) -> list[tuple[int, ReportSource]]:
    """The archives, each with how many of the reports it has; without those whose index is damaged."""
    counted: list[tuple[int, ReportSource]] = []
    for archive in archives:
        try:
            counted.append((archive.count(few), archive))
        except TableError as error:
            if log is None or archive.path in places:
                raise
            log.add("unreadable_archive", values=[str(error)])
    return counted


def _zip(place: Path) -> Path | None:
    if os.path.isfile(place):  # noqa: PTH113  says no, where Path raises for one that may not be seen
        return place
    own = find_file(place, ARCHIVE_NAME)
    beside = place.parent / ARCHIVE_NAME
    return beside if own is None and place.name == "files" and os.path.isfile(beside) else own  # noqa: PTH113


def _any_tree(places: Sequence[Path]) -> list[ReportSource]:
    """A tree with any reports, as one of them tells: below the shards, in the studies' folders as well, or all in one folder."""
    roots = (root for place in places for kind in (".dcm", ".jpg") if (root := find_shards(place, kind)) is not None)
    for root in roots:
        for form, shapes in _SHAPES.items():
            if names := some_files(root, shapes, 1):
                return [ReportFiles(root, Layout(form, Path(names[0]).suffix))]
    for place in places:
        if files := find_files(place, [_IN_ONE_FOLDER])[0]:
            return [ReportFiles(files[0].parent, Layout("flat", files[0].suffix))]
    return []


class ReportChain(ReportSource):
    """Several sources, each asked for what the ones before it do not have. One that cannot be read at all is left out, which
    is an issue of `texts`, unless it is among the ``required``."""

    def __init__(self, sources: Sequence[ReportSource], required: Sequence[ReportSource] = ()) -> None:
        self._sources, self._required = list(sources), list(required)
        self._failed: list[str] = []

    def inputs(self) -> list[Path]:
        return [path for source in self._sources for path in source.inputs()]

    def read(self, relative: str) -> Report:
        for source in self._sources[:-1]:
            with contextlib.suppress(MissingFileError):  # the next one is asked
                return source.read(relative)
        return self._sources[-1].read(relative)

    def texts(self, relatives: Sequence[str], log: IssueLog, progress: Progress | None = None) -> pa.Array:
        self._failed.clear()
        texts = super().texts(relatives, log, progress)
        log.add("unreadable_archive", rows=[None] * len(self._failed), values=self._failed)
        return texts

    def _each(self, relatives: Sequence[str]) -> Generator[tuple[int, Raw]]:
        left = dict.fromkeys(range(len(relatives)))
        for source in self._sources if relatives else ():
            asked = list(left)
            try:
                with contextlib.closing(source._each([relatives[place] for place in asked])) as each:
                    for number, raw in each:
                        if raw is not None:
                            del left[asked[number]]
                            yield asked[number], raw
            except TableError as error:
                if source in self._required:
                    raise
                self._failed.append(str(error))
            if not left:
                return
        yield from ((place, None) for place in left)
