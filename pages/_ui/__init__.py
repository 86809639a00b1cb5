"""What pages share: state and URL, the only Streamlit caches, filter widgets, the film viewer."""
