"""The boxes of findings: rectangles around the shapes of ``findings``, in patient coordinates and then in pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from radharmony_core.boxes import PixelBox
from radharmony_core.demo.anatomy import Chest
from radharmony_core.demo.findings import (
    ROUND,
    Band,
    Collapse,
    Finding,
    Fluid,
    Spot,
    bands,
    collapse,
    dome_at,
    fluid,
    lung_at,
    pleura,
    spots,
)
from radharmony_core.demo.raster import Frame

__all__ = ["Region", "film_boxes", "regions"]


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle in patient coordinates, in cm."""

    left: float
    top: float
    right: float
    bottom: float


def _around_spots(found: list[Spot], chest: Chest, side: int, share: float) -> Region:
    top = max(0.0, min(one.y - share * one.ry for one in found))
    bottom = max(one.y + share * one.ry for one in found)
    near = max(0.8, min(side * one.x - share * one.rx for one in found))
    far = max(side * one.x + share * one.rx for one in found)
    far = min(far, lung_at(chest, (top + bottom) / 2)[1])
    bottom = min(bottom, dome_at(chest, (near + far) / 2, side) + 0.8)
    return _mirrored(near, top, far, bottom, side)


def _mirrored(near: float, top: float, far: float, bottom: float, side: int) -> Region:
    return Region(near, top, far, bottom) if side > 0 else Region(-far, top, -near, bottom)


def _around_bands(found: list[Band], side: int) -> Region:
    rise = [one.half * abs(math.sin(one.slope)) + one.thick + 0.35 for one in found]
    top = min(one.y - up for one, up in zip(found, rise, strict=True))
    bottom = max(one.y + up for one, up in zip(found, rise, strict=True))
    near = min(side * one.x - one.half for one in found)
    far = max(side * one.x + one.half for one in found)
    return _mirrored(near, top, far, bottom, side)


def _around_fluid(one: Fluid, chest: Chest) -> Region:
    reaches = np.linspace(1.0, one.wall, 60)
    wet = reaches[one.surface(reaches) < chest.dome(reaches * one.side, one.side) - 0.1]
    return _mirrored(float(wet.min()), one.wall_top, one.wall, one.bottom, one.side)


def _around_collapse(gap: Collapse, chest: Chest) -> Region:
    edge = [(gap.side * x, y) for x, y in pleura(gap, chest)[5:]]
    shown = [(reach, y) for reach, y in edge if lung_at(chest, y)[1] - reach > 0.25]
    bottom = max(y for _, y in shown)
    near = min(max(2.6, lung_at(chest, 3.0)[0]), *(reach for reach, _ in shown))
    return _mirrored(near, 0.0, lung_at(chest, bottom)[1], bottom, gap.side)


def regions(finding: Finding, chest: Chest) -> list[Region]:
    """The rectangles a reader would draw: one for each side concerned, in cm."""
    if finding.category == "Cardiomegaly":
        heart = chest.heart_outline()
        return [Region(-heart.right, heart.top, heart.left, heart.bottom)]
    if finding.category == "Pleural Effusion":
        return [_around_fluid(one, chest) for one in fluid(finding, chest)]
    if finding.category == "Pneumothorax":
        return [_around_collapse(collapse(finding, chest), chest)]
    if finding.category == "Atelectasis":
        return [_around_bands(found, side) for side, found in bands(finding, chest).items()]
    share = 1.15 if finding.form in ROUND else 0.95
    return [_around_spots(found, chest, side, share) for side, found in spots(finding, chest).items()]


def film_boxes(finding: Finding, chest: Chest, frame: Frame) -> list[PixelBox]:
    """The finding's boxes in whole pixels of the film, clipped to it."""
    boxes = []
    for one in regions(finding, chest):
        shifts = [chest.lean * (y - 12) for y in (one.top, one.bottom)]
        boxes.append(frame.box(one.left + min(shifts), one.top, one.right + max(shifts), one.bottom))
    return boxes
