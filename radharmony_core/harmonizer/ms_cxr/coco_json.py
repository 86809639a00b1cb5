"""MS-CXR's COCO-like JSON as the columns of its CSV, one row per annotation.

The file repeats images under several ids, so an image is known by its path. An id that stands for two paths or two names
decides nothing: the annotation is kept, without the one and with the id for the other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from radharmony_core.errors import TableError
from radharmony_core.harmonizer.ms_cxr.annotations import below_files
from radharmony_core.harmonizer.tables.read import TextTable, read_text
from radharmony_core.schema import IssueLog

__all__ = ["read_json"]

_PARTS = ("images", "annotations", "categories")
_BOX = ("x", "y", "w", "h")
_SIZE = ("width", "height")
_HALF_A_LETTER = re.compile("[\ud800-\udfff]")
_SHOWN = 100  # characters of a wrong value in an issue

_Id = tuple[str, object]
_Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Known:
    """What ids stand for; None for one that stands for several."""

    images: Mapping[_Id, _Record | None]
    names: Mapping[_Id, str | None]


def read_json(path: Path, columns: Sequence[str], log: IssueLog) -> TextTable:
    """Columns of text; a record's number is the annotation's place, counted from 1. A record that cannot be read is left out
    with an issue. Raises MissingFileError; TableError when the file is not COCO-like."""
    coco = _load(path, log)
    for part in _PARTS:
        bad = [place for place, record in enumerate(coco[part], 1) if not _is_record(record, part)]
        rows = bad if part == "annotations" else [None] * len(bad)
        log.add("bad_record", rows=rows, values=[f"{place} of {part}" for place in bad])
    known = _Known(_images(coco["images"]), _names(coco["categories"]))
    numbered = [(row, record) for row, record in enumerate(coco["annotations"], 1) if isinstance(record, dict)]
    said: dict[str, list[tuple[int, str]]] = {}
    found = [_row(record, known, _noting(said, row)) for row, record in numbered]
    for code, entries in said.items():
        log.add(code, rows=[row for row, _ in entries], values=[value for _, value in entries])
    cells = {name: pa.array([one[name] for one in found], pa.string()) for name in columns}
    return TextTable(cells, np.array([row for row, _ in numbered], dtype=np.int64))


def _load(path: Path, log: IssueLog) -> dict[str, list[Any]]:
    text = read_text(path, log)
    try:
        coco = _parsed(text)
    except (ValueError, RecursionError) as error:
        raise TableError(f"Expected a COCO-like file in {path}; it is no JSON: {type(error).__name__}: {error}.") from error
    if not isinstance(coco, dict) or not all(isinstance(coco.get(part), list) for part in _PARTS):
        came = "the keys " + _shown(list(coco)) if isinstance(coco, dict) else type(coco).__name__
        raise TableError(f"Expected a COCO-like file in {path}, an object with the lists {', '.join(_PARTS)}; got {came}.")
    return coco


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a whole number of more than 4300 digits, which Python does not read
        return json.loads(text, parse_int=_whole)


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) < 4300 else float(digits)


def _is_record(record: object, part: str) -> bool:
    return isinstance(record, dict) and (part == "annotations" or _id(record.get("id")) is not None)


def _id(value: object) -> _Id | None:
    """An id as it is compared, by JSON's type and value: 1, true and "1" are three. None for what is no id."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, int | float):
        return ("number", value)
    return ("string", value) if isinstance(value, str) else None


def _images(records: list[Any]) -> dict[_Id, _Record | None]:
    """Image records by id. Of one path they are one image, whose size is unknown where they disagree."""
    images: dict[_Id, _Record | None] = {}
    kept = [record for record in records if _is_record(record, "images")]
    paths = [_text(record.get("path") or record.get("file_name")).strip() for record in kept]
    spelled = below_files(pa.array(paths, pa.string())).to_pylist()
    for record, path, below in zip(kept, paths, spelled, strict=True):
        key = _id(record["id"])
        image: _Record = {"path": path, "below": below, "width": record.get("width"), "height": record.get("height")}
        earlier = images.setdefault(key, image) if key else None
        if earlier is None or earlier is image or key is None:
            continue
        if earlier["below"] != below:
            images[key] = None
        elif any(_differ(earlier[name], image[name]) for name in _SIZE):
            images[key] = earlier | {"width": None, "height": None}
    return images


def _names(records: list[Any]) -> dict[_Id, str | None]:
    names: dict[_Id, str | None] = {}
    for record in records:
        key = _id(record.get("id")) if isinstance(record, dict) else None
        if key is not None:
            name = _text(record.get("name")) or _text(record["id"])
            earlier = names.setdefault(key, name)
            if earlier is not None and earlier.strip().casefold() != name.strip().casefold():
                names[key] = None
    return names


def _noting(said: dict[str, list[tuple[int, str]]], row: int) -> Callable[[str, str], None]:
    def say(code: str, value: str) -> None:
        said.setdefault(code, []).append((row, value))

    return say


def _row(annotation: _Record, known: _Known, say: Callable[[str, str], None]) -> dict[str, str | None]:
    """One annotation in the CSV's terms; ``say`` gets a code and a value for what is wrong."""
    image = _image_of(annotation.get("image_id"), known, say)
    sizes = {part: image[part] if image[part] is not None else annotation.get(part) for part in _SIZE}
    if any(_differ(annotation.get(part), size) for part, size in sizes.items()):
        say("annotation_size_conflict", " x ".join(_shown(annotation.get(part)) for part in _SIZE))
    box = annotation.get("bbox")
    if not (isinstance(box, list) and len(box) == len(_BOX) and all(map(_is_number, box))):
        say("box_shape", _shown(box))
        box = None
    path = str(image["path"])
    return {
        "dicom_id": path.replace("\\", "/").rpartition("/")[2].rpartition(".")[0],
        "category_name": _name_of(annotation.get("category_id"), known, say),
        "label_text": _text(annotation.get("label_text")),
        "path": path,
        **(dict.fromkeys(_BOX) if box is None else dict(zip(_BOX, map(_text, box), strict=True))),
        "image_width": _text(sizes["width"]),
        "image_height": _text(sizes["height"]),
        "split": _text(annotation.get("split")),
    }


def _image_of(image_id: object, known: _Known, say: Callable[[str, str], None]) -> _Record:
    key = _id(image_id)
    image = None if key is None else known.images.get(key)
    if image is None:
        say("ambiguous_image" if key in known.images else "unknown_image", _shown(image_id))
    return image or {"path": "", "width": None, "height": None}


def _name_of(category_id: object, known: _Known, say: Callable[[str, str], None]) -> str:
    key = _id(category_id)
    name = None if key is None else known.names.get(key)
    if name is None and key in known.names:
        say("ambiguous_category", _shown(category_id))
    return _text(category_id) if name is None else name


def _differ(one: object, other: object) -> bool:
    """Whether two sizes are given and are not the same; 48 and 48.0 are."""
    if one is None or other is None:
        return False
    return one != other if _is_number(one) and _is_number(other) else _text(one) != _text(other)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: object) -> str:
    """A wrong value for an issue: as JSON writes it, a long one cut short."""
    text = "null" if value is None else _text(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _text(value: object) -> str:
    """A value as a cell. Half of a surrogate pair, which JSON can spell and no file can hold, becomes U+FFFD."""
    if isinstance(value, str):
        return value if value.isascii() else _HALF_A_LETTER.sub("\ufffd", value)
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    try:
        return _text(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return "…"
