"""What is being looked at lives in the URL: the filter by bound widgets, the film by a parameter of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import streamlit as st

from radharmony_core.catalog import Catalog

__all__ = [
    "FILM",
    "ask_step",
    "choose_film",
    "film_position",
    "forget_step",
    "is_asked_for",
    "jump_to",
    "note_wish",
    "stale_values",
]

FILM = "film"
_FILTER = {"dataset": [], "label": [], "split": [], "phrase": ""}  # the bound widgets of the filter, empty
_LAST, _STEP, _HEARD = "_film", "_step", "_heard"


def stale_values(parameter: str, options: Sequence[str]) -> list[str]:
    """Values of a URL parameter that are no option (any more). Ask before the bound widget is drawn: it drops them in silence."""
    return [value for value in st.query_params.get_all(parameter) if value not in options]


def ask_step(step: int) -> None:
    """Notes the wish to go ``step`` films on or back. It is granted in the next run, in the filter's result of that run: a
    press may come together with a changed filter, and several may come together."""
    st.session_state[_STEP] = st.session_state.get(_STEP, 0) + step


def note_wish() -> None:
    """Says that this run was asked for by the viewer: the browser's URL, which lags behind ours, does not lead in it."""
    st.session_state[_HEARD] = True


def is_asked_for() -> bool:
    """Whether the viewer or a button asked for this run. A change of the URL, as by the Back button, asks by itself."""
    return bool(st.session_state.get(_STEP) or st.session_state.get(_HEARD))


def forget_step() -> None:
    """Drops a wish that cannot be granted: nothing is shown."""
    st.session_state.pop(_STEP, None)
    st.session_state.pop(_HEARD, None)


def choose_film(image_id: str) -> None:
    """Makes ``image_id`` the film that is looked at, here and in the URL."""
    st.session_state[_LAST] = image_id
    forget_step()
    # Said also where the URL seems to name it already: the browser may be about to follow an earlier word of ours.
    st.query_params[FILM] = image_id


def jump_to(image_id: str, in_result: bool) -> None:
    """Goes to a film by name, from a link on the page; a filter that leaves it out is dropped."""
    if not in_result:
        st.session_state.update({name: empty for name, empty in _FILTER.items() if name in st.session_state})
    choose_film(image_id)


def film_position(catalog: Catalog, places: npt.NDArray[np.int64]) -> tuple[int, str | None]:
    """Which of ``places`` (rows of ``catalog.images``, ascending, not empty) to show, and a notice where a link's film cannot be.

    The URL names the film; where it names none, as after a page change, it is the one last looked at. A film that the filter
    now leaves out makes way for the first that it leaves: that is what filtering is, so only a link is answered with a notice.
    """
    last, step = st.session_state.get(_LAST), st.session_state.get(_STEP, 0)
    # A wish is about the film last looked at: the browser may not have heard yet what we wrote into its URL.
    wanted = (last if is_asked_for() else None) or st.query_params.get(FILM) or last
    if wanted is None:
        return 0, None
    place = catalog.place_of(wanted)
    position = 0 if place is None else int(np.searchsorted(places, place))
    if place is not None and position < len(places) and places[position] == place:
        return min(max(position + step, 0), len(places) - 1), None
    if wanted == last:
        return 0, None
    if place is None:
        return 0, f"There is no film {wanted} in this dataset; the first one is shown."
    return 0, f"The filter leaves out the film {wanted}; the first film that matches is shown."
