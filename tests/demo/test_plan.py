"""What the plan promises: counts, splits, order, categories, the words of reports. Nothing is drawn here."""

from __future__ import annotations

import re

import pytest

from radharmony_core.demo.mscxr import Record, records_of
from radharmony_core.demo.plan import Plan, make_plan
from radharmony_core.demo.texts import labels_of, negbio_of, report_of
from radharmony_core.labels import MS_CXR_CATEGORIES

SEEDS = (0, 1, 7)


@pytest.fixture(scope="module", params=SEEDS)
def plan(request: pytest.FixtureRequest) -> Plan:
    return make_plan(110, request.param)


@pytest.fixture(scope="module")
def records(plan: Plan) -> list[Record]:
    return records_of(plan)


@pytest.mark.parametrize("images", [1, 2, 9, 110, 5001])
def test_number_of_images_is_exact(images: int) -> None:
    assert sum(1 for _ in make_plan(images, 3).films()) == images


def test_ids_are_unique(plan: Plan) -> None:
    films = [film.dicom_id for _, film in plan.films()]
    assert len(set(films)) == len(films)
    assert len({study.study_id for study in plan.studies}) == len(plan.studies)


def test_no_patient_spans_a_split_and_the_two_splits_differ(plan: Plan) -> None:
    pairs = {(study.patient.subject_id, study.patient.split, study.patient.ms_split) for study in plan.studies}
    assert len(pairs) == len({study.patient.subject_id for study in plan.studies})
    assert {split for _, split, _ in pairs} == {"train", "validate", "test"}
    assert {split for _, _, split in pairs} == {"train", "val", "test"}
    assert any(one == "train" and other == "test" for _, one, other in pairs)


def test_studies_of_a_patient_stand_in_date_order(plan: Plan) -> None:
    repeated = [(a, b) for a, b in zip(plan.studies, plan.studies[1:], strict=False) if a.patient is b.patient]
    assert repeated
    assert all(a.when < b.when for a, b in repeated)


def test_ms_cxr_has_all_categories_and_splits(records: list[Record]) -> None:
    assert {one.category for one in records} == set(MS_CXR_CATEGORIES)
    assert {one.split for one in records} == {"train", "val", "test"}


def test_ms_cxr_has_its_traps(records: list[Record]) -> None:
    phrases = [(one.path, one.phrase) for one in records]
    categories = {(one.path, one.category) for one in records}
    assert len(phrases) > len(set(phrases)), "several boxes for one phrase"
    assert len(categories) > len({path for path, _ in categories}), "several categories on one image"
    assert any("," in one.phrase for one in records)
    assert any('"' in one.phrase for one in records)
    assert not all(one.verbatim for one in records)


def test_boxes_are_on_frontal_films_and_inside_them(plan: Plan, records: list[Record]) -> None:
    frontal = {film.dicom_id for _, film in plan.films() if not film.lateral}
    for one in records:
        assert one.dicom_id in frontal
        assert one.box.x >= 0
        assert one.box.y >= 0
        assert one.box.w >= 20
        assert one.box.h >= 20
        assert one.box.x + one.box.w <= one.width
        assert one.box.y + one.box.h <= one.height


def test_the_patients_left_is_on_the_right_of_the_film(records: list[Record]) -> None:
    sided = [(one, "left" in one.phrase.lower()) for one in records if re.search(r"\b(left|right)\b", one.phrase.lower())]
    sided = [(one, is_left) for one, is_left in sided if one.category != "Cardiomegaly"]
    assert {is_left for _, is_left in sided} == {True, False}
    for one, is_left in sided:
        assert ((one.box.x + one.box.w / 2) / one.width > 0.5) == is_left, one


def test_verbatim_phrases_stand_in_the_report_and_edited_ones_do_not(plan: Plan) -> None:
    for study in plan.studies:
        report = " ".join(report_of(study).lower().split())
        for one in study.words:
            assert (one.phrase.lower() in report) == one.verbatim, report


@pytest.mark.parametrize("seed", SEEDS)
def test_reports_have_the_shape_of_the_real_ones(seed: int) -> None:
    texts = [report_of(study) for study in make_plan(300, seed).studies]
    for text in texts:
        lines = text.removesuffix("\n").split("\n")
        assert lines[0] == " " * 33 + "FINAL REPORT"
        assert all(line.startswith(" ") and len(line) <= 79 for line in lines)
        assert all(line == " " or line.strip() for line in lines), "a blank line is one space"
        assert "___" in text
        assert re.search(r"^ (findings|impression): ", text, re.IGNORECASE | re.MULTILINE)
    for kind in (r"^ ADDENDUM:.*\n(.*\n)* _{20,}\n", r"^ WET READ: ", r"^ (Findings|Impression): ", r"^ FINDINGS: \n \n"):
        assert any(re.search(kind, text, re.MULTILINE) for text in texts), kind


def test_labels_follow_the_findings_and_have_four_states(plan: Plan) -> None:
    states = set()
    for study in plan.studies:
        labels = labels_of(study)
        states |= set(labels.values())
        found = {one.category for one in study.findings}
        if study.has_labels:
            assert all(labels[name] in (1, -1) for name in found)
            assert all(
                state == 0 for name, state in labels.items() if name in MS_CXR_CATEGORIES and name not in found | {"Lung Opacity"}
            )
        assert labels.get("No Finding") in (None, 1)
        assert not (found and "No Finding" in labels)
    assert states == {1, 0, -1}
    assert any(labels_of(study) != negbio_of(study) for study in plan.studies)
