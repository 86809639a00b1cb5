"""Radiology reports: where they are, and where a phrase stands in them."""

from radharmony_core.reports.files import Report, read_report, report_path
from radharmony_core.reports.locate import PhraseMatch, locate_phrase

__all__ = ["PhraseMatch", "Report", "locate_phrase", "read_report", "report_path"]
