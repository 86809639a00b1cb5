"""The files of CASIA-CXR: a folder a class, and in it the reports, the labels, and what else is in the real ones.

Junk columns (unnamed, ``EndHere``, filled with ``#``), rows that are no record, a byte order mark here and Windows line ends
there, an ``ImageDir`` that does not exist: as people who hold the release have found them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from radharmony_core.demo.casia.exams import Exam
from radharmony_core.labels import CASIA_CLASSES, CASIA_LOCAL_LABELS

__all__ = ["CASIA_ROOT", "COLUMNS", "write_casia"]

CASIA_ROOT = "casia-cxr"
COLUMNS = (
    "ExamID", "ImageID", "PatientID", "ImageDir", "StudyDate", "PatientAge", "PatientGender", "PatientPosition", "PositionView",
    "Projection", "ProjectionMethod", "ImageWidth", "ImageHeight", "ReportID", "Findings", "Indication", "Comparison",
    "Impression",
)  # fmt: skip
_GLOBAL = {name: "Pleural Effusion" if name == "PleuralEffusion" else name for name in CASIA_CLASSES}


@dataclass(frozen=True, slots=True)
class _Form:
    """How a class's files are written. ``extra`` are the junk columns of the reports; ``labels`` is the separator of names in
    one cell, or "" for a column a label."""

    extra: tuple[str, ...]
    encoding: str
    line_end: str
    labels: str


_FORMS = {
    "Cardiomegaly": _Form(("", "EndHere"), "utf-8-sig", "\r\n", ""),
    "Pneumothorax": _Form(("EndHere",), "utf-8", "\n", ";"),
    "Pneumonia": _Form(("", "", ""), "utf-8-sig", "\n", ""),
    "PleuralEffusion": _Form(("EndHere", ""), "utf-8", "\r\n", "|"),
    "Mass": _Form((), "utf-8", "\n", ", "),
}


def _row(exam: Exam) -> list[object]:
    day, view = exam.day, "PA" if exam.front else "AP"
    position, place = ("PosteroAnterior", "Erect") if exam.front else ("AnteroPosterior", "Supine")
    folder = f"/CASIA-CXR_Database/{exam.class_name}_Images/{exam.id_of('ImgID')}.JPEG"
    return [
        exam.id_of("ExamID"), exam.id_of("ImgID"), exam.id_of("PatientID"), folder, f"{day.month}/{day.day}/{day.year}", exam.age,
        exam.sex, place, position, view, "Frontal", exam.width, exam.height, exam.id_of("ReportID"), exam.text.findings,
        exam.indication, exam.comparison, exam.text.impression,
    ]  # fmt: skip


def _junk(exams: Sequence[Exam], count: int) -> Iterator[list[object]]:
    """Rows that are no record: blank, filled with ``#``, an id without a text, a text without an id."""
    last = exams[-1]
    first = list(_FORMS).index(last.class_name)  # another kind for each class, so that a small demo has them all
    for place in range(first, first + count):
        row: list[object] = [""] * len(COLUMNS)
        if place % 4 == 1:
            row[0] = f"CASIA-CXR_{last.class_name}_ExamID_{last.number + place:04d}"
        elif place % 4 == 2:
            row[COLUMNS.index("Findings")] = "Absence d’anomalie."
        elif place % 4 == 3:
            row = ["#"] * len(COLUMNS)
        yield row


def _reports(exams: Sequence[Exam], junk: int, form: _Form) -> Iterator[list[object]]:
    """Header and rows. A third of the junk stands in the middle; the junk columns are empty or hold ``#``."""
    yield [*COLUMNS, *form.extra]
    rows, odd = [_row(exam) for exam in exams], list(_junk(exams, junk))
    middle, some = len(rows) // 2, junk // 3
    for row in [*rows[:middle], *odd[:some], *rows[middle:], *odd[some:]]:
        yield [*row, *("#" if name == "EndHere" else "" for name in form.extra)]


def _labels(exams: Sequence[Exam], form: _Form) -> Iterator[list[object]]:
    """The class and the local labels of each film: 0 and 1 in a column a label, or the names in one cell."""
    names = [*_GLOBAL.values(), *CASIA_LOCAL_LABELS]
    yield ["ImageID", *names] if not form.labels else ["ImageID", "Labels"]
    for exam in exams:
        has = [_GLOBAL[exam.class_name], *exam.local]
        cells: list[object] = [int(name in has) for name in names] if not form.labels else [form.labels.join(has)]
        yield [exam.id_of("ImgID"), *cells]


def _write(path: Path, form: _Form, rows: Iterator[list[object]]) -> None:
    with path.open("w", encoding=form.encoding, newline="") as text:
        csv.writer(text, lineterminator=form.line_end).writerows(rows)


def write_casia(exams: Sequence[Exam], junk: Sequence[int], out: Path) -> None:
    """The tables of every class that ``exams`` has, under ``out``; ``junk`` counts the rows that are no record, by class."""
    groups = [(name, list(group)) for name, group in groupby(exams, key=lambda exam: exam.class_name)]
    for (name, mine), more in zip(groups, junk, strict=True):
        folder, form = out / CASIA_ROOT / f"CASIA-CXR_{name}", _FORMS[name]
        (folder / f"CASIA-CXR_{name}_Images").mkdir(parents=True, exist_ok=True)
        _write(folder / f"CASIA-CXR_{name}_Reports.csv", form, _reports(mine, more, form))
        _write(folder / f"CASIA-CXR_{name}_Labels.csv", form, _labels(mine, form))
