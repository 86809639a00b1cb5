"""Small label files, and a dataset of a few rows that is read like any other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pandas as pd

from radharmony_core.harmonizer import Harmonizer
from radharmony_core.labels import CHEXPERT_LABELS
from radharmony_core.paths import existing
from radharmony_core.schema import Column, IssueLog
from tests.support import write_table

LABELED = ("subject_id", "study_id", *CHEXPERT_LABELS)
SPLIT = ("dicom_id", "study_id", "subject_id", "split")
TEST_SET = ("study_id", *("Airspace Opacity" if name == "Lung Opacity" else name for name in CHEXPERT_LABELS))


def label_file(path: Path, studies: Mapping[str, Mapping[str, str]]) -> Path:
    """A labeler's file: ``{"50000001": {"Edema": "1.0"}}``, every other cell blank."""
    return write_table(path, [{"subject_id": "10000001", "study_id": name, **row} for name, row in studies.items()], LABELED)


def write_labels(root: Path) -> Path:
    """A MIMIC-CXR-JPG folder of five studies: two of train, one of validate, two of test, the latter labelled by hand."""
    root.mkdir(parents=True, exist_ok=True)
    edema = {"1": "1.0", "2": "0.0", "3": "-1.0", "4": "", "5": "1.0"}
    chexpert = {f"5000000{key}": {"Edema": state} for key, state in edema.items()}
    label_file(root / "mimic-cxr-2.0.0-chexpert.csv", chexpert)
    label_file(root / "mimic-cxr-2.0.0-negbio.csv", {**chexpert, "50000002": {"Edema": "1.0"}, "50000004": {"Edema": "0.0"}})
    splits = {"1": "train", "2": "train", "3": "validate", "4": "test", "5": "test"}
    rows = [
        {"dicom_id": f"d{key}", "study_id": f"5000000{key}", "subject_id": key, "split": name} for key, name in splits.items()
    ]
    write_table(root / "mimic-cxr-2.0.0-split.csv", [*rows, {**rows[0], "dicom_id": "d9"}], SPLIT)
    truth = [{"study_id": "50000004", "Edema": "0.0"}, {"study_id": "50000005", "Edema": "1.0", "Airspace Opacity": "1.0"}]
    write_table(root / "mimic-cxr-2.1.0-test-set-labeled.csv", truth, TEST_SET)
    return root


class SmallHarmonizer(Harmonizer):
    """A dataset with states, days and lists, and an argument that no other dataset has."""

    kind = "small"
    columns: ClassVar[tuple[Column, ...]] = (
        *(Column(name, "text", "") for name in ("patient_id", "study_id", "image_path", "split")),
        Column("study_datetime", "datetime", ""),
        Column("edema", "state", ""),
        Column("source_labels", "texts", ""),
    )

    def __init__(self, root: str | Path | None = None, *, csv_path: str | Path | None = None, colour: str = "gray") -> None:
        super().__init__(root=None if root is None else str(root), csv_path=str(csv_path), colour=colour)

    def inputs(self) -> list[Path]:
        return [existing(self._arguments["csv_path"] or "", "the small table")]

    def _build(self, log: IssueLog) -> pd.DataFrame:
        log.add("tree_mixed")
        log.add("empty_phrase", rows=[4, 5])
        self._tell(1, 2, "tables")
        texts = {name: pd.array(["a", "b"], dtype="str") for name in ("patient_id", "study_id", "image_path")}
        return pd.DataFrame(
            {
                **texts,
                "split": pd.array(["train", None], dtype="str"),
                "study_datetime": pd.to_datetime(["2150-03-04", ""]),
                "edema": pd.array([-1, None], dtype="Int8"),
                "source_labels": pd.Series([["Œdème, fin", "x"], []], dtype=object),
            }
        )
