"""From the labelers' states to what each report says: the truth they both read, and the sentences that say it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.scale.ms_cxr import Phrase
from radharmony_core.demo.scale.states import BLANK, States
from radharmony_core.demo.scale.words import Saying, denials, sayings
from radharmony_core.labels import CHEXPERT_LABELS

__all__ = ["Statements", "by_hand", "spoken_truth", "statements"]

Ints = NDArray[np.integer[Any]]
_NO_FINDING = CHEXPERT_LABELS.index("No Finding")
_DEVICES = CHEXPERT_LABELS.index("Support Devices")


def spoken_truth(states: States, draws: np.random.Generator) -> Ints:
    """(studies, 14): what both labelers say; where one is silent, what the other says; where they differ, either."""
    first, second = states.chexpert, states.negbio
    either = np.where(draws.random(first.shape) < 0.5, first, second)
    truth = np.where(first == BLANK, second, np.where(second == BLANK, first, either))
    truth[:, _NO_FINDING] = np.where(first[:, _NO_FINDING] == second[:, _NO_FINDING], first[:, _NO_FINDING], BLANK)
    return np.asarray(truth, np.int8)


def by_hand(truth: Ints, draws: np.random.Generator) -> Ints:
    """What a person reads in the reports: the truth but for a mention in twenty, which people weigh otherwise or pass over."""
    read = truth.copy()
    chance = draws.random(read.shape)
    read[(truth == -1) & (chance < 0.06)] = 1
    read[(truth == 1) & (chance < 0.02)] = -1
    read[(truth == 0) & (chance < 0.05)] = BLANK
    read[(truth == 1) & (chance > 0.98)] = BLANK
    found = np.isin(read, (1, -1))
    found[:, [_NO_FINDING, _DEVICES]] = False
    read[:, _NO_FINDING] = np.where((truth[:, _NO_FINDING] == 1) & ~found.any(axis=1), 1, BLANK)
    return read


class Statements:
    """The sentences of each study: ``found(study)`` what is or may be there, ``denied(study)`` what is not ("" for nothing)."""

    def __init__(self, flat: list[Saying], of: Ints, starts: Ints, masks: Ints, forms: Ints) -> None:
        self._sentences = [flat[place].sentence for place in of.tolist()]
        self._starts, self._masks, self._forms = starts.tolist(), masks.tolist(), forms.tolist()

    def found(self, study: int) -> list[str]:
        return self._sentences[self._starts[study] : self._starts[study + 1]]

    def denied(self, study: int) -> str:
        return denials(self._masks[study], self._forms[study])


def statements(truth: Ints, phrases: list[Phrase], draws: np.random.Generator) -> Statements:
    """A sentence for every mention, and for those that MS-CXR annotates the one that its phrase comes from."""
    said = np.isin(truth, (1, -1))
    said[:, _NO_FINDING] = False
    place = np.full(truth.shape, -1)
    flat: list[Saying] = []
    for label, name in enumerate(CHEXPERT_LABELS):
        for state in (1, -1) if label != _NO_FINDING else ():
            known = sayings(name, state)
            here = np.flatnonzero(truth[:, label] == state)
            place[here, label] = len(flat) + draws.integers(0, len(known), len(here))
            if state == 1:
                for one in phrases:
                    if one.category == name:
                        place[one.image.study, label] = len(flat) + one.saying
            flat += known
    starts = np.concatenate([[0], np.cumsum(said.sum(axis=1))])
    bits = 1 << np.arange(len(CHEXPERT_LABELS))
    masks = ((truth == 0) * bits).sum(axis=1)
    return Statements(flat, place[said], starts, masks, draws.integers(0, 4, len(truth)))
