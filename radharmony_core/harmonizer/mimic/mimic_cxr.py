"""MIMIC-CXR: chest films as DICOM files, and the report of each study.

Format: https://physionet.org/content/mimic-cxr/2.1.0/. It has no labels, split or views: those are MIMIC-CXR-JPG's, joined by
``dicom_id`` and ``study_id`` where that dataset's tables are named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pyarrow as pa

from radharmony_core.errors import ConfigError
from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.mimic.columns import image_columns, ordered, text
from radharmony_core.harmonizer.mimic.files import LABEL_SOURCES, LABELERS, Tables, as_arguments, checked_source, find_jpg_tables
from radharmony_core.harmonizer.mimic.images import Images
from radharmony_core.harmonizer.mimic.merge import merged
from radharmony_core.harmonizer.mimic.reading import load
from radharmony_core.harmonizer.mimic.reports import few_reports, report_paths
from radharmony_core.paths import existing, find_shards
from radharmony_core.reports.sources import find_reports
from radharmony_core.schema import MIMIC_CXR_COLUMNS, Column, IssueLog

__all__ = ["MIMICCXRHarmonizer"]

_OWN = ("record_list", "study_list")
_Path = str | Path | None


class MIMICCXRHarmonizer(Harmonizer):
    """``MIMICCXRHarmonizer(root, jpg_root=...).harmonize()``: 377,110 rows on the published tables, one an image.

    ``root`` is MIMIC-CXR's folder at any usual depth; ``csv_path`` (the record list), ``report_csv_path`` (the study list) and
    ``dicom_base_dir`` go before what is found there, and ``base_image_dir`` is another word for the last. Reports are looked
    for in ``report_dir`` (a folder, or the zip), ``root``, ``dicom_base_dir`` and ``jpg_root``, in that order.
    ``jpg_root`` is MIMIC-CXR-JPG's folder; ``metadata_csv_path``, ``label_csv_path``, ``split_csv_path`` and ``label_source``
    are as in `MIMICCXRJPGHarmonizer`. The images are the record list's: one that the metadata lack has no facts, and those that
    only the metadata have are counted in an issue. Raises ConfigError.
    """

    kind = "mimic_cxr"
    version = 2
    columns: ClassVar[tuple[Column, ...]] = MIMIC_CXR_COLUMNS

    def __init__(
        self,
        root: _Path = None,
        *,
        csv_path: _Path = None,
        dicom_base_dir: _Path = None,
        base_image_dir: _Path = None,
        report_csv_path: _Path = None,
        report_dir: _Path = None,
        jpg_root: _Path = None,
        metadata_csv_path: _Path = None,
        label_csv_path: _Path | Sequence[str | Path] = None,
        split_csv_path: _Path = None,
        label_source: str = "chexpert",
    ) -> None:
        if root is None and csv_path is None:
            raise ConfigError("Expected root, MIMIC-CXR's folder, or csv_path, its record list; got neither.")
        if dicom_base_dir is not None and base_image_dir is not None:
            raise ConfigError("dicom_base_dir and base_image_dir are two words for one folder; name one of them.")
        paths = as_arguments(
            root=root,
            csv_path=csv_path,
            dicom_base_dir=dicom_base_dir if base_image_dir is None else base_image_dir,
            report_csv_path=report_csv_path,
            report_dir=report_dir,
            jpg_root=jpg_root,
            metadata_csv_path=metadata_csv_path,
            label_csv_path=label_csv_path,
            split_csv_path=split_csv_path,
        )
        super().__init__(**paths, label_source=checked_source(label_source))

    def inputs(self) -> list[Path]:
        """Every table that is read, the images' folder where there is one, and the reports' folder or zip."""
        paths, folder = self._tables().paths, self._images_folder()
        places, read = self._report_places(), dict[str, Any]()
        for key in _OWN[::-1]:  # the shorter list first, which is enough where it has rows
            if key in paths and not any(len(table.rows) for table in read.values()):
                read |= load({key: paths[key]}, _nobody).tables
        reports = find_reports(places, few_reports(places, read), IssueLog())
        others = [*([] if folder is None else [folder]), *([] if reports is None else reports.inputs())]
        return list(dict.fromkeys([*paths.values(), *others]))

    def _build(self, log: IssueLog) -> pd.DataFrame:
        source = self._arguments["label_source"] or ""
        tables = self._tables()
        tables.say(dict.fromkeys((*_OWN, "metadata", "split", *LABEL_SOURCES[source], *LABELERS)), log)
        self.image_root = self._images_folder()
        if self.image_root is None and (place := self._arguments["dicom_base_dir"] or self._arguments["root"]):
            log.add("tree_not_found", values=[place])
        loaded = load(tables.paths, self._tell)
        images: Images = loaded.tables["record_list"]
        if "metadata" in loaded.tables:
            images = merged(images, loaded.tables["metadata"], loaded.logs["metadata"])
        columns = image_columns(images, loaded, source, log)
        listed = report_paths(images, loaded.tables.get("study_list"), loaded.logs.get("study_list"))
        loaded.give_issues(log)
        columns["report"] = text(self._reports(listed, loaded.tables, log))
        columns["language"] = text(pa.repeat(pa.scalar("en"), len(images.rows)))
        return ordered(columns, self.columns)

    def _reports(self, paths: pa.Array, read: Mapping[str, Any], log: IssueLog) -> pa.Array:
        """The report of each path, each read once; null where there is none."""
        places = self._report_places()
        source = find_reports(places, few_reports(places, read), log)
        if source is None:
            log.add("missing_report", values=["any below " + ", ".join(map(str, places)) if places else "any: no folder named"])
            return pa.nulls(len(paths), pa.large_string())
        studies = paths.dictionary_encode()
        return source.texts(studies.dictionary.to_pylist(), log, self._progress).take(studies.indices)

    def _tables(self) -> Tables:
        tables, root = Tables(), self._arguments["root"]
        tables.name("record_list", self._arguments["csv_path"], "MIMIC-CXR's record list")
        tables.name("study_list", self._arguments["report_csv_path"], "MIMIC-CXR's study list")
        tables.look(root, _OWN, "MIMIC-CXR's folder")
        if "record_list" not in tables.paths:
            raise ConfigError(
                f"Expected cxr-record-list.csv.gz below {root}; there is none. Name the table itself (csv_path) instead."
            )
        find_jpg_tables(tables, self._arguments["jpg_root"], self._arguments, "metadata_csv_path")
        return tables

    def _images_folder(self) -> Path | None:
        place = self._arguments["dicom_base_dir"] or self._arguments["root"]
        return None if place is None else find_shards(existing(place, "the folder of MIMIC-CXR's images"), ".dcm")

    def _report_places(self) -> list[Path]:
        named = (self._arguments[name] for name in ("report_dir", "root", "dicom_base_dir", "jpg_root"))
        return [existing(path, "a folder or zip of reports") for path in named if path is not None]


def _nobody(_done: int, _total: int, _what: str) -> None:
    """Told of the progress where nobody asked."""
