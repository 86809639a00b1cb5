"""The published agreement of CheXpert and NegBio, to hold one's own copy of the files against.

Source: Johnson et al., MIMIC-CXR-JPG, a large publicly available database of labeled chest radiographs, arXiv 1901.07042,
the table of label frequencies in the training set; the same numbers stand in the notebook of its authors
(MIT-LCP/mimic-code, generate-stats-from-paper.ipynb), which also gives the number of studies.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from radharmony_core.errors import TableError
from radharmony_core.labelers.agreement import AGREEMENT_COLUMNS
from radharmony_core.labels import CHEXPERT_LABELS

__all__ = ["PUBLISHED_AGREEMENT", "PUBLISHED_SPLIT", "PUBLISHED_STUDIES", "differences_from_published", "published_agreement"]

PUBLISHED_SPLIT = "train"
PUBLISHED_STUDIES = 222_750  # of the 222,758 in the split; the other 8 are in neither labeler's file

# Positive, negative, uncertain as both labelers have it, then disagreement.
PUBLISHED_AGREEMENT: dict[str, tuple[int, int | None, int | None, int]] = {
    "Atelectasis": (44_012, 921, 9_623, 1_705),
    "Cardiomegaly": (38_002, 15_563, 5_753, 5_769),
    "Consolidation": (10_199, 7_791, 2_913, 1_576),
    "Edema": (25_549, 24_746, 11_426, 2_282),
    "Enlarged Cardiomediastinum": (6_798, 5_158, 9_015, 248),
    "Fracture": (3_675, 871, 295, 867),
    "Lung Lesion": (5_939, 822, 996, 289),
    "Lung Opacity": (49_512, 2_794, 2_052, 2_460),
    "No Finding": (74_019, None, None, 3_825),
    "Pleural Effusion": (51_680, 26_532, 5_184, 1_617),
    "Pleural Other": (1_884, 120, 707, 91),
    "Pneumonia": (15_333, 23_771, 17_313, 1_377),
    "Pneumothorax": (9_159, 41_250, 848, 1_291),
    "Support Devices": (63_971, 3_014, 95, 1_785),
}


def published_agreement() -> pd.DataFrame:
    """The published table in the form of `agreement`: shape (14, 4), Int64, missing where the paper has no number."""
    rows: list[tuple[Any, ...]] = [PUBLISHED_AGREEMENT[label] for label in CHEXPERT_LABELS]
    columns = {name: pd.array([row[place] for row in rows], dtype="Int64") for place, name in enumerate(AGREEMENT_COLUMNS)}
    return pd.DataFrame(columns, index=pd.Index(CHEXPERT_LABELS, name="label"))


def differences_from_published(found: pd.DataFrame) -> pd.DataFrame:
    """The cells of a table of `agreement` that differ from the published ones: columns ``label``, ``column``, ``published``,
    ``found`` (both Int64), empty where every cell is equal. A missing cell equals only a missing one.

    Raises TableError where ``found`` has other rows or columns.
    """
    published = published_agreement()
    if list(found.index) != list(published.index) or list(found.columns) != list(published.columns):
        raise TableError(
            f"Expected the rows {list(published.index)} and the columns {list(published.columns)}, as agreement() gives them; "
            f"got {list(found.index)} and {list(found.columns)}."
        )
    cells = pd.DataFrame(
        {
            "label": [label for label in published.index for _ in published.columns],
            "column": list(published.columns) * len(published),
            "published": pd.array(published.to_numpy(dtype=object).ravel(), dtype="Int64"),
            "found": pd.array(found.to_numpy(dtype=object).ravel(), dtype="Int64"),
        }
    )
    equal = (cells["published"] == cells["found"]).fillna(value=False)
    both_missing = cells["published"].isna() & cells["found"].isna()
    return cells[~(equal | both_missing)].reset_index(drop=True)
