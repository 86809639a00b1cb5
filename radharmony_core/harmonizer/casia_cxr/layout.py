"""Where CASIA-CXR's files are: one folder a class, with its tables and images; each folder is listed once, no file opened.

<root>/CASIA-CXR_<Class>/                  or CASIA-CXR_<Class>_Sample/, in any case and at any usual depth
    CASIA-CXR_<Class>_Images/              JPEG, extension .JPEG or .jpg
    CASIA-CXR_<Class>_Reports.csv          with or without _Sample
    CASIA-CXR_<Class>_Labels.csv
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from radharmony_core.errors import ConfigError, OutsideRootError
from radharmony_core.harmonizer.casia_cxr.names import class_of_folder, folded
from radharmony_core.labels import CASIA_CLASSES
from radharmony_core.paths import existing, within
from radharmony_core.schema import IssueLog

__all__ = ["ClassFolder", "Layout", "find_layout", "list_below"]

_REPORTS = re.compile(r".*reports?(?:[-_ ]?sample)?\.csv(?:\.gz)?", re.IGNORECASE)
_LABELS = re.compile(r".*labels?(?:[-_ ]?sample)?\.csv(?:\.gz)?", re.IGNORECASE)
_IMAGE = re.compile(r".*\.jpe?g", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_DEPTH = 6  # levels that are gone down to the class folders, and again inside of one
_FOLDERS_LISTED = 2000


@dataclass(frozen=True, slots=True)
class ClassFolder:
    """One class's folder; ``name`` is a key of `CASIA_CLASSES`, a table is None where there is none."""

    name: str
    path: Path
    reports: Path | None
    labels: Path | None


@dataclass(slots=True)
class Layout:
    """``root`` is the folder that image paths are below; ``folders`` those that were listed, ``files`` what is in them, as
    paths below ``root`` with ``/``."""

    root: Path
    classes: list[ClassFolder] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    @property
    def images(self) -> list[str]:
        """The JPEG files by name."""
        return [file for file in self.files if _IMAGE.fullmatch(file)]


def find_layout(root: str | Path, log: IssueLog) -> Layout:
    """The classes' folders in ``root`` or below; ``root`` may also be one class's folder. A class that is not there is an
    issue. Raises MissingFileError where there is no ``root``, ConfigError where it holds no class's folder."""
    top = existing(root, "CASIA-CXR's folder")
    found = _class_folders(top, log)
    if not found:
        raise ConfigError(
            f"Expected folders such as CASIA-CXR_{next(iter(CASIA_CLASSES))} in or below {top}; there is none. Name the folder "
            "that holds them as root, or a reports table as csv_path."
        )
    parents = {top if path == top else path.parent for path in found}
    layout = Layout(parents.pop() if len(parents) == 1 else top)
    for name in CASIA_CLASSES:
        path = _first([path for path, class_name in found.items() if class_name == name], log)
        if path is None:
            log.add("missing_class", values=[name])
        else:
            layout.classes.append(_class_folder(layout, name, path, log))
    return layout


def list_below(folder: str | Path, log: IssueLog) -> Layout:
    """The files of a folder of images that was named, at any usual depth. Raises MissingFileError."""
    layout = Layout(existing(folder, "the folder of CASIA-CXR's images"))
    _list(layout, layout.root, log)
    return layout


def _class_folders(top: Path, log: IssueLog) -> dict[Path, str]:
    """The class folders nearest to ``top``, all of one level, each with its class."""
    own = class_of_folder(top.resolve().name)
    if own is not None:
        return {top: own}
    level, left = [top], _FOLDERS_LISTED
    for _ in range(_DEPTH):
        below = [folder / name for folder in level for name, is_folder in _entries(folder, top, log, near=False) if is_folder]
        found = {path: name for path in below if (name := class_of_folder(path.name)) is not None}
        if found:
            others = [path.name for path in below if path not in found and folded(path.name).startswith("casiacxr")]
            log.add("unknown_class_folder", rows=[None] * len(others), values=others)
            return found
        level, left = below, left - len(below)
        if left <= 0:
            break
    return {}


def _class_folder(layout: Layout, name: str, path: Path, log: IssueLog) -> ClassFolder:
    before = len(layout.files)
    _list(layout, path, log)
    files = [layout.root / file for file in layout.files[before:]]
    reports, labels = ([file for file in files if kind.fullmatch(file.name)] for kind in (_REPORTS, _LABELS))
    return ClassFolder(name, path, _first(reports, log, name), _first(labels, log, name))


def _first(paths: list[Path], log: IssueLog, class_name: str = "") -> Path | None:
    """The one that is named as documented, and of such the one with the shortest name, which is the whole dataset's rather than
    its sample's; that there are several is an issue."""
    documented = folded(f"casiacxr{class_name}")

    def order(path: Path) -> tuple[bool, int, int, str]:
        return not folded(path.name).startswith(documented), len(path.parts), len(path.name), path.name

    best = min(paths, key=order, default=None)
    if len(paths) > 1:
        log.add("several_files", values=[best])
    return best


def _list(layout: Layout, folder: Path, log: IssueLog, depth: int = _DEPTH) -> None:
    """Adds the files in ``folder`` and below to the layout."""
    layout.folders.append(folder)
    prefix = folder.relative_to(layout.root).as_posix()
    prefix = "" if prefix == "." else prefix + "/"
    below = []
    for name, is_folder in _entries(folder, layout.root, log):
        if is_folder:
            below.append(folder / name)
        else:
            layout.files.append(prefix + name)
    for path in below:
        if depth > 0 and len(layout.folders) < _FOLDERS_LISTED:
            _list(layout, path, log, depth - 1)


def _entries(folder: Path, root: Path, log: IssueLog, *, near: bool = True) -> Iterator[tuple[str, bool]]:
    """Names in a folder, sorted, and whether each is a folder; hidden ones are left out.

    A link that leads out of ``root`` is an issue, and so is a folder that may not be read; on the way to the dataset (not
    ``near``) only links that are named as a class: somebody's home is full of others.
    """
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        log.add("unreadable_folder", values=[f"{folder}: {error.strerror or error}"])
        return
    for entry in entries:
        if entry.name.startswith((".", "__MACOSX")):
            continue
        if _SURROGATE.search(entry.name):  # stands for a byte that is no text, and no column takes it
            log.add("bad_file_name", values=[ascii(entry.name)])
            continue
        if entry.is_symlink() and not _leads_inside(entry, root):
            if near or class_of_folder(entry.name) is not None:
                log.add("link_outside", values=[entry.path])
            continue
        yield entry.name, entry.is_dir()


def _leads_inside(link: os.DirEntry[str], root: Path) -> bool:
    """Whether a link leads to something inside of ``root``: what it names must be there."""
    try:
        return within(root, os.path.relpath(link.path, root)).exists()
    except (OutsideRootError, OSError):
        return False
