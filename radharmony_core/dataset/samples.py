"""A harmonized table as a map-style dataset: number in, sample out."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from radharmony_core.boxes import NormBox, Placement, clip, outside_of, place_film, usable_size
from radharmony_core.dataset.arrays import in_family
from radharmony_core.dataset.films import Films
from radharmony_core.dataset.masks import fill_boxes
from radharmony_core.dataset.notices import Said
from radharmony_core.dataset.outcome import settled, typed
from radharmony_core.dataset.ragged import Boxes, Ragged
from radharmony_core.dataset.rows import Rows
from radharmony_core.dataset.splits import Places
from radharmony_core.dataset.transforms import DefaultTransform
from radharmony_core.errors import MissingFileError
from radharmony_core.images.film import Gray
from radharmony_core.reports import ReportSource, report_path

__all__ = ["Sample", "SampleDataset", "Wanted"]

Sample = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form of a sample, and which of the boxes' two forms it carries. ``channels``: each label's place in a mask."""

    dtype: Any
    transform: Callable[[Sample], Any]
    channels: Mapping[str, int]
    bbox: bool = False
    mask: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SampleDataset(Sequence[Any]):
    """Samples of some rows of a table, by their number; a slice gives a dataset of those.

    Works as PyTorch's map-style ``Dataset`` in a ``DataLoader``, with any number of workers and either way of starting them.
    Nothing is held but the table: a film is read when its sample is asked for. ``places`` are the rows in the table.
    """

    rows: Rows
    places: Places
    films: Films
    wanted: Wanted
    said: Said
    report_source: ReportSource | None = None

    def of(self, places: Places) -> SampleDataset:
        """The samples of other rows of the same table."""
        return replace(self, places=places)

    def __repr__(self) -> str:
        return f"<SampleDataset of {len(self)} images below {self.films.root}>"

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> SampleDataset: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        """A sample, or what the transform made of it. Raises IndexError behind the last one, MissingFileError where the image
        is not there, another RadHarmonyError where it cannot be shown; the message names the row."""
        if isinstance(index, slice):
            return self.of(self.places[index])
        number = operator.index(index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"Sample {number} was asked for; there are {len(self)}.")
        return self._sample(int(self.places[number]))

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(len(self)))

    def _sample(self, row: int) -> Any:
        transform, dtype = self.wanted.transform, self.wanted.dtype
        if type(transform) is DefaultTransform:  # a subclass is called: nobody knows what it does
            reduced = self.films.reduced(row, transform)
            where = transform.letterbox(reduced.height, reduced.width)
            boxes = self._boxes(row, (reduced.width, reduced.height), reduced.orientation)
            return typed(self._annotated(row, reduced.pixels, boxes, where.place), dtype)
        film = self.films.native(row)
        sample = self._annotated(row, film.pixels, self._boxes(row, film.size, film.orientation), _unmoved)
        given = {key: in_family(value, dtype) if isinstance(value, np.ndarray) else value for key, value in sample.items()}
        made = transform({key: copy.deepcopy(value) if key == "bbox" else value for key, value in given.items()})
        return settled(made, given, transform, dtype, self.said, self.films.name(row))

    def _annotated(self, row: int, pixels: Gray, boxes: list[NormBox], place: Callable[[NormBox], NormBox]) -> Sample:
        """``pixels`` as they are handed out, and what belongs to them; ``place`` brings boxes of the film into ``pixels``."""
        sample: Sample = {"img": np.divide(pixels[None], 255, dtype=np.float32)}
        if self.rows.cls is not None:
            sample["cls"] = self.rows.cls[row].copy()
        if self.rows.boxes is not None and self.rows.box_labels is not None:
            labels = list(self.rows.box_labels[row])
            if self.wanted.bbox:
                placed = Boxes([list(place(box)) for box in boxes], pixels.shape)
                sample |= {"bbox": placed, "bbox_labels": Ragged(labels)}
            if self.wanted.mask:
                sample["mask"] = self._mask(row, labels, boxes, pixels.shape, place)
        if self.rows.reports is not None or self.report_source is not None:
            sample["report"] = self._report(row)
        return sample

    def _mask(
        self, row: int, labels: list[str], boxes: list[NormBox], shape: tuple[int, ...], place: Callable[[NormBox], NormBox]
    ) -> npt.NDArray[np.uint8]:
        """What lies on the film of the boxes, never on the border that a square has beside it."""
        channels = self.wanted.channels
        unknown = sorted(set(labels) - set(channels))
        if unknown:
            self.said.once(
                "label", f"{self.films.name(row)}: {', '.join(unknown)} has no channel in the mask, only a box in bbox."
            )
        on_film = [
            (channels[label], place(clip(box))) for label, box in zip(labels, boxes, strict=True) if _fills(label, box, channels)
        ]
        return fill_boxes(on_film, len(channels), shape[0], shape[1])

    def _boxes(self, row: int, size: tuple[int, int], orientation: int) -> list[NormBox]:
        """The row's boxes in fractions of the upright film, of whatever ``size`` (width, height) its file is: they were divided
        by the table's. They turn with a film whose stored picture was measured. A warning where the file is of another shape."""
        if self.rows.boxes is None:
            return []
        boxes: list[NormBox] = self.rows.boxes[row]
        if any(_is_odd(box) for box in boxes):
            self.said.once(
                "box",
                f"{self.films.name(row)}: a box has no place, no area, or reaches beyond the image. It keeps its numbers in "
                "bbox, and in the mask only what lies on the image is filled. Other images may have such boxes too.",
            )
        placed = place_film(size, self._table_size(row), orientation=orientation)
        if boxes:
            self._tell_placement(row, size, placed)
        return [placed.place(box) for box in boxes]

    def _tell_placement(self, row: int, size: tuple[int, int], placed: Placement) -> None:
        """What is assumed where the file is not the picture that the table speaks of."""
        if placed.kind in ("swapped", "other"):
            self.said.of_each(
                "shape",
                str(self.films.paths.iloc[row]),
                f"{self.films.name(row)}: the file is {size[0]} x {size[1]} pixels, another shape than the table's "
                f"{placed.frame[0]} x {placed.frame[1]}. Its boxes and mask are taken as fractions of the whole picture, as if "
                "it had been resized to that shape; in a picture that was cropped, padded or turned they lie elsewhere.",
            )
        elif placed.kind == "turned" or placed.is_doubtful:
            self.said.once(placed.kind, f"{self.films.name(row)}: {placed.words} Other films may be such too.")

    def _table_size(self, row: int) -> tuple[int, int] | None:
        """Width and height of the original, None where the table has none that can be used."""
        return None if self.rows.sizes is None else usable_size(*self.rows.sizes[row])

    def _report(self, row: int) -> str:
        """The study's report as it stands, empty where it has none."""
        text: object = None
        if self.rows.reports is not None:
            text = self.rows.reports.iloc[row]
        elif self.report_source is not None:
            try:
                text = self.report_source.read(report_path(self.films.paths.iloc[row])).text
            except MissingFileError:
                text = None  # said below, as where a table has none
        if isinstance(text, str):
            return text
        self.said.once("report", f"{self.films.name(row)}: its study has no report; the text is empty. Others may have none too.")
        return ""


def _unmoved(box: NormBox) -> NormBox:
    return box


def _is_odd(box: NormBox) -> bool:
    return not box.is_drawable or outside_of(box) != "inside"


def _fills(label: str, box: NormBox, channels: Mapping[str, int]) -> bool:
    return label in channels and box.is_drawable
