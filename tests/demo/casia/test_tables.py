"""CASIA-CXR's folder as people describe the real one: names, columns, encodings, junk."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from PIL import Image

from radharmony_core.demo import write_demo
from radharmony_core.demo.casia import write_casia
from radharmony_core.demo.scale.write import casia_share

CLASSES = ("Cardiomegaly", "Mass", "PleuralEffusion", "Pneumonia", "Pneumothorax")
COLUMNS = [
    "ExamID", "ImageID", "PatientID", "ImageDir", "StudyDate", "PatientAge", "PatientGender", "PatientPosition", "PositionView",
    "Projection", "ProjectionMethod", "ImageWidth", "ImageHeight", "ReportID", "Findings", "Indication", "Comparison",
    "Impression",
]  # fmt: skip
COMMON = {"Cardiomegaly", "Mass", "Pleural Effusion", "Pneumonia", "Pneumothorax"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the usual demo."""
    return write_demo(tmp_path_factory.mktemp("casia") / "out", tables_only=True).parent / "casia-cxr"


def rows_of(root: Path, name: str, kind: str = "Reports") -> list[dict[str, str]]:
    path = root / f"CASIA-CXR_{name}" / f"CASIA-CXR_{name}_{kind}.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, restkey="more"))


def is_record(row: dict[str, str]) -> bool:
    """An id that ends in digits, and Findings or Impression: the rule for the real files."""
    return bool(re.fullmatch(r"CASIA-CXR.*\d+", row["ExamID"])) and bool(row["Findings"].strip() or row["Impression"].strip())


@pytest.mark.parametrize("name", CLASSES)
def test_five_records_a_class_with_ids_as_they_are(root: Path, name: str) -> None:
    kept = [row for row in rows_of(root, name) if is_record(row)]
    assert [row["ExamID"] for row in kept] == [f"CASIA-CXR_{name}_ExamID_000{n}" for n in range(1, 6)], "numbers restart"
    for number, row in enumerate(kept, start=1):
        assert row["ImageID"] == f"CASIA-CXR_{name}_ImgID_000{number}"
        assert row["PatientID"] == f"CASIA-CXR_{name}PatientID_000{number}", "no underscore before PatientID"
        assert row["ReportID"] == f"CASIA-CXR_{name}ReportID_000{number}"
        assert row["ImageDir"].startswith(f"/CASIA-CXR_Database/{name}_Images/")
        assert re.fullmatch(r"[1-9]\d?/[1-9]\d?/20\d\d", row["StudyDate"]), "month first, not padded"
        assert (row["Projection"], row["PositionView"]) in {("PA", "PosteroAnterior"), ("AP", "AnteroPosterior")}


@pytest.mark.parametrize(
    ("name", "bom", "windows", "extra"),
    [
        ("Cardiomegaly", True, True, ["", "EndHere"]),
        ("Pneumothorax", False, False, ["EndHere"]),
        ("Pneumonia", True, False, ["", "", ""]),
        ("PleuralEffusion", False, True, ["EndHere", ""]),
        ("Mass", False, False, []),
    ],
)
def test_files_are_written_in_several_ways(root: Path, name: str, bom: bool, windows: bool, extra: list[str]) -> None:
    data = (root / f"CASIA-CXR_{name}" / f"CASIA-CXR_{name}_Reports.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf") == bom
    assert (data.count(b"\r\n") == data.count(b"\n")) == windows
    text = data.decode("utf-8-sig")
    assert text.splitlines()[0].split(",") == [*COLUMNS, *extra]
    filled = [row["EndHere"] for row in rows_of(root, name)] if "EndHere" in extra else []
    assert set(filled) == ({"#"} if filled else set())


def test_rows_that_are_no_record_are_of_every_kind(root: Path) -> None:
    odd = [[row[name] for name in COLUMNS] for kind in CLASSES for row in rows_of(root, kind) if not is_record(row)]
    assert len(odd) == 5
    assert any(not any(cells) for cells in odd), "blank"
    assert any(set(cells) == {"#"} for cells in odd), "filled with #"
    assert any(cells[0].startswith("CASIA") for cells in odd), "an id without a text"
    assert any(cells[COLUMNS.index("Findings")] and not cells[0] for cells in odd), "a text without an id"


def test_cells_have_the_forms_that_occur(root: Path) -> None:
    kept = [row for name in CLASSES for row in rows_of(root, name) if is_record(row)]
    ages = [row["PatientAge"] for row in kept]
    for form, reason in [(r"\d\d", "a number"), (r"0\d\dY", "DICOM's form"), (r"\d+ ans", "French"), ("", "blank")]:
        assert any(re.fullmatch(form, age) for age in ages), reason
    assert {row["PatientGender"] for row in kept} == {"M", "F", ""}
    assert any(row["Comparison"] == "None" for row in kept), "the word"
    texts = [row["Findings"] for row in kept]
    assert len(set(texts)) == 20, "in each class of five, one text stands on two rows"


@pytest.mark.parametrize("name", CLASSES)
def test_every_film_has_its_class_among_its_labels(root: Path, name: str) -> None:
    rows = rows_of(root, name, "Labels")
    ids = [row["ImageID"] for row in rows_of(root, name) if is_record(row)]
    assert [row["ImageID"] for row in rows] == ids
    own = "Pleural Effusion" if name == "PleuralEffusion" else name
    for row in rows:
        if "Labels" in row:
            names = set(re.split(r"[;|]|, ", row["Labels"]))
        else:
            assert set(row.values()) - {row["ImageID"]} == {"0", "1"}
            names = {label for label, cell in row.items() if cell == "1"}
        assert names & COMMON == {own}


def test_films_are_where_only_class_and_number_tell(demo: Path) -> None:
    names = set()
    for name in CLASSES:
        folder = demo / "casia-cxr" / f"CASIA-CXR_{name}"
        kept = [row for row in rows_of(demo / "casia-cxr", name) if is_record(row)]
        films = list((folder / f"CASIA-CXR_{name}_Images").iterdir())
        assert [film.suffix.lower() in (".jpg", ".jpeg") for film in films] == [True] * len(kept)
        for film, row in zip(films, kept, strict=True):
            with Image.open(film) as image:
                assert (image.format, image.mode) == ("JPEG", "L")
                assert image.size == (int(row["ImageWidth"]), int(row["ImageHeight"]))
            names.add(film.name.replace(name, "CLASS"))
    assert names == {"CASIA-CXR_CLASS_0001.JPEG", "CASIA-CXR_CLASS_ImgID_0001.jpg"}


def test_the_full_size_has_the_counts_that_people_found(tmp_path: Path) -> None:
    exams, junk = casia_share(377_110, 0)
    write_casia(exams, junk, tmp_path)
    rows = {name: rows_of(tmp_path / "casia-cxr", name) for name in CLASSES}
    kept = {name: [row for row in rows[name] if is_record(row)] for name in CLASSES}
    assert {name: len(kept[name]) for name in CLASSES} == {
        "Cardiomegaly": 3_756, "Mass": 1_355, "PleuralEffusion": 2_000, "Pneumonia": 2_000, "Pneumothorax": 2_000,
    }  # fmt: skip
    assert sum(map(len, rows.values())) == 13_672, "11,111 and 2,561 that are no record"
    assert len({row["Findings"] for part in kept.values() for row in part}) == 689
    assert len({row["PatientID"] for part in kept.values() for row in part}) == 11_111
    front = sum(row["Projection"] == "PA" for part in kept.values() for row in part)
    assert 7_500 < front < 8_000, "about 7.7 thousand"
