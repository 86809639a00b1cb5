"""Places that are only like a phrase: what is found, what must not be, and that every place is inside the report."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radharmony_core.errors import ReportError
from radharmony_core.reports import PhraseMatch, locate_phrase

REPORT = (
    " FINDINGS: There is a small left pleural\n effusion, with adjacent atelectasis.  No pneumothorax.  Heart size is\n"
    " mildly enlarged.  Seen by Dr. ___ on ___.  Right-\n sided PICC ends 3.5 cm above the carina.  Possible nodule in the\n"
    " lower lung."
)
FOLDED = [
    # reason, phrase, report, place
    ("letter case and a wrapped line", "Small LEFT pleural effusion", REPORT, "small left pleural\n effusion"),
    ("a hyphen where the line was broken", "right-sided PICC", REPORT, "Right-\n sided PICC"),
    ("blanks around signs", "right - sided PICC ends", REPORT, "Right-\n sided PICC ends"),
    ("accents and apostrophes", "Epanchement a l'apex", "Un épanchement à l’apex.", "épanchement à l’apex"),
    ("ligatures", "Oedeme du coeur", "L’œdème du cœur.", "œdème du cœur"),
    ("accents of their own, the last included", "l'ete", "pas l’e\u0301te\u0301.", "l’e\u0301te\u0301"),
    ("dashes and blanks that do not break", "T1-T2: 3 cm", "at T1\u2013T2\u202f: 3\u00a0cm.", "T1\u2013T2\u202f: 3\u00a0cm"),
    ("a character without width", "effusion", "ef\u00adfu\u200bsion", "ef\u00adfu\u200bsion"),
    ("gaps of another length", "by Dr. _____ on ____", REPORT, "by Dr. ___ on ___"),
    ("a name where the report has a gap", "Seen by Dr. Smith on", REPORT, "Seen by Dr. ___ on"),
    ("a gap where the report has a name", "seen by Dr. ___ today", "Seen by Dr. Smith today.", "Seen by Dr. Smith today"),
]


@pytest.mark.parametrize(("reason", "phrase", "report", "place"), FOLDED, ids=[row[0] for row in FOLDED])
def test_the_same_words_written_otherwise(reason: str, phrase: str, report: str, place: str) -> None:
    match = locate_phrase(phrase, report)
    assert match is not None, reason
    assert (report[match.start : match.end], match.grade) == (place, "folded"), reason
    hidden = (phrase.count("__") > 0) != (place.count("___") > 0)
    assert (match.score < 1) == hidden, "a word that is ___ is a word less that is known"


SIMILAR = [
    # reason, phrase, place in REPORT
    ("a misspelt word", "small left plueral effusion", "small left pleural\n effusion"),
    ("a plural", "small left pleural effusions", "small left pleural\n effusion"),
    ("another size", "moderate left pleural effusion", "small left pleural\n effusion"),
    ("a word lost", "There is a left pleural effusion", "There is a small left pleural\n effusion"),
    ("a word added", "small loculated left pleural effusion", "small left pleural\n effusion"),
    ("a small word lost", "Heart size mildly enlarged", "Heart size is\n mildly enlarged"),
    ("one word of three", "heart silhouette mildly enlarged", "Heart size is\n mildly enlarged"),
    ("a side the phrase does not say stays outside", "subtle pleural effusion", "pleural\n effusion"),
    ("a denial kept", "Adjacent atelectasis. No large pneumothorax", "adjacent atelectasis.  No pneumothorax"),
    ("doubt kept", "Possible nodule in lower lung", "Possible nodule in the\n lower lung"),
]


@pytest.mark.parametrize(("reason", "phrase", "place"), SIMILAR, ids=[row[0] for row in SIMILAR])
def test_a_similar_place_is_called_similar(reason: str, phrase: str, place: str) -> None:
    match = locate_phrase(phrase, REPORT)
    assert match is not None, reason
    assert (REPORT[match.start : match.end], match.grade) == (place, "fuzzy"), reason
    assert 0.5 < match.score < 1, reason


NOWHERE = [
    # reason, phrase, report
    ("another side", "small right pleural effusion", REPORT),
    ("both sides", "small bilateral pleural effusion", REPORT),
    ("a side the report does not say", "small left adjacent atelectasis", "Small adjacent atelectasis."),
    ("a side in the middle", "pleural and left basal changes", "Pleural and right basal changes."),
    ("a denial", "no left pleural effusion", REPORT),
    ("denied in the report", "small pneumothorax", REPORT),
    ("denied from outside", "focal consolidations seen", "There is no new focal consolidation seen."),
    ("denied from outside, and misspelt", "efusions", "No effusions."),
    ("denied from outside, in French", "foyers de condensation", "Absence de foyer de condensation."),
    ("denied behind", "right pleural effusions", "The right pleural effusion has resolved."),
    ("no effusion in a text with one", "no effusion", "A small effusion."),
    ("an effusion in a text that denies it", "a small effusion", "No effusion."),
    ("another number", "sided PICC ends 2.5 cm above the carina", REPORT),
    ("a part of a number", "5 cm above the carina", REPORT),
    ("another number word", "two calcified nodules seen", "Three calcified nodules seen."),
    ("another finding", "small left pleural thickening", REPORT),
    ("the finding lost", "left pleural effusion and edema", "Left pleural scar and band."),
    ("the opposite", "opacity has markedly increased", "Opacity has markedly decreased."),
    ("the opposite by a prefix", "contours are remarkable today", "Contours are unremarkable today."),
    ("upper for lower", "left lower lung scarring", "Left upper lung scarring."),
    ("normal for enlarged", "heart size is normal", REPORT),
    ("a finding is never what was de-identified", "small effusion today", "Small ___ today."),
    ("gaps alone", "small heart", REPORT),
    ("two words, one exchanged", "severe edema", "Mild edema."),
    ("an unrelated sentence", "Surgical clips in the right upper quadrant", REPORT),
    ("words far from each other", "left effusion above the carina", REPORT),
    ("over the end of a sentence", "adjacent pneumothorax is enlarged", REPORT),
    ("inside of words", "edema", "edematous"),
    ("signs alone", "...", "a. b. c."),
    ("an empty phrase", " ", REPORT),
    ("an empty report", "small effusion", " "),
]


@pytest.mark.parametrize(("reason", "phrase", "report"), NOWHERE, ids=[row[0] for row in NOWHERE])
def test_what_says_something_else_is_not_found(reason: str, phrase: str, report: str) -> None:
    assert locate_phrase(phrase, report) is None, reason


OPPOSITES = [
    # phrase, report
    ("nodule of 5 mm", "Nodule of 5 cm."),
    ("first rib fracture", "Fifth rib fracture."),
    ("premier arc costal droit", "Deuxième arc costal droit."),
    ("opacité au-dessus du diaphragme", "Opacité au-dessous du diaphragme."),
    ("opacité sus-claviculaire droite", "Opacité sous-claviculaire droite."),
    ("intraperitoneal air is seen", "Extraperitoneal air is seen."),
    ("high lung volumes", "Low lung volumes."),
    ("sonde trop haute", "Sonde trop basse."),
    ("elevated right hemidiaphragm", "Flattened right hemidiaphragm."),
    ("more opacity at the left base", "Less opacity at the left base."),
    ("plus opaque à gauche", "Moins opaque à gauche."),
    ("endotracheal tube in place", "Nasogastric tube in place."),
    ("chest tube in place", "Feeding tube in place."),
    ("jugular line in place", "Subclavian line in place."),
    ("benign left nodule", "Malignant left nodule."),
    ("healed left rib fractures", "Acute left rib fractures."),
    ("fracture récente de la côte", "Fracture ancienne de la côte."),
    ("tip in the right atrium", "Tip in the right ventricle."),
    ("tip in the left main bronchus", "Tip in the left main artery."),
    ("loss of volume in the left lung", "Gain of volume in the left lung."),
    ("pneumothorax complet gauche", "Pneumothorax partiel gauche."),
    ("lucency in the left apex", "Opacity in the left apex."),
    ("cavitary lesion in the apex", "Cystic lesion in the apex."),
]


@pytest.mark.parametrize(("phrase", "report"), OPPOSITES, ids=[row[0] for row in OPPOSITES])
def test_a_word_that_turns_the_meaning_is_no_other_wording(phrase: str, report: str) -> None:
    assert locate_phrase(phrase, report) is None
    assert locate_phrase(phrase, phrase) is not None


SEVERAL = [
    # reason, phrase, report with the place in braces
    (
        "a question, then the findings",
        "left effusion",
        "INDICATION: Question left effusion.\n\nFINDINGS: There is a {left effusion}.",
    ),
    ("denied before", "left effusion", "COMPARISON: No left effusion.\n\nFINDINGS: New {left effusion}."),
    ("denied in one sentence", "left effusion", "No left effusion. Later a {left effusion}."),
    ("in the impression", "edema", "HISTORY: edema.\n\nIMPRESSION: {edema}."),
    ("said so elsewhere", "edema", "FINDINGS: No edema.\n\nADDENDUM: There is {edema}."),
    ("nowhere said so", "edema", "INDICATION: edema?\n\nFINDINGS: No {edema}."),
    ("a phrase that denies", "no edema", "HISTORY: no edema.\n\nFINDINGS: There is {no edema}."),
    ("the first of equals", "edema", "FINDINGS: Mild {edema} and edema."),
    ("up to case", "Left Effusion", "HISTORY: left effusion.\n\nFINDINGS: A {left effusion}."),
    ("similar", "left effusions", "HISTORY: left effusion.\n\nFINDINGS: A {left effusion}."),
    ("in French", "épanchement", "INDICATION : épanchement ?\n\nRÉSULTATS : {épanchement} gauche."),
]


@pytest.mark.parametrize(("reason", "phrase", "report"), SEVERAL, ids=[row[0] for row in SEVERAL])
def test_of_several_places_the_one_that_says_the_same(reason: str, phrase: str, report: str) -> None:
    start, end = report.index("{"), report.index("}") - 1
    match = locate_phrase(phrase, report.replace("{", "").replace("}", ""))
    assert match is not None, reason
    assert (match.start, match.end) == (start, end), reason


def test_the_end_of_a_similar_place_is_not_cut() -> None:
    report = "No pneumothorax is slightly seen"
    match = locate_phrase("No pneumothorax is seen", f"Clear. {report}. Seen today.")
    assert match == PhraseMatch(7, 7 + len(report), "fuzzy", match.score if match else 0)


@pytest.mark.parametrize(("phrase", "report"), [(None, "a"), ("a", None), (b"a", "a"), ("a", b"a")])
def test_what_is_no_text_is_refused(phrase: object, report: object) -> None:
    with pytest.raises(ReportError, match="str; got"):
        locate_phrase(phrase, report)  # type: ignore[arg-type]


def test_a_better_place_behind_a_contradiction_is_found() -> None:
    report = "Small right pleural effusion. No small left pleural effusion seen. Tiny left pleural effusion."
    match = locate_phrase("subtle left pleural effusion", report)
    assert match is not None
    assert report[match.start : match.end] == "Tiny left pleural effusion"


def test_the_best_of_several_similar_places_is_given() -> None:
    report = "Mild basal opacity with streaks. Mild hazy basal opacity with streaks."
    match = locate_phrase("mild hazy basal opacities with streaks", report)
    assert match is not None
    assert report[match.start : match.end] == "Mild hazy basal opacity with streaks"


HUGE = [
    ("a long phrase of words", "left lower lobe opacity seen " * 170, "right upper lobe opacity seen, " * 6500),
    ("a long phrase of letters", "a b " * 1250, "a c " * 50_000),
    ("one long word", "a" * 5000, "a" * 200_000),
    ("different words", " ".join(f"w{n}x" for n in range(900)), " ".join(f"w{n}y" for n in range(30_000))),
    ("accents alone", "\u0301" * 5000, "e\u0301" * 100_000),
]


@pytest.mark.parametrize(("reason", "phrase", "report"), HUGE, ids=[row[0] for row in HUGE])
def test_a_search_in_a_huge_report_ends(reason: str, phrase: str, report: str) -> None:
    assert locate_phrase(phrase, report) is None, reason


WORDS = st.sampled_from(
    [
        "left",
        "right",
        "No",
        "small",
        "effusion",
        "effusions",
        "œdème",
        "___",
        "3.5",
        "\n",
        "\r\n ",
        ",",
        ".",
        "-",
        "’",
        "e\u0301",
        "\U0001fac1",
        "pas d’",
        " ",
    ]
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join) | st.lists(WORDS, max_size=14).map("".join) | st.text(max_size=30)


@given(TEXTS, TEXTS)
def test_every_place_is_inside_the_report(phrase: str, report: str) -> None:
    match = locate_phrase(phrase, report)
    if match is None:
        assert not phrase.strip() or phrase.strip() != report.strip(), "a report is a place of itself"
        return
    assert 0 <= match.start < match.end <= len(report)
    assert 0 < match.score <= 1
    assert (match.grade == "exact") == (report[match.start : match.end] == phrase.strip())


@given(TEXTS, TEXTS, TEXTS)
def test_what_was_put_in_as_it_is_is_found_as_it_is(before: str, phrase: str, after: str) -> None:
    match = locate_phrase(phrase, f"{before}\n {phrase.strip()}\n {after}")
    assert (match is None) == (not phrase.strip())
    assert match is None or match.grade == "exact"
