"""How a film is looked at: its window, inverted or not, with local contrast or not, from which file. All of it is in the URL.

The viewer asks for a look by an event; a link asks by its parameters. A preset, as *auto*, goes along to the next film; a
window set by hand is in one film's units and stays with that film.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages._ui.state import FILM, is_asked_for
from radharmony_core.images import Window
from radharmony_core.images.display.voi import FUNCTIONS

__all__ = ["DEFAULT", "USUAL", "Look", "ask_look", "current_look", "last_wish", "settle_look", "wanted_extra"]

DEFAULT = "default"
_ASKED, _LOOK, _FILM = "_asked_look", "_look", "_look_film"
_EXTRA, _WISH = "_look_extra", "_look_wish"
_LONGEST = 100  # characters of a window's name in a link
_LARGEST = 1e12  # in a film's units: no film has values like that


@dataclass(frozen=True, slots=True)
class Look:
    """``window`` is a preset's key, or set by hand: ``center,width``, and the function where it is not LINEAR. ``file`` is the
    dataset whose file is shown, "" for the first."""

    window: str = DEFAULT
    invert: bool = False
    local_contrast: bool = False
    file: str = ""

    @property
    def by_hand(self) -> Window | None:
        """The window, where it was set by hand."""
        center, _, rest = self.window.partition(",")
        width, _, function = rest.partition(",")
        try:
            window = Window(float(center), float(width), function or "LINEAR")
        except ValueError:
            return None
        is_known = window.function in FUNCTIONS and max(abs(window.center), window.width) <= _LARGEST
        return window if is_known and window.is_usable else None

    def parameters(self) -> dict[str, str]:
        """The URL parameters that differ from the usual look."""
        told = {
            "window": self.window if self.window != DEFAULT else "",
            "invert": "1" if self.invert else "",
            "contrast": "1" if self.local_contrast else "",
            "file": self.file,
        }
        return {name: value for name, value in told.items() if value}

    def for_another_film(self) -> Look:
        """A preset goes along; a window set by hand is meant for the values of its film."""
        return replace(self, window=DEFAULT) if self.by_hand is not None else self


USUAL = Look()
_PARAMETERS = ("window", "invert", "contrast", "file")


def ask_look(asked: Mapping[str, Any]) -> None:
    """Notes what the viewer asks for: ``film`` (its id), ``look`` (where it changes it) and ``extra`` (what it needs besides).
    ``number`` is its running number, told back so that the viewer knows which of its wishes have been heard."""
    film = str(asked.get("film", ""))
    st.session_state[_WISH] = asked.get("number", 0)
    if "look" in asked:
        st.session_state[_ASKED] = (film, _from_viewer(asked["look"]))
    if asked.get("extra"):
        st.session_state[_EXTRA] = (film, str(asked["extra"]))


def _from_viewer(told: Mapping[str, Any]) -> Look:
    window = told.get("window", DEFAULT)
    if isinstance(window, (list, tuple)):
        numbers = [f"{number:.10g}" for number in window[:2] if isinstance(number, (int, float))]
        function = [str(word) for word in window[2:3] if word in FUNCTIONS and word != "LINEAR"]
        window = ",".join((*numbers, *function)) if len(numbers) == 2 else DEFAULT
    file = str(told.get("file", ""))
    return Look(str(window)[:_LONGEST], bool(told.get("invert")), bool(told.get("contrast")), file[:_LONGEST])


def wanted_extra(image_id: str) -> str:
    """What the viewer needs besides the picture of this film, once: ``codes``, ``native`` or ``agreement``; "" for nothing."""
    film, extra = st.session_state.pop(_EXTRA, ("", ""))
    return str(extra) if film == image_id else ""


def last_wish() -> int:
    """The number of the viewer's wish that was heard last."""
    wish = st.session_state.get(_WISH, 0)
    return wish if isinstance(wish, int) else 0


def settle_look(look: Look) -> None:
    """What the film really offers, where it is not what was asked for: a window of another film is not carried along."""
    if look != st.session_state.get(_LOOK):
        st.session_state[_LOOK] = look
        _write(look)


def current_look(image_id: str) -> Look:
    """The look for this film, written into the URL. What the viewer has just asked for leads. A run that nobody asked for by
    the viewer or a button follows the URL, as after the Back button, unless that names no film, as after a change of page."""
    seen = {name: st.query_params.get(name, "") for name in _PARAMETERS}
    look, last = st.session_state.get(_LOOK), st.session_state.get(_FILM, image_id)
    asked, now = st.session_state.pop(_ASKED, None), look.parameters() if look is not None else {}
    if asked is not None and asked[0] == last:
        look = asked[1]
    elif look is None:
        look = _from_url(seen)
    elif FILM in st.query_params and not is_asked_for() and {name: told for name, told in seen.items() if told} != now:
        look, last = _from_url(seen), image_id
    if last != image_id:
        look = look.for_another_film()
    st.session_state[_LOOK], st.session_state[_FILM] = look, image_id
    _write(look)
    return look


def _from_url(told: Mapping[str, str]) -> Look:
    return Look(told["window"][:_LONGEST] or DEFAULT, told["invert"] == "1", told["contrast"] == "1", told["file"][:_LONGEST])


def _write(look: Look) -> None:
    parameters = look.parameters()
    for name in _PARAMETERS:
        if name in parameters:
            st.query_params[name] = parameters[name]
        elif name in st.query_params:
            del st.query_params[name]
