"""The Datasets page: what was found against what was published, what is wrong, and a form that looks while one types."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from radharmony_core.config import CONFIG_VARIABLE, load_config
from tests.catalog.mimic import write_jpg_tables, write_mimic_tables
from tests.support import annotation, write_table

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_table(tmp_path / "ms.csv", [annotation(dicom_id="aaaa"), annotation(dicom_id="eeee", w=900)])
    write_jpg_tables(tmp_path / "jpg")
    write_mimic_tables(tmp_path / "mimic")
    path = tmp_path / "radharmony.toml"
    path.write_text('# mine\n[ms_cxr]\ncsv_path = "ms.csv"\n\n[mimic_cxr_jpg]\nroot = "jpg"\n', encoding="utf-8")
    monkeypatch.setenv(CONFIG_VARIABLE, str(path))
    return path


def opened() -> AppTest:
    return AppTest.from_file(str(APP), default_timeout=30).run().switch_page("pages/datasets.py").run()


def words(app: AppTest) -> str:
    return "\n".join(element.value for element in (*app.text, *app.caption, *app.subheader))


def tables(app: AppTest) -> str:
    return "\n".join(frame.value.to_string() for frame in app.dataframe)


def test_each_dataset_says_what_was_found_and_where(config: Path) -> None:
    app = opened()
    assert not app.exception
    assert [box.label for box in app.expander] == ["MS-CXR: 2 images, 3 issues", "MIMIC-CXR-JPG: 4 images, 1 issue"]
    assert f"csv_path = {config.parent / 'ms.csv'}" in words(app)
    assert "mimic-cxr-2.0.0-metadata.csv.gz" in words(app)
    assert "A subset: 2 of 1,047 images (0.2 %)." in words(app)
    assert "Not configured: MIMIC-CXR, CASIA-CXR." in words(app)
    assert "box_outside_image" in tables(app)


def test_a_dataset_that_cannot_be_read_says_why_and_leaves_the_others(config: Path) -> None:
    (config.parent / "ms.csv").unlink()
    app = opened()
    assert not app.exception
    assert [box.label for box in app.expander] == ["MS-CXR: cannot be read", "MIMIC-CXR-JPG: 4 images, 1 issue"]
    assert "(nothing is there)" in words(app)


def test_a_path_is_looked_at_while_it_is_typed_and_saved_on_a_press(config: Path) -> None:
    app = opened()
    app.selectbox(key="dataset_kind").set_value("mimic_cxr").run()
    assert save(app).disabled, "nothing is typed yet"
    app.text_input(key="mimic_cxr.root").set_value("nowhere").run()
    assert "nowhere" in words(app)
    assert save(app).disabled, "there is nothing at that path"
    app.text_input(key="mimic_cxr.root").set_value("mimic").run()
    assert "cxr-record-list.csv.gz" in words(app)
    save(app).click().run()
    assert "MIMIC-CXR was written to" in words(app)
    assert load_config(config).datasets["mimic_cxr"] == {"root": config.parent / "mimic"}
    assert config.read_text(encoding="utf-8").startswith("# mine\n")
    assert "MIMIC-CXR: 2 images" in "".join(box.label for box in app.expander)


def test_a_dataset_is_taken_out_and_its_files_stay(config: Path) -> None:
    app = opened()
    app.selectbox(key="dataset_kind").set_value("mimic_cxr_jpg").run()
    next(button for button in app.button if button.label == "Take out").click().run()
    assert set(load_config(config).datasets) == {"ms_cxr"}
    assert [box.label.partition(":")[0] for box in app.expander] == ["MS-CXR"]
    assert (config.parent / "jpg" / "mimic-cxr-2.0.0-metadata.csv.gz").is_file()


def test_rebuild_reads_the_raw_files_anew(config: Path, own_cache: Path) -> None:
    opened()
    kept = {path: path.stat().st_mtime_ns for path in own_cache.glob("*.parquet")}
    assert kept
    app = opened()
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "a second look reads what was kept"
    next(button for button in app.button if button.label == "Rebuild").click().run()
    assert not app.exception
    assert all(path.stat().st_mtime_ns != before for path, before in kept.items())


def test_a_table_of_another_kind_is_refused_while_it_is_typed(config: Path) -> None:
    app = opened()
    app.text_input(key="ms_cxr.csv_path").set_value(str(config)).run()
    assert not app.exception
    assert "Is it the right file?" in words(app)
    assert save(app).disabled
    app.selectbox(key="dataset_kind").set_value("mimic_cxr_jpg").run()
    app.text_input(key="mimic_cxr_jpg.csv_path").set_value(str(config)).run()
    assert not app.exception
    assert save(app).disabled


def test_what_another_window_wrote_meanwhile_is_not_lost(config: Path) -> None:
    first, second = opened(), opened()
    first.text_input(key="ms_cxr.mimic_base_dir").set_value("jpg").run()
    save(first).click().run()
    second.text_input(key="ms_cxr.report_dir").set_value("mimic").run()
    save(second).click().run()
    assert "was changed in" in words(second)
    assert load_config(config).datasets["ms_cxr"] == {
        "csv_path": config.parent / "ms.csv",
        "mimic_base_dir": config.parent / "jpg",
    }
    assert second.text_input(key="ms_cxr.mimic_base_dir").value == "jpg", "the fields show what stands there now"


def test_a_table_that_was_missing_is_found_when_it_appears(config: Path) -> None:
    negbio = config.parent / "jpg" / "mimic-cxr-2.0.0-negbio.csv.gz"
    content = negbio.read_bytes()
    negbio.unlink()
    app = opened()
    assert "negbio" not in words(app)
    negbio.write_bytes(content)
    assert "mimic-cxr-2.0.0-negbio.csv.gz" in words(app.run())


def test_a_path_that_no_file_can_have_is_said_beside_the_others(config: Path) -> None:
    text = config.read_text(encoding="utf-8").replace('"ms.csv"', f'"{"x" * 300}.csv"')
    config.write_text(text, encoding="utf-8")
    app = opened()
    assert not app.exception
    assert [box.label for box in app.expander] == ["MS-CXR: cannot be read", "MIMIC-CXR-JPG: 4 images, 1 issue"]


def test_a_kept_table_that_cannot_be_removed_is_words(config: Path, own_cache: Path) -> None:
    opened()
    kept = next(own_cache.glob("mimic_cxr_jpg-*.parquet"))
    kept.unlink()
    (kept / "in the way").mkdir(parents=True)
    app = opened()
    next(button for button in app.button if button.label == "Rebuild").click().run()
    assert not app.exception
    assert "cannot be removed" in words(app)


BROKEN = [
    # reason, configuration, words on the page
    ("not TOML", "[ms_cxr", "not readable as TOML"),
    ("no dataset", "", "expected a table for a dataset"),
    ("an unknown dataset", "[nih]\nroot = 'x'", "expected the name of a dataset"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_configuration_that_cannot_be_used_is_said(config: Path, reason: str, text: str, expected: str) -> None:
    config.write_text(text, encoding="utf-8")
    app = opened()
    assert not app.exception
    assert expected in words(app), reason


def test_an_empty_configuration_is_filled_by_the_form(config: Path) -> None:
    config.write_text("", encoding="utf-8")
    app = opened()
    app.text_input(key="ms_cxr.csv_path").set_value("ms.csv").run()
    save(app).click().run()
    assert not app.exception
    assert [box.label.partition(":")[0] for box in app.expander] == ["MS-CXR"]


def save(app: AppTest):  # type: ignore[no-untyped-def]  # AppTest's elements have no public type
    return next(button for button in app.button if button.label == "Save")
