"""What a transform made, brought into the form of samples: its numbers in their type, its boxes where the image is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from radharmony_core.dataset.arrays import NUMBERS, to_array, to_dtype
from radharmony_core.dataset.fitting import fit_boxes, frame_of_image, is_moved, is_turned
from radharmony_core.dataset.notices import Said
from radharmony_core.dataset.ragged import Boxes, Frame

__all__ = ["FORGOTTEN_MASK", "is_elsewhere", "settled", "typed"]

FORGOTTEN_MASK = "mask was not moved with img, so that they do not fit: name both in the transform, as keys=['img', 'mask']."
_SPATIAL = ("monai.transforms.spatial", "monai.transforms.croppad")
# In the names of MONAI's that leave no trace in the affine, or give something else than an image.
_WITHOUT_TRACE = ("Deform", "Distortion", "Elastic", "GridPatch", "GridSplit", "Transpose")


def settled(made: Any, given: Mapping[str, Any], transform: object, dtype: Any, said: Said, film: str) -> Any:
    """One sample, several (as random crops give), or something else. ``given`` is what ``transform`` was called with, its boxes
    as they were. Where boxes or a mask cannot be brought to the image it is said."""
    if isinstance(made, list):
        return [settled(one, given, transform, dtype, said, film) for one in made]
    if not isinstance(made, Mapping):
        return made
    for kind, message in _unmoved(made, given, transform):
        said.once(kind, f"{film}: {message} Other images may be so too.")
    return fit_boxes(typed(fit_boxes(made), dtype))  # once more, for an image that lost its record with its type


def typed(sample: Mapping[str, Any], dtype: Any) -> dict[str, Any]:
    """The sample with its numbers in ``dtype``."""
    return {key: to_dtype(value, dtype) if key in NUMBERS else value for key, value in sample.items()}


def is_elsewhere(image: Any, mask: Any) -> bool:
    """Whether a mask is not where its image is; by their sizes alone where nothing else is known."""
    one, other = frame_of_image(image), frame_of_image(mask)
    return one is not None and other is not None and is_moved(one, other)


def _unmoved(made: Mapping[str, Any], given: Mapping[str, Any], transform: object) -> Iterator[tuple[str, str]]:
    now, then = frame_of_image(made.get("img")), frame_of_image(given["img"])
    if now is None or then is None:
        return
    spatial = _spatial_parts(transform)
    without_trace = sorted(name for name in spatial if any(word in name for word in _WITHOUT_TRACE))
    if "bbox" in made and "bbox" in given:
        if without_trace:
            yield "moved", f"boxes were not moved by {', '.join(without_trace)}, which leaves no trace of where the pixels went."
        elif _is_as_given(made["bbox"], given["bbox"]):
            yield from _left_behind(made["bbox"], then, now, bool(spatial))
    if "mask" in made and "mask" in given and is_elsewhere(made["img"], made["mask"]):
        yield "mask", FORGOTTEN_MASK


def _left_behind(boxes: Any, then: Frame, now: Frame, is_spatial: bool) -> Iterator[tuple[str, str]]:
    if now.affine is None and (is_spatial or then[:2] != now[:2]):
        yield (
            "moved",
            f"boxes were not moved: the transform gives an img of {now.width} x {now.height} pixels, of {then.width} x "
            f"{then.height}, without a record of where they were. After resizing alone the boxes fit; one that flips, turns, "
            "pads or crops must move bbox itself, or be MONAI's and keep its MetaTensor.",
        )
    elif now.affine is not None and not isinstance(boxes, Boxes) and is_moved(then, now):
        yield "moved", f"boxes were not moved: the transform made bbox a {type(boxes).__name__}. Let it be until img is done."
    elif now.affine is not None and is_turned(then, now):
        yield "turned", "img was turned by another angle than a right one; each box is the upright box around the turned one."


def _is_as_given(boxes: Any, given: Boxes) -> bool:
    """Whether nobody has moved the boxes, whatever they are by now."""
    if isinstance(boxes, Boxes):
        return boxes.is_untouched and boxes.frame == given.frame
    try:
        numbers = np.asarray(to_array(boxes), np.float64)
    except (TypeError, ValueError):  # no numbers: somebody's own
        return False
    own = np.array(given, np.float64)
    return numbers.shape == own.shape and np.allclose(numbers, own, atol=1e-6, equal_nan=True)


def _spatial_parts(transform: object) -> set[str]:
    """The names of MONAI's transforms in a chain that move pixels."""
    module, name = type(transform).__module__, type(transform).__name__
    is_spatial = module.startswith(_SPATIAL) or (module.startswith("monai.") and any(word in name for word in _WITHOUT_TRACE))
    parts = getattr(transform, "transforms", ())
    inside = [_spatial_parts(part) for part in parts] if isinstance(parts, list | tuple) else []
    return set().union(*inside, {name} if is_spatial else ())
