"""Boxes after transforms that move the image: each is where the painted rectangle is, or it is said that it was not moved."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.dataset import DatasetWarning, DefaultTransform, MSCXRDataset, collate, fit_boxes
from tests.dataset.make import BOX, dataset, row, white_box

FULL: dict[str, Any] = {"cache_dir": None, "output_bbox": True, "output_mask": True}
BOTH = ["img", "mask"]
PLAIN = "boxes were not moved|was not moved with img"


def sample_of(tmp_path: Path, transform: Any, dtype: Any = "float32", **box: int) -> Any:
    """The film of 100 x 200 pixels, white where its box is, after ``transform``."""
    return MSCXRDataset(*dataset(tmp_path, row(**{**BOX, **box})), transform=transform, dtype=dtype, **FULL).get_datasets()[0]


def in_pixels(sample: Any) -> npt.NDArray[np.float64]:
    height, width = sample["img"].shape[-2:]
    return np.asarray(np.array(sample["bbox"][0]) * [height, height, width, width])


def resized(monai: Any, *size: int) -> Any:
    return monai.Resized(BOTH, spatial_size=size, mode=("bilinear", "nearest"))


Moves = Callable[[Any], list[Any]]
MOVES: list[tuple[str, Moves, float]] = [
    # reason, MONAI's transforms, how many pixels the rectangle's edge may be off: interpolation blurs it
    ("upside down", lambda m: [m.Flipd(BOTH, spatial_axis=0)], 0),
    ("mirrored", lambda m: [m.RandFlipd(BOTH, prob=1.0, spatial_axis=1)], 0),
    ("a quarter turn", lambda m: [m.Rotate90d(BOTH)], 0),
    ("three quarters", lambda m: [m.RandRotate90d(BOTH, prob=1.0, max_k=1), m.Rotate90d(BOTH, k=2)], 0),
    ("cropped", lambda m: [m.SpatialCropd(BOTH, roi_start=(10, 5), roi_end=(95, 120))], 0),
    ("cropped at the end only", lambda m: [m.SpatialCropd(BOTH, roi_start=(0, 0), roi_end=(90, 80))], 0),
    ("padded to a square", lambda m: [m.SpatialPadd(BOTH, spatial_size=(200, 200))], 0),
    ("a border", lambda m: [m.BorderPadd(BOTH, spatial_border=(3, 17))], 0),
    ("resized", lambda m: [resized(m, 64, 96)], 0.5),
    ("zoomed in", lambda m: [m.Zoomd(BOTH, zoom=1.2, mode=("bilinear", "nearest"))], 0.5),
    ("zoomed out", lambda m: [m.RandZoomd(BOTH, prob=1.0, min_zoom=0.7, max_zoom=0.9, mode=("bilinear", "nearest"))], 0.5),
    ("shifted", lambda m: [m.Affined(BOTH, translate_params=(5, -8), mode=("bilinear", "nearest"))], 0.5),
    ("one after another", lambda m: [m.Flipd(BOTH, 1), m.Rotate90d(BOTH), resized(m, 64, 64), m.BorderPadd(BOTH, 9)], 0.5),
    ("then fitted as by default", lambda m: [m.Flipd(BOTH, spatial_axis=1), m.Rotate90d(BOTH), DefaultTransform(80)], 0.5),
    ("first fitted as by default", lambda m: [DefaultTransform(80), m.Flipd(BOTH, spatial_axis=1), m.Rotate90d(BOTH)], 0.5),
    ("fitted in between", lambda m: [m.Flipd(BOTH, spatial_axis=0), DefaultTransform(80), m.Flipd(BOTH, spatial_axis=1)], 0.5),
    ("not moved at all", lambda m: [m.ScaleIntensityd("img")], 0),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "moves", "off"), MOVES, ids=[case[0] for case in MOVES])
@pytest.mark.parametrize("dtype", ["float32", "torch"])
def test_boxes_move_with_the_image(
    tmp_path: Path, monai: Any, torch: Any, reason: str, moves: Moves, off: float, dtype: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sample = sample_of(tmp_path, monai.Compose(moves(monai)), torch.float32 if dtype == "torch" else dtype)
    expected = white_box(np.asarray(sample["img"]))
    assert in_pixels(sample) == pytest.approx(expected, abs=off + 1e-6), reason
    assert white_box(np.asarray(sample["mask"])[3]) == pytest.approx(expected, abs=1)


def test_a_lazy_chain_moves_them_too(tmp_path: Path, monai: Any) -> None:
    chain = monai.Compose([monai.Flipd(BOTH, spatial_axis=1), monai.Rotate90d(BOTH)], lazy=True)
    sample = sample_of(tmp_path, chain)
    assert in_pixels(sample) == pytest.approx(white_box(sample["img"]), abs=1)


def test_several_crops_of_one_film_have_boxes_of_their_own(tmp_path: Path, monai: Any) -> None:
    crops = sample_of(tmp_path, monai.RandSpatialCropSamplesd(BOTH, roi_size=(98, 180), random_size=False, num_samples=4))
    assert len(crops) == 4
    for crop in crops:
        assert in_pixels(crop) == pytest.approx(white_box(crop["img"]))


def test_a_box_outside_the_crop_keeps_its_numbers(tmp_path: Path, monai: Any) -> None:
    sample = sample_of(tmp_path, monai.SpatialCropd(BOTH, roi_start=(0, 100), roi_end=(100, 200)))
    assert sample["bbox"] == [pytest.approx([0.3, 0.8, -0.8, -0.4])]
    assert sample["bbox_labels"] == ["Edema"], "neither hidden nor cut off"


def test_an_image_without_boxes_is_moved_without_trouble(tmp_path: Path, monai: Any) -> None:
    bare = MSCXRDataset(*dataset(tmp_path), **FULL).get_harmonized_df().assign(bbox="[]", bbox_labels="[]")
    made = MSCXRDataset(tmp_path / "files", harmonized_df=bare, transform=monai.Rotate90d(BOTH), **FULL).get_datasets()[0]
    assert made["bbox"] == made["bbox_labels"] == []


def test_an_odd_box_stays_odd(tmp_path: Path, monai: Any) -> None:
    flips = [("w", -10, [0.3, 0.8, 0.95, 0.9]), ("w", 0, [0.3, 0.8, 0.9, 0.9])]
    for name, value, expected in flips:
        with pytest.warns(DatasetWarning, match="no area"):
            sample = sample_of(tmp_path, monai.Flipd(BOTH, 1), **{name: value})
        assert sample["bbox"] == [pytest.approx(expected)]


def test_a_box_without_a_place_has_none_afterwards(tmp_path: Path, monai: Any) -> None:
    table = MSCXRDataset(*dataset(tmp_path), **FULL).get_harmonized_df().assign(bbox="[[null, 0.5, 0.1, 0.3]]")
    with pytest.warns(DatasetWarning, match="no place"):
        made = MSCXRDataset(tmp_path / "files", harmonized_df=table, transform=monai.Flipd(BOTH, 1), **FULL).get_datasets()[0]
    assert np.isnan(made["bbox"][0][0])
    assert made["bbox"][0][2:] == pytest.approx([0.7, 0.9])


def test_a_turn_by_an_angle_gives_the_upright_box_around_it_and_says_so(tmp_path: Path, monai: Any) -> None:
    turn = monai.Rotated(BOTH, angle=0.2, mode=("bilinear", "nearest"))
    with pytest.warns(DatasetWarning, match="upright box around"):
        sample = sample_of(tmp_path, turn)
    assert in_pixels(sample) == pytest.approx(white_box(sample["img"]), abs=1)


UNTOLD: list[tuple[str, Moves]] = [
    ("axes exchanged, which leaves no trace in the affine", lambda m: [m.Transposed(BOTH, indices=(0, 2, 1))]),
    ("bent, which leaves none either", lambda m: [m.Rand2DElasticd(BOTH, spacing=(30, 30), magnitude_range=(1, 2), prob=1.0)]),
    ("one of two, perhaps", lambda m: [m.OneOf([m.RandGridDistortiond(BOTH, prob=1.0)])]),
    ("the record is dropped", lambda m: [m.Flipd(BOTH), m.EnsureTyped(BOTH, track_meta=False)]),
    ("arrays", lambda m: [m.Flipd(BOTH), m.ToNumpyd(BOTH)]),
    ("boxes became a tensor before they could be moved", lambda m: [m.Flipd(BOTH), m.ToTensord(["bbox"])]),
    ("the mask was forgotten", lambda m: [m.Flipd("img")]),
    ("the mask was forgotten, and the film fitted", lambda m: [m.Flipd("img"), DefaultTransform(50)]),
    ("the mask keeps its size", lambda m: [m.Resized("img", spatial_size=(50, 100))]),
]


@pytest.mark.parametrize(("reason", "moves"), UNTOLD, ids=[case[0] for case in UNTOLD])
def test_what_could_not_be_moved_is_said(tmp_path: Path, monai: Any, reason: str, moves: Moves) -> None:
    with pytest.warns(DatasetWarning, match=PLAIN) as caught:
        _ = sample_of(tmp_path, monai.Compose(moves(monai)))
    assert len(caught) == 1, reason


def halved(sample: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The upper half of the film."""
    return {**sample, "img": sample["img"][..., :50, :], "mask": sample["mask"][..., :50, :], **changes}


CUSTOM: list[tuple[str, Callable[[dict[str, Any]], Any], int]] = [
    # reason, a transform of one's own, warnings
    ("nothing", dict, 0),
    ("another shape, which may be a crop", halved, 1),
    ("boxes are moved by the transform", lambda s: halved(s, bbox=[[0.6, 1.6, 0.1, 0.3]]), 0),
    ("boxes are left out", lambda s: {key: value for key, value in halved(s).items() if "bbox" not in key}, 0),
    ("the image is left out", lambda s: {"bbox": s["bbox"]}, 0),
    ("the image is no array", lambda s: {**s, "img": "p10/a.jpg"}, 0),
    ("no sample", len, 0),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "transform", "count"), CUSTOM, ids=[case[0] for case in CUSTOM])
def test_a_transform_of_ones_own(tmp_path: Path, reason: str, transform: Callable[[Any], Any], count: int) -> None:
    files, table = dataset(tmp_path, row(1), row(2))
    data = MSCXRDataset(files, table, transform=transform, dtype="float32", **FULL).get_datasets()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _ = list(data)
    assert [str(warning.message) for warning in caught if "boxes were not moved" not in str(warning.message)] == []
    assert len(caught) == count, "once"


def test_boxes_that_a_transform_changed_in_place_are_its_own(tmp_path: Path, monai: Any) -> None:
    def change(sample: dict[str, Any]) -> dict[str, Any]:
        sample["bbox"][0] = [0.1, 0.2, 0.3, 0.4]
        return sample

    assert sample_of(tmp_path, monai.Compose([change, monai.Flipd(BOTH)]))["bbox"] == [[0.1, 0.2, 0.3, 0.4]]


def test_around_the_dataset_boxes_move_where_they_are_asked_to(tmp_path: Path, monai: Any, torch: Any) -> None:
    """Cached samples are augmented behind the dataset: there `fit_boxes` is the last transform, or `collate` sees to it."""
    data = MSCXRDataset(*dataset(tmp_path), dtype=torch.float32, **FULL).get_datasets()
    flip, dataset_of = monai.Flipd(BOTH, spatial_axis=1), importlib.import_module("monai.data").Dataset
    wrapped = dataset_of(data, monai.Compose([flip, fit_boxes]))[0]
    assert wrapped["bbox"] == [pytest.approx([data[0]["bbox"][0][0], data[0]["bbox"][0][1], 0.7, 0.9])]
    assert fit_boxes(wrapped)["bbox"] == wrapped["bbox"], "they are moved once"
    assert collate([wrapped])["bbox"] == [wrapped["bbox"]]
    assert collate([dataset_of(data, flip)[0]])["bbox"] == [wrapped["bbox"]]


@pytest.mark.parametrize("keeps", [True, False])
def test_in_monais_cache_boxes_move_or_it_is_said_how_they_would(tmp_path: Path, monai: Any, torch: Any, keeps: bool) -> None:
    """As it comes that cache makes new lists out of old ones, with nothing but the numbers in them."""
    data = MSCXRDataset(*dataset(tmp_path), dtype=torch.float32, **FULL).get_datasets()
    chain = monai.Compose([monai.RandFlipd(BOTH, prob=1.0, spatial_axis=1), fit_boxes])
    cache = importlib.import_module("monai.data").CacheDataset
    cached = cache(data, chain, progress=False, num_workers=None, **({"as_contiguous": False} if keeps else {}))
    if keeps:
        assert cached[0]["bbox"][0][2:] == pytest.approx([0.7, 0.9])
        return
    with pytest.warns(DatasetWarning, match="boxes were not moved.*as_contiguous=False"):
        sample = cached[0]
    assert sample["bbox"] == data[0]["bbox"], "rather where they were than where nobody knows"
    still = cache(data, monai.Compose([monai.ScaleIntensityd("img"), fit_boxes]), progress=False, num_workers=None)
    assert still[0]["bbox"] == data[0]["bbox"]


def test_a_transform_behind_a_transform_starts_where_the_first_ended(tmp_path: Path, monai: Any, torch: Any) -> None:
    first = monai.SpatialCropd(BOTH, roi_start=(10, 5), roi_end=(95, 120))
    for dtype in (torch.float32, np.float32):
        data = MSCXRDataset(*dataset(tmp_path), transform=first, dtype=dtype, **FULL).get_datasets()
        sample = fit_boxes(monai.Rotate90d(BOTH)(data[0]))
        assert in_pixels(sample) == pytest.approx(white_box(np.asarray(sample["img"])), abs=1e-6)


def test_what_is_no_sample_with_boxes_stays_as_it_is() -> None:
    for sample in ({}, {"img": 3}, {"bbox": [[0, 1, 0, 1]]}, {"img": np.zeros((1, 2, 2)), "bbox": [[0, 1, 0, 1]]}):
        assert fit_boxes(sample) == sample
