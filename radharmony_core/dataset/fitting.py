"""Boxes that follow their image through MONAI's transforms.

MONAI's images keep where each of their pixels was (``MetaTensor.affine``: from a pixel of the image as it is now to one of the
image as it was, both counted from the middle of the first pixel). So boxes can follow flips, turns, zooms, crops and pads.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from radharmony_core.dataset.arrays import to_array
from radharmony_core.dataset.notices import DatasetWarning
from radharmony_core.dataset.ragged import Boxes, Frame

__all__ = ["fit_boxes", "frame_of_image", "is_moved", "is_turned"]

_ALMOST = 1e-6
_LOST = (
    "boxes were not moved with img: something has made new lists of them, so that nobody knows which image they fit. MONAI's "
    "CacheDataset does so unless it gets as_contiguous=False."
)
Matrix = npt.NDArray[np.float64]


def fit_boxes(sample: Mapping[str, Any]) -> dict[str, Any]:
    """The sample with ``bbox`` in fractions of the ``img`` that it carries now.

    A transform on sample dicts, for the end of a MONAI ``Compose`` that is put around a dataset, as by ``monai.data.Dataset``;
    inside of a dataset, and in `collate`, boxes are fitted anyway. A box that is turned by another angle than a right one
    becomes the upright box around it; one that a crop cuts off keeps its numbers, beyond 0..1. Boxes that somebody has changed
    are that person's, and stay; so do all where ``img`` keeps no record of its moves, as a plain tensor or array does not.
    """
    boxes, now = sample.get("bbox"), frame_of_image(sample.get("img"))
    if now is None or not (isinstance(boxes, Boxes) and boxes.is_untouched):
        return dict(sample)
    then = boxes.frame
    if then is None:
        if _has_record(sample["img"], now):
            warnings.warn(_LOST, DatasetWarning, stacklevel=2)
        return dict(sample)
    if now.affine is None:  # from here on it is the image as it was
        return {**sample, "bbox": boxes if then.affine is None else Boxes(boxes, now)}
    return {**sample, "bbox": Boxes(_moved(boxes, then, now), now) if is_moved(then, now) else boxes}


def frame_of_image(image: Any) -> Frame | None:
    """Size and place of an image of rows x columns, with any number of channels before; None for what is no image."""
    shape = tuple(getattr(image, "shape", ()))
    if len(shape) < 2:
        return None
    affine = getattr(image, "affine", None)
    matrix = None if affine is None else np.asarray(to_array(affine), np.float64)
    if matrix is None or matrix.ndim != 2 or min(matrix.shape) < 3:
        return Frame(shape[-2], shape[-1])
    plane = np.eye(3)
    plane[:2, :2], plane[:2, 2] = matrix[:2, :2], matrix[:2, -1]
    usable = bool(np.isfinite(plane).all()) and abs(np.linalg.det(plane)) > _ALMOST**2
    return Frame(shape[-2], shape[-1], tuple(map(tuple, plane.tolist())) if usable else None)


def is_moved(then: Frame, now: Frame) -> bool:
    """Whether a place in fractions of the one image is another in fractions of the other."""
    return then[:2] != now[:2] or not np.allclose(_step(then, now), np.eye(3), atol=_ALMOST)


def is_turned(then: Frame, now: Frame) -> bool:
    """Whether the image was turned by another angle than a right one, or slanted."""
    return bool(((np.abs(_step(then, now)[:2, :2]) > _ALMOST).sum(axis=0) > 1).any())


def _step(then: Frame, now: Frame) -> Matrix:
    """From a pixel of the image as it was to one of the image as it is."""
    before, after = (np.eye(3) if frame.affine is None else np.array(frame.affine) for frame in (then, now))
    return np.asarray(np.linalg.solve(after, before), np.float64)


def _has_record(image: Any, now: Frame) -> bool:
    """Whether an image says that it was moved; one that was cut off below or on the right says so in its operations alone."""
    moved = now.affine is not None and is_moved(Frame(now.height, now.width), now)
    return moved or bool(getattr(image, "applied_operations", ()))


def _moved(boxes: Boxes, then: Frame, now: Frame) -> list[list[float]]:
    """By their middles and half sizes, so that a box without area, or with its edges exchanged, has neither afterwards."""
    step = _step(then, now)
    edges = np.array(boxes, np.float64).reshape(-1, 2, 2) * np.array([[then.height], [then.width]])  # box, axis, low and high
    middles, halves = edges.mean(axis=2) - 0.5, (edges[:, :, 1] - edges[:, :, 0]) / 2
    middles = _applied(step[:2, :2], middles) + step[:2, 2] + 0.5
    halves = _applied(np.abs(step[:2, :2]), halves)
    low, high = ((middles + sign * halves) / now[:2] for sign in (-1, 1))
    moved: list[list[float]] = np.stack([low, high], axis=2).reshape(-1, 4).tolist()
    return moved


def _applied(matrix: Matrix, points: Matrix) -> Matrix:
    """The matrix times each point; a number that is missing (NaN) spoils only the axes that it is part of."""
    parts = matrix * points[:, None, :]
    return np.asarray(np.where(matrix == 0, 0.0, parts).sum(axis=2))
