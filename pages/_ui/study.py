"""What else is known of the film's study: what each labeler says, its other views, the patient's earlier and later studies."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from pages._ui.films import thumbnails_of
from pages._ui.notices import counted
from pages._ui.state import jump_to
from radharmony_core.catalog import Catalog, label_word
from radharmony_core.catalog.labels import NO_ROW
from radharmony_core.labels import CHEXPERT_LABELS, MS_CXR_CATEGORIES, NOT_MENTIONED, column_of

__all__ = ["show_study"]

_LABELERS = {"chexpert": "CheXpert", "negbio": "NegBio", "casia": "CASIA-CXR"}
_MOST_STUDIES = 40
_MOST_PICTURES = 24
_PICTURE = 128  # pixels
_NO_ROW = label_word(NO_ROW)


def show_study(catalog: Catalog, place: int, result: npt.NDArray[np.int64]) -> None:
    """Folded away below the film; nothing where only the annotations are known. ``result``: the places the filter leaves."""
    study = int(catalog.images["study"].iloc[place])
    if study < 0:
        return
    views, studies = catalog.images_of_study(study), catalog.studies_of_patient(study)
    labels = label_table(catalog, place)
    if labels.empty and len(views) == 1 and len(studies) == 1:
        return
    # One heading for every film: with another one Streamlit would fold the panel at the next film.
    panel = st.expander("Labels, views and other studies", key="study_panel", on_change="rerun")
    if not panel.open:  # what is folded away costs nothing: a patient may have had seventy studies
        return
    with panel:
        st.text(f"{counted(len(views), 'view')} of this study, {counted(len(studies), 'study', 'studies')} of this patient")
        if not labels.empty:
            st.dataframe(labels, hide_index=True, width="content", height="content")
        else:
            st.text(_silence(catalog, place))
        _show_films("Views of this study", catalog, views, place, result)
        _show_studies(catalog, studies, study, result)


def label_table(catalog: Catalog, place: int) -> pd.DataFrame:
    """The labels that anyone speaks of. MS-CXR's *not annotated* is not *negative*, and a cell that cannot be used or a study
    that a labeler's file does not have is not *not mentioned*: each has words of its own."""
    study, french = int(catalog.images["study"].iloc[place]), bool(catalog.images["casia_cxr"].iloc[place])
    said = {name: catalog.labels_of_study(study, name) for name in catalog.labels if (name == "casia") == french}
    table = pd.DataFrame({"Label": CHEXPERT_LABELS})
    for labeler, codes in said.items():
        table[_LABELERS[labeler]] = [label_word(codes[column_of(name)]) for name in CHEXPERT_LABELS]
    if bool(catalog.images["ms_cxr"].iloc[place]):
        annotated = set(catalog.boxes["label"].to_numpy()[catalog.boxes["image"].to_numpy() == place])
        words = {name: "annotated" if name in annotated else "not annotated" for name in MS_CXR_CATEGORIES}
        table["MS-CXR"] = [words.get(name, "not one of its labels") for name in CHEXPERT_LABELS]
    if not said:
        return table[:0]
    silent = table.drop(columns="Label").isin([NOT_MENTIONED, _NO_ROW, "not annotated", "not one of its labels"]).all(axis=1)
    return table[~silent].reset_index(drop=True)


def _silence(catalog: Catalog, place: int) -> str:
    """Why there is no label to show."""
    study, french = int(catalog.images["study"].iloc[place]), bool(catalog.images["casia_cxr"].iloc[place])
    asked = [name for name in catalog.labels if (name == "casia") == french]
    without = [_LABELERS[name] for name in asked if label_word(int(catalog.labels[name][0, study])) == _NO_ROW]
    if without:
        return f"No row for this study in the file of {' and '.join(without)}."
    return "No labeler mentions a finding in this study." if asked else "No table of labels is configured."


def _show_films(title: str, catalog: Catalog, places: npt.NDArray[np.int64], here: int, result: npt.NDArray[np.int64]) -> None:
    """A button a film: its view and its boxes; the one that is shown cannot be pressed. Small pictures where they are few."""
    small = thumbnails_of(catalog, places.tolist()) if here >= 0 and len(places) <= _MOST_PICTURES else {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text(title)
        for place in places.tolist():
            image = catalog.images.iloc[place]
            view = _view_name(image["view_position"])
            boxes = f", {counted(int(image['boxes']), 'box', 'boxes')}" if image["boxes"] else ""
            in_result = bool(np.isin(place, result, assume_unique=True))
            name = str(image["image_id"])
            with st.container(width="content", gap="xsmall"):
                if place in small:
                    st.image(small[place], width=_PICTURE, alt=f"Chest X-ray {name}, small")
                st.button(f"{view}{boxes}", key=f"film-{name}", disabled=place == here, on_click=jump_to, args=(name, in_result))


def _view_name(view: object) -> str:
    """A button's text is read as Markdown, so a view that is not plain capitals is not quoted."""
    if not isinstance(view, str):
        return "no view given"
    return view if re.fullmatch(r"[A-Z][A-Z ]*", view) else "another view"


def _show_studies(catalog: Catalog, studies: npt.NDArray[np.int64], here: int, result: npt.NDArray[np.int64]) -> None:
    """The patient's studies in the order of their dates, which are shifted: only the days between them are true."""
    if len(studies) < 2:
        return
    now = int(np.flatnonzero(studies == here)[0])
    first = max(0, min(now - _MOST_STUDIES // 2, len(studies) - _MOST_STUDIES))
    for number, study in enumerate(studies[first : first + _MOST_STUDIES].tolist(), start=first):
        if study != here:
            title = f"Study {catalog.studies['study_id'].iloc[study]}, {_apart(catalog, study, here, number < now)}"
            _show_films(title, catalog, catalog.images_of_study(study), -1, result)
    if len(studies) > _MOST_STUDIES:
        st.caption(f"{_MOST_STUDIES} of {len(studies)} studies, the nearest to this one.")


def _apart(catalog: Catalog, study: int, here: int, before: bool) -> str:
    """How many days of the calendar lie between two studies."""
    there, now = (catalog.studies["study_datetime"].iloc[place] for place in (study, here))
    if pd.isna(there) or pd.isna(now):
        return "no date"
    days = abs((there.normalize() - now.normalize()).days)
    return f"{counted(days, 'day') if days else 'the same day,'} {'earlier' if before else 'later'}"
