"""What the datasets share: what a sample carries, dividing the images, and listing what is missing."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, SupportsIndex, TypedDict, overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from radharmony_core.dataset.arguments import checked_path
from radharmony_core.dataset.arrays import resolve_dtype
from radharmony_core.dataset.films import Films
from radharmony_core.dataset.missing import are_missing
from radharmony_core.dataset.notices import DatasetWarning, Said
from radharmony_core.dataset.ragged import tell_torch
from radharmony_core.dataset.rows import LISTS, Rows, rows_of
from radharmony_core.dataset.sample_cache import SampleCache
from radharmony_core.dataset.samples import Sample, SampleDataset, Wanted
from radharmony_core.dataset.source import Origin, PathLike, PathLikes, Source, few_of
from radharmony_core.dataset.splits import patient_folds, rows_of_split
from radharmony_core.dataset.transforms import DefaultTransform
from radharmony_core.errors import ConfigError, TableError
from radharmony_core.labels import column_of
from radharmony_core.paths import expanded
from radharmony_core.reports import ReportSource, find_reports, report_path
from radharmony_core.schema import array_of

__all__ = ["HarmonizedDataset", "SampleOptions", "Transform"]

Transform = Callable[[Sample], Any]
_SERVED_BY = {"bbox": "MSCXRDataset", "mask": "MSCXRDataset", "report": "MIMICCXRDataset and CASIACXRDataset"}


class SampleOptions(TypedDict, total=False):
    """What every dataset takes; `MSCXRDataset` says what each means."""

    output_cls: bool
    output_mask: bool
    output_report: bool
    output_bbox: bool
    transform: Transform | None
    cache_dir: PathLike | None
    dtype: Any
    harmonized_df: pd.DataFrame | None
    harmonizer: Any
    harmonizer_path: PathLike | None


class HarmonizedDataset:
    """The base of the datasets.

    ``origin`` is where its table comes from, ``findings`` are in the order of ``cls``, ``serves`` is what a sample can carry of
    ``cls``, ``bbox``, ``mask`` and ``report``.
    """

    origin: ClassVar[Origin]
    findings: ClassVar[tuple[str, ...]]
    serves: ClassVar[frozenset[str]] = frozenset({"cls", "report"})

    def __init__(
        self,
        base_image_dir: PathLike | None,
        paths: Mapping[str, PathLikes | None],
        *,
        output_cls: bool = False,
        output_mask: bool = False,
        output_report: bool = False,
        output_bbox: bool = False,
        transform: Transform | None = None,
        cache_dir: PathLike | None = "./cache",
        dtype: Any = None,
        harmonized_df: pd.DataFrame | None = None,
        harmonizer: Any = None,
        harmonizer_path: PathLike | None = None,
    ) -> None:
        is_class = isinstance(transform, type) and issubclass(transform, DefaultTransform)  # without its ()
        if is_class or not (transform is None or callable(transform)):
            came = f"the class {transform!r}" if is_class else type(transform).__name__
            raise ConfigError(f"Expected a transform that can be called with a sample; got {came}.")
        self._transform = DefaultTransform() if transform is None else transform
        self._dtype = resolve_dtype(dtype)
        self._said = Said()
        folder = None if cache_dir is None else expanded(checked_path(cache_dir, "cache_dir")).absolute()
        self._cache = SampleCache(folder, self._said)
        tables = {"harmonized_df": harmonized_df, "harmonizer": harmonizer, "harmonizer_path": harmonizer_path}
        given = {name: path for name, path in paths.items() if path is not None}
        self._source = Source(self.origin, base_image_dir, given, tables, self._said)
        asked = {"cls": output_cls, "mask": output_mask, "report": output_report, "bbox": output_bbox}
        self._outputs = set(filter(self._serves, [name for name, is_asked in asked.items() if is_asked]))

    def get_harmonized_df(self) -> pd.DataFrame:
        """The harmonized table, one row an image, and the caller's own: what is changed in it changes no sample."""
        table = self._source.table
        lists = [column.name for column in self.origin.columns if column.kind in LISTS and column.name in table.columns]
        return table.assign(**{name: array_of(copy.deepcopy(table[name].tolist())) for name in lists})

    @overload
    def get_datasets(self, n_splits: None = None, *, split: str | None = None, seed: int = 0, fold: int = 0) -> SampleDataset: ...
    @overload
    def get_datasets(
        self, n_splits: SupportsIndex, *, split: str | None = None, seed: int = 0, fold: int = 0
    ) -> tuple[SampleDataset, SampleDataset]: ...
    def get_datasets(
        self, n_splits: SupportsIndex | None = None, *, split: str | None = None, seed: int = 0, fold: int = 0
    ) -> SampleDataset | tuple[SampleDataset, SampleDataset]:
        """All images, or those of the published ``split``, as one dataset; with ``n_splits`` as a training and a validation
        set, the latter of about one image in ``n_splits``.

        No patient is in both. The same ``seed`` gives the same parts on every machine; ``fold``, 0 to ``n_splits`` - 1, says
        which part validates, so that all of them make a cross-validation. Every row is there, also one whose image is not
        (`missing_images`): asking for its sample raises. Raises ConfigError for a split or a number that cannot be.
        """
        table = self._source.table
        places = np.arange(len(table)) if split is None else rows_of_split(_column(table, "split"), split)
        whole = self._samples(table).of(places)
        if n_splits is None:
            if fold:
                raise ConfigError(f"Expected n_splits where a fold is asked for (fold={fold}); got none.")
            return whole
        patients = _column(table, "patient_id").iloc[places]
        folds = patient_folds(patients, n_splits, seed)
        if fold not in range(n_splits):
            raise ConfigError(f"Expected a fold of 0 to {len(range(n_splits)) - 1}, as n_splits is {n_splits}; got {fold!r}.")
        unknown = int(patients.isna().sum())
        if unknown:
            self._said.once("patients", f"{unknown} images name no patient; they stay together, as if of one patient.")
        return whole.of(places[folds != fold]), whole.of(places[folds == fold])

    def missing_images(self) -> pd.DataFrame:
        """The rows of the harmonized table whose image is not on the disk, or that name none; the index is the table's.

        Files that a link leads out to, of the folder of images, are missing too, since only what is inside is opened; a warning
        says so.
        """
        return self.get_harmonized_df()[self._are_missing()]

    def present_images(self) -> pd.DataFrame:
        """The other rows, whatever the index: ``harmonized_df=ds.present_images()`` makes a dataset without the missing ones."""
        return self.get_harmonized_df()[~self._are_missing()]

    def _are_missing(self) -> npt.NDArray[np.bool_]:
        return are_missing(self._source.image_root(), _column(self._source.table, "image_path").tolist(), self._said)

    def _serves(self, output: str) -> bool:
        """Whether a sample can carry ``output``; a warning where not."""
        if output in self.serves:
            return True
        warnings.warn(
            f"output_{output} is left out: {type(self).__name__} has nothing for {output!r}. {_SERVED_BY[output]} has.",
            DatasetWarning,
            stacklevel=4,
        )
        return False

    def _samples(self, table: pd.DataFrame) -> SampleDataset:
        """All rows of the table as samples."""
        root = self._source.image_root()
        tell_torch()
        wanted = Wanted(
            dtype=self._dtype,
            transform=self._transform,
            channels={name: place for place, name in enumerate(self.findings)},
            bbox="bbox" in self._outputs,
            mask="mask" in self._outputs,
        )
        rows = rows_of(
            table,
            [column_of(name) for name in self.findings],
            cls="cls" in self._outputs and not self._is_unlabeled(table),
            boxes=wanted.bbox or wanted.mask,
            reports="report" in self._outputs,
        )
        films = Films(root, rows.paths, self._cache, self._said)
        return SampleDataset(rows, np.arange(len(table)), films, wanted, self._said, self._reports(rows, root))

    def _is_unlabeled(self, table: pd.DataFrame) -> bool:
        """Whether the label columns are there and empty, as MIMIC-CXR's are without MIMIC-CXR-JPG's tables; a warning if so."""
        names = [name for name in map(column_of, self.findings) if name in table.columns]
        if table.empty or len(names) < len(self.findings) or any(table[name].notna().any() for name in names):
            return False
        self._said.once("cls", f"output_cls is left out: no image of this table has a label. {self.origin.labels}")
        return True

    def _reports(self, rows: Rows, root: Path) -> ReportSource | None:
        """Where the reports are that are asked for and not in the table: beside the images. A warning where they are not."""
        if "report" not in self._outputs or rows.reports is not None:
            return None
        few = [report_path(path) for path in few_of(rows.paths)]
        places = [root] if self._source.base is None else [root, self._source.base]
        source = find_reports(places, few)
        if source is None and len(rows.paths):
            self._said.once(
                "no reports",
                f"output_report is left out: no report is beside the images below {root}, as p10/p10000032/s50414267.txt would "
                f"be. Copy MIMIC-CXR's there; {_SERVED_BY['report']} bring their own.",
            )
        return source


def _column(table: pd.DataFrame, name: str) -> pd.Series[Any]:
    if name not in table.columns:
        raise TableError(f"Expected a column {name} in the harmonized table; there is none.")
    return table[name]
