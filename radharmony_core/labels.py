"""The findings: their names in each source, the four states a label can have, and how a box of each is drawn.

MS-CXR's names as in its file: https://physionet.org/content/ms-cxr/ (column ``category_name``). The fourteen are CheXpert's, in
the order of MIMIC-CXR-JPG's files: https://physionet.org/content/mimic-cxr-jpg/2.1.0/. Colours follow the Okabe-Ito palette,
made for colour-blind readers, lightened where it must stand on a dark film; a dash and a letter stand beside each, so that
colour never speaks alone.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "CASIA_CLASSES",
    "CASIA_LOCAL_LABELS",
    "CHEXPERT_LABELS",
    "FRENCH_NAMES",
    "LABEL_STATES",
    "MS_CXR_CATEGORIES",
    "NOT_MENTIONED",
    "OTHER_NAMES",
    "UNKNOWN_STYLE",
    "LabelStyle",
    "column_of",
    "style_of",
]

MS_CXR_CATEGORIES: tuple[str, ...] = (
    "Atelectasis",
    "Cardiomegaly",
    "Consolidation",
    "Edema",
    "Lung Opacity",
    "Pleural Effusion",
    "Pneumonia",
    "Pneumothorax",
)

CHEXPERT_LABELS: tuple[str, ...] = (
    "Atelectasis",
    "Cardiomegaly",
    "Consolidation",
    "Edema",
    "Enlarged Cardiomediastinum",
    "Fracture",
    "Lung Lesion",
    "Lung Opacity",
    "No Finding",
    "Pleural Effusion",
    "Pleural Other",
    "Pneumonia",
    "Pneumothorax",
    "Support Devices",
)

LABEL_STATES: dict[int, str] = {1: "positive", 0: "negative", -1: "uncertain"}
NOT_MENTIONED = "not mentioned"  # the fourth state, a missing value in a table: it is not "negative"

OTHER_NAMES: dict[str, str] = {"Airspace Opacity": "Lung Opacity"}  # as MIMIC-CXR-JPG's test-set file calls it

# CASIA-CXR's folders, and its list of local labels, with the common finding that means the same; None where none does. As
# CheXpert's mention lists have it, infiltration is an opacity, a cavity a lesion, and pleural thickening "Pleural Other".
CASIA_CLASSES: dict[str, str] = {
    "Cardiomegaly": "Cardiomegaly",
    "Mass": "Lung Lesion",
    "PleuralEffusion": "Pleural Effusion",
    "Pneumonia": "Pneumonia",
    "Pneumothorax": "Pneumothorax",
}
CASIA_LOCAL_LABELS: dict[str, str | None] = {
    "Apical Hypercarbia": None,
    "Atelectasis": "Atelectasis",
    "Bilateral Hilar": None,
    "Calcification": None,
    "Cardiopathy": None,
    "Dyspnea": None,
    "Edema": "Edema",
    "Emphysema": None,
    "Enlargement AP": None,
    "Enlargement PA": None,
    "Fracture": "Fracture",
    "Hypertrophy": None,
    "Infiltration": "Lung Opacity",
    "Lung Tumor": "Lung Lesion",
    "Mediastinal": None,
    "Oval Opacity": "Lung Opacity",
    "Pleural Thickening": "Pleural Other",
    "Pulmonary Cavity": "Lung Lesion",
    "Pulmonary Opacity": "Lung Opacity",
    "Tuberculosis": None,
}

FRENCH_NAMES: dict[str, str] = {
    "Atelectasis": "Atélectasie",
    "Cardiomegaly": "Cardiomégalie",
    "Consolidation": "Condensation",
    "Edema": "Œdème",
    "Enlarged Cardiomediastinum": "Élargissement cardio-médiastinal",
    "Fracture": "Fracture",
    "Lung Lesion": "Lésion pulmonaire",
    "Lung Opacity": "Opacité pulmonaire",
    "No Finding": "Aucune anomalie",
    "Pleural Effusion": "Épanchement pleural",
    "Pleural Other": "Autre anomalie pleurale",
    "Pneumonia": "Pneumonie",
    "Pneumothorax": "Pneumothorax",
    "Support Devices": "Dispositif médical",
}


@dataclass(frozen=True, slots=True)
class LabelStyle:
    """How a label's boxes are drawn.

    ``color`` is ``#rrggbb``; ``dash`` a run of on and off lengths in screen pixels, empty for a solid line; ``letters``
    stands in the box's tag, so that no two labels look alike in gray.
    """

    color: str
    dash: tuple[int, ...]
    letters: str


_STYLES: dict[str, LabelStyle] = {
    "Atelectasis": LabelStyle("#56b4e9", (), "At"),
    "Cardiomegaly": LabelStyle("#e69f00", (12, 4), "Ca"),
    "Consolidation": LabelStyle("#2fc79a", (4, 4), "Co"),
    "Edema": LabelStyle("#f0e442", (12, 4, 3, 4), "Ed"),
    "Lung Opacity": LabelStyle("#e58fc0", (8, 6), "Op"),
    "Pleural Effusion": LabelStyle("#6ea8ff", (16, 4, 3, 4, 3, 4), "Ef"),
    "Pneumonia": LabelStyle("#ff7f50", (3, 5), "Pn"),
    "Pneumothorax": LabelStyle("#c9b6ff", (22, 6), "Px"),
}

UNKNOWN_STYLE = LabelStyle("#ffffff", (1, 3), "?")


def column_of(label: str) -> str:
    """The snake_case column of a label: ``Lung Opacity`` -> ``lung_opacity``."""
    return label.lower().replace(" ", "_")


def style_of(label: str) -> LabelStyle:
    """How boxes of ``label`` are drawn; a label that is not known gets white dots and a question mark."""
    return _STYLES.get(label, UNKNOWN_STYLE)
