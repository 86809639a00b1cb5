"""Numbers as a sample carries them: PyTorch tensors or NumPy arrays, told apart by ``dtype`` alone.

PyTorch is optional: nothing here imports it unless tensors are asked for, by a ``torch.dtype`` or by its being installed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ConfigError

__all__ = ["NUMBERS", "collate", "in_family", "resolve_dtype", "to_array", "to_dtype"]

NUMBERS = ("img", "cls", "mask")


def resolve_dtype(dtype: Any) -> Any:
    """``torch.bfloat16`` for None where PyTorch is installed, else ``float32`` of NumPy; any floating type as it is.

    A ``torch.dtype`` asks for tensors, what NumPy takes as a type (``numpy.float32``, ``"float32"``) for arrays. Raises
    ConfigError for a type without fractions, in which values of 0..1 would be lost, and for what is no type.
    """
    if dtype is None:
        torch = _installed_torch()
        return np.dtype(np.float32) if torch is None else torch.bfloat16
    if not _is_torch(dtype):
        try:
            dtype = np.dtype(dtype)
        except TypeError as error:
            raise ConfigError(
                f"Expected a torch.dtype (tensors) or a NumPy type (arrays) as dtype; got {dtype!r}. NumPy has no bfloat16: "
                "pass torch.bfloat16, or numpy.float32."
            ) from error
    if not (dtype.is_floating_point if _is_torch(dtype) else dtype.kind == "f"):
        raise ConfigError(
            f"Expected a floating dtype, because images are 0..1; got {dtype}. Pass torch.float32 or numpy.float32."
        )
    return dtype


def in_family(array: npt.NDArray[Any], dtype: Any) -> Any:
    """``array`` as a tensor where ``dtype`` is PyTorch's, else as an array, copied only where it could not be written to or is
    not in one piece; numbers keep their own type."""
    own = np.require(array, requirements=["C", "W"])
    return sys.modules["torch"].from_numpy(own) if _is_torch(dtype) else own


def to_dtype(value: Any, dtype: Any) -> Any:
    """``value`` as a tensor or array of ``dtype``; what is neither a tensor nor an array comes back as it is.

    A tensor of a class of its own, such as MONAI's, keeps its class where tensors are asked for.
    """
    if not (isinstance(value, np.ndarray) or _is_tensor(value)):
        return value
    if _is_torch(dtype):
        return (value if _is_tensor(value) else in_family(value, dtype)).to(dtype)
    return np.array(to_array(value), dtype=dtype, order="C")


def to_array(value: Any) -> npt.NDArray[Any]:
    """A tensor or an array as an array; a 16-bit tensor that NumPy has no type for as ``float32``."""
    if not _is_tensor(value):
        return np.asarray(value)
    torch = sys.modules["torch"]
    plain = value.detach().cpu()
    plain = plain.to(torch.float32) if plain.dtype == torch.bfloat16 else plain
    return np.asarray(plain.numpy())


def collate(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A batch for a ``DataLoader``'s ``collate_fn``: ``img``, ``cls`` and ``mask`` stacked, everything else a list a sample.

    Boxes and texts have another number on each image, so that PyTorch's own collation refuses them. Raises ConfigError for
    images of different shapes, as a custom transform may give them, and for samples that carry different keys.
    """
    keys = list(samples[0]) if samples else []
    if any(sample.keys() != samples[0].keys() for sample in samples):
        raise ConfigError("Expected samples with the same keys in a batch; got different ones. Check the transform.")
    return {key: _stacked(key, [sample[key] for sample in samples]) for key in keys}


def _stacked(key: str, values: list[Any]) -> Any:
    if key not in NUMBERS:
        return values
    shapes = sorted({tuple(value.shape) for value in values})
    if len(shapes) > 1:
        raise ConfigError(f"Expected {key!r} of one shape in a batch; got {shapes}. Let the transform bring them to one size.")
    return sys.modules["torch"].stack(values) if _is_tensor(values[0]) else np.stack(values)


def _installed_torch() -> Any:
    """PyTorch, or None where it is not installed; an installation that is broken says so itself."""
    try:
        import torch
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        return None
    return torch


def _is_torch(dtype: object) -> bool:
    """Whoever holds a ``torch.dtype`` or a tensor has imported PyTorch, so it is not imported to ask."""
    return "torch" in sys.modules and isinstance(dtype, getattr(sys.modules["torch"], "dtype", ()))


def _is_tensor(value: object) -> bool:
    return "torch" in sys.modules and isinstance(value, getattr(sys.modules["torch"], "Tensor", ()))
