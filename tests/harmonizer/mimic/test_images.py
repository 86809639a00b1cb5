"""One row an image, whatever the ids look like: nothing is merged that is two, and nothing vanishes in silence."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from radharmony_core.harmonizer import MIMICCXRJPGHarmonizer
from tests.harmonizer.mimic.made import cells, film, labels, made, write

IMAGES = [
    # reason, rows of the metadata, (image, study, patient) of each row of the table, issues by code and row
    ("no rows", [], [], [("no_rows", None)]),
    ("two", [film("d1"), film("d2")], [("d1", "50000001", "10000001"), ("d2", "50000001", "10000001")], []),
    (
        "000123 is not 123",
        [film("d1", "000123", "00012345"), film("d2", "123", "12345")],
        [("d1", "000123", "00012345"), ("d2", "123", "12345")],
        [("path_shape", 2), ("path_shape", 3)],
    ),
    ("blanks around ids", [film(" d1", "50000001 ", " 10000001")], [("d1", "50000001", "10000001")], []),
    (
        "ids by way of numbers",
        [film("d1", "50000001.0", "10000001.0"), film("d2", "50000001.0", "10000001")],
        [("d1", "50000001", "10000001"), ("d2", "50000001", "10000001")],
        [("id_as_number", 2), ("id_as_number", 2)],
    ),
    ("and in French", [film("d1", "50000001,0")], [("d1", "50000001", "10000001")], [("id_as_number", 2)]),
    ("an image whose name holds a dot", [film("1.0")], [("1.0", "50000001", "10000001")], []),
    (
        "a blank image",
        [film(""), film("d2"), film(" ")],
        [(None, "50000001", "10000001"), ("d2", "50000001", "10000001"), (None, "50000001", "10000001")],
        [("blank_id", 2), ("blank_id", 4)],
    ),
    ("a blank study", [film("d1", "")], [("d1", None, "10000001")], [("blank_id", 2)]),
    ("a blank patient", [film("d1", subject_id="")], [("d1", "50000001", None)], [("blank_id", 2)]),
    ("the same row twice", [film(), film()], [("d1", "50000001", "10000001")], [("duplicate_image", 3)]),
    ("another row of the image", [film(), film(ViewPosition="AP")], [("d1", "50000001", "10000001")], [("image_conflict", 3)]),
    (
        "an image in two studies",
        [film(), film("d2"), film("d1", "50000002")],
        [("d1", "50000001", "10000001"), ("d2", "50000001", "10000001")],
        [("image_conflict", 4)],
    ),
    ("ids of another kind", [film("d/1", "s5", "p1")], [("d/1", "s5", "p1")], [("path_shape", 2)]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "rows", "images", "issues"), IMAGES, ids=[row[0] for row in IMAGES])
def test_images(
    tmp_path: Path,
    reason: str,
    rows: list[dict[str, object]],
    images: list[tuple[str | None, str | None, str | None]],
    issues: list[tuple[str, int | None]],
) -> None:
    harmonizer = MIMICCXRJPGHarmonizer(csv_path=write(tmp_path, "metadata", rows))
    table = harmonizer.harmonize()
    found = list(zip(cells(table, "dicom_id"), cells(table, "study_id"), cells(table, "patient_id"), strict=True))
    assert found == images, reason
    said = harmonizer.issues.query("code != 'missing_table'")
    numbers = said["row"].astype(object).where(said["row"].notna(), None)
    assert sorted(zip(said["code"], numbers, strict=True)) == sorted(issues), reason
    assert table["image_path"].isna().tolist() == [not all(each) for each in images], "a path needs all three"


def test_images_without_a_study_have_no_labels_and_no_neighbours(tmp_path: Path) -> None:
    films = [film("d1", ""), film("d2", ""), film("d3")]
    table = MIMICCXRJPGHarmonizer(made(tmp_path, films, chexpert=[labels("", edema="1"), labels(edema="0")])).harmonize()
    assert cells(table, "edema") == [None, None, 0], "a row without a study is nobody's"


def test_many_problems_stay_cheap_until_they_are_asked_for(tmp_path: Path) -> None:
    films = [film(f"d{number}", Rows="x", StudyDate="") for number in range(3000)]
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, films, splits=[]))
    assert len(harmonizer.harmonize()) == 3000
    counts = harmonizer.issues["code"].value_counts()
    assert (counts["bad_size"], counts["bad_datetime"], counts["missing_split"]) == (3000, 3000, 3000)


def test_the_table_is_saved_with_its_issues_and_comes_back(tmp_path: Path) -> None:
    (tmp_path / "files" / "p10").mkdir(parents=True)
    harmonizer = MIMICCXRJPGHarmonizer(made(tmp_path, [film(), film("d2", Rows="")]), label_csv_path=[])
    saved = harmonizer.save(tmp_path / "jpg.parquet")
    again = MIMICCXRJPGHarmonizer.load_from_saved(saved)
    pd.testing.assert_frame_equal(again.harmonized_df, harmonizer.harmonized_df)
    pd.testing.assert_frame_equal(again.issues, harmonizer.issues)
    assert again.image_root == harmonizer.image_root == tmp_path / "files"
    assert again.inputs() == harmonizer.inputs(), "it knows its files again"
