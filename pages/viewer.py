"""The viewer: one film with its boxes, phrases and report; filters beside it, next and previous by button and key."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import streamlit as st

from pages._ui.data import configuration, film_of, open_catalog, prepare_film, report_of
from pages._ui.filter_bar import explain_empty, filter_bar, say_counts
from pages._ui.notices import show_notices
from pages._ui.state import choose_film, film_position, step_film
from pages._ui.viewer import film_viewer
from pages._ui.viewer.message import build_message
from radharmony_core.catalog import Catalog
from radharmony_core.config import Config
from radharmony_core.demo import is_demo
from radharmony_core.errors import RadHarmonyError
from radharmony_core.filters import apply_filter


def main() -> None:
    try:
        config = configuration()
        catalog = open_catalog(config)
    except RadHarmonyError as error:
        _show_refusal(error)
        return
    spec, notices = filter_bar(catalog)
    result = apply_filter(catalog, spec)
    say_counts(catalog, result)
    _show_source(config, catalog)
    _show_issues(catalog)
    if not len(result.images):
        explain_empty(catalog, spec)
        return
    position, notice = film_position(catalog, result.images)
    _bar(catalog, result.images, position)
    place = int(result.images[position])
    _show_film(catalog, place, [*notices, *([notice] if notice else [])])
    choose_film(str(catalog.images["image_id"].iloc[place]))
    if position + 1 < len(result.images):
        prepare_film(catalog.image_root, _path(catalog, int(result.images[position + 1])))


def _path(catalog: Catalog, place: int) -> str | None:
    path = catalog.images["image_path"].iloc[place]
    return path if isinstance(path, str) else None


def _bar(catalog: Catalog, places: npt.NDArray[np.int64], position: int) -> None:
    """Previous and next, by button and arrow key, and where in the result this film is."""
    last = len(places) - 1
    with st.container(horizontal=True, vertical_alignment="center"):
        for name, key, step, off in (("Previous", "Left", -1, position == 0), ("Next", "Right", 1, position == last)):
            st.button(name, shortcut=key, on_click=step_film, args=(catalog, places, step), disabled=off, key=name.lower())
        st.text(f"Film {position + 1:,} of {len(places):,}")


def _show_film(catalog: Catalog, place: int, notices: list[str]) -> None:
    image = catalog.images.iloc[place]
    boxes = catalog.boxes[catalog.boxes["image"] == place]
    film = film_of(catalog.image_root, _path(catalog, place))
    report, note = report_of(catalog, image["study_id"])
    show_notices(notices)
    film_viewer(build_message(film, image, boxes, report, note))


def _show_source(config: Config, catalog: Catalog) -> None:
    """Which data these are: nobody should take the demo for patients, or one release for another."""
    if is_demo(config.path.parent):
        text = "Demo: every film and every word is made up. The README tells how to look at your own MS-CXR."
    else:
        places = {"Table": catalog.source, "Images": catalog.image_root, "Reports": catalog.report_root}
        text = "\n".join(f"{name}: {place or 'not found'}" for name, place in places.items())
    with st.sidebar.expander("Data", expanded=is_demo(config.path.parent)):
        st.text(text)


def _show_issues(catalog: Catalog) -> None:
    """Every problem of the dataset, folded away, counted by code."""
    if catalog.issues.empty:
        return
    with st.sidebar.expander(f"{len(catalog.issues):,} issues in the data"):
        st.dataframe(catalog.issues["code"].value_counts(), width="stretch")
        st.dataframe(catalog.issues.head(500), hide_index=True, width="stretch")


def _show_refusal(error: RadHarmonyError) -> None:
    st.subheader("The data cannot be opened")
    show_notices([str(error), "Correct radharmony.toml and reload this page. The README shows how to write it."])


main()
