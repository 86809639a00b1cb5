"""Changing the configuration by program: what a person wrote stays, and what is written is read back as it was typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.config import load_config, remove_dataset, settings_as_typed, write_dataset
from radharmony_core.errors import ConfigError, MissingFileError

BEFORE = """# my datasets
[ms_cxr]
csv_path = '~/ms.csv'  # release 1.1.0
report_dir = "reports"

[mimic_cxr]
root = "mimic"
"""

TYPED = [
    # reason, kind, settings
    ("a plain path", "casia_cxr", {"root": "casia"}),
    ("a home folder", "mimic_cxr_jpg", {"root": "~/jpg"}),
    ("a variable", "mimic_cxr_jpg", {"root": "$DATA/jpg"}),
    ("backslashes of Windows", "casia_cxr", {"root": r"C:\data\new"}),
    ("backslash and quote", "casia_cxr", {"root": "C:\\it's"}),
    ("accents", "casia_cxr", {"root": "données/été"}),
    ("double quotes", "casia_cxr", {"root": 'a "b" c'}),
    ("two settings", "mimic_cxr", {"root": "m", "report_dir": "r.zip"}),
    ("a dataset that was there", "ms_cxr", {"csv_path": "other.csv"}),
]


@pytest.mark.parametrize(("reason", "kind", "settings"), TYPED, ids=[row[0] for row in TYPED])
@pytest.mark.parametrize("before", ["", BEFORE], ids=["new file", "file with comments"])
def test_what_was_typed_is_read_back(tmp_path: Path, before: str, reason: str, kind: str, settings: dict[str, str]) -> None:
    path = tmp_path / "radharmony.toml"
    if before:
        path.write_text(before, encoding="utf-8")
    write_dataset(path, kind, settings)
    assert settings_as_typed(path, kind) == settings, reason
    assert set(load_config(path).datasets[kind]) == set(settings)


def test_comments_and_other_tables_stay(tmp_path: Path) -> None:
    path = tmp_path / "radharmony.toml"
    path.write_text(BEFORE, encoding="utf-8")
    write_dataset(path, "ms_cxr", {"csv_path": "~/ms.csv", "mimic_base_dir": "films"})
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# my datasets\n[ms_cxr]\ncsv_path = '~/ms.csv'  # release 1.1.0\n")
    assert "report_dir" not in text
    assert text.endswith('[mimic_cxr]\nroot = "mimic"\n')


def test_a_dataset_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "radharmony.toml"
    path.write_text(BEFORE, encoding="utf-8")
    remove_dataset(path, "mimic_cxr")
    assert "mimic" not in path.read_text(encoding="utf-8")
    remove_dataset(path, "casia_cxr")
    assert set(load_config(path).datasets) == {"ms_cxr"}, "one that was not there changes nothing"


REFUSED = [
    # reason, kind, settings, words
    ("an unknown dataset", "nih", {"root": "x"}, "expected the name of a dataset"),
    ("an unknown setting", "casia_cxr", {"rooot": "x"}, "no setting 'rooot'"),
    ("an empty path", "casia_cxr", {"root": "  "}, "expected a path in quotes"),
]


@pytest.mark.parametrize(("reason", "kind", "settings", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_cannot_stand_in_the_file_is_refused_unwritten(
    tmp_path: Path, reason: str, kind: str, settings: dict[str, str], words: str
) -> None:
    path = tmp_path / "radharmony.toml"
    with pytest.raises(ConfigError, match=words):
        write_dataset(path, kind, settings)
    assert not path.exists(), reason


def test_a_broken_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "radharmony.toml"
    path.write_text("[ms_cxr", encoding="utf-8")
    with pytest.raises(ConfigError, match="not readable as TOML"):
        write_dataset(path, "casia_cxr", {"root": "x"})
    with pytest.raises(ConfigError, match="not readable as TOML"):
        remove_dataset(path, "ms_cxr")
    assert path.read_text(encoding="utf-8") == "[ms_cxr"


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="gone"):
        write_dataset(tmp_path / "gone" / "radharmony.toml", "casia_cxr", {"root": "x"})


def test_nothing_is_typed_where_there_is_no_file(tmp_path: Path) -> None:
    assert settings_as_typed(tmp_path / "radharmony.toml", "ms_cxr") == {}


def test_line_ends_and_rights_stay(tmp_path: Path) -> None:
    path = tmp_path / "radharmony.toml"
    path.write_bytes(BEFORE.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    write_dataset(path, "casia_cxr", {"root": "x"})
    text = path.read_bytes()
    assert text.count(b"\r\n") >= BEFORE.count("\n")
    assert b"csv_path = '~/ms.csv'  # release 1.1.0\r\n" in text
    assert path.stat().st_mode & 0o777 == 0o640
