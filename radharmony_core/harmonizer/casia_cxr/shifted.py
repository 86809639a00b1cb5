"""Rows of CASIA-CXR's reports tables that have more or fewer cells than the header: a comma that nobody quoted, a cell that got
lost, a file that ends early.

Which section is which cannot be told in such a row, and one under another's name would lie. The row is kept, its sections are
missing, and its report is that part of the row as it stands. Filling behind the sections shifts nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.casia_cxr.cells import ages, days, positions, sexes, sizes
from radharmony_core.harmonizer.casia_cxr.log import RaggedLog
from radharmony_core.harmonizer.casia_cxr.names import column_of_ids, parts_of_ids
from radharmony_core.harmonizer.casia_cxr.raw import raw_rows
from radharmony_core.harmonizer.tables.header import Header, Wanted

__all__ = ["REST", "with_shifted_rows"]

REST = "Report"  # the cells' name for what a shifted row has instead of sections
_IDS = ("ExamID", "ImageID", "PatientID", "ReportID")
_TEXTS = ("Findings", "Indication", "Comparison", "Impression")
_READERS = {
    **{"StudyDate": days, "PatientAge": ages, "PatientGender": sexes, "PositionView": positions, "Projection": positions},
    **{"ImageWidth": sizes, "ImageHeight": sizes},
}
_Places = npt.NDArray[np.int64]
_FILLER = re.compile(r"[\s#]*")
_WORD, _ID = re.compile(r"\S*"), re.compile(r"(?:\S*\d)?")


@dataclass(frozen=True, slots=True)
class _Order:
    """Where the columns stand: the places of the first and the last section, and of the ids."""

    first: int
    last: int
    ids: list[int]

    @classmethod
    def of(cls, header: Header) -> _Order:
        texts = [header.places[name] for name in _TEXTS if name in header.places]
        return cls(min(texts), max(texts), [header.places[name] for name in _IDS if name in header.places])


def with_shifted_rows(
    cells: dict[str, pa.Array], rows: npt.NDArray[np.int64], path: Path, wanted: Wanted, log: RaggedLog
) -> dict[str, pa.Array]:
    """The cells, with those of the rows in ``log.ragged`` set right, and a column `REST`. What was done is said of each."""
    cells = cells | {REST: pa.array([""] * len(rows), pa.string())}
    if not log.ragged:
        return cells
    header, raw = raw_rows(path, wanted, log.ragged)
    order = _Order.of(header)
    numbers = sorted(raw)
    places = np.searchsorted(rows, numbers)
    widths = Counter(len(row) for row in raw.values())
    usual, count = widths.most_common(1)[0]
    usual = usual if 2 * count > len(rows) else header.width
    in_place = _values_in_place(cells, places, header, order)
    in_place &= np.array([_ids_in_place(raw[number], order, header) for number in numbers])
    rests = np.array(
        [
            "" if _is_sound(raw[number], order, header, usual) else _rest(raw[number], order, header, values)
            for number, values in zip(numbers, in_place.tolist(), strict=True)
        ],
        dtype=object,
    )
    shifted = np.array([rest != "" for rest in rests])
    log.say("shifted_row", [number for number, is_shifted in zip(numbers, shifted, strict=True) if is_shifted])
    log.say("ragged_row", [number for number, is_shifted in zip(numbers, shifted, strict=True) if not is_shifted])
    return _without_sections(cells, places[shifted], rests[shifted].tolist(), in_place[shifted], header, order)


def _values_in_place(cells: dict[str, pa.Array], places: _Places, header: Header, order: _Order) -> npt.NDArray[np.bool_]:
    """Whether all the values before the sections read as what their columns hold: then no cell was lost or divided there."""
    bad = np.zeros(len(places), dtype=bool)
    for name, reader in _READERS.items():
        if header.places.get(name, order.first) < order.first:
            bad |= reader(cells[name].take(pa.array(places)))[1]
    return ~bad


def _ids_in_place(row: list[str], order: _Order, header: Header) -> bool:
    """Whether the cells of ids before the sections may be ids, whatever form they have: words without a space. Where a cell was
    lost a section may stand there that is one word, so they must end in a digit then."""
    may_be = _ID if len(row) < header.width else _WORD
    return all(may_be.fullmatch(row[place].strip()) for place in order.ids if place < min(order.first, len(row)))


def _is_sound(row: list[str], order: _Order, header: Header, usual: int) -> bool:
    """Whether nothing but filling is missing from the end of the row, or stands there too much.

    One blank cell too much may be a blank Impression that a comma has shifted: it counts as filling where it is marked as such,
    or where most rows have it.
    """
    behind = row[order.last + 1 :]
    if len(row) <= order.last or "#" in row[order.last] or not all(_FILLER.fullmatch(cell) for cell in behind):
        return False
    if not _ids_in_place(row, order, header):
        return False
    return not behind or bool(behind[0].strip()) or len(row) == usual


def _rest(row: list[str], order: _Order, header: Header, in_place: bool) -> str:
    """The part of the row that holds its sections, from the cell after the last id on; all of it where ids follow the sections.
    It is empty where the row ends before them, or holds no id and is no record's."""
    ids = np.flatnonzero(pc.is_valid(parts_of_ids(pa.array(row, pa.string()))[1]).to_numpy(zero_copy_only=False))
    if not len(ids):
        return ""
    start = 0
    if all(place < order.first for place in order.ids):
        if len(row) <= order.first and ids[-1] in order.ids:
            return ""
        lost = 0 if in_place else max(0, header.width - len(row))
        start = max(int(ids[-1]) + 1, order.first - lost)
    part = row[start:]
    while part and _FILLER.fullmatch(part[-1]):
        part.pop()
    return header.delimiter.join(part)


def _without_sections(
    cells: dict[str, pa.Array], places: _Places, rests: list[str], in_place: npt.NDArray[np.bool_], header: Header, order: _Order
) -> dict[str, pa.Array]:
    """Blanks what cannot be trusted in the rows at ``places``: the sections and what follows them; where the values are not in
    place all but the ids."""
    mask = np.zeros(len(cells[REST]), dtype=bool)
    mask[places] = True
    mended = {}
    for name, column in cells.items():
        here = column.take(pa.array(places))
        keep = in_place & (header.places.get(name, order.first) < order.first)
        if name in _IDS:
            own = pc.and_(pc.is_valid(parts_of_ids(here)[1]), pc.equal(pc.fill_null(column_of_ids(here), name), name))
            keep |= own.to_numpy(zero_copy_only=False)
        new = pa.array(rests, pa.string()) if name == REST else pc.if_else(pa.array(keep), here, "")
        mended[name] = pc.replace_with_mask(column, pa.array(mask), new)
    return mended
