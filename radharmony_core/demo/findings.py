"""What is wrong on a film, as shapes in patient coordinates.

The same shapes are painted (``opacities``) and enclosed (``outlines``), so a box encloses what was drawn and not what was meant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from radharmony_core.demo.anatomy import Chest
from radharmony_core.demo.dice import stream
from radharmony_core.demo.raster import Floats

__all__ = [
    "ROUND",
    "Band",
    "Collapse",
    "Finding",
    "Fluid",
    "Spot",
    "bands",
    "collapse",
    "dome_at",
    "fluid",
    "lung_at",
    "mass_radius",
    "pleura",
    "spots",
]

ROUND = ("nodule", "mass")  # forms with an edge
ZONES = {"apical": 0.14, "upper": 0.27, "mid": 0.5, "lower": 0.72, "basal": 0.86}


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a film. ``category`` as in MS-CXR; ``side`` +1 the patient's left, -1 the right, 0 both or the middle;
    ``size`` 0 (small) to 1 (large); ``form`` tells kinds of one category apart (a nodule or a mass from a haze)."""

    category: str
    side: int
    zone: str = ""
    size: float = 0.5
    form: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Spot:
    """An ill-defined ellipse: centre and radii in cm, and the share of air that is replaced in its middle."""

    x: float
    y: float
    rx: float
    ry: float
    strength: float


@dataclass(frozen=True, slots=True)
class Band:
    """A plate of airless lung seen on its edge: middle, half length and half thickness in cm, slope in radians."""

    x: float
    y: float
    half: float
    thick: float
    slope: float


@dataclass(frozen=True, slots=True)
class Fluid:
    """Fluid of one side: its top at the chest wall and where the meniscus ends towards the middle, in cm."""

    side: int
    wall_top: float
    low: float
    start: float
    wall: float
    bottom: float

    def surface(self, reach: Floats) -> Floats:
        """The fluid's upper edge at distances from the middle: level, and curved upwards at the chest wall."""
        t = np.clip((reach - self.start) / (self.wall - self.start), 0, 1)
        return np.asarray(self.low - (self.low - self.wall_top) * t**3.2)


@dataclass(frozen=True, slots=True)
class Collapse:
    """Air around one lung: the gap above it and beside it at the top, and the height at which the gap ends, in cm."""

    side: int
    above: float
    beside: float
    end: float


def lung_at(chest: Chest, y: float) -> tuple[float, float]:
    """The lungs' medial and lateral border at a height, as distances from the middle."""
    rows = np.array([[y]])
    return float(chest.inner(rows)[0, 0]), float(chest.outer(rows)[0, 0])


def mass_radius(size: float) -> float:
    """In cm: a mass is 3 cm across at least, what is smaller is a nodule."""
    return 1.6 + 1.3 * size


def dome_at(chest: Chest, reach: float, side: int) -> float:
    """The diaphragm's height at a distance from the middle."""
    return float(chest.dome(np.array([[reach * side]]), side)[0, 0])


def _sides(finding: Finding) -> tuple[int, ...]:
    return (finding.side,) if finding.side else (-1, 1)


def _middle(chest: Chest, side: int, zone: str, share: float) -> tuple[float, float]:
    """The middle of a zone of one lung; on the left and low down, beside the heart."""
    y = ZONES[zone] * chest.height
    inner, outer = lung_at(chest, y)
    if side > 0 and y > 0.5 * chest.height:
        rows, reach = chest.border(1)
        inner = max(inner, float(np.interp(y, rows, reach)) - 2.0)
    return side * (inner + share * (outer - inner)), y


def spots(finding: Finding, chest: Chest) -> dict[int, list[Spot]]:
    """The ill-defined opacities of a finding, by side."""
    found: dict[int, list[Spot]] = {}
    draws = stream(finding.seed, "spots")
    for side in _sides(finding):
        found[side] = _spots_of_side(finding, chest, side, draws.random(), draws.randrange(1 << 30))
    return found


def _spots_of_side(finding: Finding, chest: Chest, side: int, share: float, seed: int) -> list[Spot]:
    draws, size = stream(seed), finding.size
    x, y = _middle(chest, side, finding.zone or "mid", 0.42 + 0.16 * share)
    if finding.category == "Edema":
        hx, hy = chest.hilum(side)
        return [
            Spot(hx + side * 2.6, hy + 1.6, 4.6 + size, 6.4 + 1.5 * size, 0.37 + 0.12 * size),
            Spot(hx + side * 1.4, hy + 5.0, 4.2, 4.0, 0.18),
        ]
    if finding.category == "Consolidation":
        rx, ry = 3.0 + 1.6 * size, 2.6 + 1.9 * size
        more = [Spot(x + draws.gauss(0, 0.4) * rx, y + draws.gauss(0, 0.4) * ry, 0.7 * rx, 0.7 * ry, 0.28) for _ in range(3)]
        return [Spot(x, y, rx, ry, 0.42), *more]
    if finding.category == "Pneumonia":
        spread = 2.0 + 1.6 * size
        return [
            Spot(
                x + draws.uniform(-1, 1) * spread,
                y + draws.uniform(-1, 1) * spread,
                draws.uniform(1.5, 2.7),
                draws.uniform(1.2, 2.3),
                draws.uniform(0.16, 0.34),
            )
            for _ in range(9)
        ]
    if finding.form in ROUND:
        radius = mass_radius(size) if finding.form == "mass" else 0.65 + 0.95 * size
        return [Spot(x, y, radius, radius * draws.uniform(0.85, 1.15), 0.0)]
    return [
        Spot(x, y, 2.6 + 1.5 * size, 2.2 + 1.6 * size, 0.34 + 0.14 * size),
        Spot(x + draws.gauss(0, 1), y + draws.gauss(0, 1), 1.8, 1.5, 0.2),
    ]


def bands(finding: Finding, chest: Chest) -> dict[int, list[Band]]:
    """The plates of an atelectasis, by side."""
    found: dict[int, list[Band]] = {}
    for side in _sides(finding):
        draws = stream(finding.seed, side, "bands")
        x, y = _middle(chest, side, "basal", 0.52)
        y = dome_at(chest, abs(x), side) - 1.3 - 1.2 * draws.random()
        found[side] = [
            Band(
                x + draws.gauss(0, 0.5),
                y - draws.uniform(0.8, 1.8) * number,
                2.3 + 1.3 * finding.size - 0.5 * number,
                0.13 + 0.15 * draws.random(),
                side * draws.uniform(-0.12, 0.3),
            )
            for number in range(1 + round(1.4 * finding.size))
        ]
    return found


def fluid(finding: Finding, chest: Chest) -> list[Fluid]:
    """The effusion of each side concerned: from a blunted angle (size 0) to a third of the chest (size 1)."""
    found = []
    for side in _sides(finding):
        wall = lung_at(chest, chest.height + 2)[1]
        bottom = dome_at(chest, wall, side)
        top = bottom - (3.0 + 7.5 * finding.size)
        low = top + 2.6 + 0.9 * finding.size
        found.append(Fluid(side, top, low, 0.38 * wall, wall, bottom))
    return found


def collapse(finding: Finding, chest: Chest) -> Collapse:
    """The air of a pneumothorax: a rim at the top (size 0) to half the height of the lung (size 1)."""
    return Collapse(finding.side, 1.5 + 2.4 * finding.size, 0.7 + 1.5 * finding.size, chest.height * (0.36 + 0.3 * finding.size))


def pleura(gap: Collapse, chest: Chest) -> list[tuple[float, float]]:
    """The collapsed lung's edge from its medial side over its top to where the gap ends, in cm."""
    medial = [(lung_at(chest, rise)[0] - gap.beside, gap.above + rise) for rise in (2.2, 1.5, 0.9, 0.45, 0.15)]
    lateral = []
    for step in range(41):
        t = (step / 40) ** 1.6
        y = gap.above + t * (gap.end - gap.above)
        lateral.append((lung_at(chest, max(0.0, y - gap.above * (1 - t)))[1] - gap.beside * (1 - t), y))
    return [(gap.side * reach, y) for reach, y in medial + lateral]
