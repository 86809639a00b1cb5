"""How a film is looked at, from the URL and from the viewer: the newest word counts, and a browser's old URL does not."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.look import Look


def page() -> None:
    """One run of a page that shows the film named in the session."""
    import streamlit as st

    from pages._ui.look import ask_look, current_look, wanted_extra
    from pages._ui.state import ask_step, forget_step, note_wish

    asked = st.session_state.pop("asked", None)
    if asked is not None:
        note_wish()
        ask_look(asked)
    if st.session_state.pop("next", False):
        ask_step(1)
    film = st.session_state.get("film", "a")
    st.session_state["shown"] = current_look(film)
    st.session_state["extra"] = wanted_extra(film)
    forget_step()


def run(app: AppTest, *, url: dict[str, str] | None = None, on_film: bool = True, **state: Any) -> Look:
    """``url`` is what the browser says it shows; by default what it was last told."""
    if url is not None:
        app.query_params.clear()
        app.query_params.update(url | {"film": "a"} if on_film else url)
    for name, value in state.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    look: Look = app.session_state["shown"]
    return look


def url_of(app: AppTest) -> dict[str, str]:
    told = {name: value if isinstance(value, str) else value[-1] for name, value in app.query_params.items()}
    return {name: value for name, value in told.items() if name != "film"}


def wish(film: str = "a", **look: Any) -> dict[str, Any]:
    return {"film": film, "look": {"window": "default", "invert": False, "contrast": False, "file": ""} | look}


LINKS = [
    # reason, parameters, look
    ("nothing said", {}, Look()),
    ("a preset", {"window": "auto"}, Look("auto")),
    ("numbers", {"window": "40,400"}, Look("40,400")),
    (
        "everything",
        {"window": "full", "invert": "1", "contrast": "1", "file": "mimic_cxr"},
        Look("full", True, True, "mimic_cxr"),
    ),
    ("other values are no yes", {"invert": "yes", "contrast": "0"}, Look()),
]


@pytest.mark.parametrize(("reason", "url", "look"), LINKS, ids=[row[0] for row in LINKS])
def test_a_link_says_how_to_look(reason: str, url: dict[str, str], look: Look) -> None:
    app = AppTest.from_function(page)
    assert run(app, url=url) == look, reason
    assert url_of(app) == look.parameters(), "a parameter that says nothing is dropped"


def test_what_the_viewer_asks_for_goes_into_the_url() -> None:
    app = AppTest.from_function(page)
    run(app)
    assert run(app, asked=wish(window=[1500.25, 300], invert=True)) == Look("1500.25,300", invert=True)
    assert url_of(app) == {"window": "1500.25,300", "invert": "1"}
    assert run(app) == Look("1500.25,300", invert=True), "and stays"


def test_a_browser_that_lags_behind_does_not_bring_the_old_look_back() -> None:
    app = AppTest.from_function(page)
    run(app, url={})
    run(app, asked=wish(window="auto"))
    assert run(app, url={}, asked={"film": "a", "extra": "native"}) == Look("auto"), "a wish, and it has not heard yet"
    assert run(app, url={}, next=True, film="b") == Look("auto"), "a step, and it has not heard yet"
    assert run(app, url={}) == Look(), "somebody went back"


def test_a_preset_goes_along_and_a_window_by_hand_stays_with_its_film() -> None:
    app = AppTest.from_function(page)
    assert run(app, asked=wish(window="full", invert=True)) == Look("full", invert=True)
    assert run(app, film="b") == Look("full", invert=True)
    run(app, film="b", asked=wish("b", window=[100, 50], invert=True))
    assert run(app, film="c") == Look(invert=True)


def test_a_window_by_hand_does_not_go_along_to_a_film_that_a_filter_or_a_link_on_the_page_leads_to() -> None:
    app = AppTest.from_function(page)
    run(app, url={"window": "100,50", "invert": "1"})
    assert run(app, url={"window": "100,50", "invert": "1"}, film="b") == Look(invert=True)


def test_a_wish_for_another_film_is_dropped() -> None:
    app = AppTest.from_function(page)
    assert run(app, film="b", asked=wish("a", window="full")) == Look()


def test_what_is_needed_besides_is_handed_out_once() -> None:
    app = AppTest.from_function(page)
    run(app, asked={"film": "a", "extra": "native"})
    assert app.session_state["extra"] == "native"
    run(app)
    assert app.session_state["extra"] == ""


def test_a_page_change_that_empties_the_url_leaves_the_look() -> None:
    app = AppTest.from_function(page)
    run(app, url={"window": "full", "invert": "1"})
    assert run(app, url={}, on_film=False) == Look("full", invert=True)


def test_a_link_without_a_film_counts_at_the_first_look() -> None:
    app = AppTest.from_function(page)
    assert run(app, url={"window": "auto"}, on_film=False) == Look("auto")


def test_a_wish_together_with_a_step_goes_along() -> None:
    app = AppTest.from_function(page)
    run(app, url={})
    assert run(app, asked=wish("a", window="full"), film="b") == Look("full")


BY_HAND = [
    ("two numbers", "40,400", (40, 400)),
    ("below zero", "-600.5,1500", (-600.5, 1500)),
    ("a preset", "auto", None),
    ("one number", "40", None),
    ("no width", "40,0", None),
    ("no number", "40,nan", None),
    ("endless", "inf,400", None),
    ("three numbers", "1,2,3", None),
    ("larger than any film's", "1e308,5", None),
    ("a width below 1 is none for LINEAR", "0.2,0.1", None),
    ("and one for LINEAR_EXACT", "0.2,0.1,LINEAR_EXACT", (0.2, 0.1)),
    ("a function that is not known", "40,400,CUBIC", None),
]


@pytest.mark.parametrize(("reason", "window", "numbers"), BY_HAND, ids=[row[0] for row in BY_HAND])
def test_a_window_by_hand(reason: str, window: str, numbers: tuple[float, float] | None) -> None:
    by_hand = Look(window).by_hand
    assert (None if by_hand is None else (by_hand.center, by_hand.width)) == numbers, reason


WISHES: list[tuple[str, dict[str, Any]]] = [
    ("no look", {"film": "a"}),
    ("no film", {"look": {"window": "full"}}),
    ("a window that is none", wish(window=["a", None])),
    ("a window of one number", wish(window=[1])),
    ("nothing at all", {}),
]


@pytest.mark.parametrize(("reason", "asked"), WISHES, ids=[row[0] for row in WISHES])
def test_an_odd_wish_changes_nothing(reason: str, asked: dict[str, Any]) -> None:
    app = AppTest.from_function(page)
    assert run(app, asked=asked) == Look(), reason
