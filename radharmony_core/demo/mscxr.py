"""MS-CXR's own two files: a row for each box, and the same as COCO-like JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from radharmony_core.boxes import PixelBox
from radharmony_core.demo.film import boxes_of
from radharmony_core.demo.plan import Plan
from radharmony_core.demo.tables import write_rows
from radharmony_core.labels import MS_CXR_CATEGORIES

__all__ = ["COLUMNS", "CSV_NAME", "Record", "records_of", "write_ms_cxr"]

CSV_NAME = "ms-cxr/1.1.0/MS_CXR_Local_Alignment_v1.1.0.csv"
COLUMNS = ("dicom_id", "category_name", "label_text", "path", "x", "y", "w", "h", "image_width", "image_height", "split")


@dataclass(frozen=True, slots=True)
class Record:
    """One box: a row of the CSV. ``verbatim`` tells whether the report has the phrase word for word; it is not written."""

    dicom_id: str
    category: str
    phrase: str
    path: str
    box: PixelBox
    width: int
    height: int
    split: str
    verbatim: bool

    def row(self) -> list[object]:
        """The cells in the order of ``COLUMNS``."""
        return [self.dicom_id, self.category, self.phrase, self.path, *map(int, self.box), self.width, self.height, self.split]


def records_of(plan: Plan) -> list[Record]:
    """All boxes of the frontal films of annotated studies, in the order of the films."""
    records = []
    for study, film in plan.films():
        if film.lateral or not study.annotated:
            continue
        path = f"{study.folder}/{film.dicom_id}.jpg"
        for (finding, boxes), words in zip(boxes_of(plan.spec(study, film)), study.words, strict=True):
            records += [
                Record(
                    film.dicom_id,
                    finding.category,
                    words.phrase,
                    path,
                    box,
                    film.width,
                    film.height,
                    study.patient.ms_split,
                    words.verbatim,
                )
                for box in boxes
            ]
    return records


def _coco(records: list[Record]) -> dict[str, object]:
    """A record of the image for each of its categories, as the real file repeats paths; so ``image_id`` is no key."""
    categories = {name: number for number, name in enumerate(MS_CXR_CATEGORIES, start=1)}
    images: dict[tuple[str, str], dict[str, object]] = {}
    annotations = []
    for number, one in enumerate(records, start=1):
        image = images.setdefault(
            (one.path, one.category),
            {
                "id": len(images) + 1,
                "file_name": f"{one.dicom_id}.jpg",
                "path": one.path,
                "width": one.width,
                "height": one.height,
            },
        )
        annotations.append(
            {
                "id": number,
                "image_id": image["id"],
                "category_id": categories[one.category],
                "bbox": [int(side) for side in one.box],
                "label_text": one.phrase,
                "width": one.width,
                "height": one.height,
                "split": one.split,
            }
        )
    return {
        "info": {"description": "Made-up data in the layout of MS-CXR. No patient exists."},
        "images": list(images.values()),
        "annotations": annotations,
        "categories": [{"id": number, "name": name} for name, number in categories.items()],
    }


def write_ms_cxr(records: list[Record], out: Path) -> None:
    """The CSV and the JSON of release 1.1.0 under ``out``."""
    path = out / CSV_NAME
    write_rows(path, COLUMNS, (one.row() for one in records))
    path.with_suffix(".json").write_text(json.dumps(_coco(records), indent=1) + "\n", encoding="utf-8", newline="")
