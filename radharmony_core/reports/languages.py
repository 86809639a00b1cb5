"""The languages there are rules for, and the data files that hold those rules: ``cues_en.toml``, ``headings_fr.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from radharmony_core.errors import ReportError

__all__ = ["LANGUAGES", "check_language", "check_text", "read_rules"]

LANGUAGES = ("en", "fr")


def check_language(language: str) -> None:
    """Raises ReportError for a language there are no rules for."""
    if language not in LANGUAGES:
        raise ReportError(f"Expected a report's language to be one of {', '.join(LANGUAGES)}; got {language!r}.")


def check_text(text: object, what: str = "report") -> None:
    """Raises ReportError for what is no text; bytes must be decoded first, as `read_report` does."""
    if not isinstance(text, str):
        raise ReportError(f"Expected a {what}'s text as a str; got {type(text).__name__}. read_report decodes a report's file.")


def read_rules(name: str) -> dict[str, Any]:
    """The table of ``name``.toml beside this file."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
