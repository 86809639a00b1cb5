"""The datasets: what is configured, what was found against what was published, what is wrong, and a form to add one."""

from __future__ import annotations

import streamlit as st

from pages._ui.data import configuration, open_catalog, rebuild
from pages._ui.datasets.card import show_dataset
from pages._ui.datasets.form import show_form
from pages._ui.datasets.names import TITLES
from pages._ui.notices import show_notices
from radharmony_core.catalog import Catalog
from radharmony_core.config import KINDS, Config
from radharmony_core.errors import RadHarmonyError


def main() -> None:
    st.subheader("Datasets")
    try:
        config = configuration()
    except RadHarmonyError as error:
        show_notices([str(error), "Correct the file, or move it away and reload: then this page writes a new one."])
        show_form()
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Configuration: {config.path}")
        again = st.button("Rebuild", help="Forgets the tables that are kept, and builds them from the raw files.")
    try:
        if again:
            rebuild(config)
        _show(config, open_catalog(config))
    except RadHarmonyError as error:
        show_notices(["The datasets cannot be read.", str(error)])
    show_form()


def _show(config: Config, catalog: Catalog) -> None:
    for status in catalog.datasets:
        show_dataset(status, catalog.issues[(catalog.issues["dataset"] == status.kind).to_numpy()])
    missing = [kind for kind in KINDS if kind not in config.datasets]
    if missing:
        st.text(f"Not configured: {', '.join(TITLES[kind] for kind in missing)}. The form below adds a dataset.")


main()
