"""The core of RadHarmony: harmonized tables of annotated chest X-rays, without Streamlit and usable from a notebook."""
