"""What a dataset says on the side: warnings that come once, so that a training run is not a wall of them."""

from __future__ import annotations

import itertools
import warnings

__all__ = ["DatasetWarning", "Said"]

_EACH_TOLD, _NAMED = 10, 3


class DatasetWarning(UserWarning):
    """Something was asked for that this dataset does not hold, or a sample is odd; the message says which and what now."""


class Said:
    """Warns once of each kind. A ``DataLoader``'s workers have a memory of their own: there it is once a worker."""

    def __init__(self) -> None:
        self._kinds: set[str] = set()
        self._films: dict[str, dict[str, None]] = {}

    def once(self, kind: str, message: str) -> None:
        """A `DatasetWarning`, unless one of this ``kind`` was given before."""
        if kind not in self._kinds:
            self._kinds.add(kind)
            warnings.warn(message, DatasetWarning, stacklevel=2)

    def of_each(self, kind: str, film: str, message: str) -> None:
        """A `DatasetWarning` for each ``film`` once, with how many there are by now and the first of them.

        Of more than ten only the hundredth, the thousandth and so on: a whole folder may be of this ``kind``.
        """
        films = self._films.setdefault(kind, {})
        if film in films:
            return
        films[film] = None
        count = len(films)
        if count <= _EACH_TOLD or str(count).strip("0") == "1":
            first = ", ".join(itertools.islice(films, _NAMED)) + (" and others" if count > _NAMED else "")
            warnings.warn(f"{message} {count} so far: {first}.", DatasetWarning, stacklevel=2)
