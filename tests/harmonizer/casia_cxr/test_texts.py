"""CASIA-CXR's texts come through as they are: in every encoding, whatever words they are, however long and however many."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.demo import write_demo
from radharmony_core.harmonizer import CASIACXRHarmonizer
from tests.harmonizer.casia_cxr.made import HEADER, record, write_class
from tests.support import write_table

EIGHT = [name for name in HEADER if name.endswith("ID") or name in ("Findings", "Indication", "Comparison", "Impression")]
FRENCH = record(
    Findings="Aspect normal du médiastin; pas d’épanchement./Sommets libres.",
    Indication="Toux fébrile",
    Comparison="None.",
    Impression="Œdème débutant à contrôler.",
)
FORMS = [
    # reason, encoding, delimiter, the encoding that is said to be guessed
    ("UTF-8", "utf-8", ",", []),
    ("UTF-8 with a mark", "utf-8-sig", ";", []),
    ("cp1252", "cp1252", ";", ["cp1252 (r.csv)"]),
    ("UTF-16", "utf-16", ",", []),
]


@pytest.mark.parametrize(("reason", "encoding", "delimiter", "guessed"), FORMS, ids=[row[0] for row in FORMS])
def test_a_table_says_the_same_in_every_encoding(
    tmp_path: Path, reason: str, encoding: str, delimiter: str, guessed: list[str]
) -> None:
    path = write_table(tmp_path / "r.csv", [FRENCH], EIGHT, encoding=encoding, delimiter=delimiter)
    harmonizer = CASIACXRHarmonizer(csv_path=path)
    row = harmonizer.harmonize().iloc[0]
    for name in ("Findings", "Indication", "Comparison", "Impression"):
        assert row[name.lower()] == FRENCH[name], reason
    assert "\u2019" in row["findings"]
    assert row["impression"].startswith("\u0152")
    assert row["study_id"] == FRENCH["ExamID"], "the mark is no part of the first column's name"
    issues = harmonizer.issues
    assert issues.loc[issues["code"] == "encoding_guess", "value"].tolist() == guessed


WORDS = ["None", "NA", "null", "NaN", "n/a", "nan", "None.", "-", "./", "/", "#", "0", "TRUE"]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_looks_missing_is_text(tmp_path: Path, word: str) -> None:
    rows = [
        record(**dict.fromkeys(("Findings", "Indication", "Comparison", "Impression"), word)),
        record(number="0002", Comparison=""),
    ]
    write_class(tmp_path, rows=rows, images=[])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    again = CASIACXRHarmonizer.load_from_saved(harmonizer.save(tmp_path / "t.parquet"))
    for table in (harmonizer.harmonized_df, again.harmonized_df):
        assert table[["findings", "indication", "comparison", "impression"]].iloc[0].tolist() == [word] * 4
        assert table["comparison"].isna().tolist() == [False, True], "only the empty cell is missing"
    expected = "\n\n".join(f"{name}:\n{word}" for name in ("Findings", "Indication", "Comparison", "Impression"))
    assert again.harmonized_df["report"].iloc[0] == expected


def test_a_report_may_be_long(tmp_path: Path) -> None:
    long = ("Pas d’anomalie./ " * 20_000)[:200_000]
    write_class(tmp_path, rows=[record(Findings=long), record(number="0002")])
    table = CASIACXRHarmonizer(tmp_path).harmonize()
    assert table["findings"].iloc[0] == long
    assert table["report"].str.len().iloc[0] > 200_000
    assert len(table) == 2


def test_stray_quotes_and_rows_of_another_length_lose_no_record(tmp_path: Path) -> None:
    path = write_class(tmp_path, rows=[record(number=f"000{n}", Findings=f"texte {n}") for n in range(1, 6)], images=[])
    reports = path / "CASIA-CXR_Mass_Reports.csv"
    lines = reports.read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace("texte 2", '"texte 2')  # a quote that is not closed
    lines[4] += ",#,#"
    reports.write_text("\n".join(lines) + "\n", encoding="utf-8")
    harmonizer = CASIACXRHarmonizer(tmp_path)
    assert harmonizer.harmonize()["study_id"].str[-1].tolist() == ["1", "2", "3", "4", "5"]
    assert {("open_quote", 3), ("ragged_row", 5)} <= set(harmonizer.issues[["code", "row"]].itertuples(index=False, name=None))


def test_the_demo_is_read_without_an_error(tmp_path: Path) -> None:
    write_demo(tmp_path / "demo", images=110, tables_only=True)
    harmonizer = CASIACXRHarmonizer(tmp_path / "demo" / "casia-cxr")
    table = harmonizer.harmonize()
    assert {labels[0] for labels in table["source_labels"]} == {
        "Cardiomegaly",
        "Mass",
        "PleuralEffusion",
        "Pneumonia",
        "Pneumothorax",
    }
    assert table[["patient_id", "study_id", "image_id", "report_id", "study_datetime", "report"]].notna().all(axis=None)
    assert table["image_id"].is_unique
    issues = harmonizer.issues
    assert not (issues["severity"] == "error").any()
    assert {"blank_row", "filler_row", "row_without_id", "row_without_text"} <= set(issues["code"]), "its junk rows are counted"


def test_the_whole_dataset_and_its_junk_rows_are_all_accounted_for(tmp_path: Path) -> None:
    sizes = {"Cardiomegaly": 3756, "Pneumothorax": 2000, "Pneumonia": 2000, "PleuralEffusion": 2000, "Mass": 1355}
    blank: dict[str, object] = dict.fromkeys(HEADER, "")
    for kind, size in sizes.items():
        rows = [record(kind, f"{number:04}", Findings=f"texte {number % 137}") for number in range(1, size + 1)]
        part = blank | {"ExamID": f"CASIA-CXR_{kind}_ExamID_9999"}
        junk = [blank] * 300 + [part] * (200 + (kind == "Mass") * 61)
        write_class(tmp_path, kind, rows + junk, images=[f"CASIA-CXR_{kind}_{number:04}.JPEG" for number in range(1, size + 1)])
    harmonizer = CASIACXRHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    assert len(table) == 11_111
    assert table["image_path"].is_unique
    assert table["image_path"].notna().all()
    counts = harmonizer.issues["code"].value_counts()
    assert (counts["blank_row"], counts["row_without_text"]) == (1500, 1061), "13,672 rows in all"
    assert {kind: int(table[column].sum()) for kind, column in (("Mass", "lung_lesion"), ("Cardiomegaly", "cardiomegaly"))} == {
        "Mass": 1355,
        "Cardiomegaly": 3756,
    }
