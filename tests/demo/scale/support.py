"""What the tests of the large demo share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.scale.hospital import Hospital
from radharmony_core.demo.scale.states import States

__all__ = ["Full"]


@dataclass(frozen=True)
class Full:
    """Everything at the size of the published release that is decided before a file is written."""

    hospital: Hospital
    states: States
    truth: NDArray[np.integer[Any]]
