"""``labeler-agreement`` and ``validate-labels``: files named or found, splits, formats, and the published table."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.cli import labeler_agreement, main
from radharmony_core.harmonizer import MIMICCXRJPGHarmonizer
from radharmony_core.labelers import published_agreement
from radharmony_core.labels import CHEXPERT_LABELS
from tests.cli.small import label_file, write_labels


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_labels(tmp_path / "mimic-cxr-jpg" / "2.1.0")


def asked(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> tuple[str, str]:
    assert main(arguments) == code
    said = capsys.readouterr()
    return said.out, said.err


# Edema over 50000001 to 5: CheXpert + - ? . + and NegBio + + ? - +; train is 1 and 2, validate 3, test 4 and 5.
SPLITS = [
    ("train", 2, (1, 0, 0, 1)),
    ("validate", 1, (0, 0, 1, 0)),
    ("test", 2, (1, 0, 0, 1)),
    ("all", 5, (2, 0, 1, 2)),
]


@pytest.mark.parametrize(("split", "studies", "edema"), SPLITS)
def test_agreement_counts_the_studies_of_a_split(
    root: Path, split: str, studies: int, edema: tuple[int, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["labeler-agreement", "--root", str(root.parent), "--split", split, "--no-compare", "--format", "json"]
    out, err = asked(arguments, capsys)
    told = json.loads(out)
    assert (told["split"], told["studies"]) == (split, studies)
    assert [row["label"] for row in told["labels"]] == list(CHEXPERT_LABELS)
    row = next(row for row in told["labels"] if row["label"] == "Edema")
    assert tuple(row[name] for name in ("positive", "negative", "uncertain", "disagreement")) == edema
    assert "published" not in told
    assert err == ""


def test_train_is_compared_with_the_published_table(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = asked(["labeler-agreement", "--root", str(root)], capsys, code=1)
    assert out.startswith("2 studies, split train\nlabel ")
    assert "54 of 56 cells differ from the published table" in err
    assert "The published table counts 222,750 studies, these files have 2." in err
    edema = next(line.split() for line in err.splitlines() if line.startswith("Edema"))
    assert edema == ["Edema", "positive", "25,549", "1"]


def test_equal_tables_are_exit_code_0(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(labeler_agreement, "agreement", lambda *_: published_agreement())
    out, err = asked(["labeler-agreement", "--root", str(root), "--format", "json"], capsys)
    assert json.loads(out)["published"] == {"studies": 222_750, "differences": []}
    assert "Every cell is as published" in err


def test_differences_are_in_the_json_too(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = asked(["labeler-agreement", "--root", str(root), "--format", "json"], capsys, code=1)
    differences = json.loads(out)["published"]["differences"]
    assert len(differences) == 54
    assert {"label": "Edema", "column": "disagreement", "published": 2_282, "found": 1} in differences


def test_agreement_as_csv_has_an_empty_cell_for_what_is_missing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = asked(["labeler-agreement", "--root", str(root), "--split", "all", "--format", "csv"], capsys)
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[0] == ["label", "positive", "negative", "uncertain", "disagreement"]
    assert rows[4] == ["Edema", "2", "0", "1", "2"]
    assert rows[9] == ["No Finding", "0", "", "", "0"]
    assert len(rows) == 15


def test_files_named_one_by_one_need_no_root(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = label_file(tmp_path / "mine.csv", {"50000001": {"Edema": "0.0"}})
    negbio = str(root / "mimic-cxr-2.0.0-negbio.csv")
    arguments = ["labeler-agreement", "--chexpert", str(mine), "--negbio", negbio, "--split", "all"]
    _, err = asked(arguments, capsys)
    assert "4 x study_without_labels" in err, "NegBio's other studies are blank in the file that was named"
    assert asked([*arguments, "--root", str(root)], capsys)[1] == err, "a file that is named wins over one that is found"
    _, err = asked([*arguments[:-1], "train"], capsys, code=1)
    assert "--split-csv FILE" in err, "a split needs its file"


@pytest.mark.parametrize(
    ("splits", "words", "reason"),
    [
        ({"50000001": "validate"}, "no row|'validate'", "no study of train"),
        ({}, "no row", "no image at all"),
    ],
)
def test_a_split_without_studies_is_refused(
    root: Path, splits: Mapping[str, str], words: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["dicom_id,study_id,subject_id,split", *(f"d,{study},1,{split}" for study, split in splits.items())]
    (root / "mimic-cxr-2.0.0-split.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    _, err = asked(["labeler-agreement", "--root", str(root)], capsys, code=1)
    assert "studies of the split 'train'" in err, reason
    assert any(word in err for word in words.split("|"))


def test_problems_in_a_file_are_told_with_its_name(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label_file(root / "mimic-cxr-2.0.0-negbio.csv", {"50000001": {"Edema": "-9"}, "50000004": {"Edema": "0"}})
    arguments = ["labeler-agreement", "--root", str(root), "--split", "test", "--issues", str(tmp_path / "issues.csv")]
    _, err = asked(arguments, capsys)
    assert "1 x unknown_label (error): row 2: mimic-cxr-2.0.0-negbio.csv: Edema is '-9'" in err
    assert "1 x study_without_labels (warning): The study '50000005' has no row among the NegBio labels" in err
    assert "1 x uncounted_studies (warning): 1 studies are not counted for Edema" not in err, "it is no study of test"
    assert pd.read_csv(tmp_path / "issues.csv")["code"].tolist() == ["unknown_label", "study_without_labels"]


OWN = [
    # the command, the option that names the file, the file
    ("labeler-agreement", "--chexpert", "mimic-cxr-2.0.0-chexpert.csv"),
    ("labeler-agreement", "--negbio", "mimic-cxr-2.0.0-negbio.csv"),
    ("labeler-agreement", "--split-csv", "mimic-cxr-2.0.0-split.csv"),
    ("validate-labels", "--truth", "mimic-cxr-2.1.0-test-set-labeled.csv"),
    ("validate-labels", "--negbio", "mimic-cxr-2.0.0-negbio.csv"),
]


@pytest.mark.parametrize("link", [False, True])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(("command", "option", "name"), OWN, ids=[" ".join(row[:2]) for row in OWN])
def test_the_list_of_problems_is_not_written_over_a_file_that_is_read(
    root: Path, tmp_path: Path, command: str, option: str, name: str, named: bool, link: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    file, target = root / name, root / name
    if link:
        target = tmp_path / "issues.csv"
        target.symlink_to(file)
    before = file.read_bytes()
    arguments = [command, "--root", str(root), *([option, str(file)] if named else []), "--issues", str(target)]
    out, err = asked(arguments, capsys, code=1)
    assert f"--issues {target} names a file that is read or written already" in err
    assert (out, file.read_bytes()) == ("", before)


def test_nor_over_a_file_that_would_have_fitted(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = label_file(root / "my-chexpert.csv", {})
    before = other.read_bytes()
    _, err = asked(["labeler-agreement", "--root", str(root), "--issues", str(other)], capsys, code=1)
    assert "names a file that is read or written already" in err
    assert other.read_bytes() == before


def without_column(path: Path, name: str) -> Path:
    pd.read_csv(path, dtype=str, keep_default_na=False).drop(columns=name).to_csv(path, index=False)
    return path


def test_figures_of_a_label_without_a_column_are_missing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without_column(root / "mimic-cxr-2.0.0-negbio.csv", "Edema")
    out, err = asked(["labeler-agreement", "--root", str(root), "--split", "all", "--format", "csv"], capsys)
    assert "Edema,,,,\n" in out
    assert "The column 'Edema' is missing" in err
    assert "5 studies are not counted for Edema: a file has no usable answer." in err
    out, _ = asked(["validate-labels", "--root", str(root), "--labeler", "negbio", "--format", "csv"], capsys)
    rows = [row for row in csv.reader(io.StringIO(out)) if row[1] == "Edema"]
    assert [row[3:] for row in rows] == [[""] * 7 + ["The predicted labels have no usable answer for this one."]] * 3


def test_a_file_without_any_label_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    split = str(root / "mimic-cxr-2.0.0-split.csv")
    _, err = asked(["labeler-agreement", "--root", str(root), "--negbio", split], capsys, code=1)
    assert "of the 14 it has none" in err


def test_which_of_several_files_was_read_is_told(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "mimic-cxr-2.0.0-negbio.csv.gz").write_bytes(b"")
    label_file(root / "my-chexpert.csv", {})
    _, err = asked(["labeler-agreement", "--root", str(root), "--split", "all"], capsys)
    assert "The file mimic-cxr-2.0.0-negbio.csv.gz is empty or damaged; another one is read in its place." in err
    assert "Several files fit; mimic-cxr-2.0.0-chexpert.csv, not my-chexpert.csv is read." in err


# Two of these are positive, one negative, one uncertain, five not mentioned, and -9 is nothing that can be used.
CELLS = ["1.0", "1,0", "0.0", "-1.0", "", "NaN", "NA", " ", "None", "-9"]


def test_the_commands_figures_are_those_of_the_harmonized_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever stands in a cell: what one of them counts as a disagreement the other counts as well."""
    pairs = {f"500000{number:02}": pair for number, pair in enumerate(itertools.product(CELLS, CELLS))}
    for place, name in enumerate(("chexpert", "negbio")):
        label_file(tmp_path / f"{name}.csv", {study: {"Edema": pair[place]} for study, pair in pairs.items()})
    films = "".join(f"d{study},10000001,{study}\n" for study in pairs)
    (tmp_path / "metadata.csv").write_text("dicom_id,subject_id,study_id\n" + films, encoding="utf-8")
    out, err = asked(["labeler-agreement", "--root", str(tmp_path), "--split", "all", "--format", "json"], capsys)
    edema = next(row for row in json.loads(out)["labels"] if row["label"] == "Edema")
    told = {name: edema[name] for name in ("positive", "negative", "uncertain", "disagreement")}
    assert told == {"positive": 4, "negative": 1, "uncertain": 1, "disagreement": 81 - 25 - 6}
    assert "19 studies are not counted for Edema" in err, "those with -9 on either side"
    table = MIMICCXRJPGHarmonizer(tmp_path, label_source="agreed").harmonize()
    assert table["labels_disagreed"].sum() == told["disagreement"]
    assert table["edema"].value_counts().to_dict() == {1: 4, 0: 1, -1: 1}


def test_both_labelers_are_held_against_the_hand_made_labels(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = asked(["validate-labels", "--root", str(root), "--format", "csv"], capsys)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 2 * 14 * 3
    assert err == ""
    found = {(row["labeler"], row["label"], row["task"]): row for row in rows}
    mention = found["chexpert", "Edema", "mention"]
    assert [mention[name] for name in ("true_positive", "false_negative", "precision", "recall")] == ["1", "1", "1.0", "0.5"]
    assert found["negbio", "Edema", "negation"]["f1"] == "1.0"
    assert found["chexpert", "Edema", "negation"]["precision"] == "", "it has no negation"
    assert found["chexpert", "Edema", "negation"]["reason"] == "Precision: no study is predicted negative."
    assert found["chexpert", "Lung Opacity", "mention"]["false_negative"] == "1", "the file calls it Airspace Opacity"


def test_one_labeler_needs_only_its_file(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = str(root / "mimic-cxr-2.1.0-test-set-labeled.csv")
    part = label_file(tmp_path / "part.csv", {"50000005": {"Edema": "1.0"}})
    arguments = ["validate-labels", "--truth", truth, "--negbio", str(part)]
    out, err = asked([*arguments, "--labeler", "negbio", "--format", "json"], capsys)
    told = json.loads(out)
    assert told["studies"] == 2
    assert {row["labeler"] for row in told["scores"]} == {"negbio"}
    assert told["scores"][1]["recall"] is None, "nobody negates Atelectasis"
    assert "part.csv: The study '50000004' has no row among the predicted labels" in err
    _, err = asked(arguments, capsys, code=1)
    assert "--chexpert FILE" in err


def test_validation_as_text_has_a_dash_for_what_is_missing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = asked(["validate-labels", "--root", str(root), "--labeler", "negbio"], capsys)
    lines = out.splitlines()
    assert lines[0] == "2 studies"
    edema = next(line.split() for line in lines if "Edema" in line and "negation" in line)
    assert edema == ["negbio", "Edema", "negation", "1", "0", "0", "1", "1.000", "1.000", "1.000"]
    empty = next(line for line in lines if "No Finding" in line and "uncertainty" in line)
    assert empty.split()[4:11] == ["0", "0", "0", "2", "-", "-", "-"]
    assert empty.endswith("never uncertain: there is nothing to score.")
