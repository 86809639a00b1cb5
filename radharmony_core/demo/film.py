"""From anatomy to film: attenuation, scatter, quantum noise, and the detector's logarithm as 12-bit stored values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from radharmony_core.boxes import PixelBox
from radharmony_core.demo.anatomy import Chest, chest_of
from radharmony_core.demo.bones import bones
from radharmony_core.demo.dice import number, pixel_stream, stream
from radharmony_core.demo.extras import collimation, devices, marker
from radharmony_core.demo.findings import Finding
from radharmony_core.demo.frontal import Soft, soft_parts
from radharmony_core.demo.lateral import side_airways, side_bones, side_parts, side_vessels
from radharmony_core.demo.opacities import Painted, fine_lines, paint
from radharmony_core.demo.outlines import film_boxes
from radharmony_core.demo.raster import Floats, Frame, blur, clouds, enlarge, smoothstep
from radharmony_core.demo.vessels import airways, hila, vessels

__all__ = ["MAX_STORED", "FilmSpec", "boxes_of", "draw_film"]

MAX_STORED = 4095
_TISSUE, _BONE = 0.172, 0.29  # attenuation per cm at about 120 kV: water, and what compact bone adds to it
_SATURATED = 0.22  # logarithm below which the detector is saturated: the air beside the patient is one even black
_LUNG = 0.76  # air in lung; the rest is tissue


@dataclass(frozen=True, slots=True)
class FilmSpec:
    """All that decides the pixels of one film."""

    seed: int
    patient: int
    film: int
    width: int
    height: int
    lateral: bool
    portable: bool
    female: bool
    findings: tuple[Finding, ...] = ()
    devices: tuple[str, ...] = ()

    @property
    def chest(self) -> Chest:
        """The patient's chest on this film, with the heart as wide as the findings say."""
        big = [one.size for one in self.findings if one.category == "Cardiomegaly"]
        more = 0.27 + 0.28 * big[0] if big else 0.0
        return chest_of(self.seed, self.patient, self.film, portable=self.portable, female=self.female, cardiomegaly=more)

    @property
    def frame(self) -> Frame:
        """Where the film lies on the patient: the lungs in the middle, their tops some centimetres below the upper edge."""
        chest = chest_of(self.seed, self.patient, self.film, portable=self.portable, female=self.female)
        aim = stream(self.seed, self.patient, self.film, "aim")
        room = aim.uniform(0, 3)
        need_high = chest.height + 10.5 + room
        need_wide = 2 * (10.5 if self.lateral else chest.half_width + 0.5 * chest.wall) + 4.0 + room
        cm = max(need_high / self.height, need_wide / self.width)
        spare = self.height * cm - need_high
        middle = 0.4 if self.lateral else 0.35 * chest.turn + aim.gauss(0, 0.4)
        return Frame(self.width, self.height, cm, middle - self.width * cm / 2, -aim.uniform(4.2, 5.6) - 0.28 * spare)


def boxes_of(spec: FilmSpec) -> list[tuple[Finding, list[PixelBox]]]:
    """Every finding of a frontal film with its boxes in pixels; nothing is drawn for it."""
    chest, frame = spec.chest, spec.frame
    return [(finding, film_boxes(finding, chest, frame)) for finding in spec.findings]


def _frontal(spec: FilmSpec, chest: Chest, frame: Frame, draws: np.random.Generator) -> Floats:
    x, y = frame.grid()
    x = x - chest.lean * (y - 12)
    soft = soft_parts(chest, x, y, draws)
    bone = bones(chest, frame, x, y, draws)
    painted = paint(spec.findings, chest, frame, x, y, soft)
    wet = [one.size for one in spec.findings if one.category == "Edema"]
    upper = 1.25 + 0.3 * wet[0] if wet else 1.0
    coarse = _thick(soft, painted, hila(chest, frame, upper), airways(chest, frame), draws)
    lines = vessels(chest, frame, upper)
    share = np.clip((soft.air - 1.5) / 8, 0, 1) * (1 - painted.free) * (1 - 0.85 * painted.dense)
    fine = lines * enlarge(share, frame)
    extra = fine_lines(spec.findings, chest, frame)
    if extra is not None:
        fine = fine + 0.62 * extra * enlarge(soft.lungs, frame)
    total = enlarge(_TISSUE * coarse + _BONE * bone, frame) + _TISSUE * 1.15 * fine
    things = devices(chest, frame, spec.devices, leads=spec.portable, seed=number(spec.seed, spec.patient, spec.film))
    return total if things is None else total + things


def _thick(soft: Soft, painted: Painted, roots: Floats, pipes: Floats, draws: np.random.Generator) -> Floats:
    """Centimetres of tissue along the ray, everything that is not bone taken together."""
    texture = clouds(draws, soft.air.shape, 12, 3, 0.8)
    share = np.clip(soft.air / 7, 0, 1) * (1 - painted.free) * (1 - 0.7 * painted.dense)
    lung = _LUNG + (0.09 * painted.free)
    held = soft.air * lung * (1 - 0.018 * texture * (1 - painted.free)) * (1 - painted.dense)
    return np.asarray(soft.tissue - held + roots * share + painted.extra * soft.lungs - 0.9 * pipes, dtype=np.float32)


def _lateral(spec: FilmSpec, chest: Chest, frame: Frame, draws: np.random.Generator) -> Floats:
    z, y = frame.grid()
    soft = side_parts(chest, z, y, spec.findings, draws)
    texture = clouds(draws, soft.air.shape, 12, 3, 0.8)
    coarse = soft.tissue - _LUNG * soft.air * (1 - 0.018 * texture) - 0.9 * side_airways(chest, frame)
    bone = side_bones(chest, z, y, draws)
    share = np.clip((soft.air - 4) / 12, 0, 1)
    # a lateral film is made with a harder beam and more exposure: the same picture needs a smaller coefficient
    total = enlarge(0.62 * _TISSUE * coarse + 0.75 * _BONE * bone, frame)
    return total + _TISSUE * 1.1 * side_vessels(chest, frame) * enlarge(share, frame)


def _expose(thick: Floats, frame: Frame, draws: np.random.Generator) -> Floats:
    """What the detector's logarithm sees: scatter lifts the dark places, fewer quanta there make more noise."""
    quanta = np.exp(-np.maximum(thick, 0))
    quanta = quanta + 0.075 * blur(quanta, 4.0 / frame.cm) + 0.007
    noise = draws.standard_normal(quanta.shape, dtype=np.float32)
    grain = 0.7 * noise + 0.3 * np.roll(noise, 1, axis=1)
    return np.asarray(-np.log(quanta) + 0.0036 * grain / np.sqrt(quanta), dtype=np.float32)


def _tone(signal: Floats) -> Floats:
    """The display curve: a gentle S between bare exposure and the densest parts, 0..1."""
    air, high = np.percentile(signal[::7, ::7], (0.5, 99.7))
    low = air + _SATURATED
    t = np.clip((signal - low) / max(high - low, 1e-3), 0, 1.05)
    return np.asarray(0.94 * (0.75 * t + 0.25 * smoothstep(t.astype(np.float32), 0, 1)), dtype=np.float32)


def draw_film(spec: FilmSpec, *, without: tuple[str, ...] = ()) -> NDArray[np.uint16]:
    """The film as (height, width) values 0..4095, dense parts bright (MONOCHROME2). ``without`` leaves out the named categories,
    everything else equal."""
    draws = pixel_stream(spec.seed, spec.patient, spec.film, "film")
    frame = spec.frame
    kept = tuple(one for one in spec.findings if one.category not in without)
    shown = replace(spec, findings=kept)
    thick = (_lateral if spec.lateral else _frontal)(shown, shown.chest, frame, draws)
    value = _tone(_expose(thick, frame, draws))
    seed = number(spec.seed, spec.patient, spec.film, "marks")
    letter = "L" if spec.lateral or seed % 5 else "R"
    sign = marker(letter, frame, on_right=letter == "L" and not spec.lateral, portable=spec.portable, seed=seed)
    value = np.maximum(value, sign)
    open_part = collimation(frame, seed)
    if open_part is not None:
        top, bottom, left, right = open_part
        shut = np.zeros_like(value)
        shut[top:bottom, left:right] = value[top:bottom, left:right]
        value = shut
    return np.asarray(np.clip(value, 0, 1) * MAX_STORED + 0.5, dtype=np.uint16)
