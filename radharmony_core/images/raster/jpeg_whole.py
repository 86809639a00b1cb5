"""Whether a JPEG has as many coded data as its picture needs, for decoders that do not tell.

Where coded data end too early, libjpeg fills the rest; where some are left over, it passes over them. It warns of both, and
most ways to it keep the warnings back. So the picture is decoded again with other data: what stands behind the last block
must make no difference, and what the last blocks stand in must make one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ImageError
from radharmony_core.images.raster.jpeg import coded_ends

__all__ = ["FEW", "check_whole"]

# Some encoders write a byte or two more than they need.
FEW = 2

# Not zeros, which is what a decoder fills with, and no FF, which would begin a mark. Of two of them one begins with another
# bit than any data do; the others are there for blocks so dark or bright that many data give the same.
_MORE = bytes([0xB6, *range(7, 247)]) * 8
_OTHERS = (_MORE, bytes(254 - byte for byte in _MORE), _MORE[77:] + _MORE[:77], _MORE[150:] + _MORE[:150])
_AT_RESTARTS = 32

_Decode = Callable[[bytes], npt.NDArray[Any]]


def check_whole(values: npt.NDArray[Any], data: bytes, decode: _Decode, name: str, *, is_end_seen: bool) -> None:
    """Raises ImageError unless ``values``, which ``decode`` made of ``data``, need all the coded data and no more.

    Coded data that are left over show that bytes are missing or changed further up, and all behind them is displaced.
    That is left alone where the end need not be seen (``is_end_seen`` false): with arithmetic coding the last bytes may be any
    or left out (ISO 10918-1 D.1.8), and the last scan of a progressive picture may change no value.
    """
    ends = coded_ends(data)
    if not np.array_equal(values, decode(_lengthened(data, ends))):
        raise ImageError(f"{name} is cut: the JPEG has an end mark and lacks a part of the picture. Take a fresh copy.")
    if not is_end_seen:
        return
    start, end = ends[-1]
    filling = len(data[start:end]) - len(data[start:end].rstrip(data[end - 1 : end]))
    for count in (FEW + 1, FEW + 1 + filling):
        if _is_needed(_back(data, start, end, count), end, values, data, decode):
            return
    # A picture of one level has no code for another: then nothing makes a difference.
    if _is_needed(start, end, values, data, decode):
        raise ImageError(
            f"{name} is damaged: the JPEG has coded data left over behind its last block, so bytes further up are missing or "
            "changed. Take a fresh copy of the file."
        )


def _lengthened(data: bytes, ends: list[tuple[int, int]]) -> bytes:
    """The same file with more coded data at the end of each stretch; little at restart marks, of which there may be many."""
    last = ends[-1][1]
    edges = [0, *(end for _, end in ends[:-1]), last]
    return _MORE[:_AT_RESTARTS].join(data[start:end] for start, end in pairwise(edges)) + _MORE + data[last:]


def _back(data: bytes, start: int, end: int, count: int) -> int:
    """The position ``count`` coded bytes before ``end``; FF is coded in two (ISO 10918-1 B.1.1.5)."""
    for _ in range(count):
        end -= 2 if data[end - 2 : end] == b"\xff\0" else 1
    return max(start, end)


def _is_needed(start: int, end: int, values: npt.NDArray[Any], data: bytes, decode: _Decode) -> bool:
    """Whether the picture changes with the data from ``start`` to ``end``."""
    return any(not np.array_equal(values, decode(data[:start] + other + data[end:])) for other in _OTHERS)
