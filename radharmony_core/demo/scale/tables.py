"""The tables of MIMIC-CXR-JPG and MIMIC-CXR at any size, column for column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from radharmony_core.demo.dice import pixel_stream
from radharmony_core.demo.scale.columns import chosen, fixed_text, joined, state_cells, write_table
from radharmony_core.demo.scale.hospital import Hospital
from radharmony_core.demo.scale.published import SPLITS, VIEWS
from radharmony_core.demo.scale.states import NO_ROW, States
from radharmony_core.demo.tables import HAND_LABELS, JPG_ROOT, METADATA, MIMIC_ROOT, VIEW_CODES
from radharmony_core.labels import CHEXPERT_LABELS

__all__ = ["Names", "names_of", "table_writers"]

Ints = NDArray[np.integer[Any]]
_PORTABLE, _UPRIGHT = "CHEST (PORTABLE AP)", "CHEST (PA AND LAT)"
_POSITIONS = ["Erect", "Recumbent", ""]


@dataclass(frozen=True, slots=True)
class Names:
    """Columns of text: ``dicom_id`` and ``film`` (folder and id, without extension) by film, ``study`` (folder) by study."""

    dicom_id: pa.Array
    film: pa.Array
    study: pa.Array


def _text(numbers: Ints) -> pa.Array:
    return pa.array(numbers).cast(pa.string())


def names_of(hospital: Hospital) -> Names:
    """``files/p10/p10000032/s50414267`` and what lies in it."""
    subject = _text(hospital.subject_id[hospital.patient])
    shard = pc.utf8_slice_codeunits(subject, 0, 2)
    study = joined("files/p", shard, "/p", subject, "/s", _text(hospital.study_id))
    dicom_id = fixed_text(hospital.dicom_id)
    return Names(dicom_id, joined(study.take(pa.array(hospital.study)), "/", dicom_id), study)


def _dates(when: NDArray[np.datetime64]) -> Ints:
    """YYYYMMDD as a number."""
    days = when.astype("datetime64[D]")
    months, years = days.astype("datetime64[M]"), days.astype("datetime64[Y]")
    month = (months - years.astype("datetime64[M]")).astype(np.int64) + 1
    day = (days - months.astype("datetime64[D]")).astype(np.int64) + 1
    return np.asarray((years.astype(np.int64) + 1970) * 10_000 + month * 100 + day)


def _times(when: NDArray[np.datetime64]) -> pa.Array:
    """HHMMSS.fff as the number it became: leading zeros lost."""
    past = (when - when.astype("datetime64[D]")).astype(np.int64)
    seconds, milliseconds = past // 1000, past % 1000
    clock = seconds // 3600 * 10_000 + seconds // 60 % 60 * 100 + seconds % 60
    return joined(_text(clock), ".", pc.utf8_lpad(_text(milliseconds), 3, "0"))


def _metadata(hospital: Hospital, names: Names, seed: int) -> dict[str, pa.Array]:
    study = hospital.study
    step = chosen([_PORTABLE, _UPRIGHT], hospital.upright.astype(np.int64)[study])
    views = list(VIEWS)
    lying = pixel_stream(seed, "scale", "positions").random(len(hospital.study_id)) < 0.3
    position = np.where(hospital.upright, 0, np.where(lying, 1, 0))[study]
    position[hospital.view == views.index("")] = 2
    columns = (
        names.dicom_id, pa.array(hospital.subject_id[hospital.patient][study]), pa.array(hospital.study_id[study]), step,
        chosen(views, hospital.view), pa.array(hospital.height), pa.array(hospital.width), pa.array(_dates(hospital.when)[study]),
        _times(hospital.when).take(pa.array(study)), step, chosen([VIEW_CODES.get(view, "") for view in views], hospital.view),
        chosen(_POSITIONS, position),
    )  # fmt: skip
    return dict(zip(METADATA, columns, strict=True))


def _labels(names: tuple[str, ...], states: Ints, rows: Ints) -> dict[str, pa.Array]:
    return {name: state_cells(states[rows, place]) for place, name in enumerate(names)}


def table_writers(
    hospital: Hospital, names: Names, states: States, hand: tuple[Ints, Ints], out: Path, seed: int
) -> list[Callable[[], None]]:
    """One function for each file, to be called in any order. ``hand`` is the studies labelled by hand, as their places, and
    the (studies, 14) states that a person gave."""
    jpg, mimic, study = out / JPG_ROOT, out / MIMIC_ROOT, hospital.study
    subject_id, study_id = pa.array(hospital.subject_id[hospital.patient]), pa.array(hospital.study_id)
    film = {
        "subject_id": subject_id.take(pa.array(study)),
        "study_id": study_id.take(pa.array(study)),
        "dicom_id": names.dicom_id,
    }
    split = chosen(list(SPLITS), hospital.study_split[study])
    with_row = np.flatnonzero(states.kind != NO_ROW)
    ids = {"subject_id": subject_id.take(pa.array(with_row)), "study_id": study_id.take(pa.array(with_row))}
    chosen_by_hand, given = hand

    def labeler(name: str, said: Ints) -> None:
        write_table(jpg / f"mimic-cxr-2.0.0-{name}.csv.gz", {**ids, **_labels(CHEXPERT_LABELS, said, with_row)})

    return [
        lambda: write_table(jpg / "mimic-cxr-2.0.0-metadata.csv.gz", _metadata(hospital, names, seed)),
        lambda: write_table(
            jpg / "mimic-cxr-2.0.0-split.csv.gz",
            {name: film[name] for name in ("dicom_id", "study_id", "subject_id")} | {"split": split},
        ),
        lambda: labeler("chexpert", states.chexpert),
        lambda: labeler("negbio", states.negbio),
        lambda: write_table(
            jpg / "mimic-cxr-2.1.0-test-set-labeled.csv",
            {"study_id": study_id.take(pa.array(chosen_by_hand)), **_labels(HAND_LABELS, given, chosen_by_hand)},
        ),
        lambda: write_table(jpg / "IMAGE_FILENAMES", {"path": joined(names.film, ".jpg")}, header=False),
        lambda: write_table(mimic / "cxr-record-list.csv.gz", {**film, "path": joined(names.film, ".dcm")}),
        lambda: write_table(
            mimic / "cxr-study-list.csv.gz",
            {"subject_id": subject_id, "study_id": study_id, "path": joined(names.study, ".txt")},
        ),
    ]
