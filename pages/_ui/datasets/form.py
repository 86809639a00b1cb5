"""Adding or changing a dataset: paths are looked at while they are typed, and written to the configuration on a press."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages._ui.data import own_config
from pages._ui.datasets.names import HELP, TITLES
from pages._ui.notices import show_notices
from radharmony_core.catalog import inputs_of
from radharmony_core.config import KINDS, Config, remove_dataset, settings_as_typed, settings_in_full, write_dataset
from radharmony_core.errors import RadHarmonyError

__all__ = ["show_form"]

_SAID = "_datasets_said"


def show_form(config: Config | None) -> None:
    """``config`` is None where none can be read. What was written shows at the next run, which follows at once."""
    show_notices(st.session_state.pop(_SAID, []))
    try:
        target = own_config()
        with st.container(border=True):
            _form(config, target)
    except RadHarmonyError as error:
        show_notices([str(error)])


def _form(config: Config | None, target: Path) -> None:
    kind = st.selectbox("Add or change a dataset", list(KINDS), format_func=TITLES.__getitem__, key="dataset_kind")
    now = settings_as_typed(target, kind)
    typed = {name: _path_input(kind, name, now.get(name, "")) for name in KINDS[kind]}
    settings = {name: value.strip() for name, value in typed.items() if value and value.strip()}
    sound = _look(config, target, kind, settings)
    with st.container(horizontal=True):
        st.button("Save", disabled=not sound or settings == now, on_click=_save, args=(target, kind, settings), type="primary")
        st.button("Take out", disabled=not now, on_click=_remove, args=(target, kind), help="The files stay where they are.")
    st.text(f"Written to {target}")


def _path_input(kind: str, name: str, now: str) -> str | None:
    hint = HELP[kind][name]
    return st.text_input(name, now, placeholder=hint, help=hint, key=f"{kind}.{name}", live=True)


def _look(config: Config | None, target: Path, kind: str, settings: dict[str, str]) -> bool:
    """Says what the paths lead to, and whether that can be read."""
    if not settings:
        st.text("Type a path: it is looked at while you type. ~ and environment variables may stand in it.")
        return False
    try:
        full = settings_in_full(target, kind, settings)
        others = {} if config is None or config.path != target else config.datasets
        found = inputs_of(Config(target, {**others, kind: full}), kind)
    except RadHarmonyError as error:
        show_notices([str(error)])
        return False
    st.text("\n".join(["Found:", *(f"    {path}" for path in found)]))
    return True


def _save(target: Path, kind: str, settings: dict[str, str]) -> None:
    try:
        write_dataset(target, kind, settings)
        st.session_state[_SAID] = [f"{TITLES[kind]} was written to {target}."]
    except RadHarmonyError as error:
        st.session_state[_SAID] = [str(error)]


def _remove(target: Path, kind: str) -> None:
    try:
        remove_dataset(target, kind)
        for name in KINDS[kind]:
            st.session_state.pop(f"{kind}.{name}", None)
        st.session_state[_SAID] = [f"{TITLES[kind]} was taken out of {target}; its files stay where they are."]
    except RadHarmonyError as error:
        st.session_state[_SAID] = [str(error)]
