"""Each dataset's raw files to one table, one row per image."""

from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.ms_cxr import MSCXRHarmonizer
from radharmony_core.harmonizer.ms_cxr_rows import find_annotations
from radharmony_core.harmonizer.registry import HARMONIZERS

__all__ = ["HARMONIZERS", "Harmonizer", "MSCXRHarmonizer", "find_annotations"]
