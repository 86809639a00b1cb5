"""One description of what is wanted, `FilterSpec`, and the images, phrases and boxes that it leaves."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from radharmony_core.catalog import Catalog, fold

__all__ = ["FilterResult", "FilterSpec", "apply_filter", "what_empties"]


@dataclass(frozen=True, slots=True)
class FilterSpec:
    """Wanted: a box of one of ``labels``, on an image of one of ``splits``, whose phrase holds ``phrase`` (letter case aside).
    An empty condition asks for nothing. All conditions must hold for one and the same box."""

    labels: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class FilterResult:
    """``images`` are places in ``catalog.images``, in the table's order. Images, phrases and boxes are three numbers."""

    images: npt.NDArray[np.int64]
    phrases: int
    boxes: int


def apply_filter(catalog: Catalog, spec: FilterSpec) -> FilterResult:
    """What ``spec`` leaves of ``catalog``. An image without boxes is left by the empty filter alone."""
    if spec == FilterSpec():
        count = len(catalog.images)
        return FilterResult(np.arange(count), catalog.boxes["phrase_id"].nunique(), len(catalog.boxes))
    boxes = catalog.boxes
    keep = np.ones(len(boxes), dtype=bool)
    if spec.labels:
        keep &= boxes["label"].isin(spec.labels).to_numpy()
    if spec.splits:
        keep &= boxes["split"].isin(spec.splits).to_numpy()
    if spec.phrase.strip():
        words = fold(pd.Series([spec.phrase], dtype="str")).iloc[0]
        keep &= boxes["phrase_folded"].str.contains(words, regex=False).to_numpy(dtype=bool)
    left = boxes[keep]
    return FilterResult(np.unique(left["image"].to_numpy()), left["phrase_id"].nunique(), len(left))


def what_empties(catalog: Catalog, spec: FilterSpec) -> list[tuple[str, int]]:
    """For a filter that leaves nothing: each condition's name and how many images are left when it alone is dropped."""
    empty = FilterSpec()
    told: list[tuple[str, int]] = []
    for field in fields(spec):
        if getattr(spec, field.name) != getattr(empty, field.name):
            without: dict[str, Any] = {field.name: getattr(empty, field.name)}
            told.append((field.name, len(apply_filter(catalog, replace(spec, **without)).images)))
    return told
