"""``harmonize``: both formats, the options each dataset takes, counts, problems, and files that must not be written over."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.cli import main
from radharmony_core.cli.harmonize import OPTIONS, options_of
from radharmony_core.demo import write_demo
from radharmony_core.harmonizer import HARMONIZERS, MSCXRHarmonizer
from radharmony_core.schema import parse_list_cell
from tests.cli.small import SmallHarmonizer, write_labels
from tests.support import annotation, write_table

METADATA = {
    **{"dicom_id": "d1", "subject_id": "10000001", "study_id": "50000001", "PerformedProcedureStepDescription": "CHEST"},
    **{"ViewPosition": "AP", "Rows": 64, "Columns": 48, "StudyDate": 21500304, "StudyTime": 80556.875},
    **dict.fromkeys(("ProcedureCodeSequence_CodeMeaning", "ViewCodeSequence_CodeMeaning"), ""),
    "PatientOrientationCodeSequence_CodeMeaning": "Erect",
}


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command up to its options, for a dataset that is registered for this test."""
    monkeypatch.setitem(HARMONIZERS, "small", SmallHarmonizer)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.csv").write_text("x\n", encoding="utf-8")
    return ["harmonize", "small", "--csv-path", "small.csv"]


def test_parquet_loads_as_it_was_saved_and_a_csv_reads_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write_table(tmp_path / "ms.csv", [annotation(), annotation(dicom_id="bbbb", w=0)])
    assert main(["harmonize", "ms_cxr", "--csv-path", str(table), "--out", str(tmp_path / "t.parquet")]) == 0
    assert "1 x box_without_area (error): row 3" in capsys.readouterr().err
    assert MSCXRHarmonizer.load_from_saved(tmp_path / "t.parquet").harmonized_df.shape == (2, 17)
    assert main(["harmonize", "ms_cxr", "--csv-path", str(table), "--out", str(tmp_path / "t.csv")]) == 0
    back = pd.read_csv(tmp_path / "t.csv", dtype=str)
    assert parse_list_cell(back["bbox_labels"].iloc[0]) == ["Edema"]


def test_a_csv_has_states_days_and_lists_that_any_program_reads(small: list[str], tmp_path: Path) -> None:
    assert main([*small, "--out", "t.CSV", "--quiet"]) == 0
    assert (tmp_path / "t.CSV").read_text(encoding="utf-8") == (
        "patient_id,study_id,image_path,split,study_datetime,edema,source_labels\n"
        'a,a,a,train,2150-03-04,-1,"[""Œdème, fin"", ""x""]"\n'
        "b,b,b,,,,[]\n"
    )


def test_ms_cxrs_table_is_found_below_a_root_and_a_named_one_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ms-cxr").mkdir()
    write_table(tmp_path / "ms-cxr" / "MS_CXR_Local_Alignment_v1.1.0.csv", [annotation()])
    named = write_table(tmp_path / "mine.csv", [annotation(), annotation(dicom_id="bbbb")])
    arguments = ["harmonize", "ms_cxr", "--root", str(tmp_path), "--out", str(tmp_path / "t.parquet"), "--format", "json"]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["counts"][-1] == {"split": "all", "images": 1, "studies": 1, "patients": 1}
    assert main([*arguments, "--csv-path", str(named)]) == 0
    assert json.loads(capsys.readouterr().out)["counts"][-1]["images"] == 2


def test_counts_name_every_split_and_the_rows_without_one(small: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*small, "--out", "t.csv"]) == 0
    assert capsys.readouterr().out == (
        "t.csv\n"
        "split  images  studies  patients\n"
        "train       1        1         1\n"
        "none        1        1         1\n"
        "all         2        2         2\n"
    )


def test_counts_of_a_table_without_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write_table(tmp_path / "ms.csv", [])
    assert main(["harmonize", "ms_cxr", "--csv-path", str(table), "--out", str(tmp_path / "t.csv"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == [{"split": "all", "images": 0, "studies": 0, "patients": 0}]
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").count("\n") == 1, "the header is there"


def test_problems_are_told_by_code_with_an_example_and_written_in_full(
    small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*small, "--out", "t.csv", "--issues", "issues.csv", "--quiet", "--format", "json"]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "  2 x empty_phrase (error): row 4: The phrase is empty.",
        "  1 x tree_mixed (note): The images' folder holds several kinds of file; each image was looked up by itself.",
        "  3 issues in issues.csv",
    ]
    assert json.loads(said.out)["issues"] == {"empty_phrase": 2, "tree_mixed": 1}
    written = pd.read_csv(tmp_path / "issues.csv")
    assert written["code"].tolist() == ["tree_mixed", "empty_phrase", "empty_phrase"]


REFUSED = [
    (["--colour", "blue", "--mimic-base-dir", "x"], "small takes no --mimic-base-dir; it takes --root, --csv-path, --colour."),
    (["--csv-path", "small.csv"], "small takes --csv-path once; it was given more often."),
    (["--out", "small.csv"], "--out small.csv names a file that is read"),
    (["--issues", "./small.csv"], "--issues small.csv names a file that is read"),
    (["--issues", "t.csv"], "--issues t.csv names a file that is read or written"),
    (["--issues", "issues.parquet"], "Expected --issues NAME.csv"),
    (["--issues", "nowhere/issues.csv"], "nowhere"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED, ids=[" ".join(row[0]) for row in REFUSED])
def test_a_request_that_cannot_be_met_is_refused_before_any_work(
    small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main([*small, *([] if "--out" in arguments else ["--out", "t.csv"]), *arguments]) == 1
    assert words in capsys.readouterr().err
    assert (tmp_path / "small.csv").read_text(encoding="utf-8") == "x\n"
    assert not (tmp_path / "t.csv").exists()


def test_an_option_that_takes_several_is_given_more_than_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_labels(tmp_path / "jpg")
    metadata = write_table(tmp_path / "metadata.csv", [METADATA], METADATA)
    labels = [f"--label-csv-path={root / f'mimic-cxr-2.0.0-{name}.csv'}" for name in ("chexpert", "negbio")]
    arguments = ["harmonize", "mimic_cxr_jpg", "--csv-path", str(metadata), "--out", str(tmp_path / "t.csv"), "--label-source"]
    assert main([*arguments, "agreed", *labels]) == 0
    row = pd.read_csv(tmp_path / "t.csv").iloc[0]
    assert (row["edema"], row["labels_disagreed"]) == (1, 0)
    assert main([*arguments, "agreed", labels[0]]) == 1, "one file cannot agree with itself"


def test_without_any_option_both_ways_are_named(small: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["harmonize", "small", "--out", "t.csv"]) == 1
    assert "--root with small somewhere below it" in capsys.readouterr().err


def test_an_argument_of_a_new_dataset_is_an_option_at_once(small: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*small, "--colour", "blue", "--out", "t.parquet"]) == 0
    assert SmallHarmonizer.load_from_saved("t.parquet")._arguments["colour"] == "blue"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("demo") / "out", images=12, seed=3, tables_only=True).parent


@pytest.mark.parametrize("kind", sorted(HARMONIZERS))
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_every_dataset_of_the_demo_is_harmonized_from_a_root(
    kind: str, suffix: str, demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"t{suffix}"
    assert main(["harmonize", kind, "--root", str(demo), "--out", str(out), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    table = pd.read_csv(out) if suffix == ".csv" else HARMONIZERS[kind].load_from_saved(out).harmonized_df
    assert told["counts"][-1]["images"] == len(table) > 0
    assert list(table.columns) == [column.name for column in HARMONIZERS[kind].columns]


@pytest.mark.parametrize("kind", sorted(HARMONIZERS))
def test_every_argument_of_every_dataset_is_explained(kind: str) -> None:
    assert [name for name in options_of(kind) if name not in OPTIONS] == []
    refused = {"split_csv_path"} if kind == "casia_cxr" else set()
    assert set(inspect.signature(HARMONIZERS[kind]).parameters) - refused <= set(options_of(kind))


HELP = [
    ("--split-csv-path", "(only mimic_cxr, mimic_cxr_jpg)"),
    ("--label-source", "casia_cxr has its own labels"),
    ("--csv-path", "may be given more than once for casia_cxr"),
    ("--label-csv-path", "may be given more than once (only casia_cxr, mimic_cxr, mimic_cxr_jpg)"),
    ("--root", "the dataset's folder"),
]


@pytest.mark.parametrize(("option", "words"), HELP)
def test_the_help_says_which_dataset_takes_an_option(option: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["harmonize", "--help"])
    told = " ".join(capsys.readouterr().out.split("options:")[1].split())
    about = told.partition(f" {option} ")[2].partition(" --")[0]
    assert words in about


@pytest.mark.parametrize(("source", "code"), [("chexpert", 0), ("negbio", 1)])
def test_casia_takes_the_others_default_source(
    source: str, code: int, demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "t.csv")
    assert main(["harmonize", "casia_cxr", "--root", str(demo), "--label-source", source, "--out", out]) == code
    assert ("its own labels alone" in capsys.readouterr().err) == (code == 1)


@pytest.mark.parametrize("kind", sorted(HARMONIZERS))
def test_an_option_that_a_dataset_does_not_take_is_refused_with_those_it_takes(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {name for other in HARMONIZERS for name in options_of(other)}
    for name in sorted(known - set(options_of(kind))):
        option = "--" + name.replace("_", "-")
        assert main(["harmonize", kind, "--root", str(tmp_path), option, "x", "--out", str(tmp_path / "t.csv")]) == 1
        said = capsys.readouterr().err
        assert f"{kind} takes no {option}; it takes --root" in said
