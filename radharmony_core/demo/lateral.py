"""A lateral chest seen from the left, the breastbone on the left of the film: tissue, air and bone in cm, on the coarse grid.

Both lungs, both domes and both sets of ribs lie over each other. ``z`` runs from front (negative) to back.
"""

from __future__ import annotations

import math

import numpy as np

from radharmony_core.demo.anatomy import Chest
from radharmony_core.demo.findings import Finding
from radharmony_core.demo.frontal import Soft, root
from radharmony_core.demo.raster import Floats, Frame, Strokes, blur, clouds, smoothstep
from radharmony_core.demo.vessels import Branch, grow

__all__ = ["side_airways", "side_bones", "side_parts", "side_vessels"]


def _back(chest: Chest, y: Floats) -> Floats:
    """The lungs' border at the back: the spine is bent, furthest back at two thirds of the lung's height."""
    low = y - 0.7 * chest.height
    return np.asarray(chest.depth * 1.06 - np.where(low < 0, 0.0145, 0.006) * low * low, dtype=np.float32)


def _front(chest: Chest, y: Floats) -> Floats:
    """The lungs' border at the front, from the top of the lung down the breastbone."""
    t = np.clip(y / (0.78 * chest.height), 0, 1)
    top = _back(chest, np.zeros((1, 1), np.float32)) - 1.6
    return np.asarray(top - (top + chest.depth * 1.05) * (1 - (1 - t) ** 2.3) ** 0.72, dtype=np.float32)


def _depth(chest: Chest, y: Floats) -> Floats:
    return np.asarray(0.5 * (_back(chest, y) - _front(chest, y)), dtype=np.float32)


def _axis(chest: Chest, y: Floats) -> Floats:
    """The middle between the borders at the front and at the back."""
    return np.asarray(0.5 * (_back(chest, y) + _front(chest, y)), dtype=np.float32)


def _dome(chest: Chest, z: Floats, side: int) -> Floats:
    top = chest.height + (0.6 + chest.left_dome if side > 0 else 0.3)
    back = np.clip((z + 1.5) / 9, 0, 1.3)
    front = np.clip((-1.5 - z) / 9, 0, 1.3)
    return np.asarray(top + 6.2 * back**1.9 + 2.2 * front**2, dtype=np.float32)


def _torso(chest: Chest, z: Floats, y: Floats) -> Floats:
    centre, depth = _axis(chest, y), _depth(chest, y)
    back, front = depth + 2.2 + 0.7 * chest.wall, depth + 1.0 + 0.6 * chest.wall
    away = (z - centre) / np.where(z > centre, back, front)
    width = 2 * (chest.cage(y) + chest.wall)
    torso = width * root(away, 0.4) * smoothstep(y, -4.5, 2)
    upper = (
        (17 + 2 * chest.wall)
        * root((z - centre + 0.5) / (6.0 + chest.wall + 0.45 * np.maximum(4 - y, 0)), 0.7)
        * smoothstep(y, 6.0, -2.5)
    )
    raised = (8 + chest.wall) * root((z - centre + 1.5) / (6.5 + 0.5 * np.maximum(6 - y, 0)), 1.0) * smoothstep(y, 11.0, -2.0)
    breast: Floats = np.zeros((1, 1), np.float32)
    if chest.breasts > 0:
        far = np.sqrt(((z - centre + front - 1.0) / (2.0 + 0.9 * chest.breasts)) ** 2 + ((y - 0.72 * chest.height) / 5.5) ** 2)
        breast = 6.0 * root(far, 1.0)
    return np.asarray((torso**3 + upper**3) ** (1 / 3) + breast + raised, dtype=np.float32)


def _heart(chest: Chest, z: Floats, y: Floats) -> Floats:
    h, centre = chest.height, _axis(chest, y)
    u, v = z - centre + 2.9, y - 0.8 * h
    long, short = u * 0.62 + v * 0.78, u * 0.78 - v * 0.62
    heart = 10.0 * chest.heart * root(np.sqrt((long / (7.8 * chest.heart)) ** 2 + (short / (5.7 * chest.heart)) ** 2), 0.9)
    stem = 6.0 * root((z - centre - 0.4) / 4.4, 1.0) * smoothstep(y, 0.66 * h, 0.45 * h)
    arch = np.sqrt((z - centre - 1.0) ** 2 + (y - 0.36 * h) ** 2)
    aorta = 2.2 * root((arch - 3.0) / 1.2) * smoothstep(y, 0.42 * h, 0.3 * h)
    down = 2.4 * root((z - centre - 4.2) / 1.2) * smoothstep(y, 0.3 * h, 0.4 * h)
    front = 7.0 * root((z - centre + 7.0) / 5.5, 0.9) * smoothstep(y, 0.45 * h, 0.85 * h)
    return np.asarray((heart**3 + stem**3 + front**3) ** (1 / 3) + 0.8 * aorta + 0.6 * down, dtype=np.float32)


def side_parts(chest: Chest, z: Floats, y: Floats, findings: tuple[Finding, ...], draws: np.random.Generator) -> Soft:
    """Tissue, air and the lungs' mask of the lateral film. An effusion fills the angle at the back."""
    shape = np.broadcast_shapes(z.shape, y.shape)
    tissue = _torso(chest, z, y) * (1 + 0.012 * clouds(draws, shape, 90, 3))
    solid = _heart(chest, z, y)
    air, lungs = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    wet = {one.side: one.size for one in findings if one.category == "Pleural Effusion"}
    for side in (-1, 1):
        away = (z - _axis(chest, y)) / _depth(chest, y)
        one = (chest.outer(y) - 0.7) * root(away, 0.5) * (y > 0)
        above = _dome(chest, z, side) - y
        one = one * root(1 - np.clip(above / 2.6, 0, 1)) * (above > 0)
        size = wet.get(side, wet.get(0))
        if size is not None:
            level = chest.height + 5.0 - 6.5 * size - 2.2 * np.clip((z - 3) / 6, 0, 1) ** 2
            one = one * (1 - 0.95 * smoothstep(y - level, -0.3, 0.4))
        mask = np.asarray((one > 0.3).astype(np.float32), dtype=np.float32)
        air += np.maximum(one - 0.5 * solid, 0)
        lungs = np.maximum(lungs, mask)
    gas_y = chest.height + chest.left_dome + 3.6
    bubble = 3.5 * root(np.sqrt(((z - 1.5) / (chest.bubble * 1.1)) ** 2 + ((y - gas_y) / (0.6 * chest.bubble)) ** 2))
    return Soft(tissue - bubble, np.minimum(air, 0.93 * tissue), lungs)


def _ribs(chest: Chest, z: Floats, y: Floats, shift: float) -> Floats:
    depth = _depth(chest, y) + 0.4
    away = np.clip((z - shift - _axis(chest, y)) / depth, -1, 1)
    level = y - chest.rib_drop * 1.15 * 0.5 * (1 - away) - 0.5 * (1 - away * away)
    phase = np.mod(level + shift, chest.rib_gap) - 0.5 * chest.rib_gap
    shaft = root(phase / 0.6) * 0.6 - 0.78 * root(phase / 0.45) * 0.45
    seen = smoothstep(level, -0.5, 0.5) * smoothstep(level, 23, 20) * (np.abs(away) < 1) * smoothstep(away, -0.75, -0.5)
    return np.asarray(0.6 * shaft * seen * np.minimum(1 / np.sqrt(1.02 - away * away), 2.0), dtype=np.float32)


def _spine(chest: Chest, z: Floats, y: Floats) -> Floats:
    centre = _back(chest, y) - 1.2
    gap = chest.rib_gap
    tilt = 0.12 * (z - centre)
    phase = np.mod(y + tilt, gap) / gap
    half = 1.35 + 0.022 * np.clip(y + 4, 0, 40)
    plate = np.exp(-(((phase - 0.08) / 0.035) ** 2)) + np.exp(-(((phase - 0.87) / 0.035) ** 2))
    body = smoothstep(phase, 0.03, 0.09) * smoothstep(phase, 0.92, 0.86)
    waist = half * (1 - 0.09 * np.sin(np.pi * np.clip(phase, 0, 1)))
    column = root((z - centre) / waist, 0.3) * (1.15 * body + 0.4 * plate + 0.5)
    back = 1.1 * root((z - centre - half - 1.4) / 1.5, 0.8) * smoothstep(np.abs(phase - 0.55), 0.38, 0.15)
    return np.asarray(column + back, dtype=np.float32)


def _sternum(chest: Chest, z: Floats, y: Floats) -> Floats:
    centre = _front(chest, np.maximum(y, 3.0)) - 0.75 + 0.03 * (y - 10)
    plate = root((z - centre) / 0.55) - 0.6 * root((z - centre) / 0.36)
    joints = 1 - 0.6 * np.exp(-(((np.mod(y, 3.4) - 1.7) / 0.14) ** 2))
    return np.asarray(1.8 * plate * joints * smoothstep(y, 2.6, 3.2) * smoothstep(y, 17.5, 16.5), dtype=np.float32)


def side_bones(chest: Chest, z: Floats, y: Floats, draws: np.random.Generator) -> Floats:
    """Spine, both sets of ribs, breastbone and the shoulder blades' edges."""
    shape = np.broadcast_shapes(z.shape, y.shape)
    warp = 0.1 * clouds(draws, shape, 120, 2)
    total = _spine(chest, z, y) + _sternum(chest, z, y)
    for shift in (-0.35, 0.45):
        total = total + _ribs(chest, z, y + warp, shift)
        edge = z - 6.2 - 2 * shift + 0.12 * (y - 6)
        total = total + 0.5 * np.exp(-((edge / 0.16) ** 2)) * smoothstep(y, -2, 1) * smoothstep(y, 13, 11)
    return np.asarray(total * (1 + 0.06 * clouds(draws, shape, 7, 2)), dtype=np.float32)


def side_airways(chest: Chest, frame: Frame) -> Floats:
    """The windpipe, and the rings of the upper lobes' bronchi seen end-on, in cm of air on the coarse grid."""
    small = Frame(frame.width // 2, frame.height // 2, frame.cm * 2, frame.x0, frame.y0)
    strokes = Strokes(small)
    low = 0.42 * chest.height
    for share, value in ((1.0, 0.45), (0.85, 0.75), (0.55, 1.0)):
        strokes.line([(0.2, -8.0), (1.0, 0.0), (2.0, low)], 1.7 * share, value)
        strokes.disc(2.2, low + 0.2, 0.65 * share, value)
        strokes.disc(2.4, low + 2.2, 0.55 * share, value)
    return np.asarray(1.8 * blur(strokes.array(), 0.1 / small.cm), dtype=np.float32)


def side_vessels(chest: Chest, frame: Frame) -> Floats:
    """Vessels of both lungs around the hila, in cm of tissue on the film's grid."""
    strokes = Strokes(frame)
    x, y = 1.6, 0.46 * chest.height
    branches: list[Branch] = []
    for number, degrees in enumerate(range(-170, 190, 24)):
        reach = 0.115 * chest.height
        branches += grow((chest.seed, "side", number), (x, y), math.radians(degrees), 0.26, 5, reach)
    for branch in sorted(branches, key=lambda one: one.radius):
        strokes.tube(branch.points, 2 * branch.radius, min(1.0, 0.16 + 1.5 * branch.radius))
    strokes.tube([(x - 1.5, y + 0.4), (x - 0.2, y + 0.2), (x + 0.6, y + 2.4)], 1.7, 0.8)
    strokes.tube([(x + 0.4, y - 1.3), (x + 1.6, y - 0.4), (x + 1.8, y + 1.4)], 1.3, 0.7)
    return strokes.array()
