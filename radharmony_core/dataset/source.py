"""Where a dataset's table and its images come from: raw files, a table, a harmonizer, or one that was saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from radharmony_core.dataset.arguments import checked_path
from radharmony_core.dataset.ids import with_spelled_ids
from radharmony_core.dataset.notices import Said
from radharmony_core.dataset.rows import with_lists
from radharmony_core.errors import ConfigError, MissingFileError, PickleRefusedError
from radharmony_core.harmonizer import HARMONIZERS, Harmonizer
from radharmony_core.paths import existing, expanded, find_root, find_shards
from radharmony_core.schema import Column

__all__ = ["Origin", "PathLike", "PathLikes", "Source", "few_of"]

PathLike = str | Path
PathLikes = PathLike | Sequence[PathLike]
_TYPED = {"mimic_base_dir": "base_image_dir", "dicom_base_dir": "dicom_base_dir or base_image_dir"}  # what people call them
_LOOKED_AT = 12  # reports that are looked for to find their folder


def few_of(paths: pd.Series[str]) -> list[str]:
    """A few paths from all over the table."""
    known = paths.dropna()
    return known.iloc[:: max(1, len(known) // _LOOKED_AT)].tolist()


@dataclass(frozen=True, slots=True)
class Origin:
    """Which harmonizer makes a dataset's table: its ``kind`` in the registry and its ``columns``. ``needs`` says in words which
    paths it takes, ``labels`` what to do where there are no labels. ``required`` are those of its arguments that it cannot do
    without, ``several`` those that may be several paths."""

    kind: str
    columns: tuple[Column, ...]
    labels: str
    needs: str = "root, or the paths one by one"
    required: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset({"label_csv_path"})


class Source:
    """``paths`` are the harmonizer's arguments, those that were given; ``tables`` the three ways around them, of which one at
    most may be given. Nothing is read but a saved table before it is asked for, and what is named must be there.

    Raises ConfigError for too little or too much, MissingFileError, SavedTableError (see `Harmonizer.load_from_saved`).
    """

    def __init__(
        self, origin: Origin, base: PathLike | None, paths: Mapping[str, PathLikes], tables: Mapping[str, Any], said: Said
    ) -> None:
        named = _checked_paths(origin, paths)
        self.base = None if base is None else _folder(checked_path(base, "base_image_dir"))
        self._origin, self._said = origin, said
        self._root = _folder(named["root"]) if "root" in named else None
        self._table: pd.DataFrame | None = None
        self._harmonizer: Any = None
        given = [name for name, value in tables.items() if value is not None]
        if len(given) > 1:
            raise ConfigError(f"Expected one table at most; got {' and '.join(given)}. Leave out all but one.")
        if not given:
            self._harmonizer = _made(origin, named)
        elif given == ["harmonized_df"]:
            self._table = _checked(origin, tables["harmonized_df"], said)
        elif given == ["harmonizer"]:
            self._harmonizer = _of_kind(origin.kind, tables["harmonizer"])
        else:
            self._harmonizer = _saved(origin.kind, tables["harmonizer_path"])
        self._reads_base = not given

    @property
    def table(self) -> pd.DataFrame:
        """The harmonized table, built at the first use. Shared: nobody changes it."""
        if self._table is None:
            table = self._harmonizer.harmonized_df
            self._table = table if isinstance(self._harmonizer, Harmonizer) else _checked(self._origin, table, self._said)
        return self._table

    def image_root(self) -> Path:
        """The folder that image paths are below; the one that was named where no image was found near it, so that each is
        missed by its name. Raises ConfigError where none was named."""
        table = self.table  # a harmonizer knows its folder when it has built its table
        found: Path | None = getattr(self._harmonizer, "image_root", None)
        if self.base is not None and not (self._reads_base and found is not None):
            paths = table["image_path"].astype("str").dropna().tolist() if "image_path" in table.columns else []
            found = find_root(self.base, paths) or find_shards(self.base, ".jpg")  # where all of them are links that lead out
        root = found or self.base or self._root
        if root is None:
            raise ConfigError("Expected base_image_dir, the folder of the images, with a table that names none; it is missing.")
        return root


def _folder(path: PathLike) -> Path:
    folder = existing(path, "a folder of images")
    if not folder.is_dir():
        raise MissingFileError(f"Expected a folder of images at {folder}; it is a file. Name the folder it is in.")
    return folder


def _checked_paths(origin: Origin, paths: Mapping[str, Any]) -> dict[str, Any]:
    """The paths as text or `Path`. Raises ConfigError where what was given for a path is none, or several for one."""
    checked: dict[str, Any] = {}
    for name, given in paths.items():
        typed, is_several = _TYPED.get(name, name), isinstance(given, list | tuple)
        if is_several and name not in origin.several:
            raise ConfigError(f"Expected one path as {typed}; got {given!r:.80}.")
        checked[name] = [checked_path(path, typed) for path in given] if is_several else checked_path(given, typed)
    return checked


def _made(origin: Origin, paths: Mapping[str, Any]) -> Harmonizer:
    if not paths.keys() - {"label_source"} or not origin.required <= paths.keys():
        came = " and ".join(sorted(_TYPED.get(name, name) for name in paths.keys() - {"label_source"})) or "none of them"
        raise ConfigError(f"Expected {origin.needs}, or one of harmonized_df, harmonizer and harmonizer_path; got {came}.")
    for name, named in paths.items():
        for path in named if isinstance(named, list) else [named]:
            if name != "label_source":
                existing(path, _TYPED.get(name, name))  # what is not there is said now, not when the first sample is asked for
    make: Callable[..., Harmonizer] = HARMONIZERS[origin.kind]
    return make(**paths)


def _checked(origin: Origin, table: object, said: Said) -> pd.DataFrame:
    if not isinstance(table, pd.DataFrame):
        raise ConfigError(f"Expected a pandas DataFrame as harmonized_df; got {type(table).__name__}.")
    return with_spelled_ids(with_lists(table, origin.columns), said)


def _of_kind(kind: str, harmonizer: Any) -> Any:
    its = getattr(harmonizer, "kind", kind)
    if its != kind:
        raise ConfigError(f"Expected a {HARMONIZERS[kind].__name__}; got {type(harmonizer).__name__}, of another dataset.")
    if not (isinstance(harmonizer, Harmonizer) or hasattr(harmonizer, "harmonized_df")):  # asking the former builds its table
        raise ConfigError(f"Expected an object with harmonized_df as harmonizer; got {type(harmonizer).__name__}.")
    return harmonizer


def _saved(kind: str, path: PathLike) -> Harmonizer:
    file, name = expanded(checked_path(path, "harmonizer_path")), HARMONIZERS[kind].__name__
    if file.suffix.lower() == ".csv":
        raise ConfigError(
            f"Expected what {name}.save() has written; {file.name} is a CSV. Read it with pandas and pass it as harmonized_df."
        )
    try:
        return HARMONIZERS[kind].load_from_saved(file)
    except PickleRefusedError as error:
        raise PickleRefusedError(
            f"{file.name} is a pickle, which can run any code when it is read. If you made it yourself, pass "
            f"harmonizer={name}.load_from_saved({str(file)!r}, allow_pickle=True); better, save it as Parquet."
        ) from error
