"""What is in a sample: flags, odd boxes, masks, reports, and films of another shape than the table says."""

from __future__ import annotations

import math
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.dataset import DatasetWarning, MSCXRDataset
from radharmony_core.errors import ImageError, TableError
from tests.dataset.make import dataset, film, place_of, rectangle, row

ARRAYS: dict[str, Any] = {"cache_dir": None, "dtype": np.float32}
FULL: dict[str, Any] = {**ARRAYS, "output_bbox": True, "output_mask": True, "output_cls": True}
EDEMA, PNEUMONIA = 3, 6


def test_a_sample_by_hand(tmp_path: Path) -> None:
    """A film of 100 rows x 200 columns: half of its size is 112 x 224, from row 56 on. x 20..60, y 30..80."""
    sample = MSCXRDataset(*dataset(tmp_path), **FULL).get_datasets()[0]
    assert sample["bbox"] == [pytest.approx([(56 + 0.3 * 112) / 224, (56 + 0.8 * 112) / 224, 0.1, 0.3])]
    assert sample["bbox_labels"] == ["Edema"]
    assert sample["cls"].tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    # Rows 89.6 to 145.6 and columns 22.4 to 67.2 hold the centres of rows 90 to 145 (89.5 is outside) and columns 22 to 66.
    expected = np.zeros((8, 224, 224))
    expected[EDEMA, 90:146, 22:67] = 1
    np.testing.assert_array_equal(sample["mask"], expected)


def test_flags_count_only_what_is_annotated(tmp_path: Path) -> None:
    rows = [row(1, category_name="Pneumonia"), row(1), row(2, category_name="Mystery")]
    data = MSCXRDataset(*dataset(tmp_path, *rows), **FULL).get_datasets()
    assert data[0]["cls"].tolist() == [0, 0, 0, 1, 0, 0, 1, 0]
    with pytest.warns(DatasetWarning, match="Mystery has no channel"):
        sample = data[1]
    assert sample["cls"].tolist() == [0] * 8
    assert sample["bbox_labels"] == ["Mystery"], "what has no flag keeps its box"
    assert not sample["mask"].any()


ODD = [
    # reason, changes of the row, filled rows and columns of Edema's mask; a film of 224 x 224 stays as it is
    ("no place", {"x": "left"}, None),
    ("no width", {"w": 0}, None),
    ("no image size", {"image_width": ""}, None),
    ("beyond on the right and below", {"x": 200, "y": 210, "w": 100, "h": 100}, (slice(210, 224), slice(200, 224))),
    ("beyond on the left and above", {"x": -50, "y": -10, "w": 60, "h": 30}, (slice(0, 20), slice(0, 10))),
    ("outside altogether", {"x": 300, "y": 20}, None),
]


@pytest.mark.parametrize(("reason", "changes", "filled"), ODD, ids=[case[0] for case in ODD])
def test_an_odd_box_is_kept_and_said(
    tmp_path: Path, reason: str, changes: dict[str, object], filled: tuple[slice, slice] | None
) -> None:
    files, table = dataset(tmp_path, row(1, height=224, width=224, **changes), films=False)
    film(files / place_of(row(1)), rectangle(224, 224, 1, 1, 5, 5))
    ds = MSCXRDataset(files, table, **FULL)
    with pytest.warns(DatasetWarning, match="no place, no area, or reaches beyond"):
        sample = ds.get_datasets()[0]
    given = ds.get_harmonized_df()["bbox"].iloc[0]
    np.testing.assert_allclose(sample["bbox"], given, err_msg=reason)
    expected = np.zeros((224, 224))
    if filled is not None:
        expected[filled] = 1
    np.testing.assert_array_equal(sample["mask"][EDEMA], expected, err_msg=reason)


def test_a_box_that_lost_one_edge_is_kept_and_fills_nothing(tmp_path: Path) -> None:
    table = MSCXRDataset(*dataset(tmp_path), **ARRAYS).get_harmonized_df().assign(bbox="[[null, 0.5, 0.1, 0.4]]")
    with pytest.warns(DatasetWarning, match="no place"):
        sample = MSCXRDataset(tmp_path / "files", harmonized_df=table, **FULL).get_datasets()[0]
    np.testing.assert_allclose(sample["bbox"], [[math.nan, 0.5, 0.1, 0.4]])
    assert not sample["mask"].any()


def test_what_reaches_beyond_the_film_does_not_fill_the_border(tmp_path: Path) -> None:
    """The film of 100 x 200 lies in rows 56 to 168 of 224; its box goes from 50 rows above it to 50 below."""
    files, table = dataset(tmp_path, row(1, x=0, w=200, y=-50, h=200))
    with pytest.warns(DatasetWarning, match="reaches beyond"):
        sample = MSCXRDataset(files, table, **FULL).get_datasets()[0]
    assert np.flatnonzero(sample["mask"][EDEMA].any(axis=1)).tolist() == list(range(56, 168))
    assert sample["bbox"] == [pytest.approx([(56 - 56) / 224, (56 + 168) / 224, 0, 1])]


def test_a_warning_of_a_kind_comes_once(tmp_path: Path) -> None:
    data = MSCXRDataset(*dataset(tmp_path, row(1, w=0), row(2, w=0)), **FULL).get_datasets()
    with pytest.warns(DatasetWarning, match=r"Row 0 \(p10/p10000001/s50000001/image1\.jpg\)"):
        _ = data[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isclose(data[1]["bbox"][0][2], data[1]["bbox"][0][3])


def test_a_table_without_sizes_takes_the_films(tmp_path: Path) -> None:
    ds = MSCXRDataset(*dataset(tmp_path), **FULL)
    bare = ds.get_harmonized_df().drop(columns=["image_width", "image_height", "label_text", "split"])
    sample = MSCXRDataset(tmp_path / "files", harmonized_df=bare, **FULL).get_datasets()[0]
    assert sample["bbox"] == ds.get_datasets()[0]["bbox"]


@pytest.mark.parametrize("size", [0, -5, 0.4, math.nan, math.inf, None])
def test_a_size_that_no_image_has_is_none(tmp_path: Path, size: float | None) -> None:
    table = MSCXRDataset(*dataset(tmp_path), **ARRAYS).get_harmonized_df().assign(image_width=size)
    sample = MSCXRDataset(tmp_path / "files", harmonized_df=table, **FULL).get_datasets()[0]
    assert sample["bbox"] == [pytest.approx([(56 + 0.3 * 112) / 224, (56 + 0.8 * 112) / 224, 0.1, 0.3])]


def test_reports_are_those_beside_the_films(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(2))
    text = "                 FINAL REPORT\n INDICATION:  ___\n \n Œdème, <b>no</b> change.\n"
    (files / "p10" / "p10000001" / "s50000001.txt").write_bytes(text.encode())
    data = MSCXRDataset(files, table, output_report=True, **ARRAYS).get_datasets()
    assert data[0]["report"] == text
    with pytest.warns(DatasetWarning, match=r"image2\.jpg\): its study has no report"):
        assert data[1]["report"] == ""


@pytest.mark.parametrize("base", ["", "files"])
def test_reports_may_be_in_the_zip_beside_the_images_folder(tmp_path: Path, base: str) -> None:
    """As PhysioNet gives them: ``files/`` and the zip side by side, and people name ``files/``."""
    _, table = dataset(tmp_path, row(1))
    with zipfile.ZipFile(tmp_path / "mimic-cxr-reports.zip", "w") as archive:
        archive.writestr("files/p10/p10000001/s50000001.txt", "FINAL REPORT\n")
    data = MSCXRDataset(tmp_path / base, table, output_report=True, **ARRAYS).get_datasets()
    assert data[0]["report"] == "FINAL REPORT\n"


def test_without_any_report_the_key_is_absent_and_said(tmp_path: Path) -> None:
    ds = MSCXRDataset(*dataset(tmp_path), output_report=True, **ARRAYS)
    with pytest.warns(DatasetWarning, match=r"output_report is left out.*MIMICCXRDataset and CASIACXRDataset"):
        data = ds.get_datasets()
    assert set(data[0]) == {"img"}


def test_samples_are_the_callers_own(tmp_path: Path) -> None:
    ds = MSCXRDataset(*dataset(tmp_path), **{**FULL, "cache_dir": tmp_path / "cache"})
    for _ in range(3):
        sample = ds.get_datasets()[0]
        assert sample["img"].max() == 1
        assert sample["cls"][EDEMA] == 1
        assert sample["bbox_labels"] == ["Edema"]
        for name in ("img", "cls", "mask"):
            sample[name][...] = 0
        sample["bbox"][0][0] = sample["bbox_labels"][0] = None
    table = ds.get_harmonized_df()
    table["image_path"] = "nowhere"
    table.loc[0, "patient_id"] = "nobody"
    table["bbox"].iloc[0][0][0] = table["bbox_labels"].iloc[0][0] = None
    assert ds.get_harmonized_df()["patient_id"].tolist() == ["10000001"]
    assert ds.get_harmonized_df()["bbox"].tolist() == [[[0.3, 0.8, 0.1, 0.3]]]
    assert ds.get_datasets()[0]["bbox_labels"] == ["Edema"]
    assert len(ds.missing_images()) == 0


@pytest.mark.parametrize(
    ("column", "cells", "words"),
    [
        ("bbox", ["[[0.1, 0.2"], "column bbox"),
        ("bbox", [7], "expected a list"),
        ("bbox", ["[0.1 0.2 0.3 0.4]"], "NumPy print-out"),
        ("bbox", [[[0.1, 0.2, 0.3]]], "y_min, y_max, x_min, x_max"),
        ("bbox", [[0.1, 0.2, 0.3, 0.4]], "4 boxes and 1 bbox_labels"),
        ("bbox_labels", [["Edema", "Edema"]], "1 boxes and 2 bbox_labels"),
        ("edema", ["yes"], "column edema"),
        ("edema", [2], "another number"),
        ("image_width", ["wide"], "image_width and image_height"),
    ],
)
def test_a_cell_that_cannot_be_is_refused_in_words(tmp_path: Path, column: str, cells: list[Any], words: str) -> None:
    table = MSCXRDataset(*dataset(tmp_path), **ARRAYS).get_harmonized_df().astype({"edema": object, "image_width": object})
    table[column] = cells
    with pytest.raises(TableError, match=words):
        MSCXRDataset(tmp_path / "files", harmonized_df=table, **FULL).get_datasets()


def test_an_image_without_boxes_has_an_empty_list(tmp_path: Path) -> None:
    table = MSCXRDataset(*dataset(tmp_path), **ARRAYS).get_harmonized_df()
    for nothing in (None, math.nan, "[]", ""):
        table["bbox"] = table["bbox_labels"] = [nothing]
        sample = MSCXRDataset(tmp_path / "files", harmonized_df=table, **FULL).get_datasets()[0]
        assert sample["bbox"] == sample["bbox_labels"] == []
        assert sample["mask"].shape == (8, 224, 224)
        assert not sample["mask"].any()


def test_an_unreadable_image_is_an_error_that_names_its_row(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(2))
    (files / place_of(row(2))).write_bytes(b"<html>please log in</html>")
    data = MSCXRDataset(files, table, **ARRAYS).get_datasets()
    assert data[0]["img"].max() == 1
    with pytest.raises(ImageError, match=r"Row 1 \(p10/p10000002/s50000002/image2\.jpg\): "):
        _ = data[1]
