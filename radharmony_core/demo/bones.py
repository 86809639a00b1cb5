"""Bones of a frontal chest, in centimetres of compact bone along the ray, on the coarse grid.

All ribs are drawn at once. Unrolled from the rib cage, a rib falls from back to front by ``rib_drop``; seen along the beam the
back wall and the front wall of the cage each turn that fall into a field whose levels are the ribs, so that one lookup draws all.
"""

from __future__ import annotations

import numpy as np

from radharmony_core.demo.anatomy import SIDES, Chest
from radharmony_core.demo.frontal import root
from radharmony_core.demo.raster import Floats, Frame, Strokes, blur, clouds, smoothstep

__all__ = ["bones"]


def _shaft(distance: Floats, radius: float, shell: float) -> Floats:
    """A hollow rod across its width: thin in the middle, bright where the ray runs along the cortex."""
    outer = root(distance / radius)
    inside = root(distance / (radius - shell))
    return np.asarray(1.15 * outer * radius - inside * (radius - shell), dtype=np.float32)


def _ribs(chest: Chest, x: Floats, y: Floats, warp: Floats, front: bool) -> Floats:
    draws = np.random.Generator(np.random.PCG64(chest.seed))
    cage = chest.cage(y)
    across = np.clip(np.abs(x) / cage, 0, 1)
    cosine = np.sqrt(np.maximum(1 - across * across, 1e-4))
    drop = chest.rib_drop * np.clip(0.5 + 0.5 * (y + 1) / 12, 0.45, 1.0)
    fall = drop * 0.5 * (1 + cosine if front else 1 - cosine)
    hump = 0.0 if front else -0.55 * np.exp(-(((np.abs(x) - 4) / 2.6) ** 2))
    level = y - fall - hump + warp
    centres = 0.35 + chest.rib_gap * np.arange(12) + draws.normal(0, 0.1, 12)
    if front:
        centres = centres[:9]
    table_at = np.linspace(-4, 40, 2200)
    gap = table_at[:, None] - centres[None, :]
    table = gap[np.arange(len(table_at)), np.abs(gap).argmin(axis=1)].astype(np.float32)
    index = np.clip(((level + 4) * (2199 / 44)), 0, 2199).astype(np.int32)
    slope = np.minimum(drop * 0.5 * across / (cage * cosine), 1.5)
    offset = table[index]
    distance = offset / np.sqrt(1 + slope * slope)
    radius = 0.72 if front else 0.62
    bone = _shaft(distance, radius, 0.13) * np.minimum(1 / cosine, 1.6)
    rim = cage + 0.22 * root(offset / 1.1) - 0.12  # each rib bulges where it turns, so the cage's outline is scalloped
    bone = bone * smoothstep(rim - np.abs(x), 0.0, 0.1) * (y > -0.5)
    if front:
        stop = 3.6 + 0.42 * np.clip(y - 4, 0, 14)
        return np.asarray(0.52 * bone * smoothstep(np.abs(x), stop - 0.3, stop + 0.5), dtype=np.float32)
    short = smoothstep(np.abs(x) + 1.3 * np.maximum(level - centres[9] - 1, 0), 13, 10.5) + (level < centres[9] + 1)
    return np.asarray(bone * smoothstep(np.abs(x), 1.4, 2.2) * np.minimum(short, 1), dtype=np.float32)


def _spine(chest: Chest, x: Floats, y: Floats) -> Floats:
    gap = chest.rib_gap * 0.98
    centre = chest.curve * np.sin(y / 7.0) - 0.15 * chest.turn
    half = 1.45 + 0.026 * np.clip(y + 4, 0, 40)
    phase = np.mod(y + 0.3 * gap, gap) / gap
    plate = np.exp(-(((phase - 0.06) / 0.035) ** 2)) + np.exp(-(((phase - 0.88) / 0.035) ** 2))
    body = smoothstep(phase, 0.02, 0.08) * smoothstep(phase, 0.93, 0.86)
    waist = half * (1 - 0.1 * np.sin(np.pi * np.clip(phase, 0, 1)))
    across = (x - centre) / waist
    column = root(across, 0.45) * (0.34 * body + 0.14 * plate + 0.4)
    edge = 0.16 * np.exp(-(((np.abs(x - centre) - waist + 0.1) / 0.11) ** 2)) * body
    ovals = np.sqrt(((np.abs(x - centre) - 0.62 * half) / 0.42) ** 2 + ((phase - 0.35) / 0.2) ** 2)
    pedicle = 0.2 * np.exp(-(((ovals - 0.85) / 0.25) ** 2))
    spike = 0.18 * root(np.sqrt(((x - centre) / 0.26) ** 2 + ((phase - 0.72) / 0.25) ** 2), 0.5)
    wing = np.sqrt(((np.abs(x - centre) - half - 0.3) / 1.3) ** 2 + ((phase - 0.33) / 0.17) ** 2)
    side = 0.3 * root(wing, 0.7) * smoothstep(y, -5, 1)
    return np.asarray(column + edge + pedicle + spike + side * (np.abs(x - centre) > half * 0.8), dtype=np.float32)


def _clavicles(chest: Chest, x: Floats, y: Floats) -> Floats:
    total = np.zeros(np.broadcast_shapes(x.shape, y.shape), np.float32)
    high = 0.9 if chest.portable else 0.0
    for side in SIDES:
        reach = side * (x - chest.turn)
        t = (reach - 1.9) / 14.5
        line = 4.0 - high - 4.1 * t - 0.8 * np.sin(1.5 * np.pi * np.clip(t, 0, 1)) + 0.12 * side
        slope = -4.1 / 14.5 - 0.8 * 1.5 * np.pi / 14.5 * np.cos(1.5 * np.pi * np.clip(t, 0, 1))
        radius = 0.66 + 0.36 * np.exp(-((np.clip(t, 0, 1) / 0.09) ** 2)) + 0.15 * smoothstep(t, 0.75, 1.0)
        distance = (y - line) / np.sqrt(1 + slope**2) / radius
        shaft = root(distance) - 0.72 * root(distance / 0.74)
        total += 1.7 * shaft * smoothstep(t, -0.01, 0.015) * smoothstep(t, 1.02, 0.98)
    return total


def _blades(chest: Chest, frame: Frame) -> Floats:
    """Scapulae and the heads of the arms: over the lungs when the arms hang down, beside them when the elbows are forward."""
    strokes = Strokes(frame)
    shift = -2.2 if chest.portable else 0.9
    for side in SIDES:

        def at(points: list[tuple[float, float]], side: int = side) -> list[tuple[float, float]]:
            return [(side * (px + shift), py) for px, py in points]

        blade = at(
            [
                (11.4, 1.6),
                (10.9, 4.5),
                (11.3, 8.5),
                (12.6, 13.2),
                (13.6, 13.4),
                (14.6, 10.0),
                (15.6, 6.0),
                (16.4, 3.4),
                (14.5, 1.4),
            ]
        )
        strokes.area(blade, 0.13)
        strokes.line(at([(11.4, 1.6), (10.9, 4.5), (11.3, 8.5), (12.6, 13.2)]), 0.2, 0.22)
        strokes.line(at([(13.6, 13.4), (14.6, 10.0), (15.6, 6.0), (16.2, 3.9)]), 0.4, 0.25)
        strokes.line(at([(11.3, 3.0), (13.8, 1.2), (16.6, -0.4), (18.2, -0.9)]), 0.6, 0.28)
        strokes.line(at([(16.2, 0.9), (15.9, 2.4), (16.3, 3.9)]), 0.4, 0.4)
        strokes.line(at([(15.0, 1.8), (14.6, 0.6), (15.0, 0.2)]), 0.7, 0.3)
        hx, hy = side * (18.0 + 0.4 * shift), 2.2
        strokes.disc(hx, hy, 2.15, 0.5)
        strokes.disc(hx, hy, 1.95, 0.36)
        slant = 0.17 if chest.portable else 0.36
        shaft = [(hx + side * 0.4, 3.2), (hx + side * (0.5 + slant * 20), 23.0)]
        strokes.line(shaft, 2.3, 0.62)
        strokes.line(shaft, 1.3, 0.36)
    return strokes.array()


def bones(chest: Chest, frame: Frame, x: Floats, y: Floats, draws: np.random.Generator) -> Floats:
    """All bones of the frontal chest; x (1 or rows, columns) and y (rows, 1) in cm."""
    shape = np.broadcast_shapes(x.shape, y.shape)
    warp = 0.11 * clouds(draws, shape, 130, 2)
    total = _ribs(chest, x, y, warp, front=False) + _ribs(chest, x, y, warp, front=True)
    total = total + _spine(chest, x, y) + _clavicles(chest, x, y)
    small = Frame(frame.width // 2, frame.height // 2, frame.cm * 2, frame.x0, frame.y0)
    total = total + 2.2 * blur(_blades(chest, small), 2.2)
    grain = 1 + 0.06 * clouds(draws, shape, 7, 2)
    return np.asarray(total * grain, dtype=np.float32)
