"""Places that are only like a phrase: what is found, what must not be, and that every place is inside the report."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radharmony_core.reports import locate_phrase

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
