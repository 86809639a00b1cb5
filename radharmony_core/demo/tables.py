"""The tables of MIMIC-CXR-JPG and MIMIC-CXR, column for column, and the reports."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from radharmony_core.demo.archive import write_archive
from radharmony_core.demo.plan import LARGE, Film, Plan, Study
from radharmony_core.demo.texts import LABELS, Labels, labels_of, negbio_of, report_of

__all__ = [
    "ARCHIVE", "HAND_LABELS", "JPG_ROOT", "METADATA", "MIMIC_ROOT", "VIEW_CODES", "Progress", "write_reports", "write_rows",
    "write_tables",
]  # fmt: skip

Progress = Callable[[int, int, str], None]

JPG_ROOT = "mimic-cxr-jpg/2.1.0"
MIMIC_ROOT = "mimic-cxr/2.1.0"
ARCHIVE = "mimic-cxr-reports.zip"

METADATA = (
    "dicom_id", "subject_id", "study_id", "PerformedProcedureStepDescription", "ViewPosition", "Rows", "Columns",
    "StudyDate", "StudyTime", "ProcedureCodeSequence_CodeMeaning",
    "ViewCodeSequence_CodeMeaning", "PatientOrientationCodeSequence_CodeMeaning",
)  # fmt: skip
VIEW_CODES = {"PA": "postero-anterior", "AP": "antero-posterior", "LATERAL": "lateral", "LL": "left lateral", "": ""}
HAND_LABELS = tuple("Airspace Opacity" if name == "Lung Opacity" else name for name in LABELS)  # as the test-set file has them
_STATES = {1: "1.0", 0: "0.0", -1: "-1.0", None: ""}


def write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A CSV; packed if the name ends in .gz, without a name or a time inside, so that equal rows give equal bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as raw:
        packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) if path.suffix == ".gz" else None
        with io.TextIOWrapper(packed or raw, encoding="utf-8", newline="") as text:
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(rows)


def study_time(study: Study) -> str:
    """HHMMSS.fff as the number it became: leading zeros lost."""
    when = study.when
    return f"{when.hour * 10_000 + when.minute * 100 + when.second}.{when.microsecond // 1000:03d}"


def _metadata(study: Study, film: Film) -> tuple[object, ...]:
    step = "CHEST (PORTABLE AP)" if study.portable else "CHEST (PA AND LAT)"
    position = "" if not film.view else "Recumbent" if study.portable and study.index % 3 == 0 else "Erect"
    return (
        film.dicom_id, study.patient.subject_id, study.study_id, step, film.view, film.height, film.width, f"{study.when:%Y%m%d}",
        study_time(study), step, VIEW_CODES[film.view], position,
    )  # fmt: skip


def _label_cells(labels: Labels) -> list[str]:
    return [_STATES[labels.get(name)] for name in LABELS]


def _jpg_tables(plan: Plan, root: Path) -> None:
    pairs = list(plan.films())
    write_rows(root / "mimic-cxr-2.0.0-metadata.csv.gz", METADATA, (_metadata(*pair) for pair in pairs))
    write_rows(
        root / "mimic-cxr-2.0.0-split.csv.gz",
        ("dicom_id", "study_id", "subject_id", "split"),
        ((film.dicom_id, study.study_id, study.patient.subject_id, study.patient.split) for study, film in pairs),
    )
    names = "".join(f"{study.folder}/{film.dicom_id}.jpg\n" for study, film in pairs)
    (root / "IMAGE_FILENAMES").write_text(names, encoding="utf-8", newline="")
    for name, read in (("chexpert", labels_of), ("negbio", negbio_of)):
        rows = (
            [study.patient.subject_id, study.study_id, *_label_cells(read(study))]
            for study in plan.studies
            if study.has_label_row
        )
        write_rows(root / f"mimic-cxr-2.0.0-{name}.csv.gz", ("subject_id", "study_id", *LABELS), rows)
    tested = [study for study in plan.studies if study.patient.split == "test"]
    write_rows(
        root / "mimic-cxr-2.1.0-test-set-labeled.csv",
        ("study_id", *HAND_LABELS),
        ([study.study_id, *_label_cells(labels_of(study))] for study in tested),
    )


def _mimic_tables(plan: Plan, root: Path, *, tables_only: bool) -> None:
    """The record list names the DICOM files that are there; without any film, all that the release would have."""
    pairs = [pair for pair in plan.films() if tables_only or pair[0].patient.dicom]
    write_rows(
        root / "cxr-record-list.csv.gz",
        ("subject_id", "study_id", "dicom_id", "path"),
        (
            (study.patient.subject_id, study.study_id, film.dicom_id, f"{study.folder}/{film.dicom_id}.dcm")
            for study, film in pairs
        ),
    )
    rows = ((study.patient.subject_id, study.study_id, f"{study.folder}.txt") for study in plan.studies)
    write_rows(root / "cxr-study-list.csv.gz", ("subject_id", "study_id", "path"), rows)


def write_tables(plan: Plan, out: Path, *, tables_only: bool) -> None:
    """All tables of both datasets under ``out``."""
    (out / JPG_ROOT).mkdir(parents=True, exist_ok=True)
    _jpg_tables(plan, out / JPG_ROOT)
    _mimic_tables(plan, out / MIMIC_ROOT, tables_only=tables_only)


def write_reports(plan: Plan, out: Path, progress: Progress | None) -> None:
    """Every study's report, beside its study's folder; in one ``mimic-cxr-reports.zip`` for a large plan."""
    root, total = out / MIMIC_ROOT, len(plan.studies)
    root.mkdir(parents=True, exist_ok=True)
    if plan.images > LARGE:
        entries = ((f"{study.folder}.txt", report_of(study)) for study in plan.studies)
        write_archive(root / ARCHIVE, entries, total, progress)
        return
    for study in plan.studies:
        path = root / f"{study.folder}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(report_of(study), encoding="utf-8", newline="")
