"""The files of a whole catalog: the same as the catalog gives one by one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from radharmony_core.catalog import Catalog, load_catalog
from radharmony_core.config import load_config
from radharmony_core.demo import write_demo
from radharmony_core.errors import RadHarmonyError
from radharmony_core.thumbnails import film_files
from tests.support import annotation, gray_image, write_table


def one_by_one(catalog: Catalog) -> dict[int, Path]:
    found = {}
    for place in range(len(catalog.images)):
        try:
            found[place] = catalog.image_file(place)
        except RadHarmonyError:
            continue
    return found


def test_all_datasets_of_the_demo(tmp_path: Path) -> None:
    catalog = load_catalog(load_config(write_demo(tmp_path / "demo", images=8)))
    expected = one_by_one(catalog)
    found = film_files(catalog)
    assert len(expected) >= 8
    assert found.files == list(dict.fromkeys(expected.values()))
    assert found.missing == [place for place in range(len(catalog.images)) if place not in expected]
    for status in catalog.datasets:
        has = [place for place in range(len(catalog.images)) if catalog.images[status.kind].iloc[place]]
        only = film_files(catalog, status.kind)
        assert only.files == list(dict.fromkeys(expected[place] for place in has if place in expected)), status.kind
        assert only.missing == [place for place in has if place not in expected]


@pytest.mark.skipif(os.name != "posix", reason="links need no rights here only on POSIX")
def test_links_other_names_and_what_leads_out(tmp_path: Path) -> None:
    """Pages ask with the path that the catalog gives, so that it must be that one to the letter."""
    root = tmp_path / "data"
    names = ["whole", "linked", "OTHER_CASE", "png", "outside", "gone", "folder"]
    rows = [annotation(dicom_id=name, study=f"5000000{number}") for number, name in enumerate(names)]
    paths = {name: root / str(row["path"]) for name, row in zip(names, rows, strict=True)}
    gray_image(paths["whole"])
    gray_image(tmp_path / "elsewhere.jpg")
    gray_image(root / "files" / "real" / "film.jpg")
    gray_image(root / "files" / "real folder" / "folder.jpg")
    gray_image(paths["OTHER_CASE"].with_name("other_case.JPG"))
    gray_image(paths["png"].with_suffix(".png"))
    for name, target in [("linked", root / "files" / "real" / "film.jpg"), ("outside", tmp_path / "elsewhere.jpg")]:
        paths[name].parent.mkdir(parents=True)
        paths[name].symlink_to(target)
    paths["folder"].parent.symlink_to(root / "files" / "real folder")
    write_table(root / "ms.csv", rows)
    (tmp_path / "link to data").symlink_to(root)
    config = tmp_path / "radharmony.toml"
    config.write_text('[ms_cxr]\ncsv_path = "data/ms.csv"\nmimic_base_dir = "link to data"\n', encoding="utf-8")
    catalog = load_catalog(load_config(config))
    expected = one_by_one(catalog)
    found = film_files(catalog)
    assert found.files == list(expected.values())
    assert {path.name for path in found.files} == {"whole.jpg", "film.jpg", "other_case.JPG", "png.png", "folder.jpg"}
    assert [catalog.images["image_id"].iloc[place] for place in found.missing] == ["outside", "gone"]


def test_a_catalog_without_films(tmp_path: Path) -> None:
    write_table(tmp_path / "ms.csv", [annotation()])
    config = tmp_path / "radharmony.toml"
    config.write_text('[ms_cxr]\ncsv_path = "ms.csv"\n', encoding="utf-8")
    found = film_files(load_catalog(load_config(config)))
    assert (found.files, found.missing) == ([], [0])
