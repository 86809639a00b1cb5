"""What a mention says whatever the language: which place is asked for, how far is looked, and the lists of cues themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radharmony_core.errors import ReportError
from radharmony_core.reports import polarity
from radharmony_core.reports.cues import cues_of
from radharmony_core.reports.fold import fold_text
from radharmony_core.reports.languages import LANGUAGES, read_rules

MENTIONS = [
    # reason, expected, text with the mention in braces
    ("the denial is part of the mention", "negated", "{No pleural effusion} is seen."),
    ("with words before it", "negated", "{There is no pleural effusion}."),
    ("the mention begins with the denial of the whole", "negated", "Clear, {without effusion or pneumothorax}."),
    ("a denial of its second half is not one of it", "affirmed", "{Small effusion without pneumothorax}."),
    ("the denial at its end", "negated", "{Pneumothorax is absent}."),
    ("another's denial at its end", "affirmed", "{Small effusion, pneumothorax is absent}."),
    ("a word of the denial", "negated", "The heart is not {enlarged}."),
    ("a word that looks like a denial", "affirmed", "{No change} in the effusion."),
    ("the doubt is part of the mention", "uncertain", "{Possible pneumonia} in the left base."),
    ("a whole sentence with its full stop", "negated", "{No effusion.}"),
    ("over two sentences, by its first", "affirmed", "{Small effusion.  No} pneumothorax."),
    ("white space", "affirmed", "Small{ }effusion."),
    ("letters of one word", "negated", "No pneumo{thorax}."),
    ("an empty text", "affirmed", "{}"),
]


@pytest.mark.parametrize(("reason", "expected", "text"), MENTIONS, ids=[row[0] for row in MENTIONS])
def test_what_is_asked_for(reason: str, expected: str, text: str) -> None:
    start, end = text.index("{"), text.index("}") - 1
    assert polarity(text.replace("{", "").replace("}", ""), start, end) == expected, reason


def test_a_denial_far_away_does_not_count() -> None:
    """A text without sentences is read 800 characters to each side."""
    near, far = "no " + "x" * 700 + " effusion", "no " + "x" * 900 + " effusion"
    assert polarity(near, near.index("effusion"), len(near)) == "negated"
    assert polarity(far, far.index("effusion"), len(far)) == "affirmed"


LINES = [
    # reason, expected, text
    ("a line that begins a statement", "affirmed", "There is no pneumothorax\nsmall left {effusion}"),
    ("a line behind an adjective goes on", "negated", "There is no large\nleft {effusion}"),
    ("a line behind or goes on", "negated", "There is no pneumothorax or\nlarge {effusion}"),
    ("a line behind a comma goes on", "negated", "No pneumothorax,\nedema, or {effusion}"),
    ("a line within a place goes on", "negated", "No effusion in the\nleft lung or {pneumothorax}"),
]


@pytest.mark.parametrize(("reason", "expected", "text"), LINES, ids=[row[0] for row in LINES])
def test_line_ends(reason: str, expected: str, text: str) -> None:
    start, end = text.index("{"), text.index("}") - 1
    assert polarity(text.replace("{", "").replace("}", ""), start, end) == expected, reason


@pytest.mark.parametrize("report", [None, b"No effusion.", 3])
def test_what_is_no_text_is_refused(report: object) -> None:
    with pytest.raises(ReportError, match="str; got"):
        polarity(report, 0, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(("start", "end"), [(0.0, 1.0), (0, 1.5), (None, 1), ("0", 1)])
def test_a_place_not_in_whole_numbers_is_refused(start: object, end: object) -> None:
    with pytest.raises(ReportError, match="whole numbers"):
        polarity("text", start, end)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_beginning_of_a_huge_mention_tells(language: str) -> None:
    denied = {"en": "no effusion, ", "fr": "pas d'épanchement, "}[language] * 10_000
    assert polarity(denied, 0, len(denied), language) == "negated"
    assert polarity(f"effusion. {denied}", 0, len(denied), language) == "affirmed"


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (0, 5), (3, 2), (9, 9)])
def test_a_place_outside_the_report_is_refused(start: int, end: int) -> None:
    with pytest.raises(ReportError, match="4 characters"):
        polarity("text", start, end)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ReportError, match="'de'"):
        polarity("Kein Erguss.", 5, 11, "de")


@pytest.mark.parametrize("piece", ["no ", "no, ", "no (", "pas d'", "is ", ".", "\n", "x", "no effusion and ", "a, b or "])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_huge_report_of_one_thing_ends(piece: str, language: str) -> None:
    report = piece * (200_000 // len(piece))
    assert polarity(report, 100_000, 100_003, language) in ("affirmed", "negated", "uncertain")


WORDS = [
    "no",
    "effusion",
    "or",
    ",",
    "and",
    "but",
    "possible",
    "is",
    "not",
    "seen",
    "pas",
    "d’",
    "œdème",
    "n’est",
    "absent",
    ":",
    "?",
    ".",
    "___",
    "(",
    ")",
    "\n",
    "É",
    "./",
    "without",
    "normal",
    "ha",
    "[",
    "...",
]


@given(st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join) | st.text(max_size=40), st.data(), st.sampled_from(LANGUAGES))
def test_every_place_of_every_text_has_an_answer(text: str, data: st.DataObject, language: str) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert polarity(text, start, end, language) in ("affirmed", "negated", "uncertain")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_listed_cue_is_found_in_a_text(language: str) -> None:
    """A cue that is misspelt in its list, or hidden behind another, would do nothing in silence."""
    rules = read_rules(f"cues_{language}")
    lists = rules["words"]
    listed = [
        (f"{kind} {side}", cue)
        for kind in ("negation", "uncertainty")
        for side, cues in rules[kind].items()
        if side != "near"
        for cue in cues
    ]
    listed += [("pseudo", cue) for cue in rules["pseudo"]["cues"]] + [("ends", cue) for cue in rules["scope"]["ends"]]
    assert len(listed) > 100
    for kind, cue in listed:
        text = _one_writing(cue, lists)
        kinds = {
            kind for found in cues_of(language).find(text) if (found.start, found.end) == (0, len(text)) for kind in found.kinds
        }
        assert kind in kinds or "pseudo" in kinds, f"{kind}: {cue} as {text!r} is read as {sorted(kinds)}"


def _one_writing(cue: str, lists: dict[str, list[str]]) -> str:
    """The first of each list and choice, nothing for what may be missing, no word for the dots, 5 for a number."""
    cue = cue.removeprefix("^").replace("#", "5")
    for name, words in lists.items():
        cue = cue.replace(f"<{name}>", words[0])
    text = fold_text(cue)
    while "[" in text:
        before, _, rest = text.partition("[")
        inside, _, after = rest.partition("]")
        text = before + inside.split("|")[0] + after
    while "(" in text:
        before, _, rest = text.partition("(")
        text = before + rest.partition(")")[2]
    return fold_text(text.replace(" ... ", " ").replace("' ", "'"))
