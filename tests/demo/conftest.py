"""One small demo and one small set of faults, written once for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.demo import write_faults
from radharmony_core.demo.writer import build

IMAGES = 11


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a demo of 11 images, drawn by two helpers."""
    return build(tmp_path_factory.mktemp("demo") / "out", IMAGES, 0, processes=2).parent


@pytest.fixture(scope="session")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of the faulty MS-CXR."""
    return write_faults(tmp_path_factory.mktemp("faults") / "out").parent
