"""Rows of another length than the header's: what stands in them is kept, and nothing of it under another section's name."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.harmonizer import CASIACXRHarmonizer
from tests.harmonizer.casia_cxr.made import HEADER, record, write_class

SECTIONS = ["findings", "indication", "comparison", "impression"]
REST = "Foyer droit, pas d’épanchement,Toux,None,Pneumonie"


def line(*texts: str) -> str:
    """A row as somebody writes it without quotes; ``texts`` are what stands after ReportID."""
    return ",".join([*map(str, list(record(number="0002").values())[:14]), *texts])


def harmonized(tmp_path: Path, row: str, header: tuple[str, ...] = HEADER) -> tuple[CASIACXRHarmonizer, pd.Series]:
    path = write_class(tmp_path, images=[f"CASIA-CXR_Mass_000{n}.jpg" for n in (1, 2, 3)]) / "CASIA-CXR_Mass_Reports.csv"
    rows = [",".join(str(record(number=number).get(name, "")) for name in header) for number in ("0001", "0003")]
    path.write_text("\n".join([",".join(header), rows[0], row, rows[1]]) + "\n", encoding="utf-8")
    harmonizer = CASIACXRHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    assert table["study_id"].str[-1].tolist() == ["1", "2", "3"], "no row is lost, and each has its place"
    assert table.loc[[0, 2], SECTIONS].notna().all(axis=None), "the others are as they were"
    return harmonizer, table.iloc[1]


def said(harmonizer: CASIACXRHarmonizer) -> list[tuple[str, str, int]]:
    found = harmonizer.issues.query("code in ['shifted_row', 'ragged_row']")
    return list(zip(found["code"], found["severity"], found["row"], strict=True))


JUNK = (*HEADER, "", "EndHere")
SHIFTED = [
    # reason, the row, header, its report
    ("a comma in Findings", line("Foyer droit", " pas d’épanchement", "Toux", "None", "Pneumonie"), HEADER, REST),
    ("the last cell is blank", line("Foyer droit", " pas d’épanchement", "Toux", "None", ""), HEADER,
     "Foyer droit, pas d’épanchement,Toux,None"),
    ("columns of filling follow", line("Foyer droit", " pas d’épanchement", "Toux", "None", "Pneumonie", "#", "#"), JUNK, REST),
    ("they are missing from the row", line("Foyer droit", " pas d’épanchement", "Toux", "None", "Pneumonie"), JUNK, REST),
    ("quotes elsewhere", line("Foyer droit", " pas d’épanchement", '"Toux, ""grasse"""', "None", "Pneumonie"), HEADER,
     'Foyer droit, pas d’épanchement,Toux, "grasse",None,Pneumonie'),
    ("a section is missing", line("Foyer droit", "Toux", "Pneumonie"), HEADER, "Foyer droit,Toux,Pneumonie"),
    ("the file ends there", line("Foyer dr"), HEADER, "Foyer dr"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "row", "header", "report"), SHIFTED, ids=[row[0] for row in SHIFTED])
def test_sections_that_cannot_be_told_apart_are_missing_and_the_report_is_the_rest(
    tmp_path: Path, reason: str, row: str, header: tuple[str, ...], report: str
) -> None:
    harmonizer, found = harmonized(tmp_path, row, header)
    assert found[SECTIONS].isna().all(), reason
    assert found["report"] == report
    assert (found["patient_age"], found["patient_sex"], found["image_width"], found["image_height"]) == (57, "F", 2372, 3000)
    assert found["study_datetime"] == pd.Timestamp(2019, 7, 6)
    assert (found["report_id"], found["view_position"]) == ("CASIA-CXR_MassReportID_0002", "PA")
    assert Path(found["image_path"]).name == "CASIA-CXR_Mass_0002.jpg"
    assert said(harmonizer) == [("shifted_row", "error", 3)]


SOUND = [
    ("more columns of filling than the header has", line("A", "B", "C", "D", "#", "#"), HEADER),
    ("none of them", line("A", "B", "C", "D"), JUNK),
    ("fewer of them", line("A", "B", "C", "D", "#"), JUNK),
]


@pytest.mark.parametrize(("reason", "row", "header"), SOUND, ids=[row[0] for row in SOUND])
def test_filling_behind_the_sections_shifts_nothing(tmp_path: Path, reason: str, row: str, header: tuple[str, ...]) -> None:
    harmonizer, found = harmonized(tmp_path, row, header)
    assert found[SECTIONS].tolist() == ["A", "B", "C", "D"], reason
    assert said(harmonizer) == [("ragged_row", "error", 3)]


def test_a_cell_lost_before_the_sections_leaves_no_value_under_another_name(tmp_path: Path) -> None:
    cells = line("A", "B", "C", "D").split(",")
    del cells[4]  # the day: an age would stand under it, a height under the width
    harmonizer, found = harmonized(tmp_path, ",".join(cells))
    assert found[[*SECTIONS, "patient_age", "patient_sex", "image_width", "image_height", "view_position"]].isna().all()
    assert pd.isna(found["study_datetime"])
    assert pd.isna(found["report_id"]), "its column holds a text"
    assert found["report"] == "A,B,C,D"
    assert said(harmonizer) == [("shifted_row", "error", 3)]
    assert "bad_datetime" not in set(harmonizer.issues["code"]), "one row, one word"


@pytest.mark.parametrize("findings", ["Normal", "Foyer droit"])
def test_a_lost_report_id_does_not_take_the_first_section(tmp_path: Path, findings: str) -> None:
    cells = line(findings, "B", "C", "D").split(",")
    del cells[13]
    _, found = harmonized(tmp_path, ",".join(cells))
    assert pd.isna(found["report_id"])
    assert findings in found["report"]
    assert found[SECTIONS].isna().all()


def test_a_row_without_any_of_its_values_keeps_its_text(tmp_path: Path) -> None:
    cells = line("A", "B", "C", "D").split(",")
    _, found = harmonized(tmp_path, ",".join(cells[:3] + cells[13:]))
    assert found["report"] == "A,B,C,D"
    assert found[[*SECTIONS, "patient_age", "view_position"]].isna().all()


@pytest.mark.parametrize("length", [60, 120, 144, 151, 180], ids=["an id", "ImageDir", "a day", "a sex", "a projection"])
def test_a_row_that_ends_before_its_sections_has_no_report(tmp_path: Path, length: int) -> None:
    path = write_class(tmp_path) / "CASIA-CXR_Mass_Reports.csv"
    path.write_text(path.read_text(encoding="utf-8") + line()[:length] + "\n", encoding="utf-8")
    harmonizer = CASIACXRHarmonizer(tmp_path)
    assert len(harmonizer.harmonize()) == 1
    assert said(harmonizer) == [("ragged_row", "error", 3)]
    assert "row_without_text" in set(harmonizer.issues["code"])


def test_a_comma_at_the_end_of_every_row_shifts_nothing(tmp_path: Path) -> None:
    path = write_class(tmp_path) / "CASIA-CXR_Mass_Reports.csv"
    rows = [",".join(map(str, record(number=f"000{n}").values())) + "," for n in range(1, 6)]
    path.write_text("\n".join([",".join(HEADER), *rows]) + "\n", encoding="utf-8")
    table = CASIACXRHarmonizer(tmp_path).harmonize()
    assert table["impression"].tolist() == ["Pas d’anomalie/"] * 5


def test_sections_first_and_ids_last(tmp_path: Path) -> None:
    header = HEADER[::-1]
    path = write_class(tmp_path, images=[]) / "CASIA-CXR_Mass_Reports.csv"
    row = [str(record()[name]) for name in header]
    path.write_text("\n".join([",".join(header), ",".join(row), ",".join(["A", *row])]) + "\n", encoding="utf-8")
    harmonizer = CASIACXRHarmonizer(tmp_path)
    assert len(harmonizer.harmonize()) == 1, "the ids of the other are not where they belong"
    assert {"shifted_row", "row_without_id"} <= set(harmonizer.issues["code"])


def test_a_short_row_of_nothing_is_filling(tmp_path: Path) -> None:
    path = write_class(tmp_path) / "CASIA-CXR_Mass_Reports.csv"
    path.write_text(path.read_text(encoding="utf-8") + ",,,,\nx\n", encoding="utf-8")
    harmonizer = CASIACXRHarmonizer(tmp_path)
    assert len(harmonizer.harmonize()) == 1
    assert said(harmonizer) == [("ragged_row", "error", 3), ("ragged_row", "error", 4)]
    assert {"filler_row", "row_without_id"} <= set(harmonizer.issues["code"])
