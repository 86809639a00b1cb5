"""CASIA-CXR's own labels: the class of the folder, and the local labels of a ``_Labels.csv`` that is documented nowhere.

Two shapes are read, or both at once: an id and one column per label with 1 or 0 (or ``True``, ``oui`` and the like); an id and
one cell of names divided by ``,`` ``;`` or ``|``, which may be more cells where it is the last column and nobody quoted it.
A record may stand in several rows: it has the labels of all of them. Of 0, blank and no row, none becomes a negative: such a
table says what was marked, and a 0 in it that nobody looked at looks like one that was decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.casia_cxr.log import RaggedLog
from radharmony_core.harmonizer.casia_cxr.names import column_of_ids, folded, is_blank, mapped, parts_of_ids, where, without_path
from radharmony_core.harmonizer.casia_cxr.raw import header_line, raw_rows
from radharmony_core.harmonizer.tables.header import Wanted
from radharmony_core.harmonizer.tables.read import TextTable, as_numbers, read_text, read_text_table
from radharmony_core.harmonizer.tables.records import split_cells
from radharmony_core.labels import CASIA_CLASSES, CASIA_LOCAL_LABELS, CHEXPERT_LABELS
from radharmony_core.schema import IssueLog

__all__ = ["LabelTable", "common_of", "read_labels"]

Places = npt.NDArray[np.int64]

_DELIMITERS = ",;\t|"
_IDS: dict[str, str | None] = {  # the columns of the reports table that they mean
    **dict.fromkeys(("examid", "studyid"), "ExamID"),
    **dict.fromkeys(("imageid", "imgid", "image", "imagename"), "ImageID"),
    **{"patientid": "PatientID", "reportid": "ReportID", "id": None},
}
_LISTS = {"label", "labels", "locallabel", "locallabels", "findinglabels"}
_FILLER = r"^[\s#]*$"
_WORDS = {
    **dict.fromkeys(("true", "vrai", "yes", "oui"), "1"),
    **dict.fromkeys(("false", "faux", "no", "non"), "0"),
}
_BETWEEN_NAMES = r"\s*[,;|]\s*"
_FROM_SECOND_NAME = r"(?s)[,;|].*$"
_COMMON: dict[str, str | None] = {
    **{folded(name): name for name in CHEXPERT_LABELS},
    **{folded(name): common for name, common in CASIA_LOCAL_LABELS.items()},
    **{folded(name): common for name, common in CASIA_CLASSES.items()},
}


def common_of(name: str) -> str | None:
    """The finding of `CHEXPERT_LABELS` that a class or a label of CASIA-CXR means; None where none does."""
    return _COMMON.get(folded(name))


@dataclass(frozen=True, slots=True)
class LabelTable:
    """A labels table of n rows. ``ids`` are as written, ``columns`` those of the reports table that they stand in, null where
    that is not said; ``classes`` and ``numbers`` as `parts_of_ids`, the class that of the folder where the id has none. ``names``
    are the labels as they are written; what is said of them stands side by side in ``places`` (of the rows), ``labels`` (places
    in ``names``) and ``marked`` (True for 1, False for an explicit 0)."""

    rows: Places
    ids: pa.Array
    columns: pa.Array
    classes: pa.Array
    numbers: pa.Array
    names: list[str]
    places: Places
    labels: Places
    marked: npt.NDArray[np.bool_]


def read_labels(path: Path, folder_class: str | None, log: IssueLog) -> LabelTable:
    """A labels table of either shape. Raises MissingFileError; TableError, which names the header, for a table of neither."""
    header = _header(path)
    if pc.any(pc.is_valid(parts_of_ids(without_path(pa.array(header, pa.string())))[1])).as_py():
        raise TableError(
            f"Expected a header in {path}, such as ImageID,Labels; its first line is the first record: {str(header)[:300]}. Put "
            "the columns' names in a line before it."
        )
    columns: dict[str, str] = {}
    for name in filter(None, header):
        columns.setdefault(name.casefold(), name)
    wanted = Wanted(list(columns.values()) or ["ImageID"], ignored=("",))
    ragged = RaggedLog(log)
    table = read_text_table(path, wanted.expected, ragged, ignored=wanted.ignored)
    cells = {name: pc.utf8_trim_whitespace(pc.fill_null(column, "")) for name, column in table.columns.items()}
    key, flags, names_column = _shape(cells, log)
    if key is None or not (flags or names_column):
        raise TableError(
            f"Expected labels in {path}: a column of ids such as CASIA-CXR_Mass_ExamID_0001, and either a column of 0 and 1 for "
            f"each label, or one column of names divided by , ; or |. Its header is {str(header)[:300]}."
        )
    names = list(flags)
    said = [_flagged(flags, table.rows, log)] if flags else []
    joined = _joined(cells, names_column, table, path, wanted, ragged)
    if names_column:
        said.append(_listed(joined, names))
    places, labels, marked = (np.concatenate(parts) for parts in zip(*said, strict=True))
    ids = without_path(cells[key])
    classes, numbers = parts_of_ids(ids, bare=True)
    classes = pc.coalesce(classes, pa.scalar(folder_class, pa.string()))
    of = pc.coalesce(column_of_ids(ids), pa.scalar(_IDS.get(folded(key)), pa.string()))
    lost = where(pc.is_null(numbers))
    log.add("row_without_id", rows=table.rows[lost].tolist(), values=ids.take(pa.array(lost)).to_pylist())
    for name in names:
        if folded(name) not in _COMMON:
            log.add("unknown_label_name", column=name)
    return LabelTable(table.rows, ids, of, classes, numbers, names, places, labels, marked)


def _shape(cells: Mapping[str, pa.Array], log: IssueLog) -> tuple[str | None, dict[str, pa.Array], str]:
    """The column of ids, the columns of single labels, and the column of names (beside single labels only under one of its
    usual headings); what is left over is said."""
    by_content = [name for name, column in cells.items() if _holds_ids(column)]
    ids = by_content + [name for name in cells if folded(name) in _IDS and name not in by_content]
    others = {name: column for name, column in cells.items() if name not in ids}
    flags = {name: column for name, column in others.items() if _holds_flags(name, column)}
    lists = [name for name, column in others.items() if name not in flags and _holds_names(name, column)]
    named = [name for name in lists if folded(name) in _LISTS] or ([] if flags else lists)
    names_column = named[0] if len(named) == 1 else ""
    for name in (*ids[1:], *others):
        if name not in flags and name != names_column:
            log.add("extra_column", column=name)
    return ids[0] if ids else None, flags, names_column


def _header(path: Path) -> list[str]:
    """The names in the first line that holds any, as they are written. What is odd about the text is said by whoever reads
    the table."""
    _, line = header_line(read_text(path, IssueLog()))
    return [name.strip(' \t"') for name in split_cells(line, max(_DELIMITERS, key=line.count))]


def _joined(
    cells: Mapping[str, pa.Array], names_column: str, table: TextTable, path: Path, wanted: Wanted, ragged: RaggedLog
) -> pa.Array:
    """The column of names, where it is the last one with what stands behind it in rows that have more cells than the header:
    names whose commas nobody quoted. Each such row is an issue, and so are the others of another length."""
    names = cells.get(names_column)
    surplus: dict[int, str] = {}
    if names_column and ragged.ragged:
        header, raw = raw_rows(path, wanted, ragged.ragged)
        last = header.places[names_column]
        if last == header.width - 1:
            behind = {number: [cell for cell in row[last + 1 :] if cell.strip(" #\t")] for number, row in raw.items()}
            surplus = {number: "|".join([raw[number][last], *more]) for number, more in sorted(behind.items()) if more}
            mask = np.isin(table.rows, list(surplus))
            names = pc.replace_with_mask(names, pa.array(mask), pa.array(surplus.values(), pa.string()))
    ragged.add("names_joined", rows=surplus, values=surplus.values(), column=names_column)
    ragged.say("ragged_row", [number for number in ragged.ragged if number not in surplus])
    return names


def _holds_ids(cells: pa.Array) -> bool:
    return _mostly(pc.is_valid(parts_of_ids(without_path(cells))[1]), cells)


def _holds_flags(name: str, cells: pa.Array) -> bool:
    """Whether a column is that of one label: by its name, or because most of what is in it is 0 or 1, or a word for them."""
    numbers, _ = as_numbers(_without_words(cells))
    return folded(name) in _COMMON or _mostly(pa.array(np.isin(numbers, (0, 1))), cells)


def _without_words(cells: pa.Array) -> pa.Array:
    """``1`` and ``0`` instead of words such as ``True`` and ``non``."""
    return pc.coalesce(mapped(cells, _WORDS)[0], cells)


def _mostly(mask: pa.Array, cells: pa.Array) -> bool:
    """Whether a mask holds for more than half of the cells that are not blank."""
    return 2 * len(where(mask)) > len(where(pc.invert(is_blank(cells))))


def _holds_names(name: str, cells: pa.Array) -> bool:
    """Whether a column lists labels: by its name, or because most cells begin with one that is known. A report does not."""
    firsts, _ = mapped(pc.replace_substring_regex(cells, _FROM_SECOND_NAME, ""), dict.fromkeys(_COMMON, ""))
    return folded(name) in _LISTS or _mostly(pc.is_valid(firsts), cells)


def _flagged(flags: Mapping[str, pa.Array], rows: Places, log: IssueLog) -> tuple[Places, Places, npt.NDArray[np.bool_]]:
    places, labels, marked = [], [], []
    words: set[str] = set()
    for label, (name, cells) in enumerate(flags.items()):
        words.update(pc.unique(cells.filter(pc.is_valid(mapped(cells, _WORDS)[0]))).to_pylist())
        numbers, _ = as_numbers(_without_words(cells))
        known = np.isin(numbers, (0, 1))
        wrong = np.flatnonzero(~known & ~pc.match_substring_regex(cells, _FILLER).to_numpy(zero_copy_only=False))
        log.add("unknown_flag", rows=rows[wrong].tolist(), values=cells.take(pa.array(wrong)).to_pylist(), column=name)
        where_known = np.flatnonzero(known)
        places.append(where_known)
        labels.append(np.full(len(where_known), label))
        marked.append(numbers[where_known] == 1)
    if words:
        log.add("flags_as_words", values=[", ".join(sorted(words))])
    return np.concatenate(places), np.concatenate(labels), np.concatenate(marked)


def _listed(cells: pa.Array, names: list[str]) -> tuple[Places, Places, npt.NDArray[np.bool_]]:
    """What a column of names says; those that are not in ``names`` are added there."""
    parts = pc.split_pattern_regex(cells, _BETWEEN_NAMES)
    places = pc.list_parent_indices(parts).to_numpy().astype(np.int64)
    words = pc.utf8_trim(pc.list_flatten(parts), " []'\"#\t")
    filled = pc.invert(is_blank(words))
    words = words.filter(filled).dictionary_encode()
    known = {folded(name): place for place, name in enumerate(names)}
    found = words.dictionary.to_pylist()
    new = [name for name in found if folded(name) not in known]
    own = np.array([known.get(folded(name), -1) for name in found], dtype=np.int64)
    own[own < 0] = len(names) + np.arange(len(new))
    names += new
    labels = own[words.indices.to_numpy()]
    return places[filled.to_numpy(zero_copy_only=False)], labels, np.ones(len(labels), dtype=bool)
