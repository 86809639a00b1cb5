"""What is done to a picture for its looks, beyond the standard's pipeline: the MIMIC-CXR-JPG look, and local contrast."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from radharmony_core.images.display.presets import Choice
from radharmony_core.images.film import Floats, Gray, Preset, Step

__all__ = ["CLAHE_CLIP", "CLAHE_TILES", "equalization", "local_contrast", "mimic_cxr_jpg"]

CLAHE_CLIP = 2.0
CLAHE_TILES = 8


def mimic_cxr_jpg(stored: Floats, counts: npt.NDArray[np.int64], *, is_monochrome1: bool) -> Choice:
    """The look of the JPEG files of MIMIC-CXR-JPG, as one table by code.

    ``stored`` is the value of each code in the file, which ``counts`` pixels have: no rescale, no window, and no padding
    rule. Less the minimum, divided by the new maximum, times 255, cut to whole numbers; MONOCHROME1 turned; then OpenCV's
    global histogram equalization. An image of one value stays black (or white, turned) instead of a division by zero.
    """
    low, high = float(stored[counts > 0].min()), float(stored[counts > 0].max())
    level = np.zeros(stored.shape)
    if high > low:
        level = np.clip((stored - low) / (high - low) * 255.0, 0.0, 255.0)
    gray = level.astype(np.uint8)
    if is_monochrome1:
        gray = np.uint8(255) - gray
    histogram = np.bincount(gray, weights=counts, minlength=256).astype(np.int64)
    words = f"Stored values {low:g} to {high:g} as 0 to 255, cut to whole numbers"
    words += ", turned (MONOCHROME1), histogram equalized" if is_monochrome1 else ", histogram equalized"
    step = Step("MIMIC-CXR-JPG look", words, {"low": low, "high": high, "is_turned": float(is_monochrome1)})
    table = equalization(histogram)[gray]
    table.setflags(write=False)
    return Choice(Preset("mimic_cxr_jpg", "MIMIC-CXR-JPG look"), step, table)


def equalization(histogram: npt.NDArray[np.int64]) -> Gray:
    """The table of OpenCV's ``equalizeHist`` for a picture with these 256 counts, in its own float32 arithmetic."""
    first = int(np.flatnonzero(histogram)[0])
    rest = int(histogram.sum() - histogram[first])
    if rest == 0:
        return np.arange(256, dtype=np.uint8)
    scale = np.float32(255.0) / np.float32(rest)
    above = np.cumsum(np.where(np.arange(256) > first, histogram, 0)).astype(np.float32)
    return np.asarray(np.clip(np.rint(above * scale), 0, 255), np.uint8)


def local_contrast(gray: Gray, kept: Gray | None) -> Gray:
    """Contrast-limited adaptive histogram equalization (CLAHE) of the gray levels.

    ``kept``, where there is one, is 255 for the picture and 0 for padding, which is black afterwards. A picture of one gray
    has no contrast to raise, and stays as it is; CLAHE would make it white.
    """
    low, high, _, _ = cv2.minMaxLoc(gray, kept)
    if low == high:
        return gray
    result = cv2.createCLAHE(CLAHE_CLIP, (CLAHE_TILES, CLAHE_TILES)).apply(gray)
    if kept is not None:
        cv2.bitwise_and(result, kept, dst=result)
    return np.asarray(result, np.uint8)
