"""Radiology reports: where they are, their sections and sentences, where a phrase stands in them, and what they say of it."""

from radharmony_core.reports.archive import ReportArchive
from radharmony_core.reports.files import Report, ReportFiles, ReportSource, read_report, report_path
from radharmony_core.reports.fold import fold_text
from radharmony_core.reports.locate import PhraseMatch, locate_phrase
from radharmony_core.reports.polarity import Polarity, polarity
from radharmony_core.reports.sections import Section, section_text, split_sections
from radharmony_core.reports.sentences import Span, split_sentences
from radharmony_core.reports.sources import find_reports

__all__ = [
    "PhraseMatch",
    "Polarity",
    "Report",
    "ReportArchive",
    "ReportFiles",
    "ReportSource",
    "Section",
    "Span",
    "find_reports",
    "fold_text",
    "locate_phrase",
    "polarity",
    "read_report",
    "report_path",
    "section_text",
    "split_sections",
    "split_sentences",
]
