"""Every refusal of RadHarmony, in one tree.

Each class is also the builtin that fits, so ``except FileNotFoundError`` works as it does elsewhere. A message says what
was expected, what came, and the way out. Problems *in the data* are not raised: they are collected as issues (`schema`).
"""

from __future__ import annotations

__all__ = [
    "ConfigError",
    "ImageError",
    "ImageTooLargeError",
    "MissingFileError",
    "NotAnImageError",
    "OutsideRootError",
    "PickleRefusedError",
    "RadHarmonyError",
    "ReportError",
    "SavedTableError",
    "TableError",
    "UnknownWindowError",
    "UnsupportedImageError",
    "WriteError",
]


class RadHarmonyError(Exception):
    """The base: every worded refusal of RadHarmony is one of these."""


class MissingFileError(RadHarmonyError, FileNotFoundError):
    """A file or folder that was named is not there."""


class WriteError(RadHarmonyError, OSError):
    """A file cannot be written: the disk is full, or the folder is read-only."""


class OutsideRootError(RadHarmonyError, PermissionError):
    """A path in the data leads out of its dataset's folder."""


class ConfigError(RadHarmonyError, ValueError):
    """``radharmony.toml`` cannot be used as it is."""


class TableError(RadHarmonyError, ValueError):
    """A CSV or JSON file is not the table that was expected."""


class ReportError(RadHarmonyError, ValueError):
    """A report cannot be read as asked: a language there are no rules for, or a place outside its text."""


class SavedTableError(RadHarmonyError, ValueError):
    """A saved harmonizer cannot be loaded: another class, another version, or damaged."""


class PickleRefusedError(SavedTableError):
    """A pickle can run any code when it is read, so it is read only on an explicit word."""


class ImageError(RadHarmonyError, ValueError):
    """An image file cannot be shown."""


class NotAnImageError(ImageError):
    """The content is not an image of a kind we know, whatever the file is called."""


class UnsupportedImageError(ImageError):
    """The content is an image, of a kind or coding that cannot be read here."""


class ImageTooLargeError(ImageError):
    """The header claims more pixels than any radiograph has; refused before any memory is taken."""


class UnknownWindowError(RadHarmonyError, ValueError):
    """A window was asked for that the film does not have, or whose numbers cannot be used."""
