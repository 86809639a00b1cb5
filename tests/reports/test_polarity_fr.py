"""French sentences as reports have them, made up; what each says of the words in braces was decided by hand."""

from __future__ import annotations

import unicodedata

import pytest

from radharmony_core.reports import polarity

SENTENCES = [
    # reason, expected, sentence
    ("plain", "affirmed", "{Épanchement} pleural droit."),
    ("one word", "affirmed", "{Cardiomégalie}"),
    ("discret means mild", "affirmed", "Discret {épanchement} pleural gauche."),
    ("minime means mild", "affirmed", "Minime {épanchement} pleural."),
    ("présence de", "affirmed", "Présence d’une {opacité} basale droite."),
    ("on note", "affirmed", "On note un {épanchement} de moyenne abondance."),
    ("stable is there", "affirmed", "{Cardiomégalie} stable."),
    ("absence de", "negated", "Absence de {pneumothorax}."),
    ("absence d’", "negated", "Absence d’{épanchement} pleural."),
    ("a straight apostrophe", "negated", "Absence d'{épanchement} pleural."),
    ("absence des", "negated", "Absence des {lésions} antérieures."),
    ("absence d’un", "negated", "Absence d’un {syndrome interstitiel}."),
    ("over adjectives", "negated", "Absence d’opacité ou de {foyer} parenchymateux évolutif."),
    ("capitals without accents", "negated", "ABSENCE D'{EPANCHEMENT} PLEURAL."),
    ("pas de", "negated", "Pas de {foyer} parenchymateux."),
    ("pas d’", "negated", "Pas d’{anomalie} pleurale."),
    ("il n’y a pas de", "negated", "Il n’y a pas de {pneumothorax}."),
    ("on ne note pas de", "negated", "On ne note pas d’{opacité} suspecte."),
    ("ne montre pas de", "negated", "Le cliché ne montre pas de {fracture} costale."),
    ("sans", "negated", "Cœur de taille normale sans {épanchement}."),
    ("sans, with a noun between", "negated", "Poumons clairs sans signe d’{œdème}."),
    ("aucun", "negated", "Aucun {épanchement}."),
    ("aucune", "negated", "Aucune {opacité} pulmonaire."),
    ("aucuns", "negated", "Aucuns {nodules} visibles."),
    ("ni, first", "negated", "Ni {épanchement} ni pneumothorax."),
    ("ni, second", "negated", "Ni épanchement ni {pneumothorax}."),
    ("pas de, ni de", "negated", "Pas d’épanchement ni de {pneumothorax}."),
    ("exempt de", "negated", "Parenchyme exempt de {lésion}."),
    ("indemne de", "negated", "Poumons indemnes de {foyer} infectieux."),
    ("disparition de", "negated", "Disparition de l’{épanchement}."),
    ("disparition du", "negated", "Disparition du {pneumothorax} gauche."),
    ("libre de", "negated", "Champs pulmonaires libres de toute {opacité}."),
    ("libres, after", "negated", "{Culs-de-sac} pleuraux libres."),
    ("absent", "negated", "{Épanchement} pleural absent."),
    ("absents, two", "negated", "{Épanchement} et pneumothorax absents."),
    ("exclue", "negated", "{Lésion} osseuse exclue."),
    ("éliminé", "negated", "{Pneumothorax} éliminé."),
    ("non visible", "negated", "{Épanchement} non visible."),
    ("non visualisées", "negated", "{Lésions} osseuses non visualisées."),
    ("non retrouvé", "negated", "{Nodule} non retrouvé sur ce cliché."),
    ("n’est pas visible", "negated", "Le {pneumothorax} n’est pas visible."),
    ("n’est plus visible", "negated", "L’{épanchement} n’est plus visible."),
    ("a disparu", "negated", "L’{opacité} a complètement disparu."),
    ("normale", "negated", "{Silhouette cardiaque} normale."),
    ("de taille normale", "negated", "{Silhouette cardiaque} de taille normale."),
    ("sans particularité", "negated", "{Médiastin} sans particularité."),
    ("answer", "negated", "{Pneumothorax} : absent."),
    ("answer non", "negated", "{Épanchement} : non"),
    ("et de", "negated", "Absence d’épanchement et de {pneumothorax}."),
    ("ou", "negated", "Absence d’épanchement ou {pneumothorax}."),
    ("a comma and de", "negated", "Pas d’épanchement, de {pneumothorax} ni de foyer."),
    ("last of such a list", "negated", "Pas d’épanchement, de pneumothorax ni de {foyer}."),
    ("doubt inside a denial", "negated", "Absence d’{opacité} suspecte."),
    ("aucune suspecte", "negated", "Aucune {lésion} suspecte."),
    ("the next sentence of a cell", "affirmed", "Absence d’épanchement./{Cardiomégalie}./"),
    ("the sentence before", "affirmed", "{Cardiomégalie}./Absence d’épanchement./"),
    ("a cell that ends in a slash", "negated", "- Absence de {pneumothorax}/"),
    ("comma", "affirmed", "Absence d’épanchement, {cardiomégalie}."),
    ("semicolon", "affirmed", "Pas de pneumothorax ; {épanchement} gauche."),
    ("mais", "affirmed", "Pas d’épanchement mais {cardiomégalie}."),
    ("avec", "affirmed", "Absence de pneumothorax avec {épanchement} minime."),
    ("associé", "affirmed", "Pas de foyer associé à un {épanchement}."),
    ("en dehors de", "affirmed", "Pas d’anomalie en dehors d’une {cardiomégalie}."),
    ("hormis", "affirmed", "Aucune anomalie hormis un {épanchement}."),
    ("et, a statement", "affirmed", "Absence d’épanchement et {cardiomégalie} modérée."),
    ("sans, behind", "affirmed", "{Épanchement} minime sans pneumothorax."),
    ("another’s absence", "affirmed", "{Cardiomégalie}, épanchement absent."),
    ("pas de changement", "affirmed", "Pas de changement de l’{épanchement}."),
    ("pas d’augmentation", "affirmed", "Pas d’augmentation de l’{épanchement}."),
    ("pas de nette modification", "affirmed", "Pas de nette modification de l’{opacité}."),
    ("absence de modification", "affirmed", "Absence de modification de la {cardiomégalie}."),
    ("sans doute", "affirmed", "Sans doute {pneumopathie} basale."),
    ("non négligeable", "affirmed", "{Épanchement} non négligeable."),
    ("n’a pas disparu", "affirmed", "L’{épanchement} n’a pas disparu."),
    ("a place, not a finding", "affirmed", "{Drain} thoracique en position normale."),
    ("and / or", "affirmed", "{Opacité} et/ou épanchement du 1/3 inférieur."),
    ("n’exclut pas", "uncertain", "Ce cliché n’exclut pas une {pneumopathie}."),
    ("ne permet pas d’éliminer", "uncertain", "Ne permet pas d’éliminer un {pneumothorax} minime."),
    ("non exclue", "uncertain", "{Pneumopathie} non exclue."),
    ("probable, after", "uncertain", "{Pneumopathie} probable."),
    ("probable, before", "uncertain", "Probable {épanchement} gauche."),
    ("probablement", "uncertain", "Opacité probablement {infectieuse}."),
    ("possible", "uncertain", "Possible {foyer} débutant."),
    ("évoquant", "uncertain", "Opacité évoquant une {pneumopathie}."),
    ("évoquant, what is seen", "affirmed", "{Opacité} évoquant une pneumopathie."),
    ("évocateur de", "uncertain", "Aspect évocateur de {tuberculose}."),
    ("en faveur de", "uncertain", "Opacités en faveur d’une {pneumopathie}."),
    ("d’allure", "uncertain", "Image d’allure {tumorale}."),
    ("suspect de", "uncertain", "Nodule suspect de {malignité}."),
    ("à recontrôler", "uncertain", "{Opacité} apicale à recontrôler."),
    ("pouvant correspondre", "uncertain", "Image pouvant correspondre à un {nodule}."),
    ("recherche de", "uncertain", "Toux, recherche de {pneumopathie}."),
    ("question mark", "uncertain", "{Pneumopathie} ?"),
    ("doubt about a denial", "uncertain", "Probable absence d’{épanchement}."),
    ("ne retrouve plus", "negated", "On ne retrouve plus l’{épanchement}."),
    ("non élargi", "negated", "{Médiastin} non élargi."),
    ("part of non élargi", "negated", "Médiastin non {élargi}."),
    ("two that are normal", "negated", "{Silhouette cardiaque} et médiastin normaux."),
    ("ni behind a comma", "negated", "Pas d’épanchement, ni d’{adénopathie}."),
    ("signe en faveur de, denied", "negated", "Pas de signe en faveur d’une {tuberculose}."),
    ("compatible avec, denied", "negated", "Pas d’image compatible avec une {tuberculose}."),
    ("the next denial of a cell", "negated", "Absence d’épanchement./Absence de {pneumothorax}./Cœur normal./"),
    ("régression partielle", "affirmed", "Régression partielle de l’{épanchement}."),
    ("pas d’amélioration", "affirmed", "Pas d’amélioration de l’{œdème}."),
    ("compatible avec affirms", "affirmed", "Image compatible avec une {tuberculose}."),
    ("normal speaks of the other", "affirmed", "{Épanchement} pleural, cœur de taille normale."),
    ("limite de la normale", "affirmed", "{Cœur} à la limite supérieure de la normale."),
    ("pouvant être en rapport", "uncertain", "Opacité pouvant être en rapport avec une {pneumopathie}."),
    ("sans pouvoir éliminer", "uncertain", "Opacité basale sans pouvoir éliminer un {épanchement}."),
]  # fmt: skip


def _mention(sentence: str) -> tuple[str, int, int]:
    return sentence.replace("{", "").replace("}", ""), sentence.index("{"), sentence.index("}") - 1


@pytest.mark.parametrize(("reason", "expected", "sentence"), SENTENCES, ids=[row[0] for row in SENTENCES])
def test_what_a_sentence_says(reason: str, expected: str, sentence: str) -> None:
    assert polarity(*_mention(sentence), "fr") == expected, reason


@pytest.mark.parametrize(("reason", "expected", "sentence"), SENTENCES, ids=[row[0] for row in SENTENCES])
def test_it_says_the_same_however_it_is_written(reason: str, expected: str, sentence: str) -> None:
    """Accents apart from their letters, narrow blanks before colons, a cell around."""
    written = unicodedata.normalize("NFD", sentence.replace(" :", "\u202f:").replace(" ;", "\u00a0;").replace("’", "\u02bc"))
    text, start, end = _mention(written)
    before = "Findings:\n- Absence de fracture./Possible séquelle./"
    whole = f"{before}\n- {text}\n\nImpression:\nPas de pneumothorax."
    shift = len(before) + 3
    assert polarity(whole, start + shift, end + shift, "fr") == expected, reason


def test_the_table_has_a_sentence_of_each_kind() -> None:
    assert len(SENTENCES) >= 80
    assert len({sentence for _, _, sentence in SENTENCES}) == len(SENTENCES)
    assert {expected for _, expected, _ in SENTENCES} == {"affirmed", "negated", "uncertain"}
