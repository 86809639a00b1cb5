"""The catalog: ids that are unique, issues at their boxes, files that are missing by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.catalog import Catalog, load_catalog
from radharmony_core.config import Config
from radharmony_core.errors import ConfigError, MissingFileError
from tests.support import annotation, gray_image, write_table


def catalog_of(folder: Path, *rows: dict[str, object], **settings: Path) -> Catalog:
    table = write_table(folder / "MS_CXR_Local_Alignment_v1.1.0.csv", rows or [annotation()])
    return load_catalog(Config(folder / "radharmony.toml", {"ms_cxr": settings or {"csv_path": table}}))


def image_root(catalog: Catalog) -> Path | None:
    status = catalog.status("ms_cxr")
    assert status is not None
    return status.image_root


def report_root(catalog: Catalog) -> Path | None:
    return None if catalog.reports is None else catalog.reports.inputs()[0]


def test_images_phrases_and_boxes_are_three_numbers(tmp_path: Path) -> None:
    rows = [
        annotation(label_text="bilateral", x=0),
        annotation(label_text="bilateral", x=9),
        annotation(label_text="another"),
        annotation(dicom_id="bbbb", label_text="bilateral"),
    ]
    catalog = catalog_of(tmp_path, *rows)
    assert len(catalog.images) == 2
    assert catalog.boxes["phrase_id"].nunique() == 3, "the same words on another image are another phrase"
    assert catalog.boxes["box_id"].tolist() == ["aaaa#1", "aaaa#2", "aaaa#3", "bbbb#1"]
    assert catalog.images["boxes"].tolist() == [3, 1]


def test_two_files_of_one_name_are_two_images(tmp_path: Path) -> None:
    rows = [annotation(), annotation(patient="10000002", study="50000002")]
    catalog = catalog_of(tmp_path, *rows)
    ids = catalog.images["image_id"].tolist()
    assert len(set(ids)) == 2
    assert [catalog.place_of(name) for name in ids] == [0, 1]
    assert catalog.place_of("nobody") is None


def test_a_boxs_issues_are_its_own(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, annotation(), annotation(w=0, label_text=""))
    assert catalog.boxes["codes"].tolist() == [(), ("empty_phrase", "box_without_area")]


def test_missing_images_and_reports_are_named(tmp_path: Path) -> None:
    gray_image(tmp_path / "files/p10/p10000001/s50000001/aaaa.jpg")
    (tmp_path / "files/p10/p10000001/s50000001.txt").write_text("Edema.")
    rows = [annotation(), annotation(dicom_id="bbbb"), annotation(dicom_id="cccc", patient="10000002", study="50000002")]
    catalog = catalog_of(tmp_path, *rows, root=tmp_path)
    found = catalog.issues[["code", "value"]].values.tolist()
    assert ["missing_image", "p10/p10000001/s50000001/bbbb.jpg"] in found
    assert ["missing_image", "p10/p10000002/s50000002/cccc.jpg"] in found
    assert ["missing_report", "p10/p10000002/s50000002.txt"] in found
    assert len(found) == 3
    assert len(catalog.images) == 3, "a missing file takes no row away"
    assert image_root(catalog) == report_root(catalog) == tmp_path / "files"


def test_reports_may_lie_in_a_tree_of_their_own(tmp_path: Path) -> None:
    report = tmp_path / "mimic-cxr" / "2.1.0" / "files" / "p10" / "p10000001" / "s50000001.txt"
    report.parent.mkdir(parents=True)
    report.write_text("Edema.")
    table = write_table(tmp_path / "ms.csv", [annotation()])
    config = Config(tmp_path / "radharmony.toml", {"ms_cxr": {"csv_path": table}, "mimic_cxr": {"root": tmp_path / "mimic-cxr"}})
    assert report_root(load_catalog(config)) == tmp_path / "mimic-cxr" / "2.1.0" / "files"


def test_without_images_the_table_is_there_all_the_same(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path)
    assert image_root(catalog) is None
    assert len(catalog.images) == 1


def test_a_table_without_rows_makes_an_empty_catalog(tmp_path: Path) -> None:
    table = write_table(tmp_path / "ms.csv", [])
    catalog = load_catalog(Config(tmp_path / "radharmony.toml", {"ms_cxr": {"csv_path": table}}))
    assert (len(catalog.images), len(catalog.boxes), len(catalog.studies)) == (0, 0, 0)


def test_what_is_not_configured_is_said(tmp_path: Path) -> None:
    path = tmp_path / "radharmony.toml"
    with pytest.raises(ConfigError, match=r"\[ms_cxr\]"):
        load_catalog(Config(path, {}))
    with pytest.raises(ConfigError, match="csv_path"):
        load_catalog(Config(path, {"ms_cxr": {"mimic_base_dir": tmp_path}}))
    with pytest.raises(ConfigError, match="MS_CXR_Local_Alignment"):
        load_catalog(Config(path, {"ms_cxr": {"root": tmp_path}}))
    with pytest.raises(MissingFileError, match="nowhere"):
        load_catalog(Config(path, {"ms_cxr": {"root": tmp_path / "nowhere"}}))
