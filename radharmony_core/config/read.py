"""``radharmony.toml``: which datasets there are, and where. A table a dataset, named by its kind.

    [ms_cxr]
    csv_path = "~/data/MS_CXR_Local_Alignment_v1.1.0.csv"
    mimic_base_dir = "~/data/mimic-cxr-jpg/2.1.0"

Paths may begin with ``~``, hold environment variables, or be relative to the file's own folder.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from radharmony_core.errors import ConfigError, MissingFileError
from radharmony_core.paths import expanded

__all__ = ["CONFIG_NAME", "CONFIG_VARIABLE", "KINDS", "Config", "find_config", "load_config", "settings_in_full"]

CONFIG_NAME = "radharmony.toml"
CONFIG_VARIABLE = "RADHARMONY_CONFIG"

KINDS: dict[str, tuple[str, ...]] = {
    "ms_cxr": ("root", "csv_path", "mimic_base_dir", "report_dir"),
    "mimic_cxr_jpg": ("root", "csv_path", "base_image_dir", "label_csv_path", "split_csv_path"),
    "mimic_cxr": ("root", "csv_path", "dicom_base_dir", "report_csv_path", "report_dir"),
    "casia_cxr": ("root", "report_csv_path", "label_csv_path", "base_image_dir"),
}


@dataclass(frozen=True, slots=True)
class Config:
    """``datasets`` maps a kind to its settings, paths in full. ``path`` is the file they come from."""

    path: Path
    datasets: dict[str, dict[str, Path]]


def find_config(beside: Path) -> Path | None:
    """The file named by the environment variable RADHARMONY_CONFIG, else ``radharmony.toml`` in the folder ``beside``; None
    where neither is. Raises MissingFileError where the variable names a file that is not there."""
    named = os.environ.get(CONFIG_VARIABLE, "").strip()
    if named:
        path = expanded(named)
        if not os.path.isfile(path):  # noqa: PTH113  says no, where Path raises for a name too long
            raise MissingFileError(f"{CONFIG_VARIABLE} names {path}; there is no such file. Correct it or unset it.")
        return path.resolve()
    path = beside / CONFIG_NAME
    return path if os.path.isfile(path) else None  # noqa: PTH113


def load_config(path: Path) -> Config:
    """Raises MissingFileError, and ConfigError for what is no TOML, no known kind or setting, or no path."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise MissingFileError(f"Expected a configuration at {path}; there is no such file.") from error
    except (OSError, UnicodeDecodeError, RecursionError, tomllib.TOMLDecodeError) as error:
        hint = "Write paths with forward slashes or in 'single quotes'." if "\\" in _text(path) else "Correct that line."
        raise ConfigError(f"{path} is not readable as TOML: {error}. {hint}") from error
    return Config(path, {kind: settings_in_full(path, kind, table) for kind, table in tables.items()})


def settings_in_full(path: Path, kind: str, table: object) -> dict[str, Path]:
    """One dataset's settings as ``path`` would hold them, each as a full path. Raises ConfigError for what cannot stand there."""
    if kind not in KINDS:
        raise ConfigError(f"{path}: expected the name of a dataset ({', '.join(KINDS)}), got [{kind}].")
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: expected a table [{kind}] with settings below it, got {kind} = {table!r}.")
    for name, value in table.items():
        if name not in KINDS[kind]:
            raise ConfigError(f"{path}: [{kind}] has no setting {name!r}; it knows {', '.join(KINDS[kind])}.")
        if not isinstance(value, str) or not value.strip():
            raise ConfigError(f"{path}: expected a path in quotes for {name} in [{kind}], got {value!r}.")
    return {name: path.resolve().parent / expanded(value.strip()) for name, value in table.items()}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
