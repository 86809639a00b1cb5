"""One row a box of MS-CXR, with ids that stay, its place among the images, and its issues."""

from __future__ import annotations

import numpy as np
import pandas as pd

from radharmony_core.reports import fold_text
from radharmony_core.schema import BOX_ORDER, array_of

__all__ = ["box_rows", "no_boxes"]

_PIXELS = ("x", "y", "w", "h", "image_width", "image_height")


def box_rows(rows: pd.DataFrame, images: pd.DataFrame, issues: pd.DataFrame) -> pd.DataFrame:
    """``box_id`` is the image's id and the box's number on it; a phrase is one text of one label on one image, numbered.

    ``rows`` is `MSCXRHarmonizer.boxes_df`; ``images`` begin with MS-CXR's, in its order.
    """
    boxes = rows.copy()
    image = boxes["image"].to_numpy()
    number = boxes.groupby("image").cumcount() + 1
    image_ids = images["image_id"].take(image).reset_index(drop=True)
    boxes.insert(0, "box_id", image_ids + "#" + number.astype("str"))
    boxes.insert(1, "phrase_id", boxes.groupby(["image", "label", "phrase"], sort=False).ngroup())
    boxes["phrase_folded"] = pd.array([fold_text(phrase) for phrase in boxes["phrase"].fillna("")], dtype="str")
    boxes["split"] = images["ms_cxr_split"].astype("str").take(image).to_numpy()
    codes: dict[int, tuple[str, ...]] = {}
    of_rows = issues.dropna(subset=["row"])
    for row, code in zip(of_rows["row"].tolist(), of_rows["code"].tolist(), strict=True):
        codes[row] = (*codes.get(row, ()), code)
    boxes["codes"] = array_of([tuple(dict.fromkeys(codes.get(row, ()))) for row in boxes["row"].tolist()])
    return boxes.astype({"label": "category", "split": "category"})


def no_boxes() -> pd.DataFrame:
    """The table of boxes where MS-CXR is not there."""
    whole = {name: pd.Series(dtype="int64") for name in ("phrase_id", "row", "image")}
    numbers = {name: pd.Series(dtype="float64") for name in (*BOX_ORDER, *_PIXELS)}
    texts = {name: pd.Series(dtype="str") for name in ("box_id", "label", "phrase", "phrase_folded", "split")}
    table = pd.DataFrame(texts | whole | numbers | {"codes": pd.Series(np.empty(0, dtype=object))})
    return table.astype({"label": "category", "split": "category"})
