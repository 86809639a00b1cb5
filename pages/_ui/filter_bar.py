"""The filter in the sidebar: dataset, label, split, phrase. All bound to the URL, so a view can be sent to a colleague."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages._ui.datasets.names import TITLES
from pages._ui.notices import counted, show_notices
from pages._ui.state import stale_values
from radharmony_core.catalog import Catalog
from radharmony_core.filters import FilterResult, FilterSpec, what_empties

__all__ = ["explain_empty", "filter_bar", "say_counts"]

_MOST_OPTIONS = 200
_NAMES = {"datasets": "dataset", "labels": "label", "splits": "split", "phrase": "phrase"}


def filter_bar(catalog: Catalog) -> tuple[FilterSpec, list[str]]:
    """Draws the widgets; returns what they ask for, and notices about values of the URL that no longer exist."""
    labels, splits = (_options(catalog.boxes[name]) for name in ("label", "split"))
    datasets = {TITLES[status.kind]: status.kind for status in catalog.datasets if status.error is None}
    offered = {"dataset": list(datasets), "label": labels, "split": splits}
    stale = [(name, value) for name, options in offered.items() for value in stale_values(name, options)]
    with st.sidebar:
        titles: list[str] = []
        if len(datasets) > 1:
            titles = st.multiselect("Dataset", list(datasets), key="dataset", bind="query-params", placeholder="Any dataset")
        chosen: list[str] = []
        parts: list[str] = []
        phrase: str | None = ""
        if len(catalog.boxes):
            chosen = st.multiselect("Label of a box", labels, key="label", bind="query-params", placeholder="Any label")
            parts = st.multiselect("MS-CXR split", splits, key="split", bind="query-params", placeholder="Any split")
            phrase = st.text_input("Phrase contains", key="phrase", bind="query-params", placeholder="such as: left apical")
    notices = [
        f"The link asks for the {name} {value!r}, which this dataset does not have; it is left out." for name, value in stale
    ]
    return FilterSpec(tuple(datasets[title] for title in titles), tuple(chosen), tuple(parts), phrase or ""), notices


def _options(column: pd.Series[Any]) -> list[str]:
    """The column's values, the most frequent first where a broken table has more than a list can show."""
    values = [str(value) for value in column.cat.categories]
    return values if len(values) <= _MOST_OPTIONS else [str(value) for value in column.value_counts().index[:_MOST_OPTIONS]]


def say_counts(catalog: Catalog, result: FilterResult) -> None:
    """Images, phrases and boxes are three numbers: each is named."""
    of_all = f"{len(result.images):,} of {counted(len(catalog.images), 'image')}"
    st.sidebar.caption(f"{of_all}, {counted(result.phrases, 'phrase')}, {counted(result.boxes, 'box', 'boxes')}")


def explain_empty(catalog: Catalog, spec: FilterSpec) -> None:
    """Says which condition leaves nothing, and what dropping it would leave."""
    if catalog.images.empty:
        show_notices(["The tables have a header and no row: there is no image to show."])
        return
    without = [f"Without the {_NAMES[name]}: {counted(count, 'image')}." for name, count in what_empties(catalog, spec)]
    show_notices(["No film matches this filter.", *without])
