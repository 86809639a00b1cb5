"""Films on their way to the screen: an error is words, what has changed on disk is read again, a look is what it says."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pages._ui import films
from pages._ui.look import Look
from radharmony_core.catalog import Catalog, load_catalog
from radharmony_core.config import Config
from radharmony_core.images import read_image
from tests.catalog.mimic import write_jpg_tables, write_mimic_tables
from tests.images.make import dicom
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
    film = films.film_of(catalog_of(tmp_path, path), 0)
    assert film.jpeg == b""
    assert film.error
    assert words in film.error, reason


def test_without_a_folder_of_images_the_film_is_words(tmp_path: Path) -> None:
    table = write_table(tmp_path / "ms.csv", [annotation()])
    catalog = load_catalog(Config(tmp_path / "c.toml", {"ms_cxr": {"csv_path": table}}))
    assert "No folder of images" in (films.film_of(catalog, 0).error or "")


def test_a_film_made_ahead_is_the_one_that_is_shown(tmp_path: Path) -> None:
    gray_image(tmp_path / "files" / "a.jpg", 3000, 2000)
    catalog = catalog_of(tmp_path, "a.jpg")
    films.prepare_film(catalog, 0, Look())
    assert films._ahead
    film = films._ahead.result(30)
    assert film.jpeg is films.film_of(catalog, 0).jpeg, "made once"
    assert (film.size, film.sent) == ((3000, 2000), (1400, 933))


def test_a_file_that_changes_is_another_version(tmp_path: Path) -> None:
    gray_image(tmp_path / "files" / "a.jpg", 48, 64)
    catalog = catalog_of(tmp_path, "a.jpg")
    before = films.film_of(catalog, 0)
    gray_image(tmp_path / "files" / "a.jpg", 60, 80)
    os.utime(tmp_path / "files" / "a.jpg", (1, 1))
    after = films.film_of(catalog, 0)
    assert (before.size, after.size) == ((48, 64), (60, 80))
    assert before.version != after.version
    (tmp_path / "files" / "a.jpg").unlink()
    assert films.film_of(catalog, 0).version not in (before.version, after.version)


RAMP = np.arange(64 * 48, dtype=np.uint16).reshape(64, 48)  # values 0 to 3071


def ramp_film(folder: Path, **tags: Any) -> Catalog:
    (folder / "files").mkdir(exist_ok=True)
    dicom(
        folder / "files" / "a.dcm",
        RAMP,
        BitsStored=12,
        HighBit=11,
        WindowCenter=["1000", "2000"],
        WindowWidth=["1000", "500"],
        **tags,
    )
    return catalog_of(folder, "a.dcm")


def opened(jpeg: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(jpeg))).astype(int)


LOOKS = [
    # reason, look, what read_image is asked for
    ("the file's first window", Look(), {}),
    ("the file's second window", Look("window2"), {"window": "window2"}),
    ("all values", Look("full"), {"window": "full"}),
    ("inverted", Look(invert=True), {"invert": True}),
    ("local contrast", Look("full", local_contrast=True), {"window": "full", "local_contrast": True}),
    ("the look of the JPG release", Look("mimic_cxr_jpg"), {"window": "mimic_cxr_jpg"}),
]


@pytest.mark.parametrize(("reason", "look", "asked"), LOOKS, ids=[row[0] for row in LOOKS])
def test_a_look_is_what_the_core_makes_of_it(tmp_path: Path, reason: str, look: Look, asked: dict[str, object]) -> None:
    film = films.film_of(ramp_film(tmp_path), 0, look)
    expected = read_image(tmp_path / "files" / "a.dcm", **asked).pixels.astype(int)  # type: ignore[arg-type]
    assert film.error is None
    assert np.abs(opened(film.jpeg) - expected).mean() < 3, reason
    assert film.look == look


def test_a_window_set_by_hand_and_its_table(tmp_path: Path) -> None:
    film = films.film_of(ramp_film(tmp_path), 0, Look("1500.5,2"))
    table = np.frombuffer(film.lut, np.uint8)
    # PS3.3 C.11.2.1.2.1 with center 1500.5 and width 2: 0 up to 1499.5, 255 above 1500.5, half way between.
    assert [int(table[value]) for value in (1499, 1500, 1501)] == [0, 128, 255]
    assert film.reach == (0, 3071)


def test_what_a_film_does_not_offer_is_said_and_the_default_shown(tmp_path: Path) -> None:
    catalog = ramp_film(tmp_path)
    film = films.film_of(catalog, 0, Look("window9", invert=True))
    assert film.look == Look(invert=True)
    assert "window9" in film.notices[0]
    assert film.jpeg == films.film_of(catalog, 0, Look(invert=True)).jpeg


def test_native_codes_are_the_files_own_values(tmp_path: Path) -> None:
    catalog = ramp_film(tmp_path, RescaleSlope="2", RescaleIntercept="-10", PixelPaddingValue=0)
    codes = films.codes_of(catalog, 0, Look(), native=True)
    assert codes
    assert (codes.width, codes.height, codes.itemsize, codes.is_shown) == (48, 64, 2, False)
    units = np.frombuffer(codes.units, "<f4")
    values = units[np.frombuffer(codes.data, "<u2")]
    assert np.isnan(values[0]), "padding"
    assert (values[1:] == RAMP.ravel()[1:] * 2.0 - 10).all()


def test_codes_for_the_screen_are_reduced_and_no_film_has_none(tmp_path: Path) -> None:
    gray_image(tmp_path / "files" / "a.jpg", 3000, 2000)
    catalog = catalog_of(tmp_path, "a.jpg")
    codes = films.codes_of(catalog, 0, Look(), native=False)
    assert codes
    assert (codes.width, codes.height, codes.itemsize, len(codes.data)) == (1400, 933, 1, 1400 * 933)
    (tmp_path / "files" / "a.jpg").unlink()
    assert films.codes_of(catalog, 0, Look(), native=False) is None


def test_with_local_contrast_native_pixels_are_those_shown(tmp_path: Path) -> None:
    codes = films.codes_of(ramp_film(tmp_path), 0, Look(local_contrast=True), native=True)
    assert codes
    assert codes.is_shown
    shown = read_image(tmp_path / "files" / "a.dcm", local_contrast=True).pixels
    assert (np.frombuffer(codes.data, np.uint8) == shown.ravel()).all()


def test_a_window_keeps_all_its_digits_and_its_function(tmp_path: Path) -> None:
    film = films.film_of(ramp_film(tmp_path, RescaleIntercept="123456789"), 0, Look("123458789,300,SIGMOID"))
    assert film.window
    assert (film.window.center, film.window.width, film.window.function) == (123458789, 300, "SIGMOID")


def both_files(folder: Path) -> tuple[Catalog, Path, Path]:
    """A film as JPG and as DICOM, in two datasets, and its two files."""
    jpg = write_jpg_tables(folder / "jpg") / "files/p10/p10000001/s50000001/aaaa.jpg"
    image = write_mimic_tables(folder / "dicom") / "files/p10/p10000001/s50000001/aaaa.dcm"
    image.parent.mkdir(parents=True, exist_ok=True)
    dicom(image, RAMP, BitsStored=12)
    gray_image(jpg)
    settings = {"mimic_cxr_jpg": {"root": folder / "jpg"}, "mimic_cxr": {"root": folder / "dicom"}}
    return load_catalog(Config(folder / "c.toml", settings)), jpg, image


FILES = (("mimic_cxr_jpg", "JPG of MIMIC-CXR-JPG"), ("mimic_cxr", "DICOM of MIMIC-CXR"))


def test_a_film_of_two_files_can_be_shown_from_either(tmp_path: Path) -> None:
    catalog, _, _ = both_files(tmp_path)
    place = catalog.place_of("aaaa")
    assert place is not None
    first, second = films.film_of(catalog, place), films.film_of(catalog, place, Look(file="mimic_cxr"))
    assert first.files == second.files == FILES
    assert first.reach[1] <= 255, "the JPG's gray levels"
    assert second.reach == (0, 3071), "the DICOM's values"


@pytest.mark.parametrize("broken", ["jpg", "dcm"])
def test_a_broken_file_leaves_the_way_to_the_sound_one(tmp_path: Path, broken: str) -> None:
    catalog, jpg, image = both_files(tmp_path)
    (jpg if broken == "jpg" else image).write_text("<html>")
    place = catalog.place_of("aaaa")
    assert place is not None
    film = films.film_of(catalog, place, Look(file="mimic_cxr" if broken == "dcm" else ""))
    assert film.error
    assert film.files == FILES
    assert "offers the other" in film.error
    assert films.film_of(catalog, place, Look(file="" if broken == "dcm" else "mimic_cxr")).error is None


def test_a_dataset_that_has_no_such_file_is_said(tmp_path: Path) -> None:
    catalog, _, _ = both_files(tmp_path)
    place = catalog.place_of("aaaa")
    assert place is not None
    film = films.film_of(catalog, place, Look("full", file="casia_cxr"))
    assert film.look == Look("full")
    assert "casia_cxr" in film.notices[0]
