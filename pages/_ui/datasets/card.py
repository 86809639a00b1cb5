"""One dataset on the page: where it was looked for, what was found against what was published, what is wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from pages._ui.datasets.made_up import is_made_up
from pages._ui.datasets.names import TITLES
from pages._ui.notices import counted, show_notices
from radharmony_core.catalog import PUBLISHED, DatasetStatus, explain
from radharmony_core.schema import ISSUE_CODES

__all__ = ["shortened", "show_dataset"]

_SHOWN = 500
_MOST_PATHS = 40
_NOTHING = "  (nothing is there)"
_DAMAGE = ("damaged_gzip", "unreadable_table")


def show_dataset(status: DatasetStatus, issues: pd.DataFrame) -> None:
    """A folded card whose heading says how it stands; open where the dataset cannot be read."""
    state = "cannot be read" if status.error else counted(status.counts.get("images", 0), "image")
    wrong = f", {counted(len(issues), 'issue')}" if len(issues) else ""
    with st.expander(f"{TITLES[status.kind]}: {state}{wrong}", expanded=status.error is not None):
        if status.error:
            show_notices([status.error])
        _show_places(status)
        if status.error is None:
            show_notices(status.notices)
            _show_counts(status, issues)
            _show_issues(issues)


def _show_places(status: DatasetStatus) -> None:
    """Settings with what is there, and the files that were read: a path is data, so it is shown as plain text."""
    lines = [f"{name} = {path}{'' if os.path.exists(path) else _NOTHING}" for name, path in status.settings.items()]  # noqa: PTH110
    if status.error is None:
        lines.append(f"Films below: {status.image_root or 'not found'}")
        lines += ["Read:", *(f"    {path}" for path in shortened(status.inputs))]
    st.text("\n".join(lines))


def shortened(paths: Sequence[Path]) -> list[str]:
    """Paths below the folder that they share, that folder first; a folder of folders that are listed is left out."""
    parents = {parent for path in paths for parent in path.parents}
    leaves = [path for path in paths if path not in parents]
    shared = Path(os.path.commonpath([path.parent for path in leaves])) if len({path.anchor for path in leaves}) == 1 else None
    if shared is None or len(leaves) < 2:
        return [str(path) for path in leaves]
    more = [f"    and {len(leaves) - _MOST_PATHS:,} more"] if len(leaves) > _MOST_PATHS else []
    return [f"{shared}{os.sep}", *(f"    {path.relative_to(shared)}" for path in leaves[:_MOST_PATHS]), *more]


def _show_counts(status: DatasetStatus, issues: pd.DataFrame) -> None:
    published = PUBLISHED[status.kind]
    rows = [(name, status.counts.get(name, 0), number, status.counts.get(name, 0) - number) for name, number in published.items()]
    table = pd.DataFrame(rows, columns=["Counted", "Found", "Published", "Difference"])
    st.dataframe(
        table,
        hide_index=True,
        width="content",
        height="content",
        column_config={name: st.column_config.NumberColumn(format="localized") for name in table.columns[1:]},
    )
    made_up, damaged = is_made_up(status), bool(issues["code"].isin(_DAMAGE).any())
    told = explain(status.kind, status.counts, made_up=made_up, damaged=damaged)
    st.text(told or f"As many as were published{', and made up' if made_up else ''}.")


def _show_issues(issues: pd.DataFrame) -> None:
    """Issues by code with an example each; all of them, or the first, on demand."""
    if issues.empty:
        st.text("No issue was found.")
        return
    by_code = issues.groupby("code", sort=False).agg(count=("code", "size"), example=("message", "first")).reset_index()
    by_code.insert(1, "severity", [ISSUE_CODES[code].severity for code in by_code["code"]])
    st.dataframe(by_code.sort_values("count", ascending=False), hide_index=True, width="stretch")
    if st.toggle("List them", key=f"issues-{issues['dataset'].iloc[0]}"):
        if len(issues) > _SHOWN:
            st.caption(f"The first {_SHOWN} of {len(issues):,}:")
        st.dataframe(issues.head(_SHOWN), hide_index=True, width="stretch")
