"""Changing ``radharmony.toml`` by program. What a person wrote stays: comments, order, and paths as they were typed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from radharmony_core.config.read import CONFIG_VARIABLE, settings_in_full
from radharmony_core.errors import ConfigError, MissingFileError, WriteError
from radharmony_core.paths import written_whole

__all__ = ["remove_dataset", "settings_as_typed", "write_dataset"]


def settings_as_typed(path: Path, kind: str) -> dict[str, str]:
    """A dataset's settings as they stand in the file; empty where the file or the table is not there. Raises ConfigError."""
    table = _document(path).get(kind, {})
    return {name: str(value) for name, value in table.items()} if isinstance(table, dict) else {}


def write_dataset(path: Path, kind: str, settings: Mapping[str, str]) -> None:
    """Sets one dataset's table to ``settings``, in a new file where there is none; other tables are not touched.

    Raises ConfigError for a setting the dataset does not know, WriteError where the file cannot be written.
    """
    settings_in_full(path, kind, dict(settings))
    document = _document(path)
    table = document.get(kind)
    if not isinstance(table, dict):
        table = document[kind] = tomlkit.table()
    for name in [name for name in table if name not in settings]:
        del table[name]
    for name, value in settings.items():
        if table.get(name) != value:
            table[name] = tomlkit.string(value, literal="\\" in value and "'" not in value)
    _write(path, document)


def remove_dataset(path: Path, kind: str) -> None:
    """Takes one dataset's table out of the file; the data themselves are not touched. Raises ConfigError, WriteError."""
    document = _document(path)
    if kind in document:
        del document[kind]
        _write(path, document)


def _document(path: Path) -> tomlkit.TOMLDocument:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:  # line ends as they are
            return tomlkit.parse(file.read())
    except FileNotFoundError:
        return tomlkit.document()
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise ConfigError(f"{path} cannot be changed, because it is not readable as TOML: {error}. Correct that line.") from error


def _write(path: Path, document: tomlkit.TOMLDocument) -> None:
    if not path.parent.is_dir():
        raise MissingFileError(f"Expected the folder {path.parent} to write {path.name} into; there is none.")
    if path.exists() and not os.access(path, os.W_OK):
        raise WriteError(f"{path} may not be written to. Ask its owner, or name another file in {CONFIG_VARIABLE}.")
    with written_whole(path) as temporary:
        temporary.write_text(tomlkit.dumps(document), encoding="utf-8", newline="")
        if path.exists():
            shutil.copymode(path, temporary)
