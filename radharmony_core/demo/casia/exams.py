"""The exams of CASIA-CXR before anything is written: one exam is one patient, one film and one report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from radharmony_core.demo.casia.french import COMPARISONS, INDICATIONS, Text, texts_of
from radharmony_core.demo.dice import stream

__all__ = ["COUNTS", "JUNK", "TEXTS", "Exam", "exams_of", "small_exams"]

COUNTS: dict[str, int] = {
    "Cardiomegaly": 3_756,
    "Pneumothorax": 2_000,
    "Pneumonia": 2_000,
    "PleuralEffusion": 2_000,
    "Mass": 1_355,
}
JUNK, TEXTS = 2_561, 689  # rows that are no record, and different Findings, of the full release
_FIRST_DAY, _DAYS = date(2017, 1, 2), 1_900
_FRONT = 0.7  # share of PA films
_EACH, _USUAL = 5, 110  # exams of a class, and the images of the demo that has them
_SMALL, _TINY = 0.4, 0.2  # size of the drawn films, as a share of the real ones
_SIZES = ((2372, 3000), (2372, 3000), (2372, 3000), (2400, 2880), (2836, 2336))


@dataclass(frozen=True, slots=True)
class Exam:
    """One row of a reports table. ``key`` tells the exams of all classes apart; ``number`` restarts in every class; ``age`` and
    ``sex`` as the cells have them."""

    key: int
    class_name: str
    number: int
    text: Text
    indication: str
    comparison: str
    day: date
    age: str
    sex: str
    female: bool
    front: bool
    width: int
    height: int

    def id_of(self, kind: str) -> str:
        """``CASIA-CXR_Mass_ExamID_0001``; PatientID and ReportID have no underscore before them."""
        between = "" if kind in ("PatientID", "ReportID") else "_"
        return f"CASIA-CXR_{self.class_name}{between}{kind}_{self.number:04d}"

    @property
    def file_name(self) -> str:
        """The film's name: by class and number, or by ImageID, with the extensions that occur."""
        if self.class_name in ("Pneumonia", "Mass"):
            return f"{self.id_of('ImgID')}.jpg"
        return f"CASIA-CXR_{self.class_name}_{self.number:04d}.JPEG"

    @property
    def local(self) -> list[str]:
        """The local labels, an enlargement's with its projection."""
        return [f"{name} {'PA' if self.front else 'AP'}" if name == "Enlargement" else name for name in self.text.local]


def _age(key: int, years: int) -> str:
    """Mostly a whole number; the other forms come regularly, so that a small demo has them too."""
    if key % 29 == 4:
        return f"{years:03d}Y"
    if key % 31 == 17:
        return f"{years} ans"
    return "" if key % 37 == 9 else str(years)


def exams_of(counts: Mapping[str, int], texts: Mapping[str, int], seed: int, *, scale: float = 1.0) -> list[Exam]:
    """``counts`` exams of each class with ``texts`` different Findings, class after class; the same for the same numbers.

    Every text is used once; then some are used again and again, as in the real files. ``scale`` is the size of the films: 1
    for that of the real ones.
    """
    exams: list[Exam] = []
    for name, count in counts.items():
        draws = stream(seed, "casia", name)
        known = texts_of(name, min(count, texts[name]), draws)
        for number in range(1, count + 1):
            text = known[number - 1] if number <= len(known) else known[int(len(known) * draws.random() ** 3)]
            width, height = (2 * round(side * scale / 2) for side in draws.choice(_SIZES))
            female, key = draws.random() < 0.5, len(exams)
            exams.append(
                Exam(
                    key, name, number, text, draws.choice(INDICATIONS), draws.choice(COMPARISONS),
                    _FIRST_DAY + timedelta(days=int(draws.random() * _DAYS)), _age(key, draws.randint(18, 92)),
                    "" if key % 41 == 12 else "F" if female else "M", female, draws.random() < _FRONT, width, height,
                )
            )  # fmt: skip
    return exams


def small_exams(images: int, seed: int) -> list[Exam]:
    """The exams that go with a demo whose films are drawn: five of each class at the usual size of 110 images, never more, and
    one at least. The first text of a class of several stands twice."""
    each = max(1, min(_EACH, round(_EACH * images / _USUAL)))
    texts = dict.fromkeys(COUNTS, max(1, each - 1))
    return exams_of(dict.fromkeys(COUNTS, each), texts, seed, scale=_SMALL if each > 1 else _TINY)
