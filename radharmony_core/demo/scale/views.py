"""Which film of a study shows what: an AP film alone, or PA and lateral ones, in exactly the counts that are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.scale.published import VIEWS

__all__ = ["FRONTAL", "views_of"]

Ints = NDArray[np.integer[Any]]

_NAMES = list(VIEWS)
_AP, _PA, _LATERAL, _LL, _BLANK = (_NAMES.index(name) for name in ("AP", "PA", "LATERAL", "LL", ""))
FRONTAL = (_AP, _PA)  # places in VIEWS
_UPRIGHT_OF_SEVERAL, _UPRIGHT_OF_ONE = 0.8, 0.05  # shares of the studies with several films, and with one


def views_of(
    counts: list[int], films: Ints, study: Ints, place: Ints, draws: np.random.Generator
) -> tuple[NDArray[np.bool_], Ints]:
    """Whether each study was made upright, and the view of each film as its place in ``VIEWS``.

    ``films`` is the number of films of each study; ``study`` and ``place`` are each film's study and its place in it. A
    lateral film is never the first of its study, so that each study can have a frontal one.
    """
    share = np.where(films > 1, _UPRIGHT_OF_SEVERAL, _UPRIGHT_OF_ONE)
    upright = draws.random(len(films)) < share
    standing, later = upright[study], place > 0
    view = np.full(len(study), -1)

    def give(which: int, count: int, preference: NDArray[Any]) -> None:
        free = np.flatnonzero(view < 0)
        key = preference[free] + draws.random(len(free))
        view[free[np.argsort(-key, kind="stable")[:count]]] = which

    for which, count in enumerate(counts):
        if which not in (_AP, _PA, _LATERAL, _LL, _BLANK):
            give(which, count, 1.0 * later)
    give(_BLANK, counts[_BLANK], 0.03 * later)
    sides = counts[_LATERAL] + counts[_LL]
    give(_LATERAL, sides, 4.0 * later + 2.0 * (standing & later))
    lateral = draws.permutation(np.flatnonzero(view == _LATERAL))
    view[lateral[: counts[_LL]]] = _LL
    give(_PA, counts[_PA], 4.0 * standing + 2.0 * (standing & ~later))
    view[view < 0] = _AP
    return upright, view
