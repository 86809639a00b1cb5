"""The VOI transformation: which values are spread over the gray levels (PS3.3 C.11.2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from radharmony_core.images.dicom.stored import Stored
from radharmony_core.images.dicom.tags import Values
from radharmony_core.images.display.modality import read_table
from radharmony_core.images.film import Floats

__all__ = ["Curve", "Window", "voi_of"]

Curve = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Window:
    """One pair of WindowCenter and WindowWidth, in modality values, and the function it is meant for.

    ``function`` is LINEAR, LINEAR_EXACT or SIGMOID; ``words`` the file's own name for the window.
    """

    center: float
    width: float
    function: str = "LINEAR"
    words: str = ""

    @property
    def is_usable(self) -> bool:
        """Both numbers are there; the width is at least 1 for LINEAR, above 0 otherwise (C.11.2.1.2, C.11.2.1.3)."""
        if not (math.isfinite(self.center) and math.isfinite(self.width)):
            return False
        return self.width >= 1 if self.function == "LINEAR" else self.width > 0

    def __str__(self) -> str:
        name = f", {self.words}" if self.words else ""
        center, width = ("none" if math.isnan(number) else f"{number:g}" for number in (self.center, self.width))
        return f"center {center}, width {width}{name}"

    def __call__(self, x: Floats) -> Floats:
        """Modality values to 0.0 .. 255.0."""
        if self.function == "SIGMOID":
            # C.11.2.1.3.1. The exponent is bounded so that far values do not overflow; e**-700 is 0 for a gray level.
            exponent = np.clip(-4.0 * (x - self.center) / self.width, -700.0, 700.0)
            return np.asarray(255.0 / (1.0 + np.exp(exponent)))
        if self.function == "LINEAR_EXACT":
            # C.11.2.1.3.2
            return np.clip(((x - self.center) / self.width + 0.5) * 255.0, 0.0, 255.0)
        # C.11.2.1.2.1: a width of 1 is a threshold, without values in between.
        center, width = self.center - 0.5, self.width - 1.0
        if width == 0:
            return np.where(x <= center, 0.0, 255.0)
        return np.clip(((x - center) / width + 0.5) * 255.0, 0.0, 255.0)


def voi_of(values: Values, at_shown: Floats, stored: Stored, reach: Floats | None, said: list[str]) -> Curve | None:
    """The file's own VOI transformation; None where it has none that can be used, so that the full value range is shown.

    ``at_shown`` are the modality values that occur: a transformation that makes them all one gray shows nothing. ``reach``
    is given for a picture of fewer bits than its header says: what it can hold at most, and a window must lie within.
    """
    if reach is not None and not _lies_within(values, reach):
        said.append("The file's window is meant for other values than the picture has, so it was not used.")
        return None
    for curve, words in _offered(values, at_shown, stored, said):
        level = curve(at_shown)
        if np.ptp(at_shown) == 0 or np.ptp(np.floor(level + 0.5)) > 0:
            return curve
        said.append(f"The file's {words} makes every pixel of this image the same gray, so it was not used.")
    return None


def _lies_within(values: Values, reach: Floats) -> bool:
    if values.items("VOILUTSequence"):
        return False
    usable = [window for window in _windows(values, []) if window.is_usable]
    if not usable:
        return True
    center, half = usable[0].center, usable[0].width / 2
    # One step more on both sides: a window over everything is written 128 +- 128 as often as 127.5 +- 127.5.
    return bool(reach.min() - 1 <= center - half and center + half <= reach.max() + 1)


def _offered(values: Values, at_shown: Floats, stored: Stored, said: list[str]) -> list[tuple[Curve, str]]:
    """At most one of each: the first table, the first usable window. The table is first (PS3.3 C.11.2 leaves the choice)."""
    offered: list[tuple[Curve, str]] = []
    table = _table(values, at_shown, stored, said)
    if table is not None:
        offered.append((table, "VOI lookup table"))
    window = _window(values, said, is_second=table is not None)
    if window is not None:
        offered.append((window, f"window ({window})"))
    return offered


def _table(values: Values, at_shown: Floats, stored: Stored, said: list[str]) -> Curve | None:
    items = values.items("VOILUTSequence")
    if not items:
        return None
    # C.11.2.1.1: the first input value is signed where the values coming in can be.
    table = read_table(items[0], signed=stored.signed or bool((at_shown < 0).any()))
    if table is None:
        said.append("The VOI lookup table of the file cannot be read; it was not applied.")
        return None
    if len(items) > 1:
        said.append(f"The file has {len(items)} VOI lookup tables; the first is shown.")
    scale = 255.0 / ((1 << table.bits) - 1)
    return lambda x: np.clip(table(x) * scale, 0.0, 255.0)


def _window(values: Values, said: list[str], *, is_second: bool) -> Window | None:
    windows = _windows(values, said)
    if not windows:
        return None
    usable = [window for window in windows if window.is_usable]
    if is_second:
        said.append("The file has a VOI lookup table and a window; the table is shown.")
    elif not usable:
        said.append(f"The file's window ({windows[0]}) cannot be used: a center and a width above 0 are needed.")
    elif len(windows) > 1:
        which = "first" if usable[0] is windows[0] else "first that can be used"
        said.append(f"The file has {len(windows)} windows; the {which} ({usable[0]}) is shown.")
    return usable[0] if usable else None


def _windows(values: Values, said: list[str]) -> list[Window]:
    """All pairs in the file's order. A pair that lacks a number stays in the list, with NaN."""
    centers, widths = values.numbers("WindowCenter"), values.numbers("WindowWidth")
    names = values.words("WindowCenterWidthExplanation")
    function = (values.words("VOILUTFunction") or ["LINEAR"])[0].upper()
    if function not in ("LINEAR", "LINEAR_EXACT", "SIGMOID"):
        if centers and widths:
            said.append(f"The VOI LUT function {function!r} is not known; LINEAR was used.")
        function = "LINEAR"
    count = max(len(centers), len(widths))
    padded = [numbers + [math.nan] * (count - len(numbers)) for numbers in (centers, widths)]
    return [
        Window(center, width, function, names[i] if i < len(names) else "")
        for i, (center, width) in enumerate(zip(*padded, strict=True))
    ]
