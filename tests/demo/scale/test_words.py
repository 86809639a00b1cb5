"""Each sentence names the label it is for and no other, and says the state it is for; by word lists of this test's own."""

from __future__ import annotations

import pytest

from radharmony_core.demo.scale.words import ASIDES, FIRST, NORMAL, UNCHANGED, denials, sayings
from radharmony_core.labels import CHEXPERT_LABELS
from tests.demo.scale.reading import read_labels

LABELS = [name for name in CHEXPERT_LABELS if name != "No Finding"]
PLACES = {name: place for place, name in enumerate(CHEXPERT_LABELS)}


@pytest.mark.parametrize("state", [1, -1])
@pytest.mark.parametrize("label", LABELS)
def test_a_sentence_says_one_state_of_one_label(label: str, state: int) -> None:
    known = sayings(label, state)
    assert len(known) >= 2
    for one in known:
        assert read_labels(one.sentence) == {label: state}, one
        assert one.phrase.lower() in one.sentence.lower()


@pytest.mark.parametrize("form", range(4))
@pytest.mark.parametrize("labels", [[name] for name in LABELS] + [LABELS[:2], LABELS[:7], LABELS])
def test_denials_deny_each_of_the_labels(labels: list[str], form: int) -> None:
    text = denials(sum(1 << PLACES[name] for name in labels), form)
    assert read_labels(text) == dict.fromkeys(labels, 0)


@pytest.mark.parametrize("form", range(4))
def test_nothing_denied_is_no_text(form: int) -> None:
    assert denials(0, form) == ""


@pytest.mark.parametrize("sentence", [*NORMAL, *UNCHANGED, FIRST, *ASIDES])
def test_what_is_said_beside_names_no_label(sentence: str) -> None:
    assert read_labels(sentence) == {}


def test_phrases_of_ms_cxr_have_commas_and_quotes_and_both_sides() -> None:
    phrases = [one for name in LABELS for one in sayings(name, 1) if one.finding]
    assert any('"' in one.phrase for one in phrases)
    assert any("," in one.phrase for one in phrases)
    for name in ("Consolidation", "Pneumonia", "Pleural Effusion", "Lung Opacity", "Atelectasis"):
        assert {one.finding.side for one in sayings(name, 1) if one.finding} == {-1, 0, 1}
