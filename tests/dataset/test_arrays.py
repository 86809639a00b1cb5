"""Tensors or arrays, by ``dtype`` alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.dataset import DatasetWarning, MSCXRDataset
from radharmony_core.dataset.arrays import resolve_dtype, to_dtype
from radharmony_core.errors import ConfigError
from tests.dataset.make import dataset

FULL: dict[str, Any] = {"cache_dir": None, "output_bbox": True, "output_mask": True, "output_cls": True}


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64, "float32", "f4", float, np.dtype("float32")])
def test_numpys_types_give_arrays(tmp_path: Path, dtype: Any) -> None:
    sample = MSCXRDataset(*dataset(tmp_path), dtype=dtype, **FULL).get_datasets()[0]
    for name in ("img", "cls", "mask"):
        assert type(sample[name]) is np.ndarray
        assert sample[name].dtype == np.dtype(dtype)
        assert sample[name].flags.writeable
        assert sample[name].flags.c_contiguous
    assert (sample["img"].min(), sample["img"].max()) == (0, 1)


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16", "float64"])
def test_pytorchs_types_give_tensors(tmp_path: Path, torch: Any, name: str) -> None:
    dtype = getattr(torch, name)
    data = MSCXRDataset(*dataset(tmp_path), dtype=dtype, **FULL).get_datasets()
    arrays = MSCXRDataset(*dataset(tmp_path), dtype=np.float32, **FULL).get_datasets()
    for key in ("img", "cls", "mask"):
        tensor = data[0][key]
        assert isinstance(tensor, torch.Tensor)
        assert tensor.dtype == dtype
        np.testing.assert_allclose(tensor.to(torch.float64).numpy(), arrays[0][key], atol=2**-8)


@pytest.mark.parametrize("dtype", [np.uint8, "int32", bool, np.complex64, "bfloat16", "no type", object, 7])
def test_what_cannot_hold_an_image_is_refused(dtype: Any) -> None:
    with pytest.raises(ConfigError, match="dtype"):
        resolve_dtype(dtype)


def test_pytorchs_whole_numbers_are_refused(torch: Any) -> None:
    with pytest.raises(ConfigError, match="floating"):
        resolve_dtype(torch.uint8)


def test_what_is_no_number_comes_back_as_it_is() -> None:
    for value in ("text", ["a"], None, 3):
        assert to_dtype(value, np.dtype(np.float32)) is value


def test_an_output_that_is_not_held_is_said_where_it_was_asked_for(tmp_path: Path) -> None:
    with pytest.warns(DatasetWarning, match="output_report") as caught:
        MSCXRDataset(*dataset(tmp_path), output_report=True, cache_dir=None).get_datasets()
    assert len(caught) == 1
