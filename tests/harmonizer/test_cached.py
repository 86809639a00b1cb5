"""A table from the cache is the table that was harmonized, cell by cell and type by type, with its issues."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from radharmony_core.cache import TableCache
from radharmony_core.errors import MissingFileError, RadHarmonyError
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.paths import existing
from radharmony_core.schema import (
    CASIA_CXR_COLUMNS,
    MIMIC_CXR_COLUMNS,
    MS_CXR_COLUMNS,
    Column,
    IssueLog,
    array_of,
)
from tests.support import annotation, gray_image, write_table

KINDS = sorted({column.kind for columns in (MS_CXR_COLUMNS, MIMIC_CXR_COLUMNS, CASIA_CXR_COLUMNS) for column in columns})


def days(*texts: str | None) -> pd.Series[Any]:
    return pd.Series(np.array([text or "NaT" for text in texts], dtype="datetime64[ms]"))


ROWS: dict[str, dict[str, Any]] = {
    "every kind of value": {
        "text": pd.Series(["p1", "", None, "l’œdème ___"], dtype="str"),
        "integer": pd.Series([2544, 0, None, -1], dtype="Int64"),
        "flag": np.array([0, 1, 1, 0], dtype=np.int8),
        "state": pd.Series([1, 0, -1, None], dtype="Int8"),
        "datetime": days("2150-01-02T08:05:56.875", None, "2199-12-31", "2100-01-01"),
        "texts": array_of([["mild edema", "l’œdème"], [], [""], ["a"]]),
        "boxes": array_of([[[0.1, 0.2, 0.3, 0.4], [math.nan] * 4], [], [[0.0, 1.0, -0.5, 1.5]], [[1 / 3] * 4]]),
    },
    "no row": {
        "text": pd.Series([], dtype="str"),
        "integer": pd.Series([], dtype="Int64"),
        "flag": np.array([], dtype=np.int8),
        "state": pd.Series([], dtype="Int8"),
        "datetime": days(),
        "texts": array_of([]),
        "boxes": array_of([]),
    },
    "nothing known": {
        "text": pd.Series([None], dtype="str"),
        "integer": pd.Series([None], dtype="Int64"),
        "flag": np.array([0], dtype=np.int8),
        "state": pd.Series([None], dtype="Int8"),
        "datetime": days(None),
        "texts": array_of([[]]),
        "boxes": array_of([[]]),
    },
}


class MadeUp(Harmonizer):
    """One column of each kind; ``builds`` counts over all objects of it."""

    kind = "made_up"
    columns: ClassVar[tuple[Column, ...]] = tuple(Column(f"a_{kind}", kind, "made up") for kind in KINDS)
    builds: ClassVar[int] = 0
    rows: ClassVar[Mapping[str, Any]] = ROWS["every kind of value"]

    def __init__(self, path: Path, label_source: str = "chexpert") -> None:
        super().__init__(path=str(path), label_source=label_source)

    def inputs(self) -> list[Path]:
        return [existing(self._arguments["path"] or "", "the made-up table")]

    def _build(self, log: IssueLog) -> pd.DataFrame:
        MadeUp.builds += 1
        self.image_root = self.inputs()[0].parent
        self._tell(1, 1, "tables")
        log.add("path_shape", rows=[2, None], values=["x", "l’œdème"], image_paths=["p1", None])
        log.add("missing_column", column="split")
        return pd.DataFrame({f"a_{kind}": self.rows[kind] for kind in KINDS})


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(MadeUp, "builds", 0)
    path = tmp_path / "raw.csv"
    path.write_text("raw")
    return path


@pytest.fixture
def cache(tmp_path: Path) -> TableCache:
    return TableCache(tmp_path / "kept")


@pytest.mark.parametrize("reason", sorted(ROWS))
def test_warm_is_cold(raw: Path, cache: TableCache, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    monkeypatch.setattr(MadeUp, "rows", ROWS[reason])
    cold, warm = MadeUp(raw), MadeUp(raw)
    table = cold.fill_from(cache)
    again = warm.fill_from(cache)
    assert MadeUp.builds == 1
    pd.testing.assert_frame_equal(again, table, check_freq=True, check_flags=True)
    assert again.dtypes.tolist() == table.dtypes.tolist() == MadeUp(raw).harmonize().dtypes.tolist(), reason
    assert again is warm.harmonized_df
    pd.testing.assert_frame_equal(warm.issues, cold.issues)
    assert len(warm.issues) == 3
    assert warm.image_root == cold.image_root == raw.parent
    assert cold.cache_notices == warm.cache_notices == ()


def test_list_cells_are_plain_lists_of_plain_values(raw: Path, cache: TableCache) -> None:
    MadeUp(raw).fill_from(cache)
    table = MadeUp(raw).fill_from(cache)
    assert {type(cell) for name in ("a_texts", "a_boxes") for cell in table[name]} == {list}
    assert {type(number) for cell in table["a_boxes"] for box in cell for number in box} == {float}
    assert all(math.isnan(number) for number in table["a_boxes"][0][1])


CHANGES = [
    # reason, what changes on the class, builds
    ("nothing", {}, 1),
    ("the builder's version", {"version": 2}, 2),
    ("a column's kind, and the version was forgotten", {"columns": (*MadeUp.columns[:-1], Column("a_texts", "boxes", ""))}, 2),
]


@pytest.mark.parametrize(("reason", "change", "builds"), CHANGES, ids=[row[0] for row in CHANGES])
def test_other_code_builds_again(
    raw: Path, cache: TableCache, monkeypatch: pytest.MonkeyPatch, reason: str, change: dict[str, Any], builds: int
) -> None:
    MadeUp(raw).fill_from(cache)
    for name, value in change.items():
        monkeypatch.setattr(MadeUp, name, value)
    monkeypatch.setattr("radharmony_core.harmonizer.base.validate", lambda *_: [])
    MadeUp(raw).fill_from(cache)
    assert MadeUp.builds == builds, reason


def test_other_raw_files_and_arguments_build_again(raw: Path, cache: TableCache) -> None:
    MadeUp(raw).fill_from(cache)
    MadeUp(raw, "negbio").fill_from(cache)
    assert MadeUp.builds == 2
    raw.write_text("changed")
    MadeUp(raw).fill_from(cache)
    assert MadeUp.builds == 3
    MadeUp(raw).fill_from(cache)
    assert MadeUp.builds == 3


def test_raw_files_that_are_gone_are_refused_as_ever(raw: Path, cache: TableCache) -> None:
    MadeUp(raw).fill_from(cache)
    raw.unlink()
    with pytest.raises(MissingFileError, match=r"raw\.csv"):
        MadeUp(raw).fill_from(cache)


def test_harmonizing_anew_forgets_what_was_cached(raw: Path, cache: TableCache, monkeypatch: pytest.MonkeyPatch) -> None:
    MadeUp(raw).fill_from(cache)
    warm = MadeUp(raw)
    warm.fill_from(cache)
    monkeypatch.setattr(MadeUp, "_build", lambda _self, _log: pd.DataFrame({f"a_{kind}": ROWS["no row"][kind] for kind in KINDS}))
    assert len(warm.harmonize()) == 0
    assert len(warm.issues) == 0
    assert warm.image_root is None


def test_progress_is_told_and_a_cache_that_fails_is_said(raw: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    harmonizer = MadeUp(raw)
    table = harmonizer.fill_from(TableCache(tmp_path / "raw.csv"), lambda *how_far: told.append(how_far))
    assert told == [(1, 1, "tables")]
    assert len(table) == 4
    assert "not kept" in harmonizer.cache_notices[-1]
    harmonizer.fill_from(TableCache(None))
    assert harmonizer.cache_notices == ()


def test_a_cached_table_is_saved_and_loaded_like_any(raw: Path, cache: TableCache, tmp_path: Path) -> None:
    MadeUp(raw).fill_from(cache)
    warm = MadeUp(raw)
    table = warm.fill_from(cache)
    again = MadeUp.load_from_saved(warm.save(tmp_path / "t.parquet"))
    pd.testing.assert_frame_equal(again.harmonized_df, table)
    pd.testing.assert_frame_equal(again.issues, warm.issues)


def test_a_table_that_breaks_its_contract_is_not_kept(raw: Path, cache: TableCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MadeUp, "rows", {**ROWS["every kind of value"], "flag": np.array([0, 1, 2, 0])})
    with pytest.raises(RadHarmonyError, match="flag"):
        MadeUp(raw).fill_from(cache)
    assert cache.folder is not None
    assert list(cache.folder.glob("*.parquet")) == []


def test_ms_cxr_comes_from_the_cache_as_it_was_harmonized(tmp_path: Path, cache: TableCache) -> None:
    rows = [annotation(), annotation(x="left"), annotation(dicom_id="bbbb", image_width="", split="")]
    gray_image(tmp_path / "data" / "files" / "p10" / "p10000001" / "s50000001" / "aaaa.jpg")
    cold, warm = (MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows), tmp_path / "data") for _ in range(2))
    table = cold.fill_from(cache)
    pd.testing.assert_frame_equal(warm.fill_from(cache), table)
    pd.testing.assert_frame_equal(warm.issues, cold.issues)
    assert warm.image_root == cold.image_root
    pd.testing.assert_frame_equal(warm.boxes_df, cold.boxes_df)


@pytest.mark.parametrize("reason", sorted(ROWS))
def test_the_made_up_tables_have_every_kind(reason: str) -> None:
    assert sorted(ROWS[reason]) == KINDS
