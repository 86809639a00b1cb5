"""What lies on the patient or on the film: devices, monitoring leads, the side marker, the collimator's edge."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from radharmony_core.demo.anatomy import Chest
from radharmony_core.demo.dice import stream
from radharmony_core.demo.raster import Floats, Frame, Strokes

__all__ = ["DEVICES", "collimation", "devices", "marker"]

DEVICES = {
    "pacemaker": "Left-sided dual-lead pacemaker is in place.",
    "tube": "Endotracheal tube ends above the carina.",
    "line": "Right internal jugular central venous catheter ends in the superior vena cava.",
    "wires": "Median sternotomy wires are intact.",
    "feeding": "Enteric tube passes below the diaphragm.",
}


def _pacemaker(chest: Chest, strokes: Strokes) -> None:
    x, y = 9.2, 4.6
    outline = [
        (
            x + 2.1 * math.copysign(abs(math.cos(t)) ** 0.7, math.cos(t)),
            y + 1.8 * math.copysign(abs(math.sin(t)) ** 0.7, math.sin(t)),
        )
        for t in np.linspace(0, 2 * math.pi, 40)
    ]
    strokes.area(outline, 0.75)
    strokes.area([(x - 1.2, y - 0.6), (x + 1.2, y - 0.6), (x + 1.2, y + 1.0), (x - 1.2, y + 1.0)], 0.95)
    h = chest.height
    atrium = [
        (x - 2, y - 0.8),
        (5.5, 2.8),
        (1.0, 4.6),
        (-2.0, 7.0),
        (-2.6, 0.55 * h),
        (-2.9, 0.66 * h),
        (-2.2, 0.68 * h),
        (-1.8, 0.63 * h),
    ]
    ventricle = [
        (x - 2, y - 0.4),
        (5.3, 3.2),
        (0.8, 5.0),
        (-1.7, 7.4),
        (-2.2, 0.6 * h),
        (-1.2, 0.8 * h),
        (2.0, 0.87 * h),
        (5.6, 0.88 * h),
    ]
    for path in (atrium, ventricle):
        strokes.line(_curve(path), 0.17, 0.85)
    strokes.line(_curve(ventricle)[-4:], 0.26, 1.0)


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)


def _curve(points: list[tuple[float, float]], steps: int = 8) -> list[tuple[float, float]]:
    """A smooth line through the points (Catmull-Rom)."""
    ends = [points[0], *points, points[-1]]
    out: list[tuple[float, float]] = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        out += [(_spline(a[0], b[0], c[0], d[0], k / steps), _spline(a[1], b[1], c[1], d[1], k / steps)) for k in range(steps)]
    return [*out, points[-1]]


def _tube(chest: Chest, strokes: Strokes) -> None:
    x, y = chest.carina()
    path = _curve([(0.6, -8.0), (0.1, -2.0), (x - 0.1, y - 4.0)])
    for shift in (-0.45, 0.45):
        strokes.line([(px + shift, py) for px, py in path], 0.13, 0.35)
    strokes.line([(px - 0.1, py) for px, py in path], 0.12, 0.7)


def _line(chest: Chest, strokes: Strokes) -> None:
    strokes.line(_curve([(-4.6, -8.0), (-3.8, -2.0), (-2.4, 2.5), (-2.5, 6.0), (-2.6, 0.46 * chest.height)]), 0.22, 0.4)


def _wires(chest: Chest, strokes: Strokes) -> None:
    for number in range(5):
        x, y = chest.turn, 5.0 + 3.0 * number
        loop = [(x - 0.55, y - 0.12), (x - 0.1, y + 0.16), (x + 0.5, y + 0.14), (x + 0.55, y - 0.1), (x + 0.05, y - 0.14)]
        strokes.line(_curve([*loop, (x - 0.35, y + 0.2)]), 0.075, 0.9)
        strokes.line([(x - 0.05, y - 0.22), (x + 0.06, y + 0.26)], 0.13, 0.9)


def _feeding(chest: Chest, strokes: Strokes) -> None:
    h = chest.height
    path = _curve([(0.8, -8.0), (0.5, 0.0), (0.3, 0.4 * h), (0.9, 0.85 * h), (3.0, h + 2.0), (5.6, h + 5.5)])
    strokes.line(path, 0.3, 0.22)
    strokes.line(path, 0.08, 0.5)


def _leads(chest: Chest, strokes: Strokes, seed: int) -> None:
    draws = stream(seed, "leads")
    for side, y in ((-1, 2.5), (1, 2.0), (1, 0.8 * chest.height), (-1, 0.95 * chest.height)):
        x = side * draws.uniform(8.5, 12.5)
        y = y + draws.uniform(-1, 1.5)
        strokes.disc(x, y, 0.62, 0.22)
        strokes.disc(x, y, 0.3, 0.9)
        end = (side * draws.uniform(15, 19), y + draws.uniform(4, 12))
        strokes.line(
            _curve([(x, y), (x + side * 1.5, y + draws.uniform(1, 3)), ((x + end[0]) / 2, y + draws.uniform(3, 6)), end]),
            0.14,
            0.32,
        )


def devices(chest: Chest, frame: Frame, names: tuple[str, ...], *, leads: bool, seed: int) -> Floats | None:
    """Metal and plastic as attenuation (no unit) on the film's grid, or None where there is nothing."""
    if not names and not leads:
        return None
    strokes = Strokes(frame)
    draw = {"pacemaker": _pacemaker, "tube": _tube, "line": _line, "wires": _wires, "feeding": _feeding}
    for name in names:
        draw[name](chest, strokes)
    if leads:
        _leads(chest, strokes, seed)
    return np.asarray(1.5 * strokes.array(), dtype=np.float32)


def marker(letter: str, frame: Frame, *, on_right: bool, portable: bool, seed: int) -> Floats:
    """A lead letter near a top corner of the film, 0..1. On a frontal film the patient's left is on the right."""
    draws = stream(seed, "marker")
    size = round((1.5 if portable else 1.9) / frame.cm)
    image = Image.new("L", (frame.width, frame.height))
    draw = ImageDraw.Draw(image)
    x = draws.uniform(0.9, 0.93) if on_right else draws.uniform(0.07, 0.1)
    at = (x * frame.width, draws.uniform(0.07, 0.13) * frame.height)
    draw.text(at, letter, fill=255, font=ImageFont.load_default(size), anchor="mm", stroke_width=max(1, size // 22))
    if portable:
        note = (at[0] - (0.02 * frame.width if on_right else 0), at[1] + 1.1 * size)
        draw.text(note, "AP", fill=225, font=ImageFont.load_default(size * 0.5), anchor="mm")
    return np.asarray(image, dtype=np.float32) / np.float32(255)


def collimation(frame: Frame, seed: int) -> tuple[int, int, int, int] | None:
    """What the collimator leaves open: top, bottom, left and right in pixels; None for the whole film, as on most."""
    draws = stream(seed, "shutter")
    if draws.random() > 0.3:
        return None
    edges = [round(draws.uniform(0.0, 0.022) * frame.height) for _ in range(4)]
    return edges[0], frame.height - edges[1], edges[2], frame.width - edges[3]
