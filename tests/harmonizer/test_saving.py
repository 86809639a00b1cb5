"""A saved table comes back as it was, with its issues; anything else is refused in words, a pickle above all."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from radharmony_core import cache
from radharmony_core.errors import MissingFileError, PickleRefusedError, SavedTableError
from radharmony_core.harmonizer import HARMONIZERS, MSCXRHarmonizer
from radharmony_core.harmonizer.base import Harmonizer
from tests.support import annotation, gray_image, write_table


@pytest.fixture
def harmonizer(tmp_path: Path) -> MSCXRHarmonizer:
    rows = [annotation(), annotation(x="left"), annotation(dicom_id="bbbb", image_width="", split="")]
    return MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows))


def test_table_and_issues_come_back_without_the_raw_files(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    table, issues = harmonizer.harmonize(), harmonizer.issues
    saved = harmonizer.save(tmp_path / "t.parquet")
    (tmp_path / "ms.csv").unlink()
    again = MSCXRHarmonizer.load_from_saved(saved)
    pd.testing.assert_frame_equal(again.harmonized_df, table)
    pd.testing.assert_frame_equal(again.issues, issues)
    assert type(again.harmonized_df["bbox"].iloc[0][0]) is list, "plain lists, not arrays"


UNPLACED = [
    # reason, rows of the table
    ("no box can be placed", [annotation(x="left"), annotation(image_width="")]),
    ("one image's cannot", [annotation(x="left"), annotation(dicom_id="bbbb")]),
    ("one of an image's cannot", [annotation(x="left"), annotation()]),
    ("all can", [annotation()]),
    ("no row", []),
]


@pytest.mark.parametrize(("reason", "rows"), UNPLACED, ids=[row[0] for row in UNPLACED])
def test_boxes_that_cannot_be_placed_come_back_as_nan(tmp_path: Path, reason: str, rows: list[dict[str, object]]) -> None:
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows))
    again = MSCXRHarmonizer.load_from_saved(harmonizer.save(tmp_path / "t.parquet"))
    pd.testing.assert_frame_equal(again.harmonized_df, harmonizer.harmonized_df)
    numbers = [number for cell in again.harmonized_df["bbox"] for box in cell for number in box]
    assert set(map(type, numbers)) <= {float}, reason


@pytest.mark.parametrize("given", [True, False])
def test_the_folder_of_images_is_kept(tmp_path: Path, given: bool) -> None:
    gray_image(tmp_path / "data" / "files" / "p10" / "p10000001" / "s50000001" / "aaaa.jpg")
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", [annotation()]), tmp_path / "data" if given else None)
    saved = harmonizer.save(tmp_path / "t.parquet")
    assert MSCXRHarmonizer.load_from_saved(saved).image_root == (tmp_path / "data" / "files" if given else None)


def test_an_empty_table_is_saved_and_loaded(tmp_path: Path) -> None:
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", []))
    again = MSCXRHarmonizer.load_from_saved(harmonizer.save(tmp_path / "t.parquet"))
    assert again.harmonized_df.shape == (0, 17)
    assert again.issues.empty


def test_nothing_but_the_table_is_left_in_the_folder(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    harmonizer.save(folder / "t.parquet")
    harmonizer.save(folder / "t.parquet")
    assert [path.name for path in folder.iterdir()] == ["t.parquet"]


class _Trap:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("opened",)


def test_a_pickle_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.pkl").write_bytes(pickle.dumps(_Trap()))
    with pytest.raises(PickleRefusedError, match="allow_pickle=True"):
        MSCXRHarmonizer.load_from_saved("t.pkl")
    assert not Path("opened").exists(), "nothing in it has run"


def test_a_pickle_is_read_on_an_explicit_word(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    harmonizer.harmonized_df.to_pickle(tmp_path / "t.pkl")
    again = MSCXRHarmonizer.load_from_saved(tmp_path / "t.pkl", allow_pickle=True)
    assert again.harmonized_df.shape == (2, 17)


def test_a_pickle_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.pkl").write_bytes(pickle.dumps([1, 2]))
    with pytest.raises(SavedTableError, match="list"):
        MSCXRHarmonizer.load_from_saved(tmp_path / "t.pkl", allow_pickle=True)


def plain_parquet() -> pa.Table:
    return pa.table({"a": [1]})


def test_a_damaged_pickle_and_odd_paths_are_refused_in_words(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    (tmp_path / "t.pkl").write_bytes(b"\x80\x04damaged")
    with pytest.raises(SavedTableError, match="cannot be read"):
        MSCXRHarmonizer.load_from_saved(tmp_path / "t.pkl", allow_pickle=True)
    for path in ("~nobody-of-that-name/t.parquet", "a\0.parquet"):
        with pytest.raises(MissingFileError):
            MSCXRHarmonizer.load_from_saved(path)
        with pytest.raises(MissingFileError):
            harmonizer.save(path)


def test_what_is_no_saved_harmonizer_is_refused(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    with pytest.raises(MissingFileError, match=r"t\.parquet"):
        MSCXRHarmonizer.load_from_saved(tmp_path / "t.parquet")
    pq.write_table(plain_parquet(), tmp_path / "other.parquet")
    with pytest.raises(SavedTableError, match="another file"):
        MSCXRHarmonizer.load_from_saved(tmp_path / "other.parquet")
    saved = harmonizer.save(tmp_path / "t.parquet")
    saved.write_bytes(saved.read_bytes()[:-40])
    with pytest.raises(SavedTableError, match="damaged"):
        MSCXRHarmonizer.load_from_saved(saved)


def test_another_version_is_refused(tmp_path: Path, harmonizer: MSCXRHarmonizer, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = harmonizer.save(tmp_path / "t.parquet")
    monkeypatch.setattr(MSCXRHarmonizer, "version", 999)
    with pytest.raises(SavedTableError, match="999"):
        MSCXRHarmonizer.load_from_saved(saved)


def test_another_schema_is_refused(tmp_path: Path, harmonizer: MSCXRHarmonizer, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = harmonizer.save(tmp_path / "t.parquet")
    monkeypatch.setattr("radharmony_core.harmonizer.base.SCHEMA_VERSION", 1)
    with pytest.raises(SavedTableError, match="'schema_version': 1"):
        MSCXRHarmonizer.load_from_saved(saved)


def test_another_class_is_refused(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    class Other(MSCXRHarmonizer):
        pass

    with pytest.raises(SavedTableError, match="'Other'"):
        Other.load_from_saved(harmonizer.save(tmp_path / "t.parquet"))


def test_other_columns_are_refused(tmp_path: Path, harmonizer: MSCXRHarmonizer, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = harmonizer.save(tmp_path / "t.parquet")
    monkeypatch.setattr(MSCXRHarmonizer, "columns", MSCXRHarmonizer.columns[:-1])
    with pytest.raises(SavedTableError, match="Expected the columns"):
        MSCXRHarmonizer.load_from_saved(saved)


def test_a_table_with_a_checksum_that_is_no_harmonizer_is_refused(tmp_path: Path) -> None:
    cache.write_table(plain_parquet(), tmp_path / "t.parquet")
    with pytest.raises(SavedTableError, match="not a saved harmonizer"):
        MSCXRHarmonizer.load_from_saved(tmp_path / "t.parquet")


def test_a_table_that_was_changed_for_the_worse_is_not_saved(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    harmonizer.harmonized_df["edema"] = 2
    with pytest.raises(SavedTableError, match="flag"):
        harmonizer.save(tmp_path / "t.parquet")
    assert not (tmp_path / "t.parquet").exists()


def test_other_tools_read_what_is_saved(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    saved = harmonizer.save(tmp_path / "t.parquet")
    table = pq.read_table(saved)
    assert table.column("patient_id").to_pylist() == harmonizer.harmonized_df["patient_id"].tolist()
    assert all(value.isascii() for value in table.schema.metadata.values()), "metadata that a reader may take for text"


def test_very_many_issues_take_little_room_and_come_back(tmp_path: Path) -> None:
    count = 100_000
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", [annotation()]))
    harmonizer.harmonize()
    harmonizer._log.add("path_shape", rows=range(count), values=[f"p10/p1/s1/{number}.jpg" for number in range(count)])
    saved = harmonizer.save(tmp_path / "t.parquet")
    assert saved.stat().st_size / count < 30, "bytes an issue; its sentence alone has 80"
    pd.testing.assert_frame_equal(MSCXRHarmonizer.load_from_saved(saved).issues, harmonizer.issues)


@pytest.mark.parametrize("name", ["t.pkl", "t.csv", "t.json", "t.xlsx", "t.CSV", "t.feather", "t.parquet.gz", "t.pq", "t.v2"])
def test_a_name_that_promises_another_format_is_refused(tmp_path: Path, harmonizer: MSCXRHarmonizer, name: str) -> None:
    with pytest.raises(SavedTableError, match=r"Call it t\.parquet\.$"):
        harmonizer.save(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["ms.csv"]


@pytest.mark.parametrize("name", ["t.parquet", "t.PARQUET", "t"])
def test_a_name_of_its_own_format_or_none_is_kept(tmp_path: Path, harmonizer: MSCXRHarmonizer, name: str) -> None:
    assert harmonizer.save(tmp_path / name) == tmp_path / name
    assert len(MSCXRHarmonizer.load_from_saved(tmp_path / name).harmonized_df) == 2


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, harmonizer: MSCXRHarmonizer) -> None:
    with pytest.raises(MissingFileError, match="nowhere"):
        harmonizer.save(tmp_path / "nowhere" / "t.parquet")


@pytest.mark.parametrize("kind", sorted(HARMONIZERS))
def test_every_registered_harmonizer_keeps_the_contract(kind: str) -> None:
    harmonizer = HARMONIZERS[kind]
    assert issubclass(harmonizer, Harmonizer)
    assert harmonizer.kind == kind
    assert [column.name for column in harmonizer.columns][:3] == ["patient_id", "study_id", "image_path"]
    assert len({column.name for column in harmonizer.columns}) == len(harmonizer.columns)
    assert all(column.meaning for column in harmonizer.columns)
    assert np.all([harmonizer.version >= 1])
