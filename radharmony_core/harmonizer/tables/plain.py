"""A table as a program writes it, read some lines at a time: unpacking, looking and parsing go hand in hand, and the text is
never whole. That saves a third of the time, and several copies of the text in memory.

What is not plain (another encoding, rows of another length, blank ones, quotes over lines, damage) is left to the slow way,
which says what is odd.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from radharmony_core.harmonizer.tables.file import GZIP, MAGIC, MOST_UNPACKED
from radharmony_core.harmonizer.tables.records import open_quote

__all__ = ["PlainTable"]

_PACKED_PIECE, _BLOCK = 1 << 17, 1 << 20  # bytes: a block and what is made of it stay within a core's cache
_LONGEST_LINE = 1 << 24
_BLANK = re.compile(rb"[ ,;\t|]*")


class _NotPlainError(Exception):
    """The slow way has to read this table."""


class PlainTable:
    """``header`` is the first line, and ``columns`` goes on from there; either is None where the table is not plain."""

    def __init__(self, data: bytes) -> None:
        self._blocks = _whole_lines(_pieces(memoryview(data)))
        self.header: str | None = None
        try:
            line, end, self._rest = next(self._blocks, b"").partition(b"\n")
        except (_NotPlainError, zlib.error):
            return
        line = line.removesuffix(b"\r")
        if end and line.isascii() and b"\r" not in line and not _BLANK.fullmatch(line):
            self.header = line.decode("ascii")

    def columns(self, delimiter: str, width: int, used: Sequence[int]) -> list[pa.Array] | None:
        """The cells in the columns ``used``, as text. Every row has ``width`` cells, and none is blank."""
        names = [str(place) for place in range(width)]
        wanted = [names[place] for place in used]
        try:
            blocks = itertools.chain([self._rest] if self._rest else [], self._blocks)
            parts = [_parsed(block, delimiter, names, wanted) for block in blocks]
        except (_NotPlainError, zlib.error, pa.ArrowInvalid):  # Arrow's says that a row has another length
            return None
        if not parts:
            return None
        table = pa.concat_tables(parts)
        columns = [table.column(name).combine_chunks() for name in wanted]
        return None if _has_blank_row(columns) else columns


def _parsed(block: bytes, delimiter: str, names: list[str], wanted: list[str]) -> pa.Table:
    """Whole lines as columns. Raises _NotPlainError where they are not ASCII, or a record may take more than its line."""
    if not block.isascii():
        raise _NotPlainError
    table = pa.csv.read_csv(
        pa.BufferReader(block),
        read_options=pa.csv.ReadOptions(use_threads=False, column_names=names, block_size=len(block) + 1),
        parse_options=pa.csv.ParseOptions(delimiter=delimiter, ignore_empty_lines=False),
        convert_options=pa.csv.ConvertOptions(
            column_types=dict.fromkeys(wanted, pa.string()), null_values=[], include_columns=wanted
        ),
    )
    if b'"' in block:  # where there are as many records as lines, and no quote is open at the end, no record spans lines
        lines = block.count(b"\n") + (not block.endswith(b"\n"))
        last = block[block.rstrip(b"\n").rfind(b"\n") + 1 :].rstrip(b"\n").decode("ascii")
        if b"\r" in block or table.num_rows != lines or open_quote(last, delimiter)[1] >= 0:
            raise _NotPlainError
    return table


def _has_blank_row(columns: Sequence[pa.Array]) -> bool:
    blank = pc.equal(pc.binary_length(columns[0]), 0)
    for column in columns[1:]:
        if not pc.any(blank).as_py():
            return False
        blank = pc.and_(blank, pc.equal(pc.binary_length(column), 0))
    return bool(pc.any(blank).as_py())


def _whole_lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Blocks that end at the end of a line; the last one ends where the table does."""
    kept: list[bytes] = []
    size = 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size < _BLOCK:
            continue
        text = b"".join(kept)
        end = text.rfind(b"\n") + 1
        if end:
            yield text[:end]
        elif size > _LONGEST_LINE:
            raise _NotPlainError
        kept, size = [text[end:]], len(text) - end
    if text := b"".join(kept):
        yield text


def _pieces(data: memoryview) -> Iterator[bytes]:
    """The table's bytes, unpacked where it is gzip. Raises _NotPlainError where that does not go to the file's end."""
    if data[: len(MAGIC)] != MAGIC:
        yield from (bytes(data[start : start + _BLOCK]) for start in range(0, len(data), _BLOCK))
        return
    unpacker, size = zlib.decompressobj(GZIP), 0
    for start in range(0, len(data), _PACKED_PIECE):
        if unpacker.eof:
            raise _NotPlainError
        piece = unpacker.decompress(data[start : start + _PACKED_PIECE], MOST_UNPACKED)
        size += len(piece)
        if size > MOST_UNPACKED or unpacker.unused_data or unpacker.unconsumed_tail:
            raise _NotPlainError
        yield piece
    if not unpacker.eof:
        raise _NotPlainError
