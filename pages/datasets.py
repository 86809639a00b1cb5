"""The datasets: what is configured, what was found against what was published, what is wrong, and a form to add one."""

from __future__ import annotations

import streamlit as st

from pages._ui.data import configuration, open_catalog, rebuild
from pages._ui.datasets.card import show_dataset
from pages._ui.datasets.form import show_form
from pages._ui.notices import show_notices
from radharmony_core.catalog import Catalog
from radharmony_core.config import KINDS, Config
from radharmony_core.demo import is_demo
from radharmony_core.errors import RadHarmonyError


def main() -> None:
    st.subheader("Datasets")
    try:
        config = configuration()
    except RadHarmonyError as error:
        show_notices([str(error), "Correct the file, or write it anew with the form below."])
        show_form(None)
        return
    made_up = is_demo(config.path.parent)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Configuration: {config.path}" + (" (the demo: every film and every word is made up)" if made_up else ""))
        if st.button("Rebuild", help="Forgets the tables that are kept, and builds them from the raw files."):
            rebuild(config)
    try:
        _show(config, open_catalog(config), made_up)
    except RadHarmonyError as error:
        show_notices(["No dataset can be read.", str(error)])
    show_form(config)


def _show(config: Config, catalog: Catalog, made_up: bool) -> None:
    for status in catalog.datasets:
        show_dataset(status, catalog.issues[(catalog.issues["dataset"] == status.kind).to_numpy()], made_up)
    missing = [kind for kind in KINDS if kind not in config.datasets]
    if missing:
        st.text(f"Not configured: {', '.join(missing)}. The form below adds a dataset.")


main()
