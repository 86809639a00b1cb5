"""What the film viewer is told of the picture: its look, what else is offered, and how it was made."""

from __future__ import annotations

from typing import Any

from pages._ui.films import Codes, Film
from radharmony_core.images import Preset

__all__ = ["caption_of", "codes_header", "look_header"]

_HAND = "hand"


def look_header(film: Film) -> dict[str, Any]:
    """The look and the choices of a film, as JSON: windows in the file's units."""
    look, hand = film.look, film.look.by_hand
    return {
        "window": _HAND if hand else look.window,
        "words": "Set by hand" if hand else film.window.words if film.window else "",
        "center": hand.center if hand else film.window.center if film.window else None,
        "width": hand.width if hand else film.window.width if film.window else None,
        "function": hand.function if hand else film.window.function if film.window else "",
        "invert": look.invert,
        "contrast": look.local_contrast,
        "presets": [_preset(preset) for preset in film.presets],
        "reach": list(film.reach),
        "unit": film.unit,
        "lowIsWhite": film.is_inverted,
        "caption": caption_of(film),
        "file": look.file or (film.files[0][0] if film.files else ""),
        "files": [{"key": kind, "words": words} for kind, words in film.files],
        "steps": [{"name": step.name, "words": step.words, "standard": step.standard} for step in film.ledger],
    }


def _preset(preset: Preset) -> dict[str, Any]:
    window = {"center": preset.center, "width": preset.width, "function": preset.function}
    return {"key": preset.key, "words": preset.words, **window}


def caption_of(film: Film) -> str:
    """What the window's two numbers do not tell: their unit, a curve that is not linear, and what makes the picture unlike the
    file's own."""
    shown = film.look.by_hand or film.window
    curve = {"SIGMOID": "sigmoid"}.get(shown.function, "") if shown else ""
    parts = [film.unit, curve, *["inverted"] * film.look.invert, *["local contrast"] * film.look.local_contrast]
    return ", ".join(filter(None, parts))


def codes_header(codes: Codes | None) -> dict[str, Any] | None:
    """Form of the values that travel behind the picture."""
    if codes is None:
        return None
    form = {"width": codes.width, "height": codes.height, "itemsize": codes.itemsize, "bytes": len(codes.data)}
    return form | {"native": codes.is_native, "shown": codes.is_shown}
