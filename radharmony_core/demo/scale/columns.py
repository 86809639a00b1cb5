"""Columns of text made whole, and tables written whole: what a loop over rows would take minutes for."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from radharmony_core.demo.scale.states import BLANK

__all__ = ["chosen", "fixed_text", "joined", "state_cells", "write_table"]

Ints = NDArray[np.integer[Any]]
_PLAIN = csv.WriteOptions(quoting_style="none", quoting_header="none")  # nothing here needs a quote, and pyarrow checks it
_STATE_CELLS = {1: "1.0", 0: "0.0", -1: "-1.0", BLANK: ""}


def fixed_text(characters: NDArray[np.uint8]) -> pa.Array:
    """(rows, length) ASCII characters as a column of text."""
    rows, length = characters.shape
    buffer = pa.py_buffer(np.ascontiguousarray(characters))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(length), rows, [None, buffer]).cast(pa.binary()).cast(pa.string())


def chosen(values: list[str], places: Ints) -> pa.Array:
    """The text at each of ``places``."""
    return pa.array(values, pa.string()).take(pa.array(places))


def joined(*parts: pa.Array | str) -> pa.Array:
    """Row by row, one after the other; a plain text stands in every row."""
    return pc.binary_join_element_wise(*parts, "")


def state_cells(states: Ints) -> pa.Array:
    """Label states as MIMIC-CXR-JPG writes them."""
    order = sorted(_STATE_CELLS)
    return chosen([_STATE_CELLS[state] for state in order], np.searchsorted(order, states))


def write_table(path: Path, columns: dict[str, pa.Array], *, header: bool = True) -> None:
    """A CSV; packed if the name ends in .gz, without a name or a time inside, so that equal rows give equal bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    options = _PLAIN if header else csv.WriteOptions(quoting_style="none", include_header=False)
    table = pa.table(columns)
    with path.open("wb") as raw:
        if path.suffix != ".gz":
            csv.write_csv(table, raw, options)
            return
        with gzip.GzipFile(filename="", mode="wb", compresslevel=2, fileobj=raw, mtime=0) as packed:
            csv.write_csv(table, packed, options)
