"""Patients, studies and films at full size: exact counts, patient-level splits, dates in order."""

from __future__ import annotations

import numpy as np

from radharmony_core.demo.scale.published import VIEWS
from tests.demo.scale.support import Full

SPLIT_COUNTS = {"images": [368_960, 2_991, 5_159], "studies": [222_758, 1_808, 3_269], "patients": [64_586, 500, 293]}
VIEW_COUNTS = {
    "AP": 147_173, "PA": 96_161, "LATERAL": 82_853, "LL": 35_133, "": 15_769, "PA LLD": 4, "LAO": 3, "RAO": 3, "AP AXIAL": 2,
    "AP LLD": 2, "XTABLE LATERAL": 2, "AP RLD": 2, "SWIMMERS": 1, "PA RLD": 1, "LPO": 1,
}  # fmt: skip


def test_images_studies_and_patients_by_split(full: Full) -> None:
    hospital = full.hospital
    assert np.bincount(hospital.split).tolist() == SPLIT_COUNTS["patients"]
    assert np.bincount(hospital.study_split).tolist() == SPLIT_COUNTS["studies"]
    assert np.bincount(hospital.study_split[hospital.study]).tolist() == SPLIT_COUNTS["images"]


def test_views_by_name(full: Full) -> None:
    counts = np.bincount(full.hospital.view, minlength=len(VIEWS))
    assert dict(zip(VIEWS, counts.tolist(), strict=True)) == VIEW_COUNTS


def test_every_patient_has_a_study_and_every_study_a_film(full: Full) -> None:
    hospital = full.hospital
    assert len(np.unique(hospital.patient)) == 65_379
    assert len(np.unique(hospital.study)) == 227_835


def test_ids_have_eight_digits_and_are_unique(full: Full) -> None:
    hospital = full.hospital
    for ids, first in ((hospital.subject_id, 1), (hospital.study_id, 5)):
        assert len(np.unique(ids)) == len(ids)
        assert set(np.unique(ids // 10_000_000).tolist()) == {first}
    assert hospital.dicom_id.shape == (377_110, 44)
    assert len(np.unique(hospital.dicom_id.view("S44"))) == 377_110


def test_studies_of_a_patient_stand_in_date_order_and_not_in_that_of_ids(full: Full) -> None:
    hospital = full.hospital
    same = hospital.patient[1:] == hospital.patient[:-1]
    later = hospital.when[1:] > hospital.when[:-1]
    assert bool(later[same].all())
    assert 0.3 < (np.diff(hospital.study_id)[same] > 0).mean() < 0.7, "ids tell nothing about time"
    years = hospital.when.astype("datetime64[Y]").astype(int) + 1970
    assert 2100 <= years.min() <= years.max() <= 2200


def test_visits_have_a_long_tail(full: Full) -> None:
    visits = np.bincount(full.hospital.patient)
    assert (visits == 1).sum() > 20_000
    assert (visits > 30).sum() > 100
    assert visits.max() > 100


def test_most_studies_have_a_frontal_film_and_lateral_ones_come_second(full: Full) -> None:
    hospital, names = full.hospital, list(VIEWS)
    frontal = np.isin(hospital.view, [names.index("AP"), names.index("PA")])
    assert len(np.unique(hospital.study[frontal])) > 0.95 * 227_835
    lateral = np.isin(hospital.view, [names.index("LATERAL"), names.index("LL")])
    first = np.flatnonzero(np.diff(hospital.study, prepend=-1))
    assert not lateral[first].any()
    upright = hospital.upright[hospital.study]
    assert upright[hospital.view == names.index("PA")].mean() > 0.9
    assert upright[hospital.view == names.index("AP")].mean() < 0.2
