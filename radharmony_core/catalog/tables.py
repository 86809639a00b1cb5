"""The catalog itself: the configured datasets as three tables that pages share, and look-ups in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.catalog.labels import Codes
from radharmony_core.errors import MissingFileError, RadHarmonyError
from radharmony_core.paths import locate, within
from radharmony_core.reports import Report, ReportArchive, ReportSource, report_path
from radharmony_core.schema import LABEL_COLUMNS

__all__ = ["Catalog", "DatasetStatus"]


@dataclass(frozen=True, slots=True)
class DatasetStatus:
    """One configured dataset: where it was looked for, what came of it.

    ``error`` says in words why it could not be read, None where it could. ``inputs`` are the files that were read.
    ``notices`` speak of the cache. ``counts`` maps what was counted to how many, as `counts.PUBLISHED` names it.
    """

    kind: str
    settings: Mapping[str, Path]
    error: str | None = None
    inputs: tuple[Path, ...] = ()
    image_root: Path | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Catalog:
    """The tables, and where files are read. Shared by every session: nobody changes them.

    ``images``: one row an image over all datasets, ``image_id`` unique, one flag a dataset that has it (named by its kind),
    ``study`` its place in ``studies`` (-1 for none), ``boxes`` how many it has, ``file`` below MS-CXR's image folder.
    ``boxes``: one row a box of MS-CXR, ``image`` its place in ``images``, ``box_id`` and ``phrase_id``, the phrase as it is
    compared, numbers normalized and as read, ``codes`` its issues. ``studies``: one row a study, its report and language, and
    the states of each labeler as ``LABELER_LABEL``. ``labels``: by labeler, (14, studies) codes, which also say why a state is
    missing. ``issues``: what is wrong, with the dataset it is of. ``reports``: where reports are read, None for nowhere.
    """

    images: pd.DataFrame
    boxes: pd.DataFrame
    studies: pd.DataFrame
    issues: pd.DataFrame
    datasets: tuple[DatasetStatus, ...]
    labels: Mapping[str, Codes]
    reports: ReportSource | None

    def place_of(self, image_id: str) -> int | None:
        """The row of an image in ``images``, or None."""
        found = pc.index(pa.array(self.images["image_id"]), image_id).as_py()  # a scan takes a millisecond, an index 60 MB
        return None if found < 0 else int(found)

    def status(self, kind: str) -> DatasetStatus | None:
        """What came of a dataset; None where it is not configured."""
        return next((status for status in self.datasets if status.kind == kind), None)

    def image_file(self, place: int) -> Path:
        """An image's file, in the first dataset that has it: as MS-CXR names it, then JPG, then DICOM.

        Raises MissingFileError, which says what was expected where, and OutsideRootError.
        """
        image = self.images.iloc[place]
        path, file = image["image_path"], image["file"]
        if not isinstance(path, str):
            raise MissingFileError("The table gives no path for this image.")
        roots = [status.image_root for status in self.datasets if image[status.kind] and status.image_root is not None]
        if not roots:
            raise MissingFileError(f"No folder of images was found; expected {path} in one. Set it in radharmony.toml.")
        for root in roots:
            found = within(root, file) if isinstance(file, str) and root == roots[0] else locate(root, path)
            if found is not None:
                return found
        raise MissingFileError(f"Expected the image at {within(roots[0], path)}; there is no such file.")

    def image_files(self, place: int) -> dict[str, Path]:
        """Every file of an image by the dataset that has it, each file once: a film may be there as JPG and as DICOM. Empty
        where there is none. Raises OutsideRootError."""
        image = self.images.iloc[place]
        path = image["image_path"]
        found: dict[str, Path] = {}
        for status in self.datasets:
            if isinstance(path, str) and image[status.kind] and status.image_root is not None:
                file = locate(status.image_root, path)
                if file is not None and file not in found.values():
                    found[status.kind] = file
        return found

    def report(self, place: int) -> tuple[Report | None, str]:
        """The report of an image's own study, and a note where there is none. Files are read anew each time."""
        image = self.images.iloc[place]
        path, study = image["image_path"], int(image["study"])
        if study < 0 or not isinstance(path, str):
            return None, "The image's path names no study, so no report can be looked for."
        told = self.studies["report"].iloc[study]
        kept = Report(told, Path(report_path(path))) if isinstance(told, str) else None
        if image["casia_cxr"] or (kept is not None and isinstance(self.reports, ReportArchive)):
            return kept, "" if kept is not None else "The table has no report of this exam."
        if self.reports is None:
            note = f"No report was found; expected {report_path(path)}. They come with MIMIC-CXR: name it on the page Datasets."
            return kept, "" if kept is not None else note
        try:
            return self.reports.read(report_path(path)), ""
        except RadHarmonyError as error:
            return kept, "" if kept is not None else str(error)

    def images_of_study(self, study: int) -> npt.NDArray[np.int64]:
        """Places of a study's images in ``images``, in the table's order."""
        return np.flatnonzero(self.images["study"].to_numpy() == study) if study >= 0 else np.empty(0, dtype=np.int64)

    def studies_of_patient(self, study: int) -> npt.NDArray[np.int64]:
        """Places of all studies of a study's patient, by date and time; undated ones last, each as the tables have them."""
        if study < 0:
            return np.empty(0, dtype=np.int64)
        patients = self.studies["patient"].to_numpy()
        places = np.flatnonzero(patients == patients[study])
        when = self.studies["study_datetime"].to_numpy()[places]
        return places[np.argsort(when, kind="stable")]  # NaT is sorted last

    def labels_of_study(self, study: int, labeler: str) -> dict[str, int]:
        """The code of each snake_case label: 1, 0, -1, or one that says why there is no state (`labels.label_word`)."""
        return {column.name: int(code) for column, code in zip(LABEL_COLUMNS, self.labels[labeler][:, study], strict=True)}
