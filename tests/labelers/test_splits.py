"""Which studies are in a split: one row an image, ids as text, and tables that are no split tables."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from radharmony_core.errors import ConfigError, MissingFileError, TableError
from radharmony_core.labelers import studies_in_split
from radharmony_core.schema import IssueLog

HEADER = "dicom_id,study_id,subject_id,split\n"
ROWS = "a,50000003,1,train\nb,50000001,1,train\nc,50000001,1,train\nd,50000002,2,test\n"

READ = [
    (HEADER + ROWS, "train", ["50000003", "50000001"], [], "each study once, in the order of the file"),
    (HEADER + ROWS, "test", ["50000002"], [], "another split"),
    ("split,study_id\n test ,000123\ntest,123\n", "test", ["000123", "123"], ["missing_column"] * 2, "text, not numbers"),
    (HEADER + "a,,1,train\nb,7,1,train\n", "train", ["7"], ["blank_id"], "a row without a study"),
    (HEADER + "a,7,1,train\nb,7,1,test\n", "test", ["7"], [], "a study of two splits is in both"),
]


@pytest.mark.parametrize(("text", "split", "studies", "codes", "reason"), READ, ids=[row[4] for row in READ])
def test_the_studies_of_a_split(tmp_path: Path, text: str, split: str, studies: list[str], codes: list[str], reason: str) -> None:
    (tmp_path / "split.csv").write_text(text, encoding="utf-8")
    log = IssueLog()
    found = studies_in_split(tmp_path / "split.csv", split, log)
    assert found.tolist() == studies, reason
    assert (found.name, found.dtype.name) == ("study_id", "str")
    assert log.frame()["code"].tolist() == codes


def test_a_packed_table_is_read_as_it_came(tmp_path: Path) -> None:
    (tmp_path / "split.csv.gz").write_bytes(gzip.compress((HEADER + ROWS).encode()))
    assert studies_in_split(tmp_path / "split.csv.gz", "test", IssueLog()).tolist() == ["50000002"]


REFUSED = [
    (HEADER + ROWS, "validate", ConfigError, "it has 'test', 'train'", "no such split"),
    (HEADER, "train", ConfigError, "it has no row", "no image"),
    ("dicom_id,study_id\na,7\n", "train", TableError, "a column split", "no split at all"),
    ("dicom_id,split\na,train\n", "train", TableError, "a column study_id", "no study"),
    ("x,y\n1,2\n", "train", TableError, "Is it the right file", "another table"),
]


@pytest.mark.parametrize(("text", "split", "error", "words", "reason"), REFUSED, ids=[row[4] for row in REFUSED])
def test_what_cannot_be_answered_is_refused(
    tmp_path: Path, text: str, split: str, error: type[Exception], words: str, reason: str
) -> None:
    (tmp_path / "split.csv").write_text(text, encoding="utf-8")
    with pytest.raises(error, match=words):
        studies_in_split(tmp_path / "split.csv", split, IssueLog())


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"gone\.csv"):
        studies_in_split(tmp_path / "gone.csv", "train", IssueLog())
