"""Folding: what counts as the same letter, and that each folded letter knows its raw place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radharmony_core.reports.fold import fold_text, fold_with_places

FOLDED = [
    # reason, raw, folded
    ("nothing", "", ""),
    ("white space alone", " \n\t\u00a0", ""),
    ("letter case", "Mild EDEMA", "mild edema"),
    ("a wrapped line", "mild\n edema", "mild edema"),
    ("CRLF and tabs", "mild\r\n\tedema ", "mild edema"),
    ("accents, also on capitals", "Épanchement pleural à l’ÉTAGE", "epanchement pleural a l'etage"),
    ("accents of their own", "e\u0301panchement", "epanchement"),
    ("œ and æ", "cœur, Œdème, æ", "coeur, oedeme, ae"),
    ("printed ligatures", "in\ufb01ltrate", "infiltrate"),
    ("every apostrophe", "d’ d\u2018 d\u02bc d\u00b4 d` d'", "d' d' d' d' d' d'"),
    ("quotes", "« net » “x” „y”", '" net " "x" "y"'),
    ("dashes", "A\u2013B\u2014C\u2011D\u2212E", "a-b-c-d-e"),
    ("blanks that do not break", "3\u00a0cm\u202f:\u2009x", "3 cm : x"),
    ("characters without width", "ef\u00adfu\u200bsion\ufeff", "effusion"),
    ("one letter that folds to two", "STRA\u00dfE", "strasse"),
    ("what is de-identified, of any length", "_____ and __ and ___", "___ and ___ and ___"),
    ("an underscore of a name", "file_name", "file_name"),
    ("a raised digit is not a digit", "10² cm", "10² cm"),
    ("a fraction stays", "½", "½"),
    ("signs stay", "3.5 x 2,1 (cm)?", "3.5 x 2,1 (cm)?"),
]


@pytest.mark.parametrize(("reason", "raw", "folded"), FOLDED, ids=[row[0] for row in FOLDED])
def test_what_is_the_same(reason: str, raw: str, folded: str) -> None:
    assert fold_text(raw) == folded, reason
    assert fold_with_places(raw).text == folded, reason


RAW_PLACES = [
    # reason, raw text, folded words, the raw ones
    ("plain", "a mild edema", "mild", "mild"),
    ("across a wrapped line", "a mild\n  edema.", "mild edema", "mild\n  edema"),
    ("one raw letter, two folded", "le cœur gros", "coeur", "cœur"),
    ("accents of their own at the end", "caf\u00e9 cafe\u0301 noir", "cafe noir", "cafe\u0301 noir"),
    ("inside a ligature the whole one", "in\ufb01ltrate", "inf", "in\ufb01"),
    ("a long gap", "of ______ now", "___ now", "______ now"),
    ("a short gap", "of __ now", "___", "__"),
]


@pytest.mark.parametrize(("reason", "raw", "folded", "expected"), RAW_PLACES, ids=[row[0] for row in RAW_PLACES])
def test_a_folded_place_is_a_raw_place(reason: str, raw: str, folded: str, expected: str) -> None:
    text = fold_with_places(raw)
    start = text.text.index(folded)
    first, last = text.raw(start, start + len(folded))
    assert raw[first:last] == expected, reason


@given(st.text(alphabet=st.characters(), max_size=60) | st.text(alphabet="aÉœ\u0301_ \n’½\ufb01\u00ad", max_size=60))
def test_places_rise_and_stay_inside(raw: str) -> None:
    folded = fold_with_places(raw)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert folded.starts == tuple(sorted(folded.starts))
    assert folded.ends == tuple(sorted(folded.ends))
    assert all(0 <= start < end <= len(raw) for start, end in zip(folded.starts, folded.ends, strict=True))
    assert folded.text == fold_text(raw)


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(raw: str) -> None:
    once = fold_text(raw)
    assert fold_text(once) == once
    assert once == once.strip()
    assert "  " not in once
