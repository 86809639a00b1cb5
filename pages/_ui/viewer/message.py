"""What the film viewer is sent: one buffer with a JSON header and the film's JPEG, since raw bytes travel only alone."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Hashable
from typing import Any

import pandas as pd

from pages._ui.data import Film
from radharmony_core.boxes import PixelBox, frame_of
from radharmony_core.labels import style_of
from radharmony_core.reports import PhraseMatch, Report, locate_phrase
from radharmony_core.schema import ISSUE_CODES

__all__ = ["build_message", "position_of"]

_FARTHEST = 1e12  # film pixels; what lies beyond cannot be drawn, only named


def build_message(
    film: Film,
    image: pd.Series[Any],
    boxes: pd.DataFrame,
    report: Report | None,
    report_note: str,
    turn: tuple[int, int],
) -> bytes:
    """The header's length (4 bytes, little endian), the header as UTF-8 JSON, the JPEG. Rectangles are in frame pixels.

    ``turn`` is the film's place in the result, from 0, and how many there are.
    """
    frame, picture, notices = _frame(film, image, len(boxes))
    text = None if report is None else report.text
    rows = boxes.to_dict("records")
    phrases, phrase_index = _phrases(rows, text)
    header = {
        "film": {
            "key": str(image["image_id"]),
            "version": film.version,
            "turn": list(turn),
            "width": frame[0],
            "height": frame[1],
            "picture": list(picture),
            "alt": f"Chest X-ray {image['image_id']} with {len(boxes)} annotated boxes",
            "error": film.error,
            "notices": [*notices, *film.notices],
            "facts": _facts(image, film, frame),
        },
        "boxes": [_box(number, row, phrase_index[number - 1], frame) for number, row in enumerate(rows, start=1)],
        "phrases": phrases,
        "report": {"text": text, "note": report_note},
    }
    body = json.dumps(header, allow_nan=False).encode()
    return struct.pack("<I", len(body)) + body + film.jpeg


def _facts(image: pd.Series[Any], film: Film, frame: tuple[int, int]) -> list[list[str]]:
    """Name and value pairs that tell which film this is; what the table does not say is left out."""
    sent = "" if film.sent in (None, film.size) else f", shown at {film.sent[0]} x {film.sent[1]}" if film.sent else ""
    facts = {
        "Patient": image["patient_id"],
        "Study": image["study_id"],
        "Image": image["image_id"],
        "MS-CXR split": image["ms_cxr_split"],
        "MIMIC-CXR split": image["split"],
        "View": image["view_position"],
        "Size": f"{frame[0]} x {frame[1]} px{sent}",
    }
    return [[name, str(value)] for name, value in facts.items() if not pd.isna(value)]


def _frame(film: Film, image: pd.Series[Any], boxes: int) -> tuple[tuple[int, int], PixelBox, list[str]]:
    """The frame that boxes are measured in, the picture's place in it, and what must be said about the two."""
    sized = not (pd.isna(image["image_width"]) or pd.isna(image["image_height"]))
    table = (int(image["image_width"]), int(image["image_height"])) if sized else None
    if film.size is None:
        frame = table or (1000, 1000)
        return frame, PixelBox(0, 0, *frame), []
    kind, picture = frame_of(film.size, table)
    frame = table or film.size
    sizes = f"The file is {film.size[0]} x {film.size[1]} pixels, the table says {frame[0]} x {frame[1]}"
    said = {
        "same": [],
        "scaled": [f"{sizes}: a resized copy. Boxes lie where the table puts them."],
        "unknown": ["The table gives no size for this image, so its boxes cannot be placed."] if boxes else [],
        "other": [
            f"{sizes}: another shape. The picture is fitted into the table's frame; its boxes may not lie where they belong."
        ],
    }
    return frame, picture, said[kind]


def _phrases(rows: list[dict[Hashable, Any]], report: str | None) -> tuple[list[dict[str, Any]], list[int]]:
    """Each phrase once, in the order of its first box, and for every box the place of its phrase."""
    places: dict[Any, int] = {}
    phrases: list[dict[str, Any]] = []
    for row in rows:
        if row["phrase_id"] not in places:
            places[row["phrase_id"]] = len(phrases)
            phrases.append(_phrase(str(row["label"]), str(row["phrase"]), report))
    return phrases, [places[row["phrase_id"]] for row in rows]


def _phrase(label: str, text: str, report: str | None) -> dict[str, Any]:
    style = style_of(label)
    match = locate_phrase(text, report) if report is not None else None
    return {
        "label": label,
        "letters": style.letters,
        "color": style.color,
        "text": text,
        # JavaScript counts UTF-16 units, Python code points: a character beyond the BMP is two there and one here.
        "match": None if match is None or report is None else [_utf16(report[: match.start]), _utf16(report[: match.end])],
        "isSimilar": match is not None and match.grade == "fuzzy",
        "found": "" if report is None else _found(match),
    }


def _found(match: PhraseMatch | None) -> str:
    """How much of the phrase the reader finds at the marked place."""
    if match is None:
        return "Not in the report, and nothing similar."
    if match.grade == "exact":
        return "Verbatim in the report."
    if match.grade == "folded":
        return f"In the report, up to case, line breaks and accents{'' if match.score == 1 else ', and to what is ___'}."
    return f"Not in the report: the dashed place is only similar ({100 * match.score:.0f} %)."


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _box(number: int, row: dict[Hashable, Any], phrase_index: int, frame: tuple[int, int]) -> dict[str, Any]:
    """One box in frame pixels, from the normalized numbers, so that a row with a size of its own is placed by that size."""
    style = style_of(str(row["label"]))
    x_min, x_max, y_min, y_max = (float(row[name]) for name in ("x_min", "x_max", "y_min", "y_max"))
    rect = [x_min * frame[0], y_min * frame[1], (x_max - x_min) * frame[0], (y_max - y_min) * frame[1]]
    placed = all(math.isfinite(number) and abs(number) < _FARTHEST for number in rect)
    return {
        "id": row["box_id"],
        "number": number,
        "label": str(row["label"]),
        "letters": style.letters,
        "color": style.color,
        "dash": list(style.dash),
        "phrase": str(row["phrase"]),
        "phraseIndex": phrase_index,
        "rect": rect if placed else None,
        "hasArea": placed and x_max > x_min and y_max > y_min,
        "position": position_of(row) if placed else "not placed",
        "issues": [_issue(code) for code in row["codes"]],
    }


def position_of(row: dict[Hashable, Any]) -> str:
    """Edges in pixels of the original image and in percent: ``x 300 to 800, y 400 to 1000 px (12-31 %, 13-33 %)``."""
    x, y, w, h = (row[name] for name in ("x", "y", "w", "h"))
    percent = [
        f"{100 * row[name]:.0f}" if abs(row[name]) < 1e6 else f"{100 * row[name]:.1e}"
        for name in ("x_min", "x_max", "y_min", "y_max")
    ]
    return f"x {x:g} to {x + w:g}, y {y:g} to {y + h:g} px ({percent[0]}-{percent[1]} % across, {percent[2]}-{percent[3]} % down)"


def _issue(code: str) -> str:
    return f"{code.replace('_', ' ')} ({ISSUE_CODES[code].severity})"
