"""A cell of a label file as a code: 1.0 positive, 0.0 negative, -1.0 uncertain, blank not mentioned. Nothing else becomes a
state, and what cannot be used is told apart from what is not mentioned."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.tables.numbers import as_mask, as_numbers
from radharmony_core.schema import IssueLog, array_of

__all__ = ["BLANK", "NO_FINDING", "UNUSABLE", "Codes", "codes_of"]

BLANK, UNUSABLE = 2, 3  # codes beside 1, 0 and -1: not mentioned, and a cell that says nothing that can be used
NO_FINDING = "No Finding"  # positive or not mentioned: nobody writes that there is not no finding

Codes = npt.NDArray[np.int8]
_Rows = npt.NDArray[np.int64]

_FOR_BLANK = pa.array(["NA", "NaN", "nan", "null", "None"])  # what pandas and R write for a missing value, and read as one
_COMMA = r"^([+-]?[01]),0$"  # no number of thousands
_MOST_SAID = 1000  # cells of a column, each in an issue of its own: a file may be full of them


def codes_of(cells: pa.Array, name: str, rows: _Rows, log: IssueLog) -> Codes:
    """A column's cells as codes; null, of which all is said, is `UNUSABLE`. Words are few and cells many: each word is looked
    at once."""
    encoded = cells.dictionary_encode()
    words = pc.utf8_trim_whitespace(encoded.dictionary)
    places = pc.fill_null(encoded.indices, len(words)).to_numpy()
    spoken = pc.replace_substring_regex(words, _COMMA, r"\1.0")
    numbers, _ = as_numbers(spoken)
    known = np.select([numbers == 1, numbers == 0, numbers == -1], [1, 0, -1], UNUSABLE).astype(np.int8)
    for_blank = as_mask(pc.is_in(words, _FOR_BLANK))
    known[for_blank | as_mask(pc.equal(words, ""))] = BLANK
    codes: Codes = np.append(known, np.int8(UNUSABLE))[places]
    for code, which in (("word_for_blank", for_blank), ("decimal_comma", as_mask(pc.not_equal(spoken, words)))):
        if which.any():
            _say_once(code, np.append(which, False)[places], name, rows, log)
    if name == NO_FINDING and ((known == 0) | (known == -1)).any():
        _say_once("odd_state", (codes == 0) | (codes == -1), name, rows, log)
    if (known == UNUSABLE).any():
        _say_unknown((codes == UNUSABLE) & (places < len(words)), encoded, name, rows, log)
    return codes


def _say_once(code: str, which: npt.NDArray[np.bool_], name: str, rows: _Rows, log: IssueLog) -> None:
    """One issue for a column, at the first of its rows, with how many there are."""
    where = np.flatnonzero(which)
    log.add(code, rows=rows[where[:1]].tolist(), values=[f"{len(where):,}"], column=name)


def _say_unknown(which: npt.NDArray[np.bool_], encoded: pa.DictionaryArray, name: str, rows: _Rows, log: IssueLog) -> None:
    where = np.flatnonzero(which)
    if len(where) > _MOST_SAID:
        _say_once("unknown_labels", which, name, rows, log)
        return
    spoken = array_of(encoded.dictionary.to_pylist())
    values = spoken[encoded.indices.take(pa.array(where)).to_numpy()].tolist()  # one text for all cells that say the same
    log.add("unknown_label", rows=rows[where].tolist(), values=values, column=name)
