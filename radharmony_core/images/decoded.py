"""A film that is read once, and shown through as many windows as one likes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from radharmony_core.errors import UnknownWindowError
from radharmony_core.images.display.codes import Bools, Codes
from radharmony_core.images.display.looks import CLAHE_CLIP, CLAHE_TILES, local_contrast
from radharmony_core.images.display.presets import Choice, by_hand
from radharmony_core.images.display.voi import FUNCTIONS, Window
from radharmony_core.images.film import FilmImage, Floats, Gray, Kind, Preset, Step, shown_name

__all__ = ["DecodedFilm", "Notes"]


@dataclass(frozen=True)
class Notes:
    """What is known of a film before a window is chosen: steps of the ledger, and notices.

    Those of reading hold for every picture of it. Those of the ``values`` (modality, padding) and the ``polarity`` do not
    hold for a look, which starts from the stored values.
    """

    reading: tuple[Step, ...] = ()
    values: tuple[Step, ...] = ()
    polarity: tuple[Step, ...] = ()
    said: tuple[str, ...] = ()
    said_of_values: tuple[str, ...] = ()


_SAME = np.arange(256, dtype=np.uint8)  # an 8-bit picture shown as it is


@dataclass(frozen=True, eq=False)
class DecodedFilm:
    """The values of a film, upright, before a window is chosen. It does not change, so threads and pages may share it.

    ``codes`` is uint8 or uint16, rows x columns, C-contiguous and read-only. What a code means stands in tables of 256 or
    65,536 entries: ``units`` (float64) is its value in ``unit``, such as HU, after the modality transformation; NaN where it
    stands for no number. ``is_present`` tells which codes occur, ``is_padding`` which are no part of the picture.
    ``is_inverted``: low values are white. ``orientation`` is EXIF's, 1..8, and already applied; ``stored_size`` is width and
    height before that.
    """

    codes: Codes
    units: Floats
    is_present: Bools
    is_padding: Bools
    is_inverted: bool
    choices: tuple[Choice, ...]
    notes: Notes
    source: Kind
    path: Path
    unit: str = ""
    orientation: int = 1
    stored_size: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        for table in (self.codes, self.units, self.is_present, self.is_padding):
            table.setflags(write=False)
        if self.stored_size == (0, 0):
            object.__setattr__(self, "stored_size", self.size)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, upright."""
        return int(self.codes.shape[1]), int(self.codes.shape[0])

    @property
    def presets(self) -> tuple[Preset, ...]:
        """What ``show`` takes by key: "default" first, the file's own windows and tables, then "full", "auto" and the looks."""
        return tuple(choice.preset for choice in self.choices)

    def lut(self, window: str | Window = "default", *, invert: bool = False) -> Gray:
        """The gray level of each code, 256 or 65,536: window, polarity, ``invert``; padding is black whatever they are.

        The MIMIC-CXR-JPG look has no padding rule, so there padding is as any value. ``window`` is the key of a preset, its
        words, or a Window. A key as it is written, in lower case, comes first: "auto" is always the percentiles. Else case
        does not matter, and words come before keys: "AUTO" is the file's own window of that name where it has one. Raises
        UnknownWindowError for anything else.
        """
        return self._table(self._chosen(window), invert)

    def show(self, window: str | Window = "default", *, invert: bool = False, local_contrast: bool = False) -> FilmImage:
        """The film through ``window``, as for ``lut``; with ``local_contrast``, CLAHE of the gray levels afterwards."""
        choice = self._chosen(window)
        pixels = self._through(self._table(choice, invert))
        if local_contrast:
            pixels = self._with_local_contrast(pixels, choice)
        return FilmImage(
            pixels,
            self._said(choice),
            self.source,
            self.path,
            self._ledger(choice, invert, local_contrast),
            self.orientation,
            self.stored_size,
            choice.preset,
        )

    def _table(self, choice: Choice, invert: bool) -> Gray:
        table = choice.grays(self.units, is_inverted=self.is_inverted)
        if invert:
            table = np.uint8(255) - table
        if not choice.is_look:
            table[self.is_padding] = 0
        return table

    def _said(self, choice: Choice) -> tuple[str, ...]:
        said = [*self.notes.said, *(() if choice.is_look else self.notes.said_of_values), *choice.said]
        shown = self.units[self.is_present & ~self.is_padding]
        if shown.size and choice.is_flat(shown):
            said.append(f"The window ({choice.preset.words}) makes every pixel of this image the same gray.")
        return tuple(dict.fromkeys(said))

    def _with_local_contrast(self, pixels: Gray, choice: Choice) -> Gray:
        if choice.is_look or not (self.is_padding & self.is_present).any():
            return local_contrast(pixels, None)
        return local_contrast(pixels, self._through(np.where(self.is_padding, 0, 255).astype(np.uint8)))

    def _through(self, table: Gray) -> Gray:
        if np.array_equal(table, _SAME):
            return np.asarray(self.codes, np.uint8)
        # One pass, and without a copy of the codes as the numbers that numpy would index with.
        return np.asarray(cv2.LUT(self.codes, table), np.uint8)

    def _ledger(self, choice: Choice, invert: bool, is_local: bool) -> tuple[Step, ...]:
        values, polarity = ((), ()) if choice.is_look else (self.notes.values, self.notes.polarity)
        steps = [*self.notes.reading, *values, choice.step, *polarity]
        if invert:
            steps.append(Step("Invert", "Gray levels turned, asked for by hand: 255 less each"))
        if is_local:
            words = f"CLAHE, clip limit {CLAHE_CLIP:g}, {CLAHE_TILES} x {CLAHE_TILES} tiles"
            steps.append(Step("Local contrast", words, {"clip_limit": CLAHE_CLIP, "tiles": float(CLAHE_TILES)}))
        return tuple(steps)

    def _chosen(self, window: str | Window) -> Choice:
        if isinstance(window, Window):
            window = replace(window, function=window.function.upper())
            if window.is_usable:
                return by_hand(window)
            raise UnknownWindowError(
                f"{shown_name(self.path)} cannot be shown through the window {window.function}, {window}: a center, and a width "
                f"of at least 1 for LINEAR and above 0 otherwise, are needed, with one of the functions {', '.join(FUNCTIONS)}."
            )
        if isinstance(window, str):
            wanted = window.casefold()
            by_key = {choice.preset.key: choice for choice in self.choices}
            by_words = {choice.preset.words.casefold(): choice for choice in reversed(self.choices[1:])}
            found = by_key.get(window) or by_words.get(wanted) or by_key.get(wanted)
            if found is not None:
                return found
        offered = ", ".join(f"{preset.key} ({preset.words})" for preset in self.presets)
        raise UnknownWindowError(f"{shown_name(self.path)} has no window {window!r}. It can be shown as: {offered}.")
