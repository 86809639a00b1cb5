"""Numbers as a sample carries them: PyTorch tensors or NumPy arrays, told apart by ``dtype`` alone.

PyTorch is optional: nothing here imports it unless tensors are asked for, by a ``torch.dtype`` or by its being installed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ConfigError

__all__ = ["NUMBERS", "in_family", "is_tensor", "resolve_dtype", "stacked_tensors", "to_array", "to_dtype"]

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
    if not (isinstance(value, np.ndarray) or is_tensor(value)):
        return value
    if _is_torch(dtype):
        return (value if is_tensor(value) else in_family(value, dtype)).to(dtype)
    return np.array(to_array(value), dtype=dtype, order="C")


def to_array(value: Any) -> npt.NDArray[Any]:
    """A tensor or an array as an array; a 16-bit tensor that NumPy has no type for as ``float32``."""
    if not is_tensor(value):
        return np.asarray(value)
    torch = sys.modules["torch"]
    plain = value.detach().cpu()
    plain = plain.to(torch.float32) if plain.dtype == torch.bfloat16 else plain
    return np.asarray(plain.numpy())


def stacked_tensors(values: Sequence[Any]) -> Any:
    """Tensors of one shape as one, with another axis in front."""
    return sys.modules["torch"].stack(values)


def is_tensor(value: object) -> bool:
    """Whether it is PyTorch's; whoever holds one has imported PyTorch, so it is not imported to ask."""
    return "torch" in sys.modules and isinstance(value, getattr(sys.modules["torch"], "Tensor", ()))


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
    """As `is_tensor`, for a ``torch.dtype``."""
    return "torch" in sys.modules and isinstance(dtype, getattr(sys.modules["torch"], "dtype", ()))
