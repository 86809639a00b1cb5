"""The findings that MS-CXR annotates, and how each is drawn: a colour, a dash and a letter, so that colour never speaks alone.

Names as in the file: https://physionet.org/content/ms-cxr/ (column ``category_name``). Colours follow the Okabe-Ito palette,
made for colour-blind readers, lightened where it must stand on a dark film.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MS_CXR_CATEGORIES", "UNKNOWN_STYLE", "LabelStyle", "column_of", "style_of"]

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
