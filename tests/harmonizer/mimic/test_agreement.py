"""Where CheXpert and NegBio agree: one labeler blank and the other not, or two different states, is disagreement."""

from __future__ import annotations

import itertools
from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.harmonizer import MIMICCXRJPGHarmonizer
from tests.harmonizer.mimic.made import HEADERS, LABELS, film, labels, write

PAIRS = [
    # CheXpert's cell, NegBio's cell, the agreed state (None: missing), on how many labels they differ
    ("1.0", "1.0", 1, 0),
    ("1.0", "0.0", None, 1),
    ("1.0", "-1.0", None, 1),
    ("1.0", "", None, 1),
    ("0.0", "1.0", None, 1),
    ("0.0", "0.0", 0, 0),
    ("0.0", "-1.0", None, 1),
    ("0.0", "", None, 1),
    ("-1.0", "1.0", None, 1),
    ("-1.0", "0.0", None, 1),
    ("-1.0", "-1.0", -1, 0),
    ("-1.0", "", None, 1),
    ("", "1.0", None, 1),
    ("", "0.0", None, 1),
    ("", "-1.0", None, 1),
    ("", "", None, 0),
]


def states(table: pd.DataFrame, name: str) -> list[int | None]:
    return [None if pd.isna(value) else int(value) for value in table[name]]


def test_every_pair_of_states_is_here() -> None:
    assert {(one, other) for one, other, _, _ in PAIRS} == set(itertools.product(("1.0", "0.0", "-1.0", ""), repeat=2))


def test_all_pairs_of_states(tmp_path: Path) -> None:
    ids = [str(50000001 + number) for number in range(len(PAIRS))]
    write(tmp_path, "metadata", [film(f"d{study}", study) for study in ids])
    write(tmp_path, "chexpert", [labels(study, edema=one) for study, (one, _, _, _) in zip(ids, PAIRS, strict=True)])
    write(tmp_path, "negbio", [labels(study, edema=other) for study, (_, other, _, _) in zip(ids, PAIRS, strict=True)])
    found = MIMICCXRJPGHarmonizer(tmp_path, label_source="agreed").harmonize()
    assert states(found, "edema") == [state for _, _, state, _ in PAIRS]
    assert states(found, "labels_disagreed") == [count for _, _, _, count in PAIRS]


SOURCES = [("chexpert", [1, None]), ("negbio", [0, -1]), ("agreed", [None, None]), ("test_set", [-1, None])]


@pytest.mark.parametrize(("source", "expected"), SOURCES, ids=[row[0] for row in SOURCES])
def test_each_source_gives_its_own_labels_and_the_same_disagreement(
    tmp_path: Path, source: str, expected: list[int | None]
) -> None:
    write(tmp_path, "metadata", [film("d1", "1"), film("d2", "2")])
    write(tmp_path, "chexpert", [labels("1", edema="1"), labels("2")])
    write(tmp_path, "negbio", [labels("1", edema="0", fracture="0"), labels("2", edema="-1")])
    write(tmp_path, "test_set", [labels("1", edema="-1")])
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path, label_source=source)
    assert states(harmonizer.harmonize(), "edema") == expected
    assert states(harmonizer.harmonized_df, "labels_disagreed") == [2, 1]
    assert "missing_labels" not in set(harmonizer.issues["code"]), "the test set is not meant to have every study"


FULL = {name.lower().replace(" ", "_"): "-9" for name in LABELS}
UNKNOWN = [
    # reason, CheXpert's rows, NegBio's rows, a column that NegBio's file has not, on how many labels they differ
    ("no row in one of the files", [labels("1", edema="1")], [labels("2")], None, None),
    ("no row in the other", [labels("2")], [labels("1", edema="1")], None, None),
    ("a row in neither", [labels("2")], [labels("2")], None, None),
    ("a cell that says nothing", [labels("1", edema="maybe", fracture="1")], [labels("1", edema="1")], None, 1),
    ("two answers of one labeler", [labels("1", edema="1"), labels("1", edema="0")], [labels("1", edema="1")], None, 0),
    ("a column that is not there", [labels("1", edema="1")], [labels("1", fracture="1")], "Edema", 1),
    ("no label that both know", [labels("1", edema="1")], [labels("1", **FULL)], "Edema", None),
    ("words for nothing are blank", [labels("1", edema="NaN", fracture="NA")], [labels("1", fracture="0")], None, 1),
]


@pytest.mark.parametrize(("reason", "chexpert", "negbio", "lacking", "count"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_what_nobody_knows_is_not_counted(
    tmp_path: Path,
    reason: str,
    chexpert: list[dict[str, object]],
    negbio: list[dict[str, object]],
    lacking: str | None,
    count: int | None,
) -> None:
    write(tmp_path, "metadata", [film("d1", "1")])
    write(tmp_path, "chexpert", chexpert)
    write(tmp_path, "negbio", negbio, header=[name for name in HEADERS["negbio"] if name != lacking])
    found = MIMICCXRJPGHarmonizer(tmp_path, label_source="agreed").harmonize()
    assert states(found, "labels_disagreed") == [count], reason
    assert states(found, "edema") == [None], reason
