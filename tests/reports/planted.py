"""Reports in the datasets' shape with one phrase planted in each, and that phrase as an annotator might have written it.

Nothing here is shared with the code that looks for phrases: a place is known because the phrase was put there.
"""

from __future__ import annotations

import random
import textwrap
import unicodedata
from typing import NamedTuple

SIZES = ["small", "moderate", "large", "subtle", "extensive", "mild"]
SIDES = ["left", "right", "bilateral"]
ZONES = ["upper lung", "lower lung", "perihilar", "retrocardiac", "apical", "costophrenic"]
FINDINGS = ["pleural effusion", "pneumothorax", "atelectasis", "airspace opacity", "consolidation", "pulmonary edema"]
ENDINGS = ["", "with adjacent volume loss", "seen since ___", "in a patient of Dr. ___", "unchanged since the study of ___"]
FRENCH = [
    "épanchement pleural {} de moyenne abondance", "opacité hétérogène {} d’allure récente",
    "élargissement du médiastin et œdème {}", "surélévation {} de la coupole en regard du cœur",
    "séquelles d’aspect fibreux {} à l’étage supérieur",
]  # fmt: skip
FRENCH_SIDES = ["gauche", "droit", "bilatéral"]
FILLERS = [
    "The cardiomediastinal silhouette is within normal limits.", "Surgical clips project over the upper abdomen.",
    "Degenerative changes are seen in the thoracic spine.", "There is no acute osseous abnormality.", "The aorta is tortuous.",
    "An enteric catheter courses below the diaphragm.", "Lung volumes are low.", "Comparison is made to the study of ___.",
]  # fmt: skip
FRENCH_FILLERS = [
    "Absence de lésion osseuse.", "Index cardio-thoracique normal.", "Bonne visibilité des culs-de-sac.", "Trachée en place.",
    "Coupoles bien dessinées.", "Cliché réalisé au lit.",
]  # fmt: skip
OTHERS = {
    "small": "tiny", "moderate": "large", "large": "sizeable", "subtle": "faint", "extensive": "marked", "mild": "slight",
    "adjacent": "associated", "volume": "lobar", "seen": "present", "study": "film", "pleural": "basal", "lung": "zone",
    "airspace": "patchy", "pulmonary": "interstitial", "loss": "reduction", "unchanged": "stable",
}  # fmt: skip


class Planted(NamedTuple):
    """``phrase`` stands, in some form, at ``report[start:end]``."""

    report: str
    start: int
    end: int
    phrase: str


def english(draws: random.Random) -> str:
    words = [draws.choice(SIZES), draws.choice(SIDES), draws.choice(ZONES), draws.choice(FINDINGS), draws.choice(ENDINGS)]
    return " ".join(word for word in words if word)


def french(draws: random.Random) -> str:
    return draws.choice(FRENCH).format(draws.choice(FRENCH_SIDES))


def plant(phrase: str, draws: random.Random, *, is_french: bool = False) -> Planted:
    """The report of one study: sections, lines of at most 79 characters that begin with a blank, the phrase in its findings."""
    fillers = list(FRENCH_FILLERS if is_french else FILLERS)
    draws.shuffle(fillers)
    number = draws.randint(0, 4)
    marked = "\ue000".join(phrase.split(" "))  # one word, that the lines may be broken in afterwards
    lead = draws.choice(["On note un ", "Il existe : "] if is_french else ["There is a ", "Again seen is ", "Note is made of "])
    body = "  ".join([*fillers[:number], f"{lead}\ue001{marked}\ue002.", *fillers[number : number + 2]])
    lines = textwrap.wrap(body.replace("\ue000", " "), 78, drop_whitespace=True, break_on_hyphens=False)
    text = "\n".join(
        [" " * 33 + "FINAL REPORT", " INDICATION:  Dyspnea.", " ", " FINDINGS: ", " ", *(f" {line}" for line in lines), ""]
    )
    start = text.index("\ue001")
    end = text.index("\ue002") - 1
    return Planted(text.replace("\ue001", "").replace("\ue002", ""), start, end, phrase)


def without_accents(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.replace("œ", "oe").replace("’", "'"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def with_another_word(phrase: str, draws: random.Random) -> str:
    """One word changed as people change them: misspelt, exchanged, left out or added. Never a side, a denial or a number."""
    words = phrase.split(" ")
    places = [number for number, word in enumerate(words) if word in OTHERS]
    place = draws.choice(places)
    kind = draws.choice(["typo", "exchange", "omit", "add"])
    if kind == "typo":
        place = draws.choice([number for number, word in enumerate(words) if len(word) > 5])
        letter = draws.randrange(1, len(words[place]) - 2)
        swapped = words[place][:letter] + words[place][letter + 1] + words[place][letter] + words[place][letter + 2 :]
        words[place] = swapped if swapped != words[place] else words[place] + "s"
    elif kind == "exchange":
        words[place] = OTHERS[words[place]]
    elif kind == "omit":
        del words[place]
    else:
        words.insert(place, draws.choice(["fairly", "apparent", "residual", "known"]))
    return " ".join(words)
