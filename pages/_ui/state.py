"""What is being looked at lives in the URL: the filter by bound widgets, the film by a parameter of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import streamlit as st

from radharmony_core.catalog import Catalog

__all__ = ["FILM", "choose_film", "film_position", "stale_values", "step_film"]

FILM = "film"


def stale_values(parameter: str, options: Sequence[str]) -> list[str]:
    """Values of a URL parameter that are no option (any more). Ask before the bound widget is drawn: it drops them in silence."""
    return [value for value in st.query_params.get_all(parameter) if value not in options]


def choose_film(image_id: str) -> None:
    """Makes ``image_id`` the film that is looked at, here and in the URL."""
    st.session_state[f"_{FILM}"] = image_id
    if st.query_params.get(FILM) != image_id:
        st.query_params[FILM] = image_id


def step_film(catalog: Catalog, places: npt.NDArray[np.int64], step: int) -> None:
    """Goes ``step`` films on or back in ``places``, from the film that was chosen last.

    Not from the film that was drawn last: two quick presses of a key then are two steps, even where the page had no time
    to draw the film between.
    """
    chosen = catalog.place_of(st.session_state.get(f"_{FILM}", ""))
    position = int(np.searchsorted(places, chosen)) if chosen is not None else 0
    place = int(places[min(max(position + step, 0), len(places) - 1)])
    choose_film(str(catalog.images["image_id"].iloc[place]))


def film_position(catalog: Catalog, places: npt.NDArray[np.int64]) -> tuple[int, str | None]:
    """Where the wanted film is in ``places`` (rows of ``catalog.images``, ascending, not empty), and a notice where it is not.

    The URL is asked first; where it says nothing, as after a page change, the film last looked at.
    """
    wanted = st.query_params.get(FILM) or st.session_state.get(f"_{FILM}")
    if wanted is None:
        return 0, None
    place = catalog.place_of(wanted)
    if place is None:
        return 0, f"There is no film {wanted} in this dataset; the first one is shown."
    position = int(np.searchsorted(places, place))
    if position < len(places) and places[position] == place:
        return position, None
    return 0, f"The filter leaves out the film {wanted}; the first film that matches is shown."
