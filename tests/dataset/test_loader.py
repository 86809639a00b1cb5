"""PyTorch's ``DataLoader`` on the datasets, with two workers, started either way."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.dataset import DATASETS, MSCXRDataset, collate
from radharmony_core.demo import write_demo
from tests.dataset.make import dataset, row

# From Python 3.12 on a fork beside threads is warned of; PyTorch, which has threads, forks its workers by default.
pytestmark = pytest.mark.filterwarnings("ignore:This process .*is multi-threaded:DeprecationWarning")
STARTS = [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()]


@pytest.mark.parametrize("method", STARTS)
def test_two_workers_give_every_sample_once(tmp_path: Path, loader: Any, torch: Any, method: str) -> None:
    rows = [row(number, x=10 * number) for number in range(1, 7)]
    ds = MSCXRDataset(
        *dataset(tmp_path, *rows, row(1)), output_cls=True, output_mask=True, output_bbox=True, cache_dir=tmp_path / "c"
    )
    data = ds.get_datasets()
    batches = list(loader(data, batch_size=2, num_workers=2, collate_fn=collate, multiprocessing_context=method))
    assert [batch["img"].shape for batch in batches] == [(2, 1, 224, 224)] * 3
    assert batches[0]["img"].dtype == torch.bfloat16
    assert [len(boxes) for batch in batches for boxes in batch["bbox"]] == [2, 1, 1, 1, 1, 1]
    for number, sample in enumerate(data):
        batch = batches[number // 2]
        assert torch.equal(batch["img"][number % 2], sample["img"]), "two workers and one process see the same film"
        assert torch.equal(batch["mask"][number % 2], sample["mask"])
        assert batch["bbox"][number % 2] == sample["bbox"]


def test_pytorchs_own_collation_takes_images_and_labels(tmp_path: Path, loader: Any, torch: Any) -> None:
    files, table = dataset(tmp_path, row(1), row(2), row(3))
    for dtype in (torch.float32, np.float32):
        data = MSCXRDataset(files, table, output_cls=True, cache_dir=None, dtype=dtype).get_datasets()
        batches = list(loader(data, batch_size=2, shuffle=True))
        assert sorted(len(batch["img"]) for batch in batches) == [1, 2]
        assert all(batch["cls"].dtype == torch.float32 for batch in batches)


def test_a_part_of_a_dataset_is_loaded(tmp_path: Path, loader: Any) -> None:
    files, table = dataset(tmp_path, *[row(number) for number in range(1, 7)])
    train, validation = MSCXRDataset(files, table, cache_dir=None).get_datasets(n_splits=3)
    assert sum(len(batch["img"]) for batch in loader(train, batch_size=3)) == 4
    assert sum(len(batch["img"]) for batch in loader(validation[:1], batch_size=3)) == 1


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The paths of a small demo, as each dataset takes them."""
    root = tmp_path_factory.mktemp("made") / "demo"
    write_demo(root, images=6)
    [table] = root.glob("ms-cxr/*/*.csv")
    jpg, both = root / "mimic-cxr-jpg", {"output_cls": True, "output_report": True}
    return {
        "ms_cxr": {"base_image_dir": jpg, "csv_path": table, "output_cls": True, "output_bbox": True, "output_mask": True},
        "mimic_cxr_jpg": {"root": jpg, "output_cls": True},
        "mimic_cxr": {"root": root / "mimic-cxr", "jpg_root": jpg, **both},
        "casia_cxr": {"root": root / "casia-cxr", **both},
    }


@pytest.mark.parametrize("kind", sorted(DATASETS))
@pytest.mark.filterwarnings("ignore::radharmony_core.dataset.DatasetWarning")  # the demo has faults, and they are said
def test_a_demo_is_iterated(demo: dict[str, dict[str, Any]], tmp_path: Path, loader: Any, kind: str) -> None:
    make: Any = DATASETS[kind]
    ds = make(**demo[kind], cache_dir=None)
    table, missing = ds.get_harmonized_df(), ds.missing_images()
    kept = table.drop(index=missing.index)
    folder = demo[kind].get("root", demo[kind].get("base_image_dir"))
    outputs = {name: value for name, value in demo[kind].items() if name.startswith("output")}
    data = make(folder, harmonized_df=kept, **outputs, cache_dir=tmp_path).get_datasets()
    batches = list(loader(data, batch_size=2, num_workers=2, collate_fn=collate))
    assert 0 < sum(len(batch["img"]) for batch in batches) == len(kept) == len(table) - len(missing)
    assert all(0 <= float(image.min()) < float(image.max()) <= 1 for batch in batches for image in batch["img"])
