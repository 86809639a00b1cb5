"""The file that tells a demo from other folders, and what is in the demo's folder that the demo has not written.

A demo is replaced by the next one, and with it all that lies in its folder; what a person has put or changed there must not be.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["MARKER", "strangers", "write_marker"]

MARKER = "RADHARMONY_DEMO.txt"
_NOTE = """RadHarmony demo data

Everything in this folder is made up by a program: every film, report, number and date. No patient exists, and no pixel and
no word comes from a real film or a real report. The folders have the layout of MIMIC-CXR-JPG, MIMIC-CXR, MS-CXR and
CASIA-CXR, so that software for those datasets can be tried and shown without them. Not for diagnosis, training or measuring
any model.

When a demo is built in this folder's place, RadHarmony replaces it, unless there is a file in it that is not in this list, or
has another size by now.

"""
_OF_SYSTEMS = {".DS_Store", "Thumbs.db", "desktop.ini"}  # what a look into the folder leaves behind


def write_marker(folder: Path) -> None:
    """Writes `MARKER` into a demo that is complete: a note, and every file with its size in bytes."""
    lines = sorted(f"{size} {name}\n" for name, size in _files(folder))
    (folder / MARKER).write_text(_NOTE + "".join(lines), encoding="utf-8", newline="")


def strangers(folder: Path) -> list[str]:
    """The files in a demo's folder that the demo has not written so, sorted; all of them where its marker has no list."""
    text = (folder / MARKER).read_text(encoding="utf-8", errors="replace")
    written = set(text.removeprefix(_NOTE).splitlines()) if text.startswith(_NOTE) else set()
    return sorted(name for name, size in _files(folder) if f"{size} {name}" not in written and name != MARKER)


def _files(folder: Path) -> Iterator[tuple[str, int]]:
    """Every file and link below ``folder``, with its size in bytes; a link has none."""
    for place, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]  # noqa: PTH114, PTH118
        for name in [*names, *links]:
            path = Path(place) / name
            if name not in _OF_SYSTEMS:
                yield path.relative_to(folder).as_posix(), -1 if path.is_symlink() else path.stat().st_size
