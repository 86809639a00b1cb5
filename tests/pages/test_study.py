"""What the viewer tells of a film's study: four states in words, other views, other studies of the patient by date."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.study import label_table
from radharmony_core.catalog import load_catalog
from radharmony_core.config import CONFIG_VARIABLE, load_config
from tests.catalog.mimic import write_jpg_tables
from tests.support import annotation, write_table

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_table(tmp_path / "ms.csv", [annotation(dicom_id="aaaa")])
    write_jpg_tables(tmp_path / "jpg")
    path = tmp_path / "radharmony.toml"
    path.write_text('[ms_cxr]\ncsv_path = "ms.csv"\n\n[mimic_cxr_jpg]\nroot = "jpg"\n', encoding="utf-8")
    monkeypatch.setenv(CONFIG_VARIABLE, str(path))
    return path


WORDS = [
    # reason, image, rows of the table: label, CheXpert, NegBio, MS-CXR where it has the film
    (
        "annotated, labelers that disagree, a negative one",
        "aaaa",
        [["Edema", "positive", "negative", "annotated"], ["Pneumonia", "negative", "negative", "not annotated"]],
    ),
    (
        "a view that MS-CXR does not have",
        "bbbb",
        [["Edema", "positive", "negative"], ["Pneumonia", "negative", "negative"]],
    ),
    ("uncertain", "cccc", [["Edema", "uncertain", "uncertain"]]),
    ("a study without any label", "dddd", []),
]


@pytest.mark.parametrize(("reason", "image", "rows"), WORDS, ids=[row[0] for row in WORDS])
def test_four_states_are_four_words(config: Path, reason: str, image: str, rows: list[list[str]]) -> None:
    catalog = load_catalog(load_config(config))
    place = catalog.place_of(image)
    assert place is not None
    assert label_table(catalog, place).to_numpy().tolist() == rows, reason


def test_without_a_labeler_there_is_no_table(config: Path) -> None:
    config.write_text('[ms_cxr]\ncsv_path = "ms.csv"\n', encoding="utf-8")
    assert label_table(load_catalog(load_config(config)), 0).empty


def opened(**query: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=30)
    for name, value in query.items():
        app.query_params[name] = value
    app.session_state["study_panel"] = True
    return app.run()


def test_the_viewer_leads_to_other_views_and_studies(config: Path) -> None:
    app = opened(film="aaaa")
    assert not app.exception
    assert "2 views of this study, 2 studies of this patient" in [text.value for text in app.text]
    assert "Study 50000002, 1 day earlier" in [text.value for text in app.text]
    assert app.button(key="film-aaaa").disabled
    app.button(key="film-cccc").click().run()
    assert not app.exception
    assert app.query_params["film"] == "cccc"
    assert "Study 50000001, 1 day later" in [text.value for text in app.text]


def test_a_film_that_the_filter_leaves_out_drops_the_filter(config: Path) -> None:
    app = opened(film="aaaa", label=["Edema"])
    assert "Film 1 of 1" in [text.value for text in app.text]
    app.button(key="film-bbbb").click().run()
    assert app.query_params["film"] == "bbbb"
    assert "Film 2 of 4" in [text.value for text in app.text]
    assert app.multiselect(key="label").value == []


@pytest.mark.parametrize(("dataset", "count"), [("MS-CXR", 1), ("MIMIC-CXR-JPG", 4)])
def test_a_dataset_is_chosen_by_its_name(config: Path, dataset: str, count: int) -> None:
    assert f"Film 1 of {count}" in [text.value for text in opened(dataset=[dataset]).text]


def test_a_panel_that_is_folded_away_holds_nothing(config: Path) -> None:
    app = AppTest.from_file(str(APP), default_timeout=30).run()
    assert "Labels, views and other studies" in [box.label for box in app.expander]
    assert not [button for button in app.button if str(button.key).startswith("film-")]
