"""What lies below a folder and what leads out of it, for very many paths: a look at each folder, and one at each file."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from radharmony_core.errors import OutsideRootError
from radharmony_core.paths.locate import is_file, locate, within

__all__ = ["leads_out", "locate_all"]

_THERE, _MISSING, _OUTSIDE = "there", "missing", "outside"


def locate_all(root: Path, relatives: Sequence[str | None]) -> list[str | None]:
    """Each path's file below ``root`` as a path of its own, None where there is none, or only one that a link leads out to
    (`leads_out`). No file is given to two paths.

    A file that has one path's exact name is that path's: ``a.png`` is not taken for a missing ``a.jpg`` where another row
    names ``a.png``. People have a part of the dataset: what is in a folder that is not there is not looked for.
    """
    top, inside = root.resolve(), _Inside(root)
    found: list[str | None] = []
    taken: set[str] = set()
    for path in relatives:
        own = path if path is not None and path not in taken and not _climbs(path) and inside.of(path) == _THERE else None
        found.append(own)
        taken.update(() if own is None else (own,))
    for place, path in enumerate(relatives):
        if path is None or found[place] is not None or not (_climbs(path) or inside.holds_folder_of(path)):
            continue
        try:
            file = locate(root, path)
        except OutsideRootError:
            continue
        name = None if file is None else os.path.relpath(file, top).replace(os.sep, "/")
        if name is not None and name not in taken:
            taken.add(name)
            found[place] = name
    return found


def leads_out(root: Path, relatives: Sequence[str]) -> list[bool]:
    """Whether each path, or a link on its way, leads out of ``root``. Such a file is never opened (`within`)."""
    inside = _Inside(root)
    return [inside.of(path) == _OUTSIDE for path in relatives]


class _Inside:
    """Whether files are below ``root``: links are followed one by one, and each folder is looked at once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._top = str(root.resolve())
        self._folders: dict[str, str] = {"": _THERE}

    def of(self, path: str) -> str:
        if _climbs(path):
            return self._climbing(path)
        folder, _, name = path.rpartition("/")
        state = self._folder(folder)
        if state != _THERE or not name:
            return _MISSING if state == _THERE else state
        return self._look(path, stat.S_ISREG)

    def holds_folder_of(self, path: str) -> bool:
        return self._folder(path.rpartition("/")[0]) == _THERE

    def _folder(self, relative: str) -> str:
        state = self._folders.get(relative)
        if state is not None:
            return state
        place, state = "", _THERE
        for part in relative.split("/"):
            place = f"{place}/{part}" if place else part
            if place not in self._folders:
                self._folders[place] = self._look(place, stat.S_ISDIR)
            state = self._folders[place]
            if state != _THERE:
                break
        self._folders[relative] = state
        return state

    def _look(self, place: str, is_kind: Callable[[int], bool]) -> str:
        full = f"{self._top}/{place}"
        try:
            mode = os.lstat(full).st_mode  # Path's would take three times as long, for every image of a dataset
            if stat.S_ISLNK(mode):
                real = os.path.realpath(full)
                if real != self._top and not real.startswith(self._top.rstrip(os.sep) + os.sep):
                    return _OUTSIDE
                mode = os.stat(full).st_mode  # noqa: PTH116
        except (OSError, ValueError):  # a name that no file can have, links in a circle, what may not be seen
            return _MISSING
        return _THERE if is_kind(mode) else _MISSING

    def _climbing(self, path: str) -> str:
        if "\0" in path:
            return _MISSING
        try:
            return _THERE if is_file(within(self._root, path)) else _MISSING
        except OutsideRootError:
            return _OUTSIDE


def _climbs(path: str) -> bool:
    """Whether a path may lead out by itself, or is no path: such ones are rare, and followed with care."""
    return ".." in path or path.startswith("/") or "\0" in path
