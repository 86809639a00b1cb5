"""The data elements of a DICOM file that a picture needs, read straight from the bytes (PS3.5 section 7, PS3.10 section 7).

``pydicom.dcmread`` would do most of this, and the tests hold this module against it. It is not used here for three
reasons: it reports odd files through ``warnings``, and those can be caught only process-wide (Python before 3.14), which
is not safe in Streamlit's threads, while here each oddity must become a notice of its own film; it inflates a deflated
data set without a limit; and it takes any bytes for a data set once it is told to do without the preamble.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from radharmony_core.errors import ImageError

__all__ = ["Element", "Elements", "Syntax", "first_elements_fit", "guess_syntax", "read_elements", "read_header_of_element"]

UNDEFINED = 0xFFFFFFFF
PIXEL_DATA = 0x7FE00010
FLOAT_PIXEL_DATA = 0x7FE00008
DOUBLE_PIXEL_DATA = 0x7FE00009
_ITEM, _ITEM_END, _SEQUENCE_END = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD

# PS3.5 7.1.2: these have a 2-byte length; every other VR, those to come included, has 2 reserved bytes and 4 of length.
_SHORT = frozenset(b"AE AS AT CS DA DS DT FL FD IS LO LT PN SH SL SS ST TM UI UL US".split())
_LONG = frozenset(b"OB OD OF OL OV OW SQ SV UC UN UR UT UV".split())

# A lookup table of 65536 entries of 16 bits is the longest value that a picture needs.
_LONGEST_VALUE = 1 << 18
_DEEPEST = 32

# Implicit VR does not say which values are sequences, so those that are wanted are listed: modality and VOI tables.
_SEQUENCES = frozenset({0x00283000, 0x00283010})


@dataclass(frozen=True)
class Syntax:
    """How the data set is written: with or without VR, little or big endian."""

    explicit: bool = True
    little: bool = True

    @property
    def order(self) -> str:
        """The byte order as ``struct`` and numpy write it."""
        return "<" if self.little else ">"


@dataclass(frozen=True)
class Element:
    """One data element: where its value begins, its length in bytes (``UNDEFINED`` for fragments), its VR where written."""

    tag: int
    vr: str
    start: int
    length: int


@dataclass
class Elements:
    """The wanted values as raw bytes, the wanted sequences as one ``Elements`` per item, and where the pixels are."""

    syntax: Syntax
    values: dict[int, tuple[str, bytes]] = field(default_factory=dict)
    sequences: dict[int, list[Elements]] = field(default_factory=dict)
    pixels: Element | None = None


def read_header_of_element(stream: BinaryIO, syntax: Syntax) -> Element | None:
    """The element at the stream's position, which moves to the value; None at the end of the file.

    Raises ImageError where the bytes are no element.
    """
    head = stream.read(8)
    if len(head) < 8:
        return None
    group, number = struct.unpack(f"{syntax.order}HH", head[:4])
    tag = group << 16 | number
    if not syntax.explicit or group == 0xFFFE:
        return Element(tag, "", stream.tell(), struct.unpack(f"{syntax.order}L", head[4:])[0])
    vr = head[4:6]
    if vr in _SHORT:
        return Element(tag, vr.decode(), stream.tell(), struct.unpack(f"{syntax.order}H", head[6:])[0])
    if not (vr.isalpha() and vr.isupper()):
        raise ImageError(
            f"The DICOM data set is damaged: element ({group:04X},{number:04X}) at byte {stream.tell() - 8} has no value "
            "representation where one was expected. Take a fresh copy of the file."
        )
    more = stream.read(4)
    if len(more) < 4:
        return None
    return Element(tag, vr.decode(), stream.tell(), struct.unpack(f"{syntax.order}L", more)[0])


def read_elements(stream: BinaryIO, syntax: Syntax, wanted: frozenset[int], end: int) -> Elements:
    """Walk the data set from the stream's position to its pixel data or to byte ``end``.

    Values outside ``wanted`` are stepped over unread. Raises ImageError for bytes that are no data set.
    """
    found = Elements(syntax)
    for element in _walk(stream, syntax, end):
        if element.tag in (PIXEL_DATA, FLOAT_PIXEL_DATA, DOUBLE_PIXEL_DATA):
            found.pixels = element
            break
        if element.tag in wanted & _SEQUENCES:
            found.sequences[element.tag] = list(_items(stream, syntax, element, wanted - _SEQUENCES, end))
        elif element.tag in wanted and element.length <= _LONGEST_VALUE:
            found.values[element.tag] = (element.vr, stream.read(element.length))
        else:
            _skip(stream, syntax, element, end, 0)
    return found


def _walk(stream: BinaryIO, syntax: Syntax, end: int) -> Iterator[Element]:
    while stream.tell() < end:
        element = read_header_of_element(stream, syntax)
        if element is None or element.tag == _ITEM_END:
            return
        yield element


def _items(stream: BinaryIO, syntax: Syntax, sequence: Element, wanted: frozenset[int], end: int) -> Iterator[Elements]:
    stop = end if sequence.length == UNDEFINED else min(end, sequence.start + sequence.length)
    inner = _syntax_inside(sequence, syntax)
    for item in _walk(stream, inner, stop):
        if item.tag == _SEQUENCE_END:
            break
        _check_item(item)
        last = stop if item.length == UNDEFINED else min(stop, item.start + item.length)
        yield read_elements(stream, inner, wanted, last)
        if item.length != UNDEFINED:
            stream.seek(item.start + item.length)
    if sequence.length != UNDEFINED:
        stream.seek(sequence.start + sequence.length)


def _skip(stream: BinaryIO, syntax: Syntax, element: Element, end: int, depth: int) -> None:
    """Step over a value. One of undefined length is walked to its end: nested items, PS3.5 section 7.5."""
    if element.length != UNDEFINED:
        stream.seek(element.start + element.length)
        return
    if depth > _DEEPEST:
        raise ImageError(f"The DICOM data set nests sequences more than {_DEEPEST} deep; the file is damaged.")
    inner = _syntax_inside(element, syntax)
    for item in _walk(stream, inner, end):
        if item.tag == _SEQUENCE_END:
            return
        _check_item(item)
        if item.length != UNDEFINED:
            stream.seek(item.start + item.length)
            continue
        for nested in _walk(stream, inner, end):
            _skip(stream, inner, nested, end, depth + 1)


def _syntax_inside(element: Element, syntax: Syntax) -> Syntax:
    """PS3.5 6.2.2: a sequence written with an unknown VR holds items in implicit VR little endian."""
    return Syntax(explicit=False) if element.vr == "UN" else syntax


def _check_item(item: Element) -> None:
    if item.tag != _ITEM:
        raise ImageError("A sequence of the DICOM data set holds something that is no item; the file is damaged.")


def guess_syntax(head: bytes) -> Syntax:
    """How a data set that begins with ``head`` is written: VR letters in bytes 4 and 5 mean explicit VR."""
    explicit = head[4:6] in _SHORT or head[4:6] in _LONG
    # Groups are small numbers: 00 08 read little endian would be group 0800, which no data set begins with.
    return Syntax(explicit, little=not (explicit and head[:1] == b"\0" and head[1:2] != b"\0"))


def first_elements_fit(head: bytes, size: int) -> bool:
    """Whether bytes without the DICOM preamble are a data set: two rising elements, from group 0002 or 0008, that fit."""
    syntax = guess_syntax(head)
    form = f"{syntax.order}HH"
    position, last = 0, -1
    for _ in range(2):
        if position + 12 > len(head):
            return False
        group, number = struct.unpack_from(form, head, position)
        tag = group << 16 | number
        vr = head[position + 4 : position + 6]
        if tag <= last or (last < 0 and group not in (0x0002, 0x0008)) or group > 0x0040:
            return False
        if not syntax.explicit:
            length, ahead = struct.unpack_from(f"{syntax.order}L", head, position + 4)[0], 8
        elif vr in _SHORT:
            length, ahead = struct.unpack_from(f"{syntax.order}H", head, position + 6)[0], 8
        elif vr in _LONG:
            length, ahead = struct.unpack_from(f"{syntax.order}L", head, position + 8)[0], 12
        else:
            return False
        position, last = position + ahead + length, tag
        if length % 2 or position > size:
            return False
    return True
