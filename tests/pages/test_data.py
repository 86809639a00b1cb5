"""Films and tables on their way to the screen: an error is words, what has changed on disk is read again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pages._ui import data
from radharmony_core.catalog import Catalog, load_catalog
from radharmony_core.config import Config
from tests.support import annotation, gray_image, write_table


def catalog_of(folder: Path, path: str | None) -> Catalog:
    """One image of that path, and one more so that the folder of images is found."""
    (folder / "files").mkdir(exist_ok=True)
    gray_image(folder / "files" / "other.jpg")
    rows = [annotation(path="" if path is None else path, dicom_id=""), annotation(path="other.jpg", dicom_id="other")]
    table = write_table(folder / "ms.csv", rows)
    return load_catalog(Config(folder / "c.toml", {"ms_cxr": {"csv_path": table, "mimic_base_dir": folder / "files"}}))


FAILING = [
    ("no path in the table", None, "gives no path"),
    ("no file", "gone.jpg", "no such file"),
    ("outside the dataset", "../outside.jpg", "outside"),
    ("a link out of the dataset", "link.jpg", "outside"),
    ("no image", "junk.jpg", "HTML"),
    ("an empty file", "empty.jpg", "empty"),
]


@pytest.mark.parametrize(("reason", "path", "words"), FAILING, ids=[row[0] for row in FAILING])
def test_a_film_that_cannot_be_shown_is_words(tmp_path: Path, reason: str, path: str | None, words: str) -> None:
    root = tmp_path / "files"
    root.mkdir()
    gray_image(tmp_path / "outside.jpg")
    (root / "link.jpg").symlink_to(tmp_path / "outside.jpg")
    (root / "junk.jpg").write_text("<!DOCTYPE html><html></html>")
    (root / "empty.jpg").touch()
    film = data.film_of(catalog_of(tmp_path, path), 0)
    assert film.jpeg == b""
    assert film.error
    assert words in film.error, reason


def test_without_a_folder_of_images_the_film_is_words(tmp_path: Path) -> None:
    table = write_table(tmp_path / "ms.csv", [annotation()])
    catalog = load_catalog(Config(tmp_path / "c.toml", {"ms_cxr": {"csv_path": table}}))
    assert "No folder of images" in (data.film_of(catalog, 0).error or "")


def test_a_film_made_ahead_is_the_one_that_is_shown(tmp_path: Path) -> None:
    gray_image(tmp_path / "files" / "a.jpg", 3000, 2000)
    catalog = catalog_of(tmp_path, "a.jpg")
    data.prepare_film(catalog, 0)
    assert data._ahead
    film = data._ahead.result(30)
    assert film is data.film_of(catalog, 0), "made once"
    assert (film.size, film.sent) == ((3000, 2000), (1400, 933))


def test_a_file_that_changes_is_another_version(tmp_path: Path) -> None:
    gray_image(tmp_path / "files" / "a.jpg", 48, 64)
    catalog = catalog_of(tmp_path, "a.jpg")
    before = data.film_of(catalog, 0)
    gray_image(tmp_path / "files" / "a.jpg", 60, 80)
    os.utime(tmp_path / "files" / "a.jpg", (1, 1))
    after = data.film_of(catalog, 0)
    assert (before.size, after.size) == ((48, 64), (60, 80))
    assert before.version != after.version
    (tmp_path / "files" / "a.jpg").unlink()
    assert data.film_of(catalog, 0).version not in (before.version, after.version)


def test_each_patient_has_the_own_report_even_under_one_study_number(tmp_path: Path) -> None:
    rows = []
    for patient in ("10000001", "10000002"):
        rows.append(annotation(dicom_id=f"d{patient}", patient=patient))
        gray_image(tmp_path / f"files/p10/p{patient}/s50000001/d{patient}.jpg")
        (tmp_path / f"files/p10/p{patient}/s50000001.txt").write_text(f"Report of {patient}.")
    table = write_table(tmp_path / "ms.csv", rows)
    catalog = load_catalog(Config(tmp_path / "c.toml", {"ms_cxr": {"csv_path": table, "mimic_base_dir": tmp_path}}))
    for place, patient in enumerate(("10000001", "10000002")):
        report, note = data.report_of(catalog, place)
        assert report
        assert (report.text, note) == (f"Report of {patient}.", "")
