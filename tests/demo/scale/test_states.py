"""The two labelers at full size, against the table of the MIMIC-CXR-JPG paper (arXiv 1901.07042), cell by cell."""

from __future__ import annotations

import numpy as np
import pytest

from radharmony_core.demo.scale.states import BLANK, Kinds, joint_states
from radharmony_core.labels import CHEXPERT_LABELS
from tests.demo.scale.support import Full

PAPER = {  # train studies: both positive, both negative, both uncertain, disagreement
    "Atelectasis": (44_012, 921, 9_623, 1_705),
    "Cardiomegaly": (38_002, 15_563, 5_753, 5_769),
    "Consolidation": (10_199, 7_791, 2_913, 1_576),
    "Edema": (25_549, 24_746, 11_426, 2_282),
    "Enlarged Cardiomediastinum": (6_798, 5_158, 9_015, 248),
    "Fracture": (3_675, 871, 295, 867),
    "Lung Lesion": (5_939, 822, 996, 289),
    "Lung Opacity": (49_512, 2_794, 2_052, 2_460),
    "No Finding": (74_019, 0, 0, 3_825),
    "Pleural Effusion": (51_680, 26_532, 5_184, 1_617),
    "Pleural Other": (1_884, 120, 707, 91),
    "Pneumonia": (15_333, 23_771, 17_313, 1_377),
    "Pneumothorax": (9_159, 41_250, 848, 1_291),
    "Support Devices": (63_971, 3_014, 95, 1_785),
}
FINDINGS = [place for place, name in enumerate(CHEXPERT_LABELS) if name not in ("No Finding", "Support Devices")]
NO_FINDING = CHEXPERT_LABELS.index("No Finding")


@pytest.mark.parametrize("label", PAPER)
def test_agreement_is_that_of_the_paper(full: Full, label: str) -> None:
    train = full.hospital.study_split == 0
    one, other = (table[train, CHEXPERT_LABELS.index(label)] for table in (full.states.chexpert, full.states.negbio))
    agreed = tuple(int(((one == state) & (other == state)).sum()) for state in (1, 0, -1))
    assert (*agreed, int((one != other).sum())) == PAPER[label]


def test_no_finding_is_one_exactly_where_a_labeler_sees_nothing(full: Full) -> None:
    """Both ways, but for the studies without any label, which no rule explains."""
    for table in (full.states.chexpert, full.states.negbio):
        ill = np.isin(table[:, FINDINGS], (1, -1)).any(axis=1)
        well = table[:, NO_FINDING] == 1
        assert not (ill & well).any()
        assert int((~ill & ~well).sum()) == 2_414 + 8
        assert set(np.unique(table[:, NO_FINDING]).tolist()) == {1, BLANK}, "1 or blank"


def test_studies_without_row_and_without_label(full: Full) -> None:
    without_row = full.states.kind == 0
    assert int(without_row.sum()) == 8
    blank = (full.states.chexpert == BLANK).all(axis=1)
    assert int((blank & ~without_row).sum()) == 2_414


@pytest.mark.parametrize("studies", [22, 23, 24, 29, 43, 240, 3_000])
@pytest.mark.parametrize("seed", [0, 1])
def test_small_splits_keep_the_rule_of_no_finding(studies: int, seed: int) -> None:
    part = joint_states(studies, Kinds(0, 1), np.random.default_rng(seed))
    for table in (part.chexpert, part.negbio):
        ill = np.isin(table[:, FINDINGS], (1, -1)).any(axis=1)
        assert ((table[:, NO_FINDING] == 1) == ~ill).sum() == studies - 1, "all but the one without a label"


def test_truth_is_what_both_say_and_else_what_one_of_them_says(full: Full) -> None:
    one, other, truth = full.states.chexpert, full.states.negbio, full.truth
    spoken = [place for place in range(14) if place != NO_FINDING]
    one, other, truth = one[:, spoken], other[:, spoken], truth[:, spoken]
    assert bool((truth == one)[one == other].all())
    assert bool(((truth == one) | (truth == other)).all())
    assert not bool((truth == BLANK)[one != other].any()), "what one labeler reads was written"
