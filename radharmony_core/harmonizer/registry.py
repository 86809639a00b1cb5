"""The datasets RadHarmony reads. To add one: its harmonizer file, and a line here."""

from __future__ import annotations

from radharmony_core.harmonizer.base import Harmonizer
from radharmony_core.harmonizer.ms_cxr import MSCXRHarmonizer

__all__ = ["HARMONIZERS"]

HARMONIZERS: dict[str, type[Harmonizer]] = {MSCXRHarmonizer.kind: MSCXRHarmonizer}
