"""The tags of the DICOM image modules that decide how a picture looks, and their values as Python numbers and words."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, MutableSequence
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from pydicom.charset import default_encoding
from pydicom.dataelem import DataElement, RawDataElement
from pydicom.dataset import Dataset
from pydicom.filereader import read_sequence

from radharmony_core.errors import ImageError, NotAnImageError
from radharmony_core.images.dicom.guard import printable
from radharmony_core.images.dicom.keywords import (
    BYTES,
    OF_AN_ITEM,
    OF_THE_IMAGE,
    OVERLAY_ROWS,
    SEQUENCES,
)
from radharmony_core.images.film import check_size

__all__ = ["NO_VALUE", "PixelFormat", "Values", "encoding_of", "read_pixel_format", "read_values", "values_of"]

# A table of 65,536 entries of 16 bits, and some room. Longer values are left where they are, as if they were empty.
_LONGEST_TABLE = 1 << 18

# PS3.5 6.2: the most characters of a text of these kinds. They are shown in notices.
_LONGEST_WORD = 64

# What pydicom raises for a value that is not of its kind, by what was tried with it.
NO_VALUE = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    TypeError,
    ValueError,
    struct.error,
)


class Values:
    """The wanted values by keyword. Nothing raises: a value that cannot be read is as one that is missing.

    ``order`` is the byte order of the data set, as ``struct`` and numpy write it; ``overlays`` how many overlay planes it has;
    ``has_unread_groups`` tells of functional groups that cannot be read.
    """

    def __init__(self, found: dict[str, list[Any]], *, is_little: bool) -> None:
        self._found = found
        self.overlays = 0
        self.has_unread_groups = False
        self.order = "<" if is_little else ">"

    def words(self, keyword: str) -> list[str]:
        """The text, one entry per value; empty for a missing element."""
        return [printable(str(value).strip(" \0")[:_LONGEST_WORD]) for value in self._found.get(keyword, []) if value is not None]

    def numbers(self, keyword: str) -> list[float]:
        """The numbers, one entry per value, NaN for one that is no finite number; empty for a missing element."""
        return [_number(value) for value in self._found.get(keyword, [])]

    def integer(self, keyword: str) -> int | None:
        """The first number, whole; None where it is missing or no number."""
        numbers = self.numbers(keyword)
        return int(numbers[0]) if numbers and math.isfinite(numbers[0]) else None

    def data(self, keyword: str) -> bytes:
        """The bytes as they stand in the file, in ``order``; empty for a missing element."""
        return next((value for value in self._found.get(keyword, []) if isinstance(value, bytes)), b"")

    def items(self, keyword: str) -> list[Values]:
        """The items of a sequence; empty for a missing one."""
        return [value for value in self._found.get(keyword, []) if isinstance(value, Values)]

    def fill(self, keywords: tuple[str, ...], other: Values) -> None:
        """Take these values from ``other`` where none of them is here, so that those of one kind come from one place."""
        if not any(keyword in self._found for keyword in keywords):
            self._found |= {keyword: other._found[keyword] for keyword in keywords if keyword in other._found}

    def palette(self, colour: str) -> Values:
        """The palette of ``colour``, Red, Green or Blue, as a lookup table is given in an item of a sequence."""
        name = f"{colour}PaletteColorLookupTable"
        found = {"LUTDescriptor": self._found.get(f"{name}Descriptor", []), "LUTData": self._found.get(f"{name}Data", [])}
        return Values(found, is_little=self.order == "<")


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (ArithmeticError, TypeError, ValueError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def read_values(data_set: Dataset, stream: BinaryIO) -> Values:
    """All wanted values of a data set that pydicom has read from ``stream``, at once: it converts on access, and may warn."""
    values = values_of(data_set, stream, (*OF_THE_IMAGE, *SEQUENCES))
    values.overlays = sum(tag in data_set for tag in OVERLAY_ROWS)
    return values


def values_of(data_set: Dataset, stream: BinaryIO, keywords: tuple[str, ...]) -> Values:
    """The values of these keywords alone."""
    found: dict[str, list[Any]] = {}
    for keyword in keywords:
        if keyword in data_set:
            try:
                found[keyword] = _value(data_set, keyword, stream)
            except NO_VALUE:
                # Not left out, so that it is said: None is a number that is none, and a table without entries cannot be read.
                found[keyword] = [Values({}, is_little=True) if keyword in SEQUENCES else None]
    return Values(found, is_little=bool(data_set.original_encoding[1]))


def _value(data_set: Dataset, keyword: str, stream: BinaryIO) -> list[Any]:
    element = data_set.get_item(keyword, keep_deferred=True)
    if keyword in SEQUENCES:
        return [values_of(item, stream, OF_AN_ITEM) for item in _items(element, stream)]
    if keyword in BYTES:
        # US or OW, and 8-bit entries stand packed in either: the descriptor says how the bytes are read.
        return [_bytes(element, stream)]
    if element.value is None:
        return []  # empty, or longer than such a value is
    value = data_set[keyword].value
    if value is None or (isinstance(value, str) and not value.strip(" \0")):
        return []
    return list(value) if isinstance(value, MutableSequence) else [value]


def _bytes(element: RawDataElement | DataElement, stream: BinaryIO) -> bytes | None:
    if element.value is not None or isinstance(element, DataElement):
        return cast("bytes | None", element.value)
    if not 0 < element.length <= _LONGEST_TABLE:
        return None
    stream.seek(element.value_tell)
    return stream.read(element.length)


def _items(element: RawDataElement | DataElement, stream: BinaryIO) -> Iterable[Dataset]:
    if isinstance(element, DataElement):
        # Of undefined length: walked to its end already.
        return cast(Iterable[Dataset], element.value)
    # From the stream and not by access, for two reasons: tables are longer than the values that are read at once, and the
    # stream bounds what a sequence of very many items can take.
    stream.seek(element.value_tell)
    return read_sequence(stream, *encoding_of(element), element.length, default_encoding)


def encoding_of(element: RawDataElement) -> tuple[bool, bool]:
    """Whether the items of a sequence are in implicit VR, and in little endian.

    PS3.5 6.2.2: a sequence written with an unknown VR holds items in implicit VR little endian.
    """
    is_unknown = element.VR == "UN"
    return element.is_implicit_VR or is_unknown, element.is_little_endian or is_unknown


@dataclass(frozen=True)
class PixelFormat:
    """The Image Pixel module (PS3.3 C.7.6.3), with usual values where elements are missing."""

    rows: int
    columns: int
    samples: int
    photometric: str
    bits_allocated: int
    bits_stored: int
    high_bit: int
    signed: bool
    planar: bool
    frames: int


def read_pixel_format(values: Values, name: str, pixel_bytes: int, said: list[str]) -> PixelFormat:
    """The format of the pixels, ``pixel_bytes`` of them in the file. What had to be assumed is added to ``said``.

    Raises NotAnImageError where there is no size, ImageTooLargeError for a size that is too large, ImageError for one
    that contradicts itself.
    """
    rows, columns = values.integer("Rows"), values.integer("Columns")
    if not rows or not columns:
        raise NotAnImageError(
            f"{name} is a DICOM file without an image: it has no Rows and Columns above 0 (Rows {rows}, Columns {columns}), "
            "so there are no pixels to show. It may be a report, a plan or a directory."
        )
    check_size(columns, rows, name)
    allocated = _assumed(values, "BitsAllocated", 8 if pixel_bytes < 2 * rows * columns else 16, said)
    stored = _assumed(values, "BitsStored", allocated, said)
    form = PixelFormat(
        rows=rows,
        columns=columns,
        samples=_assumed(values, "SamplesPerPixel", 1, said),
        photometric=_photometric(values, said),
        bits_allocated=allocated,
        bits_stored=stored,
        high_bit=_assumed(values, "HighBit", stored - 1, said),
        signed=_assumed(values, "PixelRepresentation", 0, said) == 1,
        planar=values.integer("PlanarConfiguration") == 1,
        frames=max(1, values.integer("NumberOfFrames") or 1),
    )
    if not 1 <= form.bits_stored <= form.bits_allocated or not form.bits_stored - 1 <= form.high_bit < allocated:
        raise ImageError(
            f"{name} contradicts itself: BitsAllocated {allocated}, BitsStored {stored} and HighBit {form.high_bit} do not "
            "go together, so its pixel values cannot be known. Export the image again."
        )
    return form


def _assumed(values: Values, keyword: str, usual: int, said: list[str]) -> int:
    value = values.integer(keyword)
    if value is None:
        said.append(f"{keyword} is missing; the usual value {usual} was assumed.")
        return usual
    return value


def _photometric(values: Values, said: list[str]) -> str:
    words = values.words("PhotometricInterpretation")
    if not words:
        said.append("PhotometricInterpretation is missing; MONOCHROME2 (0 is black) was assumed.")
        return "MONOCHROME2"
    return words[0].upper()
