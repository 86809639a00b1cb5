"""Sentences as places: where one ends, and where only a line, a number or an abbreviation does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radharmony_core.errors import ReportError
from radharmony_core.reports import split_sentences

ENGLISH = [
    # reason, text, sentences
    ("nothing", "", []),
    ("white space", " \n \t", []),
    ("two", "Lungs clear.  No effusion.", ["Lungs clear.", "No effusion."]),
    ("no full stop", "Lungs clear", ["Lungs clear"]),
    ("a line of 79 characters is no end",
     " There is a small left pleural effusion that reaches up to the level of the\n Right hilum.",
     ["There is a small left pleural effusion that reaches up to the level of the\n Right hilum."]),
    ("a short line before a capital is one", "Lungs clear\n No effusion", ["Lungs clear", "No effusion"]),
    ("a short line before a small letter is none", "small\n effusion", ["small\n effusion"]),
    ("an empty line", "Lungs clear\n \n no effusion", ["Lungs clear", "no effusion"]),
    ("CRLF", "Lungs clear\r\n\r\nno effusion", ["Lungs clear", "no effusion"]),
    ("CRLF is one line's end", "small\r\n effusion", ["small\r\n effusion"]),
    ("numbered list", "1.  Small effusion.\n 2.  Edema.", ["Small effusion.", "Edema."]),
    ("numbered list in one line", "1.  Small effusion.  2.  Edema.", ["Small effusion.", "Edema."]),
    ("list without full stops", "1) effusion\n2) edema", ["effusion", "edema"]),
    ("dashes", "- effusion\n- edema", ["effusion", "edema"]),
    ("decimals", "A 3.5 cm mass.  It grew.", ["A 3.5 cm mass.", "It grew."]),
    ("doctors", "Seen by Dr. ___ on ___.  Clear.", ["Seen by Dr. ___ on ___.", "Clear."]),
    ("versus", "Atelectasis vs. pneumonia.", ["Atelectasis vs. pneumonia."]),
    ("a.m. inside", "At 3:45 p.m. on ___.  Clear.", ["At 3:45 p.m. on ___.", "Clear."]),
    ("a.m. at the end", "Seen at 3 p.m. No edema.", ["Seen at 3 p.m.", "No edema."]),
    ("no. 5", "Rib no. 5 is broken. No. 6 is not.", ["Rib no. 5 is broken.", "No. 6 is not."]),
    ("an answer", "Pneumothorax: no. Edema: yes.", ["Pneumothorax: no.", "Edema: yes."]),
    ("closing signs", 'He said "clear." Then left.)  Done', ['He said "clear."', "Then left.)", "Done"]),
    ("questions", "Pneumonia? Edema!", ["Pneumonia?", "Edema!"]),
    ("a blank is missing", "No pneumothorax.Left effusion.", ["No pneumothorax.", "Left effusion."]),
    ("a blank is missing among capitals", "NO PNEUMOTHORAX.LEFT EFFUSION.", ["NO PNEUMOTHORAX.", "LEFT EFFUSION."]),
    ("an abbreviation without a blank", "Seen by Dr.Smith vs.Mills.", ["Seen by Dr.Smith vs.Mills."]),
    ("a number that is no mark of a list", "Temp. 38. Cough.", ["Temp.", "38. Cough."]),
    ("marks that go on in one line", "Two. 1. Edema. 2. Scar.", ["Two.", "Edema.", "Scar."]),
]  # fmt: skip
FRENCH = [
    ("nothing", "", []),
    ("a cell", "Absence d’épanchement./Cœur normal./", ["Absence d’épanchement.", "Cœur normal."]),
    ("a cell with list marks", "- Absence de foyer./\n- Cœur normal", ["Absence de foyer.", "Cœur normal"]),
    ("a bare slash at the end", "Absence de foyer/", ["Absence de foyer"]),
    ("a third is one word", "Opacité du 1/3 moyen.", ["Opacité du 1/3 moyen."]),
    ("and/or is one word", "Foyer et/ou épanchement.", ["Foyer et/ou épanchement."]),
    ("blanks around the slash", "Absence de foyer. / Cœur normal.", ["Absence de foyer.", "Cœur normal."]),
    ("a blank is missing", "Cœur normal.Poumons clairs.", ["Cœur normal.", "Poumons clairs."]),
    ("a bare slash between", "Absence de foyer/Cardiomégalie", ["Absence de foyer", "Cardiomégalie"]),
    ("plain sentences", "Pas de foyer. Cœur normal.", ["Pas de foyer.", "Cœur normal."]),
    ("decimals", "ICT à 0,52. Cœur normal.", ["ICT à 0,52.", "Cœur normal."]),
]


@pytest.mark.parametrize(("reason", "text", "expected"), ENGLISH, ids=[row[0] for row in ENGLISH])
def test_english(reason: str, text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text)] == expected, reason


@pytest.mark.parametrize(("reason", "text", "expected"), FRENCH, ids=[row[0] for row in FRENCH])
def test_french(reason: str, text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text, "fr")] == expected, reason


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ReportError, match="en, fr; got 'de'"):
        split_sentences("Text.", "de")


@pytest.mark.parametrize("text", [None, b"Clear.", 3])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(ReportError, match="str; got"):
        split_sentences(text)  # type: ignore[arg-type]


@given(st.text(alphabet="aB.é/1- \n\r:;,_?)(*", max_size=80) | st.text(max_size=80), st.sampled_from(["en", "fr"]))
def test_sentences_are_places_in_order(text: str, language: str) -> None:
    spans = split_sentences(text, language)
    cuts = [place for span in spans for place in span]
    assert cuts == sorted(cuts)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
