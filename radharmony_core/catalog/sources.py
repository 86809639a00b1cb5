"""From the configuration to harmonizers: which folders and files each dataset is read from."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from radharmony_core.config import Config
from radharmony_core.errors import ConfigError, TableError
from radharmony_core.harmonizer import HARMONIZERS, MSCXRHarmonizer, find_annotations
from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.tables.file import first_line
from radharmony_core.schema import IssueLog

__all__ = ["harmonizer_of", "inputs_of", "look_at", "place_or_issue"]


def harmonizer_of(config: Config, kind: str, log: IssueLog) -> Harmonizer:
    """The harmonizer that reads ``kind`` as ``config`` says. Raises RadHarmonyError where its table cannot be found.

    Datasets complete one another: MS-CXR takes its films, and MIMIC-CXR its labels, from where MIMIC-CXR-JPG is.
    """
    settings = config.datasets[kind]
    if kind == MSCXRHarmonizer.kind:
        return MSCXRHarmonizer(_annotations(config, settings), place_or_issue(_films(config, settings), "tree_not_found", log))
    arguments: dict[str, Path] = dict(settings)
    if kind == "mimic_cxr":
        jpg = config.datasets.get("mimic_cxr_jpg", {})
        names = {"root": "jpg_root", "csv_path": "metadata_csv_path"}
        shared = ("root", "csv_path", "label_csv_path", "split_csv_path")
        arguments |= {names.get(name, name): jpg[name] for name in shared if name in jpg}
    make: Callable[..., Harmonizer] = HARMONIZERS[kind]
    return make(**arguments)


def _annotations(config: Config, settings: dict[str, Path]) -> Path:
    """MS-CXR's table, the newest one where a folder is named."""
    if "csv_path" in settings:
        return settings["csv_path"]
    if "root" not in settings:
        raise ConfigError(f"{config.path}: [ms_cxr] needs csv_path, or root with the table somewhere below it.")
    return find_annotations(settings["root"])


def _films(config: Config, settings: dict[str, Path]) -> Path | None:
    others = (
        config.datasets.get(kind, {}).get(name)
        for kind, name in (
            ("mimic_cxr_jpg", "base_image_dir"),
            ("mimic_cxr_jpg", "root"),
            ("mimic_cxr", "dicom_base_dir"),
            ("mimic_cxr", "root"),
        )
    )
    return next((path for path in (settings.get("mimic_base_dir"), *others, settings.get("root")) if path is not None), None)


def place_or_issue(path: Path | None, code: str, log: IssueLog) -> Path | None:
    """``path`` where something is; an issue where nothing is."""
    if path is not None and not os.path.exists(path):  # noqa: PTH110  says no, where Path raises for one that may not be seen
        log.add(code, values=[str(path)])
        return None
    return path


def inputs_of(config: Config, kind: str) -> list[Path]:
    """The files and folders that ``kind`` would be read from, found but not read. Raises RadHarmonyError where one is missing."""
    return harmonizer_of(config, kind, IssueLog()).inputs()


def look_at(config: Config, kind: str) -> list[Path]:
    """As `inputs_of`, after a look whether they can be read: small datasets are harmonized, of MIMIC's large tables the first
    line is read. Raises RadHarmonyError where one is missing or is another table."""
    harmonizer = harmonizer_of(config, kind, IssueLog())
    found = harmonizer.inputs()
    if kind in ("ms_cxr", "casia_cxr"):
        harmonizer.harmonize()
    else:
        for path in found:
            if path.is_file() and not path.name.lower().endswith(".zip"):
                _check_header(path)
    return found


def _check_header(path: Path) -> None:
    """Raises TableError where the first line names no column of ids."""
    text = first_line(path).casefold()
    if "study_id" not in text and "dicom_id" not in text:
        raise TableError(f"Expected a table with a column study_id or dicom_id in {path}; its first line is {text[:120]!r}.")
