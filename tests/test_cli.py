"""The command line: what it writes, and that a refusal is a sentence and exit code 1."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.cli import build_parser, main
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.schema import parse_list_cell
from tests.support import annotation, write_table


def test_harmonize_to_parquet_and_to_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write_table(tmp_path / "ms.csv", [annotation(), annotation(dicom_id="bbbb", w=0)])
    assert main(["harmonize", "ms_cxr", "--csv-path", str(table), "--out", str(tmp_path / "t.parquet")]) == 0
    assert "1 x box_without_area" in capsys.readouterr().err
    assert MSCXRHarmonizer.load_from_saved(tmp_path / "t.parquet").harmonized_df.shape == (2, 17)
    assert main(["harmonize", "ms_cxr", "--csv-path", str(table), "--out", str(tmp_path / "t.csv")]) == 0
    back = pd.read_csv(tmp_path / "t.csv", dtype=str)
    assert parse_list_cell(back["bbox_labels"].iloc[0]) == ["Edema"]


def test_harmonize_finds_the_table_below_a_root(tmp_path: Path) -> None:
    (tmp_path / "ms-cxr").mkdir()
    write_table(tmp_path / "ms-cxr" / "MS_CXR_Local_Alignment_v1.1.0.csv", [annotation()])
    out = tmp_path / "t.parquet"
    assert main(["harmonize", "ms_cxr", "--root", str(tmp_path), "--out", str(out)]) == 0
    assert out.is_file()


REFUSED = [
    ("no table named", ["harmonize", "ms_cxr", "--out", "t.csv"], "--csv-path"),
    ("a table that is not there", ["harmonize", "ms_cxr", "--csv-path", "gone.csv", "--out", "t.csv"], "gone.csv"),
    ("a root without a table", ["harmonize", "ms_cxr", "--root", ".", "--out", "t.csv"], "MS_CXR_Local_Alignment"),
    ("another format", ["harmonize", "ms_cxr", "--csv-path", "gone.csv", "--out", "t.xlsx"], "NAME.parquet"),
    ("a folder that is not there", ["harmonize", "ms_cxr", "--csv-path", "ms.csv", "--out", "nowhere/t.csv"], "nowhere"),
    ("a demo where nothing can be written", ["demo", "ms.csv/demo", "--images", "4"], "ms.csv"),
    ("no image", ["demo", "out", "--images", "0"], "1 or more"),
]


@pytest.mark.parametrize(("reason", "arguments", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_a_refusal_is_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    reason: str,
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_table(tmp_path / "ms.csv", [annotation()])
    assert main(arguments) == 1, reason
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said


@pytest.mark.parametrize("arguments", [[], ["unknown"], ["harmonize", "nothing", "--out", "t.csv"], ["demo"]])
def test_wrong_words_are_answered_with_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        build_parser().parse_args(arguments)
    assert stop.value.code == 2
    assert "usage: python -m radharmony_core" in capsys.readouterr().err


def test_demo_writes_tables_and_a_configuration(tmp_path: Path) -> None:
    assert main(["demo", str(tmp_path / "out"), "--images", "12", "--seed", "3", "--tables-only"]) == 0
    assert (tmp_path / "out" / "radharmony.toml").is_file()
    assert not list((tmp_path / "out").rglob("*.jpg"))
