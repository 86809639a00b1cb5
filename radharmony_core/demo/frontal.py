"""The soft parts of a frontal chest: how much tissue and how much air a ray passes, in centimetres, on the coarse grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from radharmony_core.demo.anatomy import SIDES, Chest
from radharmony_core.demo.raster import Floats, clouds, smoothstep

__all__ = ["Soft", "root", "soft_parts"]


@dataclass(slots=True)
class Soft:
    """Maps on the coarse grid, (rows, columns): ``tissue`` and ``air`` in cm along the ray, ``lungs`` 0..1 where lung is seen."""

    tissue: Floats
    air: Floats
    lungs: Floats


def root(values: Floats, power: float = 0.5) -> Floats:
    """The chord of something round: 0 outside, rising steeply at the edge, 1 in the middle."""
    return np.asarray(np.maximum(1 - values * values, 0) ** power, dtype=np.float32)


def _torso(chest: Chest, x: Floats, y: Floats) -> Floats:
    taper = np.clip((y - chest.height - 4) / 14, 0, 1)
    width = chest.cage(y) + chest.wall + 0.5 + 1.2 * taper * chest.wall - 0.8 * np.clip((y - 12) / 14, 0, 1)
    depth = 2 * (chest.half_depth(y) + 0.9 + 0.45 * chest.wall + 0.06 * np.clip(y - 4, 0, 16))
    muscle = width - 0.25 - 0.35 * chest.wall  # fat around it weakens the beam less
    solid = depth * (0.8 * root(np.abs(x) / width, 0.42) + 0.2 * root(np.abs(x) / muscle, 0.42))
    return np.asarray(solid * smoothstep(y, -2.5, 4), dtype=np.float32)


def _shoulders(chest: Chest, x: Floats, y: Floats) -> Floats:
    reach = np.abs(x)
    drop = 0.0 if not chest.portable else 1.5
    line = (
        -5.6
        - drop * 0.3
        + (3.6 + drop) * (np.maximum(reach - 5, 0) / 12) ** 1.25
        - 5.5 * np.exp(-np.maximum(reach - 5.2, 0) / 1.4)
    )
    line = line + 0.16 * np.maximum(reach - 16.5, 0) ** 2
    below = np.clip((y - line) / (5.5 + chest.wall), 0, 1)
    fold = smoothstep(y + 0.33 * np.maximum(17 - reach, 0), 14, 5)
    return np.asarray((10.5 + 1.3 * chest.wall) * root(1 - below) * fold, dtype=np.float32)


def _arms(chest: Chest, x: Floats, y: Floats) -> Floats:
    start = 17.6 + 0.5 * chest.wall
    slant = 0.18 if chest.portable else 0.36
    middle = start + slant * np.maximum(y - 3, 0)
    radius = 4.3 + 0.5 * chest.wall - 0.03 * np.maximum(y - 3, 0)
    return np.asarray(2 * radius * root((np.abs(x) - middle) / radius) * smoothstep(y, -2, 3), dtype=np.float32)


def _neck(chest: Chest, x: Floats, y: Floats) -> Floats:
    return np.asarray(11.5 * root(x / (6.0 + 0.35 * chest.wall)) * smoothstep(y, 7, -2), dtype=np.float32)


def _lung(chest: Chest, x: Floats, y: Floats, side: int) -> tuple[Floats, Floats]:
    """Air of one lung before the mediastinum takes its part, and a mask of it."""
    reach = side * x
    outer, inner = chest.outer(y), chest.inner(y)
    middle = inner + 0.42 * (outer - inner)
    away = np.where(reach > middle, (reach - middle) / (outer - middle), 0.75 * (middle - reach) / (middle - inner))
    inside = smoothstep(reach, 0.2, 0.7) * (y > 0)
    edge = root(np.minimum(np.abs(away), 1.0).astype(np.float32), 0.45) * inside
    above = chest.dome(x, side) - y
    sulcus = 0.16 * smoothstep(above, -5.0, 0.5) * smoothstep(reach, 2.5, 7.0)
    dome = sulcus + (1 - sulcus) * root(1 - np.clip(above / 3.2, 0, 1)) * (above > 0)
    air = 2 * chest.half_depth(y) * edge * dome
    edge = edge * (y > 0)
    mask = (edge > 0.02) * smoothstep(above, 0.0, 0.12)
    return np.asarray(air, dtype=np.float32), np.asarray(mask, dtype=np.float32)


def _mediastinum(chest: Chest, x: Floats, y: Floats) -> Floats:
    """Heart, great vessels and what lies between the lungs, in cm of tissue that stands where air would be."""
    rows, right = chest.border(-1)
    _, left = chest.border(1)
    r = np.interp(y[:, 0], rows, right).astype(np.float32)[:, None]
    edge = np.interp(y[:, 0], rows, left).astype(np.float32)[:, None]
    middle = (edge - r) / 2
    across = (x - middle) / ((edge + r) / 2)
    low = smoothstep(y / chest.height, 0.36, 0.62)
    arch = np.exp(-(((y / chest.height - 0.3) / 0.06) ** 2)) * (x > 0)  # the aorta's arch runs along the beam
    depth = 6.0 + (5.1 + 2.5 * (chest.heart - 1)) * low + 3.2 * arch
    rounded = np.maximum(1 - across * across, 0) ** (0.55 - 0.2 * np.maximum(low, arch))
    solid = depth * rounded + 9.0 * root(x / 3.0, 1.2) * (1 - 0.55 * low)
    aorta = 3.0 * root((x - 1.75 - 0.02 * y) / 1.15) * smoothstep(y / chest.height, 0.26, 0.34)
    return np.asarray(solid + aorta, dtype=np.float32)


def _breasts(chest: Chest, x: Floats, y: Floats) -> Floats:
    total = np.zeros(np.broadcast_shapes(x.shape, y.shape), np.float32)
    if chest.breasts <= 0:
        return total
    size = 4.6 + 0.75 * chest.breasts
    for side in SIDES:
        across = (side * x - 0.6 * chest.half_width) / (size * 1.12)
        along = (y - 0.63 * chest.height - 0.4 * side) / size
        soft_top = smoothstep(along, -1.5, 0.6)
        total += chest.breasts * root(np.sqrt(across**2 + along**2), 0.42) * soft_top
    return total


def _belly_gas(chest: Chest, x: Floats, y: Floats, draws: np.random.Generator) -> Floats:
    """The stomach's bubble under the left dome, with a flat floor, and some gas in the colon."""
    cx, top = 0.44 * chest.half_width, chest.height + chest.left_dome + 1.0
    width, high = chest.bubble, 0.62 * chest.bubble
    wavy = 0.09 * clouds(draws, np.broadcast_shapes(x.shape, y.shape), 60, 2)
    bubble = 4.2 * root(np.sqrt(((x - cx) / width) ** 2 + ((y - top - high) / high) ** 2) + wavy)
    if not chest.portable:
        bubble = bubble * smoothstep(y, top + 1.42 * high, top + 1.36 * high)
    for _ in range(int(draws.integers(2, 6))):
        gx, gy = draws.uniform(0.15, 0.8) * chest.half_width, top + draws.uniform(3.5, 9)
        a, b = draws.uniform(0.7, 1.8), draws.uniform(0.5, 1.1)
        bubble = bubble + draws.uniform(0.8, 2.2) * root(np.sqrt(((x - gx) / a) ** 2 + ((y - gy) / b) ** 2) + 2 * wavy, 0.7)
    return np.asarray(bubble, dtype=np.float32)


def soft_parts(chest: Chest, x: Floats, y: Floats, draws: np.random.Generator) -> Soft:
    """Tissue, air and the lungs' mask for x (1 or rows, columns) and y (rows, 1) in cm."""
    shape = np.broadcast_shapes(x.shape, y.shape)
    parts = [_torso(chest, x, y), _shoulders(chest, x, y), _arms(chest, x, y), _neck(chest, x, y)]
    tissue = np.asarray(sum(part**4 for part in parts) ** 0.25, dtype=np.float32)
    tissue = tissue * (1 + 0.011 * clouds(draws, shape, 90, 4, 0.7)) + _breasts(chest, x, y)
    solid = _mediastinum(chest, x, y)
    air, lungs = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for side in SIDES:
        one, mask = _lung(chest, x, y, side)
        beside = smoothstep(chest.dome(x, side) - y, -0.15, 0.1)  # below the dome lies the liver or the stomach, not the heart
        air += np.maximum(one - solid * beside, 0)
        lungs = np.maximum(lungs, mask)
    gas = _belly_gas(chest, x, y, draws)
    return Soft(np.asarray(tissue - gas, dtype=np.float32), np.minimum(air, tissue * 0.93), lungs)
