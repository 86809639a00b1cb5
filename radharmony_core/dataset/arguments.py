"""Arguments as people give them: what is no path, or no whole number, is refused in words and not by a TypeError."""

from __future__ import annotations

import operator
import os
from pathlib import Path

from radharmony_core.errors import ConfigError

__all__ = ["checked_path", "whole_number"]


def checked_path(path: object, name: str) -> str | Path:
    """``path``, given as ``name``. Raises ConfigError where it is neither text nor a path."""
    if isinstance(path, str | Path):
        return path
    plain = path.__fspath__() if isinstance(path, os.PathLike) else None
    if not isinstance(plain, str):
        raise ConfigError(f"Expected a path as {name}, as text or as a pathlib.Path; got {path!r:.80}.")
    return plain


def whole_number(value: object) -> int | None:
    """``value`` as an int, where it is a whole number by its type, NumPy's included; None for anything else, True included."""
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
