"""The quick way to read a table gives what the slow one gives, or leaves the table to it."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np
import pytest

from radharmony_core.harmonizer.tables import plain
from radharmony_core.harmonizer.tables import read as tables
from radharmony_core.harmonizer.tables.header import Wanted
from radharmony_core.schema import IssueLog

PLAIN = [
    # reason, bytes of the file, whether the quick way takes it
    ("a program's", b"a,b\n1,2\n3,4\n", True),
    ("no line end at the end", b"a,b\n1,2", True),
    ("header only", b"a,b\n", False),
    ("CRLF", b"a,b\r\n1,2\r\n", True),
    ("quotes", b'"a","b"\n"1,1","x ""y"""\n', True),
    ("semicolons", b"a;b\n1;2\n", True),
    ("packed", gzip.compress(b"a,b\n1,2\n"), True),
    ("an ignored column", b"a,c,b\n1,9,2\n", True),
    ("nothing", b"", False),
    ("no end of the header", b"a,b", False),
    ("a blank first line", b"\na,b\n1,2\n", False),
    ("a mark", b"\xef\xbb\xbfa,b\n1,2\n", False),
    ("a letter of another script", "a,b\n1,é\n".encode(), False),
    ("a blank row", b"a,b\n1,2\n\n3,4\n", False),
    ("a row of empty cells", b"a,b\n1,2\n,\n", False),
    ("a row too short", b"a,b\n1\n", False),
    ("a row too long", b"a,b\n1,2,3\n", False),
    ("a quote over two lines", b'a,b\n"1\n",2\n', False),
    ("an open quote", b'a,b\n1,"2\n3,4\n', False),
    ("an open quote in the last line", b'a,b\n1,2\n3,"4\n', False),
    ("an open quote in the header", b'a,"b\n1,2\n', False),
    ("none of the columns", b"x,y\n1,2\n", False),
    ("cut off", gzip.compress(b"a,b\n1,2\n")[:-3], False),
    ("another checksum", gzip.compress(b"a,b\n1,2\n")[:-8] + bytes(8), False),
    ("two members", gzip.compress(b"a,b\n1,2\n") * 2, False),
]
WANTED = Wanted(("a", "b"), ignored=("c",))


def read(data: bytes) -> tuple[dict[str, list[str]], list[int]] | None:
    log = IssueLog()
    table = tables._read_plain(data, WANTED, log)
    assert len(log) == 0, "there is nothing to say of such a table, and of another nothing is said twice"
    return None if table is None else ({name: cells.to_pylist() for name, cells in table.columns.items()}, table.rows.tolist())


def slowly(data: bytes) -> tuple[dict[str, list[str]], list[int]]:
    log, path = IssueLog(), Path("t.csv")
    table = tables._read_any(tables._text(data, path, log), WANTED, path, log)
    assert log.frame().empty, "what has to be said was left to this way"
    return {name: cells.to_pylist() for name, cells in table.columns.items()}, table.rows.tolist()


@pytest.mark.parametrize(("reason", "data", "taken"), PLAIN, ids=[row[0] for row in PLAIN])
def test_what_is_plain_is_taken(reason: str, data: bytes, taken: bool) -> None:
    found = read(data)
    assert (found is not None) == taken, reason
    if found is not None:
        assert found == slowly(data)


@pytest.fixture(params=[4, 5, 6, 7, 11, 1 << 20])
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The table is read so many bytes at a time, up to the end of a line."""
    monkeypatch.setattr(plain, "_BLOCK", request.param)
    monkeypatch.setattr(plain, "_PACKED_PIECE", request.param)
    size: int = request.param
    return size


def any_table(dice: random.Random) -> bytes:
    cells = ["1", "22", "", '"a,b"', '"x ""y"""', '""', 'a"b']
    odd = ['"', '"x\ny"', "\r", '"a"b', "é"]
    end = dice.choice(["\n", "\n", "\r\n"])
    rows = [[dice.choice(odd if dice.random() < 0.03 else cells) for _ in range(2)] for _ in range(dice.randrange(8))]
    text = "a,b" + end + "".join(",".join(row) + end for row in rows)
    data = (text if dice.random() < 0.7 else text.rstrip("\r\n")).encode()
    return gzip.compress(data) if dice.random() < 0.3 else data


def test_both_ways_give_the_same_wherever_the_pieces_end(pieces: int) -> None:
    dice = random.Random(0)  # noqa: S311  made-up tables
    taken = 0
    for _ in range(600):
        data = any_table(dice)
        found = read(data)
        taken += found is not None
        if found is not None:
            assert found == slowly(data), data
    assert taken > 20, "else this has lost its object"


def test_rows_are_numbered_as_a_spreadsheet_does() -> None:
    found = tables._read_plain(b"a,b\n1,2\n3,4\n", WANTED, IssueLog())
    assert found is not None
    assert np.array_equal(found.rows, [2, 3])
