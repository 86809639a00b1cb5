"""A packed table that was cut off or in which a byte has changed: what is read is right, or nothing is read."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.harmonizer.tables.file import is_whole, unpacked
from radharmony_core.schema import IssueLog

TEXT = "".join(f"{number * 7919:032x},{number}\n" for number in range(4000)).encode()
PACKED = gzip.compress(TEXT, mtime=0)
Damage = Callable[[bytes], bytes]


def flipped(place: int, bit: int = 0) -> Damage:
    """A bit of one byte, counted from the end where ``place`` is negative."""
    return lambda data: data[: place % len(data)] + bytes([data[place] ^ 1 << bit]) + data[place % len(data) + 1 :]


KEPT: list[tuple[str, Damage, str | None]] = [
    # reason, what happened to the packed bytes, words of the issue (None: nothing happened that matters)
    ("nothing", lambda data: data, None),
    ("zeros after its end", lambda data: data + bytes(512), None),
    ("cut in the middle", lambda data: data[: len(data) // 2], "it ends too early"),
    ("cut before its checksum", lambda data: data[:-8], "it ends too early"),
    ("cut by one byte", lambda data: data[:-1], "it ends too early"),
    ("something else after it", lambda data: data + b"more", "what follows its end is not gzip"),
]


@pytest.mark.parametrize(("reason", "damage", "words"), KEPT, ids=[row[0] for row in KEPT])
def test_the_whole_lines_of_a_file_that_was_cut_off_are_kept(reason: str, damage: Damage, words: str | None) -> None:
    log = IssueLog()
    found = unpacked(damage(PACKED), Path("t.csv.gz"), log)
    assert TEXT.startswith(found), reason
    assert found.endswith(b"\n")
    assert len(found) == len(TEXT) or reason.startswith("cut"), reason
    said = log.frame()
    assert said["severity"].tolist() == ([] if words is None else ["error"]), reason
    assert words is None or words in said["message"].iloc[0]


CHANGED: list[tuple[str, Damage]] = [
    ("a bit in the middle", flipped(len(PACKED) // 2)),
    ("its last block", flipped(-12, 6)),
    ("its checksum", flipped(-8)),
    ("its length", flipped(-1)),
    ("its header", flipped(2)),
    ("forty bytes of zeros", lambda data: data[:9000] + bytes(40) + data[9040:]),
]


@pytest.mark.parametrize(("reason", "damage"), CHANGED, ids=[row[0] for row in CHANGED])
def test_a_file_in_which_a_byte_has_changed_is_refused(reason: str, damage: Damage) -> None:
    log = IssueLog()
    with pytest.raises(TableError, match=r"t\.csv\.gz .* a byte in it has changed .* any row in it may be wrong"):
        unpacked(damage(PACKED), Path("t.csv.gz"), log)
    assert len(log) == 0


@pytest.mark.parametrize("lines", [1, 16, 60])
def test_whatever_bit_has_changed_no_wrong_line_is_read(lines: int) -> None:
    """Of the ten bytes before the data the first two are what tells a gzip file, and a time may change without harm."""
    text = b"".join(TEXT.splitlines(keepends=True)[:lines])
    packed = gzip.compress(text, mtime=0)
    refused = 0
    for place in range(2, len(packed)):
        for bit in range(8):
            try:
                assert text.startswith(unpacked(flipped(place, bit)(packed), Path("t"), IssueLog())), (place, bit)
            except TableError:
                refused += 1
    assert refused >= 8 * (len(packed) - 10)


@pytest.mark.parametrize("kept", [1, 2, 5, 9, 10, 11, 30])
def test_a_file_cut_off_within_its_first_line_says_why_it_is_refused(kept: int) -> None:
    with pytest.raises(TableError, match=r"the gzip file is damaged \(it ends too early\), and not one whole line of it is left"):
        unpacked(gzip.compress(b"dicom_id,subject_id,study_id", mtime=0)[:kept], Path("t.csv.gz"), IssueLog())


WHOLE = [
    ("packed", PACKED, True),
    ("not packed", b"a,b\n1,2\n", True),
    ("no byte", b"", False),
    ("packed nothing", gzip.compress(b""), False),
    ("half of it", PACKED[: len(PACKED) // 2], False),
    ("a bit has changed", flipped(len(PACKED) // 2)(PACKED), False),
]


@pytest.mark.parametrize(("reason", "data", "whole"), WHOLE, ids=[row[0] for row in WHOLE])
def test_whether_a_file_is_whole(tmp_path: Path, reason: str, data: bytes, whole: bool) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    assert is_whole(tmp_path / "t.csv") == whole, reason


def test_what_is_not_there_is_neither(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        is_whole(tmp_path / "t.csv")
