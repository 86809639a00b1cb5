"""The ways a film can be shown: the file's own windows and tables, its value range, its percentiles, and which is the default."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from radharmony_core.images.display.voi import FUNCTIONS, Curve, VoiTable, Window
from radharmony_core.images.film import Floats, Gray, Preset, Step, to_gray

__all__ = ["Choice", "Offer", "by_hand", "default_of", "from_file", "from_values", "gray_levels", "spread"]

# The share of the pixels that "auto" leaves outside on each side, in percent.
_TAIL = 0.5


@dataclass(frozen=True, eq=False)
class Choice:
    """A preset and what it does. ``way`` takes values in the file's units to 0.0 .. 255.0, before polarity; for a look it is a
    finished table of gray levels by code, which knows neither modality nor padding nor polarity.

    ``said`` are the notices of choosing it.
    """

    preset: Preset
    step: Step
    way: Curve | Gray
    said: tuple[str, ...] = ()

    @property
    def is_look(self) -> bool:
        """Whether it starts from the stored values and goes past the standard's pipeline."""
        return isinstance(self.way, np.ndarray)

    def grays(self, x: Floats, *, is_inverted: bool) -> Gray:
        """The gray level of each of the values ``x``; for a look, of each code."""
        if isinstance(self.way, np.ndarray):
            return self.way
        # A code that stands for no number has no gray level either, and is padding.
        level = np.nan_to_num(self.way(x))
        return to_gray(255.0 - level if is_inverted else level)

    def is_flat(self, x: Floats) -> bool:
        """Whether the values ``x`` differ and all become one gray."""
        return not self.is_look and bool(np.ptp(x) > 0) and bool(np.ptp(self.grays(x, is_inverted=False)) == 0)


@dataclass(frozen=True)
class Offer:
    """What the file itself offers: VOI tables and windows in its order, None and unusable ones included."""

    tables: list[VoiTable | None]
    windows: list[Window]


def _of_window(window: Window, key: str, words: str, numbers: dict[str, float], *, is_range: bool = False) -> Choice:
    preset = Preset(key, words, window.center, window.width, window.function)
    said = f"{words}: {window.function}, center {window.center:.10g}, width {window.width:.10g}{_place(numbers)}"
    standard = "" if is_range else f"PS3.3 {FUNCTIONS[window.function]}"
    numbers = {"center": window.center, "width": window.width, **numbers}
    return Choice(preset, Step("VOI window", said, numbers, standard), window)


def _place(numbers: dict[str, float]) -> str:
    return f" ({numbers['which']:g} of {numbers['of']:g})" if numbers.get("of", 1) > 1 else ""


def by_hand(window: Window) -> Choice:
    """A window that was set by hand. It has to be usable."""
    return _of_window(window, "custom", window.words or "Set by hand", {})


def from_file(offer: Offer) -> tuple[Choice, ...]:
    """The file's own windows and tables that can be used, numbered as they stand in the file."""
    choices = []
    for number, window in enumerate(offer.windows, 1):
        if window.is_usable:
            count = {"which": float(number), "of": float(len(offer.windows))}
            choices.append(_of_window(window, f"window{number}", window.words or f"Window {number}", count))
    for number, voi in enumerate(offer.tables, 1):
        if voi is not None:
            choices.append(_of_table(voi, number, len(offer.tables)))
    return _told_apart(choices)


def _told_apart(choices: list[Choice]) -> tuple[Choice, ...]:
    """The second of one name gets " (2)" behind it, so that both can be asked for."""
    count: dict[str, int] = {}
    apart = []
    for choice in choices:
        words = choice.preset.words
        number = count[words.casefold()] = count.get(words.casefold(), 0) + 1
        apart.append(replace(choice, preset=replace(choice.preset, words=f"{words} ({number})")) if number > 1 else choice)
    return tuple(apart)


def _of_table(voi: VoiTable, number: int, count: int) -> Choice:
    table = voi.table
    words = voi.words or f"Table {number}"
    numbers = {**table.numbers, "which": float(number), "of": float(count)}
    said = f"{words}: {table}{_place(numbers)}"
    return Choice(Preset(f"table{number}", words), Step("VOI table", said, numbers, "PS3.3 C.11.2.1.1"), voi, voi.said)


def from_values(shown: Floats, counts: npt.NDArray[np.int64]) -> tuple[Choice, Choice]:
    """The presets "full" and "auto" for a picture of the values ``shown``, each in ``counts`` pixels."""
    order = np.argsort(shown, kind="stable")
    shown, counts = shown[order], counts[order]
    full = _of_range(float(shown[0]), float(shown[-1]), "full", "Full value range")
    low, high = (_percentile(shown, np.cumsum(counts), share) for share in (_TAIL, 100.0 - _TAIL))
    words = f"Auto contrast ({_TAIL:g} % to {100 - _TAIL:g} % of the pixels)"
    if not low < high:
        low, high = float(shown[0]), float(shown[-1])
    return full, _of_range(low, high, "auto", words)


def _of_range(low: float, high: float, key: str, words: str) -> Choice:
    """LINEAR_EXACT over the range. Where there is none, a width of 1 around the one value puts it at the middle gray."""
    window = Window((low + high) / 2, high - low or 1.0, "LINEAR_EXACT")
    return _of_window(window, key, words, {"low": low, "high": high}, is_range=True)


def _percentile(rising: Floats, places: npt.NDArray[np.int64], percent: float) -> float:
    """Linear between the two nearest pixels in order, as `numpy.percentile` is. ``places``: how many pixels up to each value."""
    at = percent / 100.0 * (int(places[-1]) - 1)
    below, above = rising[np.searchsorted(places, [np.floor(at), np.ceil(at)], "right")]
    return float(below + (above - below) * (at - np.floor(at)))


def gray_levels(top: int) -> Choice:
    """The default of a picture that holds gray levels 0..``top`` already: they are shown as they are."""
    return _of_range(0.0, float(top), "default", "As stored")


def spread(full: Choice, shown: Floats, said: list[str]) -> Choice:
    """The default of a picture of values without a window of their own, which are ``shown``: their range."""
    low, high = float(shown.min()), float(shown.max())
    if low == high:
        said.append("Every pixel of the image has the same value; it is shown as one flat gray.")
        return _as_default(full, [])
    return _as_default(full, [f"The values run from {low:g} to {high:g}; this range is spread over the gray levels."])


def default_of(own: tuple[Choice, ...], full: Choice, offer: Offer, shown: Floats, reach: Floats | None) -> Choice:
    """The file's first table, else its first usable window, else the value range, with the notices of this choice.

    A transformation that makes all values ``shown`` one gray shows nothing, and is passed over. ``reach`` is given for a
    picture of fewer bits than its header says: what it can hold at most, and a window must lie within.
    """
    if reach is not None and not _lies_within(offer, reach):
        words = "The file's window is meant for other values than the picture has, so it was not used."
        return _as_default(full, [words, *_range_words(shown)])
    by_key = {choice.preset.key: choice for choice in own}
    said: list[str] = []
    candidates: list[tuple[Choice, str]] = []
    if "table1" in by_key:
        if len(offer.tables) > 1:
            said.append(f"The file has {len(offer.tables)} VOI lookup tables; the first is shown.")
        candidates.append((by_key["table1"], "VOI lookup table"))
    window = _first_window(offer.windows, said, is_second=bool(candidates))
    if window is not None:
        candidates.append((by_key[f"window{window + 1}"], f"window ({offer.windows[window]})"))
    for choice, words in candidates:
        if not choice.is_flat(shown):
            return _as_default(choice, said)
        said.append(f"The file's {words} makes every pixel of this image the same gray, so it was not used.")
    return _as_default(full, [*said, *_range_words(shown)])


def _lies_within(offer: Offer, reach: Floats) -> bool:
    if offer.tables:
        return False
    window = next((window for window in offer.windows if window.is_usable), None)
    if window is None:
        return True
    half = window.width / 2
    # One step more on both sides: a window over everything is written 128 +- 128 as often as 127.5 +- 127.5.
    return bool(reach.min() - 1 <= window.center - half and window.center + half <= reach.max() + 1)


def _first_window(windows: list[Window], said: list[str], *, is_second: bool) -> int | None:
    usable = [place for place, window in enumerate(windows) if window.is_usable]
    if windows and is_second:
        said.append("The file has a VOI lookup table and a window; the table is shown.")
    elif windows and not usable:
        least = "of at least 1" if windows[0].function == "LINEAR" else "above 0"
        said.append(f"The file's window ({windows[0]}) cannot be used: a center and a width {least} are needed.")
    elif len(windows) > 1:
        which = "first" if usable[0] == 0 else "first that can be used"
        said.append(f"The file has {len(windows)} windows; the {which} ({windows[usable[0]]}) is shown.")
    return usable[0] if usable else None


def _range_words(shown: Floats) -> list[str]:
    low, high = float(shown.min()), float(shown.max())
    return [f"No window of the file is used: its full value range, {low:g} to {high:g}, is shown."] if low < high else []


def _as_default(choice: Choice, said: list[str]) -> Choice:
    return replace(choice, preset=replace(choice.preset, key="default"), said=(*choice.said, *said))
