"""The values that are used and the display pipeline against pydicom's own, on files that pydicom wrote."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydicom import dcmread
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.pixels.processing import apply_modality_lut, apply_windowing
from pydicom.sequence import Sequence
from pydicom.uid import (
    UID,
    DeflatedExplicitVRLittleEndian,
    ExplicitVRBigEndian,
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
    SecondaryCaptureImageStorage,
)

from radharmony_core.images import read_image
from radharmony_core.images.dicom.part10 import open_dicom

SYNTAXES = [ImplicitVRLittleEndian, ExplicitVRLittleEndian, ExplicitVRBigEndian, DeflatedExplicitVRLittleEndian]


def written(path: Path, bits: int, signed: bool, uid: UID = ExplicitVRLittleEndian, **tags: Any) -> Path:
    """A file of random pixels, written by pydicom."""
    size = 8 if bits <= 8 else 16 if bits <= 16 else 32
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1)) if signed else (0, 2**bits)
    cells = (
        np.random.default_rng(bits)
        .integers(low, high, (12, 10))
        .astype(f"{'>' if uid == ExplicitVRBigEndian else '<'}i{size // 8}")
    )
    data = Dataset()
    data.file_meta = FileMetaDataset()
    data.file_meta.TransferSyntaxUID = uid
    data.SOPClassUID, data.SOPInstanceUID = SecondaryCaptureImageStorage, "1.2.3"
    data.PatientName, data.ImageComments = "A^B", "x" * 500
    inner = Dataset()
    inner.ReferencedSOPClassUID = "1.2"
    data.ReferencedImageSequence = Sequence([inner, Dataset()])
    data.Rows, data.Columns, data.SamplesPerPixel, data.PhotometricInterpretation = 12, 10, 1, "MONOCHROME2"
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = size, bits, bits - 1, int(signed)
    for keyword, value in tags.items():
        setattr(data, keyword, value)
    data.PixelData = cells.tobytes()
    data["PixelData"].VR = "OB" if size == 8 else "OW"
    data.save_as(path, enforce_file_format=True)
    return path


def expected_levels(path: Path) -> np.ndarray[Any, Any]:
    """pydicom's result as 0..255. Its output range follows the slope, so only slopes above 0 compare."""
    data = dcmread(path)
    slope, intercept = float(data.get("RescaleSlope", 1)), float(data.get("RescaleIntercept", 0))
    bits, signed = data.BitsStored, data.PixelRepresentation
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    low, high = low * slope + intercept, high * slope + intercept
    level: np.ndarray[Any, Any] = (apply_windowing(apply_modality_lut(data.pixel_array, data), data) - low) / (high - low) * 255
    return 255 - level if data.PhotometricInterpretation == "MONOCHROME1" else level


GRID = itertools.product(
    [8, 10, 12, 15, 16],
    [False, True],
    [1.0, 0.37, 4.0],
    ["LINEAR", "LINEAR_EXACT", "SIGMOID"],
    ["MONOCHROME1", "MONOCHROME2"],
)


def test_gray_levels_are_within_one_of_pydicoms_on_a_grid(tmp_path: Path) -> None:
    for bits, signed, slope, function, photometric in GRID:
        half = 2 ** (bits - 1)
        tags = {
            "RescaleSlope": slope,
            "RescaleIntercept": -20,
            "WindowCenter": round((0 if signed else half) * slope - 17, 2),
            "WindowWidth": round(half * slope * 0.8, 2),
            "VOILUTFunction": function,
            "PhotometricInterpretation": photometric,
        }
        path = written(tmp_path / "a.dcm", bits, signed, **tags)
        difference = np.abs(read_image(path).pixels - expected_levels(path))
        assert difference.max() <= 1, (bits, signed, slope, function, photometric)


@pytest.mark.parametrize("uid", SYNTAXES)
@pytest.mark.parametrize("signed", [False, True])
def test_values_are_those_that_pydicom_reads(tmp_path: Path, uid: UID, signed: bool) -> None:
    item = Dataset()
    item.LUTDescriptor = [4, 0, 12]
    item["LUTDescriptor"].VR = "US"
    item.add_new("LUTData", "OW", np.array([1, 2, 3, 4000], ">u2" if uid == ExplicitVRBigEndian else "<u2").tobytes())
    tags = {
        "WindowCenter": [40.5, 600],
        "WindowWidth": [400, 1500.25],
        "RescaleSlope": "-1.5",
        "RescaleIntercept": "1E3",
        "VOILUTFunction": "SIGMOID",
        "VOILUTSequence": Sequence([item]),
    }
    path = written(tmp_path / "a.dcm", 12, signed, uid, **tags)
    data = dcmread(path)
    with path.open("rb") as stream:
        dicom = open_dicom(stream, path.stat().st_size, path.name, [])
        assert dicom.pixels is not None
        dicom.stream.seek(dicom.pixels.start)
        assert dicom.stream.read(dicom.pixels.length) == data.PixelData
    values = dicom.values
    for keyword in ("Rows", "Columns", "BitsAllocated", "BitsStored", "HighBit", "PixelRepresentation", "SamplesPerPixel"):
        assert values.integer(keyword) == data[keyword].value
    for keyword in ("WindowCenter", "WindowWidth", "RescaleSlope", "RescaleIntercept"):
        assert values.numbers(keyword) == [float(v) for v in np.atleast_1d(data[keyword].value)]
    assert values.words("VOILUTFunction") == ["SIGMOID"]
    (table,) = values.items("VOILUTSequence")
    assert table.numbers("LUTDescriptor") == [4, 0, 12]
    assert table.data("LUTData") == data.VOILUTSequence[0].LUTData
