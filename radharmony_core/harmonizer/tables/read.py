"""Reading a delimited text table as people have it: any common encoding and delimiter, no row lost, no silent guess.

Every cell stays text until a harmonizer says what it is: ``None``, ``NA`` and ``null`` are words in a report, not gaps.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.tables.file import read_bytes, text_of, unpacked
from radharmony_core.harmonizer.tables.header import DELIMITERS, Header, Wanted
from radharmony_core.harmonizer.tables.numbers import as_mask, as_numbers
from radharmony_core.harmonizer.tables.plain import PlainTable
from radharmony_core.harmonizer.tables.records import as_single_cells, count_lines, mend, open_quote, split_cells
from radharmony_core.schema import IssueLog

__all__ = ["TextTable", "as_mask", "as_numbers", "read_text", "read_text_table"]

_BEFORE_HEADER = re.compile(r"(?:[ ,;\t|]*+(?:\r\n?|\n))*+")
_LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n)?")
_Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TextTable:
    """Columns of text by name, all of one length, and the record number of each row (the header is record 1). A cell is null
    where something was wrong with it that has been said already. ``ragged`` are the record numbers of rows that have another
    number of cells than the header: their cells may stand under the wrong names."""

    columns: dict[str, pa.Array]
    rows: _Rows
    ragged: _Rows = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def is_ragged(self) -> npt.NDArray[np.bool_]:
        """Which of the rows are `ragged`."""
        if not len(self.ragged):
            return np.zeros(len(self.rows), dtype=bool)
        return np.isin(self.rows, self.ragged)


@dataclass(frozen=True, slots=True)
class _Parsed:
    """What Arrow's reader made of a text: whole rows as columns, and (number, cells, text) of each row of another length."""

    columns: list[pa.Array]
    ragged: list[tuple[int, int, str]]

    @property
    def records(self) -> int:
        return len(self.columns[0]) + len(self.ragged)


def read_text(path: Path, log: IssueLog) -> str:
    """The file's text, unpacked where it is gzip; an encoding that had to be guessed is an issue. Raises MissingFileError,
    TableError."""
    return _text(read_bytes(path), path, log)


def _text(data: bytes, path: Path, log: IssueLog) -> str:
    text, guessed = text_of(unpacked(data, path, log))
    if guessed is not None:
        log.add("encoding_guess", values=[guessed])
    return text


def read_text_table(
    path: Path,
    expected: Sequence[str],
    log: IssueLog,
    *,
    optional: Collection[str] = (),
    ignored: Collection[str] = (),
    other_names: Mapping[str, str] | None = None,
) -> TextTable:
    """The columns named in ``expected`` that the file has, found by name in any order, case and surrounding space aside.

    Columns that are missing or not expected, rows with too few or too many cells, blank rows, records over several lines and
    quotes that are not closed become issues; those of ``expected`` that are ``optional`` may be missing, those ``ignored`` may
    be there, and nothing is said. ``other_names`` has the names that a column of ``expected`` goes by in some files.
    Raises MissingFileError; TableError when none of the expected columns is there.
    """
    wanted = Wanted(expected, optional, ignored, other_names or {})
    data = read_bytes(path)
    table = _read_plain(data, wanted, log)
    return _read_any(_text(data, path, log), wanted, path, log) if table is None else table


def _read_plain(data: bytes, wanted: Wanted, log: IssueLog) -> TextTable | None:
    """The usual table, with nothing to say of its rows; None where it is not the usual one, and nothing is said at all."""
    plain = PlainTable(data)
    if plain.header is None:
        return None
    header = Header(plain.header, wanted)
    if not header.places or open_quote(plain.header, header.delimiter)[1] >= 0:
        return None
    cells = plain.columns(header.delimiter, header.width, list(header.places.values()))
    if cells is None:
        return None
    header.say(log)
    return TextTable(dict(zip(header.places, cells, strict=True)), np.arange(2, 2 + len(cells[0])))


def _read_any(text: str, wanted: Wanted, path: Path, log: IssueLog) -> TextTable:
    before = _BEFORE_HEADER.match(text)
    start = before.end() if before else 0
    found = _LINE.match(text, start)
    line, body = (found[1], text[found.end() :]) if found else ("", "")
    number = count_lines(text[:start]) + 1  # the header's
    log.add("blank_row", rows=range(1, number))
    delimiter = max(DELIMITERS, key=line.count)
    quote = open_quote(line, delimiter)[1]
    if quote >= 0:
        line = as_single_cells(line, quote, delimiter)
        log.add("open_quote", rows=[number])
    header = Header(line, wanted)
    if not text.strip(" ,;\t|\r\n"):
        raise TableError(
            f"Expected a table with the columns {', '.join(wanted.expected)} in {path}; it is empty. Is it the right file, and "
            "all of it?"
        )
    if not header.places:
        raise TableError(
            f"Expected a table with the columns {', '.join(wanted.expected)} in {path}; its first line is {line[:120]!r}. "
            "Is it the right file?"
        )
    header.say(log)
    try:
        cells, rows, ragged = _cells(body, delimiter, header.width, number, log)
    except pa.ArrowInvalid as error:
        raise TableError(f"Expected a table of {header.width} columns in {path}; it cannot be read: {error}.") from error
    return TextTable({name: cells[place] for name, place in header.places.items()}, rows, ragged)


def _cells(text: str, delimiter: str, width: int, before: int, log: IssueLog) -> tuple[list[pa.Array], _Rows, _Rows]:
    """Every column as text, in the file's order; the record numbers, which go on from ``before``, and those of rows of another
    length."""
    try:
        parsed = _parse(text, delimiter, width)
    except pa.ArrowInvalid:  # one cell larger than what Arrow takes at a time: an open quote, most likely
        parsed = None
    if parsed is None or ('"' in text and _spans_lines(text, delimiter, parsed.records)):
        mended = mend(text, delimiter, width)
        log.add("open_quote", rows=[before + record for record in mended.open_quotes])
        spanning = mended.multiline
        log.add("multiline_record", rows=[before + record for record, _ in spanning], values=[lines for _, lines in spanning])
        if parsed is None or mended.open_quotes:
            parsed = _parse(mended.text, delimiter, width)
    rows = np.arange(before + 1, before + 1 + parsed.records)
    rows = np.delete(rows, [number - 1 for number, _, _ in parsed.ragged])
    ragged = [(before + number, count, record) for number, count, record in parsed.ragged]
    columns, rows = _without_blanks(parsed.columns, rows, log)
    doubtful = [] if not len(columns[0]) and _end_in_nothing(ragged, delimiter, width) else ragged
    numbers = np.array([number for number, _, _ in doubtful], dtype=np.int64)
    return *_with_ragged(columns, rows, ragged, delimiter, log), numbers


def _end_in_nothing(ragged: list[tuple[int, int, str]], delimiter: str, width: int) -> bool:
    """Whether the cells beyond the header's are empty: where that is so in every row, each ends in a delimiter, and no cell
    stands under another's name."""
    return all(count > width and not any(split_cells(text, delimiter)[width:]) for _, count, text in ragged)


def _spans_lines(text: str, delimiter: str, records: int) -> bool:
    """Whether a record takes more than its line, by a quote that is open at the line's end. Where there are as many records
    as lines none does; only after the last line nothing follows that could tell."""
    if records != count_lines(text):
        return True
    body = text.rstrip("\r\n")
    line = body[max(body.rfind("\n"), body.rfind("\r")) + 1 :]
    return '"' in line and open_quote(line, delimiter)[1] >= 0


def _parse(text: str, delimiter: str, width: int) -> _Parsed:
    """Arrow's reader, which hands over rows of another length. Raises ArrowInvalid."""
    ragged: list[tuple[int, int, str]] = []
    if not text:
        return _Parsed([pa.array([], pa.string())] * width, ragged)

    def keep(row: Any) -> str:
        ragged.append((row.number, row.actual_columns, row.text))
        return "skip"

    names = [str(place) for place in range(width)]
    table = pa.csv.read_csv(
        io.BytesIO(text.encode("utf-8", errors="replace")),
        read_options=pa.csv.ReadOptions(use_threads=False, column_names=names, block_size=1 << 26),
        parse_options=pa.csv.ParseOptions(
            delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=keep
        ),
        convert_options=pa.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), null_values=[]),
    )
    return _Parsed([table.column(name).combine_chunks() for name in names], ragged)


def _without_blanks(columns: list[pa.Array], rows: _Rows, log: IssueLog) -> tuple[list[pa.Array], _Rows]:
    filled = pc.not_equal(pc.binary_length(columns[0]), 0)
    for column in columns[1:]:
        if pc.all(filled).as_py():
            break
        filled = pc.or_(filled, pc.not_equal(pc.binary_length(column), 0))
    if pc.all(filled).as_py():
        return columns, rows
    keep = filled.to_numpy(zero_copy_only=False)
    log.add("blank_row", rows=rows[~keep].tolist())
    return [column.filter(filled) for column in columns], rows[keep]


def _with_ragged(
    columns: list[pa.Array], rows: _Rows, ragged: list[tuple[int, int, str]], delimiter: str, log: IssueLog
) -> tuple[list[pa.Array], _Rows]:
    """Rows of another length put back in their place, padded or cut to the table's width."""
    if not ragged:
        return columns, rows
    log.add("ragged_row", rows=[number for number, _, _ in ragged], values=[count for _, count, _ in ragged])
    width = len(columns)
    cells = [(split_cells(text, delimiter)[:width] + [""] * width)[:width] for _, _, text in ragged]
    rows = np.concatenate([rows, [number for number, _, _ in ragged]])
    order = np.argsort(rows, kind="stable")
    merged = [
        pa.concat_arrays([column, pa.array([row[place] for row in cells], pa.string())]).take(pa.array(order))
        for place, column in enumerate(columns)
    ]
    return merged, rows[order]
