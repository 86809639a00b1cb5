"""What only all of CASIA-CXR's records together tell: ids that stand twice, and texts that stand on many."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.casia_cxr.images import ImageFiles
from radharmony_core.harmonizer.casia_cxr.names import is_blank
from radharmony_core.harmonizer.casia_cxr.rows import Records
from radharmony_core.harmonizer.places import first_places
from radharmony_core.schema import IssueLog

__all__ = ["check_all", "told_apart"]


def check_all(records: Records, files: ImageFiles, log: IssueLog) -> None:
    """Adds the issues; every record stays."""
    several = files.several()
    log.add("several_images", rows=[None] * len(several), values=several)
    for name in ("ExamID", "ImageID"):
        ids = pc.utf8_trim_whitespace(records.cells[name])
        ids = pc.if_else(is_blank(ids), pa.scalar(None, pa.string()), ids)
        again = np.flatnonzero(first_places(ids) != np.arange(len(ids)))
        log.add("duplicate_id", rows=records.rows[again].tolist(), values=ids.take(pa.array(again)).to_pylist(), column=name)
    texts = records.cells["Findings"].filter(pc.invert(is_blank(records.cells["Findings"])))
    counts = pc.struct_field(pc.value_counts(texts), "counts").to_numpy()
    if len(texts) > len(counts):
        log.add(
            "repeated_text",
            values=[f"{len(counts):,} different ones on {len(texts):,} records, the most frequent on {counts.max():,}"],
            column="Findings",
        )


def told_apart(ids: pd.Series[str]) -> pd.Series[str]:
    """The ids, each later one of the same kind with ``~2``, ``~3`` at its end; missing ones stay missing."""
    turn = ids.groupby(ids, dropna=False).cumcount()
    out = ids.where((turn == 0) | ids.isna(), ids + "~" + (turn + 1).astype("str"))
    return out if out.dropna().is_unique else told_apart(out)
