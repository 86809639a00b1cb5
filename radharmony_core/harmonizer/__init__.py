"""Each dataset's raw files to one table, one row per image."""

from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.casia_cxr.harmonizer import CASIACXRHarmonizer
from radharmony_core.harmonizer.casia_cxr.records import read_clinical_records
from radharmony_core.harmonizer.mimic.labels import find_label_table, read_label_table
from radharmony_core.harmonizer.mimic.mimic_cxr import MIMICCXRHarmonizer
from radharmony_core.harmonizer.mimic.mimic_cxr_jpg import MIMICCXRJPGHarmonizer
from radharmony_core.harmonizer.ms_cxr.harmonizer import MSCXRHarmonizer
from radharmony_core.harmonizer.ms_cxr.rows import find_annotations
from radharmony_core.harmonizer.registry import HARMONIZERS

__all__ = [
    "HARMONIZERS",
    "CASIACXRHarmonizer",
    "Harmonizer",
    "MIMICCXRHarmonizer",
    "MIMICCXRJPGHarmonizer",
    "MSCXRHarmonizer",
    "find_annotations",
    "find_label_table",
    "read_clinical_records",
    "read_label_table",
]
