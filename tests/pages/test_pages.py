"""Every page starts headless: on sound data, on broken data, on none; and the URL decides what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from radharmony_core.config import CONFIG_VARIABLE
from tests.support import annotation, gray_image, write_table

APP = Path(__file__).parents[2] / "app.py"
PAGES = sorted(APP.parent.joinpath("pages").glob("*.py"))
ROWS = [
    annotation(dicom_id="a", label_text="mild edema"),
    annotation(dicom_id="b", category_name="Pneumonia", label_text="left base", split="train", patient="10000002"),
    annotation(dicom_id="c", category_name="Edema", label_text="gross edema", w=900, patient="10000003"),
]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three films with a report for the first, and the app's configuration pointing at them."""
    write_table(tmp_path / "ms.csv", ROWS)
    for row in ROWS:
        gray_image(tmp_path / str(row["path"]))
    (tmp_path / "files/p10/p10000001/s50000001.txt").write_text("There is mild\n edema.", encoding="utf-8")
    path = tmp_path / "radharmony.toml"
    path.write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "files"\n', encoding="utf-8")
    monkeypatch.setenv(CONFIG_VARIABLE, str(path))
    return path


def started(**query: str | list[str]) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=30)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def words(app: AppTest) -> str:
    return "\n".join([element.value for element in (*app.text, *app.caption, *app.subheader)])


def test_navigation_names_every_page() -> None:
    listed = re.findall(r'st\.Page\(\s*"([^"]+)"', APP.read_text(encoding="utf-8"))
    pages = [page.relative_to(APP.parent).as_posix() for page in PAGES if page.name != "__init__.py"]
    assert sorted(listed) == pages


@pytest.mark.parametrize("page", [page.relative_to(APP.parent).as_posix() for page in PAGES if page.name != "__init__.py"])
def test_every_page_starts(config: Path, page: str) -> None:
    app = started().switch_page(page).run()
    assert not app.exception
    assert words(app)


def test_the_viewer_counts_and_shows_the_first_film(config: Path) -> None:
    app = started()
    assert not app.exception
    assert "Film 1 of 3" in words(app)
    assert "3 of 3 images, 3 phrases, 3 boxes" in words(app)
    assert app.query_params["film"] == "a"


def test_next_and_previous_walk_and_stop_at_the_ends(config: Path) -> None:
    app = started()
    assert app.button(key="previous").disabled
    app.button(key="next").click().run()
    assert app.query_params["film"] == "b"
    app.button(key="next").click().run()
    assert "Film 3 of 3" in words(app)
    assert app.button(key="next").disabled
    app.button(key="previous").click().run()
    assert app.query_params["film"] == "b"


URLS = [
    # reason, query, words on the page
    ("a film by name", {"film": "b"}, ["Film 2 of 3"]),
    ("a label", {"label": ["Pneumonia"]}, ["Film 1 of 1", "1 of 3 images, 1 phrase, 1 box"]),
    ("two labels", {"label": ["Pneumonia", "Edema"]}, ["Film 1 of 3"]),
    ("a split", {"split": ["train"]}, ["Film 1 of 1"]),
    ("a phrase", {"phrase": "EDEMA"}, ["Film 1 of 2"]),
    ("a film that is gone", {"film": "zzz"}, ["There is no film zzz", "Film 1 of 3"]),
    ("a film the filter leaves out", {"film": "b", "label": ["Edema"]}, ["leaves out the film b", "Film 1 of 2"]),
    ("a label that is gone", {"label": ["Fracture"]}, ["the label 'Fracture'", "Film 1 of 3"]),
    ("a filter nothing matches", {"label": ["Pneumonia"], "split": ["test"]}, ["No film matches", "Without the label: 2 images"]),
    (
        "markup in a parameter is text",
        {"film": "![x](http://127.0.0.1:9/x.png)"},
        ["There is no film ![x](http://127.0.0.1:9/x.png)"],
    ),
    ("a parameter of another page", {"zoom": "3"}, ["Film 1 of 3"]),
]


@pytest.mark.parametrize(("reason", "query", "expected"), URLS, ids=[row[0] for row in URLS])
def test_the_url_decides_what_is_shown(config: Path, reason: str, query: dict[str, str | list[str]], expected: list[str]) -> None:
    app = started(**query)
    assert not app.exception
    for text in expected:
        assert text in words(app), reason


def test_nothing_of_the_data_is_shown_as_markdown(config: Path) -> None:
    app = started(film="*zzz*", label=["*nope*"])
    shown = [element.value for element in (*app.markdown, *app.warning, *app.error, *app.info)]
    assert not [text for text in shown if "zzz" in text or "nope" in text]


BROKEN = [
    # reason, configuration, words on the page
    ("not TOML", "[ms_cxr", "not readable as TOML"),
    ("no dataset", "", "expected a table for a dataset"),
    ("a table that is not there", '[ms_cxr]\ncsv_path = "gone.csv"', "gone.csv"),
    ("a table that is none", '[ms_cxr]\ncsv_path = "radharmony.toml"', "Is it the right file?"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_broken_dataset_is_answered_in_words(config: Path, reason: str, text: str, expected: str) -> None:
    config.write_text(text, encoding="utf-8")
    app = started()
    assert not app.exception
    assert "The data cannot be opened" in words(app)
    assert expected in words(app), reason


def test_a_configuration_that_is_named_and_gone(config: Path) -> None:
    config.unlink()
    app = started()
    assert not app.exception
    assert "RADHARMONY_CONFIG names" in words(app)


def test_mending_the_configuration_mends_the_page(config: Path) -> None:
    sound = config.read_text(encoding="utf-8")
    config.write_text("[ms_cxr", encoding="utf-8")
    app = started()
    assert "cannot be opened" in words(app)
    config.write_text(sound, encoding="utf-8")
    assert "Film 1 of 3" in words(app.run())


def test_a_folder_that_is_not_there_leaves_the_annotations(config: Path) -> None:
    config.write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "gone"\nreport_dir = "gone"', encoding="utf-8")
    app = started()
    assert not app.exception
    assert "Film 1 of 3" in words(app)
    assert "Images: not found" in words(app)


def test_a_table_that_changes_is_read_again(config: Path) -> None:
    app = started()
    assert "3 of 3 images" in words(app)
    write_table(config.parent / "ms.csv", ROWS[:2])
    assert "2 of 2 images" in words(app.run())
    write_table(config.parent / "other.csv", ROWS[:1])
    config.write_text(config.read_text(encoding="utf-8").replace("ms.csv", "other.csv"), encoding="utf-8")
    assert "1 of 1 image" in words(app.run())


def test_files_that_come_later_are_found_by_reloading_the_page(config: Path) -> None:
    film = config.parent / str(ROWS[1]["path"])
    content = film.read_bytes()
    film.unlink()
    assert "missing_image" in issues(started())
    film.write_bytes(content)
    assert "missing_image" not in issues(started())


def issues(app: AppTest) -> str:
    return "\n".join(frame.value.to_string() for frame in app.dataframe)


def test_a_filter_makes_way_without_a_notice_and_a_press_is_granted_in_its_result(config: Path) -> None:
    app = started(film="b")
    app.text_input(key="phrase").set_value("edema")
    app.button(key="next").click().run()
    assert "leaves out" not in words(app)
    assert "Film 1 of 2" in words(app)
    app.button(key="next").click().run()
    assert "Film 2 of 2" in words(app)


def test_a_press_that_finds_nothing_is_not_kept(config: Path) -> None:
    app = started(film="b")
    app.text_input(key="phrase").set_value("nothing has this")
    app.button(key="next").click().run()
    assert "No film matches" in words(app)
    app.text_input(key="phrase").set_value("").run()
    assert "Film 2 of 3" in words(app)


def test_a_table_without_rows_says_so(config: Path) -> None:
    write_table(config.parent / "ms.csv", [])
    app = started()
    assert not app.exception
    assert "no image" in words(app)
