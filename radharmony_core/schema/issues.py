"""Issues: how a problem in the data is written down.

A problem in the data is never raised: it becomes one row of an issues table, with a code, so that the row it speaks of can
be kept, counted and shown. Codes are stable; add one here before using it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

__all__ = ["ISSUE_CODES", "ISSUE_COLUMNS", "IssueCode", "IssueLog", "issues_frame"]


@dataclass(frozen=True, slots=True)
class IssueCode:
    """What a code stands for. ``severity`` is one of SARIF's: ``error``, ``warning``, ``note``; ``message`` may use {value}
    and {column}."""

    severity: str
    message: str


ISSUE_CODES: dict[str, IssueCode] = {
    "ambiguous_category": IssueCode("error", "The category {value} stands for several names; its id is kept, and flags nothing."),
    "ambiguous_image": IssueCode("error", "The image {value} stands for several paths; the annotation is kept without a path."),
    "annotation_size_conflict": IssueCode(
        "warning", "The annotation gives its image the size {value}, the image itself another; the image's is used."
    ),
    "bad_record": IssueCode("error", "The record {value} is no object, or has no id that can be used; it is left out."),
    "blank_row": IssueCode("note", "The line is empty; it is counted and left out."),
    "box_outside_image": IssueCode("error", "The box {value} reaches beyond the image; it is kept as it is."),
    "box_shape": IssueCode("error", "The box {value} is not a list of exactly four numbers; it cannot be placed."),
    "box_without_area": IssueCode("error", "The box {value} has no area: width and height must be above 0."),
    "duplicate_row": IssueCode("warning", "The same box with the same phrase stands in an earlier row; both are kept."),
    "empty_phrase": IssueCode("error", "The phrase is empty."),
    "encoding_guess": IssueCode("warning", "The file is not UTF-8; it was read as {value}."),
    "extra_column": IssueCode("note", "The column {column!r} is not part of the table; it is left out."),
    "id_mismatch": IssueCode("warning", "The dicom_id {value!r} is not the file name in the path; the path is followed."),
    "image_size_conflict": IssueCode(
        "error", "The size {value} differs from that of the image's first row; each box uses its own."
    ),
    "image_size_mismatch": IssueCode("error", "The file on disk is {value}, another shape than the table says."),
    "image_size_missing": IssueCode(
        "error", "The image size {value} is not two whole numbers above 0; the box cannot be placed."
    ),
    "missing_column": IssueCode("error", "The column {column!r} is missing; what it holds is left empty."),
    "missing_image": IssueCode("error", "The image {value!r} is not in the images' folder."),
    "missing_report": IssueCode("warning", "The report {value!r} was not found."),
    "multiline_record": IssueCode("note", "The record goes over {value} lines, because line breaks stand between its quotes."),
    "not_a_number": IssueCode("error", "{column} is {value!r}, which is not a number."),
    "open_quote": IssueCode(
        "error", "The record opens a quote that is not closed; its cells may be divided in the wrong places."
    ),
    "path_shape": IssueCode("error", "The path {value!r} is not files/pNN/pNNNNNNNN/sNNNNNNNN/NAME.jpg."),
    "ragged_row": IssueCode("error", "The row has {value} cells; missing ones are taken as empty, extra ones left out."),
    "split_conflict": IssueCode("error", "The patient is also in the split {value!r}; patients must not span splits."),
    "study_conflict": IssueCode("error", "The study is also that of patient {value!r}; a study belongs to one patient."),
    "tree_mixed": IssueCode("note", "The images' folder holds several kinds of file; each image was looked up by itself."),
    "tree_not_found": IssueCode(
        "warning", "None of the images looked for is below {value!r}; the paths stay as the table has them."
    ),
    "unknown_category": IssueCode("error", "The category {value!r} is not one of MS-CXR's eight; it is kept and flags nothing."),
    "unknown_image": IssueCode("error", "The annotation names the image {value}, which the file does not list; it has no path."),
    "unknown_split": IssueCode("warning", "The split {value!r} is not train, val or test; it is kept."),
    "unreadable_image": IssueCode("error", "The image cannot be shown: {value}"),
}

ISSUE_COLUMNS = ("code", "severity", "row", "image_path", "column", "value", "message")
_Found = tuple[str, str | None, tuple[int | None, ...], tuple[str | None, ...], tuple[object, ...]]


@dataclass(slots=True)
class IssueLog:
    """Collects problems while a table is built; ``frame()`` has one row per problem, columns `ISSUE_COLUMNS`.

    ``row`` counts records of the source file as a spreadsheet shows them, the header being row 1; missing where the
    problem is the whole file's.
    """

    # A code, a column, then rows, paths and values side by side. There may be more issues than rows, and their sentences
    # take ten times the memory of what they are made of, so those are written when the table is asked for.
    _found: list[_Found] = field(default_factory=list)

    def add(
        self,
        code: str,
        *,
        rows: Iterable[int | None] = (None,),
        image_paths: Iterable[str | None] | None = None,
        values: Iterable[object] | None = None,
        column: str | None = None,
    ) -> None:
        """One entry a row. Raises KeyError for a code that `ISSUE_CODES` does not hold."""
        _ = ISSUE_CODES[code]
        paths = itertools.repeat(None) if image_paths is None else image_paths
        what = itertools.repeat(None) if values is None else values
        entries = list(zip(rows, paths, what, strict=False))
        if entries:
            at, where, values = zip(*entries, strict=True)
            self._found.append((code, column, at, where, values))

    def __len__(self) -> int:
        return sum(len(rows) for _, _, rows, _, _ in self._found)

    def frame(self) -> pd.DataFrame:
        """The issues in the order they were found, text columns as text, ``row`` as nullable integers."""
        columns: dict[str, list[object]] = {name: [] for name in ISSUE_COLUMNS}
        for code, column, rows, paths, values in self._found:
            kind, count = ISSUE_CODES[code], len(rows)
            columns["code"] += [code] * count
            columns["severity"] += [kind.severity] * count
            columns["row"] += rows
            columns["image_path"] += paths
            columns["column"] += [column] * count
            columns["value"] += [None if value is None else str(value) for value in values]
            columns["message"] += [kind.message.format(value=value, column=column) for value in values]
        return issues_frame(columns)


def issues_frame(issues: Mapping[str, Sequence[object]] | Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """Issues, as columns or as records, as the table that `IssueLog.frame` gives."""
    table = pd.DataFrame(issues, columns=list(ISSUE_COLUMNS))
    return table.astype({name: "Int64" if name == "row" else "str" for name in ISSUE_COLUMNS})
