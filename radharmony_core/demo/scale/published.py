"""The published counts of the full releases, and the same for a demo of another size.

MIMIC-CXR-JPG 2.1.0 (https://physionet.org/content/mimic-cxr-jpg/2.1.0/), the agreement of its two labelers from its paper
(https://arxiv.org/abs/1901.07042), and MS-CXR 1.1.0 (https://physionet.org/content/ms-cxr/1.1.0/).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = [
    "AGREEMENT", "FULL", "MS_SPLITS", "SECTIONS", "SPLITS", "TWO_SIDED", "VIEWS", "Agreement", "MsCounts", "Size", "apportion",
    "ms_counts", "share_of", "size_of",
]  # fmt: skip

SPLITS = ("train", "validate", "test")
_IMAGES, _STUDIES, _PATIENTS = (368_960, 2_991, 5_159), (222_758, 1_808, 3_269), (64_586, 500, 293)
FULL = sum(_IMAGES)
_WITHOUT_ROW, _WITHOUT_LABEL, _LABELLED_BY_HAND = 8, 2_414, 687  # studies
_WITHOUT_HEADING = 66  # reports

VIEWS: dict[str, int] = {
    "AP": 147_173, "PA": 96_161, "LATERAL": 82_853, "LL": 35_133, "": 15_769, "PA LLD": 4, "LAO": 3, "RAO": 3, "AP AXIAL": 2,
    "AP LLD": 2, "XTABLE LATERAL": 2, "AP RLD": 2, "SWIMMERS": 1, "PA RLD": 1, "LPO": 1,
}  # fmt: skip

SECTIONS: dict[str, float] = {
    "impression": 0.831, "indication": 0.728, "comparison": 0.719, "findings": 0.657, "history": 0.25, "wet read": 0.077,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Agreement:
    """Studies of the train split: those of which both labelers say the same, and those of which they do not."""

    positive: int
    negative: int
    uncertain: int
    disagreement: int

    def of(self, studies: int) -> Agreement:
        """The same for so many studies."""
        parts = (self.positive, self.negative, self.uncertain, self.disagreement)
        return Agreement(*(round(part * studies / _STUDIES[0]) for part in parts))


AGREEMENT: dict[str, Agreement] = {
    "Atelectasis": Agreement(44_012, 921, 9_623, 1_705),
    "Cardiomegaly": Agreement(38_002, 15_563, 5_753, 5_769),
    "Consolidation": Agreement(10_199, 7_791, 2_913, 1_576),
    "Edema": Agreement(25_549, 24_746, 11_426, 2_282),
    "Enlarged Cardiomediastinum": Agreement(6_798, 5_158, 9_015, 248),
    "Fracture": Agreement(3_675, 871, 295, 867),
    "Lung Lesion": Agreement(5_939, 822, 996, 289),
    "Lung Opacity": Agreement(49_512, 2_794, 2_052, 2_460),
    "No Finding": Agreement(74_019, 0, 0, 3_825),
    "Pleural Effusion": Agreement(51_680, 26_532, 5_184, 1_617),
    "Pleural Other": Agreement(1_884, 120, 707, 91),
    "Pneumonia": Agreement(15_333, 23_771, 17_313, 1_377),
    "Pneumothorax": Agreement(9_159, 41_250, 848, 1_291),
    "Support Devices": Agreement(63_971, 3_014, 95, 1_785),
}

MS_SPLITS = ("train", "val", "test")
_MS_BOXES = (1_020, 212, 216)
_MS_PHRASES = (816, 170, 176)  # that of test is published, and the sum: train and val share the rest as they share boxes
_MS_BY_CATEGORY = {  # phrases, and those of the test split
    "Atelectasis": (61, 8), "Cardiomegaly": (333, 53), "Consolidation": (117, 15), "Edema": (46, 8), "Lung Opacity": (82, 12),
    "Pleural Effusion": (96, 14), "Pneumonia": (182, 30), "Pneumothorax": (245, 36),
}  # fmt: skip
TWO_SIDED = ("Atelectasis", "Consolidation", "Edema", "Lung Opacity", "Pleural Effusion", "Pneumonia")  # may have two boxes
_MS_IMAGES, _MS_PATIENTS, _MS_RECORDS, _MS_FROM_SCRATCH = 1_047, 851, 1_120, 136


def apportion(weights: Sequence[float], total: int) -> list[int]:
    """``total`` in whole parts as ``weights`` say, by largest remainders; of equal ones the first gets more."""
    exact = np.asarray(weights, float) * (total / sum(weights))
    parts = np.floor(exact + 1e-9).astype(int)
    parts[np.argsort(-(exact - parts), kind="stable")[: total - int(parts.sum())]] += 1
    return [int(part) for part in parts]


def share_of(count: int, images: int) -> int:
    """What ``count`` of the full release is in a demo of so many images."""
    return round(count * images / FULL)


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything, by split in the order of ``SPLITS``; ``views`` in the order of ``VIEWS``."""

    images: list[int]
    studies: list[int]
    patients: list[int]
    without_row: list[int]
    without_label: list[int]
    views: list[int]
    labelled_by_hand: int
    without_heading: int


def size_of(images: int) -> Size:
    """The published counts at 377,110 images, and their shares at any other number."""

    def by_split(counts: Sequence[int], of: int) -> list[int]:
        return apportion(counts, share_of(of, images))

    studies = by_split(_STUDIES, sum(_STUDIES))
    return Size(
        apportion(_IMAGES, images), studies, by_split(_PATIENTS, sum(_PATIENTS)), by_split(_STUDIES, _WITHOUT_ROW),
        by_split(_STUDIES, _WITHOUT_LABEL), apportion(list(VIEWS.values()), images),
        min(share_of(_LABELLED_BY_HAND, images), studies[2]), share_of(_WITHOUT_HEADING, images),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class MsCounts:
    """One split of MS-CXR. ``phrases`` by category, of which ``seconds`` stand on an image that has one of that category
    already; ``pairs`` images have two categories, and ``repeats`` patients a second image. ``extra`` boxes are second ones of
    their phrase."""

    phrases: dict[str, int]
    seconds: int
    pairs: int
    repeats: int
    extra: int
    from_scratch: int


def ms_counts(images: int) -> list[MsCounts]:
    """MS-CXR's counts by split, in the order of ``MS_SPLITS``."""
    names = list(_MS_BY_CATEGORY)
    totals = apportion([count for count, _ in _MS_BY_CATEGORY.values()], max(8, share_of(sum(_MS_PHRASES), images)))
    split_totals = apportion(_MS_PHRASES, sum(totals))
    tested = np.minimum(apportion([test for _, test in _MS_BY_CATEGORY.values()], split_totals[2]), totals)
    rest = np.asarray(totals) - tested
    val = np.asarray(apportion(list(rest), split_totals[1]))
    tables = [rest - val, val, tested]
    phrases = [int(table.sum()) for table in tables]
    boxes = apportion(_MS_BOXES, max(sum(phrases), share_of(sum(_MS_BOXES), images)))
    room = [int(sum(table[names.index(name)] for name in TWO_SIDED)) for table in tables]
    extra = [min(of, max(0, box - phrase)) for of, box, phrase in zip(room, boxes, phrases, strict=True)]
    extra[0] = min(room[0], sum(boxes) - sum(phrases) - extra[1] - extra[2])  # what a small split has no room for

    def by_split(of: int) -> list[int]:
        return apportion(phrases, share_of(of, images))

    seconds, pairs = by_split(sum(_MS_PHRASES) - _MS_RECORDS), by_split(_MS_RECORDS - _MS_IMAGES)
    repeats, scratch = by_split(_MS_IMAGES - _MS_PATIENTS), by_split(_MS_FROM_SCRATCH)
    return [
        MsCounts(dict(zip(names, map(int, tables[one]), strict=True)), seconds[one], pairs[one], repeats[one],
                 extra[one], scratch[one])
        for one in range(len(MS_SPLITS))
    ]  # fmt: skip
