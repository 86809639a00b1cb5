"""Reading a delimited text table as people have it: any common encoding and delimiter, no row lost, no silent guess.

Every cell stays text until a harmonizer says what it is: ``None``, ``NA`` and ``null`` are words in a report, not gaps.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.schema import IssueLog

__all__ = ["TextTable", "as_numbers", "read_text", "read_text_table"]

_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class TextTable:
    """Columns of text by name, all of one length, and the record number of each row (the header is record 1)."""

    columns: dict[str, pa.Array]
    rows: np.ndarray[Any, np.dtype[np.int64]]


def read_text(path: Path, log: IssueLog) -> str:
    """The file's text: UTF-8 with or without a mark, UTF-16 with a mark, else cp1252 with an issue (never latin-1, which
    turns typographic apostrophes into control characters). Raises MissingFileError, TableError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise MissingFileError(f"Expected a table at {path}; there is no such file. Check the path for typing errors.") from error
    except OSError as error:
        raise TableError(f"Expected a table at {path}; it cannot be read: {error.strerror or error}.") from error
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        log.add("encoding_guess", values=["cp1252"])
        return data.decode("cp1252", errors="replace")


def read_text_table(path: Path, expected: Sequence[str], log: IssueLog) -> TextTable:
    """The columns named in ``expected`` that the file has, found by name in any order, case and surrounding space aside.

    Columns that are missing or not expected, rows with too few or too many cells and blank rows become issues.
    Raises MissingFileError; TableError when none of the expected columns is there.
    """
    text = read_text(path, log)
    header = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=header.count)
    names = [name.strip().casefold() for name in next(csv.reader([header.rstrip("\r")], delimiter=delimiter), [])]
    wanted = [name for name in expected if name.casefold() in names]
    if not wanted:
        raise TableError(
            f"Expected a table with the columns {', '.join(expected)} in {path}; its first line is {header[:120]!r}. "
            "Is it the right file?"
        )
    for name in expected:
        if name not in wanted:
            log.add("missing_column", column=name)
    for place, name in enumerate(names):
        if name not in [one.casefold() for one in wanted] or names.index(name) != place:
            log.add("extra_column", column=name)
    cells, rows = _cells(text, delimiter, len(names), path, log)
    return TextTable({name: cells[names.index(name.casefold())] for name in wanted}, rows)


def _cells(
    text: str, delimiter: str, width: int, path: Path, log: IssueLog
) -> tuple[list[pa.Array], np.ndarray[Any, np.dtype[np.int64]]]:
    """Every column as text, in the file's order, and the record numbers. Arrow's reader hands over rows of another length."""
    ragged: list[tuple[int, int, str]] = []

    def keep(row: Any) -> str:
        ragged.append((row.number, row.actual_columns, row.text))
        return "skip"

    names = [str(place) for place in range(width)]
    try:
        table = pa.csv.read_csv(
            io.BytesIO(text.encode("utf-8", errors="replace")),
            read_options=pa.csv.ReadOptions(use_threads=False, column_names=names, block_size=1 << 26),
            parse_options=pa.csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=keep
            ),
            convert_options=pa.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), null_values=[]),
        )
    except pa.ArrowInvalid as error:
        raise TableError(f"Expected a table of {width} columns in {path}; it cannot be read: {error}.") from error
    columns = [table.column(name).combine_chunks() for name in names]
    rows = np.delete(np.arange(1, len(table) + len(ragged) + 1), [number - 1 for number, _, _ in ragged])
    columns, rows = _without_header_and_blanks(columns, rows, log)
    return _with_ragged(columns, rows, ragged, delimiter, log)


def _without_header_and_blanks(columns: list[pa.Array], rows: Any, log: IssueLog) -> tuple[list[pa.Array], Any]:
    filled = pc.not_equal(pc.binary_length(columns[0]), 0)
    for column in columns[1:]:
        if pc.all(filled).as_py() in (True, None):
            break
        filled = pc.or_(filled, pc.not_equal(pc.binary_length(column), 0))
    keep = filled.to_numpy(zero_copy_only=False)
    blanks = rows[~keep]
    keep[: int(np.argmax(keep)) + 1] = False  # the header: the first line that is not blank
    log.add("blank_row", rows=blanks.tolist())
    mask = pa.array(keep)
    return [column.filter(mask) for column in columns], rows[keep]


def _with_ragged(
    columns: list[pa.Array], rows: Any, ragged: list[tuple[int, int, str]], delimiter: str, log: IssueLog
) -> tuple[list[pa.Array], Any]:
    """Rows of another length put back in their place, padded or cut to the table's width."""
    if not ragged:
        return columns, rows
    log.add("ragged_row", rows=[number for number, _, _ in ragged], values=[count for _, count, _ in ragged])
    width = len(columns)
    cells = [(next(csv.reader([text], delimiter=delimiter), []) + [""] * width)[:width] for _, _, text in ragged]
    rows = np.concatenate([rows, [number for number, _, _ in ragged]])
    order = np.argsort(rows, kind="stable")
    merged = [
        pa.concat_arrays([column, pa.array([row[place] for row in cells], pa.string())]).take(pa.array(order))
        for place, column in enumerate(columns)
    ]
    return merged, rows[order]


def as_numbers(column: pa.Array) -> tuple[np.ndarray[Any, np.dtype[np.float64]], np.ndarray[Any, np.dtype[np.bool_]]]:
    """A text column as float64, and a mask of the cells that are not finite numbers (those come out as NaN)."""
    try:
        values = pc.cast(column, pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        values = np.array([_number(cell) for cell in column.to_pylist()], dtype=np.float64)
    bad = ~np.isfinite(values)
    return np.where(bad, np.nan, values), bad


def _number(cell: str) -> float:
    try:
        return float(cell.strip().replace("_", "x"))  # Python reads 1_000 as a number; a table that holds it means something else
    except ValueError:
        return float("nan")
