"""The viewer: one film with its boxes, phrases and report; filters beside it, next and previous by button and key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages._ui.data import configuration, open_catalog, report_of
from pages._ui.datasets.made_up import is_made_up
from pages._ui.datasets.names import TITLES
from pages._ui.films import Codes, agreement_of, codes_of, film_of, prepare_film
from pages._ui.filter_bar import explain_empty, filter_bar, say_counts
from pages._ui.look import Look, ask_look, current_look, last_wish, settle_look, wanted_extra
from pages._ui.notices import counted, show_notices
from pages._ui.state import ask_step, choose_film, film_position, forget_step, note_wish
from pages._ui.study import show_study
from pages._ui.viewer import film_viewer
from pages._ui.viewer.message import build_message
from radharmony_core.catalog import Catalog
from radharmony_core.errors import RadHarmonyError
from radharmony_core.filters import apply_filter

_ISSUES_SHOWN = 500


def main() -> None:
    try:
        config = configuration()
        catalog = open_catalog(config)
    except RadHarmonyError as error:
        forget_step()
        _show_refusal(error)
        return
    spec, notices = filter_bar(catalog)
    result = apply_filter(catalog, spec)
    say_counts(catalog, result)
    _show_source(catalog)
    _show_issues(catalog)
    if not len(result.images):
        forget_step()
        show_notices(notices)
        explain_empty(catalog, spec)
        return
    position, notice = film_position(catalog, result.images)
    look = current_look(str(catalog.images["image_id"].iloc[int(result.images[position])]))
    turn = (position, len(result.images))
    _show_film(catalog, int(result.images[position]), turn, look, [*notices, *([notice] if notice else [])])
    show_study(catalog, int(result.images[position]), result.images)
    if position + 1 < len(result.images):
        prepare_film(catalog, int(result.images[position + 1]), look.for_another_film())


def _show_film(catalog: Catalog, place: int, turn: tuple[int, int], look: Look, notices: list[str]) -> None:
    """The film at ``place``; ``turn`` is its place in the filter's result, from 0, and how many there are."""
    image = catalog.images.iloc[place]
    film = film_of(catalog, place, look)
    if film.error is None:
        settle_look(film.look)
    codes, agreement = _extra(catalog, place, look)
    report, note = report_of(catalog, place)
    boxes = catalog.boxes[catalog.boxes["image"] == place]
    bar = st.container(horizontal=True, vertical_alignment="center")
    show_notices(notices)
    message = build_message(film, image, boxes, report, note, turn, codes=codes, agreement=agreement, wish=last_wish())
    film_viewer(message, on_wish=_hear)
    with bar:  # filled last: should a press cut this run short, the number never runs ahead of the picture
        st.button("Previous", on_click=ask_step, args=(-1,), disabled=turn[0] == 0, key="previous")
        st.button("Next", on_click=ask_step, args=(1,), disabled=turn[0] == turn[1] - 1, key="next")
        st.text(f"Film {turn[0] + 1:,} of {turn[1]:,}")
    choose_film(str(image["image_id"]))


def _hear(wish: Mapping[str, Any]) -> None:
    """What the viewer asks for, by key or by hand."""
    step = wish.get("step", 0)
    if isinstance(step, int) and step:
        ask_step(step)
    note_wish()
    ask_look(wish)


def _extra(catalog: Catalog, place: int, look: Look) -> tuple[Codes | None, str]:
    """What the viewer has asked for besides the picture: values to set the window on, or whether JPG and DICOM agree."""
    extra = wanted_extra(str(catalog.images["image_id"].iloc[place]))
    if extra == "agreement":
        return None, agreement_of(catalog, place)
    if extra in ("codes", "native"):
        return codes_of(catalog, place, look, native=extra == "native"), ""
    return None, ""


def _show_source(catalog: Catalog) -> None:
    """Which data these are: nobody should take the demo for patients, patients for the demo, or one release for another."""
    read = [status for status in catalog.datasets if status.error is None]
    made_up = [TITLES[status.kind] for status in read if is_made_up(status)]
    lines = []
    if len(made_up) == len(read):
        lines.append("Demo: every film and every word is made up. The page Datasets takes your own.")
    elif made_up:
        lines.append(f"Made up, a demo: {', '.join(made_up)}.")
    for status in catalog.datasets:
        title, found = TITLES[status.kind], counted(status.counts.get("images", 0), "image")
        lines.append(f"{title} cannot be read: {status.error}" if status.error else f"{title}: {found}")
        if not made_up and not status.error:
            lines.append(f"    Images: {status.image_root or 'not found'}")
    if not made_up and catalog.status("ms_cxr"):
        lines.append(f"Reports: {catalog.reports.inputs()[0] if catalog.reports else 'not found'}")
    broken = any(status.error for status in catalog.datasets)
    with st.sidebar.expander("Data", expanded=bool(made_up) or broken):
        st.text("\n".join(lines))


def _show_issues(catalog: Catalog) -> None:
    """Every problem of the dataset, folded away, counted by code."""
    count = len(catalog.issues)
    if not count:
        return
    with st.sidebar.expander(f"{counted(count, 'issue')} in the data"):
        st.dataframe(catalog.issues["code"].value_counts(), width="stretch")
        if count > _ISSUES_SHOWN:
            st.caption(f"The first {_ISSUES_SHOWN} of {count:,}:")
        st.dataframe(catalog.issues.head(_ISSUES_SHOWN), hide_index=True, width="stretch")


def _show_refusal(error: RadHarmonyError) -> None:
    st.subheader("The data cannot be opened")
    show_notices([str(error), "Correct radharmony.toml and reload this page, or write it with the form of the page Datasets."])


main()
