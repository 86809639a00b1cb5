"""Batches: images are stacked, and what has another length on each image stays a list an image, whoever collates."""

from __future__ import annotations

import copy
import importlib
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.dataset import MSCXRDataset, collate
from radharmony_core.errors import ConfigError
from tests.dataset.make import BOX, dataset, row

# From Python 3.12 on a fork beside threads is warned of; PyTorch, which has threads, forks its workers by default.
pytestmark = pytest.mark.filterwarnings("ignore:This process .*is multi-threaded:DeprecationWarning")
FULL: dict[str, Any] = {"cache_dir": None, "output_bbox": True, "output_mask": True, "output_cls": True}

COUNTS = [
    ("as many on each: turned round they would look right", [2, 2]),
    ("one on each", [1, 1]),
    ("another number on each", [1, 3]),
    ("four on each, as many as a box has numbers", [4, 4]),
    ("a batch of one", [3]),
]


def with_counts(tmp_path: Path, counts: list[int]) -> tuple[Path, Path]:
    names = ["Edema", "Pneumonia", "Atelectasis", "Consolidation"]
    rows = [
        row(number, x=10 * place, category_name=names[place]) for number, count in enumerate(counts, 1) for place in range(count)
    ]
    return dataset(tmp_path, *rows)


@pytest.mark.parametrize(("reason", "counts"), COUNTS, ids=[case[0] for case in COUNTS])
@pytest.mark.parametrize("by", ["PyTorch", "MONAI", "MONAI, padded", "ours"])
@pytest.mark.parametrize("as_arrays", [False, True])
def test_boxes_stay_a_list_an_image(
    tmp_path: Path, torch: Any, monai: Any, loader: Any, reason: str, counts: list[int], by: str, as_arrays: bool
) -> None:
    of_monai = importlib.import_module("monai.data")
    collates: dict[str, Any] = {
        "MONAI": of_monai.list_data_collate,
        "MONAI, padded": of_monai.pad_list_data_collate,
        "ours": collate,
    }
    dtype = np.float32 if as_arrays else torch.float32
    data = MSCXRDataset(*with_counts(tmp_path, counts), dtype=dtype, **FULL).get_datasets()
    [batch] = loader(data, batch_size=len(counts), collate_fn=collates.get(by))
    assert batch["bbox"] == [sample["bbox"] for sample in data], reason
    assert batch["bbox_labels"] == [sample["bbox_labels"] for sample in data]
    assert [len(boxes) for boxes in batch["bbox"]] == counts
    assert batch["img"].shape == (len(counts), 1, 224, 224)


def test_images_without_boxes_keep_an_empty_list_each(tmp_path: Path, loader: Any) -> None:
    files, table = dataset(tmp_path, row(1), row(2))
    bare = MSCXRDataset(files, table, **FULL).get_harmonized_df().assign(bbox="[]", bbox_labels="[]")
    [batch] = loader(MSCXRDataset(files, harmonized_df=bare, **FULL).get_datasets(), batch_size=2)
    assert batch["bbox"] == batch["bbox_labels"] == [[], []]


@pytest.mark.parametrize("workers", [0, 2])
def test_pytorchs_own_collation_leaves_them_in_workers_too(tmp_path: Path, loader: Any, workers: int) -> None:
    data = MSCXRDataset(*with_counts(tmp_path, [2, 2, 1, 3]), **FULL).get_datasets()
    batches = list(loader(data, batch_size=2, num_workers=workers))
    assert [boxes for batch in batches for boxes in batch["bbox"]] == [sample["bbox"] for sample in data]


def test_a_collation_that_divides_lists_is_refused_in_words(tmp_path: Path, torch: Any) -> None:
    """What a collation does that knows nothing of our lists: the first of each image together, then the second."""
    one = MSCXRDataset(*with_counts(tmp_path, [2]), **FULL).get_datasets()[0]
    for key, turned in (("bbox", [torch.tensor([0.1, 0.2]) for _ in range(4)]), ("bbox_labels", ("Edema", "Edema"))):
        clone = copy.copy(one[key])
        with pytest.raises(ConfigError, match="collate_fn=collate"):
            clone[0] = turned
        with pytest.raises(ConfigError, match="collate_fn=collate"):
            type(one[key])([turned, turned])
        assert clone == one[key]


SAME: list[tuple[str, Callable[[Any], Any]]] = [
    ("copied", copy.copy),
    ("copied through", copy.deepcopy),
    ("sent to a worker", lambda boxes: pickle.loads(pickle.dumps(boxes))),  # noqa: S301  our own
    ("through JSON", lambda boxes: json.loads(json.dumps(boxes))),
    ("as a list", list),
    ("a slice of all", lambda boxes: boxes[:]),
]


@pytest.mark.parametrize(("reason", "through"), SAME, ids=[case[0] for case in SAME])
def test_boxes_are_a_plain_list_of_lists_to_everybody_else(tmp_path: Path, reason: str, through: Callable[[Any], Any]) -> None:
    sample = MSCXRDataset(*with_counts(tmp_path, [2]), **FULL).get_datasets()[0]
    for key in ("bbox", "bbox_labels"):
        value = sample[key]
        assert isinstance(value, list)
        assert through(value) == value == list(value), reason
        assert repr(value) == repr(list(value))
    assert type(sample["bbox"][0]) is list
    assert [type(edge) for edge in sample["bbox"][0]] == [float] * 4
    sample["bbox"][0] = [0.0, 1.0, 0.0, 1.0]
    sample["bbox"].append([0.0, 0.5, 0.0, 0.5])
    assert [sample["bbox"][place] for place in (0, 2)] == [[0.0, 1.0, 0.0, 1.0], [0.0, 0.5, 0.0, 0.5]]
    assert np.array(sample["bbox"]).shape == (3, 4)
    sample["bbox_labels"][1:] = ["Pneumonia", "Edema"]
    assert sample["bbox_labels"] == ["Edema", "Pneumonia", "Edema"]


def test_monais_dataset_on_disk_keeps_them(tmp_path: Path, monai: Any, torch: Any) -> None:
    data = MSCXRDataset(*with_counts(tmp_path, [2, 2]), dtype=torch.float32, **FULL).get_datasets()
    persistent = importlib.import_module("monai.data").PersistentDataset(data, monai.Identityd("img"), cache_dir=tmp_path / "p")
    for _ in range(2):  # made, then loaded
        assert persistent[1]["bbox"] == data[1]["bbox"]
        assert persistent[1]["bbox_labels"] == data[1]["bbox_labels"]


def test_a_batch_stacks_numbers_and_lists_the_rest(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(1, category_name="Pneumonia"), row(2))
    batch = collate(list(MSCXRDataset(files, table, dtype=np.float32, **FULL).get_datasets()))
    assert batch["img"].shape == (2, 1, 224, 224)
    assert batch["cls"].shape == (2, 8)
    assert batch["mask"].shape == (2, 8, 224, 224)
    assert batch["bbox_labels"] == [["Edema", "Pneumonia"], ["Edema"]]
    assert [len(boxes) for boxes in batch["bbox"]] == [2, 1]


def test_several_samples_of_an_image_are_samples_of_the_batch(tmp_path: Path, torch: Any, monai: Any, loader: Any) -> None:
    """As MONAI's own collation has it: crops of two films, three each, are a batch of six."""
    files, table = dataset(tmp_path, row(1), row(2))
    crops = monai.RandCropByPosNegLabeld(["img", "mask"], label_key="mask", spatial_size=(32, 32), num_samples=3)
    [batch] = loader(MSCXRDataset(files, table, transform=crops, **FULL).get_datasets(), batch_size=2, collate_fn=collate)
    assert batch["img"].shape == (6, 1, 32, 32)
    assert batch["cls"].shape == (6, 8)
    assert len(batch["bbox"]) == len(batch["bbox_labels"]) == 6


def test_a_batch_of_nothing_is_empty() -> None:
    assert collate([]) == {}
    assert collate([[], []]) == {}


REFUSED: list[tuple[str, list[Any], str]] = [
    ("other keys", [{"img": np.zeros(1)}, {"img": np.zeros(1), "cls": np.zeros(1)}], "same keys"),
    ("no samples", [5, 7], "samples as dicts.*int"),
    ("a sample and no sample", [{"img": np.zeros(1)}, None], "samples as dicts.*NoneType"),
    ("crops of crops", [[[{"img": np.zeros(1)}]]], "samples as dicts.*list"),
    ("an image that is no array", [{"img": np.zeros((1, 2, 2))}, {"img": "p10/a.jpg"}], "'img'.*str"),
]


@pytest.mark.parametrize(("reason", "samples", "words"), REFUSED, ids=[case[0] for case in REFUSED])
def test_what_makes_no_batch_is_refused_in_words(reason: str, samples: list[Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        collate(samples)


def test_different_shapes_are_refused(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(2, height=90, width=70, x=5, y=6))
    with pytest.raises(ConfigError, match=r"'img' of one shape.*\(1, 90, 70\), \(1, 100, 200\)"):
        collate(list(MSCXRDataset(files, table, dtype=np.float32, cache_dir=None, transform=dict).get_datasets()))


def test_tensors_and_arrays_do_not_mix(torch: Any) -> None:
    with pytest.raises(ConfigError, match="'img' all as tensors or all as arrays"):
        collate([{"img": torch.zeros(1)}, {"img": np.zeros(1)}])


def test_the_box_of_the_film_is_in_the_batch(tmp_path: Path) -> None:
    [sample] = MSCXRDataset(*dataset(tmp_path), dtype=np.float32, **FULL).get_datasets()
    assert collate([sample, sample])["bbox"] == [[pytest.approx([(56 + 0.3 * 112) / 224, (56 + 0.8 * 112) / 224, 0.1, 0.3])]] * 2
    assert BOX == {"x": 20, "y": 30, "w": 40, "h": 50}
