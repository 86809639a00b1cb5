"""Tables as CSV that every reader takes apart as it was put together (RFC 4180, with UTF-8 and LF).

Python's csv before 3.13 leaves a carriage return without quotes where lines end in LF, and readers take it for the end of a
row: a report with one would become two rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.paths import written_whole

__all__ = ["as_csv", "write_csv"]

_NEEDS_QUOTES = r'[",\r\n]'
_ROWS_AT_ONCE = 10_000  # a report has a few thousand letters: some 30 MB


def _text(text: str) -> pa.Scalar:
    return pa.scalar(text, pa.large_string())


_NOTHING = _text("")


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """The table as UTF-8, there whole or not at all; an empty cell for what is missing. Raises MissingFileError, WriteError."""
    names = [str(name) for name in table.columns]
    with written_whole(path) as temporary, temporary.open("wb") as out:
        out.write(as_csv(names, []).encode() + b"\n")
        for start in range(0, len(table), _ROWS_AT_ONCE):
            part = table.iloc[start : start + _ROWS_AT_ONCE]
            columns = [_quoted(_texts(part.iloc[:, place])) for place in range(len(names))]
            if len(columns) == 1:  # a line with nothing on it is no row to anybody
                columns = [pc.if_else(pc.equal(columns[0], _NOTHING), _text('""'), columns[0])]
            out.writelines(line.encode() + b"\n" for line in pc.binary_join_element_wise(*columns, _text(",")).to_pylist())


def _texts(column: pd.Series[Any]) -> pa.Array:
    """Cells as text, empty where one is missing."""
    texts = pa.array(column.astype("str").array, pa.large_string(), from_pandas=True)
    return pc.fill_null(texts, _NOTHING)


def _quoted(cells: pa.Array) -> pa.Array:
    quote = _text('"')
    wrapped = pc.binary_join_element_wise(quote, pc.replace_substring(cells, '"', '""'), quote, _NOTHING)
    return pc.if_else(pc.match_substring_regex(cells, _NEEDS_QUOTES), wrapped, cells)


def as_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for spreadsheets and programs: every digit, an empty cell for what is missing."""
    lines = [[str(cell) for cell in header]]
    lines += [["" if pd.isna(cell) else str(cell) for cell in row] for row in rows]  # type: ignore[call-overload]
    return "\n".join(",".join(map(_quoted_text, line)) or '""' for line in lines)


def _quoted_text(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if re.search(_NEEDS_QUOTES, text) else text
