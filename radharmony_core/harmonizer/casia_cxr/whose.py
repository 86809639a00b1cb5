"""Whose a record of CASIA-CXR is: the class and number that its ids name, whether they agree, and with the folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.casia_cxr.names import class_in_name, parts_of_ids, where
from radharmony_core.labels import CASIA_CLASSES
from radharmony_core.schema import IssueLog

__all__ = ["Whose", "whose"]


@dataclass(frozen=True, slots=True)
class Whose:
    """Of n records: ``classes`` are the labels' (the folder's, or else the ids'), ``named`` the classes of the ids (or else the
    folder's), null where ExamID and ImageID differ in class or number; ``numbers`` as `parts_of_ids`, ImageID's first."""

    classes: pa.Array
    named: pa.Array
    numbers: pa.Array


def whose(cells: dict[str, pa.Array], folder_class: str | None, path: Path, rows: npt.NDArray[np.int64], log: IssueLog) -> Whose:
    """From ExamID and ImageID, the folder's class (None for a table that was named by itself), and else the table's name.

    Classes and numbers that differ are issues, and so is a class that is none of the five.
    """
    (exam_class, exam_number), (image_class, image_number) = (parts_of_ids(cells[name]) for name in ("ExamID", "ImageID"))
    named = pc.coalesce(exam_class, image_class)
    if folder_class is not None:
        classes = pa.array([folder_class] * len(rows), pa.string())
    else:
        classes = pc.coalesce(named, pa.scalar(class_in_name(path.name), pa.string()))
        unknown = where(pc.invert(pc.is_in(classes, pa.array(list(CASIA_CLASSES)))))
        log.add("unknown_class", rows=rows[unknown].tolist(), values=classes.take(pa.array(unknown)).to_pylist())
    other_class = _differs(exam_class, image_class)
    other_number = _differs(exam_number, image_number)
    by_exam = _differs(exam_class, classes)
    wrong = where(pc.or_(pc.or_(by_exam, _differs(image_class, classes)), other_class))
    log.add(
        "class_conflict",
        rows=rows[wrong].tolist(),
        values=pc.if_else(by_exam, exam_class, image_class).take(pa.array(wrong)).to_pylist(),
    )
    wrong = where(other_number)
    values = cells["ImageID"].take(pa.array(wrong)).to_pylist()
    log.add("number_conflict", rows=rows[wrong].tolist(), values=values, column="ImageID")
    sure = pc.invert(pc.or_(other_class, other_number))
    return Whose(
        classes,
        pc.if_else(sure, pc.coalesce(named, classes), pa.scalar(None, pa.string())),
        pc.coalesce(image_number, exam_number),
    )


def _differs(one: pa.Array, other: pa.Array) -> pa.Array:
    return pc.fill_null(pc.not_equal(one, other), False)
