"""What every harmonizer shares: the table, its issues, and saving both so that another run can trust what it loads."""

from __future__ import annotations

import json
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar, Self

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from radharmony_core.errors import MissingFileError, PickleRefusedError, RadHarmonyError, SavedTableError
from radharmony_core.paths import expanded, written_whole
from radharmony_core.schema import SCHEMA_VERSION, Column, IssueLog, array_of, issues_frame, validate

__all__ = ["Harmonizer", "Progress"]

Progress = Callable[[int, int, str], None]  # how many are done, of how many, and of what
_METADATA_KEY = b"radharmony"


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
        self._saved_issues: pd.DataFrame | None = None
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
        self._log, self._saved_issues, self.image_root = IssueLog(), None, None
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
        return self._log.frame() if self._saved_issues is None else self._saved_issues

    def save(self, path: str | Path) -> Path:
        """Writes the table as Parquet with its class, arguments, versions and issues in the metadata.

        The file is complete or not there: it is written beside and renamed. Raises SavedTableError for a name that
        promises another format, MissingFileError when the folder is not there, WriteError when it cannot be written to.
        """
        target = expanded(path)
        if target.suffix.lower() in (".pkl", ".pickle", ".csv", ".json"):
            raise SavedTableError(f"A harmonizer is saved as Parquet; got the name {target.name}. Call it {target.stem}.parquet.")
        harmonized = self.harmonized_df
        about = {
            "class": type(self).__name__,
            "arguments": self._arguments,
            "version": self.version,
            "schema_version": SCHEMA_VERSION,
            "image_root": None if self.image_root is None else str(self.image_root.absolute()),
            "issues": json.loads(self.issues.to_json(orient="records")),
        }
        table = pa.Table.from_pandas(harmonized, preserve_index=False)
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), _METADATA_KEY: json.dumps(about).encode()})
        with written_whole(target) as temporary:
            pq.write_table(table, temporary)
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
        try:
            table = pq.read_table(source)
            about = json.loads((table.schema.metadata or {})[_METADATA_KEY])
            arguments, issues = about["arguments"], about["issues"]
            image_root = None if about.get("image_root") is None else Path(about["image_root"])
        except (pa.ArrowException, KeyError, TypeError, ValueError, OSError) as error:
            raise SavedTableError(
                f"Expected a table saved by {cls.__name__} in {source}; it is another file or damaged ({error}). Save it anew."
            ) from error
        expected = {"class": cls.__name__, "version": cls.version, "schema_version": SCHEMA_VERSION}
        came = {name: about.get(name) for name in expected}
        if came != expected:
            raise SavedTableError(f"Expected {expected} in {source}, got {came}. Harmonize the raw files again and save.")
        try:
            made = cls._restored(arguments, cls._with_lists(table.to_pandas()), issues)
        except (pa.ArrowException, TypeError, ValueError, KeyError, AttributeError) as error:
            if isinstance(error, SavedTableError):
                raise
            raise SavedTableError(f"The table saved in {source} is damaged ({error}). Save it anew.") from error
        made.image_root = image_root
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
        return cls._restored({}, table, [])

    @classmethod
    def _restored(cls, arguments: dict[str, Any], table: pd.DataFrame, issues: list[dict[str, Any]]) -> Self:
        problems = validate(table, cls.columns)
        if problems:
            raise SavedTableError(f"The saved table does not keep the contract of {cls.__name__}: {' '.join(problems)}")
        made = cls.__new__(cls)
        Harmonizer.__init__(made, **arguments)
        made._table = table
        made._saved_issues = issues_frame(issues)
        return made

    @classmethod
    def _with_lists(cls, table: pd.DataFrame) -> pd.DataFrame:
        """Parquet gives nested arrays back, with None for NaN; the contract is plain Python lists, and numbers in a box."""
        for column in cls.columns:
            if column.kind == "boxes":
                table[column.name] = array_of([[_numbers(box) for box in cell] for cell in table[column.name]])
            elif column.kind == "texts":
                table[column.name] = array_of([list(cell) for cell in table[column.name]])
        return table


def _numbers(box: Iterable[float | None]) -> list[float]:
    return [math.nan if number is None else float(number) for number in box]
