"""The head of a JPEG XL picture: its size and depth, before anything is decoded (ISO 18181-1 annex D)."""

from __future__ import annotations

from dataclasses import dataclass

from radharmony_core.errors import ImageError

__all__ = ["JXL_CONTAINER", "JXL_START", "JxlInfo", "read_jxl_info"]

JXL_START = b"\xff\x0a"
JXL_CONTAINER = b"\0\0\0\x0cJXL \r\n\x87\n"

# The codestream in a container (ISO 18181-2): whole, or the first of its parts, which begins with the part's number.
_BOXES = {b"jxlc": 0, b"jxlp": 4}

# D.3.2: width to height, where it is one of these.
_RATIOS = {1: (1, 1), 2: (12, 10), 3: (4, 3), 4: (3, 2), 5: (16, 9), 6: (5, 4), 7: (2, 1)}
_SIZE_BITS = (9, 13, 18, 30)
_WHOLE_BITS, _FLOAT_BITS = (8, 10, 12), (32, 16, 24)


@dataclass(frozen=True)
class JxlInfo:
    """``precision`` is that of a sample in bits; ``is_float`` for samples that are no whole numbers."""

    width: int
    height: int
    precision: int
    is_float: bool


class _Bits:
    """Bits from the lowest of the first byte on."""

    def __init__(self, data: bytes) -> None:
        self._left, self._count = int.from_bytes(data, "little"), 8 * len(data)

    def take(self, count: int) -> int:
        self._count -= count
        if self._count < 0:
            raise ValueError("it ends within its header")
        value = self._left & ((1 << count) - 1)
        self._left >>= count
        return value


def read_jxl_info(data: bytes, name: str) -> JxlInfo:
    """Raises ImageError where the header is cut, or tells of a picture that is animated or turned."""
    try:
        return _head(_Bits(_codestream_head(data)))
    except ValueError as error:
        raise ImageError(f"{name}: its JPEG XL picture cannot be read ({error}). Export the image again.") from error


def _head(bits: _Bits) -> JxlInfo:
    width, height = _size(bits)
    if bits.take(1):
        # All as usual: 8 bits.
        return JxlInfo(width, height, 8, False)
    if bits.take(1):
        if bits.take(3):
            raise ValueError("it is to be turned, which DICOM has no place for")
        if bits.take(1):
            _size(bits)
        if bits.take(1) or bits.take(1):
            raise ValueError("it has a preview or is animated")
    is_float = bool(bits.take(1))
    choice = bits.take(2)
    precision = (_FLOAT_BITS if is_float else _WHOLE_BITS)[choice] if choice < 3 else 1 + bits.take(6)
    return JxlInfo(width, height, precision, is_float)


def _codestream_head(data: bytes) -> bytes:
    """Some bytes behind the signature; the header takes fewer."""
    position = 0
    if data.startswith(JXL_CONTAINER):
        while True:
            length, kind = int.from_bytes(data[position : position + 4], "big"), data[position + 4 : position + 8]
            if kind in _BOXES:
                position += 8 + _BOXES[kind]
                break
            if length < 8 or position + length > len(data):
                raise ValueError("its container has no picture")
            position += length
    if data[position : position + 2] != JXL_START:
        raise ValueError("no signature")
    return data[position + 2 : position + 64]


def _size(bits: _Bits) -> tuple[int, int]:
    """Width and height (D.3.2)."""
    is_small = bits.take(1)
    height = _side(bits, is_small)
    ratio = bits.take(3)
    if not ratio:
        return _side(bits, is_small), height
    across, down = _RATIOS[ratio]
    return height * across // down, height


def _side(bits: _Bits, is_small: int) -> int:
    return 8 * (1 + bits.take(5)) if is_small else 1 + bits.take(_SIZE_BITS[bits.take(2)])
