"""Samples put together into a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from radharmony_core.dataset.arrays import NUMBERS, is_tensor, stacked_tensors
from radharmony_core.dataset.fitting import fit_boxes
from radharmony_core.errors import ConfigError

__all__ = ["collate"]


def collate(samples: Sequence[Any]) -> dict[str, Any]:
    """A batch for a ``DataLoader``'s ``collate_fn``: ``img``, ``cls`` and ``mask`` stacked, everything else a list a sample.

    A list in the place of a sample, as random crops give it, are several samples of the batch. Boxes are brought to their image
    (`fit_boxes`). MONAI's ``decollate_batch`` takes lists apart: leave boxes and texts out of it.

    Raises ConfigError for images of different shapes, as a custom transform may give them, for samples that carry different
    keys, and for what is no sample.
    """
    flat = [one for sample in samples for one in (sample if isinstance(sample, list) else [sample])]
    for sample in flat:
        if not isinstance(sample, Mapping):
            raise ConfigError(f"Expected samples as dicts, or lists of them, in a batch; got {type(sample).__name__}.")
    if any(sample.keys() != flat[0].keys() for sample in flat):
        raise ConfigError("Expected samples with the same keys in a batch; got different ones. Check the transform.")
    fitted = [fit_boxes(sample) for sample in flat]
    return {key: _stacked(key, [sample[key] for sample in fitted]) for key in (fitted[0] if fitted else ())}


def _stacked(key: str, values: list[Any]) -> Any:
    if key not in NUMBERS:
        return values
    kinds = {type(value).__name__ for value in values if not (isinstance(value, np.ndarray) or is_tensor(value))}
    if kinds:
        raise ConfigError(
            f"Expected {key!r} as a tensor or an array in a batch; got {', '.join(sorted(kinds))}. Check the transform."
        )
    if len({is_tensor(value) for value in values}) > 1:
        raise ConfigError(f"Expected {key!r} all as tensors or all as arrays in a batch; got both. Check the transform.")
    shapes = sorted({tuple(value.shape) for value in values})
    if len(shapes) > 1:
        raise ConfigError(f"Expected {key!r} of one shape in a batch; got {shapes}. Let the transform bring them to one size.")
    return stacked_tensors(values) if is_tensor(values[0]) else np.stack(values)
