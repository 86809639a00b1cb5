"""Finding an annotated phrase in its report. Annotators edit phrases, so "not found" is an answer, and it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from radharmony_core.reports.fold import GAP
from radharmony_core.reports.heading_marks import MAIN
from radharmony_core.reports.languages import LANGUAGES, check_text
from radharmony_core.reports.meaning import meaning
from radharmony_core.reports.polarity import Polarity, polarity
from radharmony_core.reports.sections import split_sections
from radharmony_core.reports.similar import similar_places
from radharmony_core.reports.tokens import Tokens, find_runs, raw_tokens, tokens_of

__all__ = ["Grade", "PhraseMatch", "locate_phrase"]

Grade = Literal["exact", "folded", "fuzzy"]

_MOST_PLACES = 50
_MOST_EQUALS = 5  # similar places of one score that are compared, each of which takes a look at its sentence
_COMPARED = 8  # words of a place whose denial is compared with the phrase's
_LEAST_LITERAL = 0.5  # of a phrase's words; with more of them de-identified, the place is a guess


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """``report[start:end]`` is the phrase's place in the raw text.

    ``grade`` is ``exact``; ``folded`` where it is the phrase but for case, white space, line ends, accents, ligatures, the form
    of quotes and dashes, and ``___`` for a word; ``fuzzy`` where it is only like it. ``score`` is 0..1: 1 for exact and folded,
    less by the share of words that are ``___`` in one of the two, and for fuzzy less by what was lost, added or exchanged.
    """

    start: int
    end: int
    grade: Grade
    score: float


def locate_phrase(phrase: str, report: str) -> PhraseMatch | None:
    """The place of ``phrase`` in ``report`` as whole words, exact before folded, else the place most like it.

    Of several places of one grade (of one score, where they are similar) the first that is said as the phrase is, affirmed,
    denied or in doubt, and stands in the findings or the impression; else the first said so elsewhere; else the first in the
    findings or the impression; else the first of all. The first 50 places are compared, of similar ones 5.

    None where there is none, which is an answer: a place is not given as similar when it has another side, number or denial,
    an opposite, or another finding, when it lies in a clause that denies what the phrase affirms or the other way round, and
    when more than about a third of the phrase's words are different. Another size (*small* for *large*) is similar.

    Takes time proportional to the report's length for exact and folded, and to phrase times report for similar places; a phrase
    of 5,000 characters in a report of 200,000 is within a second or two, and far larger ones are not searched for similar places.
    Raises ReportError for what is no text.
    """
    check_text(phrase, "phrase")
    check_text(report)
    phrase = phrase.strip()
    if not phrase or not report:
        return None
    return _exact(phrase, report) or _folded(phrase, report) or _similar(phrase, report)


def _exact(phrase: str, report: str) -> PhraseMatch | None:
    if phrase not in report:
        return None
    wanted, _ = raw_tokens(phrase)
    tokens, starts = raw_tokens(report)
    places = [starts[first] for first in find_runs(wanted, tokens, _MOST_PLACES)]
    return _best(phrase, report, [PhraseMatch(start, start + len(phrase), "exact", 1.0) for start in places])


def _folded(phrase: str, report: str) -> PhraseMatch | None:
    wanted, tokens = tokens_of(phrase), tokens_of(report)
    places = find_runs(wanted.words, tokens.words, _MOST_PLACES)
    ends = [tokens.ends[first + len(wanted.words) - 1] for first in places]
    found = [PhraseMatch(tokens.starts[first], end, "folded", 1.0) for first, end in zip(places, ends, strict=True)]
    return _best(phrase, report, found)


def _similar(phrase: str, report: str) -> PhraseMatch | None:
    wanted, tokens = tokens_of(phrase), tokens_of(report)
    equals: list[PhraseMatch] = []
    for first, last, score in similar_places(wanted.words, tokens.words):
        if len(equals) >= _MOST_EQUALS or (equals and score < equals[0].score):
            break
        found = Tokens(tokens.words[first:last], tokens.starts[first:last], tokens.ends[first:last])
        if _is_the_same_but_for_gaps(wanted.words, found.words):
            return PhraseMatch(found.starts[0], found.ends[-1], "folded", score)
        if _denies_the_same(phrase, wanted, report, found):
            equals.append(PhraseMatch(found.starts[0], found.ends[-1], "fuzzy", score))
    return _best(phrase, report, equals)


def _best(phrase: str, report: str, places: list[PhraseMatch]) -> PhraseMatch | None:
    """The place that says what the phrase says, in the sections that report on the image, as far as there is one."""
    if len(places) < 2:
        return places[0] if places else None
    said = _said(phrase, 0, len(phrase))
    main = [one for one in split_sections(report, "fr") if one.name in MAIN]  # with French headings English ones count too

    def rank(place: PhraseMatch) -> tuple[bool, bool]:
        is_main = any(one.start <= place.start < one.end for one in main)
        return _said(report, place.start, place.end) != said, not is_main

    return min(places, key=rank)


def _said(text: str, start: int, end: int) -> Polarity:
    """In the language that says more, since a phrase does not say its own."""
    both = {polarity(text, start, end, language) for language in LANGUAGES}
    return "negated" if "negated" in both else "uncertain" if "uncertain" in both else "affirmed"


def _denies_the_same(phrase: str, wanted: Tokens, report: str, found: Tokens) -> bool:
    """Whether each of the first words of weight that both have is denied in both or in neither; without one, the wholes are."""
    weighty = (word for word in wanted.words if word[0].isalpha() and word not in meaning().small and word in found.words)
    shared = list(dict.fromkeys(weighty))[:_COMPARED]
    pairs = [(wanted.words.index(word), found.words.index(word)) for word in shared]
    if not pairs:
        return _is_denied(phrase, 0, len(phrase)) == _is_denied(report, found.starts[0], found.ends[-1])
    return all(
        _is_denied(phrase, wanted.starts[one], wanted.ends[one]) == _is_denied(report, found.starts[other], found.ends[other])
        for one, other in pairs
    )


def _is_denied(text: str, start: int, end: int) -> bool:
    """In either language, since a phrase does not say its own."""
    return any(polarity(text, start, end, language) == "negated" for language in LANGUAGES)


def _is_the_same_but_for_gaps(phrase: tuple[str, ...], place: tuple[str, ...]) -> bool:
    """Whether one has ``___`` for a word of the other, and all else is equal: no kept word is hidden, and most stand there."""
    if len(phrase) != len(place):
        return False
    pairs = [(one, other) for one, other in zip(phrase, place, strict=True) if one != other]
    hidden = [one if other == GAP else other for one, other in pairs if GAP in (one, other)]
    words = sum(word[0].isalnum() for word in phrase)
    return len(hidden) == len(pairs) and not any(map(meaning().kept_as, hidden)) and len(hidden) <= words * _LEAST_LITERAL
