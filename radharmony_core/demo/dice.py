"""Where chance comes from: streams and ids made from the seed and a name, never from the clock or the order of work.

A film is drawn from its own stream, so it has the same bytes whichever process draws it, and in whichever order.
"""

from __future__ import annotations

import hashlib
import random
from typing import TypeVar

import numpy as np

__all__ = ["dicom_id", "number", "pick", "pixel_stream", "stream", "uid"]

T = TypeVar("T")


def _digest(*parts: object, size: int = 20) -> bytes:
    return hashlib.blake2b("/".join(map(str, parts)).encode(), digest_size=size).digest()


def number(*parts: object) -> int:
    """A whole number of 64 bits that belongs to the named parts."""
    return int.from_bytes(_digest(*parts, size=8), "big")


def stream(*parts: object) -> random.Random:
    """A stream of plain Python numbers that belongs to the named parts."""
    return random.Random(number(*parts))  # noqa: S311 - made-up data: to be repeatable is the point


def pixel_stream(*parts: object) -> np.random.Generator:
    """A stream of numpy numbers that belongs to the named parts."""
    return np.random.Generator(np.random.PCG64(number(*parts)))


def pick(draws: random.Random, weights: dict[T, float]) -> T:
    """One key, as often as its weight says."""
    return draws.choices(list(weights), list(weights.values()))[0]


def dicom_id(*parts: object) -> str:
    """An image id as MIMIC-CXR writes it: five groups of eight hexadecimal digits."""
    digits = _digest(*parts).hex()
    return "-".join(digits[start : start + 8] for start in range(0, 40, 8))


def uid(*parts: object) -> str:
    """A DICOM UID below 2.25, the arc for UIDs made from a UUID (DICOM PS3.5, B.2): digits and dots, at most 64 characters."""
    return f"2.25.{int.from_bytes(_digest(*parts, size=16), 'big')}"
