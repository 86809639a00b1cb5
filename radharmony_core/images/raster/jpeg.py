"""The segments of a JPEG file: size, precision, orientation, scans, and a copy with only what the picture needs (ISO 10918-1
annex B). EXIF, colour profiles and the like never reach the decoder: it would parse them and warn about damage in them.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from radharmony_core.errors import ImageError
from radharmony_core.images.raster.exif import exif_orientation

__all__ = ["JpegInfo", "check_scans", "coded_ends", "end_mark", "read_jpeg_info"]

_SOS, _EOI = 0xDA, 0xD9
# Frame headers; C4, C8 and CC among them are tables. F7 is JPEG-LS (ISO 14495-1 annex C).
_FRAMES = frozenset({*range(0xC0, 0xD0), 0xF7} - {0xC4, 0xC8, 0xCC})
_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_KEPT_APPLICATION = {0xE0, 0xEE}

# Table B.1.
_PROCESSES = {0xC0: "baseline", 0xC1: "extended", 0xC2: "progressive", 0xC3: "lossless", 0xF7: "JPEG-LS"}
_ARITHMETIC = {0xC9: "extended", 0xCA: "progressive", 0xCB: "lossless"}
_PROGRESSIVE = (0xC2, 0xCA)

# An encoder makes about ten of a progressive picture.
_MOST_SCANS = 100

# In coded data FF is followed by 00, or is a restart mark; anything else begins a segment (B.1.1.2).
_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
_MARKER_OR_RESTART = re.compile(rb"\xff[\x01-\xfe]")


@dataclass(frozen=True)
class JpegInfo:
    """What stands before the first scan. ``coded_*`` is the size as stored, in pixels; ``frame`` the marker, C0 to CF or F7.

    ``says_colours`` is whether a JFIF or Adobe segment says how three components are to be read, ``is_adobe`` whether there is
    one of Adobe's; ``bare`` is the file without application segments and comments.
    """

    coded_width: int
    coded_height: int
    precision: int
    components: int
    frame: int
    orientation: int
    says_colours: bool
    is_adobe: bool
    bare: bytes

    @property
    def process(self) -> str:
        """How the picture is coded, in words."""
        if self.frame in _ARITHMETIC:
            return f"{_ARITHMETIC[self.frame]}, arithmetic coding"
        return _PROCESSES.get(self.frame, "hierarchical")


def read_jpeg_info(data: bytes, name: str) -> JpegInfo:
    """Read the segments up to the first scan. Raises ImageError where there is no whole frame header."""
    view = memoryview(data)
    kept, frame, orientation, is_jfif, is_adobe = [memoryview(b"\xff\xd8")], b"", 1, False, False
    marker_of_frame = 0
    position = 2
    while True:
        marker, position = _next_marker(data, position, name)
        if marker in _ALONE:
            continue
        if marker in (_SOS, _EOI):
            kept.append(view[position - 2 :])
            break
        length = _length(data, position, name)
        body = data[position + 2 : position + length]
        if marker in _FRAMES:
            frame, marker_of_frame = body, marker
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = exif_orientation(body)
        is_jfif |= marker == 0xE0 and body.startswith(b"JFIF")
        is_adobe |= marker == 0xEE and body.startswith(b"Adobe")
        if marker in _KEPT_APPLICATION or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            kept.append(view[position - 2 : position + length])
        position += length
    if len(frame) < 6:
        raise _cut(name)
    precision, height, width, components = struct.unpack_from(">BHHB", frame)
    says_colours, bare = is_jfif or is_adobe, b"".join(kept)
    return JpegInfo(width, height, precision, components, marker_of_frame, orientation, says_colours, is_adobe, bare)


def check_scans(info: JpegInfo, name: str) -> int:
    """How many scans there are. Raises ImageError where one that the picture needs is not there, or where there are too many.

    The decoder passes over missing ones.

    In a sequential picture every component has a scan; in a progressive one every component has its coefficients 0 to 63
    down to the lowest bit (G.1.1.1).
    """
    missing: dict[int, set[int]] = {}
    scan = 0
    for scan, component, first, last, low in _scans(info.bare):
        if scan > _MOST_SCANS:
            # Each goes over the whole picture.
            raise ImageError(
                f"{name} is damaged: its JPEG comes in more than {_MOST_SCANS} scans. Take a fresh copy of the file."
            )
        left = missing.setdefault(component, set(range(64)))
        if info.frame not in _PROGRESSIVE:
            left.clear()
        elif low == 0:
            left.difference_update(range(first, last + 1))
    if len(missing) < info.components or any(missing.values()):
        raise ImageError(f"{name} is cut: the JPEG has an end mark and lacks a part of the picture. Take a fresh copy.")
    return scan


def end_mark(data: bytes) -> int:
    """Where the end mark of the picture stands, or would stand. Behind it there may be anything, another picture too."""
    return next((position - 2 for marker, position in _segments(data) if marker == _EOI), len(data))


def coded_ends(data: bytes) -> list[tuple[int, int]]:
    """First byte and end of each stretch of coded data: from a scan header or a restart mark to the next mark.

    At least one; an empty one at the end mark where there is no scan.
    """
    ends = []
    start: int | None = None
    for marker, position in _segments(data, _MARKER_OR_RESTART):
        if start is not None:
            end = position - 2
            # Fill bytes before a mark (B.1.1.2): coded data never end with FF.
            while end > start and data[end - 1] == 0xFF:
                end -= 1
            ends.append((start, end))
        is_restart = 0xD0 <= marker <= 0xD7 and start is not None
        start = position if is_restart else None
        if marker == _SOS:
            start = position + int.from_bytes(data[position : position + 2], "big")
    if start is not None:
        ends.append((min(start, len(data)), len(data)))
    return ends or [(end_mark(data), end_mark(data))]


def _segments(data: bytes, any_of: re.Pattern[bytes] = _MARKER) -> Iterator[tuple[int, int]]:
    """Each marker and the position behind it, from the first segment to the end mark; coded data are passed over."""
    position = 2
    while match := any_of.search(data, position):
        marker, position = data[match.start() + 1], match.end()
        yield marker, position
        if marker == _EOI:
            return
        if marker not in _ALONE:
            position += int.from_bytes(data[position : position + 2], "big")


def _scans(data: bytes) -> Iterator[tuple[int, int, int, int, int]]:
    """Scan from 1, component, first and last coefficient, lowest bit: for each component of each scan header (B.2.3)."""
    scan = 0
    for marker, position in _segments(data):
        if marker == _SOS and position + 2 < len(data):
            scan, count = scan + 1, data[position + 2]
            body = data[position + 3 : position + 6 + 2 * count]
            if len(body) == 3 + 2 * count:
                yield from ((scan, body[2 * i], body[-3], body[-2], body[-1] & 15) for i in range(count))


def _next_marker(data: bytes, position: int, name: str) -> tuple[int, int]:
    """The marker at or after ``position`` and where its segment begins. Fill bytes (B.1.1.2) may stand before it."""
    start = data.find(b"\xff", position)
    while 0 <= start < len(data) - 1:
        if data[start + 1] not in (0x00, 0xFF):
            return data[start + 1], start + 2
        start = data.find(b"\xff", start + 1)
    raise _cut(name)


def _length(data: bytes, position: int, name: str) -> int:
    if position + 2 > len(data):
        raise _cut(name)
    length = int.from_bytes(data[position : position + 2], "big")
    if length < 2 or position + length > len(data):
        raise _cut(name)
    return length


def _cut(name: str) -> ImageError:
    return ImageError(f"{name} is cut or damaged: the JPEG header ends before the picture begins. Take a fresh copy.")
