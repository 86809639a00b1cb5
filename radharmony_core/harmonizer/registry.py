"""The datasets RadHarmony reads. To add one: its harmonizer file, and a line here."""

from __future__ import annotations

from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.casia_cxr.harmonizer import CASIACXRHarmonizer
from radharmony_core.harmonizer.mimic.mimic_cxr import MIMICCXRHarmonizer
from radharmony_core.harmonizer.mimic.mimic_cxr_jpg import MIMICCXRJPGHarmonizer
from radharmony_core.harmonizer.ms_cxr.harmonizer import MSCXRHarmonizer

__all__ = ["HARMONIZERS"]

HARMONIZERS: dict[str, type[Harmonizer]] = {
    MSCXRHarmonizer.kind: MSCXRHarmonizer,
    MIMICCXRJPGHarmonizer.kind: MIMICCXRJPGHarmonizer,
    MIMICCXRHarmonizer.kind: MIMICCXRHarmonizer,
    CASIACXRHarmonizer.kind: CASIACXRHarmonizer,
}
