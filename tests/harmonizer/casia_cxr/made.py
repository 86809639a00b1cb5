"""CASIA-CXR's layout with made-up records, as small as a test needs. Nothing here comes from the code under test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.support import write_table

HEADER = (
    *("ExamID", "ImageID", "PatientID", "ImageDir", "StudyDate", "PatientAge", "PatientGender", "PatientPosition"),
    *("PositionView", "Projection", "ProjectionMethod", "ImageWidth", "ImageHeight", "ReportID"),
    *("Findings", "Indication", "Comparison", "Impression"),
)


def record(kind: str = "Mass", number: str = "0001", **changes: object) -> dict[str, object]:
    """One sound row of a class's reports table; ``changes`` replace cells."""
    row: dict[str, object] = {
        "ExamID": f"CASIA-CXR_{kind}_ExamID_{number}",
        "ImageID": f"CASIA-CXR_{kind}_ImgID_{number}",
        "PatientID": f"CASIA-CXR_{kind}PatientID_{number}",
        "ImageDir": f"/CASIA-CXR_Database/{kind}_Images/CASIA-CXR_{kind}_{number}.JPEG",
        "StudyDate": "7/6/2019",
        "PatientAge": "57",
        "PatientGender": "F",
        "PatientPosition": "Debout",
        "PositionView": "PosteroAnterior",
        "Projection": "PA",
        "ProjectionMethod": "Direct",
        "ImageWidth": "2372",
        "ImageHeight": "3000",
        "ReportID": f"CASIA-CXR_{kind}ReportID_{number}",
        "Findings": "Absence d’épanchement./Cœur de taille normale./",
        "Indication": "Toux",
        "Comparison": "None",
        "Impression": "Pas d’anomalie/",
    }
    return row | changes


def write_class(
    root: Path,
    kind: str = "Mass",
    rows: Iterable[Mapping[str, object]] | None = None,
    *,
    folder: str | None = None,
    images: Iterable[str] | None = None,
    labels: str | None = None,
    reports: str | None = None,
) -> Path:
    """A class's folder: reports, one empty image file a name (nothing may open them), and the text of a labels table."""
    path = root / (folder or f"CASIA-CXR_{kind}")
    path.mkdir(parents=True, exist_ok=True)
    write_table(path / (reports or f"CASIA-CXR_{kind}_Reports.csv"), [record(kind)] if rows is None else rows, HEADER)
    for name in [f"CASIA-CXR_{kind}_0001.JPEG"] if images is None else images:
        place = path / f"CASIA-CXR_{kind}_Images" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    if labels is not None:
        (path / f"CASIA-CXR_{kind}_Labels.csv").write_text(labels, encoding="utf-8")
    return path
