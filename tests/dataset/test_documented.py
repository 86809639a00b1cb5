"""What the documentation of MS-CXR's datasets API says, line by line, on a small table of made-up films."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from radharmony_core.dataset import MSCXRDataset
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.schema import lists_to_json
from tests.dataset.make import dataset, row

LABELS = [
    "atelectasis",
    "cardiomegaly",
    "consolidation",
    "edema",
    "lung_opacity",
    "pleural_effusion",
    "pneumonia",
    "pneumothorax",
]


@pytest.fixture
def small(tmp_path: Path) -> dict[str, Any]:
    files, table = dataset(tmp_path, row(1), row(1, category_name="Pneumonia", label_text="dense, right"), row(2, split="train"))
    return {"base_image_dir": files, "csv_path": table}


def test_the_example_runs(small: dict[str, Any], tmp_path: Path) -> None:
    base, csv = str(small["base_image_dir"]) + "/", str(small["csv_path"])
    ds = MSCXRDataset(
        base_image_dir=base, csv_path=csv, output_cls=True, output_bbox=True, cache_dir=str(tmp_path / "cache"), dtype="float32"
    )
    sample = ds.get_datasets()[0]
    assert sample["img"].shape == (1, 224, 224)
    assert dict(zip(LABELS, sample["cls"].tolist(), strict=True)) == dict.fromkeys(LABELS, 0) | {"edema": 1, "pneumonia": 1}
    assert [len(box) for box in sample["bbox"]] == [4, 4]
    assert all(type(edge) is float and 0 <= edge <= 1 for box in sample["bbox"] for edge in box)
    assert sample["bbox_labels"] == ["Edema", "Pneumonia"]
    df = ds.get_harmonized_df()
    assert df.iloc[0]["image_path"] == "p10/p10000001/s50000001/image1.jpg"
    assert df.iloc[0]["bbox"] == [[0.3, 0.8, 0.1, 0.3]] * 2
    assert df.iloc[0]["label_text"] == ["mild edema", "dense, right"]
    assert [name for name in df.columns if name in LABELS] == LABELS, "cls has the order of the label columns"


def test_the_harmonizer_runs(small: dict[str, Any]) -> None:
    h = MSCXRHarmonizer(csv_path=str(small["csv_path"]), mimic_base_dir=str(small["base_image_dir"]) + "/")
    assert h.harmonize().shape == (2, 17)


def test_a_sample_carries_what_was_asked_for_and_nothing_else(small: dict[str, Any]) -> None:
    assert list(MSCXRDataset(**small, cache_dir=None).get_datasets()[0]) == ["img"]
    asked = MSCXRDataset(**small, cache_dir=None, output_cls=True, output_mask=True, output_bbox=True).get_datasets()[0]
    assert set(asked) == {"img", "cls", "mask", "bbox", "bbox_labels"}


@pytest.mark.parametrize(
    ("name", "default"),
    [
        *[(name, None) for name in ("base_image_dir", "csv_path", "transform", "dtype")],
        *[(name, None) for name in ("harmonized_df", "harmonizer", "harmonizer_path")],
        *[(name, False) for name in ("output_cls", "output_mask", "output_report", "output_bbox")],
        ("cache_dir", "./cache"),
    ],
)
def test_arguments_have_the_documented_defaults(name: str, default: object) -> None:
    assert inspect.signature(MSCXRDataset).parameters[name].default == default


def test_images_are_bfloat16_tensors_where_pytorch_is_installed(small: dict[str, Any], torch: Any) -> None:
    sample = MSCXRDataset(**small, cache_dir=None, output_cls=True, output_mask=True).get_datasets()[0]
    assert sample["img"].dtype == sample["cls"].dtype == sample["mask"].dtype == torch.bfloat16
    assert sample["img"].shape == (1, 224, 224)


def test_the_table_may_come_from_elsewhere(small: dict[str, Any], tmp_path: Path) -> None:
    harmonizer = MSCXRHarmonizer(small["csv_path"], small["base_image_dir"])
    saved = harmonizer.save(tmp_path / "t.parquet")
    lists_to_json(harmonizer.harmonized_df).to_csv(tmp_path / "t.csv", index=False)
    base = small["base_image_dir"]
    ways: list[dict[str, Any]] = [
        {"harmonizer": harmonizer},
        {"harmonizer_path": saved},
        {"harmonized_df": harmonizer.harmonized_df, "base_image_dir": base},
        {"harmonized_df": pd.read_csv(tmp_path / "t.csv"), "base_image_dir": base.parent},
    ]
    plain = MSCXRDataset(**small, cache_dir=None, dtype="float32", output_bbox=True, output_cls=True).get_datasets()
    for way in ways:
        ds = MSCXRDataset(**way, cache_dir=None, dtype="float32", output_bbox=True, output_cls=True).get_datasets()
        assert len(ds) == 2, way
        for sample, same in zip(ds, plain, strict=True):
            np.testing.assert_array_equal(sample["img"], same["img"])
            np.testing.assert_array_equal(sample["cls"], same["cls"])
            assert (sample["bbox"], sample["bbox_labels"]) == (same["bbox"], same["bbox_labels"]), way


def test_splits_are_those_of_the_file(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1, split="train"), row(2, split="val"), row(3, split="test"), row(4, split="train"))
    ds = MSCXRDataset(files, table, cache_dir=None)
    assert {name: len(ds.get_datasets(split=name)) for name in ("train", "val", "test")} == {"train": 2, "val": 1, "test": 1}
