"""What two labelers say of every study, so that their agreement is the published one, count by count.

Each study is of one kind: no row in either table; no label in either; no finding in both labelers' eyes; no finding in one's
only; or abnormal, with at least one finding positive or uncertain for both. So ``No Finding`` is 1 exactly where that labeler
sees no other finding but support devices as positive or uncertain, except for the studies without any label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.scale.published import AGREEMENT, Agreement, apportion
from radharmony_core.labels import CHEXPERT_LABELS

__all__ = ["BLANK", "NORMAL", "NO_ROW", "SILENT", "Kinds", "States", "joint_states"]

Ints = NDArray[np.integer[Any]]
BLANK = 2  # beside the states 1, 0 and -1
NO_ROW, SILENT, NORMAL, FIRST_ONLY, SECOND_ONLY, ABNORMAL = range(6)

_NO_FINDING, _DEVICES = CHEXPERT_LABELS.index("No Finding"), CHEXPERT_LABELS.index("Support Devices")
_FINDINGS = [place for place in range(len(CHEXPERT_LABELS)) if place not in (_NO_FINDING, _DEVICES)]
# Pairs that differ: the first labeler's state, the second's, and how often.
_PAIRS = (
    (1, BLANK, 0.2), (BLANK, 1, 0.13), (-1, BLANK, 0.1), (BLANK, -1, 0.1), (0, BLANK, 0.08), (BLANK, 0, 0.08), (1, -1, 0.07),
    (-1, 1, 0.1), (0, -1, 0.05), (-1, 0, 0.04), (1, 0, 0.03), (0, 1, 0.02),
)  # fmt: skip
_QUIET_PAIRS = ((0, BLANK, 0.5), (BLANK, 0, 0.5))  # neither makes the study abnormal
_IN_NORMAL = 0.15  # of the remaining disagreements
_SEVERITY, _TALK = 0.7, 0.9  # spreads: the ill have several findings, and some reports deny much


@dataclass(frozen=True, slots=True)
class Kinds:
    """How many studies of a split have no row, and how many a row without any label."""

    without_row: int
    without_label: int


@dataclass(frozen=True, slots=True)
class States:
    """``kind`` of each study, and (studies, 14) states of CheXpert and NegBio: 1, 0, -1 or ``BLANK``."""

    kind: Ints
    chexpert: Ints
    negbio: Ints


def _kinds(studies: int, given: Kinds, normal: Agreement, draws: np.random.Generator) -> Ints:
    one = normal.disagreement // 2
    counts = [given.without_row, given.without_label, normal.positive, one, normal.disagreement - one]
    return draws.permutation(np.repeat(np.arange(6), [*counts, studies - sum(counts)]))


class _Builder:
    """Fills the two tables of one split; a cell is filled once."""

    def __init__(self, kind: Ints, draws: np.random.Generator) -> None:
        self.kind, self.draws = kind, draws
        shape = (len(kind), len(CHEXPERT_LABELS))
        self.first, self.second = np.full(shape, BLANK, np.int8), np.full(shape, BLANK, np.int8)
        self.severity = draws.normal(0.0, _SEVERITY, len(kind))
        self.talk = draws.normal(0.0, _TALK, len(kind))

    def pick(self, among: Ints, label: int, count: int, lean: NDArray[np.float64]) -> Ints:
        """``count`` of the studies whose cell is free, the ones with a high ``lean`` more often; in the order of chance."""
        free = among[(self.first[among, label] == BLANK) & (self.second[among, label] == BLANK)]
        key = lean[free] + self.draws.gumbel(0.0, 1.0, len(free))
        chosen = free[np.argsort(-key, kind="stable")[:count]]
        return np.asarray(self.draws.permutation(chosen))

    def agree(self, where: Ints, label: int, states: tuple[int, int], first: int) -> None:
        """The ``first`` ones get one state from both, the rest the other."""
        said = np.where(np.arange(len(where)) < first, *states)
        self.first[where, label] = self.second[where, label] = said

    def differ(self, where: Ints, label: int, pairs: tuple[tuple[int, int, float], ...]) -> None:
        counts = apportion([weight for *_, weight in pairs], len(where))
        chosen = np.repeat(np.arange(len(pairs)), counts)
        said = np.asarray([pair[:2] for pair in pairs], np.int8)[self.draws.permutation(chosen)].reshape(-1, 2)
        self.first[where, label], self.second[where, label] = said[:, 0], said[:, 1]


def _one_sided(build: _Builder, counts: dict[int, Agreement]) -> dict[int, int]:
    """Studies that one labeler alone finds normal: the other sees one finding there. Gives how many of each label."""
    share = apportion(
        [counts[label].disagreement for label in _FINDINGS], int(np.isin(build.kind, (FIRST_ONLY, SECOND_ONLY)).sum())
    )
    left = build.draws.permutation(np.flatnonzero(np.isin(build.kind, (FIRST_ONLY, SECOND_ONLY))))
    for label, count in zip(_FINDINGS, share, strict=True):
        here, left = left[:count], left[count:]
        silent = np.where(build.draws.random(count) < 0.75, BLANK, 0)
        spoken = np.where(build.draws.random(count) < 0.6, 1, -1)
        normal_first = build.kind[here] == FIRST_ONLY
        build.first[here, label] = np.where(normal_first, silent, spoken)
        build.second[here, label] = np.where(normal_first, spoken, silent)
    return dict(zip(_FINDINGS, share, strict=True))


def _abnormal(build: _Builder, counts: dict[int, Agreement]) -> None:
    """Positive and uncertain for both: first one finding for each abnormal study, then the rest where it falls."""
    abnormal = build.draws.permutation(np.flatnonzero(build.kind == ABNORMAL))
    totals = [counts[label].positive + counts[label].uncertain for label in _FINDINGS]
    share = apportion(totals, min(len(abnormal), sum(totals)))
    main, start = {}, 0
    for label, count in zip(_FINDINGS, share, strict=True):
        main[label] = abnormal[start : start + count]
        start += count
    for label, total in zip(_FINDINGS, totals, strict=True):
        others = np.setdiff1d(abnormal, main[label], assume_unique=True)
        more = build.pick(others, label, total - len(main[label]), build.severity)
        build.agree(build.draws.permutation(np.concatenate([main[label], more])), label, (1, -1), counts[label].positive)


def _rest(build: _Builder, counts: dict[int, Agreement], done: dict[int, int]) -> None:
    """The other disagreements, what both deny, and devices, which do not make a study abnormal."""
    normal, abnormal = np.flatnonzero(build.kind == NORMAL), np.flatnonzero(build.kind == ABNORMAL)
    with_labels = np.flatnonzero(build.kind > SILENT)
    talk = build.talk + 0.5 * (build.kind != ABNORMAL)
    for label in _FINDINGS:
        count = counts[label].disagreement - done[label]
        quiet = round(_IN_NORMAL * count)
        build.differ(build.pick(normal, label, quiet, build.talk), label, _QUIET_PAIRS)
        build.differ(build.pick(abnormal, label, count - quiet, build.severity), label, _PAIRS)
        denied = build.pick(with_labels, label, counts[label].negative, talk)
        build.agree(denied, label, (0, 0), len(denied))
    said, ill = counts[_DEVICES], 1.2 * (build.kind == ABNORMAL)
    build.agree(build.pick(with_labels, _DEVICES, said.positive + said.uncertain, ill), _DEVICES, (1, -1), said.positive)
    build.agree(build.pick(with_labels, _DEVICES, said.negative, ill), _DEVICES, (0, 0), said.negative)
    build.differ(build.pick(with_labels, _DEVICES, said.disagreement, ill), _DEVICES, _PAIRS)


def joint_states(studies: int, given: Kinds, draws: np.random.Generator) -> States:
    """Both labelers' states for a split of so many studies: the published agreement at 222,758, its share at any other number."""
    counts = {place: AGREEMENT[name].of(studies) for place, name in enumerate(CHEXPERT_LABELS)}
    kind = _kinds(studies, given, counts[_NO_FINDING], draws)
    build = _Builder(kind, draws)
    done = _one_sided(build, counts)
    _abnormal(build, counts)
    _rest(build, counts, done)
    build.first[np.isin(kind, (NORMAL, FIRST_ONLY)), _NO_FINDING] = 1
    build.second[np.isin(kind, (NORMAL, SECOND_ONLY)), _NO_FINDING] = 1
    return States(kind, build.first, build.second)
