"""Adding or changing a dataset: paths are looked at while they are typed, and written to the configuration on a press."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages._ui.data import own_config
from pages._ui.datasets.card import shortened
from pages._ui.datasets.names import HELP, TITLES
from pages._ui.notices import show_notices
from radharmony_core.catalog import look_at
from radharmony_core.config import (
    KINDS,
    Config,
    load_config,
    remove_dataset,
    settings_as_typed,
    settings_in_full,
    write_dataset,
)
from radharmony_core.errors import RadHarmonyError

__all__ = ["show_form"]

_SAID, _SEEN = "_datasets_said", "_datasets_seen"


def show_form() -> None:
    """Nothing where the configuration cannot be read: what a person wrote by hand is not overwritten."""
    show_notices(st.session_state.pop(_SAID, []))
    try:
        target = own_config()
        config = load_config(target) if target.is_file() else Config(target, {})
    except (RadHarmonyError, OSError):
        return  # said above, where the configuration is shown
    with st.container(border=True):
        _form(config)


def _form(config: Config) -> None:
    kind = st.selectbox("Add or change a dataset", list(KINDS), format_func=TITLES.__getitem__, key="dataset_kind")
    now = settings_as_typed(config.path, kind)
    seen = st.session_state.setdefault(_SEEN, {}).setdefault(kind, now)
    typed = {name: _path_input(kind, name, seen.get(name, "")) for name in KINDS[kind]}
    settings = {name: value.strip() for name, value in typed.items() if value and value.strip()}
    sound = _look(config, kind, settings)
    with st.container(horizontal=True):
        st.button(
            "Save", disabled=not sound or settings == now, on_click=_save, args=(config.path, kind, settings), type="primary"
        )
        st.button("Take out", disabled=not now, on_click=_remove, args=(config.path, kind), help="The files stay where they are.")
    st.text(f"Written to {config.path}")


def _path_input(kind: str, name: str, now: str) -> str | None:
    hint = HELP[kind][name]
    return st.text_input(name, now, placeholder=hint, help=hint, key=f"{kind}.{name}", live=True)


def _look(config: Config, kind: str, settings: dict[str, str]) -> bool:
    """Says what the paths lead to, and whether that can be read."""
    if not settings:
        st.text("Type a path: it is looked at while you type. ~ and environment variables may stand in it.")
        return False
    try:
        full = settings_in_full(config.path, kind, settings)
        found = look_at(Config(config.path, {**config.datasets, kind: full}), kind)
    except RadHarmonyError as error:
        show_notices([str(error)])
        return False
    st.text("\n".join(["Found:", *(f"    {path}" for path in shortened(found))]))
    return True


def _save(target: Path, kind: str, settings: dict[str, str]) -> None:
    """Writes what was typed, unless another window has changed the file since the fields were filled."""
    try:
        if settings_as_typed(target, kind) != st.session_state[_SEEN].get(kind):
            said = (
                f"{TITLES[kind]} was changed in {target} meanwhile; nothing was written. The fields show what stands there now."
            )
        else:
            write_dataset(target, kind, settings)
            said = f"{TITLES[kind]} was written to {target}."
        _forget(kind)
        st.session_state[_SAID] = [said]
    except RadHarmonyError as error:
        st.session_state[_SAID] = [str(error)]


def _remove(target: Path, kind: str) -> None:
    try:
        remove_dataset(target, kind)
        _forget(kind)
        st.session_state[_SAID] = [f"{TITLES[kind]} was taken out of {target}; its files stay where they are."]
    except RadHarmonyError as error:
        st.session_state[_SAID] = [str(error)]


def _forget(kind: str) -> None:
    """The fields are filled anew from the file."""
    st.session_state[_SEEN].pop(kind, None)
    for name in KINDS[kind]:
        st.session_state.pop(f"{kind}.{name}", None)
