"""CASIA-CXR: films with French reports and the labels of their classes, one row per record.

Source: the dataset's paper and site. No licence is stated: ask the authors. The layout stands in `casia_layout`. One exam is one
image, one patient and one report; there is no split. Nothing opens an image: sizes are the table's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pyarrow as pa

from radharmony_core.errors import ConfigError, MissingFileError, TableError
from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.casia_cxr.checks import check_all, told_apart
from radharmony_core.harmonizer.casia_cxr.columns import columns_of
from radharmony_core.harmonizer.casia_cxr.images import ImageFiles
from radharmony_core.harmonizer.casia_cxr.labels import read_labels
from radharmony_core.harmonizer.casia_cxr.layout import Layout, find_layout, list_below
from radharmony_core.harmonizer.casia_cxr.log import FileLog
from radharmony_core.harmonizer.casia_cxr.names import class_in_name
from radharmony_core.harmonizer.casia_cxr.rows import Records, joined, read_records
from radharmony_core.harmonizer.casia_cxr.states import States
from radharmony_core.paths import existing
from radharmony_core.schema import CASIA_CXR_COLUMNS, Column, IssueLog

__all__ = ["CASIACXRHarmonizer"]

Paths = str | Path | Sequence[str | Path] | None
_Tables = list[tuple[Path, str | None]]  # each with the class of its folder


class CASIACXRHarmonizer(Harmonizer):
    """``CASIACXRHarmonizer(root).harmonize()``: one row per record of the reports tables.

    ``root`` holds the classes' folders at any usual depth. What is named by hand is read instead of what lies there:
    ``csv_path`` (or ``report_csv_path``, another word for it) and ``label_csv_path``, one table or several each, and
    ``base_image_dir``. ``label_source`` and ``split_csv_path`` exist for other datasets: this one has its own labels alone, which
    ``chexpert``, the others' default, stands for as well, and no split. Raises ConfigError for another source and for a split,
    and where neither ``root`` nor a reports table is named.

    A label is 1 where the class or a labels table has it, else missing: a 0 in a labels table says that a label was not
    marked, which is not that it was looked for and absent.
    """

    kind = "casia_cxr"
    columns: ClassVar[tuple[Column, ...]] = CASIA_CXR_COLUMNS

    def __init__(
        self,
        root: str | Path | None = None,
        *,
        csv_path: Paths = None,
        base_image_dir: str | Path | None = None,
        label_csv_path: Paths = None,
        report_csv_path: Paths = None,
        label_source: str | None = None,
        split_csv_path: str | Path | None = None,
    ) -> None:
        reports = [listed for named in (csv_path, report_csv_path) if (listed := _listed(named)) is not None]
        if len(set(reports)) > 1:
            raise ConfigError("csv_path and report_csv_path both name CASIA-CXR's reports tables, and differ. Give one of them.")
        if root is None and not reports:
            raise ConfigError("Expected root, CASIA-CXR's folder, or csv_path, its reports table; got neither.")
        if label_source not in (None, "chexpert"):
            raise ConfigError(f"CASIA-CXR has its own labels alone; got label_source={label_source!r}. Leave it out.")
        if split_csv_path is not None:
            raise ConfigError("CASIA-CXR has no split, and its column stays empty; got a split_csv_path. Leave it out.")
        super().__init__(
            root=None if root is None else str(root),
            csv_path=reports[0] if reports else None,
            base_image_dir=None if base_image_dir is None else str(base_image_dir),
            label_csv_path=_listed(label_csv_path),
        )

    def inputs(self) -> list[Path]:
        """Every table, and every folder in which tables or images were looked for: what is in them decides the table."""
        said = IssueLog()
        layout = self._layout(said)
        pictures = self._pictures(layout, said)
        tables = [path for path, _ in (*self._report_tables(layout, said), *self._label_tables(layout))]
        folders = [folder for found in (layout, pictures) if found is not None for folder in (found.root, *found.folders)]
        return list(dict.fromkeys([*tables, *folders]))

    def _build(self, log: IssueLog) -> pd.DataFrame:
        layout = self._layout(log)
        pictures = self._pictures(layout, log)
        self.image_root = None if pictures is None else pictures.root
        files = ImageFiles.of([] if pictures is None else pictures.images)
        tables, parts, columns = self._report_tables(layout, log), [], []
        for done, (path, class_name) in enumerate(tables):
            self._tell(done, len(tables), "tables")
            file_log = FileLog(log, path.name)
            try:
                parts.append(read_records(path, class_name, file_log))
            except (MissingFileError, TableError) as error:  # the other classes' tables go on
                if done + 1 == len(tables) and not parts:
                    raise
                log.add("unreadable_table", values=[error])
                continue
            columns.append(pd.DataFrame(columns_of(parts[-1], files, file_log)))
        self._tell(len(tables), len(tables), "tables")
        records = joined(parts)
        table = pd.concat(columns, ignore_index=True)
        check_all(records, pa.array(table["image_path"].to_numpy(), pa.string(), from_pandas=True), files, log)
        table = table.assign(**self._labels(layout, records, log))
        table["image_id"] = told_apart(table["image_id"])
        return table[[column.name for column in self.columns]]

    def _layout(self, log: IssueLog) -> Layout | None:
        root = self._arguments["root"]
        return None if root is None else find_layout(root, log)

    def _pictures(self, layout: Layout | None, log: IssueLog) -> Layout | None:
        """Where the images are: in the folder named for them, else among the classes'."""
        base = self._arguments["base_image_dir"]
        return layout if base is None else list_below(base, log)

    def _report_tables(self, layout: Layout | None, log: IssueLog) -> _Tables:
        named = self._arguments["csv_path"]
        if named is not None or layout is None:
            return [(existing(path, "CASIA-CXR's reports table"), None) for path in json.loads(named or "[]")]
        for folder in layout.classes:
            if folder.reports is None:
                log.add("missing_table", values=[f"the reports of {folder.name}"])
        tables: _Tables = [(folder.reports, folder.name) for folder in layout.classes if folder.reports is not None]
        if not tables:
            raise ConfigError(
                f"Expected tables such as CASIA-CXR_{layout.classes[0].name}_Reports.csv in the classes' folders in "
                f"{layout.root}; there is none. Name them as csv_path."
            )
        return tables

    def _label_tables(self, layout: Layout | None) -> _Tables:
        named = self._arguments["label_csv_path"]
        if named is not None:
            paths = [existing(path, "CASIA-CXR's labels table") for path in json.loads(named)]
            return [(path, class_in_name(path.name)) for path in paths]
        classes = [] if layout is None else layout.classes
        return [(folder.labels, folder.name) for folder in classes if folder.labels is not None]

    def _labels(self, layout: Layout | None, records: Records, log: IssueLog) -> dict[str, Any]:
        """The columns of labels. A class without a labels table is an issue, and so is a table that cannot be read; tables that
        are named and of which none can be read are refused."""
        states = States(records)
        tables = self._label_tables(layout)
        named = self._arguments["label_csv_path"] is not None
        read: list[str | None] = []
        for done, (path, class_name) in enumerate(tables, start=1):
            file_log = FileLog(log, path.name)
            try:
                states.add(read_labels(path, class_name, file_log), file_log)
                read.append(class_name)
            except (MissingFileError, TableError) as error:
                if named and done == len(tables) and not read:
                    raise
                log.add("unreadable_table", values=[error])
        there = set(records.class_names) if named else {class_name for _, class_name in tables}
        without = [name for name in records.class_names if name not in there]
        log.add("missing_table", rows=[None] * len(without), values=[f"the labels of {name}" for name in without])
        states.say_missing([name for name in records.class_names if named or name in read], log)
        return states.columns()


def _listed(paths: Paths) -> str | None:
    """One path or several as the text that an argument is kept as; None for none."""
    several = [] if paths is None else [paths] if isinstance(paths, str | Path) else paths
    return json.dumps([str(path) for path in several]) if several else None
