"""One spelling for an id, however a table came by it: a column of numbers with an empty cell comes out of a CSV as floats."""

from __future__ import annotations

from typing import Any

import pandas as pd

from radharmony_core.dataset.notices import Said

__all__ = ["spelled", "with_spelled_ids"]

_WHOLE = r"^(-?\d+)\.0+$"
_IDS = ("patient_id", "study_id")
_NAMES = (*_IDS, "split")


def spelled(ids: pd.Series[Any]) -> pd.Series[str]:
    """The ids as text: without blanks around them, and without the ``.0`` of a whole number; missing where nothing is left.

    ``10000032.0``, ``10000032`` and ``" 10000032"`` are one id; ``000123``, ``123`` and ``123.5`` are three.
    """
    return _trimmed(ids).str.replace(_WHOLE, r"\1", regex=True)


def with_spelled_ids(table: pd.DataFrame, said: Said) -> pd.DataFrame:
    """The table with patients, studies and splits in one spelling, where it has them; a warning where that changes any.

    Otherwise one patient could be on both sides of a division, and ``"train "`` be a split of its own.
    """
    changed: dict[str, pd.Series[str]] = {}
    told: list[str] = []
    for name in (name for name in _NAMES if name in table.columns):
        came = table[name].astype("str")
        clean = spelled(came) if name in _IDS else _trimmed(came)
        differs = ((came != clean) & clean.notna()).to_numpy(bool)  # blanks alone are no id, which is told where it matters
        if differs.any() or clean.isna().sum() > came.isna().sum():
            changed[name] = clean
        if differs.any():
            first = int(differs.argmax())
            told.append(f"{int(differs.sum())} of {name} (such as {came.iloc[first]!r}, taken as {clean.iloc[first]!r})")
    if told:
        said.once("ids", f"Ids have blanks around them or a decimal point: {'; '.join(told)}. Read a CSV's with dtype=str.")
    return table.assign(**changed) if changed else table


def _trimmed(values: pd.Series[Any]) -> pd.Series[str]:
    texts = values.astype("str").str.strip()
    return texts.mask(texts == "")
