"""Labels read from a file: what cannot be used is told from what is not mentioned, and nothing is counted of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.labelers import LabelStates, agreement, read_label_states, validate_labels
from radharmony_core.labelers.states import BLANK, UNUSABLE, rows_of
from radharmony_core.labels import CHEXPERT_LABELS
from radharmony_core.schema import IssueLog
from tests.labelers.tables import edema_table

HEADER = ("subject_id", "study_id", *CHEXPERT_LABELS)
EDEMA = CHEXPERT_LABELS.index("Edema")


def label_file(folder: Path, edema: Sequence[str], *, name: str = "labels.csv", lacking: str = "") -> LabelStates:
    """Studies numbered from 50000001 with Edema's cells, and every other one blank; without the column ``lacking``."""
    lines = [",".join(column for column in HEADER if column != lacking)]
    for place, cell in enumerate(edema):
        cells = {"subject_id": "10000001", "study_id": str(50000001 + place), "Edema": cell}
        lines.append(",".join(cells.get(column, "") for column in HEADER if column != lacking))
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_label_states(folder / name, IssueLog())


def test_a_file_is_read_with_its_answers_that_cannot_be_used(tmp_path: Path) -> None:
    found = label_file(tmp_path, ["1.0", "0.0", "-1.0", "", "NaN", "-9"], lacking="Fracture")
    assert (found.ids.tolist()[0], found.ids.dtype.name, found.ids.name) == ("50000001", "str", "study_id")
    assert found.states.shape == (6, 14)
    assert found.states[:, EDEMA].tolist() == [1, 0, -1, BLANK, BLANK, UNUSABLE]
    assert set(found.states[:, CHEXPERT_LABELS.index("Fracture")]) == {UNUSABLE}
    assert set(found.states[:, CHEXPERT_LABELS.index("Pneumonia")]) == {BLANK}
    part = found.among(pd.Index(["50000006", "50000002", "7"]))
    assert (part.ids.tolist(), part.states[:, EDEMA].tolist()) == (["50000002", "50000006"], [0, UNUSABLE])


def test_a_study_that_is_not_there_is_blank_but_for_labels_of_which_nothing_is_known(tmp_path: Path) -> None:
    found = rows_of(label_file(tmp_path, ["1.0"], lacking="Fracture"), pd.Index(["50000009", "50000001"]))
    assert found[:, EDEMA].tolist() == [BLANK, 1]
    assert set(found[:, CHEXPERT_LABELS.index("Fracture")]) == {UNUSABLE}


PAIRS = [
    # reason, CheXpert's cells, NegBio's, positive, negative, uncertain, disagreement (None: missing), how many are not counted
    ("both usable", ["1", "0"], ["1", "0"], (1, 1, 0, 0), 0),
    ("one unusable", ["-9", "0"], ["1", "0"], (0, 1, 0, 0), 1),
    ("the other", ["1", "0"], ["1", "x"], (1, 0, 0, 0), 1),
    ("unusable beside blank is no disagreement", ["", "1"], ["-9", "1"], (1, 0, 0, 0), 1),
    ("both unusable is no agreement", ["-9", "1"], ["-9", "1"], (1, 0, 0, 0), 1),
    ("a word for blank is blank", ["NaN", "1"], ["", "NA"], (0, 0, 0, 1), 0),
    ("none usable", ["-9", "-9"], ["1", "1"], (None,) * 4, 2),
    ("no study", [], [], (0, 0, 0, 0), 0),
]


@pytest.mark.parametrize(("reason", "chexpert", "negbio", "counts", "uncounted"), PAIRS, ids=[row[0] for row in PAIRS])
def test_agreement_counts_what_both_files_know(
    tmp_path: Path, reason: str, chexpert: list[str], negbio: list[str], counts: tuple[int | None, ...], uncounted: int
) -> None:
    log = IssueLog()
    table = agreement(label_file(tmp_path, chexpert), label_file(tmp_path, negbio), log)
    assert tuple(None if cell is pd.NA else cell for cell in table.loc["Edema"]) == counts, reason
    assert table.drop(index=["Edema", "No Finding"]).eq(0).all(axis=None), "the other labels are blank in both"
    told = [("uncounted_studies", "Edema", str(uncounted))] if uncounted else []
    assert list(zip(*(log.frame()[name] for name in ("code", "column", "value")), strict=True)) == told


@pytest.mark.parametrize("turned", [False, True])
def test_without_a_labels_column_its_row_is_missing_and_no_disagreement_is_made_up(tmp_path: Path, turned: bool) -> None:
    whole, part = label_file(tmp_path, ["1", "0", ""]), label_file(tmp_path, ["", "", "", ""], lacking="Edema")
    log = IssueLog()
    table = agreement(part, whole, log) if turned else agreement(whole, part, log)
    assert table.loc["Edema"].isna().all(), "a study that only one file has says nothing of it either"
    assert table["disagreement"].drop("Edema").eq(0).all()
    assert log.frame().query("code == 'uncounted_studies'")[["column", "value"]].to_numpy().tolist() == [["Edema", "4"]]


NO_TRUTH, NO_GUESS = "Truth has no usable answer for this label.", "The predicted labels have no usable answer for this one."
SCORES = [
    # reason, truth, predicted, what lacks the column, counts of a mention, its reason, how many are not counted
    ("both usable", ["1", ""], ["1", "1"], "", (1, 1, 0, 0), "", 0),
    ("one of truth unusable", ["-9", "1"], ["1", "1"], "", (1, 0, 0, 0), "", 1),
    ("one predicted unusable", ["1", "1"], ["1", "-9"], "", (1, 0, 0, 0), "", 1),
    ("no column in truth", ["", ""], ["1", "0"], "truth", (None,) * 4, NO_TRUTH, 2),
    ("no column predicted", ["1", "0"], ["", ""], "predicted", (None,) * 4, NO_GUESS, 2),
    ("none in both", ["1", "-9"], ["-9", "1"], "", (None,) * 4, "No study has a usable answer in both.", 2),
]


@pytest.mark.parametrize(
    ("reason", "truth", "predicted", "lacking", "counts", "why", "uncounted"), SCORES, ids=[row[0] for row in SCORES]
)
def test_a_labeler_is_held_against_what_is_known(
    tmp_path: Path,
    reason: str,
    truth: list[str],
    predicted: list[str],
    lacking: str,
    counts: tuple[int | None, ...],
    why: str,
    uncounted: int,
) -> None:
    log = IssueLog()
    names = ["Edema" if lacking == name else "" for name in ("truth", "predicted")]
    table = validate_labels(
        label_file(tmp_path, truth, lacking=names[0]), label_file(tmp_path, predicted, lacking=names[1]), log
    ).query("label == 'Edema' and task == 'mention'")
    row = table.iloc[0]
    found = tuple(row[name] for name in ("true_positive", "false_positive", "false_negative", "true_negative"))
    assert tuple(None if cell is pd.NA else cell for cell in found) == counts, reason
    assert row["reason"] == why
    assert pd.isna(row[["precision", "recall", "f1"]]).all() == (counts[0] is None)
    assert log.frame()["value"].tolist() == ([str(uncounted)] if uncounted else [])


def test_a_file_and_a_table_go_together(tmp_path: Path) -> None:
    assert tuple(agreement(label_file(tmp_path, ["1", "-9", "0"]), edema_table("++-")).loc["Edema"]) == (1, 1, 0, 0)
    row = validate_labels(edema_table("+-"), label_file(tmp_path, ["1", "1"])).query("label == 'Edema' and task == 'mention'")
    assert row["true_positive"].tolist() == [2]
