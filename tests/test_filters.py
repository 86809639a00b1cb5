"""Filters against a catalog small enough to count by eye."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.catalog import Catalog, load_catalog
from radharmony_core.config import Config
from radharmony_core.filters import FilterSpec, apply_filter, what_empties
from tests.support import annotation, write_table

ROWS = [
    annotation(dicom_id="a", category_name="Edema", label_text="Mild edema", split="train"),
    annotation(dicom_id="a", category_name="Pneumonia", label_text="left base (new)", split="train"),
    annotation(dicom_id="b", category_name="Edema", label_text="mild  edema", split="test", patient="10000002"),
    annotation(dicom_id="b", category_name="Edema", label_text="mild  edema", x=1, split="test", patient="10000002"),
    annotation(dicom_id="c", category_name="Edema", label_text="œdème", split="", patient="10000003"),
]


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return load_catalog(Config(tmp_path / "c.toml", {"ms_cxr": {"csv_path": write_table(tmp_path / "ms.csv", ROWS)}}))


WANTED = [
    # reason, filter, image places, phrases, boxes
    ("nothing asked", FilterSpec(), [0, 1, 2], 4, 5),
    ("a label", FilterSpec(labels=("Pneumonia",)), [0], 1, 1),
    ("any of two labels", FilterSpec(labels=("Pneumonia", "Edema")), [0, 1, 2], 4, 5),
    ("a split", FilterSpec(splits=("test",)), [1], 1, 2),
    ("label and split of one box", FilterSpec(labels=("Pneumonia",), splits=("test",)), [], 0, 0),
    ("letter case aside", FilterSpec(phrase="MILD EDEMA"), [0, 1], 2, 3),
    ("space aside, here and there", FilterSpec(phrase="  mild   edema "), [0, 1], 2, 3),
    ("signs of a pattern are letters", FilterSpec(phrase="(new)"), [0], 1, 1),
    ("label and phrase of one and the same box", FilterSpec(labels=("Edema",), phrase="left base"), [], 0, 0),
    ("French", FilterSpec(phrase="ŒDÈME"), [2], 1, 1),
    ("French without its accents", FilterSpec(phrase="oedeme"), [2], 1, 1),
    ("only space asks for nothing", FilterSpec(phrase="   "), [0, 1, 2], 4, 5),
    ("a label nobody has", FilterSpec(labels=("Fracture",)), [], 0, 0),
]


@pytest.mark.parametrize(("reason", "spec", "images", "phrases", "boxes"), WANTED, ids=[row[0] for row in WANTED])
def test_what_a_filter_leaves(
    catalog: Catalog, reason: str, spec: FilterSpec, images: list[int], phrases: int, boxes: int
) -> None:
    result = apply_filter(catalog, spec)
    assert (result.images.tolist(), result.phrases, result.boxes) == (images, phrases, boxes), reason


def test_which_condition_empties_it(catalog: Catalog) -> None:
    spec = FilterSpec(labels=("Pneumonia",), splits=("test",))
    assert what_empties(catalog, spec) == [("labels", 1), ("splits", 1)]


def test_the_catalog_is_not_changed(catalog: Catalog) -> None:
    before = catalog.boxes.copy(deep=True)
    apply_filter(catalog, FilterSpec(labels=("Edema",), splits=("test",), phrase="mild"))
    assert catalog.boxes.equals(before)


def test_an_empty_table_leaves_nothing(tmp_path: Path) -> None:
    catalog = load_catalog(Config(tmp_path / "c.toml", {"ms_cxr": {"csv_path": write_table(tmp_path / "ms.csv", [])}}))
    assert apply_filter(catalog, FilterSpec()).images.tolist() == []
    assert apply_filter(catalog, FilterSpec(phrase="x")).images.tolist() == []
