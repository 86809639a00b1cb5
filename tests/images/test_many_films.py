"""Memory over many films, of a size that films have: what was shown is let go."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.images.make import dicom, saved
from tests.images.walk import walked

ROUNDS = 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six films of 1.9 million pixels: held, a round of them is 27 MB of codes and gray levels."""
    cells = np.random.default_rng(3).integers(0, 4096, (1600, 1200), dtype=np.uint16)
    for number in range(3):
        dicom(tmp_path / f"{number}.dcm", cells + number, BitsStored=13)
        saved(tmp_path / f"{number}.jpg", (cells >> 4).astype(np.uint8), "JPEG")
    return tmp_path


def test_memory_stays_within_bounds_over_many_films(folder: Path) -> None:
    films, grown = walked(folder, ROUNDS)
    assert films == 6
    assert grown <= 50


def test_films_that_are_held_are_seen_by_this_measure(folder: Path) -> None:
    # 10 rounds x 1.92 million pixels x (3 x 3 + 3 x 2 bytes: two or one of codes, one of gray levels) = 275 MB
    _, grown = walked(folder, ROUNDS, keep=True)
    assert grown >= 200
