"""Vessels and airways of a frontal chest: trees that branch and taper from each hilum, in cm of tissue or air along the ray.

The trees are grown in patient coordinates, so they stay the same for every film of a patient; what a disease hides is
masked later.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from radharmony_core.demo.anatomy import SIDES, Chest
from radharmony_core.demo.dice import stream
from radharmony_core.demo.raster import Floats, Frame, Strokes, blur

__all__ = ["Branch", "airways", "grow", "hila", "vessels"]


@dataclass(frozen=True, slots=True)
class Branch:
    """One piece of a vessel: a run of points in cm, and its radius."""

    points: list[tuple[float, float]]
    radius: float


def grow(
    seed: tuple[object, ...], start: tuple[float, float], angle: float, radius: float, levels: int, reach: float = 3.0
) -> Iterator[Branch]:
    """A tree from ``start``: ``angle`` in radians (0 to the right of the film, growing downwards), ``radius`` in cm."""
    draws = stream(*seed)
    heads = [(start, angle, radius)]
    for level in range(levels):
        following = []
        for (x, y), heading, thick in heads:
            points = [(x, y)]
            length = reach * (0.83**level) * draws.uniform(0.6, 1.25)
            for _ in range(4):
                heading += draws.gauss(0, 0.17)
                x, y = x + length / 4 * math.cos(heading), y + length / 4 * math.sin(heading)
                points.append((x, y))
                if draws.random() < 0.22:
                    following.append(((x, y), heading + draws.choice((-1, 1)) * draws.uniform(0.5, 1.0), thick * 0.5))
            yield Branch(points, thick)
            spread = draws.uniform(0.22, 0.5)
            forks = [(sign * spread * draws.uniform(0.5, 1.2), thick * draws.uniform(0.68, 0.84)) for sign in (-1, 1)]
            following += [((x, y), heading + turn, thinner) for turn, thinner in forks]
        heads = [head for head in following if head[2] > 0.036]


# Segmental branches: where they leave the central artery (cm outwards and down from the hilum), heading in degrees from up
# to down, radius in cm. For the right lung mirrored. Those of the upper lobes are the thinner ones in a person who stands.
_FAN = (
    (0.0, -1.6, -84, 0.17), (0.3, -1.2, -64, 0.20), (0.5, -0.6, -42, 0.18), (0.8, 0.2, -16, 0.17), (1.0, 0.9, 6, 0.19),
    (1.1, 1.6, 28, 0.23), (1.2, 2.4, 46, 0.25), (1.3, 3.2, 60, 0.27), (1.4, 3.8, 74, 0.27),
    (0.6, 3.0, 92, 0.24), (0.1, 2.6, 104, 0.18),
)  # fmt: skip


def vessels(chest: Chest, frame: Frame, upper: float = 1.0) -> Floats:
    """All lung vessels on the film's grid, in cm of tissue; ``upper`` above 1 widens those above, as congestion does."""
    strokes = Strokes(frame)
    _seen_end_on(chest, strokes)
    branches: list[Branch] = []
    for side in SIDES:
        x, y = chest.hilum(side)
        for number, (out, down, degrees, radius) in enumerate(_FAN):
            wide = radius * (upper if degrees < 0 else 1.0)
            turn = math.radians(degrees)
            heading = turn if side > 0 else math.pi - turn
            branches += grow((chest.seed, side, number), (x + side * out, y + down), heading, wide, 6, 0.12 * chest.height)
    for branch in sorted(branches, key=lambda one: one.radius):
        strokes.tube(branch.points, 2 * branch.radius, min(1.0, 0.035 + 2.4 * branch.radius))
    return np.asarray(1.45 * strokes.array(), dtype=np.float32)


def _seen_end_on(chest: Chest, strokes: Strokes) -> None:
    """Vessels that run along the beam are small round dots, most of them near the hila."""
    draws = stream(chest.seed, "dots")
    for side in SIDES:
        x, y = chest.hilum(side)
        for _ in range(9):
            out, angle = 1.0 + 5.5 * draws.random() ** 1.5, draws.uniform(-1.4, 1.5)
            radius = draws.uniform(0.07, 0.2) * (1.15 - 0.1 * out)
            strokes.disc(x + side * out * math.cos(angle), y + out * math.sin(angle) + 0.5, max(0.05, radius), 0.1 + 1.4 * radius)


def hila(chest: Chest, frame: Frame, upper: float = 1.0) -> Floats:
    """The central pulmonary arteries, on the coarse grid, in cm of tissue."""
    small = Frame(frame.width // 2, frame.height // 2, frame.cm * 2, frame.x0, frame.y0)
    strokes = Strokes(small)
    draws = stream(chest.seed, "hila")
    for side in SIDES:
        x, y = chest.hilum(side)
        thick = draws.uniform(1.25, 1.6) * upper**0.5
        down = [(x - side * 1.2, y - 0.6), (x + side * 0.3, y + 0.2), (x + side * 0.9, y + 1.8), (x + side * 1.4, y + 4.2)]
        up = [(x - side * 1.0, y + 0.4), (x + side * 0.2, y - 1.2), (x + side * 0.8, y - 3.0)]
        strokes.tube(up, 0.65 * thick, 0.5)
        strokes.tube(down, thick, 0.8)
        strokes.tube([down[2], down[3], (x + side * 1.8, y + 6.6)], 0.6 * thick, 0.55)
        for _ in range(7):
            strokes.disc(
                x + side * draws.uniform(-0.2, 1.2),
                y + draws.uniform(-1.5, 2.6),
                draws.uniform(0.2, 0.5),
                draws.uniform(0.4, 0.8),
            )
    return np.asarray(2.3 * blur(strokes.array(), 0.14 / small.cm), dtype=np.float32)


def airways(chest: Chest, frame: Frame) -> Floats:
    """Windpipe and main bronchi on the coarse grid, in cm of air."""
    small = Frame(frame.width // 2, frame.height // 2, frame.cm * 2, frame.x0, frame.y0)
    strokes = Strokes(small)
    cx, cy = chest.carina()
    bend = 0.25 * chest.knob
    for share, value in ((1.0, 0.45), (0.85, 0.75), (0.55, 1.0)):
        strokes.line([(0.3, -16.0), (0.0, 0.0), (cx - bend, 0.6 * cy), (cx, cy + 0.2)], 1.8 * share, value)
        strokes.line([(cx - 0.1, cy - 0.2), (cx - 1.9, cy + 2.0), (cx - 3.3, cy + 4.2)], 1.15 * share, 0.75 * value)
        strokes.line([(cx + 0.1, cy - 0.2), (cx + 2.2, cy + 1.6), (cx + 4.4, cy + 2.9)], 1.05 * share, 0.7 * value)
    return np.asarray(2.0 * blur(strokes.array(), 0.14 / small.cm), dtype=np.float32)
