"""CASIA-CXR's names: of folders, files and ids. All of them hold the class, because numbers restart in every class."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.labels import CASIA_CLASSES

__all__ = [
    *("as_text", "class_in_name", "class_of_folder", "column_of_ids", "folded", "is_blank", "mapped", "parts_of_ids"),
    *("where", "without_path"),
]

_PREFIX, _SAMPLE = "casiacxr", "sample"
# CASIA-CXR_Mass_ExamID_0001, CASIA-CXR_MassPatientID_0001, and an image's name: CASIA-CXR_Mass_0001
_ID = (
    r"(?i)^casia[-_ ]?cxr(?P<kind>.*?)[-_ ]?(?P<what>exam|study|ima?ge?|patient|report)?[-_ ]?(?:id)?[-_ ]?"
    r"0*(?P<number>\d+)$"
)
_COLUMNS = {"e": "ExamID", "s": "ExamID", "i": "ImageID", "p": "PatientID", "r": "ReportID"}  # by the word's first letter
_NUMBER = r"^0*(?P<number>\d+)$"
_AROUND_NAME = r"(?is)^.*[/\\]|\.jpe?g\s*$"


def folded(name: str) -> str:
    """Letters and digits alone, without case or accents: ``Pleural_Effusion`` and ``PleuralEffusion`` are one name."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", name).casefold() if letter.isalnum())


_CLASSES = {folded(name): name for name in CASIA_CLASSES}


def class_of_folder(name: str) -> str | None:
    """The class of a folder named ``CASIA-CXR_<Class>``, with or without ``_Sample``: a key of `CASIA_CLASSES`, or None."""
    letters = folded(name)
    rest = letters.removeprefix(_PREFIX).removesuffix(_SAMPLE)
    return _CLASSES.get(rest) if letters.startswith(_PREFIX) else None


def class_in_name(name: str) -> str | None:
    """The class in a table's file name, as in ``CASIA-CXR_Mass_Reports.csv``; None where it names none, or two."""
    found = [_CLASSES[letters] for letters in _CLASSES if letters in folded(name)]
    return found[0] if len(found) == 1 else None


def parts_of_ids(ids: pa.Array, *, bare: bool = False) -> tuple[pa.Array, pa.Array]:
    """The class and the number of each id or image name, both text and null where it is not ``CASIA-CXR...<digits>``, or, with
    ``bare``, digits alone.

    The class is a key of `CASIA_CLASSES`, or what stands there instead, null for nothing; a number has no leading zeros.
    """
    parts = pc.extract_regex(pc.utf8_trim_whitespace(ids), _ID)
    found = pc.struct_field(parts, "kind").dictionary_encode()
    names = [_class_or_word(word) for word in found.dictionary.to_pylist()]
    numbers = pc.struct_field(parts, "number")
    if bare:
        numbers = pc.coalesce(numbers, pc.struct_field(pc.extract_regex(pc.utf8_trim_whitespace(ids), _NUMBER), "number"))
    return pa.array(names, pa.string()).take(found.indices), numbers


def column_of_ids(ids: pa.Array) -> pa.Array:
    """The column that each id says it belongs to (ExamID, ImageID, PatientID, ReportID), null where it does not say."""
    words = pc.struct_field(pc.extract_regex(pc.utf8_trim_whitespace(ids), _ID), "what").dictionary_encode()
    columns = [_COLUMNS.get(word[:1].lower()) for word in words.dictionary.to_pylist()]
    return pa.array(columns, pa.string()).take(words.indices)


def without_path(ids: pa.Array) -> pa.Array:
    """The ids without a path before them and ``.JPEG`` or ``.jpg`` after them: some name a file by it."""
    return pc.replace_substring_regex(ids, _AROUND_NAME, "")


def _class_or_word(word: str) -> str | None:
    return _CLASSES.get(folded(word).removesuffix(_SAMPLE), word.strip("-_ ") or None)


def is_blank(cells: pa.Array) -> pa.Array:
    """Which cells hold nothing but white space. A word such as ``None`` is text."""
    return pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(cells)), 0)


def where(mask: pa.Array) -> npt.NDArray[np.int64]:
    """The places where a mask holds; null does not."""
    return np.flatnonzero(pc.fill_null(mask, False).to_numpy(zero_copy_only=False))


def mapped(cells: pa.Array, names: Mapping[str, str]) -> tuple[pa.Array, npt.NDArray[np.bool_]]:
    """Each cell's name in ``names``, whose keys are `folded`, null where there is none; and which cells are neither that nor
    blank."""
    words = cells.dictionary_encode()
    known = pa.array([names.get(folded(word)) for word in words.dictionary.to_pylist()], pa.string())
    values = known.take(words.indices)
    unknown = pc.and_(pc.is_null(values), pc.invert(is_blank(cells)))
    return values, unknown.to_numpy(zero_copy_only=False)


def as_text(values: pa.Array) -> Any:
    """A column of text for pandas, missing instead of the empty cell, and of nothing else."""
    filled = pc.if_else(pc.equal(pc.binary_length(values), 0), pa.scalar(None, pa.string()), values)
    return pd.array(filled.to_numpy(zero_copy_only=False), dtype="str")
