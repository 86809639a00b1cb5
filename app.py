"""RadHarmony: page set-up and navigation, nothing else. Start it with ``python3 run.py``."""

import streamlit as st

from pages._ui.layout import use_whole_width

st.set_page_config(page_title="RadHarmony", layout="wide", initial_sidebar_state="auto")
use_whole_width()
st.navigation([st.Page("pages/viewer.py", title="Viewer", default=True), st.Page("pages/datasets.py", title="Datasets")]).run()
