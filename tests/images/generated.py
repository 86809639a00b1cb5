"""Two hundred small DICOM files, written by pydicom: every kind of pixel, modality, window, table, padding and polarity, mixed.

Each factor goes through all its kinds equally often, in an order of its own, so that every run has the same files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import ExplicitVRLittleEndian, ImplicitVRLittleEndian, SecondaryCaptureImageStorage

from tests.images.reference import modality_of

__all__ = ["COUNT", "FACTORS", "Film", "films", "write"]

COUNT, ROWS, COLUMNS = 200, 11, 9
RESCALES = {
    "slope 1": (1, -1024),
    "slope 0.37": (0.37, -20),
    "slope 4": (4, 100),
    "slope -1": (-1, 4095),
    "slope -0.5": (-0.5, -7.5),
}
FACTORS: dict[str, list[str]] = {
    "bits": ["8 of 8", "8 of 16", "10 of 16", "12 of 16", "14 of 16", "15 of 16", "16 of 16"],
    "sign": ["unsigned", "signed"],
    "modality": ["none", *RESCALES, "table 8", "table 16"],
    "voi": [
        "none",
        "LINEAR",
        "LINEAR_EXACT",
        "SIGMOID",
        "several",
        "partly outside",
        "width 1",
        "table 8",
        "table 8 in words",
        "table 12",
        "table 16",
        "table and window",
    ],
    "padding": ["no padding", "no padding", "no padding", "padding value", "padding range"],
    "polarity": [
        "MONOCHROME2",
        "MONOCHROME1",
        "MONOCHROME2",
        "MONOCHROME1",
        "MONOCHROME1 INVERSE",
        "MONOCHROME2 IDENTITY",
        "MONOCHROME2 INVERSE",
    ],
    "syntax": ["explicit", "implicit"],
}


@dataclass(frozen=True)
class Film:
    """One file: its ``kinds`` by factor, and the seed of its numbers."""

    number: int
    kinds: dict[str, str]

    def __str__(self) -> str:
        return f"film {self.number}: " + ", ".join(self.kinds.values())


def films() -> Iterator[Film]:
    """All of them, in order. The windows are chosen so that at least two gray levels come out."""
    columns = {}
    for seed, (factor, kinds) in enumerate(FACTORS.items()):
        even = [kinds[i % len(kinds)] for i in range(COUNT)]
        columns[factor] = [even[i] for i in np.random.default_rng(seed).permutation(COUNT)]
    for number in range(COUNT):
        yield Film(number, {factor: column[number] for factor, column in columns.items()})


def write(film: Film, path: Path) -> Path:
    """The file, with its pixels at random."""
    rng = np.random.default_rng(1000 + film.number)
    kinds = film.kinds
    bits, allocated = (int(word) for word in kinds["bits"].split(" of "))
    is_signed = kinds["sign"] == "signed"
    data = Dataset()
    data.file_meta = FileMetaDataset()
    data.file_meta.TransferSyntaxUID = {"explicit": ExplicitVRLittleEndian, "implicit": ImplicitVRLittleEndian}[kinds["syntax"]]
    data.SOPClassUID, data.SOPInstanceUID = SecondaryCaptureImageStorage, f"1.2.3.{film.number}"
    data.Rows, data.Columns, data.SamplesPerPixel = ROWS, COLUMNS, 1
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = allocated, bits, bits - 1, int(is_signed)
    data.PhotometricInterpretation, *shape = kinds["polarity"].split()
    if shape:
        (data.PresentationLUTShape,) = shape
    lowest = -(2 ** (bits - 1)) if is_signed else 0
    cells = rng.integers(lowest + 2**bits // 10, lowest + 2**bits - 2**bits // 10, (ROWS, COLUMNS))
    _modality(data, kinds["modality"], cells, rng)
    _voi(data, kinds["voi"], cells, rng)
    _padding(data, kinds["padding"], cells, lowest)
    data.PixelData = cells.astype(f"<i{allocated // 8}" if is_signed else f"<u{allocated // 8}").tobytes()
    data.PixelData += b"\0" * (len(data.PixelData) % 2)
    data["PixelData"].VR = "OB" if allocated == 8 else "OW"
    data.save_as(path, enforce_file_format=True)
    return path


def _modality(data: Dataset, kind: str, cells: npt.NDArray[np.int64], rng: np.random.Generator) -> None:
    if kind in RESCALES:
        data.RescaleSlope, data.RescaleIntercept = RESCALES[kind]
        data.RescaleType = "US"
    elif kind != "none":
        entries = np.sort(rng.integers(0, 2 ** int(kind.split()[1]), 180))
        data.ModalityLUTSequence = Sequence([_table(entries, int(np.median(cells)) - 90, int(kind.split()[1]), packed=False)])
        data.ModalityLUTSequence[0].ModalityLUTType = "US"
        # All inputs of the table, and some beyond both of its ends.
        cells[:] = np.median(cells) + rng.integers(-110, 110, cells.shape).clip(-100, 100)
        top = 2 ** (data.BitsStored - data.PixelRepresentation)
        cells[:] = cells.clip(top - 2**data.BitsStored, top - 1)


def _voi(data: Dataset, kind: str, cells: npt.NDArray[np.int64], rng: np.random.Generator) -> None:
    values = np.array(list(map(modality_of(data), cells.ravel().tolist())))
    low, high = float(values.min()), float(values.max())
    if "table" in kind:
        bits = int(kind.split()[1]) if kind[-1].isdigit() or "words" in kind else 12
        count = int(np.clip((high - low) * 3 // 4, 2, 5000))
        # The first input is a 16-bit number, with a sign where a value below 0 can come in.
        first = int(np.clip((low + high) / 2 - count / 2, -32768, 32767 if low < 0 else 65535))
        # Entries in no order: a table may turn and jump, and an input that is off by one is then seen.
        data.VOILUTSequence = Sequence([_table(rng.integers(0, 2**bits, count), first, bits, packed=kind == "table 8")])
    if kind == "none" or (kind.startswith("table") and kind != "table and window"):
        return
    center = round(low + (high - low) * float(rng.uniform(0.35, 0.65)), 2)
    width = round(max(2.0, (high - low) * float(rng.uniform(0.2, 1.3))), 2)
    if kind == "partly outside":
        center, width = round(high, 2), round(max(2.0, high - low), 2)
    if kind == "width 1":
        width = 1
    data.WindowCenter, data.WindowWidth = center, width
    if kind == "several":
        data.WindowCenter, data.WindowWidth = [center, round(low + (high - low) * 0.6, 1)], [width, round(width * 0.7 + 2, 1)]
        data.WindowCenterWidthExplanation = ["NORMAL", "HARDER"]
    if kind in ("LINEAR", "LINEAR_EXACT", "SIGMOID"):
        data.VOILUTFunction = kind


def _padding(data: Dataset, kind: str, cells: npt.NDArray[np.int64], lowest: int) -> None:
    if kind == "no padding":
        return
    data.add_new("PixelPaddingValue", "SS" if data.PixelRepresentation else "US", lowest + 3)
    cells.flat[::7] = lowest + 3
    if kind == "padding range":
        data.add_new("PixelPaddingRangeLimit", "SS" if data.PixelRepresentation else "US", lowest)
        cells.flat[1::11] = lowest + 1


def _table(entries: npt.NDArray[np.int64], first: int, bits: int, *, packed: bool) -> Dataset:
    """An item of a table's sequence: entries as 16-bit words, or of 8 bits and ``packed`` two in a word."""
    item = Dataset()
    item.add_new("LUTDescriptor", "SS" if first < 0 else "US", [len(entries), first, bits])
    data: Any = entries.astype("u1" if packed else "<u2").tobytes()
    item.add_new("LUTData", "OW", data + b"\0" * (len(data) % 2))
    return item
