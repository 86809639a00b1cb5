"""MONAI's dictionary transforms in place of the default one, and around it."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.dataset import DefaultTransform, MSCXRDataset, collate
from tests.dataset.make import BOX, dataset, rectangle, row, white_box

# From Python 3.12 on a fork beside threads is warned of; PyTorch, which has threads, forks its workers by default.
pytestmark = pytest.mark.filterwarnings("ignore:This process .*is multi-threaded:DeprecationWarning")
FULL: dict[str, Any] = {"cache_dir": None, "output_cls": True, "output_bbox": True, "output_mask": True}


def test_a_compose_is_a_transform(tmp_path: Path, monai: Any, torch: Any) -> None:
    chain = monai.Compose(
        [
            monai.ScaleIntensityd(keys="img", minv=-1, maxv=1),
            monai.Resized(keys="img", spatial_size=(64, 96), mode="bilinear"),
            monai.Resized(keys="mask", spatial_size=(64, 96), mode="nearest"),
        ]
    )
    sample = MSCXRDataset(*dataset(tmp_path), transform=chain, dtype=torch.float32, **FULL).get_datasets()[0]
    assert sample["img"].shape == (1, 64, 96)
    assert (float(sample["img"].min()), float(sample["img"].max())) == (-1, 1)
    in_pixels = np.array(sample["bbox"][0]) * [64, 64, 96, 96]
    assert white_box((sample["img"].numpy() + 1) / 2) == pytest.approx(in_pixels, abs=0.5 + 1e-6), "fractions fit after resizing"
    assert white_box(sample["mask"].numpy()[3]) == pytest.approx(in_pixels, abs=1)
    assert sample["cls"].tolist() == [0, 0, 0, 1, 0, 0, 0, 0]


def test_flips_take_image_and_mask_together(tmp_path: Path, monai: Any, torch: Any) -> None:
    flip = monai.RandFlipd(keys=["img", "mask"], prob=1.0, spatial_axis=1)
    sample = MSCXRDataset(*dataset(tmp_path), transform=monai.Compose([flip]), dtype=torch.float32, **FULL).get_datasets()[0]
    expected = rectangle(100, 200, **BOX)[:, ::-1] / 255
    np.testing.assert_array_equal(sample["img"].numpy()[0], expected)
    np.testing.assert_array_equal(sample["mask"].numpy()[3], expected)


def test_the_type_is_that_of_dtype_whatever_the_transform_gives(tmp_path: Path, monai: Any, torch: Any) -> None:
    chain = monai.Compose([monai.ScaleIntensityd(keys="img"), monai.CastToTyped(keys="img", dtype=torch.float64)])
    files, table = dataset(tmp_path)
    assert MSCXRDataset(files, table, transform=chain, **FULL).get_datasets()[0]["img"].dtype == torch.bfloat16
    array = MSCXRDataset(files, table, transform=chain, dtype=np.float32, **FULL).get_datasets()[0]["img"]
    assert type(array) is np.ndarray
    assert array.dtype == np.float32


def test_the_default_transform_fits_into_a_compose(tmp_path: Path, monai: Any, torch: Any) -> None:
    files, table = dataset(tmp_path)
    chain = monai.Compose([DefaultTransform(), monai.ScaleIntensityd(keys="img")])
    composed = MSCXRDataset(files, table, transform=chain, dtype=torch.float32, **FULL).get_datasets()[0]
    default = MSCXRDataset(files, table, dtype=torch.float32, **FULL).get_datasets()[0]
    np.testing.assert_allclose(composed["img"].numpy(), default["img"].numpy(), atol=1 / 255)
    assert composed["bbox"] == default["bbox"]


def test_monais_own_dataset_augments_cached_samples(tmp_path: Path, monai: Any, torch: Any) -> None:
    ds = MSCXRDataset(*dataset(tmp_path), dtype=torch.float32, **{**FULL, "cache_dir": tmp_path / "cache"})
    wrapped = importlib.import_module("monai.data").Dataset(
        ds.get_datasets(), monai.RandFlipd(keys="img", prob=1.0, spatial_axis=1)
    )
    assert len(wrapped) == 1
    np.testing.assert_array_equal(wrapped[0]["img"].numpy(), ds.get_datasets()[0]["img"].numpy()[..., ::-1])
    assert len([path for path in (tmp_path / "cache").rglob("*") if path.is_file()]) == 1


def test_two_workers_run_a_compose(tmp_path: Path, monai: Any, torch: Any, loader: Any) -> None:
    chain = monai.Compose(
        [monai.Resized(keys=["img", "mask"], spatial_size=(32, 32)), monai.RandFlipd(keys=["img", "mask"], prob=0.5)]
    )
    data = MSCXRDataset(*dataset(tmp_path, *[row(number) for number in range(1, 5)]), transform=chain, **FULL).get_datasets()
    batches = list(loader(data, batch_size=2, num_workers=2, collate_fn=collate))
    assert [tuple(batch["img"].shape) for batch in batches] == [(2, 1, 32, 32)] * 2
    assert [batch["img"].dtype for batch in batches] == [torch.bfloat16] * 2
