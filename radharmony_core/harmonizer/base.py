"""What every harmonizer shares: the table, its issues, and saving both so that another run can trust what it loads."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self

import pandas as pd
import pyarrow as pa

from radharmony_core.cache import TableCache, read_table, write_table
from radharmony_core.errors import MissingFileError, PickleRefusedError, RadHarmonyError, SavedTableError
from radharmony_core.harmonizer.saved import Saved, from_arrow, to_arrow
from radharmony_core.paths import expanded
from radharmony_core.schema import SCHEMA_VERSION, Column, IssueLog, validate

__all__ = ["Harmonizer", "Progress"]

Progress = Callable[[int, int, str], None]  # how many are done, of how many, and of what


class Harmonizer(ABC):
    """Reads one dataset's raw files and gives one row per image in the harmonized columns.

    ``version`` counts changes of the table that this code builds: raise it with every such change. ``image_root`` is the
    folder that image paths are below, None where none was given or found.
    """

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    columns: ClassVar[tuple[Column, ...]]
    image_root: Path | None = None

    def __init__(self, **arguments: str | None) -> None:
        self._arguments = arguments
        self._log = IssueLog()
        self._table: pd.DataFrame | None = None
        self._saved: Saved | None = None
        self.cache_notices: tuple[str, ...] = ()
        self._progress: Progress | None = None

    @abstractmethod
    def inputs(self) -> list[Path]:
        """The files and folders whose change makes the table stale. Raises RadHarmonyError where a named one is missing."""

    @abstractmethod
    def _build(self, log: IssueLog) -> pd.DataFrame:
        """The harmonized table; problems in the data go into ``log``."""

    def _tell(self, done: int, total: int, what: str) -> None:
        """How far the building is, for whoever asked to be told."""
        if self._progress is not None:
            self._progress(done, total, what)

    def harmonize(self, progress: Progress | None = None) -> pd.DataFrame:
        """Reads the files anew and returns the table, one row per image; ``progress`` is told how far it is.

        Raises RadHarmonyError when the files cannot be read."""
        self._progress = progress
        self._log, self._saved, self.image_root = IssueLog(), None, None
        table = self._build(self._log)
        problems = validate(table, self.columns)
        if problems:
            raise RadHarmonyError(f"{type(self).__name__} built a table that breaks its own contract: {' '.join(problems)}")
        self._table = table
        return table

    @property
    def harmonized_df(self) -> pd.DataFrame:
        """The harmonized table, built at the first use. The same object each time: copy it before you change it."""
        return self.harmonize() if self._table is None else self._table

    @property
    def issues(self) -> pd.DataFrame:
        """What was skipped or odd, one row per problem, with a code (`radharmony_core.schema.ISSUE_CODES`)."""
        _ = self.harmonized_df
        return self._log.frame() if self._saved is None else self._saved.issues

    def fill_from(self, cache: TableCache, progress: Progress | None = None) -> pd.DataFrame:
        """The table as `harmonize` gives it, read from ``cache`` where it is kept there and the raw files are as they were;
        else harmonized, and kept for the next time.

        The issues come along. ``cache_notices`` say afterwards where keeping it went wrong. Raises RadHarmonyError when the
        raw files cannot be read.
        """
        self._progress = progress

        def build() -> pa.Table:
            self.harmonize(progress)
            return self._packed()

        versions = {
            **self._made_by(),
            **{"columns": [[column.name, column.kind] for column in self.columns]},
            **{"pandas": pd.__version__, "pyarrow": pa.__version__},
        }
        waiting = partial(self._tell, 0, 1, "tables, which another process builds")
        cached = cache.table(self.kind, self._arguments, self.inputs(), build, versions=versions, waiting=waiting)
        self.cache_notices = cached.notices
        return self._fill(cached.table) if cached.hit else self.harmonized_df

    def save(self, path: str | Path) -> Path:
        """Writes the table as Parquet with its class, arguments, versions and issues in the metadata.

        The file is complete or not there: it is written beside and renamed. Raises SavedTableError for a name that
        promises another format and for a table that breaks its contract by now, MissingFileError when the folder is not
        there, WriteError when it cannot be written to.
        """
        target = expanded(path)
        if target.suffix.lower() not in ("", ".parquet"):
            name = f"{target.stem.removesuffix('.parquet')}.parquet"
            raise SavedTableError(f"A harmonizer is saved as Parquet; got the name {target.name}. Call it {name}.")
        _refuse_breaches(self.harmonized_df, type(self))
        write_table(self._packed(), target)
        return target

    @classmethod
    def load_from_saved(cls, path: str | Path, *, allow_pickle: bool = False) -> Self:
        """A harmonizer as it was saved, table and issues included, without reading the raw files again.

        ``allow_pickle`` permits a ``.pkl`` table made by another tool; a pickle can run any code, so only for files that
        you made. Raises MissingFileError, PickleRefusedError, SavedTableError (another class or version, damaged).
        """
        source = expanded(path)
        if "\0" in str(source) or not os.path.isfile(source):  # noqa: PTH113  says no, where Path raises for what may not be seen
            raise MissingFileError(f"Expected a saved {cls.__name__} at {source}; there is no such file.")
        if source.suffix.lower() in (".pkl", ".pickle"):
            return cls._load_pickle(source, allow_pickle)
        made = cls._empty()
        try:
            made._fill(read_table(source))
        except SavedTableError as error:
            raise SavedTableError(f"{source} cannot be loaded: {error} Harmonize the raw files again and save.") from error
        return made

    def _packed(self) -> pa.Table:
        """The table as one that can be saved, with all that belongs to it."""
        about = {
            **self._made_by(),
            "arguments": self._arguments,
            "image_root": None if self.image_root is None else str(self.image_root.absolute()),
        }
        return to_arrow(self.harmonized_df, self.issues, about)

    def _fill(self, packed: pa.Table) -> pd.DataFrame:
        """Takes over what `_packed` gave. Raises SavedTableError where that was another class or version."""
        saved = from_arrow(packed, self._made_by(), self.columns)
        self._arguments = saved.about["arguments"]
        root = saved.about["image_root"]
        self.image_root = None if root is None else Path(root)
        self._table, self._saved = saved.table, saved
        return saved.table

    @classmethod
    def _made_by(cls) -> dict[str, Any]:
        return {"class": cls.__name__, "version": cls.version, "schema_version": SCHEMA_VERSION}

    @classmethod
    def _empty(cls) -> Self:
        made = cls.__new__(cls)
        Harmonizer.__init__(made)
        return made

    @classmethod
    def _load_pickle(cls, source: Path, allow_pickle: bool) -> Self:
        if not allow_pickle:
            raise PickleRefusedError(
                f"{source} is a pickle, which can run any code when it is read. If you made it yourself, pass "
                "allow_pickle=True; better, harmonize again and save as Parquet."
            )
        try:
            table = pd.read_pickle(source)  # noqa: S301  the caller vouches for the file, in so many words
        except Exception as error:
            raise SavedTableError(f"The pickle {source} cannot be read ({type(error).__name__}). Save it anew.") from error
        table = getattr(table, "harmonized_df", table)
        if not isinstance(table, pd.DataFrame):
            raise SavedTableError(f"Expected a table in {source}, got {type(table).__name__}.")
        _refuse_breaches(table, cls)
        made = cls._empty()
        made._table = table
        return made


def _refuse_breaches(table: pd.DataFrame, kind: type[Harmonizer]) -> None:
    problems = validate(table, kind.columns)
    if problems:
        raise SavedTableError(f"The table does not keep the contract of {kind.__name__}: {' '.join(problems)}")
