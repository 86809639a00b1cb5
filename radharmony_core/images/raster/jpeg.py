"""The segments of a JPEG file: size, precision, orientation, and a copy with only what the picture needs (ISO 10918-1 annex B).

EXIF, colour profiles and the like never reach the decoder: it would parse them and warn about damage in them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from radharmony_core.errors import ImageError
from radharmony_core.images.raster.exif import exif_orientation

__all__ = ["JpegInfo", "read_jpeg_info"]

_SOI, _SOS, _EOI = 0xD8, 0xDA, 0xD9
# Frame headers; C4, C8 and CC among them are tables. F7 is JPEG-LS (ISO 14495-1 annex C).
_FRAMES = frozenset({*range(0xC0, 0xD0), 0xF7} - {0xC4, 0xC8, 0xCC})
_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
_KEPT_APPLICATION = {0xE0, 0xEE}


@dataclass(frozen=True)
class JpegInfo:
    """What stands before the first scan. ``coded_*`` is the size as stored, in pixels; ``frame`` the marker, C0 to CF or F7.

    ``says_colours`` is whether a JFIF or Adobe segment says how three components are to be read; ``bare`` is the file
    without application segments and comments.
    """

    coded_width: int
    coded_height: int
    precision: int
    components: int
    frame: int
    orientation: int
    says_colours: bool
    bare: bytes

    @property
    def is_progressive(self) -> bool:
        """Whether the picture comes in several scans."""
        return self.frame in (0xC2, 0xC6, 0xCA, 0xCE)


def read_jpeg_info(data: bytes, name: str) -> JpegInfo:
    """Read the segments up to the first scan. Raises ImageError where there is no whole frame header."""
    kept, frame, orientation, says_colours = [b"\xff\xd8"], b"", 1, False
    marker_of_frame = 0
    position = 2
    while True:
        marker, position = _next_marker(data, position, name)
        if marker in _ALONE:
            continue
        if marker in (_SOS, _EOI):
            kept.append(data[position - 2 :])
            break
        length = _length(data, position, name)
        body = data[position + 2 : position + length]
        if marker in _FRAMES:
            frame, marker_of_frame = body, marker
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = exif_orientation(body)
        says_colours |= (marker == 0xE0 and body.startswith(b"JFIF")) or (marker == 0xEE and body.startswith(b"Adobe"))
        if marker in _KEPT_APPLICATION or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            kept.append(data[position - 2 : position + length])
        position += length
    if len(frame) < 6:
        raise _cut(name)
    precision, height, width, components = struct.unpack_from(">BHHB", frame)
    return JpegInfo(width, height, precision, components, marker_of_frame, orientation, says_colours, b"".join(kept))


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
