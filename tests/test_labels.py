"""Labels: names as in the file, and no two drawn alike, in colour or without it."""

from __future__ import annotations

import itertools

import pytest

from radharmony_core.labels import MS_CXR_CATEGORIES, UNKNOWN_STYLE, column_of, style_of


def test_the_eight_categories_of_ms_cxr() -> None:
    names = "Atelectasis,Cardiomegaly,Consolidation,Edema,Lung Opacity,Pleural Effusion,Pneumonia,Pneumothorax"
    assert ",".join(MS_CXR_CATEGORIES) == names


@pytest.mark.parametrize(("label", "column"), [("Edema", "edema"), ("Lung Opacity", "lung_opacity"), ("", "")])
def test_column_names(label: str, column: str) -> None:
    assert column_of(label) == column


def test_no_two_labels_share_a_colour_a_dash_or_letters() -> None:
    styles = [style_of(label) for label in MS_CXR_CATEGORIES] + [UNKNOWN_STYLE]
    for a, b in itertools.combinations(styles, 2):
        assert a.color != b.color
        assert a.dash != b.dash
        assert a.letters != b.letters


def relative_luminance(color: str) -> float:
    """WCAG 2.2's definition, from #rrggbb."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("label", [*MS_CXR_CATEGORIES, "another"])
def test_colours_stand_out_on_the_page(label: str) -> None:
    page = relative_luminance("#131a22")
    contrast = (relative_luminance(style_of(label).color) + 0.05) / (page + 0.05)
    assert contrast >= 4.5, "WCAG 2.2 AA for text: letters are written in the label's colour"


def test_a_label_that_is_not_known_is_drawn_as_such() -> None:
    assert style_of("Fracture") == UNKNOWN_STYLE
