"""A report's sections, as places in its raw text.

The rules of MIT-LCP's mimic-cxr (txt/section_parser.py), which sees headings in capitals after a newline and one blank, and
more: headings in mixed case, misspelt, joined, without the leading blank, several in one line of a text whose lines were lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from radharmony_core.reports.fold import fold_text
from radharmony_core.reports.heading_marks import BODIES, MAIN, Mark, find_marks
from radharmony_core.reports.headings import headings_of
from radharmony_core.reports.languages import check_language, check_text
from radharmony_core.reports.lines import EMPTY_LINE, bare

__all__ = ["Section", "section_text", "split_sections"]

_ASIDE = {"addendum", "wet_read"}  # what stands above the report proper


@dataclass(frozen=True, slots=True)
class Section:
    """``report[start:end]`` is the section's text without white space around it, ``report[heading_start:heading_end]`` its
    heading without the colon; an empty one where the text has none.

    ``name`` is ``findings``, ``impression``, ``wet_read``, ``indication``, ``history``, ``technique``, ``comparison``,
    ``examination``, ``addendum``, ``recommendations``, ``notification``, ``comment`` or ``date``; ``preamble`` for text before
    the first heading, ``full_report`` for a text without any, ``last_paragraph`` as the official splitter has it, ``other``
    for text below a closing line. A heading in capitals that is in no list names its own section: ``TRACER:`` ``tracer``.
    """

    name: str
    start: int
    end: int
    heading_start: int
    heading_end: int


def split_sections(report: str, language: str = "en") -> list[Section]:
    """The sections of ``report`` in the order of the text; those without text are left out, and an empty report has none.

    A joined heading (``FINDINGS AND IMPRESSION:``) gives a section of each name over one place. Two sections of one name are
    both given: the official splitter takes the last, `section_text` joins them. A report with neither findings nor impression
    has neither; its last section is cut at its first empty line and the rest is its ``last_paragraph``, as officially.
    Raises ReportError for what is no text, and for a language other than ``en`` and ``fr``.
    """
    check_language(language)
    check_text(report)
    sections = [one for one in _pieces(report, language) if one.start < one.end]
    if any(one.name in MAIN for one in sections) or not sections or sections[-1].name in BODIES:
        return sections
    last = sections[-1]
    gap = EMPTY_LINE.search(report, last.start, last.end)
    if gap is None:
        return sections
    paragraph = _trimmed(report, Section("last_paragraph", gap.end(), last.end, gap.end(), gap.end()))
    return [*sections[:-1], _trimmed(report, replace(last, end=gap.start())), paragraph]


def section_text(report: str, name: str, language: str = "en") -> str | None:
    """The text of all sections called ``name``, an empty line between two; None where there is none. Raises ReportError."""
    places = dict.fromkeys((one.start, one.end) for one in split_sections(report, language) if one.name == name)
    return "\n\n".join(report[start:end] for start, end in places) if places else None


def _pieces(report: str, language: str) -> Iterator[Section]:
    marks = find_marks(report, headings_of(language))
    named = [number for number, mark in enumerate(marks) if mark.names]
    yield from _without_heading(report, 0, marks, 0, named)
    for number, mark in enumerate(marks):
        if not mark.names:
            yield from _without_heading(report, mark.text_start, marks, number + 1, named)
        end = marks[number + 1].start if number + 1 < len(marks) else len(report)
        for name in mark.names:
            yield _trimmed(report, Section(name, mark.text_start, end, mark.start, mark.end))


def _without_heading(report: str, start: int, marks: list[Mark], following: int, named: list[int]) -> Iterator[Section]:
    """The text up to the mark ``following``, called by what stands around it; ``named`` are the marks that are headings."""
    proper = (number for number in named if not _ASIDE.issuperset(marks[number].names))
    begun = next(proper, len(marks)) < following
    end = marks[following].start if following < len(marks) else len(report)
    if following < len(marks) and marks[following].is_rule:
        name = "other" if begun else "addendum"
    elif named and named[-1] >= following:
        name = "preamble"
    else:
        name = "other" if begun else "full_report"
    section = _trimmed(report, Section(name, start, end, start, start))
    if fold_text(report[section.start : section.end][:20]) != "final report":  # the title of a text without lines
        yield section


def _trimmed(report: str, section: Section) -> Section:
    """Without white space around; a section without a heading has its empty one where its text begins."""
    start, end = bare(report, section.start, section.end)
    if section.heading_start < section.heading_end:
        return replace(section, start=start, end=end)
    return Section(section.name, start, end, start, start)
