"""The files of all films of a catalog, for work that goes through every one of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from radharmony_core.catalog import Catalog
from radharmony_core.paths import locate_all

__all__ = ["FilmFiles", "film_files"]


@dataclass(frozen=True, slots=True)
class FilmFiles:
    """``files``: each film's file, once, in the catalog's order. ``missing``: rows of ``catalog.images`` without one."""

    files: list[Path]
    missing: list[int]


def film_files(catalog: Catalog, kind: str | None = None) -> FilmFiles:
    """The files that `Catalog.image_file` gives, of all images or those that the dataset ``kind`` has; in one look at each
    folder and two at each file, so that hundreds of thousands take seconds."""
    images = catalog.images
    paths = images["image_path"].to_numpy(dtype=object)
    located = images["file"].to_numpy(dtype=object)
    wanted = np.ones(len(images), dtype=bool) if kind is None else images[kind].to_numpy(dtype=bool)
    found: dict[int, str] = {}
    real = _Real()
    for status in catalog.datasets:
        if status.image_root is None:
            continue
        has = np.flatnonzero(wanted & images[status.kind].to_numpy(dtype=bool)).tolist()
        places = [place for place in has if place not in found and isinstance(paths[place], str)]
        # MS-CXR's files were looked for when the catalog was read.
        names = {place: located[place] for place in places if status.kind == "ms_cxr" and isinstance(located[place], str)}
        rest = [place for place in places if place not in names]
        looked_for = locate_all(status.image_root, [paths[place] for place in rest])
        names |= {place: name for place, name in zip(rest, looked_for, strict=True) if name is not None}
        top = status.image_root.resolve()
        found |= {place: real.of(os.path.normpath(f"{top}/{name}")) for place, name in names.items()}
    rows = np.flatnonzero(wanted).tolist()
    files = dict.fromkeys(found[place] for place in rows if place in found)
    return FilmFiles([Path(file) for file in files], [place for place in rows if place not in found])


class _Real:
    """Paths with links followed, as `within` gives them, each folder looked at once."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: str) -> str:
        folder, name = os.path.split(path)
        full = os.path.join(self._folder(folder), name)  # noqa: PTH118  of strings, for very many
        return os.path.realpath(full) if os.path.islink(full) else full  # noqa: PTH114

    def _folder(self, folder: str) -> str:
        real = self._folders.get(folder)
        if real is None:
            above = os.path.dirname(folder)  # noqa: PTH120
            real = folder if above == folder else self.of(folder)
            self._folders[folder] = real
        return real
