"""PyTorch and MONAI are optional: without them their tests skip and say so, or fail where they are required to run."""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


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
