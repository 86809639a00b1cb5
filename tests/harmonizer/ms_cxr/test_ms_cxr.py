"""MS-CXR's table to one row per image: what must not lie is geometry, labels and ids. Expected numbers are worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.schema import MS_CXR_COLUMNS, validate
from tests.support import HEADER, annotation, write_table

# 30/48 = 0.625, (30+10)/48 = 0.833333, 10/64 = 0.15625, (10+20)/64 = 0.46875
SOUND_BOX = [0.15625, 0.46875, 0.625, 40 / 48]


def harmonized(tmp_path: Path, *rows: dict[str, object], **form: Any) -> MSCXRHarmonizer:
    return MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows or [annotation()], **form))


def codes(harmonizer: MSCXRHarmonizer) -> list[tuple[str, int | None]]:
    return [
        (code, None if pd.isna(row) else int(row))
        for code, row in zip(harmonizer.issues["code"], harmonizer.issues["row"], strict=True)
    ]


def test_the_seventeen_columns_stand_in_their_order(tmp_path: Path) -> None:
    expected = (
        "patient_id, study_id, image_path, bbox, bbox_labels, atelectasis, cardiomegaly, consolidation, edema, lung_opacity, "
        "pleural_effusion, pneumonia, pneumothorax, split, label_text, image_width, image_height"
    )
    table = harmonized(tmp_path).harmonize()
    assert ", ".join(table.columns) == expected
    assert table.shape == (1, 17)


def test_one_row_by_hand(tmp_path: Path) -> None:
    row = harmonized(tmp_path).harmonize().iloc[0]
    assert row["patient_id"] == "10000001"
    assert row["study_id"] == "50000001"
    assert row["image_path"] == "p10/p10000001/s50000001/aaaa.jpg"
    assert row["bbox"] == [pytest.approx(SOUND_BOX)]
    assert row["bbox_labels"] == ["Edema"]
    assert row["label_text"] == ["mild edema"]
    assert (row["edema"], row["pneumonia"]) == (1, 0)
    assert (row["split"], row["image_width"], row["image_height"]) == ("test", 48, 64)


def test_boxes_of_an_image_come_together_in_the_files_order(tmp_path: Path) -> None:
    rows = [
        annotation(category_name="Pneumonia", label_text="right base", x=0),
        annotation(dicom_id="bbbb", patient="10000002", study="50000002"),
        annotation(category_name="Lung Opacity", label_text="bilateral", x=1),
        annotation(category_name="Lung Opacity", label_text="bilateral", x=2),
    ]
    table = harmonized(tmp_path, *rows).harmonize()
    first = table.iloc[0]
    assert len(table) == 2, "one row per image"
    assert [round(box[2] * 48) for box in first["bbox"]] == [0, 1, 2]
    assert first["bbox_labels"] == ["Pneumonia", "Lung Opacity", "Lung Opacity"]
    assert first["label_text"] == ["right base", "bilateral", "bilateral"]
    assert (first["pneumonia"], first["lung_opacity"], first["edema"]) == (1, 1, 0), "several categories on one image"


FAULTS = [
    # reason, changed cells, codes expected for row 2
    ("a sound row", {}, []),
    ("a category MS-CXR does not have", {"category_name": "Fracture"}, ["unknown_category"]),
    ("letter case and space are no fault", {"category_name": " lung OPACITY "}, []),
    ("a word where a number belongs", {"x": "left"}, ["not_a_number"]),
    ("an empty number", {"h": ""}, ["not_a_number"]),
    ("not a number spelled out", {"y": "nan"}, ["not_a_number"]),
    ("infinity is no place", {"w": "inf"}, ["not_a_number"]),
    ("floats are numbers", {"x": "30.0"}, []),
    ("space round a number is no fault", {"x": " 30 "}, []),
    ("beyond the right edge", {"x": 40}, ["box_outside_image"]),
    ("beyond the top edge", {"y": -1}, ["box_outside_image"]),
    ("up to the edge is inside", {"x": 38, "y": 44}, []),
    ("no width", {"w": 0}, ["box_without_area"]),
    ("corners written as width and height", {"h": -3}, ["box_without_area"]),
    ("no phrase", {"label_text": ""}, ["empty_phrase"]),
    ("a phrase of space", {"label_text": "  "}, ["empty_phrase"]),
    ("a path without study", {"path": "files/p10/aaaa.jpg"}, ["path_shape"]),
    ("the folder of another patient", {"path": "files/p11/p10000001/s50000001/aaaa.jpg"}, ["path_shape"]),
    ("a path that climbs out", {"path": "files/../../etc/aaaa.jpg"}, ["path_shape"]),
    ("another image's name", {"dicom_id": "zzzz", "path": annotation()["path"]}, ["id_mismatch"]),
    ("no image size", {"image_width": 0}, ["image_size_missing"]),
    ("half a pixel", {"image_height": 1000.5}, ["image_size_missing"]),
    ("more pixels than any film", {"image_width": 2**31}, ["image_size_missing"]),
    ("a size with a point, yet whole", {"image_width": "48.0"}, []),
    ("too far for a number", {"x": "1e308", "w": "1e308"}, ["box_outside_image"]),
    ("digits of another script", {"x": "\uff13\uff10"}, ["not_a_number"]),
    ("Python's thousands", {"x": "3_0"}, ["not_a_number"]),
    ("a split nobody knows", {"split": "validate"}, ["unknown_split"]),
]


@pytest.mark.parametrize(("reason", "changes", "expected"), FAULTS, ids=[reason for reason, _, _ in FAULTS])
def test_every_fault_has_a_code_and_its_row_is_kept(
    tmp_path: Path, reason: str, changes: dict[str, object], expected: list[str]
) -> None:
    other = annotation(dicom_id="other", patient="10000009", study="50000009")
    harmonizer = harmonized(tmp_path, annotation(**changes), other)
    table = harmonizer.harmonize()
    assert codes(harmonizer) == [(code, 2) for code in expected], reason
    assert len(table) == 2, "the faulty row is kept"
    assert table["label_text"].iloc[0] == [str(changes.get("label_text", "mild edema"))]
    assert len(table["bbox"].iloc[0]) == len(table["bbox_labels"].iloc[0]) == 1
    assert table["bbox"].iloc[1] == [pytest.approx(SOUND_BOX)], "the sound row is untouched"


def test_a_box_that_cannot_be_placed_is_four_times_nan_and_stays_parallel(tmp_path: Path) -> None:
    table = harmonized(tmp_path, annotation(x="left"), annotation(image_width="")).harmonize()
    assert all(math.isnan(number) for box in table["bbox"].iloc[0] for number in box)
    assert table["bbox_labels"].iloc[0] == ["Edema", "Edema"]


UNPLACED = [
    # reason, changed cells, image width and height expected
    ("half a pixel", {"image_height": 1000.5}, [48, None]),
    ("a size below 0", {"image_width": -48}, [None, 64]),
    ("a size that no film has", {"image_width": 2**31, "image_height": 2**31}, [None, None]),
    ("a sum beyond all numbers", {"x": "1e308", "w": "1e308"}, [48, 64]),
]


@pytest.mark.parametrize(("reason", "changes", "size"), UNPLACED, ids=[row[0] for row in UNPLACED])
def test_what_has_no_size_is_nowhere_placed(
    tmp_path: Path, reason: str, changes: dict[str, object], size: list[int | None]
) -> None:
    row = harmonized(tmp_path, annotation(**changes)).harmonize().iloc[0]
    assert [math.isnan(number) for number in row["bbox"][0]] == [True] * 4, reason
    assert [None if pd.isna(number) else number for number in (row["image_width"], row["image_height"])] == size, reason


def test_a_box_outside_keeps_its_numbers(tmp_path: Path) -> None:
    table = harmonized(tmp_path, annotation(x=-12, w=72)).harmonize()
    assert table["bbox"].iloc[0] == [pytest.approx([0.15625, 0.46875, -0.25, 1.25])]


def test_an_unknown_category_is_kept_by_name_and_flags_nothing(tmp_path: Path) -> None:
    row = harmonized(tmp_path, annotation(category_name="Fracture")).harmonize().iloc[0]
    assert row["bbox_labels"] == ["Fracture"]
    assert sum(row[column.name] for column in MS_CXR_COLUMNS if column.kind == "flag") == 0


def test_an_image_of_two_sizes_places_each_box_by_its_own(tmp_path: Path) -> None:
    harmonizer = harmonized(tmp_path, annotation(), annotation(x=60, image_width=96, label_text="again"))
    table = harmonizer.harmonize()
    assert codes(harmonizer) == [("image_size_conflict", 3)]
    assert [box[2] for box in table["bbox"].iloc[0]] == [0.625, 0.625]


def test_faults_between_rows(tmp_path: Path) -> None:
    rows = [
        annotation(),
        annotation(),
        annotation(dicom_id="bbbb", split="train"),
    ]
    assert codes(harmonized(tmp_path, *rows)) == [("split_conflict", 4), ("duplicate_row", 3)]


@pytest.mark.parametrize("column", HEADER)
def test_a_missing_column_is_an_issue_and_no_row_is_lost(tmp_path: Path, column: str) -> None:
    harmonizer = harmonized(
        tmp_path, annotation(), annotation(dicom_id="bbbb"), header=[name for name in HEADER if name != column]
    )
    table = harmonizer.harmonize()
    assert len(table) == 2
    missing = harmonizer.issues[harmonizer.issues["code"] == "missing_column"]
    assert missing["column"].tolist() == [column]
    assert not validate(table)


def test_release_0_1_has_no_split(tmp_path: Path) -> None:
    table = harmonized(tmp_path, header=HEADER[:-1]).harmonize()
    assert table["split"].isna().all()


def test_columns_go_by_name_and_extra_ones_stay_out(tmp_path: Path) -> None:
    harmonizer = harmonized(tmp_path, annotation(reader="A"), header=["reader", *reversed(HEADER)])
    table = harmonizer.harmonize()
    assert table["bbox"].iloc[0] == [pytest.approx(SOUND_BOX)]
    assert list(table.columns) == [column.name for column in MS_CXR_COLUMNS]
    assert harmonizer.issues[["code", "column"]].values.tolist() == [["extra_column", "reader"]]


def test_words_that_look_missing_stay_words(tmp_path: Path) -> None:
    phrases = ["None", "NA", "null", "nan"]
    rows = [annotation(label_text=phrase, x=place) for place, phrase in enumerate(phrases)]
    assert harmonized(tmp_path, *rows).harmonize()["label_text"].iloc[0] == phrases


def test_phrases_with_commas_quotes_and_line_breaks(tmp_path: Path) -> None:
    phrases = ['"ground-glass", left', "two\nlines", "épanchement d’œdème"]
    rows = [annotation(label_text=phrase, x=place) for place, phrase in enumerate(phrases)]
    assert harmonized(tmp_path, *rows).harmonize()["label_text"].iloc[0] == phrases


def test_a_table_without_rows_is_empty_and_whole(tmp_path: Path) -> None:
    path = write_table(tmp_path / "ms.csv", [])
    harmonizer = MSCXRHarmonizer(path)
    assert harmonizer.harmonize().shape == (0, 17)
    assert harmonizer.issues.empty
    assert harmonizer.boxes_df.empty


REFUSED = [
    ("no file", None, MissingFileError, "nothing"),
    ("an empty file", b"", TableError, "it is empty"),
    ("another table", b"a,b\n1,2\n", TableError, "dicom_id, category_name"),
    ("no way to tell images apart", b"x,y,w,h\n1,2,3,4\n", TableError, "path or dicom_id"),
    ("an HTML page", b"<!DOCTYPE html>\n<html></html>", TableError, "DOCTYPE"),
    ("a binary file", bytes(range(256)) * 4, TableError, "right file"),
]


@pytest.mark.parametrize(("reason", "content", "kind", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_is_no_such_table_is_refused_in_words(
    tmp_path: Path, reason: str, content: bytes | None, kind: type[Exception], words: str
) -> None:
    path = tmp_path / "ms.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(kind, match=words):
        MSCXRHarmonizer(path).harmonize()


def test_boxes_df_has_a_row_for_every_row_of_the_file(tmp_path: Path) -> None:
    boxes = harmonized(tmp_path, annotation(x="left"), annotation()).boxes_df
    assert boxes["row"].tolist() == [2, 3]
    assert boxes[["x", "y", "w", "h", "image_width", "image_height"]].iloc[1].tolist() == [30, 10, 10, 20, 48, 64]
    assert boxes[["y_min", "y_max", "x_min", "x_max"]].iloc[1].tolist() == pytest.approx(SOUND_BOX)
