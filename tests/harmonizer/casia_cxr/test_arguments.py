"""What CASIA-CXR's harmonizer can be given, what it looks at, and what it refuses in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from radharmony_core.errors import ConfigError, MissingFileError, TableError
from radharmony_core.harmonizer import CASIACXRHarmonizer
from tests.harmonizer.casia_cxr.made import HEADER, record, write_class
from tests.support import write_table


@pytest.mark.parametrize("word", ["csv_path", "report_csv_path"])
@pytest.mark.parametrize("several", [False, True])
def test_reports_tables_may_be_named_by_hand(tmp_path: Path, word: str, several: bool) -> None:
    write_class(tmp_path / "images")
    paths = [write_table(tmp_path / f"{n}.csv", [record(number=f"000{n}", Findings=str(n))], HEADER) for n in (1, 2)]
    named: Any = paths if several else str(paths[0])
    harmonizer = CASIACXRHarmonizer(base_image_dir=tmp_path / "images", **{word: named})
    table = harmonizer.harmonize()
    assert table["findings"].tolist() == (["1", "2"] if several else ["1"])
    assert table["lung_lesion"].tolist() == [1] * len(table), "the ids tell the class"
    assert table["image_path"].notna().tolist() == [True, False][: len(table)]
    assert harmonizer.image_root == tmp_path / "images"
    assert set(harmonizer.inputs()) >= {*(paths if several else paths[:1]), tmp_path / "images"}


def test_a_reports_table_alone_is_enough(tmp_path: Path) -> None:
    harmonizer = CASIACXRHarmonizer(csv_path=write_table(tmp_path / "r.csv", [record(), record("Test", Findings="x")], HEADER))
    table = harmonizer.harmonize()
    assert table["source_labels"].tolist() == [["Mass"], ["Test"]]
    assert table["lung_lesion"].tolist() == [1, pd.NA]
    assert harmonizer.image_root is None
    assert harmonizer.issues["code"].tolist() == [
        "unknown_class",
        "no_images_of_class",
        "no_images_of_class",
        *["missing_table"] * 2,
    ]


def test_its_inputs_are_every_table_and_every_folder_looked_in(tmp_path: Path) -> None:
    path = write_class(tmp_path / "casia", labels="ImageID,Edema\n")
    expected = {path / "CASIA-CXR_Mass_Reports.csv", path / "CASIA-CXR_Mass_Labels.csv"}
    expected |= {tmp_path / "casia", path, path / "CASIA-CXR_Mass_Images"}
    inputs = CASIACXRHarmonizer(tmp_path).inputs()
    assert set(inputs) == expected
    assert len(inputs) == len(expected)


def test_progress_is_told(tmp_path: Path) -> None:
    for kind in ("Mass", "Pneumonia"):
        write_class(tmp_path, kind)
    told: list[tuple[int, int, str]] = []
    CASIACXRHarmonizer(tmp_path).harmonize(lambda *step: told.append(step))
    assert told == [(0, 2, "tables"), (1, 2, "tables"), (2, 2, "tables")]


@pytest.mark.parametrize("source", [None, "chexpert"])
def test_the_other_datasets_default_source_stands_for_its_own_labels(tmp_path: Path, source: str | None) -> None:
    reports = write_table(tmp_path / "r.csv", [record()], HEADER)
    harmonizer = CASIACXRHarmonizer(csv_path=reports, label_source=source)
    assert harmonizer.harmonize()["lung_lesion"].tolist() == [1]
    assert harmonizer.harmonized_df.equals(CASIACXRHarmonizer(csv_path=reports).harmonize())


REFUSED: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    ("nothing is named", {}, ConfigError, "root"),
    ("two different tables", {"csv_path": "a.csv", "report_csv_path": "b.csv"}, ConfigError, "Give one"),
    (
        "a source of labels",
        {"root": ".", "label_source": "negbio"},
        ConfigError,
        "its own labels alone; got label_source='negbio'",
    ),
    ("no source of labels", {"root": ".", "label_source": ""}, ConfigError, "label_source=''"),
    ("a split", {"root": ".", "split_csv_path": "s.csv"}, ConfigError, "no split"),
    ("no tables", {"csv_path": []}, ConfigError, "root"),
    ("a root that is not there", {"root": "nowhere"}, MissingFileError, "nowhere"),
    ("a table that is not there", {"csv_path": "nowhere.csv"}, MissingFileError, "nowhere"),
    ("images that are not there", {"csv_path": "r.csv", "base_image_dir": "nowhere"}, MissingFileError, "nowhere"),
    ("no class's folder", {"root": "empty"}, ConfigError, "CASIA-CXR_Cardiomegaly"),
    ("no reports", {"root": "silent"}, ConfigError, "CASIA-CXR_Mass_Reports.csv"),
    ("an empty table", {"root": "broken"}, TableError, "CASIA-CXR_Mass_Reports.csv"),
]


@pytest.mark.parametrize(("reason", "arguments", "kind", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_cannot_be_met_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str, arguments: dict[str, Any], kind: type[Exception], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "silent" / "CASIA-CXR_Mass").mkdir(parents=True)
    (write_class(tmp_path / "broken") / "CASIA-CXR_Mass_Reports.csv").write_bytes(b"")
    write_table(tmp_path / "r.csv", [record()], HEADER)
    with pytest.raises(kind, match=words):
        CASIACXRHarmonizer(**arguments).harmonize()
