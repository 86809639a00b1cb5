"""What the French reports say: of the finding they are about, and never the contrary."""

from __future__ import annotations

import random
import re

import pytest

from radharmony_core.demo.casia import COUNTS
from radharmony_core.demo.casia.french import Text, texts_of

CLASSES = sorted(COUNTS)
DENIALS = {  # what a report of the class must not deny
    "Cardiomegaly": r"(cardiaque de taille normale|cardio-thoracique normal)",
    "Mass": r"(pas de foyer|absence d’opacité|sommets libres)",
    "PleuralEffusion": r"(absence d’|pas d’)[ée]panchement|culs-de-sac pleuraux libres",
    "Pneumonia": r"(pas de foyer|absence d’opacité)",
    "Pneumothorax": r"(absence de pneumothorax|sommets libres)",
}


@pytest.fixture(scope="module", params=CLASSES)
def texts(request: pytest.FixtureRequest) -> tuple[str, list[Text]]:
    return request.param, texts_of(request.param, 150, random.Random(1))  # noqa: S311


def test_as_many_different_texts_as_are_asked_for(texts: tuple[str, list[Text]]) -> None:
    assert len({text.findings for text in texts[1]}) == len(texts[1]) == 150


def test_no_report_denies_what_it_is_about(texts: tuple[str, list[Text]]) -> None:
    name, found = texts
    for text in found:
        assert not re.search(DENIALS[name], text.findings, re.IGNORECASE), text
        if any(finding.category == "Pleural Effusion" for finding in text.shown):
            assert not re.search(DENIALS["PleuralEffusion"], text.findings, re.IGNORECASE), text


def test_the_side_in_the_words_is_the_side_on_the_film(texts: tuple[str, list[Text]]) -> None:
    sided = 0
    for text in texts[1]:
        first, side = text.findings.split("./")[0], text.shown[0].side
        words = set(re.findall(r"\b(droite?|gauche|bilatéral)\b", first))
        expected = {-1: {"droit", "droite"}, 1: {"gauche"}, 0: {"bilatéral"}}[side]
        assert words <= expected, text
        sided += bool(words)
    assert sided > 100 or texts[0] == "Cardiomegaly"


def test_texts_have_the_signs_of_the_real_ones() -> None:
    cells = [text.findings for name in CLASSES for text in texts_of(name, 150, random.Random(2))]  # noqa: S311
    for sign, reason in [
        (r"\./\S", "sentences are joined by ./"), (r"[^.]/$", "some cells end in a bare /"), (r"\./$", "others in ./"),
        (r"[a-z]$", "others in nothing"), ("’", "U+2019"), ("Épanchement", "accents on capitals"),
        ("Epanchement", "which come and go"), ("œ|Œ", "a ligature"), ("possible|pouvant", "what is uncertain"),
        (r"\b(Absence|Pas) d", "what is denied"),
    ]:  # fmt: skip
        assert any(re.search(sign, cell) for cell in cells), reason
    assert not any("'" in cell for cell in cells)


def test_a_mass_is_as_large_on_the_film_as_in_the_words() -> None:
    found = texts_of("Mass", 150, random.Random(3))  # noqa: S311
    sizes = {match[1]: text.shown[0].size for text in found if (match := re.search(r"environ (\d+) mm", text.findings))}
    assert sizes == {"35": 0.1, "45": 0.5, "55": 0.9}, "twice 1.6 cm, and twice 1.3 cm times the size more"
