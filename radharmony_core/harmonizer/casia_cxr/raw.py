"""Rows of a table with all of their cells, where they are more or fewer than the header's: the columns that a table is read
into have no room for them."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from pathlib import Path

from radharmony_core.harmonizer.tables.header import DELIMITERS, Header, Wanted
from radharmony_core.harmonizer.tables.read import read_text
from radharmony_core.harmonizer.tables.records import as_single_cells, mend, open_quote, split_cells
from radharmony_core.schema import IssueLog

__all__ = ["header_line", "raw_rows"]


def header_line(text: str) -> tuple[int, str]:
    """The number of the first line that holds anything, which is the header, and the line; 1 and ``""`` where none does."""
    for number, line in enumerate(io.StringIO(text, newline=""), start=1):
        if line.strip(DELIMITERS + " \r\n"):
            return number, line.rstrip("\r\n")
    return 1, ""


def raw_rows(path: Path, wanted: Wanted, numbers: Collection[int]) -> tuple[Header, dict[int, list[str]]]:
    """The table's header, and the cells of the rows ``numbers``. What is odd about the text is said by who read it before."""
    text = read_text(path, IssueLog())
    before, line = header_line(text)
    delimiter = max(DELIMITERS, key=line.count)
    quote = open_quote(line, delimiter)[1]
    header = Header(line if quote < 0 else as_single_cells(line, quote, delimiter), wanted)
    body = "".join(list(io.StringIO(text, newline=""))[before:])
    if '"' in body:
        body = mend(body, delimiter, header.width).text
    records = enumerate(_records(body, delimiter), start=before + 1)
    return header, {number: split_cells(record, delimiter) for number, record in records if number in numbers}


def _records(text: str, delimiter: str) -> Iterator[str]:
    """Each record without its line end."""
    record, inside = "", False
    for line in io.StringIO(text, newline=""):
        record += line
        if '"' in line:
            inside = open_quote(line, delimiter, inside)[1] >= 0
        if not inside:
            yield record.rstrip("\r\n")
            record = ""
    if record:
        yield record.rstrip("\r\n")
