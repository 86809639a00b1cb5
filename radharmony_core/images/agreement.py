"""Whether a JPG and a DICOM file show one image: the same polarity, the same size, and is it the JPG of MIMIC-CXR-JPG?

What is compared must not depend on how the JPG was made. Both films are reduced to a small grid, their gray levels are
replaced by ranks, so that a window, a gamma or an equalized histogram changes little, and the broad shading is taken away:
all chests are dark in the lungs and bright between them, and only the finer structure tells one from another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import cv2
import numpy as np

from radharmony_core.errors import UnsupportedImageError
from radharmony_core.images.film import Floats, Gray
from radharmony_core.images.reader import decode_image

__all__ = ["FilmAgreement", "Polarity", "SizeAgreement", "compare_films"]

SizeAgreement: TypeAlias = Literal["same", "scaled", "swapped", "other"]
Polarity: TypeAlias = Literal["same", "inverted", "unclear"]

# Measured on 17 chests and a dog. Two different films correlate by -0.17 to 0.47 on a grid of 64 less the mean over 9 x 9;
# their plain ranks by up to 0.82. The same film correlates by 0.98 to 1 with its equalized self, and by 0.75 or more where it
# was sharpened, shrunk to a third at JPEG quality 30, stretched to 256 x 256, moved by 1 %, or given a gamma, CLAHE or noise.
# Below are only a window that makes half of the film black or white (from 0.57) and 2 % cut from each side (from 0.46).
GRID = 64
SHADING = 9
CLEAR = 0.7

# A chest's mirror image correlates with it by up to 0.74, so a turned film is looked for too, and has to be better by this.
BETTER = 0.05

# The mean error of JPEG at quality 95 is 0.7 to 1.3 gray levels on the same films; the look without its equalization is
# 7.7 to 64 levels away, CLAHE 20 or more. Another way of equalizing (Pillow's) is 0.7 to 2.9 away, too near to be told apart.
MIMIC_DIFFERENCE = 2.0
_MIMIC = "mimic_cxr_jpg"

_TURNS: dict[str, Callable[[Floats], Floats]] = {
    "mirrored left to right": np.fliplr,
    "mirrored top to bottom": np.flipud,
    "turned by 180 degrees": lambda grid: np.rot90(grid, 2),
    "turned by 90 degrees to the left": np.rot90,
    "turned by 90 degrees to the right": lambda grid: np.rot90(grid, -1),
    "mirrored at the diagonal from top left": np.transpose,
    "mirrored at the diagonal from top right": lambda grid: np.rot90(grid, 2).T,
}


@dataclass(frozen=True)
class FilmAgreement:
    """How far a JPG is the picture of a DICOM file.

    Sizes are width and height in pixels, upright. ``size``: "scaled" is the same shape at another size, "swapped" has width
    and height exchanged, at any size. ``correlation`` is -1..1, of ranks without the broad shading; 0 where a film has
    nothing to compare. ``polarity`` is "unclear" for another film, another cut of it, or one that is ``turned`` (in words; ""
    as it is). ``mean_difference``, in gray levels, is to the exact MIMIC-CXR-JPG look, None where the sizes differ or the DICOM
    is in colour.
    """

    dicom_size: tuple[int, int]
    jpg_size: tuple[int, int]
    size: SizeAgreement
    polarity: Polarity
    correlation: float
    turned: str
    mean_difference: float | None

    @property
    def agrees(self) -> bool:
        """The same polarity, and the same shape."""
        return self.polarity == "same" and self.size in ("same", "scaled")

    @property
    def is_mimic_cxr_jpg(self) -> bool:
        """Whether the JPG is the DICOM in the MIMIC-CXR-JPG look, but for the loss of a JPEG."""
        near = self.mean_difference is not None and self.mean_difference <= MIMIC_DIFFERENCE
        return near and self.polarity == "same"

    @property
    def words(self) -> str:
        """One sentence."""
        return f"{self._polarity_words()}; {self._size_words()}."

    def _polarity_words(self) -> str:
        measured = f"(correlation {self.correlation:.2f})"
        if self.is_mimic_cxr_jpg:
            return f"The JPG is the MIMIC-CXR-JPG picture of the DICOM, {self.mean_difference:.1f} gray levels apart on average"
        if self.turned:
            return f"The JPG looks like the DICOM {self.turned}"
        return {
            "same": f"The JPG and the DICOM have the same polarity {measured}",
            "inverted": f"The JPG is the negative of the DICOM {measured}",
            "unclear": f"The JPG is not clearly the DICOM's picture {measured}: another film, another cut or a hard window",
        }[self.polarity]

    def _size_words(self) -> str:
        jpg, dicom = (f"{width} x {height}" for width, height in (self.jpg_size, self.dicom_size))
        return {
            "same": f"both are {jpg} pixels",
            "scaled": f"the JPG is {jpg} pixels, the DICOM {dicom}, of the same shape",
            "swapped": f"the JPG is {jpg} pixels, the DICOM {dicom}: width and height are exchanged",
            "other": f"the JPG is {jpg} pixels, the DICOM {dicom}, of another shape",
        }[self.size]


def compare_films(dicom: str | Path, jpg: str | Path) -> FilmAgreement:
    """Whether ``jpg`` (a JPEG, PNG or TIFF) shows the image in ``dicom``.

    Raises UnsupportedImageError where the first is no DICOM file, and as ``decode_image`` where one cannot be read.
    """
    film = decode_image(dicom)
    if film.source != "dicom":
        raise UnsupportedImageError(
            f"{film.path.name} was given as the DICOM file, and it is a {film.source.upper()}. Name the DICOM first, then the "
            "JPG."
        )
    has_look = any(preset.key == _MIMIC for preset in film.presets)  # a colour one has not
    dicom_size, shown = film.size, film.show(_MIMIC if has_look else "default").pixels
    del film
    picture = decode_image(jpg).show().pixels
    jpg_size = (picture.shape[1], picture.shape[0])
    correlation, turned = _correlation(_structure(shown), _structure(picture))
    is_clear = abs(correlation) >= CLEAR and not turned
    polarity: Polarity = "unclear" if not is_clear else "same" if correlation > 0 else "inverted"
    difference = float(np.mean(cv2.absdiff(shown, picture))) if has_look and dicom_size == jpg_size else None
    return FilmAgreement(dicom_size, jpg_size, _size(dicom_size, jpg_size), polarity, correlation, turned, difference)


def _size(dicom: tuple[int, int], jpg: tuple[int, int]) -> SizeAgreement:
    if dicom == jpg:
        return "same"
    if _is_scaled(dicom, jpg):
        return "scaled"
    return "swapped" if _is_scaled((dicom[1], dicom[0]), jpg) else "other"


def _is_scaled(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether one factor brings both sides to the others, each within a pixel."""
    least = max((side - 1) / from_side for from_side, side in zip(one, other, strict=True))
    most = min((side + 1) / from_side for from_side, side in zip(one, other, strict=True))
    return least <= most


def _structure(pixels: Gray) -> Floats:
    """Ranks of the film reduced to the grid, less their mean around each place; equal levels have equal ranks."""
    grid = cv2.resize(pixels.astype(np.float32), (GRID, GRID), interpolation=cv2.INTER_AREA).round(2)
    _, places, counts = np.unique(grid, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places].reshape(grid.shape)
    return np.asarray(ranks - cv2.blur(ranks, (SHADING, SHADING), borderType=cv2.BORDER_REFLECT), np.float64)


def _correlation(dicom: Floats, jpg: Floats) -> tuple[float, str]:
    """Pearson's correlation as the films are, and in words how the DICOM has to be turned to fit clearly better."""
    plain = _pearson(dicom, jpg)
    turned = {words: abs(_pearson(turn(dicom), jpg)) for words, turn in _TURNS.items()}
    best = max(turned, key=lambda words: turned[words])
    return plain, best if turned[best] >= max(CLEAR, abs(plain) + BETTER) else ""


def _pearson(one: Floats, other: Floats) -> float:
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return float((one * other).sum()) / scale if scale > 1e-6 else 0.0
