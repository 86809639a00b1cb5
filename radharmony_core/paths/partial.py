"""The images' folder of a whole table, also where only a part of the images is on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from radharmony_core.paths.locate import stem_of
from radharmony_core.paths.trees import best_tree, find_tree, found_below

__all__ = ["find_root"]

_LOOKED_AT = 12
_FOLDERS_READ = 300  # of one tree: a table names hundreds of thousands of images, and each look at a network's disk takes time


def find_root(base: Path, relatives: Sequence[str]) -> Path | None:
    """The folder at or near ``base`` that the paths of a table are below; None where none of them is found.

    A few from all over the table are looked for, as `find_tree` does. Where none of those is there, folders are read from the
    top, each only where one of ``relatives`` leads into it, until a few are found: so one patient of all is found as well.
    """
    few = relatives[:: max(1, len(relatives) // _LOOKED_AT)]
    return find_tree(base, few) or _tree_with_any(base, relatives)


def _tree_with_any(base: Path, relatives: Sequence[str]) -> Path | None:
    top = _Branch(relatives)
    return best_tree(base, lambda candidate: found_below(candidate, _some_there(candidate, top)), _LOOKED_AT)


class _Branch:
    """Paths that begin in one folder, divided when that folder is read: by the folders inside, and by the stems of files."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = paths

    @cached_property
    def parts(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        folders, files = dict[str, list[str]](), dict[str, list[str]]()
        for path in self._paths:
            name, slash, rest = path.partition("/")
            if slash:
                folders.setdefault(name, []).append(rest)
            else:
                files.setdefault(_fold(name), []).append(name)
        return folders, files


def _some_there(root: Path, top: _Branch) -> list[str]:
    """Some of the paths in ``top`` that have a file below ``root``, by name alone."""
    found: list[str] = []
    waiting = [("", top)]
    for _ in range(_FOLDERS_READ):
        if not waiting or len(found) >= _LOOKED_AT:
            break
        inside, branch = waiting.pop()
        folders, files = branch.parts
        names = set(_names(f"{root}/{inside}"))
        stems = {_fold(name) for name in names} if files else set()
        found += [inside + name for stem in sorted(files.keys() & stems) for name in files[stem]]
        waiting += [(f"{inside}{name}/", _Branch(folders[name])) for name in sorted(folders.keys() & names)]
    return found[:_LOOKED_AT]


def _names(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            yield from (entry.name for entry in entries)
    except (OSError, ValueError):  # no folder, or one that may not be read
        return


def _fold(name: str) -> str:
    return stem_of(name).casefold()
