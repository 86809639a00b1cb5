"""Issues: how a problem in the data is written down.

A problem in the data is never raised: it becomes one row of an issues table, with a code, so that the row it speaks of can
be kept, counted and shown. The codes stand in `issue_codes`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from radharmony_core.schema.issue_codes import ISSUE_CODES

__all__ = ["ISSUE_COLUMNS", "IssueLog", "issues_frame"]

ISSUE_COLUMNS = ("code", "severity", "row", "image_path", "column", "value", "message")
_Found = tuple[str, str | None, str | None, tuple[int | None, ...], tuple[str | None, ...], tuple[object, ...]]


@dataclass(slots=True)
class IssueLog:
    """Collects problems while a table is built; ``frame()`` has one row per problem, columns `ISSUE_COLUMNS`.

    ``row`` counts records of the source file as a spreadsheet shows them, the header being row 1; missing where the
    problem is the whole file's. ``source`` names that file in the message, where a dataset is read from several.
    """

    source: str | None = None
    # A code, a column, a source, then rows, paths and values side by side. There may be more issues than rows, and their
    # sentences take ten times the memory of what they are made of, so those are written when the table is asked for.
    _found: list[_Found] = field(default_factory=list)

    def add(
        self,
        code: str,
        *,
        rows: Iterable[int | None] = (None,),
        image_paths: Iterable[str | None] | None = None,
        values: Iterable[object] | None = None,
        column: str | None = None,
    ) -> None:
        """One entry a row. Raises KeyError for a code that `ISSUE_CODES` does not hold."""
        _ = ISSUE_CODES[code]
        paths = itertools.repeat(None) if image_paths is None else image_paths
        what = itertools.repeat(None) if values is None else values
        entries = list(zip(rows, paths, what, strict=False))
        if entries:
            at, where, values = zip(*entries, strict=True)
            self._found.append((code, column, self.source, at, where, values))

    def extend(self, other: IssueLog) -> None:
        """Adds what another log has collected, under that log's source."""
        self._found += other._found

    def __len__(self) -> int:
        return sum(len(rows) for _, _, _, rows, _, _ in self._found)

    def frame(self) -> pd.DataFrame:
        """The issues in the order they were found, text columns as text, ``row`` as nullable integers."""
        columns: dict[str, list[object]] = {name: [] for name in ISSUE_COLUMNS}
        for code, column, source, rows, paths, values in self._found:
            kind, count = ISSUE_CODES[code], len(rows)
            of = "" if source is None else f"{source}: "
            columns["code"] += [code] * count
            columns["severity"] += [kind.severity] * count
            columns["row"] += rows
            columns["image_path"] += paths
            columns["column"] += [column] * count
            columns["value"] += [None if value is None else _text(value) for value in values]
            columns["message"] += [_text(of + kind.message.format(value=value, column=column)) for value in values]
        return issues_frame(columns)


def _text(value: object) -> str:
    """A file's name may hold bytes that are no text, and no column takes those: they are written as escapes."""
    text = str(value)
    return text if text.isascii() else text.encode("utf-8", errors="backslashreplace").decode("utf-8")


def issues_frame(issues: Mapping[str, Sequence[object]] | Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """Issues, as columns or as records, as the table that `IssueLog.frame` gives."""
    table = pd.DataFrame(issues, columns=list(ISSUE_COLUMNS))
    return table.astype({name: "Int64" if name == "row" else "str" for name in ISSUE_COLUMNS})
