"""The films of CASIA-CXR: JPEG files, drawn with what their French report says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PIL import Image

from radharmony_core.demo.casia.exams import Exam
from radharmony_core.demo.casia.tables import CASIA_ROOT
from radharmony_core.demo.dice import number
from radharmony_core.demo.film import FilmSpec, draw_film
from radharmony_core.demo.looks import jpg_look

__all__ = ["films_of", "spec_of"]

_FIRST_PATIENT = 1_000_000  # beyond any patient of the other datasets, so that nobody looks like one of them
_QUALITY = 92


def spec_of(exam: Exam, seed: int) -> FilmSpec:
    """All that decides the film's pixels."""
    shown = tuple(replace(finding, seed=number(seed, "casia", exam.key, place)) for place, finding in enumerate(exam.text.shown))
    return FilmSpec(seed, _FIRST_PATIENT + exam.key, 0, exam.width, exam.height, False, not exam.front, exam.female, shown)


def _write_film(exam: Exam, seed: int, out: Path) -> None:
    folder = out / CASIA_ROOT / f"CASIA-CXR_{exam.class_name}" / f"CASIA-CXR_{exam.class_name}_Images"
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(jpg_look(draw_film(spec_of(exam, seed)))).save(folder / exam.file_name, "JPEG", quality=_QUALITY)


def films_of(exams: Iterable[Exam], seed: int) -> list[Callable[[Path], None]]:
    """One function for each film, which draws it and writes it under the folder it is given."""
    return [partial(_write_film, exam, seed) for exam in exams]
