"""Findings painted into the maps of a frontal chest: where air gives way to fluid or dense lung, and lung to air."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from radharmony_core.demo.anatomy import Chest
from radharmony_core.demo.dice import pixel_stream, stream
from radharmony_core.demo.findings import ROUND, Band, Collapse, Finding, Fluid, Spot, bands, collapse, fluid, pleura, spots
from radharmony_core.demo.frontal import Soft, root
from radharmony_core.demo.raster import Floats, Frame, Strokes, blur, clouds, smoothstep
from radharmony_core.demo.vessels import grow

__all__ = ["Painted", "fine_lines", "paint"]


@dataclass(slots=True)
class Painted:
    """What the findings change, on the coarse grid: ``dense`` 0..1 the share of air replaced, ``extra`` cm of tissue added,
    ``free`` 0..1 where air lies outside the lung and no vessel is seen."""

    dense: Floats
    extra: Floats
    free: Floats


def _ellipse(one: Spot, x: Floats, y: Floats) -> Floats:
    return np.asarray(np.sqrt(((x - one.x) / one.rx) ** 2 + ((y - one.y) / one.ry) ** 2), dtype=np.float32)


def _cloudy(found: list[Spot], x: Floats, y: Floats, noise: Floats, sharp: float) -> Floats:
    """Ill-defined opacity: the ellipses' edges follow the noise; ``sharp`` 0 fades slowly, 1 ends at the edge."""
    left = np.ones(noise.shape, np.float32)
    for one in found:
        far = _ellipse(one, x, y) + 0.12 * noise
        left *= 1 - one.strength * smoothstep(far, 1.3 - 0.2 * sharp, 0.05 + 0.55 * sharp)
    return 1 - left


def _bronchi(finding: Finding, chest: Chest, found: list[Spot], frame: Frame, side: int) -> Floats:
    """Air in the bronchi of consolidated lung: dark branching lines, 0..1."""
    small = Frame(frame.width // 2, frame.height // 2, frame.cm * 2, frame.x0, frame.y0)
    strokes = Strokes(small)
    hx, hy = chest.hilum(side)
    angle = math.atan2(found[0].y - hy, found[0].x - hx)
    for turn in (-0.35, 0.05, 0.4):
        for branch in grow((finding.seed, side, turn), (hx, hy), angle + turn, 0.2, 3, 3.4):
            strokes.line(branch.points, 1.1 * branch.radius, 0.9)
    return blur(strokes.array(), 0.05 / small.cm)


def _plates(found: list[Band], x: Floats, y: Floats, noise: Floats) -> Floats:
    left = np.ones(noise.shape, np.float32)
    for one in found:
        along = (x - one.x) * math.cos(one.slope) + (y - one.y) * math.sin(one.slope)
        across = (y - one.y) * math.cos(one.slope) - (x - one.x) * math.sin(one.slope) + 0.12 * (along / one.half) ** 2
        bent = across + 0.07 * noise
        taper = root(along / one.half, 0.8)
        body = 0.42 * np.exp(-((bent / one.thick) ** 2)) + 0.1 * np.exp(-((bent / 0.6) ** 2))
        left *= 1 - np.asarray(body * taper, dtype=np.float32)
    return 1 - left


def _under_surface(one: Fluid, x: Floats, y: Floats) -> Floats:
    return 0.97 * smoothstep(y - one.surface(one.side * x), -0.35, 0.45) * (one.side * x > 0)


def _gap(one: Collapse, chest: Chest, x: Floats, y: Floats) -> Floats:
    t = np.clip((y - one.above) / (one.end - one.above), 0, 1)
    edge = chest.outer(np.maximum(y - one.above * (1 - t), 0)) - one.beside * (1 - t)
    medial = chest.inner(np.maximum(y - one.above, 0)) - one.beside
    reach = one.side * x
    outside = np.maximum(smoothstep(reach - edge, -0.03, 0.05), smoothstep(medial - reach, -0.03, 0.05) * (t < 0.4))
    return np.asarray(np.maximum(outside, y < one.above) * (reach > 0) * (y < one.end), dtype=np.float32)


def _one(finding: Finding, chest: Chest, frame: Frame, x: Floats, y: Floats, into: Painted) -> None:
    shape = into.dense.shape
    noise = clouds(pixel_stream(finding.seed, "noise"), shape, 38, 4, 0.7)
    dense = np.zeros(shape, np.float32)
    if finding.category == "Pleural Effusion":
        for one in fluid(finding, chest):
            dense = np.maximum(dense, _under_surface(one, x, y))
    elif finding.category == "Pneumothorax":
        into.free = np.maximum(into.free, _gap(collapse(finding, chest), chest, x, y))
    elif finding.category == "Atelectasis":
        for plates in bands(finding, chest).values():
            dense = np.maximum(dense, _plates(plates, x, y, noise))
    elif finding.form in ROUND:
        for found in spots(finding, chest).values():
            into.extra += 2 * found[0].rx * root(_ellipse(found[0], x, y) + 0.09 * noise, 0.85)
    elif finding.category != "Cardiomegaly":
        dense = _patches(finding, chest, frame, x, y, noise)
    into.dense = 1 - (1 - into.dense) * (1 - dense)


def _patches(finding: Finding, chest: Chest, frame: Frame, x: Floats, y: Floats, noise: Floats) -> Floats:
    sharp = {"Consolidation": 0.45, "Pneumonia": 0.1}.get(finding.category, 0.0)
    grain = {"Consolidation": 0.06, "Pneumonia": 0.11, "Edema": 0.09}.get(finding.category, 0.06)
    total = np.zeros(noise.shape, np.float32)
    for side, found in spots(finding, chest).items():
        dense = _cloudy(found, x, y, noise, sharp) * (side * x > 0)
        dense = dense * np.clip(1 + grain * 2.2 * noise, 0.5, 1.3)
        if finding.category == "Consolidation":
            dense = dense * (1 - 0.26 * _bronchi(finding, chest, found, frame, side))
        total = np.maximum(total, np.minimum(dense, 0.9))
    return total


def paint(findings: tuple[Finding, ...], chest: Chest, frame: Frame, x: Floats, y: Floats, soft: Soft) -> Painted:
    """All findings of a film; ``soft.air`` is not changed, the caller applies what comes back."""
    painted = Painted(np.zeros_like(soft.air), np.zeros_like(soft.air), np.zeros_like(soft.air))
    for finding in findings:
        _one(finding, chest, frame, x, y, painted)
    return painted


def fine_lines(findings: tuple[Finding, ...], chest: Chest, frame: Frame) -> Floats | None:
    """Lines too thin for the coarse grid, 0..1 on the film's grid: the visceral pleura, Kerley's B lines. None without any."""
    if not any(one.category in ("Pneumothorax", "Edema") for one in findings):
        return None
    strokes = Strokes(frame)
    for one in findings:
        if one.category == "Pneumothorax":
            points = [(px + chest.lean * (py - 12), py) for px, py in pleura(collapse(one, chest), chest)]
            strokes.line(points, 0.1, 0.9)
        elif one.category == "Edema":
            _kerley(one, chest, strokes)
    return strokes.array()


def _kerley(finding: Finding, chest: Chest, strokes: Strokes) -> None:
    draws = stream(finding.seed, "kerley")
    for side in (-1, 1):
        for _ in range(int(5 + 6 * finding.size)):
            y = draws.uniform(0.66, 0.97) * chest.height
            wall = float(chest.outer(np.array([[y]]))[0, 0]) - 0.25
            length, rise = draws.uniform(0.8, 1.9), draws.uniform(-0.1, 0.25)
            strokes.line([(side * wall, y), (side * (wall - length), y - rise)], 0.07, draws.uniform(0.25, 0.5))
