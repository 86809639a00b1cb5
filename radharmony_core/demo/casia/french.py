"""French reports, sentence by sentence, each with the finding it describes and the local labels it stands for.

All of it is made up: usual phrases of chest radiology, put together by chance. In a cell sentences are joined by ``./``, as in
the dataset; apostrophes are U+2019, and accents on capitals come and go.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from radharmony_core.demo.findings import Finding, mass_radius

__all__ = ["COMPARISONS", "INDICATIONS", "Text", "texts_of"]

INDICATIONS = (
    "Toux fébrile", "Dyspnée d’effort", "Douleur thoracique", "Bilan préopératoire", "Contrôle", "Altération de l’état général",
    "Traumatisme thoracique", "Essoufflement au repos", "Œdème des membres inférieurs", "",
)  # fmt: skip
COMPARISONS = ("None", "None", "None", "None.", "Cliché du 3/2/2020", "")  # the word None is text, not a missing cell

_M, _F = {-1: "droit", 1: "gauche"}, {-1: "droite", 1: "gauche"}
_SIZES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, slots=True)
class Text:
    """What the cells Findings and Impression hold, what a film of it shows, and the local labels. ``Enlargement`` becomes that of
    the exam's projection."""

    findings: str
    impression: str
    shown: tuple[Finding, ...]
    local: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    sentence: str
    finding: Finding
    impressions: tuple[str, ...] = ()
    local: tuple[str, ...] = ()


def _hearts() -> Iterator[_Said]:
    closing = ("Cardiomégalie", "Cardiomégalie, à explorer par échographie cardiaque", "Gros cœur")
    for size, grade in zip(_SIZES, ("discrète", "modérée", "importante"), strict=True):
        heart = Finding("Cardiomegaly", 0, size=size)
        yield _Said(f"Cardiomégalie {grade}", heart, closing, ("Enlargement",))
        yield _Said(f"Augmentation {grade} du volume cardiaque", heart, closing, ("Cardiopathy",))
        yield _Said(
            f"Silhouette cardiaque élargie de façon {grade}, évocatrice d’une hypertrophie", heart, closing, ("Hypertrophy",)
        )
        for ratio in (0, 1, 2):
            index = 54 + round(14 * size) + ratio
            yield _Said(f"Élargissement du cœur, index cardio-thoracique estimé à 0,{index}", heart, closing, ("Enlargement",))


def _airs() -> Iterator[_Said]:
    amounts = ("de faible abondance", "de moyenne abondance", "de grande abondance")
    for side, (size, amount) in product((-1, 1), zip(_SIZES, amounts, strict=True)):
        air = Finding("Pneumothorax", side, "apical", size)
        closing = (f"Pneumothorax {_M[side]}", f"Pneumothorax {_M[side]}, contrôle à vingt-quatre heures")
        yield _Said(f"Pneumothorax {_M[side]} {amount}", air, closing)
        yield _Said(f"Pneumothorax apical {_M[side]} {amount}, sans déviation du médiastin", air, closing)
        yield _Said(f"Décollement pleural apical {_M[side]}, pneumothorax {amount}", air, closing)
        yield _Said(f"Hyperclarté apicale {_F[side]} avec ligne pleurale visible", air, closing, ("Apical Hypercarbia",))


def _foci() -> Iterator[_Said]:
    for side, zone, size in product((-1, 1), ("lower", "mid"), _SIZES):
        where = f"de la base {_F[side]}" if zone == "lower" else f"du champ moyen {_M[side]}"
        focus = Finding("Pneumonia", side, zone, size)
        closing = (
            f"Pneumopathie {where}",
            "Foyer infectieux, contrôle après traitement",
            f"Aspect en faveur d’une pneumonie {where}",
        )
        yield _Said(f"Foyer de condensation {where} avec bronchogramme aérien", focus, closing)
        yield _Said(f"Opacité alvéolaire mal limitée {where}", focus, closing, ("Pulmonary Opacity",))
        yield _Said(f"Infiltrat {where}, en faveur d’une pneumonie", focus, closing, ("Infiltration",))
        yield _Said(f"Opacités en mottes {where}, évoquant une origine infectieuse", focus, closing, ("Pulmonary Opacity",))


def _fluids() -> Iterator[_Said]:
    amounts = ("de faible abondance", "de moyenne abondance", "de grande abondance")
    for side, (size, amount) in product((-1, 1, 0), zip(_SIZES, amounts, strict=True)):
        which = _M.get(side, "bilatéral")
        water = Finding("Pleural Effusion", side, size=size)
        closing = (f"Épanchement pleural {which}", f"Épanchement pleural {which}, à ponctionner si mal toléré")
        yield _Said(f"Épanchement pleural {which} {amount}", water, closing)
        yield _Said(f"Épanchement liquidien {which} {amount}", water, closing)
        if side:
            yield _Said(f"Comblement du cul-de-sac costo-diaphragmatique {which} par un épanchement", water, closing)
            base = f"Opacité dense de la base {_F[side]} à limite supérieure concave"
            yield _Said(base, water, closing, ("Pulmonary Opacity",))


def _masses() -> Iterator[_Said]:
    for side, zone, size in product((-1, 1), ("upper", "mid"), _SIZES):
        where = f"du sommet {_M[side]}" if zone == "upper" else f"du champ moyen {_M[side]}"
        mass, across = Finding("Lung Opacity", side, zone, size, "mass"), round(20 * mass_radius(size))
        closing = (f"Masse pulmonaire {_F[side]}", "Aspect suspect, scanner thoracique souhaitable")
        yield _Said(f"Opacité ovalaire {where}, mesurant environ {across} mm", mass, closing, ("Oval Opacity",))
        yield _Said(f"Masse {where} à contours irréguliers", mass, closing, ("Lung Tumor",))
        yield _Said(f"Opacité arrondie {where} de tonalité hydrique, suspecte de tumeur", mass, closing, ("Lung Tumor",))


_OF_CLASS = {
    "Cardiomegaly": _hearts, "Pneumothorax": _airs, "Pneumonia": _foci, "PleuralEffusion": _fluids, "Mass": _masses,
}  # fmt: skip
_SECOND = {  # what may be there beside
    "Cardiomegaly": (
        _Said("Œdème interstitiel débutant", Finding("Edema", 0, size=0.2), (), ("Edema",)),
        _Said("Discret épanchement pleural gauche associé", Finding("Pleural Effusion", 1, size=0.05)),
    ),
    "Pneumothorax": (_Said("Bande d’atélectasie de la base gauche", Finding("Atelectasis", 1, "basal"), (), ("Atelectasis",)),),
    "Pneumonia": (_Said("Petit épanchement pleural droit de voisinage", Finding("Pleural Effusion", -1, size=0.05)),),
    "PleuralEffusion": (
        _Said("Bande d’atélectasie de la base droite", Finding("Atelectasis", -1, "basal"), (), ("Atelectasis",)),
    ),
}  # fmt: skip
_ABSENT = (  # and the classes in whose reports the sentence would be wrong; of those with the same ones a report has one
    ("Absence d’épanchement pleural", "PleuralEffusion"), ("Pas d’épanchement pleural liquidien", "PleuralEffusion"),
    ("Culs-de-sac pleuraux libres", "PleuralEffusion Pneumothorax"), ("Absence de pneumothorax", "Pneumothorax"),
    ("Sommets libres", "Pneumothorax Mass"), ("Pas de foyer parenchymateux évolutif", "Pneumonia Mass"),
    ("Absence d’opacité parenchymateuse suspecte", "Pneumonia Mass PleuralEffusion"),
    ("Silhouette cardiaque de taille normale", "Cardiomegaly"), ("Index cardio-thoracique normal", "Cardiomegaly"),
    ("Trachée en place", ""), ("Médiastin non élargi", ""), ("Hiles de taille et de situation normales", ""),
    ("Absence de lésion osseuse décelable", ""), ("Cadre osseux sans anomalie", ""),
    ("Étage abdominal supérieur sans particularité", ""),
)  # fmt: skip
_UNSURE = ("Surcharge vasculaire possible, à recontrôler", "Image basale pouvant correspondre à une superposition")
_ENDS = ("", ".", "./", "/")


def _plain_capitals(text: str) -> str:
    return text.replace("É", "E").replace("À", "A")


def _one(name: str, known: list[_Said], draws: random.Random) -> Text:
    said = draws.choice(known)
    sentences, shown, local = [said.sentence], [said.finding], list(said.local)
    second = draws.choice(_SECOND.get(name, (None,))) if draws.random() < 0.25 else None
    if second is not None and second.finding.category != said.finding.category:
        sentences.append(second.sentence)
        shown.append(second.finding)
        local += second.local
    fluid = any(one.category == "Pleural Effusion" for one in shown)
    has = {name, "PleuralEffusion"} if fluid else {name}
    fit = {wrong or text: text for text, wrong in draws.sample(_ABSENT, len(_ABSENT)) if not has & set(wrong.split())}
    sentences += list(fit.values())[: draws.randint(1, 4)]
    if draws.random() < 0.1:
        sentences.append(draws.choice(_UNSURE))
    findings, impression = "./".join(sentences) + draws.choice(_ENDS), draws.choice(said.impressions)
    if draws.random() < 0.3:
        findings, impression = _plain_capitals(findings), _plain_capitals(impression)
    return Text(findings, impression, tuple(shown), tuple(dict.fromkeys(local)))


def texts_of(name: str, count: int, draws: random.Random) -> list[Text]:
    """``count`` reports of a class, no two with the same Findings."""
    known, found = list(_OF_CLASS[name]()), dict[str, Text]()
    while len(found) < count:
        one = _one(name, known, draws)
        found.setdefault(one.findings, one)
    return list(found.values())
