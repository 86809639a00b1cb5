"""What a dataset says on the side: warnings that come once, so that a training run is not a wall of them."""

from __future__ import annotations

import warnings

__all__ = ["DatasetWarning", "Said"]


class DatasetWarning(UserWarning):
    """Something was asked for that this dataset does not hold, or a sample is odd; the message says which and what now."""


class Said:
    """Warns once of each kind. A ``DataLoader``'s workers have a memory of their own: there it is once a worker."""

    def __init__(self) -> None:
        self._kinds: set[str] = set()

    def once(self, kind: str, message: str) -> None:
        """A `DatasetWarning`, unless one of this ``kind`` was given before."""
        if kind not in self._kinds:
            self._kinds.add(kind)
            warnings.warn(message, DatasetWarning, stacklevel=2)
