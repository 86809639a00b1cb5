"""Delimited text record by record: what Arrow's reader does not say, above all quotes that are opened and never closed.

The rules are those of Arrow and of Python's csv: a quote opens at the start of a cell only, a doubled one is a letter, and
what follows a closing quote belongs to the cell.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

__all__ = ["Mended", "as_single_cells", "count_lines", "mend", "open_quote", "split_cells"]

_LOOKED_AT = 200  # lines after an open quote that are looked at: a file full of them must not take for ever
_WIDE = 6  # cells from which on a line of words does not look like a row by chance
_TO_CLOSING_QUOTE = re.compile(r'[^"]*+(?:""[^"]*+)*+"')
_ENDS = "\r\n"


@dataclass(frozen=True, slots=True)
class Mended:
    """The text with every quote closed; ``open_quotes`` are the records that were mended, ``multiline`` the records that
    span lines, with how many. Records are counted from 1."""

    text: str
    open_quotes: list[int]
    multiline: list[tuple[int, int]]


def count_lines(text: str) -> int:
    """Lines that end in LF, CRLF or CR; the last one need not end."""
    ends = text.count("\n")
    if "\r" in text:
        ends += text.count("\r") - text.count("\r\n")
    return ends + (text != "" and text[-1] not in _ENDS)


def split_cells(record: str, delimiter: str) -> list[str]:
    """One record's cells. A quote that is not closed takes all that follows."""
    if '"' not in record:
        return record.split(delimiter)
    cells, at = [], 0
    while at <= len(record):
        quoted = ""
        if record.startswith('"', at):
            closing = _TO_CLOSING_QUOTE.match(record, at + 1)
            end = closing.end() if closing else len(record)
            quoted = record[at + 1 : end - 1 if closing else end].replace('""', '"')
            at = end
        place = record.find(delimiter, at)
        place = len(record) if place < 0 else place
        cells.append(quoted + record[at:place])
        at = place + 1
    return cells


def open_quote(line: str, delimiter: str, inside: bool = False) -> tuple[int, int]:
    """How many cells end or begin in a line, and where the quote stands that it leaves open, -1 for none; ``inside``: the
    line begins within quotes."""
    cells, start, at = 1, 0, 0
    if not inside and line.startswith('"'):
        inside, at = True, 1
    while True:
        if inside:
            closing = _TO_CLOSING_QUOTE.match(line, at)
            if closing is None:
                return cells, start
            at = closing.end()
        place = line.find(delimiter, at)
        if place < 0:
            return cells, -1
        cells += 1
        at = start = place + 1
        inside = line.startswith('"', at)
        at += inside


def as_single_cells(line: str, quote: int, delimiter: str) -> str:
    """The line with the quote at ``quote`` as a letter, and a delimiter after it always the end of a cell."""
    tail = line[quote:].rstrip(_ENDS)
    cells = ['"' + cell.replace('"', '""') + '"' for cell in tail.split(delimiter)]
    return line[:quote] + delimiter.join(cells) + line[quote + len(tail) :]


def mend(text: str, delimiter: str, width: int) -> Mended:
    """Closes quotes that were opened by mistake: those whose following lines are rows of the table by themselves.

    Without it one stray quote takes every row up to the next quote, hundreds of them, into a single cell.
    """
    lines = list(io.StringIO(text, newline=""))
    open_quotes, multiline = [], []
    place = record = 0
    while place < len(lines):
        line, record, last = lines[place], record + 1, place
        quote = open_quote(line, delimiter)[1] if '"' in line else -1
        if quote >= 0 and _is_stray(lines, place, delimiter, width):
            lines[place] = as_single_cells(line, quote, delimiter)
            open_quotes.append(record)
        elif quote >= 0:
            last = _last_line(lines, place + 1, delimiter)
            if last == len(lines):
                last -= 1
                body = lines[last].rstrip(_ENDS)
                lines[last] = body + '"' + lines[last][len(body) :]
                open_quotes.append(record)
            if last > place:
                multiline.append((record, last - place + 1))
        place = last + 1
    return Mended("".join(lines), open_quotes, multiline)


def _is_stray(lines: list[str], place: int, delimiter: str, width: int) -> bool:
    """Whether the lines up to the one that closes the quote are rows by themselves, rather than text within quotes."""
    end = min(len(lines), place + 1 + _LOOKED_AT)
    closing = next((at for at in range(place + 1, end) if _TO_CLOSING_QUOTE.match(lines[at])), None)
    between = lines[place + 1 : end if closing is None else closing]
    well_formed = closing is not None and _closes_well(lines[closing], delimiter)
    itself = _cells_alone(lines[place], delimiter) == width
    if width < 3 and well_formed:  # a line of words fits such a narrow table by chance
        return False
    if itself and closing is not None and not well_formed:  # closed by the quote that opens a later row's cell
        return True

    def is_row(line: str) -> bool:
        cells = _cells_alone(line, delimiter)
        return cells == width or (cells > width and not well_formed)

    if width >= _WIDE and any(_cells_alone(line, delimiter) == width for line in between):
        return True  # no phrase has a line of just that many cells: a row of the table is about to be swallowed
    fits = [is_row(line) for line in between if line.strip()]
    if fits:
        return 2 * sum(fits) > len(fits)
    if closing is None:
        return itself
    return (itself or not well_formed) and is_row(lines[closing])


def _last_line(lines: list[str], start: int, delimiter: str) -> int:
    """The first line from ``start`` on that begins inside of quotes and ends outside; the number of lines where none does."""
    while start < len(lines) and ('"' not in lines[start] or open_quote(lines[start], delimiter, inside=True)[1] >= 0):
        start += 1
    return start


def _closes_well(line: str, delimiter: str) -> bool:
    """Whether the quote that ends a cell begun on an earlier line stands at the cell's end, as a program writes it."""
    closing = _TO_CLOSING_QUOTE.match(line)
    return closing is not None and line[closing.end() : closing.end() + 1] in ("", delimiter, *_ENDS)


def _cells_alone(line: str, delimiter: str) -> int:
    """A line's number of cells when it is a record of its own; a quote that stays open is a letter."""
    if '"' not in line:
        return line.count(delimiter) + 1
    cells, quote = open_quote(line, delimiter)
    return cells if quote < 0 else cells + line.count(delimiter, quote)
