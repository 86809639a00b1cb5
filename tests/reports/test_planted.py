"""500 phrases planted in made-up reports: the same words are found at their place however they are written, and an edited one is
never called the same. What is found of the edited ones is measured and has a floor.
"""

from __future__ import annotations

import random
import unicodedata

import pytest

from radharmony_core.reports import locate_phrase
from tests.reports.planted import Planted, english, french, plant, with_another_word, without_accents

EACH = 100
# Of 1,000 such phrases 99.6 % are found at 0.65, 99.2 % at 0.70 and 98.3 % at 0.75; the rest are misspelt sides, which are never
# guessed. Of 1,000 phrases that were not planted 8 are found: the same finding on the same side in another size or place.
LEAST_FOUND = 0.95
MOST_STRANGERS_FOUND = 0.03


def english_cases(seed: int, count: int = EACH) -> list[tuple[random.Random, Planted]]:
    made = []
    for number in range(count):
        draws = random.Random(f"{seed} {number}")  # noqa: S311  no secret
        made.append((draws, plant(english(draws), draws)))
    return made


def found(phrase: str, planted: Planted) -> tuple[int, int, str] | None:
    match = locate_phrase(phrase, planted.report)
    return None if match is None else (match.start, match.end, match.grade)


def test_the_reports_are_as_the_dataset_has_them() -> None:
    for _, planted in english_cases(0):
        lines = planted.report.split("\n")
        assert max(map(len, lines)) <= 79
        assert all(line.startswith(" ") for line in lines[:-1])
        assert " ".join(planted.report[planted.start : planted.end].split()) == planted.phrase
        assert " ".join(planted.report.split()).count(planted.phrase) == 1


def test_as_they_stand_and_wrapped() -> None:
    """A phrase in one line is verbatim, one that a line's end cuts is not; both kinds come up."""
    grades = []
    for _, planted in english_cases(1):
        in_one_line = "\n" not in planted.report[planted.start : planted.end]
        grades.append("exact" if in_one_line else "folded")
        assert found(planted.phrase, planted) == (planted.start, planted.end, grades[-1])
    assert {grades.count("exact") > 9, grades.count("folded") > 9} == {True}


def test_in_another_letter_case() -> None:
    for draws, planted in english_cases(2):
        written = draws.choice([planted.phrase.upper(), planted.phrase.title(), planted.phrase.swapcase()])
        assert found(written, planted) == (planted.start, planted.end, "folded")


def test_with_other_blanks_and_gaps() -> None:
    """Blanks that do not break, two for one, a gap of another length, and a name where the report has the gap."""
    for draws, planted in english_cases(3):
        blank = draws.choice(["  ", "\u00a0", "\t", "\r\n "])
        gap = draws.choice(["_____", "__", "Miller"])
        written = planted.phrase.replace(" ", blank, draws.randint(1, 3)).replace("___", gap)
        assert found(written, planted) == (planted.start, planted.end, "folded")


def test_french_with_and_without_accents() -> None:
    for number in range(EACH):
        draws = random.Random(f"4 {number}")  # noqa: S311  no secret
        planted = plant(french(draws), draws, is_french=True)
        written = draws.choice(
            [without_accents(planted.phrase), unicodedata.normalize("NFD", planted.phrase), planted.phrase.upper()]
        )
        assert written != planted.phrase
        assert found(written, planted) == (planted.start, planted.end, "folded")


def test_with_one_edited_word() -> None:
    hits = 0
    for draws, planted in english_cases(5):
        written = with_another_word(planted.phrase, draws)
        assert written != planted.phrase
        place = found(written, planted)
        is_part = written in planted.phrase  # its first or last word was left out: the rest does stand there
        assert is_part or place is None or place[2] == "fuzzy", "an edited phrase is not called the same"
        hits += place is not None and place[0] < planted.end and place[1] > planted.start
    assert hits >= LEAST_FOUND * EACH, f"{hits} of {EACH} edited phrases were found"


@pytest.mark.parametrize(("one", "other"), [("left", "right"), ("right", "left"), ("bilateral", "left")])
def test_with_another_side(one: str, other: str) -> None:
    """The most like phrase of all, and the one that must not be found."""
    tried = 0
    for _, planted in english_cases(6):
        if one in planted.phrase.split(" "):
            tried += 1
            assert found(planted.phrase.replace(one, other), planted) is None
    assert tried > 9


def test_phrases_of_other_reports() -> None:
    strangers = 0
    cases = english_cases(7, 300)
    for (_, planted), (_, other) in zip(cases, [*cases[1:], cases[0]], strict=True):
        if other.phrase not in planted.phrase:
            place = found(other.phrase, planted)
            assert place is None or place[2] == "fuzzy", "no wrong one is called the same"
            strangers += place is not None
    assert strangers <= MOST_STRANGERS_FOUND * len(cases), f"{strangers} of {len(cases)}"
