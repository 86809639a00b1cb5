"""The header of a DICOM file: what pydicom trips over, what a crafted file may cost, and values of other kinds than meant."""

from __future__ import annotations

import struct
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.errors import ImageError
from radharmony_core.images import read_header, read_image
from tests.images.make import BIG_ENDIAN, EXPLICIT, IMPLICIT, UNDEFINED, data_set, dicom, element, meta, pixel_tags

RAMP = (np.arange(20).reshape(4, 5) * 200).astype(np.uint16)
RAMP_GRAY = np.floor(np.arange(20).reshape(4, 5) / 19 * 255 + 0.5).astype(np.uint8)
NO_WINDOW = "No window of the file is used: its full value range, 0 to 3800, is shown."

HEAD = bytes(128) + b"DICM"
FIRST = element(0x00080016, "UI", b"1.2\0")
ITEM, ITEM_END = b"\xfe\xff\x00\xe0", b"\xfe\xff\x0d\xe0\0\0\0\0"
SEQUENCE_END = b"\xfe\xff\xdd\xe0\0\0\0\0"
NO_LENGTH = struct.pack("<L", UNDEFINED)
OPENED = b"\x08\x00\x40\x11SQ\0\0" + NO_LENGTH + ITEM + NO_LENGTH


def image(*, explicit: bool = True, **over: Any) -> bytes:
    """The picture's part of a data set, pixels included."""
    tags = {key: value for key, value in pixel_tags(RAMP, **over).items() if key != "SOPClassUID"}
    return data_set(tags, explicit=explicit) + element(0x7FE00010, "OW", RAMP.tobytes(), explicit=explicit)


def file(path: Path, *parts: bytes, uid: str = EXPLICIT) -> Path:
    path.write_bytes(HEAD + meta(uid) + b"".join(parts))
    return path


# what stands before the picture, words of a notice, the reason
ODD: list[tuple[bytes, str, str]] = [
    (element(0x00080005, "CS", b"ISO_IR 1000 "), "as far as possible", "a character set that is none"),
    (OPENED * 60 + (ITEM_END + SEQUENCE_END) * 60, NO_WINDOW, "60 sequences in each other"),
    (element(0x00081140, "SQ", ITEM + bytes(4), length=8), NO_WINDOW, "a sequence of an empty item"),
    (element(0x00081140, "SQ", b""), NO_WINDOW, "an empty sequence"),
    (element(0x00091010, "UN", b"\xff" * 300), NO_WINDOW, "something private"),
    (b"", NO_WINDOW, "nothing"),
]


@pytest.mark.parametrize(("before", "words", "reason"), ODD, ids=[row[2] for row in ODD])
def test_what_does_not_touch_the_pixels_leaves_them(tmp_path: Path, before: bytes, words: str, reason: str) -> None:
    film = read_image(file(tmp_path / "a.dcm", FIRST, before, image()))
    assert np.array_equal(film.pixels, RAMP_GRAY), reason
    assert any(words in notice for notice in film.notices), film.notices


# transfer syntax, what stands before the picture, a word, the reason
CRAFTED: list[tuple[str, bytes, str, str]] = [
    (EXPLICIT, OPENED * 20_000, "damaged", "20,000 sequences in each other"),
    (
        EXPLICIT,
        element(0x00081140, "SQ", (ITEM + bytes(4)) * 150_000 + SEQUENCE_END, length=UNDEFINED),
        "damaged",
        "150,000 items",
    ),
    (EXPLICIT, element(0x00081140, "SQ", ITEM + bytes(4), length=UNDEFINED), "damaged", "a sequence without an end"),
    (EXPLICIT, element(0x00080050, "??", b"ab"), "no value representation", "an element without a VR"),
    (
        EXPLICIT,
        element(0x00091010, "", b"abcd", explicit=False),
        "mixes two encodings.*Export the",
        "implicit inside",
    ),
    (EXPLICIT, element(0x00080050, "ZZ", b"ab"), "no value representation", "a VR that is not in the standard"),
    (IMPLICIT, element(0x00080050, "", b"", explicit=False) * 400_000, "too many elements", "400,000 elements"),
    (IMPLICIT, element(0x00080050, "", b"", explicit=False, length=0xFFFFFFF0), "no Rows", "4 GB claimed by a value"),
    (IMPLICIT, element(0x00280010, "", b"", explicit=False, length=0xFFFFFFF0), "no Rows", "4 GB claimed by Rows"),
    (
        IMPLICIT,
        element(0x00080005, "", b"\\".join(b"X%d" % i for i in range(180)), explicit=False),
        "departs from the standard in more than 50",
        "180 character sets that are none",
    ),
    (IMPLICIT, element(0x00080005, "", b"\\" * 100_000, explicit=False), "character sets are too many", "100,000 character sets"),
]


@pytest.mark.parametrize(("uid", "before", "words", "reason"), CRAFTED, ids=[row[3] for row in CRAFTED])
@pytest.mark.parametrize("read", [read_image, read_header])
def test_a_crafted_header_is_refused_by_name_and_cheaply(
    tmp_path: Path, read: Any, uid: str, before: bytes, words: str, reason: str
) -> None:
    first = element(0x00080016, "UI", b"1.2\0", explicit=uid != IMPLICIT)
    path = file(tmp_path / "film.dcm", first, before, image(explicit=uid != IMPLICIT), uid=uid)
    with pytest.raises(ImageError, match=f"film.dcm.*{words}"):
        read(path)


@pytest.mark.parametrize("uid", [EXPLICIT, IMPLICIT])
def test_a_claimed_length_takes_no_memory(tmp_path: Path, uid: str) -> None:
    inside = element(0x00080050, "UT", b"", explicit=uid != IMPLICIT, length=0xFFFFFFF0)
    before = element(0x00081140, "SQ", (ITEM + NO_LENGTH + inside) * 50, explicit=uid != IMPLICIT, length=UNDEFINED)
    path = file(tmp_path / "a.dcm", element(0x00080016, "UI", b"1.2\0", explicit=uid != IMPLICIT), before, uid=uid)
    tracemalloc.start()
    try:
        with pytest.raises(ImageError):
            read_image(path)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


# tags, expected gray levels of 0, 1000, 2000, 4000, the reason
VALUES: list[tuple[dict[str, Any], list[int], str]] = [
    ({"WindowCenter": b"1000.5\\x ", "WindowWidth": b"2001\\9 "}, [0, 128, 255, 255], "a second center that is a word"),
    ({"WindowCenter": b"x\\1000.5 ", "WindowWidth": b"9\\2001 "}, [0, 128, 255, 255], "a first center that is a word"),
    ({"WindowCenter": b"1000.5\\", "WindowWidth": b"2001"}, [0, 128, 255, 255], "a second center that is empty"),
    ({"WindowCenter:LO": "1000.5", "WindowWidth:LO": "2001"}, [0, 128, 255, 255], "numbers written as text"),
    ({"WindowCenter:UN": b"1000.5", "WindowWidth:UN": b"2001"}, [0, 128, 255, 255], "numbers of unknown VR"),
    ({"WindowCenter:FD": struct.pack("<d", 1000.5), "WindowWidth": 2001}, [0, 128, 255, 255], "a binary number"),
    (
        {"WindowCenter:FD": struct.pack("<d", float("nan")), "WindowWidth": 2001},
        [0, 64, 128, 255],
        "a binary number that is none",
    ),
    ({"WindowCenter": b"1" * 400, "WindowWidth": 2001}, [0, 64, 128, 255], "a number beyond all numbers"),
    ({"NumberOfFrames": b"one "}, [0, 64, 128, 255], "a count that is a word"),
    ({"NumberOfFrames": b"1.5 "}, [0, 64, 128, 255], "a count that is no whole number"),
    ({"PixelPaddingValue:US": b"\x05"}, [0, 64, 128, 255], "a number that lacks a byte, padded to another one"),
    ({"HighBit:SQ": b"ab"}, [0, 64, 128, 255], "a number written as a sequence"),
]


@pytest.mark.parametrize(("tags", "expected", "reason"), VALUES, ids=[row[2] for row in VALUES])
def test_a_value_that_cannot_be_read_is_as_one_that_is_missing(
    tmp_path: Path, tags: dict[str, Any], expected: list[int], reason: str
) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", np.array([[0, 1000, 2000, 4000]], np.uint16), **tags))
    assert film.pixels[0].tolist() == expected, reason


def table(order: str, *, explicit: bool) -> bytes:
    """A VOI table of 0, 51, 255 for 0, 1, 2."""
    entries = struct.pack(f"{order}3H", 0, 51, 255)
    return data_set({"LUTDescriptor": [3, 0, 8], "LUTData": entries}, explicit=explicit, order=order)


@pytest.mark.parametrize("uid", [EXPLICIT, IMPLICIT, BIG_ENDIAN])
@pytest.mark.parametrize("form", ["known length", "items without length", "without any length", "unknown VR"])
def test_a_table_is_read_however_its_sequence_is_written(tmp_path: Path, uid: str, form: str) -> None:
    # PS3.5 7.5 for the lengths; 6.2.2: a sequence of unknown VR is in implicit VR little endian.
    order = ">" if uid == BIG_ENDIAN and form != "unknown VR" else "<"
    inside = table(order, explicit=uid != IMPLICIT and form != "unknown VR")
    open_item, close_item = struct.pack(f"{order}HHL", 0xFFFE, 0xE000, UNDEFINED), struct.pack(f"{order}HHL", 0xFFFE, 0xE00D, 0)
    close_sequence = struct.pack(f"{order}HHL", 0xFFFE, 0xE0DD, 0)
    known = struct.pack(f"{order}HHL", 0xFFFE, 0xE000, len(inside)) + inside
    body = {
        "known length": known,
        "items without length": open_item + inside + close_item,
        "without any length": open_item + inside + close_item + close_sequence,
        "unknown VR": known,
    }[form]
    cells = np.array([[0, 1, 2]], np.uint16)
    outer = ">" if uid == BIG_ENDIAN else "<"
    data = data_set(pixel_tags(cells), explicit=uid != IMPLICIT, order=outer)
    data += element(
        0x00283010,
        "UN" if form == "unknown VR" else "SQ",
        body,
        explicit=uid != IMPLICIT,
        order=outer,
        length=UNDEFINED if form == "without any length" else None,
    )
    data += element(0x7FE00010, "OW", cells.astype(f"{outer}u2").tobytes(), explicit=uid != IMPLICIT, order=outer)
    assert read_image(file(tmp_path / "a.dcm", data, uid=uid)).pixels[0].tolist() == [0, 51, 255]
