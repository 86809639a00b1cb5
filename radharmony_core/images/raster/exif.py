"""The orientation tag of EXIF, and whether a TIFF's directory lies inside the file (TIFF 6.0 section 2).

Pillow can read both and reports damage through ``warnings``, which cannot be caught safely in threads; so the few bytes
that matter are read here, and damaged directories never reach it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from radharmony_core.errors import ImageError

__all__ = ["Directory", "exif_orientation", "read_directory"]

_ORIENTATION = 0x0112
_BITS = 0x0102
_JPEG_TABLES = 0x015B
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8}
_CODES = {1: "B", 3: "H", 4: "L", 6: "b", 8: "h", 9: "l", 13: "L"}

# Width, height, compression, photometric interpretation, orientation, samples, rows a strip, planar configuration, predictor.
_SINGLE = frozenset({0x0100, 0x0101, 0x0103, 0x0106, 0x0112, 0x0115, 0x0116, 0x011C, 0x013D})

# Width and height, and the kinds they come in: whole numbers of 16 or 32 bits.
_SIZE, _SIZE_KINDS = (0x0100, 0x0101), (3, 4, 8, 9)

# Directories within the first one: EXIF, GPS and interoperability data.
_INNER = (0x8769, 0x8825, 0xA005)


@dataclass
class Directory:
    """The first directory: its whole numbers by tag, and the offset of the next one (0: this is the last).

    ``jpeg_tables`` are what the strips of a JPEG share (TIFF Technical Note 2, tag 015B).
    """

    numbers: dict[int, list[int]] = field(default_factory=dict)
    following: int = 0
    jpeg_tables: bytes = b""

    def first(self, tag: int, usual: int) -> int:
        """The first number of a tag, or the usual one."""
        numbers = self.numbers.get(tag)
        return numbers[0] if numbers else usual


def read_directory(data: bytes, name: str) -> Directory:
    """The first directory of a TIFF. Raises ImageError where it, or one inside it, leads out of the file.

    A tag of the picture's form that comes with another number of values than it has is refused too.
    """
    order = "<" if data[:2] == b"II" else ">"
    try:
        (start,) = struct.unpack_from(f"{order}L", data, 4)
        directory = _directory_at(data, order, start)
        for tag in _INNER:
            if tag in directory.numbers:
                _directory_at(data, order, directory.first(tag, 0))
    except (struct.error, ValueError) as error:
        raise ImageError(
            f"{name} is cut or damaged: its TIFF directory does not fit the file ({error}). Take a fresh copy."
        ) from error
    return directory


def _directory_at(data: bytes, order: str, start: int) -> Directory:
    directory, total = Directory(), 0
    (count,) = struct.unpack_from(f"{order}H", data, start)
    for position in range(start + 2, start + 2 + 12 * count, 12):
        tag, kind, length = struct.unpack_from(f"{order}HHL", data, position)
        size = _SIZES.get(kind, 1) * length
        total += size if size > 4 else 0
        place = position + 8 if size <= 4 else struct.unpack_from(f"{order}L", data, position + 8)[0]
        if place + size > len(data) or total > len(data):
            raise ValueError(f"tag {tag} needs {size} bytes at {place} of {len(data)}")
        if (tag in _SINGLE and length != 1) or (tag == _BITS and length == 0):
            raise ValueError(f"tag {tag} has {length} values")
        if tag in _SINGLE and tag in directory.numbers:
            raise ValueError(f"tag {tag} stands there twice")
        if tag in _SIZE and kind not in _SIZE_KINDS:
            raise ValueError(f"tag {tag} has values of kind {kind}")
        if tag == _JPEG_TABLES:
            directory.jpeg_tables = data[place : place + size]
        if kind in _CODES and length:
            directory.numbers[tag] = list(struct.unpack_from(f"{order}{length}{_CODES[kind]}", data, place))
    (directory.following,) = struct.unpack_from(f"{order}L", data, start + 2 + 12 * count)
    return directory


def exif_orientation(data: bytes) -> int:
    """The orientation, 1..8, from EXIF data that begin with a TIFF header; 1, as stored, where there is none."""
    data = data.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(data[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(f"{order}L", data, 4)
        (count,) = struct.unpack_from(f"{order}H", data, start)
        for position in range(start + 2, start + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(f"{order}HH", data, position)
            if tag == _ORIENTATION:
                (value,) = struct.unpack_from(f"{order}{'H' if kind == 3 else 'L'}", data, position + 8)
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:
        # Damaged metadata say nothing about the picture, which is whole; it is shown as stored.
        return 1
    return 1
