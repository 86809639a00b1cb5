"""Lists of which each image has another length. To people they are plain lists; to a collation each is one thing.

PyTorch's default collation, which MONAI's is built on, takes lists apart: of two images with two boxes each it would make the
first boxes and the second ones, and nobody would notice. It offers a table of types that it is to treat otherwise
(``default_collate_fn_map``, https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.default_collate); ours are entered.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from radharmony_core.errors import ConfigError

__all__ = ["Affine", "Boxes", "Frame", "Ragged", "tell_torch"]

Affine = tuple[tuple[float, ...], ...]  # 3 x 3, of rows, columns and 1


class Ragged(list[Any]):
    """A list of one image, such as its findings. A collation that takes it apart all the same raises ConfigError."""

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__(values)
        for value in self:
            _refuse_turned(value)
        tell_torch()

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, slice):
            _refuse_turned(value)
        super().__setitem__(index, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self),)


class Frame(NamedTuple):
    """An image that boxes are fractions of: its size, and where its pixels were, as MONAI keeps it; None: they are where they
    were."""

    height: int
    width: int
    affine: Affine | None = None


class Boxes(Ragged):
    """Boxes of one image, each [y_min, y_max, x_min, x_max] in fractions of the image in ``frame``, None where somebody has made
    them of nothing but the numbers. ``made_as`` tells whether they were changed since they were made."""

    def __init__(self, boxes: Iterable[Any] = (), frame: Sequence[Any] | None = None, made_as: str | None = None) -> None:
        super().__init__(boxes)
        self.frame = None if frame is None else Frame(*frame)
        self._made_as = repr(self) if made_as is None else made_as

    @property
    def is_untouched(self) -> bool:
        return repr(self) == self._made_as

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self), None if self.frame is None else tuple(self.frame), self._made_as)


def tell_torch() -> None:
    """Enters these lists with PyTorch's collation and with what it may load, once it is loaded; it is not imported for that."""
    collate, torch = sys.modules.get("torch.utils.data._utils.collate"), sys.modules.get("torch")
    known = getattr(collate, "default_collate_fn_map", None)  # an old PyTorch has none: there `Ragged` refuses to be taken apart
    if torch is None or known is None or Boxes in known:
        return
    known.update({Ragged: _as_they_are, Boxes: _as_they_are})
    if hasattr(torch.serialization, "add_safe_globals"):
        torch.serialization.add_safe_globals([Ragged, Boxes])


def _as_they_are(batch: Sequence[Any], *, collate_fn_map: object = None) -> list[Any]:  # noqa: ARG001  PyTorch's signature
    return list(batch)


def _refuse_turned(value: Any) -> None:
    """A box has numbers in it, and a finding is a text: several texts, or tensors of several images, are a collation's."""
    if isinstance(value, list | tuple) and any(isinstance(item, str) or getattr(item, "ndim", 0) for item in value):
        raise ConfigError(
            "Expected bbox and bbox_labels to stay a list an image; this collation turns them round, the first box of each image "
            "together. Pass collate_fn=collate, of radharmony_core.dataset, to the DataLoader."
        )
