"""Changes to whole files: blind ones, and ones that know where a format keeps its sizes, lengths and numbers."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable, Sequence

from pydicom.datadict import tag_for_keyword

from fuzz._seeds import DEFLATED_HEAD

__all__ = ["Change", "changed"]

Change = Callable[[random.Random, bytearray], None]
LARGEST = 2_000_000  # bytes: what grows beyond is not changed any further

EDGES = (0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 127, 128, 255, 256, 4095, 32767, 32768, 65500, 65535)
LARGE = (65536, 1 << 20, 80_000_001, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)
FRACTIONS = (0x7F800000, 0x7F800001, 0x7FC00000, 0xFF7FFFFF, 1)  # float32: infinite, two that are no number, largest, smallest
NUMBERS = (
    b"0 -0 1 1.5 0.5 -1 1e5 1e308 -1e308 1e-308 1e999 nan inf -inf 32767 65536 4294967296 x 1,5 - . 0x10 99999999999".split()
)

# PS3.6: whole numbers of 16 bits that decide what the pixel data are, then texts that are numbers or words.
WHOLE = (
    *("Rows", "Columns", "BitsAllocated", "BitsStored", "HighBit", "PixelRepresentation", "SamplesPerPixel"),
    *("PlanarConfiguration", "PixelPaddingValue", "PixelPaddingRangeLimit", "LUTDescriptor"),
    *("RedPaletteColorLookupTableDescriptor", "GreenPaletteColorLookupTableDescriptor"),
)
TEXTS = (
    *("NumberOfFrames", "WindowCenter", "WindowWidth", "RescaleSlope", "RescaleIntercept", "RescaleType", "VOILUTFunction"),
    *("PresentationLUTShape", "PhotometricInterpretation", "WindowCenterWidthExplanation"),
)
WORDS = b"MONOCHROME1 MONOCHROME2 RGB YBR_FULL YBR_FULL_422 YBR_ICT YBR_RCT PALETTE_COLOR LINEAR SIGMOID INVERSE HU".split()


def changed(dice: random.Random, seed: bytes, other: bytes) -> bytes:
    """``seed`` after one to four changes; now and then its head stands before the tail of ``other``."""
    data = bytearray(seed)
    inner = seed.startswith(DEFLATED_HEAD) and dice.random() < 0.8
    if inner:  # or all changes would end at the damaged stream
        data = bytearray(zlib.decompress(seed[len(DEFLATED_HEAD) :], wbits=-15))
    if dice.random() < 0.05:
        data[dice.randrange(len(data) + 1) :] = other[dice.randrange(len(other) + 1) :]
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 4))):
        if 0 < len(data) < LARGEST:
            dice.choice(_changes_for(data))(dice, data)
    if data.startswith(b"\x89PNG") and dice.random() < 0.9:
        _mend_checksums(data)
    if inner:
        packer = zlib.compressobj(wbits=-15)
        return DEFLATED_HEAD + packer.compress(bytes(data)) + packer.flush()
    return bytes(data)


def _changes_for(data: bytearray) -> Sequence[Change]:
    """The blind changes, and twice those of the format."""
    if data.startswith(b"\xff\xd8"):
        return (*BLIND, _jpeg_frame, _jpeg_frame, _segment_length)
    if data.startswith(b"\x89PNG"):
        return (*BLIND, _png_header, _png_header, _png_data)
    if data.startswith((b"II*\0", b"MM\0*")):
        return (*BLIND, _tiff_entry, _tiff_entry, _tiff_entry, _tiff_entry)
    streams: tuple[Change, ...] = (_jpeg_frame,) if b"\xff\xd8\xff" in data else ()
    streams += (_j2k_size, _j2k_size) if b"\xff\x4f\xff\x51" in data else ()
    return (*BLIND, _dicom_number, _dicom_number, _dicom_text, _dicom_text, _dicom_length, *streams)


def _place(dice: random.Random, data: bytearray) -> int:
    """Somewhere; half the time where the headers are."""
    return dice.randrange(len(data) if dice.random() < 0.5 else min(len(data), 700))


def _number(dice: random.Random, form: str) -> bytes:
    """An edge, a large one or any, cut to the form's bytes."""
    value = dice.choice((dice.choice(EDGES), dice.choice((*LARGE, *FRACTIONS)), dice.getrandbits(32)))
    return struct.pack(form, value & ((1 << 8 * struct.calcsize(form)) - 1))


def _flip(dice: random.Random, data: bytearray) -> None:
    for _ in range(dice.randint(1, 8)):
        data[_place(dice, data)] = dice.randrange(256)


def _flip_bit(dice: random.Random, data: bytearray) -> None:
    data[_place(dice, data)] ^= 1 << dice.randrange(8)


def _set_number(dice: random.Random, data: bytearray) -> None:
    value, place = _number(dice, dice.choice(("<H", ">H", "<L", ">L"))), _place(dice, data)
    data[place : place + len(value)] = value


def _cut(dice: random.Random, data: bytearray) -> None:
    del data[_place(dice, data) :]
    data += dice.choice((b"", b"", b"\xff\xd9", bytes(64), bytes(dice.randrange(4))))


def _insert(dice: random.Random, data: bytearray) -> None:
    place, count = _place(dice, data), dice.choice((1, 2, 3, 8, 100, 5000))
    data[place:place] = dice.choice((bytes(count), b"\xff" * count, dice.randbytes(count), bytes(data[place : place + count])))


def _remove(dice: random.Random, data: bytearray) -> None:
    place = _place(dice, data)
    del data[place : place + dice.choice((1, 2, 4, 12, 100))]


def _move(dice: random.Random, data: bytearray) -> None:
    start, to = _place(dice, data), _place(dice, data)
    block = data[start : start + dice.choice((2, 8, 12, 60, 400))]
    if dice.random() < 0.5:
        del data[start : start + len(block)]
    data[to:to] = block


def _fill(dice: random.Random, data: bytearray) -> None:
    start, count = _place(dice, data), dice.choice((4, 16, 100, 1000))
    block = data[start : start + count]
    data[start : start + count] = bytes([dice.choice((0, 255, dice.randrange(256)))]) * len(block)


BLIND: tuple[Change, ...] = (_flip, _flip_bit, _set_number, _cut, _insert, _remove, _move, _fill)


def _find(dice: random.Random, data: bytearray, keywords: Sequence[str]) -> tuple[int, str, bool]:
    """Where one of the elements stands (-1: none), its byte order, and whether it is in explicit VR."""
    tag = tag_for_keyword(dice.choice(keywords)) or 0
    for order in "<>":
        place = data.find(struct.pack(f"{order}HH", tag >> 16, tag & 0xFFFF))
        if 0 <= place < len(data) - 8:
            return place, order, data[place + 4 : place + 6].isalpha()
    return -1, "<", True


def _dicom_number(dice: random.Random, data: bytearray) -> None:
    place, order, _ = _find(dice, data, WHOLE)
    if place >= 0:
        start = place + 8 + 2 * dice.choice((0, 0, 0, 1, 2))
        data[start : start + 2] = _number(dice, f"{order}H")


def _dicom_text(dice: random.Random, data: bytearray) -> None:
    """Another text, with the length that goes with it."""
    place, order, is_explicit = _find(dice, data, TEXTS)
    if place < 0:
        return
    form = f"{order}H" if is_explicit else f"{order}L"
    head = place + 6 if is_explicit else place + 4
    (length,) = struct.unpack_from(form, data, head)
    words = [dice.choice((*NUMBERS, *NUMBERS, *WORDS, b"", dice.randbytes(3))) for _ in range(dice.choice((1, 1, 2, 3, 40)))]
    text = b"\\".join(words).replace(b"_COLOR", b" COLOR")
    text += b" " * (len(text) % 2)
    data[head : place + 8 + length] = struct.pack(form, len(text)) + text


def _dicom_length(dice: random.Random, data: bytearray) -> None:
    place, order, is_explicit = _find(dice, data, (*WHOLE, *TEXTS, "PixelData", "VOILUTSequence", "LUTData", "FloatPixelData"))
    if place >= 0:
        is_long = not is_explicit or bytes(data[place + 4 : place + 6]) in (b"SQ", b"OB", b"OW", b"OF", b"OD", b"UN")
        value = _number(dice, f"{order}L" if is_long else f"{order}H")
        start = place + (8 if is_explicit and is_long else 6 if is_explicit else 4)
        data[start : start + len(value)] = value


def _jpeg_frame(dice: random.Random, data: bytearray) -> None:
    """Precision, height, width or a component's line in a frame header (ISO 10918-1 B.2.2), or another kind of frame."""
    places = [place for kind in (0xC0, 0xC1, 0xC2, 0xC3, 0xF7) if (place := data.find(bytes([0xFF, kind, 0]))) >= 0]
    if not places:
        return
    place = dice.choice(places)
    where = dice.choice((1, 4, 5, 7, 9, *range(10, 19)))
    if where == 1:
        data[place + 1] = dice.choice((0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC9, 0xCA, 0xF7))
        return
    value = _number(dice, ">H" if where in (5, 7) else ">B")
    data[place + where : place + where + len(value)] = value


def _segment_length(dice: random.Random, data: bytearray) -> None:
    places = [place for place in range(2, min(len(data) - 4, 1000)) if data[place] == 0xFF and 0xC0 <= data[place + 1] < 0xFF]
    if places:
        place = dice.choice(places)
        data[place + 2 : place + 4] = _number(dice, ">H")


def _j2k_size(dice: random.Random, data: bytearray) -> None:
    """A number of the SIZ segment (ISO 15444-1 A.5.1): sizes, tiles, components, precision, sub-sampling."""
    place = data.find(b"\xff\x4f\xff\x51") + 4 + 2
    where, form = dice.choice(
        [(2 + 4 * i, ">L") for i in range(8)] + [(0, ">H"), (34, ">H")] + [(36 + i, ">B") for i in range(6)]
    )
    value = _number(dice, form)
    data[place + where : place + where + len(value)] = value


def _png_header(dice: random.Random, data: bytearray) -> None:
    where, form = dice.choice(((16, ">L"), (20, ">L"), (24, ">B"), (25, ">B"), (26, ">B"), (27, ">B"), (28, ">B")))
    value = _number(dice, form) if dice.random() < 0.5 else struct.pack(form, dice.choice((1, 2, 3, 4, 6, 8, 16)))
    data[where : where + len(value)] = value


def _png_data(dice: random.Random, data: bytearray) -> None:
    """The inflated rows changed, cut or made longer, and deflated again."""
    place = data.find(b"IDAT")
    if place < 4:
        return
    (length,) = struct.unpack_from(">L", data, place - 4)
    try:
        rows = bytearray(zlib.decompress(data[place + 4 : place + 4 + length]))
    except zlib.error:
        return
    if 0 < len(rows) < LARGEST:
        dice.choice(BLIND)(dice, rows)
    packed = zlib.compress(bytes(rows))
    data[place - 4 : place + 8 + length] = struct.pack(">L", len(packed)) + b"IDAT" + packed + bytes(4)


def _mend_checksums(data: bytearray) -> None:
    position = 8
    while position + 12 <= len(data):
        end = position + 8 + int.from_bytes(data[position : position + 4], "big")
        if end + 4 > len(data):
            return
        data[end : end + 4] = struct.pack(">L", zlib.crc32(data[position + 4 : end]))
        position = end + 4


def _tiff_entry(dice: random.Random, data: bytearray) -> None:
    """A tag, a kind, a count or a value of the first directory (TIFF 6.0 section 2)."""
    order = "<" if data[:2] == b"II" else ">"
    try:
        (start,) = struct.unpack_from(f"{order}L", data, 4)
        (count,) = struct.unpack_from(f"{order}H", data, start)
    except struct.error:
        return
    place = start + 2 + 12 * dice.randrange(max(1, min(count, 100)))
    where, form = dice.choice(((0, "H"), (2, "H"), (4, "L"), (8, "L"), (8, "L"), (8, "H"), (8, "H"), (8, "H"), (8, "H")))
    value = _number(dice, order + form)
    data[place + where : place + where + len(value)] = value
