"""The whole made-up hospital before anything is written: patients, studies in date order, films, findings.

It is made anew from the seed wherever it is needed, so that helper processes need no message but the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from radharmony_core.demo.dice import dicom_id, stream
from radharmony_core.demo.film import FilmSpec
from radharmony_core.demo.findings import Finding
from radharmony_core.demo.scenarios import SCENARIOS, Wording, draw_findings, wording

__all__ = ["LARGE", "Film", "Patient", "Plan", "Study", "make_plan"]

LARGE = 5000  # images; above it patients have as many studies as in MIMIC-CXR and reports are packed in one archive
_SIZES = ((1104, 1326), (1136, 1360), (1112, 1336), (1160, 1390), (1128, 1300), (1216, 1216))
_MS_CXR_IMAGES = 1047  # as many as MS-CXR has
_WITHOUT_LABELS = 60  # one study in so many is in neither label table, and another has no label at all


@dataclass(slots=True)
class Patient:
    """``split`` is MIMIC's, ``ms_split`` the separate one of MS-CXR; ``dicom`` tells whether the films exist as DICOM too."""

    index: int
    subject_id: int
    female: bool
    split: str
    ms_split: str
    dicom: bool

    @property
    def folder(self) -> str:
        """``p10/p10000032``"""
        return f"p{self.subject_id // 1_000_000}/p{self.subject_id}"


@dataclass(slots=True)
class Film:
    """One image. ``view`` as in the metadata, blank for some."""

    dicom_id: str
    number: int
    view: str
    lateral: bool
    portable: bool
    width: int
    height: int


@dataclass(slots=True)
class Study:
    """One visit: its films share findings and a report."""

    index: int
    study_id: int
    patient: Patient
    when: datetime
    findings: tuple[Finding, ...]
    words: tuple[Wording, ...]
    devices: tuple[str, ...]
    portable: bool
    earlier: bool
    annotated: bool
    films: list[Film] = field(default_factory=list)

    @property
    def folder(self) -> str:
        """``files/p10/p10000032/s50414267``"""
        return f"files/{self.patient.folder}/s{self.study_id}"

    @property
    def has_label_row(self) -> bool:
        """A few studies stand in neither label table."""
        return self.index % _WITHOUT_LABELS != 37

    @property
    def has_labels(self) -> bool:
        """A few studies have a row without any label."""
        return self.index % _WITHOUT_LABELS != 53


@dataclass(slots=True)
class Plan:
    """All studies, by patient and then by date."""

    seed: int
    images: int
    studies: list[Study]

    def films(self) -> Iterator[tuple[Study, Film]]:
        """Every image with its study."""
        return ((study, film) for study in self.studies for film in study.films)

    def spec(self, study: Study, film: Film) -> FilmSpec:
        """All that decides the film's pixels, and its boxes."""
        patient = study.patient
        return FilmSpec(
            self.seed, patient.index, film.number, film.width, film.height, film.lateral, film.portable, patient.female,
            study.findings, study.devices,
        )  # fmt: skip


def _patient(index: int, step: int, seed: int, draws: random.Random) -> Patient:
    """Split by whole patients; the two splits are cut at different places."""
    return Patient(
        index=index,
        subject_id=10_000_000 + index * step + int(draws.random() * step),
        female=draws.random() < 0.5,
        split={3: "validate", 7: "test"}.get(index % 10, "train"),
        ms_split={4: "val", 9: "test", 14: "val", 6: "test"}.get(index % 15, "train"),
        dicom=(index + seed) % 6 == 2,
    )


def _films(study: Study, first: int, seed: int, draws: random.Random) -> list[Film]:
    if study.portable:
        views = ["AP"] if draws.random() < 0.92 else ["AP", "AP"]
    else:
        views = ["PA", "LATERAL" if draws.random() < 0.7 else "LL"]
        if draws.random() < 0.06:
            views.append("LATERAL")
    films = []
    for number, view in enumerate(views, start=first):
        short, long = _SIZES[int(draws.random() * len(_SIZES))]
        lateral = view in ("LATERAL", "LL")
        wide = not lateral and draws.random() < (0.7 if view == "AP" else 0.45)
        size = (long, short) if wide else (short, long)
        shown = "" if draws.random() < 0.03 else view
        films.append(Film(dicom_id(seed, study.study_id, number), number, shown, lateral, study.portable, *size))
    return films


def _devices(portable: bool, draws: random.Random) -> tuple[str, ...]:
    if draws.random() > (0.4 if portable else 0.12):
        return ()
    if portable:
        return tuple(name for name in ("tube", "line", "feeding", "wires") if draws.random() < 0.5) or ("line",)
    return (draws.choice(("pacemaker", "wires")),)


class _Maker:
    """Holds what one plan needs while it grows."""

    def __init__(self, images: int, seed: int) -> None:
        self.images, self.seed = images, seed
        self.draws = stream(seed, "plan")
        self.large = images > LARGE
        self.step = max(20, 10_000_000 // (10 + int(images / (5 if self.large else 1.5))))
        self.taken: set[int] = set()
        self.share = min(1.0, _MS_CXR_IMAGES / (0.57 * images))

    def study(self, index: int, patient: Patient, when: datetime, before: Study | None) -> Study:
        draws = self.draws
        kinds = SCENARIOS[(patient.index if before is None else patient.index * 7 + index) % len(SCENARIOS)]
        if before is not None and before.findings and draws.random() < 0.6:
            findings = tuple(Finding(f.category, f.side, f.zone, draws.random(), f.form, f.seed) for f in before.findings)
        else:
            findings = draw_findings(kinds, draws)
        portable = draws.random() < 0.57
        devices = before.devices if before and "pacemaker" in before.devices else _devices(portable, draws)
        study_id = 0
        while not study_id or study_id in self.taken:
            study_id = 50_000_000 + int(draws.random() * 10_000_000)
        self.taken.add(study_id)
        words = tuple(wording(one, draws) for one in findings)
        annotated = bool(findings) and draws.random() < self.share
        return Study(index, study_id, patient, when, findings, words, devices, portable, before is not None, annotated)

    def visits(self) -> int:
        """How many studies a patient has: one or two, or a long tail as in MIMIC-CXR."""
        if not self.large:
            return 1 if self.draws.random() < 0.8 else 2
        return 1 + min(60, int(self.draws.expovariate(1 / 3.0)))


def make_plan(images: int, seed: int) -> Plan:
    """A plan with exactly ``images`` films; the same for the same numbers, on every machine."""
    maker = _Maker(images, seed)
    draws, studies, left, index = maker.draws, list[Study](), images, 0
    while left > 0:
        patient = _patient(index, maker.step, seed, draws)
        index += 1
        when = datetime(2110, 1, 1) + timedelta(days=int(draws.random() * 30_000), milliseconds=int(draws.random() * 86_400_000))
        before, number = None, 0
        for _ in range(maker.visits()):
            if left <= 0:
                break
            study = maker.study(len(studies), patient, when, before)
            study.films = _films(study, number, seed, draws)[:left]
            left -= len(study.films)
            number += len(study.films)
            studies.append(study)
            before = study
            when += timedelta(days=int(1 + draws.random() ** 3 * 500), milliseconds=int(draws.random() * 80_000_000))
    return Plan(seed, images, studies)
