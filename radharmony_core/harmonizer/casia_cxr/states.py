"""Which labels each record of CASIA-CXR has: its class, and what a labels table says of it, in two forms.

In the common findings a label is 1 or missing; under its own name it stands in ``source_labels``, the class first. Where two
sources speak of one common finding, one that has it is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.casia_cxr.labels import LabelTable, common_of
from radharmony_core.harmonizer.casia_cxr.names import folded, is_blank, parts_of_ids
from radharmony_core.harmonizer.casia_cxr.rows import Records
from radharmony_core.harmonizer.places import first_places, places_in
from radharmony_core.labels import CASIA_CLASSES, CHEXPERT_LABELS, column_of
from radharmony_core.schema import IssueLog, array_of

__all__ = ["States"]

_IDS = ("ImageID", "ExamID", "ReportID", "PatientID")


class States:
    """The labels of some records: their classes to begin with; `add` adds what a labels table marks."""

    def __init__(self, records: Records) -> None:
        self._ids = [pc.utf8_lower(pc.utf8_trim_whitespace(records.cells[name])) for name in _IDS]
        self._shown = pc.if_else(is_blank(records.cells["ExamID"]), records.cells["ImageID"], records.cells["ExamID"])
        self._classes = records.classes
        self._one_class = len(records.class_names) <= 1
        agreed = _numbered(records.named, records.numbers)
        self._keys = {None: agreed} | {name: _keys_of(records, name, agreed) for name in _IDS}
        names = records.classes.to_pylist()
        self._names: list[list[str]] = [[] if name is None else [name] for name in names]
        self._found = np.zeros(len(names), dtype=bool)
        self._positive = {label: np.zeros(len(names), dtype=bool) for label in CHEXPERT_LABELS}
        for name in records.class_names:
            if (common := CASIA_CLASSES.get(name)) is not None:
                self._positive[common] |= self._of_class([name])

    def add(self, table: LabelTable, log: IssueLog) -> None:
        """Rows that are no record's are issues, and so are answers that differ for one record and label."""
        named = pc.is_valid(table.numbers)
        ids = pc.if_else(named, pc.utf8_lower(table.ids), pa.scalar(None, pa.string()))  # a blank id is nobody's
        firsts = first_places(ids)
        once = firsts == np.arange(len(firsts))
        group = (np.cumsum(once) - 1)[firsts]  # of each row: the rows of one record are a group
        of_record = self._groups(table, ids, once)
        self._found |= of_record >= 0
        self._mark(table, group, of_record, int(once.sum()))
        unused = named.to_numpy(zero_copy_only=False) & ~np.isin(group, of_record)
        for code, places in (("repeated_label_row", ~once), ("unmatched_label_row", unused)):
            log.add(code, rows=table.rows[places].tolist(), values=_ids_at(table, np.flatnonzero(places)))
        _say_conflicts(table, group, log)

    def say_missing(self, classes: Sequence[str], log: IssueLog) -> None:
        """Records of ``classes``, which have a labels table, that no row of one spoke of."""
        without = np.flatnonzero(self._of_class(classes) & ~self._found)
        log.add("missing_labels", rows=[None] * len(without), values=self._shown.take(pa.array(without)).to_pylist())

    def _of_class(self, names: Sequence[str]) -> npt.NDArray[np.bool_]:
        return pc.is_in(self._classes, pa.array(names, pa.string())).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]

    def _groups(self, table: LabelTable, names: pa.Array, once: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The group of each record, by any of its ids or else by the class and number of the column that the table's id is of;
        -1 for none. Numbers restart in every class: an id that names none is not looked up as it is."""
        mask = pa.array(once)
        classless = pc.is_null(parts_of_ids(table.ids)[0])
        if self._one_class:
            classless = pc.and_(classless, pc.is_valid(table.classes))
        known = pc.if_else(classless, pa.scalar(None, pa.string()), names).filter(mask)
        found = np.full(len(self._names), -1)
        for ids in self._ids:
            found = np.where(found < 0, places_in(ids, known), found)
        numbers = _numbered(table.classes, table.numbers).filter(mask)
        columns = table.columns.filter(mask)
        for column, keys in self._keys.items():
            of_column = pc.is_null(columns) if column is None else pc.fill_null(pc.equal(columns, column), False)
            here = pc.if_else(of_column, numbers, pa.scalar(None, pa.string()))
            own = np.flatnonzero((first_places(here) == np.arange(len(here))) & pc.is_valid(here).to_numpy(zero_copy_only=False))
            places = places_in(keys, here.take(pa.array(own)))
            found = np.where((found < 0) & (places >= 0), own[places] if len(own) else -1, found)
        return found

    def _mark(self, table: LabelTable, group: npt.NDArray[np.int64], of_record: npt.NDArray[np.int64], count: int) -> None:
        groups, labels = group[table.places[table.marked]], table.labels[table.marked]
        for label, name in enumerate(table.names):
            if (common := common_of(name)) is not None:
                marked = np.zeros(count + 1, dtype=bool)  # the last is that of records without a group
                marked[groups[labels == label]] = True
                self._positive[common] |= marked[of_record]
        said: list[dict[str, str]] = [{} for _ in range(count)]
        keys = [folded(name) for name in table.names]
        order = np.lexsort((labels, table.places[table.marked]))
        for place, label in zip(groups[order].tolist(), labels[order].tolist(), strict=True):
            said[place].setdefault(keys[label], table.names[label])
        for record in np.flatnonzero(of_record >= 0).tolist():
            have = {folded(name) for name in self._names[record]}
            self._names[record] += [name for key, name in said[of_record[record]].items() if key not in have]

    def columns(self) -> dict[str, Any]:
        """The fourteen common findings as Int8 columns, and ``source_labels``."""
        states = {
            column_of(label): pd.arrays.IntegerArray(positive.astype(np.int8), ~positive)
            for label, positive in self._positive.items()
        }
        return states | {"source_labels": array_of(self._names)}


def _keys_of(records: Records, name: str, agreed: pa.Array) -> pa.Array:
    """Class and number of the ids in a column; where it is blank those that the record's other ids agree on."""
    classes, numbers = parts_of_ids(records.cells[name], bare=True)
    own = _numbered(pc.coalesce(classes, records.classes), numbers)
    return pc.if_else(is_blank(records.cells[name]), agreed, own)


def _numbered(classes: pa.Array, numbers: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(classes, numbers, "/")


def _ids_at(table: LabelTable, places: npt.NDArray[np.int64]) -> list[str]:
    return table.ids.take(pa.array(places)).to_pylist()  # type: ignore[no-any-return]


def _say_conflicts(table: LabelTable, group: npt.NDArray[np.int64], log: IssueLog) -> None:
    """A label that has a 0 in one place and is marked in another: in the record's other row, or by its class."""
    code = group[table.places] * max(1, len(table.names)) + table.labels
    classes = {folded(name): name for name in CASIA_CLASSES}
    own = pa.array([classes.get(folded(name)) for name in table.names], pa.string()).take(pa.array(table.labels))
    of_class = pc.fill_null(pc.equal(own, table.classes.take(pa.array(table.places))), False).to_numpy(zero_copy_only=False)
    outvoted = ~table.marked & (np.isin(code, code[table.marked]) | of_class)
    for label in np.unique(table.labels[outvoted]).tolist():
        places = table.places[outvoted & (table.labels == label)]
        log.add("label_outvoted", rows=table.rows[places].tolist(), values=_ids_at(table, places), column=table.names[label])
