"""CASIA-CXR in its own raw layout: five classes, French reports put together by program, one film a report."""

from radharmony_core.demo.casia.exams import COUNTS, JUNK, TEXTS, Exam, exams_of, small_exams
from radharmony_core.demo.casia.films import films_of
from radharmony_core.demo.casia.tables import CASIA_ROOT, write_casia

__all__ = ["CASIA_ROOT", "COUNTS", "JUNK", "TEXTS", "Exam", "exams_of", "films_of", "small_exams", "write_casia"]
