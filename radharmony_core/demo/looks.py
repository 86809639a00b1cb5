"""The look of MIMIC-CXR-JPG: what its makers did to the stored pixels of a DICOM file.

Sources: MIT-LCP/mimic-cxr, discussion 16, and the MIMIC-CXR-JPG page on PhysioNet; the equalization is that of OpenCV's
``equalizeHist``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["jpg_look"]


def _equalized(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    counts = np.bincount(image.ravel(), minlength=256)
    first = int(np.flatnonzero(counts)[0])
    if counts[first] == image.size:
        return image
    scale = np.float32(255) / np.float32(image.size - counts[first])
    above = np.cumsum(counts) - np.cumsum(counts)[first]
    table = np.clip(np.rint(above.astype(np.float32) * scale), 0, 255)
    table[: first + 1] = 0
    return np.asarray(table.astype(np.uint8)[image])


def jpg_look(stored: NDArray[np.uint16], *, monochrome1: bool = False) -> NDArray[np.uint8]:
    """Stored values (rows, columns) to the 8 bits of the JPG: stretched, inverted for MONOCHROME1, equalized as a whole."""
    values = stored.astype(np.float64)
    values -= values.min()
    peak = values.max()
    if peak > 0:
        values = values / peak * 255
    small = values.astype(np.uint8)
    return _equalized(255 - small if monochrome1 else small)
