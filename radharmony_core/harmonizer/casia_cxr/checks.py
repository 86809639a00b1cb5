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


def check_all(records: Records, paths: pa.Array, files: ImageFiles, log: IssueLog) -> None:
    """Adds the issues; every record stays. ``paths`` are the records' images, null where there is none."""
    several = files.passed_over(paths.drop_null())
    log.add("several_images", rows=[None] * len(several), values=several)
    _say_shared(records, paths, log)
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


def _say_shared(records: Records, paths: pa.Array, log: IssueLog) -> None:
    """Every later record that has the image of another one."""
    places = np.flatnonzero(first_places(paths) != np.arange(len(paths)))
    at = pa.array(places)
    shown = pc.if_else(is_blank(records.cells["ExamID"]), records.cells["ImageID"], records.cells["ExamID"])
    log.add(
        "shared_image",
        rows=records.rows[places].tolist(),
        values=shown.take(at).to_pylist(),
        image_paths=paths.take(at).to_pylist(),
    )


def told_apart(ids: pd.Series[str]) -> pd.Series[str]:
    """The ids, each later one of the same kind with ``~2``, ``~3`` at its end; missing ones stay missing."""
    turn = ids.groupby(ids, dropna=False).cumcount()
    out = ids.where((turn == 0) | ids.isna(), ids + "~" + (turn + 1).astype("str"))
    return out if out.dropna().is_unique else told_apart(out)
