"""MS-CXR on the large demo: published counts at full size, phrases that stand in reports, boxes inside films."""

from __future__ import annotations

import csv
import gzip
import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from radharmony_core.demo.mscxr import Record
from radharmony_core.demo.scale.ms_cxr import Phrase, records_on
from radharmony_core.demo.scale.published import FULL, VIEWS
from radharmony_core.demo.scale.write import phrases_of_plan
from tests.demo.scale.support import Full

MS_CXR = "ms-cxr/1.1.0/MS_CXR_Local_Alignment_v1.1.0"


@pytest.fixture(scope="module")
def phrases(full: Full) -> list[Phrase]:
    return phrases_of_plan(full.hospital, full.truth, FULL, 0)


@pytest.fixture(scope="module")
def records(full: Full, phrases: list[Phrase]) -> list[Record]:
    return records_on(full.hospital, phrases, {one.image.film: f"{one.image.film}.jpg" for one in phrases}, 0)


def test_images_phrases_boxes_and_patients(full: Full, phrases: list[Phrase], records: list[Record]) -> None:
    assert len({one.path for one in records}) == 1_047
    assert len({(one.path, one.category, one.phrase) for one in records}) == len(phrases) == 1_162
    assert len(records) == 1_448
    assert len({int(full.hospital.patient[one.image.study]) for one in phrases}) == 851
    assert Counter(one.split for one in records) == {"train": 1_020, "val": 212, "test": 216}
    assert len({(one.path, one.category) for one in records}) == 1_120, "image records of the JSON"


def test_phrases_by_category(phrases: list[Phrase]) -> None:
    assert Counter(one.category for one in phrases) == {
        "Atelectasis": 61, "Cardiomegaly": 333, "Consolidation": 117, "Edema": 46, "Lung Opacity": 82, "Pleural Effusion": 96,
        "Pneumonia": 182, "Pneumothorax": 245,
    }  # fmt: skip
    assert Counter(one.category for one in phrases if one.image.split == "test") == {
        "Atelectasis": 8, "Cardiomegaly": 53, "Consolidation": 15, "Edema": 8, "Lung Opacity": 12, "Pleural Effusion": 14,
        "Pneumonia": 30, "Pneumothorax": 36,
    }  # fmt: skip


def test_films_are_frontal_and_patients_of_one_split(full: Full, phrases: list[Phrase]) -> None:
    names = list(VIEWS)
    assert {names[full.hospital.view[one.image.film]] for one in phrases} == {"AP", "PA"}
    assert all(int(full.hospital.study[one.image.film]) == one.image.study for one in phrases)
    pairs = {(int(full.hospital.patient[one.image.study]), one.image.split) for one in phrases}
    assert len(pairs) == 851


def test_boxes_lie_inside_and_on_the_side_that_the_phrase_names(records: list[Record]) -> None:
    sided = 0
    for one in records:
        assert one.box.x >= 0
        assert one.box.y >= 0
        assert one.box.w >= 20
        assert one.box.h >= 20
        assert one.box.x + one.box.w <= one.width
        assert one.box.y + one.box.h <= one.height
        words = set(one.phrase.lower().replace(",", "").split())
        if len(words & {"left", "right"}) == 1 and one.category != "Cardiomegaly":
            assert ((one.box.x + one.box.w / 2) / one.width > 0.5) == ("left" in words), one
            sided += 1
    assert sided > 500


def test_some_phrases_are_edited(records: list[Record]) -> None:
    kinds = {(one.path, one.category, one.phrase): one.verbatim for one in records}
    assert 0.55 < sum(kinds.values()) / len(kinds) < 0.85
    assert any("," in phrase for _, _, phrase in kinds)
    assert any('"' in phrase for _, _, phrase in kinds)


def test_in_the_files_most_phrases_stand_in_the_reports_and_paths_in_the_tables(root: Path) -> None:
    with (root / f"{MS_CXR}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 23, "1,448 x 6,000 / 377,110"
    listed = set((root / "mimic-cxr-jpg/2.1.0/IMAGE_FILENAMES").read_text().splitlines())
    text = gzip.decompress((root / "mimic-cxr-jpg/2.1.0/mimic-cxr-2.0.0-metadata.csv.gz").read_bytes()).decode()
    sizes = {row["dicom_id"]: (row["Columns"], row["Rows"]) for row in csv.DictReader(text.splitlines())}
    found = []
    with zipfile.ZipFile(root / "mimic-cxr/2.1.0/mimic-cxr-reports.zip") as archive:
        for row in rows:
            assert row["path"] in listed
            assert (row["image_width"], row["image_height"]) == sizes[row["dicom_id"]]
            report = archive.read(f"{row['path'].rpartition('/')[0]}.txt").decode()
            found.append(row["label_text"].lower() in " ".join(report.lower().split()))
    assert 0.4 < sum(found) / len(found) < 1


def test_json_holds_the_same_boxes_as_the_csv(root: Path) -> None:
    coco = json.loads((root / f"{MS_CXR}.json").read_text())
    with (root / f"{MS_CXR}.csv").open(newline="") as file:
        boxes = [[int(row[side]) for side in "xywh"] for row in csv.DictReader(file)]
    assert [one["bbox"] for one in coco["annotations"]] == boxes
