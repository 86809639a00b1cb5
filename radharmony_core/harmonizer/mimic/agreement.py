"""Where CheXpert and NegBio agree. Disagreement is computed, not stored: https://arxiv.org/abs/1901.07042.

Two labelers disagree on a label of a study where one leaves it blank and the other does not, or where both give a state and
the states differ.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from radharmony_core.harmonizer.mimic.label_cells import BLANK, UNUSABLE, Codes
from radharmony_core.harmonizer.mimic.labels import LabelTable
from radharmony_core.harmonizer.places import places_in

__all__ = ["agreed", "disagreed"]


def agreed(one: LabelTable, other: LabelTable) -> LabelTable:
    """The studies of ``one``, each label as both tables have it; missing where they differ, where a cell could not be used,
    and where ``other`` has no such study."""
    theirs, both = _theirs(one, other)
    codes = np.where((one.codes == theirs) & both, one.codes, np.int8(BLANK))
    return LabelTable(one.studies, one.subjects, one.rows, codes)


def disagreed(one: LabelTable, other: LabelTable) -> npt.NDArray[np.int8]:
    """On how many of the fourteen labels the tables differ, for each study of ``one``; -1 where ``other`` has no such study, and
    where no label can be compared. A label that one of the tables has no usable cell for is not counted: nobody knows whether
    they differ."""
    theirs, both = _theirs(one, other)
    known = (one.codes != UNUSABLE) & (theirs != UNUSABLE)
    counts = ((one.codes != theirs) & known).sum(axis=0).astype(np.int8)
    return np.where(both & known.any(axis=0), counts, np.int8(-1))


def _theirs(one: LabelTable, other: LabelTable) -> tuple[Codes, npt.NDArray[np.bool_]]:
    """The codes of ``other`` for the studies of ``one``, and which of those it has."""
    places = places_in(one.studies, other.studies)
    both = places >= 0
    codes = np.full_like(one.codes, BLANK)
    codes[:, both] = other.codes[:, places[both]]
    return codes, both
