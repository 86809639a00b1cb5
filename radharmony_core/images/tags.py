"""The tags of the DICOM image modules that decide how a picture looks, and their values as Python numbers and words."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

from radharmony_core.errors import ImageError, NotAnImageError
from radharmony_core.images.elements import Elements
from radharmony_core.images.film import check_size

__all__ = ["WANTED", "PixelFormat", "Values", "read_pixel_format"]

# PS3.6 section 6: keyword -> (tag, VR for files that do not write it).
_TAGS: dict[str, tuple[int, str]] = {
    "SamplesPerPixel": (0x00280002, "US"),
    "PhotometricInterpretation": (0x00280004, "CS"),
    "PlanarConfiguration": (0x00280006, "US"),
    "NumberOfFrames": (0x00280008, "IS"),
    "Rows": (0x00280010, "US"),
    "Columns": (0x00280011, "US"),
    "BitsAllocated": (0x00280100, "US"),
    "BitsStored": (0x00280101, "US"),
    "HighBit": (0x00280102, "US"),
    "PixelRepresentation": (0x00280103, "US"),
    "PixelPaddingValue": (0x00280120, "US"),
    "PixelPaddingRangeLimit": (0x00280121, "US"),
    "WindowCenter": (0x00281050, "DS"),
    "WindowWidth": (0x00281051, "DS"),
    "RescaleIntercept": (0x00281052, "DS"),
    "RescaleSlope": (0x00281053, "DS"),
    "WindowCenterWidthExplanation": (0x00281055, "LO"),
    "VOILUTFunction": (0x00281056, "CS"),
    "ModalityLUTSequence": (0x00283000, "SQ"),
    "LUTDescriptor": (0x00283002, "US"),
    "LUTData": (0x00283006, "OW"),
    "VOILUTSequence": (0x00283010, "SQ"),
    "PresentationLUTShape": (0x20500020, "CS"),
}
WANTED = frozenset(tag for tag, _ in _TAGS.values())

_BINARY = {"US": "H", "SS": "h", "UL": "L", "SL": "l", "FL": "f", "FD": "d"}


class Values:
    """The wanted values by keyword. Nothing raises: a value that cannot be read is as one that is missing."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements

    def raw(self, keyword: str) -> tuple[str, bytes]:
        """The VR as written (or the usual one) and the bytes; empty bytes for a missing element."""
        tag, usual = _TAGS[keyword]
        vr, data = self._elements.values.get(tag, (usual, b""))
        return (vr if vr not in ("", "UN") else usual), data

    def words(self, keyword: str) -> list[str]:
        """The text, one entry per value; empty for a missing element."""
        text = self.raw(keyword)[1].decode("latin-1").strip(" \0")
        return [word.strip(" \0") for word in text.split("\\")] if text else []

    def numbers(self, keyword: str) -> list[float]:
        """The numbers, one entry per value, NaN for one that is no finite number; empty for a missing element."""
        vr, data = self.raw(keyword)
        code = _BINARY.get(vr)
        if code is None:
            return [_number(word) for word in self.words(keyword)]
        size = struct.calcsize("=" + code)
        count = len(data) // size
        values = struct.unpack_from(f"{self._elements.syntax.order}{count}{code}", data)
        return [float(value) if math.isfinite(value) else math.nan for value in values]

    def integer(self, keyword: str) -> int | None:
        """The first number, whole; None where it is missing or no number."""
        numbers = self.numbers(keyword)
        return int(numbers[0]) if numbers and math.isfinite(numbers[0]) else None

    def items(self, keyword: str) -> list[Values]:
        """The items of a sequence; empty for a missing one."""
        return [Values(item) for item in self._elements.sequences.get(_TAGS[keyword][0], [])]

    @property
    def order(self) -> str:
        """The byte order of the data set, as ``struct`` writes it."""
        return self._elements.syntax.order


def _number(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


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
