"""One description of what is wanted, `FilterSpec`, and the images, phrases and boxes that it leaves."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from radharmony_core.catalog import Catalog
from radharmony_core.config import KINDS
from radharmony_core.reports import fold_text

__all__ = ["FilterResult", "FilterSpec", "apply_filter", "what_empties"]


@dataclass(frozen=True, slots=True)
class FilterSpec:
    """Wanted: an image of one of ``datasets`` (kinds), with a box of one of ``labels``, in one of MS-CXR's ``splits``, whose
    phrase holds ``phrase`` (letter case and accents aside). An empty condition asks for nothing. What is asked of a box must
    hold for one and the same box."""

    datasets: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    phrase: str = ""

    @property
    def asks_for_a_box(self) -> bool:
        return bool(self.labels or self.splits or self.phrase.strip())


@dataclass(frozen=True, slots=True)
class FilterResult:
    """``images`` are places in ``catalog.images``, in the table's order. Images, phrases and boxes are three numbers."""

    images: npt.NDArray[np.int64]
    phrases: int
    boxes: int


def apply_filter(catalog: Catalog, spec: FilterSpec) -> FilterResult:
    """What ``spec`` leaves of ``catalog``. An image without boxes is left where nothing is asked of a box."""
    boxes, keep = catalog.boxes, np.ones(len(catalog.boxes), dtype=bool)
    images = np.ones(len(catalog.images), dtype=bool)
    if spec.datasets:
        images = np.logical_or.reduce([_members(catalog, kind) for kind in spec.datasets])
        keep &= images[boxes["image"].to_numpy()]
    if spec.labels:
        keep &= boxes["label"].isin(spec.labels).to_numpy()
    if spec.splits:
        keep &= boxes["split"].isin(spec.splits).to_numpy()
    if spec.phrase.strip():
        keep &= boxes["phrase_folded"].str.contains(fold_text(spec.phrase), regex=False).to_numpy(dtype=bool)
    left = boxes if keep.all() else boxes[keep]
    places = np.unique(left["image"].to_numpy()) if spec.asks_for_a_box else np.flatnonzero(images)
    return FilterResult(places, left["phrase_id"].nunique(), len(left))


def _members(catalog: Catalog, kind: str) -> npt.NDArray[np.bool_]:
    """Which images a dataset has; none for a dataset that is not there."""
    return catalog.images[kind].to_numpy() if kind in KINDS else np.zeros(len(catalog.images), dtype=bool)


def what_empties(catalog: Catalog, spec: FilterSpec) -> list[tuple[str, int]]:
    """For a filter that leaves nothing: each condition's name and how many images are left when it alone is dropped."""
    empty = FilterSpec()
    told: list[tuple[str, int]] = []
    for field in fields(spec):
        if getattr(spec, field.name) != getattr(empty, field.name):
            without: dict[str, Any] = {field.name: getattr(empty, field.name)}
            told.append((field.name, len(apply_filter(catalog, replace(spec, **without)).images)))
    return told
