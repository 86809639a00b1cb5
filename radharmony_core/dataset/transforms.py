"""The default transform: a film fitted into a square with its aspect ratio kept, and its boxes with it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from radharmony_core.boxes import NormBox
from radharmony_core.dataset.arguments import whole_number
from radharmony_core.dataset.arrays import to_array, to_dtype
from radharmony_core.dataset.fitting import fit_boxes
from radharmony_core.dataset.notices import DatasetWarning
from radharmony_core.dataset.outcome import FORGOTTEN_MASK, is_elsewhere
from radharmony_core.dataset.ragged import Boxes
from radharmony_core.errors import ConfigError

__all__ = ["DefaultTransform", "Letterbox"]

_LARGEST = 8192


class Letterbox(NamedTuple):
    """Where the film lies in the square: ``height`` x ``width`` pixels from row ``top`` and column ``left``, of ``size``."""

    top: int
    left: int
    height: int
    width: int
    size: int

    def place(self, box: NormBox) -> NormBox:
        """A box in fractions of the film, in fractions of the square."""
        y_min, y_max = ((self.top + edge * self.height) / self.size for edge in (box.y_min, box.y_max))
        x_min, x_max = ((self.left + edge * self.width) / self.size for edge in (box.x_min, box.x_max))
        return NormBox(y_min, y_max, x_min, x_max)


@dataclass(frozen=True, slots=True)
class DefaultTransform:
    """Fits a film into a square of ``size`` pixels: the longer side fills it, the aspect ratio is kept, the rest is black.

    The shorter side is rounded to a whole pixel and centred, an odd pixel going below or to the right. Films are averaged
    when they are reduced and interpolated when they are enlarged. Boxes are moved by the very same numbers.

    Also a transform on sample dicts, alone or in a MONAI ``Compose``: ``img`` and ``mask`` (channels x height x width) become
    channels x ``size`` x ``size``, ``bbox`` follows, other keys stay as they are. A subclass is a transform like any other: it is
    called, and its films are not cached. Raises ConfigError for a size that is not a whole number from 1 to 8192.
    """

    size: int = 224

    def __post_init__(self) -> None:
        size = whole_number(self.size)
        if size is None or not 1 <= size <= _LARGEST:
            raise ConfigError(f"Expected a size of 1 to {_LARGEST} whole pixels; got {self.size!r:.80}.")
        object.__setattr__(self, "size", size)  # an int, where NumPy's was given

    def letterbox(self, height: int, width: int) -> Letterbox:
        """Where a film of ``height`` x ``width`` pixels comes to lie."""
        scale = self.size / max(height, width)
        rows, columns = (max(1, round(side * scale)) for side in (height, width))
        return Letterbox((self.size - rows) // 2, (self.size - columns) // 2, rows, columns, self.size)

    def fit(self, pixels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A film of rows x columns (``uint8`` or ``float32``) in the square, of the same type."""
        where = self.letterbox(*pixels.shape)
        # Pillow's BILINEAR averages all pixels under each new one, and never overshoots: 0..1 stays 0..1.
        resized = Image.fromarray(pixels).resize((where.width, where.height), Image.Resampling.BILINEAR)
        square = np.zeros((self.size, self.size), pixels.dtype)
        square[where.top : where.top + where.height, where.left : where.left + where.width] = resized
        return square

    def __call__(self, sample: Mapping[str, Any]) -> dict[str, Any]:
        """A new sample of ``size``; the one given stays as it is."""
        if "mask" in sample and is_elsewhere(sample["img"], sample["mask"]):
            warnings.warn(FORGOTTEN_MASK, DatasetWarning, stacklevel=2)
        out = fit_boxes(sample)
        image = to_array(sample["img"]).astype(np.float32)
        height, width = image.shape[-2:]
        out["img"] = _like(sample["img"], np.stack([self.fit(np.ascontiguousarray(channel)) for channel in image]))
        if "mask" in sample:
            out["mask"] = _like(sample["mask"], self._fit_masks(to_array(sample["mask"])))
        if "bbox" in sample:
            where = self.letterbox(height, width)
            moved = [list(where.place(NormBox(*box))) for box in out["bbox"]]
            out["bbox"] = Boxes(moved, (self.size, self.size))
        return out

    def _fit_masks(self, masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Each pixel of the square from the one pixel under its centre: a mask stays 0 and 1."""
        where = self.letterbox(*masks.shape[-2:])
        rows, columns = (
            ((np.arange(there) + 0.5) * here / there).astype(np.int64)
            for here, there in zip(masks.shape[-2:], (where.height, where.width), strict=True)
        )
        square = np.zeros((*masks.shape[:-2], self.size, self.size), masks.dtype)
        square[..., where.top : where.top + where.height, where.left : where.left + where.width] = masks[
            ..., rows[:, None], columns
        ]
        return square


def _like(given: Any, array: npt.NDArray[Any]) -> Any:
    """``array`` in the family and type of what was given."""
    return to_dtype(array, given.dtype)
