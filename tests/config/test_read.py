"""radharmony.toml: what it may say, and how a mistake in it is answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.config import CONFIG_VARIABLE, find_config, load_config
from radharmony_core.errors import ConfigError, MissingFileError


def written(folder: Path, text: str) -> Path:
    path = folder / "radharmony.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_paths_are_relative_to_the_file_or_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA", "/data")
    monkeypatch.setenv("HOME", "/users/me")
    text = '[ms_cxr]\ncsv_path = "a/ms.csv"\nmimic_base_dir = "$DATA/files"\nreport_dir = "~/reports"\n'
    settings = load_config(written(tmp_path, text)).datasets["ms_cxr"]
    assert settings == {
        "csv_path": tmp_path / "a/ms.csv",
        "mimic_base_dir": Path("/data/files"),
        "report_dir": Path("/users/me/reports"),
    }


MISTAKES = [
    ("not TOML", "[ms_cxr", "not readable as TOML"),
    ("backslashes", '[ms_cxr]\ncsv_path = "C:\\data\\Users"', "forward slashes"),
    ("an unknown dataset", '[chexpert]\nroot = "x"', r"ms_cxr, .*got \[chexpert\]"),
    ("a setting outside a table", 'ms_cxr = "x"', "settings below it"),
    ("an unknown setting", '[ms_cxr]\ncsv = "x"', "no setting 'csv'"),
    ("a number for a path", "[ms_cxr]\ncsv_path = 3", "path in quotes"),
    ("an empty path", '[ms_cxr]\ncsv_path = " "', "path in quotes"),
]


@pytest.mark.parametrize(("reason", "text", "words"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_a_mistake_is_answered_with_the_way_out(tmp_path: Path, reason: str, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_config(written(tmp_path, text))


def test_bytes_that_are_no_text_are_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "radharmony.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not readable"):
        load_config(path)


def test_an_empty_file_configures_nothing(tmp_path: Path) -> None:
    assert load_config(written(tmp_path, "")).datasets == {}


def test_where_the_file_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CONFIG_VARIABLE, raising=False)
    assert find_config(tmp_path) is None
    beside = written(tmp_path, "")
    assert find_config(tmp_path) == beside
    other = tmp_path / "other.toml"
    monkeypatch.setenv(CONFIG_VARIABLE, str(other))
    with pytest.raises(MissingFileError, match=r"other\.toml"):
        find_config(tmp_path)
    other.write_text("")
    assert find_config(tmp_path) == other
    with pytest.raises(MissingFileError):
        load_config(tmp_path / "gone.toml")
