"""MIMIC-CXR-JPG: chest films as JPGs, with labels that two programs read out of their reports.

Format: https://physionet.org/content/mimic-cxr-jpg/2.1.0/. The table is built from the tables alone: no image is opened, and
few folders are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pandas as pd

from radharmony_core.errors import ConfigError
from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.mimic.columns import image_columns, ordered
from radharmony_core.harmonizer.mimic.files import LABEL_SOURCES, LABELERS, Tables, as_arguments, checked_source, find_jpg_tables
from radharmony_core.harmonizer.mimic.reading import load
from radharmony_core.paths import existing, find_shards
from radharmony_core.schema import MIMIC_CXR_JPG_COLUMNS, Column, IssueLog

__all__ = ["MIMICCXRJPGHarmonizer"]


class MIMICCXRJPGHarmonizer(Harmonizer):
    """``MIMICCXRJPGHarmonizer(root).harmonize()``: 377,110 rows on the published tables, one an image.

    ``root`` is the dataset's folder at any usual depth; each path beside it names a table or the images' folder, and goes
    before what is found there. ``csv_path`` is the metadata, which has to be there; what the other tables hold is missing
    without them. ``label_source`` is ``chexpert``, ``negbio``, ``agreed`` (where both say the same) or ``test_set``.
    ``label_csv_path`` is one label file or several, told apart by their names. Raises ConfigError for too few of them.
    """

    kind = "mimic_cxr_jpg"
    version = 2
    columns: ClassVar[tuple[Column, ...]] = MIMIC_CXR_JPG_COLUMNS

    def __init__(
        self,
        root: str | Path | None = None,
        *,
        csv_path: str | Path | None = None,
        base_image_dir: str | Path | None = None,
        label_csv_path: str | Path | Sequence[str | Path] | None = None,
        split_csv_path: str | Path | None = None,
        label_source: str = "chexpert",
    ) -> None:
        if root is None and csv_path is None:
            raise ConfigError("Expected root, MIMIC-CXR-JPG's folder, or csv_path, its metadata table; got neither.")
        paths = as_arguments(
            root=root,
            csv_path=csv_path,
            base_image_dir=base_image_dir,
            label_csv_path=label_csv_path,
            split_csv_path=split_csv_path,
        )
        super().__init__(**paths, label_source=checked_source(label_source))

    def inputs(self) -> list[Path]:
        """Every table that is read, and the images' folder where there is one."""
        root = self._images_folder()
        return [*self._tables().paths.values(), *([] if root is None else [root])]

    def _build(self, log: IssueLog) -> pd.DataFrame:
        source = self._arguments["label_source"] or ""
        tables = self._tables()
        tables.say(dict.fromkeys(("metadata", "split", *LABEL_SOURCES[source], *LABELERS)), log)
        self.image_root = self._images_folder()
        if self.image_root is None and (place := self._arguments["base_image_dir"] or self._arguments["root"]):
            log.add("tree_not_found", values=[place])
        loaded = load(tables.paths, self._tell)
        columns = image_columns(loaded.tables["metadata"], loaded, source, log)
        loaded.give_issues(log)
        return ordered(columns, self.columns)

    def _tables(self) -> Tables:
        tables, root = Tables(), self._arguments["root"]
        find_jpg_tables(tables, root, self._arguments, "csv_path")
        if "metadata" not in tables.paths:
            raise ConfigError(
                f"Expected mimic-cxr-2.0.0-metadata.csv.gz below {root}; there is none. Name the table itself (csv_path) instead."
            )
        return tables

    def _images_folder(self) -> Path | None:
        place = self._arguments["base_image_dir"] or self._arguments["root"]
        return None if place is None else find_shards(existing(place, "the folder of MIMIC-CXR-JPG's images"), ".jpg")
