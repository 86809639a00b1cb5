"""A large demo of 6,000 images on disk, and one of 377,110 as columns in memory; each made once for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.demo import write_demo
from radharmony_core.demo.dice import pixel_stream
from radharmony_core.demo.scale.hospital import hospital_of
from radharmony_core.demo.scale.mentions import spoken_truth
from radharmony_core.demo.scale.published import FULL, size_of
from radharmony_core.demo.scale.write import states_of
from tests.demo.scale.support import Full

IMAGES = 6_000


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the demo of 6,000 images."""
    return write_demo(tmp_path_factory.mktemp("scale") / "out", images=IMAGES, tables_only=True).parent


@pytest.fixture(scope="session")
def full() -> Full:
    """The demo of 377,110 images, not written."""
    size = size_of(FULL)
    hospital = hospital_of(size, 0)
    states = states_of(hospital, size, 0)
    return Full(hospital, states, spoken_truth(states, pixel_stream(0, "truth")))
