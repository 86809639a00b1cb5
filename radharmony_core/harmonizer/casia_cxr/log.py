"""Issues of several tables in one log, where each table counts its rows from 1."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Self

from radharmony_core.schema import IssueLog

__all__ = ["FileLog"]

_NAMES_ITSELF = re.compile(r"casia.?cxr", re.IGNORECASE)


class FileLog(IssueLog):
    """Passes issues on to ``log``. Several tables are read, and each counts its rows from 1, so what has no image path to
    tell whose row it is gets the table's name with its value."""

    def __init__(self, log: IssueLog, name: str) -> None:
        super().__init__()
        self._log, self._name = log, name

    def add(
        self,
        code: str,
        *,
        rows: Iterable[int | None] = (None,),
        image_paths: Iterable[str | None] | None = None,
        values: Iterable[object] | None = None,
        column: str | None = None,
    ) -> None:
        """As `IssueLog.add`."""
        numbers = list(rows)
        paths = [None] * len(numbers) if image_paths is None else list(image_paths)
        what: list[object] = [None] * len(numbers) if values is None else list(values)
        told = [value if path is not None else self._with_name(value) for path, value in zip(paths, what, strict=True)]
        self._log.add(code, rows=numbers, image_paths=paths, values=told, column=column)

    def _with_name(self, value: object) -> str:
        if value is None:
            return self._name
        return value if isinstance(value, str) and _NAMES_ITSELF.search(value) else _Named(value, self._name)


class _Named(str):
    """A value and its table's name; as a quoted word, the value alone is in quotes."""

    __slots__ = ("_quoted",)
    _quoted: str

    def __new__(cls, value: object, name: str) -> Self:
        made = super().__new__(cls, f"{value} ({name})")
        made._quoted = f"{value!r} ({name})"
        return made

    def __repr__(self) -> str:
        return self._quoted


class RaggedLog(IssueLog):
    """Passes issues on to ``log``, but for those of rows of another length: ``ragged`` has the number of cells of each such row,
    by its number, for whoever finds out what is wrong with it."""

    def __init__(self, log: IssueLog) -> None:
        super().__init__()
        self._log = log
        self.ragged: dict[int, object] = {}

    def add(
        self,
        code: str,
        *,
        rows: Iterable[int | None] = (None,),
        image_paths: Iterable[str | None] | None = None,
        values: Iterable[object] | None = None,
        column: str | None = None,
    ) -> None:
        """As `IssueLog.add`."""
        if code != "ragged_row" or values is None:
            self._log.add(code, rows=rows, image_paths=image_paths, values=values, column=column)
        else:
            self.ragged |= {row: value for row, value in zip(rows, values, strict=True) if row is not None}

    def say(self, code: str, rows: Iterable[int]) -> None:
        """Adds the issue ``code`` for these of the rows, each with its number of cells."""
        numbers = list(rows)
        self._log.add(code, rows=numbers, values=[self.ragged[number] for number in numbers])
