"""What is drawn: findings inside their boxes, the heart on the proper side, DICOM and JPG alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pydicom
import pytest
from numpy.typing import NDArray
from PIL import Image

from radharmony_core.boxes import PixelBox
from radharmony_core.demo import pixels
from radharmony_core.demo.film import FilmSpec, boxes_of, draw_film
from radharmony_core.demo.findings import Finding
from radharmony_core.demo.looks import jpg_look
from radharmony_core.demo.plan import make_plan

CASES = [
    (Finding("Cardiomegaly", 0, size=0.5), "the heart is wider than without"),
    (Finding("Pleural Effusion", 1, size=0.4), "fluid in place of lung"),
    (Finding("Pleural Effusion", 0, size=0.6), "on both sides"),
    (Finding("Pneumothorax", -1, "apical", 0.5), "air in place of lung"),
    (Finding("Consolidation", -1, "lower", 0.5, seed=3), "dense lung"),
    (Finding("Edema", 0, size=0.5, seed=4), "haze on both sides"),
    (Finding("Atelectasis", 1, "basal", 0.5, seed=5), "plates at the base"),
    (Finding("Lung Opacity", -1, "upper", 0.5, "nodule", 6), "a nodule"),
    (Finding("Lung Opacity", 0, "basal", 0.5, "haze", 7), "haze at both bases"),
    (Finding("Pneumonia", 1, "lower", 0.5, seed=8), "patches"),
]


def spec_of(*findings: Finding, portable: bool = False, lateral: bool = False, patient: int = 4) -> FilmSpec:
    return FilmSpec(2, patient, 0, 552, 664, lateral, portable, False, findings)


def part(film: NDArray[np.float64], box: PixelBox) -> NDArray[np.float64]:
    x, y, w, h = (int(side) for side in box)
    return film[y : y + h, x : x + w]


@pytest.mark.parametrize(("finding", "reason"), CASES, ids=lambda case: getattr(case, "category", None))
def test_box_encloses_what_was_drawn(finding: Finding, reason: str) -> None:
    spec = spec_of(finding)
    change = draw_film(spec).astype(float) - draw_film(spec, without=(finding.category,)).astype(float)
    change = np.abs(change - np.median(change))
    ((_, boxes),) = boxes_of(spec)
    assert len(boxes) == (2 if finding.side == 0 and finding.category != "Cardiomegaly" else 1)
    outside = np.ones(change.shape, bool)
    for box in boxes:
        part(outside.view(), box)[:] = False
    for box in boxes:
        assert part(change, box).mean() > 3 * change[outside].mean() + 8, reason
    strong = change > 0.5 * np.percentile(change, 99.8)
    assert (strong & ~outside).sum() > 0.8 * strong.sum(), "what changed most lies in the boxes"


def test_heart_and_stomach_bubble_lie_on_the_right_of_the_film() -> None:
    film = draw_film(spec_of()).astype(float)
    rows = film[int(0.55 * 664) : int(0.68 * 664)]
    dense = rows > np.percentile(film, 60)
    columns = np.flatnonzero(dense[:, 100:452].mean(axis=0) > 0.5) + 100
    assert columns.max() - 276 > 276 - columns.min(), "the heart reaches further to the patient's left"


def test_left_marker_is_on_the_right_of_a_frontal_film() -> None:
    from radharmony_core.demo.extras import marker

    frame = spec_of().frame
    sign = marker("L", frame, on_right=True, portable=False, seed=1)
    assert np.flatnonzero(sign.max(axis=0)).min() > 0.8 * 552


def test_lateral_film_differs_from_frontal_and_has_no_seam() -> None:
    frontal, lateral = draw_film(spec_of()), draw_film(spec_of(lateral=True))
    assert frontal.shape == lateral.shape == (664, 552)
    assert lateral.dtype == np.uint16
    assert np.corrcoef(frontal.ravel(), lateral.ravel())[0, 1] < 0.8


def test_films_of_one_patient_look_alike_and_others_do_not() -> None:
    same = [draw_film(FilmSpec(2, 4, film, 552, 664, False, False, False)).astype(float) for film in (0, 1)]
    other = draw_film(spec_of(patient=5)).astype(float)
    assert not np.array_equal(same[0], same[1])
    assert not np.array_equal(same[0], other)


@pytest.mark.parametrize("inverted", [True, False], ids=["MONOCHROME1", "MONOCHROME2"])
def test_dicom_and_jpg_have_the_same_order_of_brightness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inverted: bool) -> None:
    monkeypatch.setattr(pixels, "is_monochrome1", lambda *_: inverted)
    plan = make_plan(14, 0)
    study, film = next((study, film) for study, film in plan.films() if study.patient.dicom)
    film.width, film.height = 552, 664
    pixels.write_film(plan, study, film, tmp_path)
    ds = pydicom.dcmread(next(tmp_path.rglob("*.dcm")))
    assert ds.PhotometricInterpretation == ("MONOCHROME1" if inverted else "MONOCHROME2")
    stored = ds.pixel_array.astype(float)
    with Image.open(next(tmp_path.rglob("*.jpg"))) as image:
        shown = np.asarray(image, dtype=float)
    bright = 4095 - stored if inverted else stored
    blocks = [
        np.median(one[:656, :544].reshape(82, 8, 68, 8).transpose(0, 2, 1, 3).reshape(-1, 64), axis=1) for one in (bright, shown)
    ]
    ranks = [one.argsort().argsort() for one in blocks]
    assert np.corrcoef(*ranks)[0, 1] > 0.995


@pytest.mark.parametrize(
    ("stored", "inverted", "expected", "reason"),
    [
        ([[0, 1], [2, 3]], False, [[0, 85], [170, 255]], "four values in equal numbers spread evenly"),
        ([[0, 1], [2, 3]], True, [[255, 170], [85, 0]], "MONOCHROME1 turns them round"),
        ([[7, 7], [7, 7]], False, [[0, 0], [0, 0]], "a constant image does not divide by zero"),
        ([[0, 0], [0, 4000]], False, [[0, 0], [0, 255]], "the first value stays 0 however often it comes"),
    ],
)
def test_jpg_look(stored: list[list[int]], inverted: bool, expected: list[list[int]], reason: str) -> None:
    assert jpg_look(np.array(stored, np.uint16), monochrome1=inverted).tolist() == expected, reason
