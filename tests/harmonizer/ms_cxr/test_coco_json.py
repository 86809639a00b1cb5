"""MS-CXR's COCO-like JSON: images by path, categories by name, and every annotation kept wherever it can be."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from radharmony_core.errors import TableError
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.schema import validate

SOUND_BOX = [0.15625, 0.46875, 0.625, 40 / 48]
WINDOWS = "files\\p10\\p10000001\\s50000001\\aaaa.jpg"
OTHER = "files/p10/p10000002/s50000002/bbbb.jpg"


def written(folder: Path, content: dict[str, Any]) -> MSCXRHarmonizer:
    path = folder / "ms.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return MSCXRHarmonizer(path)


def codes(harmonizer: MSCXRHarmonizer) -> list[tuple[str, int | None]]:
    found = harmonizer.issues
    return [(code, None if pd.isna(row) else int(row)) for code, row in zip(found["code"], found["row"], strict=True)]


def coco(**changes: Any) -> dict[str, Any]:
    path = "files/p10/p10000001/s50000001/aaaa.jpg"
    image = {"file_name": "aaaa.jpg", "path": path, "width": 48, "height": 64}
    mark = {"category_id": 7, "bbox": [30, 10, 10, 20], "width": 48, "height": 64, "split": "test"}
    return {
        "images": [image | {"id": 1}, image | {"id": 2}],
        "annotations": [
            mark | {"id": 1, "image_id": 1, "label_text": "mild edema"},
            mark | {"id": 2, "image_id": 2, "label_text": "also here", "bbox": [0, 0, 24, 32]},
        ],
        "categories": [{"id": 7, "name": "Edema"}, {"id": 1, "name": "Pneumonia"}],
    } | changes


def test_the_json_release_goes_by_path_and_category_name(tmp_path: Path) -> None:
    harmonizer = written(tmp_path, coco())
    table = harmonizer.harmonize()
    assert len(table) == 1, "two image records of one path are one image"
    assert table["bbox"].iloc[0] == [pytest.approx(SOUND_BOX), pytest.approx([0, 0.5, 0, 0.5])]
    assert table["bbox_labels"].iloc[0] == ["Edema", "Edema"]
    assert table["edema"].tolist() == [1]
    assert table["split"].tolist() == ["test"]
    assert harmonizer.issues.empty


def test_an_annotation_of_no_listed_image_is_kept_and_named(tmp_path: Path) -> None:
    content = coco()
    content["annotations"][1]["image_id"] = 99
    harmonizer = written(tmp_path, content)
    assert len(harmonizer.harmonize()) == 2
    assert ("unknown_image", 2) in codes(harmonizer)
    assert harmonizer.harmonized_df["image_path"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"images": 3}',
        '{"images": [], "annotations": {}, "categories": []}',
        "[" * 100_000,
        "NaN",
        '{"\\ud800": 1}',
    ],
)
def test_json_of_another_shape_is_refused_in_words(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ms.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match="COCO"):
        MSCXRHarmonizer(path).harmonize()


def with_record(part: str, record: object, at: int = 0) -> dict[str, Any]:
    """The sound file with one more record."""
    content = coco()
    content[part].insert(at, record)
    return content


def with_annotation(**changes: Any) -> dict[str, Any]:
    """The sound file, its first annotation changed."""
    content = coco()
    content["annotations"][0] |= changes
    return content


IMAGE = {"file_name": "aaaa.jpg", "path": "files/p10/p10000001/s50000001/aaaa.jpg", "width": 48, "height": 64}
NO_PATH = [("path_shape", 1)]
AMBIGUOUS = [(code, row) for code in ("ambiguous_category", "unknown_category") for row in (1, 2)]
KEPT = [
    # reason, the file, codes expected, image path of the first annotation's row
    ("a sound file", coco(), [], "aaaa"),
    ("one id, two paths", with_record("images", IMAGE | {"id": 1, "path": OTHER}), [("ambiguous_image", 1), *NO_PATH], None),
    (
        "the other one listed last",
        with_record("images", IMAGE | {"id": 1, "path": OTHER}, 9),
        [("ambiguous_image", 1), *NO_PATH],
        None,
    ),
    ("one id, one path twice", with_record("images", IMAGE | {"id": 1}), [], "aaaa"),
    ("one path in two spellings", with_record("images", IMAGE | {"id": 1, "path": WINDOWS}), [], "aaaa"),
    ("true is not 1", with_record("images", IMAGE | {"id": True, "path": OTHER}), [], "aaaa"),
    ("a text is not a number", with_record("images", IMAGE | {"id": "1", "path": OTHER}), [], "aaaa"),
    ("the number 1.0 is 1", with_annotation(image_id=1.0), [], "aaaa"),
    ("an annotation of image true", with_annotation(image_id=True), [("unknown_image", 1), *NO_PATH], None),
    ("an annotation of a list", with_annotation(image_id=[1]), [("unknown_image", 1), *NO_PATH], None),
    ("one category, two names", with_record("categories", {"id": 7, "name": "Pneumonia"}), AMBIGUOUS, "aaaa"),
    ("the other name last", with_record("categories", {"id": 7, "name": "Pneumonia"}, 9), AMBIGUOUS, "aaaa"),
    ("one name twice", with_record("categories", {"id": 7, "name": "edema"}), [], "aaaa"),
    (
        "a category without a name",
        with_annotation(category_id=5) | {"categories": [{"id": 5}, {"id": 7, "name": "Edema"}]},
        [("unknown_category", 1)],
        "aaaa",
    ),
    ("another width", with_annotation(width=49), [("annotation_size_conflict", 1)], "aaaa"),
    ("the same width with a point", with_annotation(width=48.0), [], "aaaa"),
    ("no width of its own", with_annotation(width=None), [], "aaaa"),
    ("five numbers", with_annotation(bbox=[30, 10, 10, 20, 1]), [("box_shape", 1)], "aaaa"),
    ("three numbers", with_annotation(bbox=[30, 10, 10]), [("box_shape", 1)], "aaaa"),
    ("four letters", with_annotation(bbox="1234"), [("box_shape", 1)], "aaaa"),
    ("a number", with_annotation(bbox=7), [("box_shape", 1)], "aaaa"),
    ("no box", with_annotation(bbox=None), [("box_shape", 1)], "aaaa"),
    ("a box in a box", with_annotation(bbox=[[30, 10, 10, 20]]), [("box_shape", 1)], "aaaa"),
    ("four lists", with_annotation(bbox=[[1], [1], [1], [1]]), [("box_shape", 1)], "aaaa"),
    ("a number as text", with_annotation(bbox=["30", 10, 10, 20]), [("box_shape", 1)], "aaaa"),
    ("true is no number", with_annotation(bbox=[True, 10, 10, 20]), [("box_shape", 1)], "aaaa"),
    ("a gap", with_annotation(bbox=[None, 10, 10, 20]), [("box_shape", 1)], "aaaa"),
    ("without end", with_annotation(bbox=[math.inf, 10, 10, 20]), [("not_a_number", 1)], "aaaa"),
    ("a number of 400 digits", with_annotation(bbox=[10**400, 10, 10, 20]), [("not_a_number", 1)], "aaaa"),
]


@pytest.mark.parametrize(("reason", "content", "expected", "name"), KEPT, ids=[row[0] for row in KEPT])
def test_an_annotation_is_kept_and_what_is_wrong_is_said(
    tmp_path: Path, reason: str, content: dict[str, Any], expected: list[tuple[str, int | None]], name: str | None
) -> None:
    harmonizer = written(tmp_path, content)
    table, boxes = harmonizer.harmonize(), harmonizer.boxes_df
    assert sorted(codes(harmonizer)) == sorted(expected), reason
    assert boxes["row"].tolist() == [1, 2], "both annotations are there"
    path = table["image_path"].iloc[boxes["image"].iloc[0]]
    assert (None if pd.isna(path) else Path(path).stem) == name, reason
    place = boxes[["y_min", "y_max", "x_min", "x_max"]].iloc[0]
    assert place.isna().tolist() == [bool({"box_shape", "not_a_number"} & {code for code, _ in expected})] * 4
    assert boxes["label"].iloc[0] in ("Edema", *(["7"] if expected is AMBIGUOUS else ["5"])), reason


RECORDS = [
    # reason, part of the file, record put first, row of the issue, rows read
    ("a null annotation", "annotations", None, 1, [2, 3]),
    ("a number", "annotations", 7, 1, [2, 3]),
    ("a word", "annotations", "x", 1, [2, 3]),
    ("a null image", "images", None, None, [1, 2]),
    ("an image without id", "images", {"path": OTHER}, None, [1, 2]),
    ("an image with a list for an id", "images", {"id": [1], "path": OTHER}, None, [1, 2]),
    ("a category that is a word", "categories", "Edema", None, [1, 2]),
    ("a category without id", "categories", {"name": "Edema"}, None, [1, 2]),
]


@pytest.mark.parametrize(("reason", "part", "record", "row", "rows"), RECORDS, ids=[row[0] for row in RECORDS])
def test_one_bad_record_costs_no_other(
    tmp_path: Path, reason: str, part: str, record: object, row: int | None, rows: list[int]
) -> None:
    harmonizer = written(tmp_path, with_record(part, record))
    table = harmonizer.harmonize()
    assert codes(harmonizer) == [("bad_record", row)], reason
    assert harmonizer.issues["value"].tolist() == [f"1 of {part}"]
    assert harmonizer.boxes_df["row"].tolist() == rows
    assert len(table) == 1


def test_records_of_one_image_that_disagree_on_its_size_leave_it_to_the_annotation(tmp_path: Path) -> None:
    content = with_record("images", IMAGE | {"id": 1, "width": 96})
    del content["annotations"][0]["width"]
    harmonizer = written(tmp_path, content)
    assert math.isnan(harmonizer.harmonize()["bbox"].iloc[0][0][0])
    assert ("image_size_missing", 1) in codes(harmonizer)


ODD_TEXTS = [
    # reason, JSON of the first annotation's phrase, phrase expected
    ("half a surrogate pair", r'"left \ud800 base"', "left \ufffd base"),
    ("the whole pair", r'"\ud83e\udec1"', "\U0001fac1"),
    ("a list", '["left", 1]', '["left", 1]'),
    ("a number of 5000 digits", "1" * 5000, "inf"),
    ("a number beyond all", "1e999", "inf"),
    ("true", "true", "true"),
]


@pytest.mark.parametrize(("reason", "text", "phrase"), ODD_TEXTS, ids=[row[0] for row in ODD_TEXTS])
def test_any_value_can_be_a_phrase(tmp_path: Path, reason: str, text: str, phrase: str) -> None:
    path = tmp_path / "ms.json"
    path.write_text(json.dumps(with_annotation(label_text="HERE")).replace('"HERE"', text), encoding="utf-8")
    harmonizer = MSCXRHarmonizer(path)
    table = harmonizer.harmonize()
    assert table["label_text"].iloc[0][0] == phrase, reason
    assert not validate(table)
    assert MSCXRHarmonizer.load_from_saved(harmonizer.save(tmp_path / "t.parquet")).harmonized_df.shape == (1, 17)


DEEP = "[" * 500 + "]" * 500


@pytest.mark.parametrize("key", ["label_text", "bbox", "width", "image_id", "category_id", "split"])
def test_deep_values_are_no_traceback(tmp_path: Path, key: str) -> None:
    path = tmp_path / "ms.json"
    path.write_text(json.dumps(with_annotation(**{key: "HERE"})).replace('"HERE"', DEEP), encoding="utf-8")
    assert MSCXRHarmonizer(path).boxes_df["row"].tolist() == [1, 2]
