"""Everything of a large demo, one file after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.archive import write_archive
from radharmony_core.demo.casia import COUNTS, JUNK, TEXTS, Exam, exams_of, write_casia
from radharmony_core.demo.dice import pixel_stream
from radharmony_core.demo.mscxr import write_ms_cxr
from radharmony_core.demo.scale.annotated import annotated_films
from radharmony_core.demo.scale.hospital import Hospital, hospital_of
from radharmony_core.demo.scale.mentions import by_hand, spoken_truth, statements
from radharmony_core.demo.scale.ms_cxr import Phrase, phrases_on, records_on
from radharmony_core.demo.scale.published import SPLITS, Size, apportion, ms_counts, share_of, size_of
from radharmony_core.demo.scale.reports import Reports
from radharmony_core.demo.scale.states import NORMAL, Kinds, States, joint_states
from radharmony_core.demo.scale.tables import names_of, table_writers
from radharmony_core.demo.tables import ARCHIVE, MIMIC_ROOT

__all__ = ["casia_share", "phrases_of_plan", "states_of", "write_scale"]

Ints = NDArray[np.integer[Any]]


def states_of(hospital: Hospital, size: Size, seed: int) -> States:
    """Both labelers' states of all studies: each split has the published agreement, in proportion."""
    count = len(hospital.study_id)
    kind = np.zeros(count, np.int8)
    tables = [np.zeros((count, 14), np.int8) for _ in range(2)]
    for place, name in enumerate(SPLITS):
        here = np.flatnonzero(hospital.study_split == place)
        given = Kinds(size.without_row[place], size.without_label[place])
        part = joint_states(len(here), given, pixel_stream(seed, "scale", "states", name))
        kind[here], tables[0][here], tables[1][here] = part.kind, part.chexpert, part.negbio
    return States(kind, *tables)


def _hand(hospital: Hospital, truth: Ints, size: Size, seed: int) -> tuple[Ints, Ints]:
    draws = pixel_stream(seed, "scale", "hand")
    tested = np.flatnonzero(hospital.study_split == SPLITS.index("test"))
    return np.sort(draws.choice(tested, size.labelled_by_hand, replace=False)), by_hand(truth, draws)


def phrases_of_plan(hospital: Hospital, truth: Ints, images: int, seed: int) -> list[Phrase]:
    """MS-CXR's phrases on films of the hospital. ``truth`` is what the reports say."""
    draws, counts = pixel_stream(seed, "scale", "phrases"), ms_counts(images)
    return phrases_on(annotated_films(hospital, truth, counts, draws), counts, draws)


def casia_share(images: int, seed: int) -> tuple[list[Exam], list[int]]:
    """CASIA-CXR's exams, and the rows by class that are no record, in the same proportion; a text of each class at least."""
    full = list(COUNTS.values())
    counts = apportion(full, share_of(sum(full), images))
    texts = np.maximum(1, apportion(full, share_of(TEXTS, images))).tolist()
    exams = exams_of(dict(zip(COUNTS, counts, strict=True)), dict(zip(COUNTS, texts, strict=True)), seed)
    return exams, apportion(full, share_of(JUNK, images))


def write_scale(out: Path, images: int, seed: int, progress: Callable[[int, int, str], None] | None = None) -> None:
    """MIMIC-CXR-JPG's and MIMIC-CXR's tables, the archive of reports, MS-CXR and CASIA-CXR, under ``out``.

    ``progress(done, total, what)``, ``what`` being "tables" and then "reports".
    """
    size = size_of(images)
    hospital = hospital_of(size, seed)
    states = states_of(hospital, size, seed)
    truth = spoken_truth(states, pixel_stream(seed, "scale", "truth"))
    phrases = phrases_of_plan(hospital, truth, images, seed)
    names = names_of(hospital)
    paths = {one.image.film: f"{names.film[one.image.film]}.jpg" for one in phrases}
    writers = table_writers(hospital, names, states, _hand(hospital, truth, size, seed), out, seed)
    writers.append(lambda: write_ms_cxr(records_on(hospital, phrases, paths, seed), out))
    writers.append(lambda: write_casia(*casia_share(images, seed), out))
    for done, write in enumerate(writers, start=1):
        write()
        if progress:
            progress(done, len(writers), "tables")
    said = statements(truth, phrases, pixel_stream(seed, "scale", "statements"))
    reports = Reports(hospital, said, states.kind == NORMAL, size.without_heading, seed)
    entries = (f"{study}.txt" for study in names.study.to_pylist())
    write_archive(out / MIMIC_ROOT / ARCHIVE, zip(entries, reports.texts(), strict=True), len(hospital.study_id), progress)
