"""Small tools on pixel grids, from numpy and Pillow alone: blur, enlarging, clouds of noise, soft steps, smooth strokes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from radharmony_core.boxes import PixelBox

__all__ = ["Floats", "Frame", "Strokes", "blur", "clouds", "enlarge", "smoothstep"]

Floats: TypeAlias = NDArray[np.floating[Any]]  # float32 wherever a film is large
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a film lies on the patient. ``width`` and ``height`` in pixels, both even; ``cm`` is the width of a pixel; ``x0, y0``
    are the film's top left corner in centimetres. x grows to the right of the film, y downwards."""

    width: int
    height: int
    cm: float
    x0: float
    y0: float

    def grid(self, step: int = 2) -> tuple[Floats, Floats]:
        """Centres of the cells of ``step`` x ``step`` pixels: x as (1, columns) and y as (rows, 1), in centimetres."""
        x = self.x0 + (np.arange(self.width // step, dtype=np.float32) + 0.5) * (self.cm * step)
        y = self.y0 + (np.arange(self.height // step, dtype=np.float32) + 0.5) * (self.cm * step)
        return x[None, :].astype(np.float32), y[:, None].astype(np.float32)

    def pixel(self, x: float, y: float) -> Point:
        """A place on the patient, in pixels from the film's top left corner."""
        return (x - self.x0) / self.cm, (y - self.y0) / self.cm

    def box(self, left: float, top: float, right: float, bottom: float) -> PixelBox:
        """The part of a rectangle in centimetres that lies on the film, in whole pixels, with an area."""
        a, b = self.pixel(left, top)
        c, d = self.pixel(right, bottom)
        x, y = min(max(0, round(a)), self.width - 2), min(max(0, round(b)), self.height - 2)
        return PixelBox(x, y, max(1, min(self.width, round(c)) - x), max(1, min(self.height, round(d)) - y))


def _kernel(sigma: float) -> Floats:
    radius = max(1, math.ceil(3 * sigma))
    taps = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return np.asarray(taps / taps.sum(), dtype=np.float32)


def _blur_rows(image: Floats, kernel: Floats) -> Floats:
    radius = len(kernel) // 2
    padded = np.pad(image, ((radius, radius), (0, 0)), mode="edge")
    out = padded[radius : radius + image.shape[0]] * kernel[radius]
    for offset in range(1, radius + 1):
        low = padded[radius - offset : radius - offset + image.shape[0]]
        out += kernel[radius + offset] * (low + padded[radius + offset : radius + offset + image.shape[0]])
    return np.asarray(out)


def blur(image: Floats, sigma: float) -> Floats:
    """Gaussian blur of a (rows, columns) image, ``sigma`` in pixels, edges continued; wide ones are done on a smaller copy."""
    if sigma > 6:
        factor = int(sigma // 3)
        rows, columns = image.shape
        small = resize(image, max(2, columns // factor), max(2, rows // factor), Image.Resampling.BOX)
        return resize(blur(small, sigma / factor), columns, rows, Image.Resampling.BICUBIC)
    kernel = _kernel(sigma)
    once = np.ascontiguousarray(_blur_rows(image, kernel).T)
    return np.ascontiguousarray(_blur_rows(once, kernel).T)


def resize(image: Floats, columns: int, rows: int, how: Image.Resampling) -> Floats:
    """Another size by Pillow's own filters, which are the same on every machine."""
    picture = Image.fromarray(np.ascontiguousarray(image, dtype=np.float32))
    return np.asarray(picture.resize((columns, rows), how), dtype=np.float32)


def enlarge(image: Floats, frame: Frame) -> Floats:
    """A map on the coarse grid, at the size of the film."""
    return resize(image, frame.width, frame.height, Image.Resampling.BICUBIC)


def clouds(draws: np.random.Generator, shape: tuple[int, int], cell: float, octaves: int = 3, gain: float = 0.6) -> Floats:
    """Smooth noise, mean 0, standard deviation about 1: ``cell`` is the largest lump in grid steps, each octave half of it."""
    total = np.zeros(shape, np.float32)
    power = 0.0
    for octave in range(octaves):
        size = max(1.0, cell / 2**octave)
        rows, columns = int(shape[0] / size) + 3, int(shape[1] / size) + 3
        lumps = draws.standard_normal((rows, columns), dtype=np.float32)
        total += gain**octave * resize(lumps, shape[1], shape[0], Image.Resampling.BICUBIC)
        power += gain ** (2 * octave)
    return total / np.float32(0.75 * math.sqrt(power))


def smoothstep(values: Floats, low: float | Floats, high: float | Floats) -> Floats:
    """0 below ``low``, 1 above ``high``, smooth between (and the other way round if ``low`` is the larger)."""
    t = np.clip((values - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), dtype=np.float32)


class Strokes:
    """Lines and areas in centimetres on a film, anti-aliased by drawing at twice the size. Values 0..1; the last stroke wins."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._image = Image.new("L", (frame.width * 2, frame.height * 2))
        self._draw = ImageDraw.Draw(self._image)

    def _points(self, points: Iterable[Point]) -> list[Point]:
        return [(2 * a, 2 * b) for a, b in (self._frame.pixel(x, y) for x, y in points)]

    def line(self, points: Sequence[Point], width: float, value: float) -> None:
        """A line of ``width`` cm, with round joints and ends if it is broad enough for them to show."""
        self._pixels_line(self._points(points), width, value)

    def _pixels_line(self, pixels: list[Point], width: float, value: float) -> None:
        broad = max(1, round(2 * width / self._frame.cm))
        fill = round(255 * value)
        self._draw.line(pixels, fill=fill, width=broad, joint="curve" if broad > 7 else None)
        if broad > 7:
            for x, y in (pixels[0], pixels[-1]):
                self._draw.ellipse((x - broad / 2, y - broad / 2, x + broad / 2, y + broad / 2), fill=fill)

    def tube(self, points: Sequence[Point], width: float, value: float) -> None:
        """A round thing seen from the side: brightest along its middle, as a filled cylinder is."""
        pixels = self._points(points)
        thin = 2 * width / self._frame.cm < 6
        for share, height in ((1.0, 0.6), (0.5, 0.95)) if thin else ((1.0, 0.4), (0.8, 0.7), (0.5, 0.95)):
            self._pixels_line(pixels, width * share, value * height)

    def area(self, points: Sequence[Point], value: float) -> None:
        """A filled polygon."""
        self._draw.polygon(self._points(points), fill=round(255 * value))

    def disc(self, x: float, y: float, radius: float, value: float) -> None:
        """A filled circle."""
        (a, b), (c, d) = self._points([(x - radius, y - radius), (x + radius, y + radius)])
        self._draw.ellipse((a, b, c, d), fill=round(255 * value))

    def array(self) -> Floats:
        """(rows, columns) of the film, 0..1."""
        return np.asarray(self._image.reduce(2), dtype=np.float32) / np.float32(255)
