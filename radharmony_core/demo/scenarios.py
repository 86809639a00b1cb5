"""What the made-up patients have: sets of findings that go together, and the words a report and an annotator find for each."""

from __future__ import annotations

import random
from dataclasses import dataclass

from radharmony_core.demo.findings import Finding

__all__ = ["SCENARIOS", "Kind", "Wording", "draw_findings", "phrases_of", "sentences_of", "wording"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A finding before chance has decided on its side, place and size."""

    category: str
    sides: tuple[int, ...] = (-1, 1)
    zones: tuple[str, ...] = ("",)
    form: str = ""


_HEART = Kind("Cardiomegaly", (0,))
_FLUID = Kind("Pleural Effusion", (-1, 1, 1, 0))
_AIR = Kind("Pneumothorax", (-1, 1), ("apical",))
_DENSE = Kind("Consolidation", (-1, 1), ("lower", "mid", "upper"))
_WET = Kind("Edema", (0,))
_PLATE = Kind("Atelectasis", (-1, 1, 0), ("basal",))
_NODULE = Kind("Lung Opacity", (-1, 1), ("upper", "mid"), "nodule")
_HAZE = Kind("Lung Opacity", (0, 0, -1), ("basal", "lower"), "haze")
_PATCH = Kind("Pneumonia", (-1, 1), ("lower", "mid"))

# The first eight show every category once; the order then goes round.
SCENARIOS: tuple[tuple[Kind, ...], ...] = (
    (_HEART,), (_FLUID,), (_AIR,), (_DENSE,), (_WET, _HEART), (_PLATE,), (_HAZE,), (_PATCH,),
    (), (_NODULE,), (_FLUID, _PLATE), (), (_HEART, _FLUID), (_AIR, _PLATE), (), (_DENSE, _FLUID), (_PATCH,), (), (_HEART,), (),
)  # fmt: skip


def draw_findings(kinds: tuple[Kind, ...], draws: random.Random) -> tuple[Finding, ...]:
    """One outcome of a scenario."""
    return tuple(
        Finding(one.category, draws.choice(one.sides), draws.choice(one.zones), draws.random(), one.form, draws.getrandbits(40))
        for one in kinds
    )


@dataclass(frozen=True, slots=True)
class Wording:
    """``phrase`` is what MS-CXR holds; ``sentence`` what the report says: the phrase word for word if ``verbatim``, or else an
    earlier wording that an annotator has edited. ``labels`` are CheXpert's, as name and 1 or -1."""

    phrase: str
    sentence: str
    verbatim: bool
    labels: tuple[tuple[str, int], ...]


_SIDE = {-1: "right", 1: "left", 0: "bilateral"}
_PLACE = {"apical": "apex", "upper": "upper lobe", "mid": "mid lung", "lower": "lower lobe", "basal": "base", "": "lung"}
_WRAPPERS = ("{P}.", "{P}.", "There is {a}{p}.", "Findings include {a}{p}.")

# Per category: phrases that stand word for word in the report, then one wording of the report that the phrase was edited from.
_PHRASES: dict[str, tuple[tuple[str, ...], str]] = {
    "Cardiomegaly": (
        (
            "{grade} cardiomegaly",
            "{grade} enlargement of the cardiac silhouette",
            "{grade} cardiomegaly, with a left ventricular contour",
        ),
        "The heart is {gradely} enlarged.",
    ),
    "Pleural Effusion": (
        ("{size} {side} pleural effusion{s}", "{size} {side} pleural effusion{s}, with blunting of the costophrenic angle{s}"),
        "A {size} amount of pleural fluid is seen {on_side}.",
    ),
    "Pneumothorax": (
        ("{size} {side} apical pneumothorax", "{size} {side} pneumothorax, with a visible pleural line"),
        "A pneumothorax, {size} in size, is present at the {side} apex.",
    ),
    "Consolidation": (
        (
            "dense consolidation in the {side} {place}, with air bronchograms",
            "{side} {place} consolidation",
            'focal consolidation with the "air bronchogram" sign, in the {side} {place}',
        ),
        "The {side} {place} is consolidated.",
    ),
    "Edema": (
        (
            "{grade} pulmonary edema",
            "perihilar haze, vascular congestion, and Kerley B lines, consistent with {grade} pulmonary edema",
            "{grade} interstitial pulmonary edema",
        ),
        "Pulmonary vessels are congested and there is {grade} edema of the lungs.",
    ),
    "Atelectasis": (
        ("linear atelectasis {at_base}", "{side} basilar plate-like atelectasis", "{side} basilar atelectasis, subsegmental"),
        "Platelike opacities {at_base} are in keeping with atelectasis.",
    ),
    "Pneumonia": (
        (
            "patchy opacity in the {side} {place}, concerning for pneumonia",
            "{side} {place} pneumonia",
            '"patchy" opacities in the {side} {place}, likely pneumonia',
        ),
        "Patchy airspace disease of the {side} {place} may represent pneumonia.",
    ),
    "nodule": (
        ("nodular opacity in the {side} {place}", 'rounded opacity, a so-called "coin" lesion, in the {side} {place}'),
        "A nodule projects over the {side} {place}.",
    ),
    "haze": (
        ("hazy opacity in the {side} lower lung", "ill-defined {side} lower lung opacity"),
        "There is ill-defined increased density of the {side} lower lung.",
    ),
    "hazes": (
        ("bibasilar opacities", "hazy opacities at both lung bases"),
        "There is ill-defined increased density of both lower lungs.",
    ),
}


def _words(finding: Finding) -> dict[str, str]:
    both = finding.side == 0
    step = min(2, int(finding.size * 3))
    side = _SIDE[finding.side]
    return {
        "side": side,
        "place": _PLACE[finding.zone],
        "s": "s" if both else "",
        "size": ("small", "moderate", "large")[step],
        "grade": ("mild", "moderate", "severe")[step],
        "gradely": ("mildly", "moderately", "severely")[step],
        "on_side": "bilaterally" if both else f"on the {side}",
        "at_base": "at both lung bases" if both else f"at the {side} base",
    }


def _kind(finding: Finding) -> str:
    return finding.form if finding.form else finding.category


def _texts(finding: Finding) -> tuple[tuple[str, ...], str]:
    kind = _kind(finding)
    return _PHRASES["hazes" if kind == "haze" and finding.side == 0 else kind]


def phrases_of(finding: Finding) -> list[str]:
    """All phrases that an annotator may give the finding."""
    words = _words(finding)
    return [phrase.format(**words) for phrase in _texts(finding)[0]]


def sentences_of(finding: Finding, phrase: str) -> list[str]:
    """The sentences of a report that hold the finding's phrase word for word."""
    kind = _kind(finding)
    single = kind in ("Pneumothorax", "nodule") or (kind in ("Pleural Effusion", "haze") and finding.side != 0)
    article = ("an " if phrase[0] in "aeiou" else "a ") if single else ""
    return [one.format(a=article, p=phrase, P=phrase[0].upper() + phrase[1:]) for one in _WRAPPERS]


def wording(finding: Finding, draws: random.Random) -> Wording:
    """The words for one finding; about one phrase in five was edited by its annotator."""
    phrase = draws.choice(phrases_of(finding))
    verbatim = draws.random() > 0.2
    wrapped = draws.choice(sentences_of(finding, phrase))
    sentence = wrapped if verbatim else _texts(finding)[1].format(**_words(finding))
    unsure = "concerning" in sentence or "likely" in sentence or "may represent" in sentence
    labels = [(finding.category, -1 if unsure else 1)]
    if finding.category == "Pneumonia" and "opacit" in sentence:
        labels.append(("Lung Opacity", 1))
    shown = phrase[0].upper() + phrase[1:] if draws.random() < 0.6 else phrase
    return Wording(shown, sentence, verbatim, tuple(labels))
