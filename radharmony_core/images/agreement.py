"""Whether a JPG and a DICOM file show one image: the same polarity, the same size, and is it the JPG of MIMIC-CXR-JPG?

What is compared must not depend on how the JPG was made. Both films are reduced to a small grid, their gray levels are
replaced by ranks, so that a window, a gamma or an equalized histogram changes little, and the broad shading is taken away:
all chests are dark in the lungs and bright between them, and only the finer structure tells one from another.

How high they correlate does not tell whether they lie in place: a local contrast lowers it as a shift by 1 % does. That is
measured by itself, as the affine map that brings one onto the other.
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
from radharmony_core.images.reader import decode_image, read_header

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

# The map is looked for on a finer grid (Evangelidis and Psarakis, IEEE TPAMI 2008: it raises the correlation, whatever the
# contrast). On 15 chests it moves a corner by at most 0.66 % for any of 25 looks (gamma, CLAHE, windows, noise, sizes down to
# 64 pixels, JPEG at quality 5), by 0.9 % and more for a shift of 1 %, 1 % cut from each side or a turn by 1 degree, and then
# the correlation rises by 0.16 or more. Writing or a bar burnt into one of the two moves it too, and raises it by 0.15 at most.
FINE = 128
OFF_PLACE = 0.008
GAIN = 0.155
_BLUR = 5  # the width of the map's own smoothing, in places of the grid
_UNTIL = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-4)

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
    and height exchanged, at any size. ``turned`` says in words how the DICOM has to be turned to fit, "" as it is; the
    ``correlation`` is of the two after that, -1..1, of ranks without the broad shading; 0 where a film has nothing to compare.
    ``polarity`` is "unclear" for another film, or another cut of it. ``displacement`` is how far a corner of the film lies
    from its place, in parts of the film's side, 0.0 where that is not clear. ``mean_difference``, in gray levels, is to the
    exact MIMIC-CXR-JPG look, None where the sizes differ or the DICOM is in colour.
    """

    dicom_size: tuple[int, int]
    jpg_size: tuple[int, int]
    size: SizeAgreement
    polarity: Polarity
    correlation: float
    turned: str
    displacement: float
    mean_difference: float | None

    @property
    def in_place(self) -> bool:
        """Whether what is at one place in one, in parts of width and height, is there in the other; to a pixel or 0.8 %."""
        pixel = 1 / min(*self.dicom_size, *self.jpg_size)
        return self.polarity != "unclear" and not self.turned and self.displacement <= max(OFF_PLACE, pixel)

    @property
    def agrees(self) -> bool:
        """The same polarity and the same shape, and in place."""
        return self.polarity == "same" and self.in_place and self.size in ("same", "scaled")

    @property
    def is_mimic_cxr_jpg(self) -> bool:
        """Whether the JPG is the DICOM in the MIMIC-CXR-JPG look, but for the loss of a JPEG."""
        near = self.mean_difference is not None and self.mean_difference <= MIMIC_DIFFERENCE
        return near and self.polarity == "same" and self.in_place

    @property
    def words(self) -> str:
        """One sentence."""
        return f"{self._polarity_words()}; {self._size_words()}."

    def _polarity_words(self) -> str:
        measured = f"(correlation {self.correlation:.2f})"
        if self.is_mimic_cxr_jpg:
            return f"The JPG is the MIMIC-CXR-JPG picture of the DICOM, {self.mean_difference:.1f} gray levels apart on average"
        if self.turned:
            return f"The JPG looks like the DICOM {self.turned}" + (", and a negative of it" * (self.polarity == "inverted"))
        off = f", but not exactly in place: boxes may be off by about {self.displacement:.0%}".replace("%", " %")
        return {
            "same": f"The JPG and the DICOM have the same polarity {measured}",
            "inverted": f"The JPG is the negative of the DICOM {measured}",
            "unclear": f"The JPG is not clearly the DICOM's picture {measured}: another film, another cut or a hard window",
        }[self.polarity] + (off if self.polarity != "unclear" and not self.in_place else "")

    def _size_words(self) -> str:
        jpg, dicom = (f"{width} x {height}" for width, height in (self.jpg_size, self.dicom_size))
        return {
            "same": f"both are {jpg} pixels",
            "scaled": f"the JPG is {jpg} pixels, the DICOM {dicom}, of the same shape",
            "swapped": f"the JPG is {jpg} pixels, the DICOM {dicom}: width and height are exchanged",
            "other": f"the JPG is {jpg} pixels, the DICOM {dicom}, of another shape",
        }[self.size]


def compare_films(dicom: str | Path, jpg: str | Path) -> FilmAgreement:
    """Whether ``jpg`` (a JPEG, PNG or TIFF) shows the image in ``dicom``; the two may be given in either order.

    Raises UnsupportedImageError where they are not one DICOM file and one other, and as ``decode_image``.
    """
    dicom, jpg = _ordered(Path(dicom), Path(jpg))
    film = decode_image(dicom)
    has_look = any(preset.key == _MIMIC for preset in film.presets)  # a colour one has not
    dicom_size, shown = film.size, film.show(_MIMIC if has_look else "default").pixels
    del film
    picture = decode_image(jpg).show().pixels
    jpg_size = (picture.shape[1], picture.shape[0])
    correlation, turned = _correlation(_structure(shown, GRID), _structure(picture, GRID))
    is_clear = abs(correlation) >= CLEAR
    polarity: Polarity = "unclear" if not is_clear else "same" if correlation > 0 else "inverted"
    displacement = _displacement(shown, picture, negative=correlation < 0) if is_clear and not turned else 0.0
    difference = float(np.mean(cv2.absdiff(shown, picture))) if has_look and dicom_size == jpg_size else None
    size = _size(dicom_size, jpg_size)
    return FilmAgreement(dicom_size, jpg_size, size, polarity, correlation, turned, displacement, difference)


def _ordered(one: Path, other: Path) -> tuple[Path, Path]:
    """The DICOM file, then the other."""
    kinds = [read_header(path).source for path in (one, other)]
    if kinds.count("dicom") != 1:
        what = "two DICOM files" if "dicom" in kinds else " and ".join(f"a {kind.upper()}" for kind in kinds)
        raise UnsupportedImageError(
            f"Expected a DICOM file and a JPG, PNG or TIFF; got {what}: {one.name} and {other.name}. Name one of each."
        )
    return (one, other) if kinds[0] == "dicom" else (other, one)


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


def _structure(pixels: Gray, side: int) -> Floats:
    """Ranks of the film reduced to side x side, less their mean around each place; equal levels have equal ranks."""
    grid = cv2.resize(pixels.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA).round(2)
    _, places, counts = np.unique(grid, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places].reshape(grid.shape)
    return np.asarray(ranks - cv2.blur(ranks, (SHADING, SHADING), borderType=cv2.BORDER_REFLECT), np.float64)


def _correlation(dicom: Floats, jpg: Floats) -> tuple[float, str]:
    """Pearson's correlation as the films are, or how the DICOM has to be turned, in words, to fit clearly better, and that."""
    plain = _pearson(dicom, jpg)
    turned = {words: _pearson(turn(dicom), jpg) for words, turn in _TURNS.items()}
    best = max(turned, key=lambda words: abs(turned[words]))
    return (turned[best], best) if abs(turned[best]) >= max(CLEAR, abs(plain) + BETTER) else (plain, "")


def _displacement(dicom: Gray, jpg: Gray, *, negative: bool) -> float:
    """How far the affine map from one film to the other moves a corner, in parts of the side; 0.0 where none fits better."""
    one, other = (_structure(pixels, FINE) / FINE**2 for pixels in (dicom, jpg))
    if negative:
        other = -other
    begun, everywhere = np.eye(2, 3, dtype=np.float32), np.ones((FINE, FINE), np.uint8)
    try:
        fit, found = cv2.findTransformECC(
            one.astype(np.float32), other.astype(np.float32), begun, cv2.MOTION_AFFINE, _UNTIL, everywhere, _BLUR
        )
    except cv2.error:  # no map is better than any other: the films lie as they do, or nothing can be said
        return 0.0
    if fit - _pearson(one, other) < GAIN:
        return 0.0
    corners = np.array([(x, y, 1) for x in (0, FINE) for y in (0, FINE)], np.float64)
    return float(np.abs(corners @ np.asarray(found, np.float64).T - corners[:, :2]).max()) / FINE


def _pearson(one: Floats, other: Floats) -> float:
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return float((one * other).sum()) / scale if scale > 1e-6 else 0.0
