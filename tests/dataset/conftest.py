"""What tests of the datasets share. PyTorch and MONAI are optional: without them their tests skip and say so, or fail where they
are required to run."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from radharmony_core.dataset import MSCXRDataset, SampleDataset
from tests.dataset.make import dataset, row


def optional(name: str) -> Any:
    """The package, or a skip for people and a failure for whoever sets RADHARMONY_REQUIRE_TORCH=1."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        reason = f"{error.name} is not installed: pip install -r requirements-torch.txt."
        if os.environ.get("RADHARMONY_REQUIRE_TORCH") == "1":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def torch() -> Any:
    return optional("torch")


@pytest.fixture
def loader(torch: Any) -> Any:
    """``torch.utils.data.DataLoader``."""
    return importlib.import_module("torch.utils.data").DataLoader


@pytest.fixture
def monai(torch: Any) -> Any:
    """MONAI's transforms."""
    return optional("monai.transforms")


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., SampleDataset]:
    """Makes a dataset anew, as another run would: two films, cached in ``cache``."""
    files, table = dataset(tmp_path, row(1), row(2, height=90, width=70, x=5, y=6))
    full = {"dtype": "float32", "output_bbox": True, "output_mask": True, "output_cls": True}

    def make(**options: Any) -> SampleDataset:
        return MSCXRDataset(files, table, **{"cache_dir": tmp_path / "cache", **full, **options}).get_datasets()

    return make
