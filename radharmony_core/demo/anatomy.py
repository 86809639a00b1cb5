"""One made-up chest as numbers, and the curves that follow from them. Nothing is drawn here, so boxes can be had without pixels.

Patient coordinates in centimetres as the detector sees them: y = 0 at the top of the lungs and growing downwards, x = 0
at the spine and growing towards the patient's LEFT, which is the right of a frontal film. ``side`` is +1 for the left and
-1 for the right.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.dice import stream
from radharmony_core.demo.raster import Floats

__all__ = ["SIDES", "Chest", "Heart", "chest_of"]

SIDES = (-1, 1)

# Borders of the mediastinum, as (y as a fraction of the lung's height, distance from the middle in cm): vena cava, right atrium.
_RIGHT_BORDER = (
    (-0.4, 3.4), (0.0, 3.9), (0.07, 3.2), (0.18, 2.5), (0.29, 2.9), (0.36, 3.2), (0.47, 3.1), (0.56, 3.6),
    (0.7, 4.4), (0.82, 4.3), (0.93, 3.5), (1.1, 2.6),
)  # fmt: skip
# Aortic knob, the waist below it, pulmonary trunk and auricle, left ventricle, apex.
_LEFT_BORDER = (
    (-0.4, 3.4), (0.0, 3.9), (0.08, 3.1), (0.16, 2.5), (0.21, 2.6), (0.25, 3.4), (0.3, 3.9), (0.345, 3.6), (0.4, 2.8),
    (0.455, 3.3), (0.52, 4.0), (0.63, 5.9), (0.76, 7.8), (0.84, 8.5), (0.92, 8.8), (1.0, 8.6), (1.1, 7.6),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heart:
    """The heart's outline on a frontal film: the widest reach to each side, its top and its bottom, in cm."""

    right: float
    left: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Chest:
    """A person on one film. Lengths in cm; shares and factors around 1 without a unit."""

    half_width: float  # inner width of the rib cage, half
    height: float  # top of the lungs to the right dome
    depth: float  # lungs front to back, half, at the base
    wall: float  # muscle and fat beside the ribs
    heart: float  # factor on the heart's width
    knob: float  # factor on the aortic knob
    turn: float  # rotation about the long axis: shift of what lies in front, in cm
    lean: float  # tilt in the plane of the film
    curve: float  # scoliosis, in cm
    rib_gap: float
    rib_drop: float  # how far a rib falls from back to front
    left_dome: float  # left dome below the right one
    breasts: float  # thickness of the breast shadow, 0 for none
    bubble: float  # width of the gas in the stomach
    portable: bool  # AP: arms down, scapulae over the lungs
    seed: int

    def outer(self, y: Floats) -> Floats:
        """The lungs' lateral border, as distance from the middle."""
        t = np.clip(y / (self.height + 3.5), 0, 1)
        return np.asarray(5.2 + (self.half_width - 5.2) * (1 - (1 - t) ** 2.7) ** 0.56, dtype=np.float32)

    def inner(self, y: Floats) -> Floats:
        """The lungs' medial border where no mediastinum covers it."""
        t = np.clip(y / 5.0, 0, 1)
        return np.asarray(5.19 - 3.5 * (1 - (1 - t) ** 2.2) ** 0.8, dtype=np.float32)

    def cage(self, y: Floats) -> Floats:
        """The rib cage's half width from the top of the lungs to the flanks."""
        below = np.clip((y - self.height - 2.0) / 12, 0, 1)
        return np.asarray(self.outer(np.maximum(y, 0.02)) + 0.35 - 2.2 * below**1.5, dtype=np.float32)

    def half_depth(self, y: Floats) -> Floats:
        """Half of the lungs' thickness front to back along the beam."""
        t = np.clip(y / (self.height + 2), 0, 1)
        return np.asarray(0.25 + self.depth * (1 - (1 - t) ** 2.0) ** 0.62, dtype=np.float32)

    def dome(self, x: Floats, side: int) -> Floats:
        """The diaphragm's edge of one side as y over x; lowest at the costophrenic angle."""
        reach = np.asarray(side * x, dtype=np.float32)
        top = self.height + (self.left_dome if side > 0 else 0.0)
        peak, width = 0.46 * self.half_width, 0.54 * self.half_width
        lateral = np.clip((reach - peak) / width, 0, 1.3)
        medial = np.clip((peak - reach) / width, 0, 1.6)
        return np.asarray(top + 3.9 * lateral**2.6 + 1.5 * medial**2, dtype=np.float32)

    def border(self, side: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mediastinum's border of one side as fine steps: y and the distance from the middle."""
        return _border(self, side)

    def heart_outline(self) -> Heart:
        """The widest reach of the heart, between its base and the dome under it."""
        y, right = self.border(-1)
        _, left = self.border(1)
        rows = (y > 0.5 * self.height) & (y < 1.02 * self.height)
        bottom = float(self.dome(np.array([[0.3 * self.half_width]]), 1)[0, 0])
        return Heart(float(right[rows].max()), float(left[rows].max()), 0.47 * self.height, bottom)

    def hilum(self, side: int) -> tuple[float, float]:
        """Where the vessels enter the lung; the left hilum is a little higher."""
        return (3.7 * side + 0.4 * self.turn, self.height * (0.47 if side < 0 else 0.435))

    def carina(self) -> tuple[float, float]:
        """Where the windpipe divides."""
        return (-0.15 + 0.3 * self.turn, 0.385 * self.height)


@functools.lru_cache(maxsize=64)
def _border(chest: Chest, side: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    points = np.array(_LEFT_BORDER if side > 0 else _RIGHT_BORDER)
    share, reach = points[:, 0], points[:, 1].copy()
    if side > 0:
        is_knob = (share > 0.2) & (share < 0.36)
        reach[is_knob] = 2.4 + (reach[is_knob] - 2.4) * chest.knob
    low = np.clip((share - 0.38) / 0.25, 0, 1)
    reach = reach * (1 + (chest.heart - 1) * low) + side * chest.turn * (0.3 + 0.5 * low)
    y = np.linspace(-0.4, 1.1, 600)
    kernel = np.exp(-0.5 * (np.arange(-30, 31) / 9.0) ** 2)
    padded = np.pad(np.interp(y, share, reach), 30, mode="edge")
    return y * chest.height, np.convolve(padded, kernel / kernel.sum(), mode="valid")


def chest_of(seed: int, patient: int, film: int, *, portable: bool, female: bool, cardiomegaly: float = 0.0) -> Chest:
    """The chest of ``patient`` on one of their films: the build stays, breath and position differ. ``cardiomegaly`` 0 is none."""
    body, pose = stream(seed, patient, "body"), stream(seed, patient, film, "pose")
    size = body.uniform(0.93, 1.06) * (0.95 if female else 1.02)
    wide, fat = body.uniform(0.93, 1.09), body.uniform(0, 1) ** 1.4
    breath = pose.uniform(0.77, 0.93) if portable else pose.uniform(0.93, 1.04)
    heart = body.uniform(0.88, 1.05) * (1.13 if portable else 1.0)
    return Chest(
        half_width=13.7 * size * wide,
        height=23.6 * size * breath,
        depth=8.6 * size,
        wall=1.4 + 3.2 * fat,
        heart=heart + cardiomegaly,
        knob=body.uniform(0.8, 1.4),
        turn=pose.gauss(0, 0.55 if portable else 0.3),
        lean=pose.gauss(0, 0.018),
        curve=body.gauss(0, 0.3),
        rib_gap=2.55 * size * breath**0.5,
        rib_drop=9.2 * size * body.uniform(0.9, 1.12) * (0.88 if portable else 1.0),
        left_dome=body.uniform(0.4, 1.5),
        breasts=body.uniform(1.0, 4.4) if female else 0.0,
        bubble=pose.uniform(1.6, 3.6),
        portable=portable,
        seed=seed * 7919 + patient,
    )
