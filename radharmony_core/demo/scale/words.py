"""Sentences for every label and state, each naming its own label and no other.

So the report of a study says what its labels say, and nothing about a label that is not mentioned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from radharmony_core.demo.extras import DEVICES
from radharmony_core.demo.findings import Finding
from radharmony_core.demo.scenarios import SCENARIOS, phrases_of, sentences_of
from radharmony_core.labels import CHEXPERT_LABELS

__all__ = ["ASIDES", "FIRST", "NORMAL", "UNCHANGED", "Saying", "denials", "mentioned", "sayings"]

NORMAL = (
    "No acute cardiopulmonary process.", "No acute intrathoracic abnormality.", "Normal chest radiograph.",
    "No evidence of acute cardiopulmonary disease.",
)  # fmt: skip
UNCHANGED = ("As compared to the previous radiograph, there is no relevant change.", "No significant interval change.")
FIRST = "Radiograph obtained for documentation only."  # where there is nothing to say, and nothing to compare with

ASIDES = (  # what reports also say, about no label
    "Lung volumes are low, which accentuates the bronchovascular markings.",
    "The thoracic aorta is tortuous and mildly calcified.",
    "The trachea is midline and the carina is not splayed.",
    "The hila are unremarkable in size and configuration.",
    "The imaged portion of the upper abdomen is unremarkable.",
    "Degenerative changes are noted along the thoracic spine.",
    "Bony structures are diffusely demineralized.",
    "The patient is rotated to the right, which limits the assessment of the apices.",
    "No free air is seen below the hemidiaphragms.",
    "There is mild elevation of the right hemidiaphragm, of no clinical significance.",
    "Soft tissues of the chest wall are unremarkable.",
    "Mild scoliosis of the thoracic spine is noted.",
    "The azygos contour is unremarkable.",
)

_NAMED_BY = {
    "Atelectasis": r"atelecta", "Cardiomegaly": r"cardiomegaly|cardiac silhouette|\bheart\b", "Consolidation": r"consolidat",
    "Edema": r"edema", "Enlarged Cardiomediastinum": r"mediastin", "Fracture": r"fracture",
    "Lung Lesion": r"nodule|\bmass\b|lesion", "Lung Opacity": r"opaci", "Pleural Effusion": r"effusion|pleural fluid",
    "Pleural Other": r"pleural (thickening|scarring)", "Pneumonia": r"pneumonia", "Pneumothorax": r"pneumothora",
    "Support Devices": r"pacemaker|tube\b|catheter|\bwires\b",
}  # fmt: skip
_UNSURE = re.compile(r"concerning|likely|may represent|possible|suspected")
_HEDGES = ("Possible {p}.", "{P} cannot be excluded.", "Findings are suspicious for {p}.", "Suspected {p}.")

_SIDES, _ZONES = ("right", "left"), ("upper lobe", "mid lung", "lower lobe")
_GRADES = ("mild", "moderate", "marked")
_MORE: dict[str, tuple[str, ...]] = {  # phrases for what MS-CXR has no category for
    "Enlarged Cardiomediastinum": tuple(
        f"{grade} {what}" for grade in _GRADES for what in ("mediastinal widening", "widening of the upper mediastinum")
    ),
    "Fracture": (
        *(f"{age} {side} rib fracture" for age in ("healed", "acute", "nondisplaced") for side in _SIDES),
        "compression fracture of a mid thoracic vertebra",
    ),
    "Lung Lesion": tuple(
        f"{size} {what} in the {side} {zone}"
        for size in ("6-mm", "1.5-cm", "large")
        for what in ("nodule", "mass")
        for side in _SIDES
        for zone in _ZONES
    ),
    "Pleural Other": tuple(
        f"{side} {what}" for side in (*_SIDES, "biapical") for what in ("pleural thickening", "pleural scarring")
    ),
}
_DEVICES_UNSURE = ("Possible retained catheter fragment.", "A feeding tube cannot be excluded on this view.")

_ABSENT = {  # as one item of a list of what is not there
    "Atelectasis": "atelectasis",
    "Consolidation": "focal consolidation",
    "Edema": "pulmonary edema",
    "Fracture": "acute fracture",
    "Lung Lesion": "suspicious nodule",
    "Lung Opacity": "focal opacity",
    "Pleural Effusion": "pleural effusion",
    "Pleural Other": "pleural thickening",
    "Pneumonia": "evidence of pneumonia",
    "Pneumothorax": "pneumothorax",
}
_NORMAL_PARTS = {
    "Cardiomegaly": ("The heart size is normal.", "The cardiac silhouette is not enlarged."),
    "Enlarged Cardiomediastinum": ("The mediastinal contours are normal.", "The mediastinum is not widened."),
    "Support Devices": ("The endotracheal tube has been removed.", "The central venous catheter is no longer seen."),
}
_LISTS = ("There is no {0}.", "No {0} is seen.", "There is no {0}.", "No {0}.")


@dataclass(frozen=True, slots=True)
class Saying:
    """One way to say one state of one label: ``phrase`` stands word for word in ``sentence``, but for its first letter's case.
    ``finding`` is what a film of it would show, for the categories of MS-CXR."""

    phrase: str
    sentence: str
    finding: Finding | None = None


def mentioned(text: str) -> set[str]:
    """The labels that ``text`` names, whatever it says of them."""
    return {label for label, words in _NAMED_BY.items() if re.search(words, text, re.IGNORECASE)}


def _findings(category: str) -> Iterator[Finding]:
    """Every finding of the category that a scenario has, and the two-sided ones beside them."""
    kinds = dict.fromkeys(kind for scenario in SCENARIOS for kind in scenario if kind.category == category)
    for kind in kinds:
        both = (0,) if category in ("Consolidation", "Pneumonia") else ()
        for side in dict.fromkeys((*kind.sides, *both)):
            for zone in kind.zones:
                for size in (0.1, 0.5, 0.9):
                    yield Finding(category, side, zone, size, kind.form)


def _of_findings(category: str) -> Iterator[Saying]:
    """Without the words that make a state uncertain or name a second label."""
    for finding in _findings(category):
        for phrase in phrases_of(finding):
            if mentioned(phrase) == {category} and not _UNSURE.search(phrase):
                yield from (Saying(phrase, sentence, finding) for sentence in sentences_of(finding, phrase))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _positive(label: str) -> Iterator[Saying]:
    if label == "Support Devices":
        yield from (Saying(sentence.removesuffix("."), sentence) for sentence in DEVICES.values())
    elif label in _MORE:
        for phrase in _MORE[label]:
            yield Saying(phrase, f"{_capital(phrase)}.")
            yield Saying(phrase, f"{_capital(phrase)} is noted.")
    else:
        yield from _of_findings(label)


@cache
def sayings(label: str, state: int) -> tuple[Saying, ...]:
    """All ways to say that ``label`` is positive (1) or uncertain (-1), each once."""
    if state == 1:
        return tuple(dict.fromkeys(_positive(label)))
    if label == "Support Devices":
        return tuple(Saying(one.removesuffix("."), one) for one in _DEVICES_UNSURE)
    short = dict.fromkeys((one.phrase, one.finding) for one in sayings(label, 1) if "," not in one.phrase)
    return tuple(
        Saying(phrase, hedge.format(p=phrase, P=_capital(phrase)), finding) for phrase, finding in short for hedge in _HEDGES
    )


@cache
def denials(mask: int, form: int) -> str:
    """Sentences that deny the labels whose bits are set (bit 0 is CheXpert's first label), one of four forms; "" for none."""
    labels = [label for place, label in enumerate(CHEXPERT_LABELS) if mask >> place & 1]
    items = [_ABSENT[label] for label in labels if label in _ABSENT]
    parts = [_NORMAL_PARTS[label][form % 2] for label in labels if label in _NORMAL_PARTS]
    if form == 3:
        parts += [_LISTS[form].format(item) for item in items]
    elif items:
        last = items[-1] if len(items) == 1 else f"{', '.join(items[:-1])}{',' if len(items) > 2 else ''} or {items[-1]}"
        parts.insert(0, _LISTS[form].format(last))
    return " ".join(parts)
