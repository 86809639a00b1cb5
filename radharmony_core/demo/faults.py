"""A small MS-CXR with one planted fault of each kind, and the list of what a reader is expected to report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from radharmony_core.demo.mscxr import COLUMNS, CSV_NAME, Record, records_of
from radharmony_core.demo.pixels import write_film
from radharmony_core.demo.plan import Plan, make_plan
from radharmony_core.demo.tables import JPG_ROOT, MIMIC_ROOT, write_reports, write_rows
from radharmony_core.demo.writer import new_folder

__all__ = ["CODES", "write_faults"]

_IMAGES = 150  # enough for more images with a single box than there are faults, whatever the seed
_SHRUNK = 0.5

_CONFIG = f"""# Made-up data with planted faults, listed in faults.csv; paths are relative to this file.
[ms_cxr]
csv_path = "{CSV_NAME}"
mimic_base_dir = "{JPG_ROOT}/files"
report_dir = "{MIMIC_ROOT}/files"
"""

_CLEAN = 3

_Spoil = Callable[[Record, list[object], Path], None]


def _cell(name: str, value: object) -> _Spoil:
    def spoil(_record: Record, row: list[object], _root: Path) -> None:
        row[COLUMNS.index(name)] = value

    return spoil


def _outside(record: Record, row: list[object], _root: Path) -> None:
    row[COLUMNS.index("x")] = record.width - int(record.box.w) // 2


def _bad_path(record: Record, row: list[object], _root: Path) -> None:
    row[COLUMNS.index("path")] = f"images/{record.dicom_id}.jpg"


def _no_film(record: Record, _row: list[object], root: Path) -> None:
    (root / JPG_ROOT / record.path).unlink()


def _no_report(record: Record, _row: list[object], root: Path) -> None:
    (root / MIMIC_ROOT / Path(record.path).parent).with_suffix(".txt").unlink()


def _other_size(record: Record, _row: list[object], root: Path) -> None:
    path = root / JPG_ROOT / record.path
    with Image.open(path) as film:
        small = film.resize((round(film.width * _SHRUNK), round(film.height * _SHRUNK)))
    small.save(path, "JPEG", quality=95)


def _cut_short(record: Record, _row: list[object], root: Path) -> None:
    path = root / JPG_ROOT / record.path
    path.write_bytes(path.read_bytes()[:600])


def _web_page(record: Record, _row: list[object], root: Path) -> None:
    text = "<!DOCTYPE html>\n<html><head><title>Log in</title></head><body>Please log in to download files.</body></html>\n"
    (root / JPG_ROOT / record.path).write_text(text, encoding="utf-8", newline="")


@dataclass(frozen=True, slots=True)
class _Fault:
    code: str
    note: str
    spoil: _Spoil


_FAULTS = (
    _Fault("missing_image", "the film's file is not there", _no_film),
    _Fault("unknown_category", "the category is none of the eight", _cell("category_name", "Pnuemothorax")),
    _Fault("not_a_number", "x holds text", _cell("x", "n/a")),
    _Fault("box_outside_image", "the box reaches beyond the right border", _outside),
    _Fault("box_without_area", "the width is 0", _cell("w", 0)),
    _Fault("empty_phrase", "label_text is blank", _cell("label_text", "")),
    _Fault("path_shape", "the path names no patient and no study", _bad_path),
    _Fault("missing_report", "the study's report is not there", _no_report),
    _Fault("image_size_mismatch", "the film on disk is half as large as the row says", _other_size),
    _Fault("unreadable_image", "the file ends after 600 bytes", _cut_short),
    _Fault("unreadable_image", "the file is a web page", _web_page),
)
CODES = tuple(dict.fromkeys(fault.code for fault in _FAULTS))


def _small(plan: Plan) -> None:
    """Small films: faults are about files and numbers, not about looks."""
    for _, film in plan.films():
        film.width, film.height = film.width // 6 * 2, film.height // 6 * 2


def _alone(records: list[Record]) -> list[int]:
    """Places of boxes that are the only one of their film and whose study has no other annotated film."""
    studies = [one.path.rsplit("/", 1)[0] for one in records]
    return [place for place, study in enumerate(studies) if studies.count(study) == 1]


def _chosen(records: list[Record]) -> list[Record]:
    """The first boxes, up to as many single ones as are spoiled and a few that stay in order."""
    last = _alone(records)[len(_FAULTS) + _CLEAN - 1]
    return records[: last + 1]


def write_faults(out: Path | str, *, seed: int = 0) -> Path:
    """Write a faulty MS-CXR with its own films and reports into ``out``; return the path of ``out/faults.csv``.

    ``faults.csv`` has the columns ``code, row, image, note``: ``row`` counts the header line of the annotation CSV as row 1,
    as a spreadsheet shows it; ``image`` is the dicom_id. Rows that are not named there are in order. Raises ConfigError as
    ``write_demo`` does.
    """
    out = Path(out).absolute()
    with new_folder(out) as fresh:
        plan = make_plan(_IMAGES, seed)
        _small(plan)
        records = _chosen(records_of(plan))
        films = {one.dicom_id for one in records}
        for study, film in plan.films():
            if film.dicom_id in films:
                write_film(plan, study, film, fresh)
        write_reports(plan, fresh, None)
        rows = [one.row() for one in records]
        places = _alone(records)
        planted = []
        for fault, place in zip(_FAULTS, places[_CLEAN:], strict=True):
            fault.spoil(records[place], rows[place], fresh)
            planted.append((fault.code, place + 2, records[place].dicom_id, fault.note))
        write_rows(fresh / CSV_NAME, COLUMNS, rows)
        (fresh / "radharmony.toml").write_text(_CONFIG, encoding="utf-8", newline="")
        write_rows(fresh / "faults.csv", ("code", "row", "image", "note"), planted)
    return out / "faults.csv"
