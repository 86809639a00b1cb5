"""The reports in the archive: their shape, their sections, and that they say what the label tables say."""

from __future__ import annotations

import csv
import gzip
import re
import zipfile
from pathlib import Path

import pytest

from tests.demo.scale.reading import body_of, read_labels

JPG = "mimic-cxr-jpg/2.1.0"
STUDIES = 3_625  # 227,835 x 6,000 / 377,110


@pytest.fixture(scope="module")
def reports(root: Path) -> dict[str, str]:
    """Every report by its study's id."""
    with zipfile.ZipFile(root / "mimic-cxr/2.1.0/mimic-cxr-reports.zip") as archive:
        return {name.split("/s")[1].removesuffix(".txt"): archive.read(name).decode("ascii") for name in archive.namelist()}


def labels_of(root: Path, labeler: str) -> dict[str, dict[str, str]]:
    text = gzip.decompress((root / JPG / f"mimic-cxr-2.0.0-{labeler}.csv.gz").read_bytes()).decode()
    return {row.pop("study_id"): row for row in csv.DictReader(text.splitlines())}


def test_every_line_has_the_shape_of_the_real_ones(reports: dict[str, str]) -> None:
    assert len(reports) == STUDIES
    for text in reports.values():
        lines = text.removesuffix("\n").split("\n")
        assert lines[0] == " " * 33 + "FINAL REPORT"
        assert all(line.startswith(" ") and len(line) <= 79 for line in lines)
        assert all(line == " " or line.strip() for line in lines), "a blank line is one space"
        assert lines[-1] != " "
    assert any(len(line) == 79 for text in reports.values() for line in text.split("\n"))


@pytest.mark.parametrize(
    ("heading", "share"),
    [("IMPRESSION", 83.1), ("INDICATION", 72.8), ("COMPARISON", 71.9), ("FINDINGS", 65.7), ("HISTORY", 25.0), ("WET READ", 7.7)],
)
def test_sections_are_as_frequent_as_in_mimic_cxr(reports: dict[str, str], heading: str, share: float) -> None:
    count = sum(bool(re.search(rf"^ {heading}:", text, re.MULTILINE)) for text in reports.values())
    assert 100 * count / STUDIES == pytest.approx(share, abs=0.5), "some headings are misspelt"


def test_one_report_has_no_heading_and_some_have_odd_ones_or_an_addendum(reports: dict[str, str]) -> None:
    plain = [text for text in reports.values() if not re.search(r"^ [A-Za-z ]+:", text, re.MULTILINE)]
    assert len(plain) == 1, "66 x 6,000 / 377,110"
    for kind in (
        r"^ (Findings|Impression): ", r"^ (FIMPRESSION|FINSINGS|INDCATION):", r"^ PORTABLE AP CHEST:",
        r"\A.*\n ADDENDUM:.*\n(.*\n)* _{20,}\n \n [A-Z]",
    ):  # fmt: skip
        assert any(re.search(kind, text, re.MULTILINE) for text in reports.values()), kind


def test_reports_say_what_the_labels_say(root: Path, reports: dict[str, str]) -> None:
    """Where both labelers agree; where they do not, one of them has read it as it stands there."""
    tables = [labels_of(root, "chexpert"), labels_of(root, "negbio")]
    states = {"1.0": 1, "0.0": 0, "-1.0": -1, "": None}
    checked = 0
    for study, text in reports.items():
        said = read_labels(body_of(text))
        one, other = (table.get(study, {}) for table in tables)
        for label in one.keys() - {"subject_id", "No Finding"}:
            assert said.get(label) in {states[one[label]], states[other[label]]}, (study, label, text)
            checked += 1
        if one.get("No Finding") == other.get("No Finding") == "1.0":
            assert re.search(r"(no|normal)\b.*(acute cardiopulmonary|acute intrathoracic|chest radiograph)", body_of(text), re.I)
    assert checked == 13 * STUDIES, "8 x 6,000 / 377,110 studies have no row: none"


def test_reports_differ(reports: dict[str, str]) -> None:
    assert len(set(reports.values())) > 0.9 * STUDIES
