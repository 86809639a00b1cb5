"""A harmonized table, and all that belongs to it, as one Arrow table and back: what is saved, and what is cached."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd
import pyarrow as pa

from radharmony_core.errors import SavedTableError
from radharmony_core.schema import Column, array_of, issues_frame

__all__ = ["Saved", "from_arrow", "to_arrow"]

_ABOUT, _ISSUES = b"radharmony", b"radharmony_issues"


@dataclass(frozen=True)
class Saved:
    """``about`` is what `to_arrow` was given; ``issues`` are unpacked when they are asked for, for there may be many."""

    about: dict[str, Any]
    table: pd.DataFrame
    packed_issues: bytes

    @cached_property
    def issues(self) -> pd.DataFrame:
        """The issues as `IssueLog.frame` gave them."""
        with pa.ipc.open_stream(base64.b64decode(self.packed_issues)) as stream:
            return issues_frame(stream.read_pandas())


def to_arrow(table: pd.DataFrame, issues: pd.DataFrame, about: Mapping[str, object]) -> pa.Table:
    """The table, with ``about`` as JSON and the issues as compressed Arrow in its metadata.

    As JSON 300,000 issues take 90 MB and seconds. Base64, because other readers of Parquet expect text there.
    """
    sink = pa.BufferOutputStream()
    packed = pa.Table.from_pandas(issues, preserve_index=False)
    with pa.ipc.new_stream(sink, packed.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(packed)
    own = {_ABOUT: json.dumps(about).encode(), _ISSUES: base64.b64encode(sink.getvalue())}
    made = pa.Table.from_pandas(table, preserve_index=False)
    return made.replace_schema_metadata({**(made.schema.metadata or {}), **own})


def from_arrow(table: pa.Table, made_by: Mapping[str, object], columns: Sequence[Column]) -> Saved:
    """What `to_arrow` was given. The cells are not validated again: they were before, and `cache.read_table` knows that no byte
    has changed since. Raises SavedTableError where another class or version made it, in which cells may mean something else.
    """
    metadata = table.schema.metadata or {}
    if _ABOUT not in metadata or _ISSUES not in metadata:
        raise SavedTableError("It is a table, and not a saved harmonizer.")
    about = json.loads(metadata[_ABOUT])
    came = {name: about.get(name) for name in made_by}
    if came != made_by:
        raise SavedTableError(f"Expected {made_by}, got {came}.")
    names = [column.name for column in columns]
    if table.column_names != names:
        raise SavedTableError(f"Expected the columns {names}, got {table.column_names}.")
    frame = table.to_pandas()
    for column in columns:  # Parquet gives nested arrays back, with None for NaN; the contract is lists, and numbers in a box
        if column.kind == "boxes":
            frame[column.name] = array_of([[_numbers(box) for box in cell] for cell in table[column.name].to_pylist()])
        elif column.kind == "texts":
            frame[column.name] = array_of(table[column.name].to_pylist())
    return Saved(about, frame, metadata[_ISSUES])


def _numbers(box: Iterable[float | None]) -> list[float]:
    return [math.nan if number is None else float(number) for number in box]
