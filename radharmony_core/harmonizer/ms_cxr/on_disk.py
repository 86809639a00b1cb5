"""MS-CXR's image paths as they are on the disk: the table names JPGs, and people have those or the DICOM files, or a part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.paths import find_root, find_shards, leads_out, locate_all
from radharmony_core.schema import IssueLog

__all__ = ["paths_on_disk"]

_RASTER_SUFFIX = r"(?i)\.(?:jpe?g|png)$"
_EACH_LOOKED_UP = 5_000  # images; of more than that a few tell which kind of tree it is
_LOOKED_AT = 12


def paths_on_disk(named: pa.Array, folder: Path, log: IssueLog) -> tuple[list[str | None], Path | None]:
    """The paths with the extension of the tree at or near ``folder``, where its files are of several kinds each with its own, and
    the folder they are below, None where none of them is found. What leads out by a link is an issue.

    Each image is looked up; of very many a few tell, unless none of those is there.
    """
    paths: list[str | None] = named.to_pylist()
    known = [path for path in paths if path is not None]
    root = find_root(folder, known)
    if root is None:
        log.add("tree_not_found", values=[str(folder)])
        _say_links(find_shards(folder, ".jpg"), known, log)
        return paths, None
    few = known[:: max(1, len(known) // _LOOKED_AT)]
    found = locate_all(root, few if len(known) > _EACH_LOOKED_UP else paths)
    if len(found) != len(paths) and len(_suffixes(found)) != 1:
        found = locate_all(root, paths)
    if len(found) == len(paths):
        _say_links(root, [path for path, file in zip(paths, found, strict=True) if path is not None and file is None], log)
    kinds = _suffixes(found)
    if not kinds or kinds == _suffixes(few):
        return paths, root
    swapped: list[str | None] = pc.replace_substring_regex(named, _RASTER_SUFFIX, ".dcm").to_pylist()
    if kinds == {".dcm"} and len(set(swapped)) == len(swapped):  # else one file would stand for two images
        return swapped, root
    if len(kinds) > 1:
        log.add("tree_mixed")
    else:
        log.add("tree_kind", values=[min(kinds) or "no extension"])
    found = found if len(found) == len(paths) else locate_all(root, paths)
    return [path if name is None else name for path, name in zip(paths, found, strict=True)], root


def _suffixes(paths: Iterable[str | None]) -> set[str]:
    return {Path(path).suffix for path in paths if path is not None}


def _say_links(root: Path | None, lacking: Sequence[str], log: IssueLog) -> None:
    """Paths that climb out by themselves are no links: they are told by their shape."""
    plain = [path for path in lacking if root is not None and ".." not in path and not path.startswith("/")]
    out = [] if root is None else [path for path, leads in zip(plain, leads_out(root, plain), strict=True) if leads]
    log.add("link_outside", rows=[None] * len(out), image_paths=out, values=out)
