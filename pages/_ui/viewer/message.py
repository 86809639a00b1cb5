"""What the film viewer is sent: one buffer of a JSON header, a JPEG and values, since raw bytes travel only alone."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from pages._ui.films import Codes, Film
from pages._ui.viewer.picture import codes_header, look_header
from radharmony_core.boxes import NormBox, Placement, box_notice, is_within_reach, norm_to_pixel, place_film, usable_size
from radharmony_core.labels import style_of
from radharmony_core.reports import PhraseMatch, Report, locate_phrase
from radharmony_core.schema import BOX_ORDER, ISSUE_CODES

__all__ = ["build_message", "position_of"]

_FARTHEST = 1e10  # film pixels; a box that begins there keeps its other edge to 1e-5 pixels, and what lies beyond is only named
_FAR = "Its tag stands at the edge of the view."
_NOT_DRAWN = "It is too far away to be drawn."
_NO_FRAME = (1000, 1000)  # where neither the file nor the table tells a size


def build_message(
    film: Film,
    image: pd.Series[Any],
    boxes: pd.DataFrame,
    report: Report | None,
    report_note: str,
    turn: tuple[int, int],
    *,
    codes: Codes | None = None,
    agreement: str = "",
    wish: int = 0,
) -> bytes:
    """The header's length (4 bytes, little endian), the header as UTF-8 JSON, then one behind the other the JPEG, the look's
    table (a gray level for each code), the codes and their units. Rectangles are in frame pixels.

    ``turn`` is the film's place in the result, from 0, and how many there are; ``codes`` go along when the viewer has asked
    for them, ``agreement`` is the sentence about JPG and DICOM, ``wish`` the number of the viewer's last wish that was heard.
    """
    rows = boxes.to_dict("records")
    placed = _frame(film, image, rows)
    frame = placed.frame
    text = None if report is None else report.text
    phrases, phrase_index = _phrases(rows, text)
    header = {
        "film": {
            "key": str(image["image_id"]),
            "version": film.version,
            "file": film.file,
            "turn": list(turn),
            "width": frame[0],
            "height": frame[1],
            "picture": list(placed.picture),
            "alt": f"Chest X-ray {image['image_id']} with {len(boxes)} annotated boxes",
            "error": film.error,
            "notices": [*_frame_notices(placed, len(boxes)), *film.notices],
            "facts": _facts(image, film, frame),
            "sent": list(film.sent or (0, 0)),
            "size": list(film.size) if film.size else None,
        },
        "look": look_header(film) | {"agreement": agreement, "wish": wish},
        "parts": {"jpeg": len(film.jpeg), "lut": len(film.lut), "codes": codes_header(codes)},
        "boxes": [_box(number, row, phrase_index[number - 1], placed, film) for number, row in enumerate(rows, start=1)],
        "phrases": phrases,
        "report": {"text": text, "note": report_note},
    }
    body = json.dumps(header, allow_nan=False).encode()
    values = (codes.data, codes.units) if codes is not None else ()
    return b"".join((struct.pack("<I", len(body)), body, film.jpeg, film.lut, *values))


def _facts(image: pd.Series[Any], film: Film, frame: tuple[int, int]) -> list[list[str]]:
    """Name and value pairs that tell which film this is; what the table does not say is left out."""
    sent = "" if film.sent in (None, film.size) else f", shown at {film.sent[0]} x {film.sent[1]}" if film.sent else ""
    size = film.size or frame
    table = "" if size in (frame, frame[::-1]) else f"; the table's is {frame[0]} x {frame[1]}"
    facts = {
        "Patient": image["patient_id"],
        "Study": image["study_id"],
        "Image": image["image_id"],
        "MS-CXR split": image["ms_cxr_split"],
        "MIMIC-CXR split": image["split"],
        "View": image["view_position"],
        "Size": f"{size[0]} x {size[1]} px{sent}{table}",
    }
    return [[name, str(value)] for name, value in facts.items() if not pd.isna(value)]


def _frame(film: Film, image: pd.Series[Any], rows: list[dict[Hashable, Any]]) -> Placement:
    """The frame that boxes are drawn in, and the picture's place in it. Rows of one image may give it different sizes: the one
    that fits the picture is the frame, else the first. Without a picture the table's size is the frame."""
    given = [size for size in (_size_of(image), *map(_size_of, rows)) if size]
    if film.size is None:
        frame = given[0] if given else _NO_FRAME
        return place_film(frame, frame)
    tried = [place_film(film.size, size, orientation=film.orientation) for size in given]
    return min(tried, key=lambda placed: _fit(placed, film), default=place_film(film.size, None, orientation=film.orientation))


def _size_of(row: Mapping[Hashable, Any] | pd.Series[Any]) -> tuple[int, int] | None:
    return usable_size(row["image_width"], row["image_height"])


def _fit(placed: Placement, film: Film) -> int:
    """How well a size fits the picture, the smaller the better: the same, a copy, a doubtful one, another."""
    if placed.kind not in ("same", "scaled", "turned"):
        return 3
    return 0 if placed.frame == film.size else 2 if placed.is_doubtful else 1


def _frame_notices(placed: Placement, boxes: int) -> list[str]:
    """Of a film without boxes nobody needs to know that its table gives no size."""
    return [placed.words] if placed.words and (boxes or placed.kind != "unknown") else []


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


def _box(number: int, row: dict[Hashable, Any], phrase_index: int, placed: Placement, film: Film) -> dict[str, Any]:
    """One box in frame pixels, from the normalized numbers, so that a row with a size of its own is placed by that size."""
    style = style_of(str(row["label"]))
    own = _own_placement(row, placed, film)
    box = own.place(NormBox(*(float(row[name]) for name in BOX_ORDER)))
    rect = norm_to_pixel(box, *placed.frame)
    has_place = all(math.isfinite(number) and abs(number) < _FARTHEST for number in rect)
    stored = "of the picture as stored: " if own.turn > 1 else ""
    return {
        "id": row["box_id"],
        "number": number,
        "label": str(row["label"]),
        "letters": style.letters,
        "color": style.color,
        "dash": list(style.dash),
        "phrase": str(row["phrase"]),
        "phraseIndex": phrase_index,
        "rect": list(rect) if has_place else None,
        "hasArea": has_place and box.is_drawable,
        "position": f"{stored}{position_of(row)}" if has_place else "not placed",
        "issues": [
            *filter(None, [_where(number, box, placed, has_place), _size_words(number, own, placed)]),
            *map(_issue, row["codes"]),
        ],
    }


def _own_placement(row: dict[Hashable, Any], placed: Placement, film: Film) -> Placement:
    """As the row's own size says: its numbers were divided by it, and it tells whether the picture was measured as stored."""
    size = _size_of(row)
    return place_film(film.size or size, size, orientation=film.orientation) if size else placed


def _where(number: int, box: NormBox, placed: Placement, has_place: bool) -> str:
    """`box_notice`, which asks only how far away a box is, and for one that begins or ends too far away to be drawn, that."""
    notice = box_notice(number, box, placed.frame, far=_FAR if has_place else _NOT_DRAWN)
    return notice if has_place or not box.is_finite or not is_within_reach(box) else f"{notice} {_NOT_DRAWN}"


def _size_words(number: int, own: Placement, placed: Placement) -> str:
    """For a row that gives its image another size than the frame's; a turned picture was measured with its sides exchanged."""
    theirs, ours = (one.frame[::-1] if one.turn >= 5 else one.frame for one in (own, placed))
    if theirs == ours:
        return ""
    return (
        f"The row of box {number} says that its image is {theirs[0]} x {theirs[1]} pixels, not {ours[0]} x {ours[1]}. The box is "
        "placed in proportion."
    )


def position_of(row: dict[Hashable, Any]) -> str:
    """Edges as the table has them, in pixels of the original image and in percent of it:
    ``x 300 to 800, y 400 to 1000 px (12 to 31 % across, 13 to 33 % down)``."""
    x, y, w, h = (row[name] for name in ("x", "y", "w", "h"))
    percent = [
        f"{100 * row[name]:.0f}" if abs(row[name]) < 1e6 else f"{100 * row[name]:.1e}"
        for name in ("x_min", "x_max", "y_min", "y_max")
    ]
    across, down = f"{percent[0]} to {percent[1]} % across", f"{percent[2]} to {percent[3]} % down"
    return f"x {x:g} to {x + w:g}, y {y:g} to {y + h:g} px ({across}, {down})"


def _issue(code: str) -> str:
    return f"{code.replace('_', ' ')} ({ISSUE_CODES[code].severity})"
