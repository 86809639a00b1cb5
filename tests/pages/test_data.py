"""Reports on their way to the screen."""

from __future__ import annotations

from pathlib import Path

from pages._ui import data
from radharmony_core.catalog import load_catalog
from radharmony_core.config import Config
from tests.support import annotation, gray_image, write_table


def test_each_patient_has_the_own_report_even_under_one_study_number(tmp_path: Path) -> None:
    rows = []
    for patient in ("10000001", "10000002"):
        rows.append(annotation(dicom_id=f"d{patient}", patient=patient))
        gray_image(tmp_path / f"files/p10/p{patient}/s50000001/d{patient}.jpg")
        (tmp_path / f"files/p10/p{patient}/s50000001.txt").write_text(f"Report of {patient}.")
    table = write_table(tmp_path / "ms.csv", rows)
    catalog = load_catalog(Config(tmp_path / "c.toml", {"ms_cxr": {"csv_path": table, "mimic_base_dir": tmp_path}}))
    for place, patient in enumerate(("10000001", "10000002")):
        report, note = data.report_of(catalog, place)
        assert report
        assert (report.text, note) == (f"Report of {patient}.", "")
