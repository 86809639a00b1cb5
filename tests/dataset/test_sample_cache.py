"""The cache of reduced films: the same sample with and without, whatever becomes of the files; never half an entry."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.dataset import DatasetWarning, DefaultTransform, MSCXRDataset, SampleDataset
from radharmony_core.dataset.notices import Said
from radharmony_core.dataset.sample_cache import ReducedFilm, SampleCache
from radharmony_core.errors import MissingFileError, WriteError
from tests.dataset.make import dataset, film, place_of, rectangle, row
from tests.images.make import dicom

FULL: dict[str, Any] = {"dtype": np.float32, "output_bbox": True, "output_mask": True, "output_cls": True}


def entries(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    numbers = all(np.array_equal(one[name], other[name]) for name in ("img", "mask", "cls"))
    return numbers and (one["bbox"], one["bbox_labels"]) == (other["bbox"], other["bbox_labels"])


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., SampleDataset]:
    """Makes the dataset anew, as another run would: two films, cached in ``cache``."""
    files, table = dataset(tmp_path, row(1), row(2, height=90, width=70, x=5, y=6))

    def make(**options: Any) -> SampleDataset:
        return MSCXRDataset(files, table, **{"cache_dir": tmp_path / "cache", **FULL, **options}).get_datasets()

    return make


def test_a_sample_from_the_cache_is_the_same(made: Callable[..., SampleDataset], tmp_path: Path) -> None:
    without = list(made(cache_dir=None))
    assert not (tmp_path / "cache").exists(), "None switches it off"
    cold = list(made())
    assert len(entries(tmp_path / "cache")) == 2
    stamps = [path.stat().st_mtime_ns for path in entries(tmp_path / "cache")]
    warm = list(made())
    assert [path.stat().st_mtime_ns for path in entries(tmp_path / "cache")] == stamps, "nothing is written twice"
    for one, two, three in zip(without, cold, warm, strict=True):
        assert same(one, two)
        assert same(one, three)


def test_a_warm_sample_opens_no_film(made: Callable[..., SampleDataset], tmp_path: Path) -> None:
    cold = made()[0]
    path = tmp_path / "files" / place_of(row(1))
    status = path.stat()
    path.write_bytes(b"\0" * status.st_size)  # what cannot be decoded, with the size and time of what was
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert same(made()[0], cold)


def test_a_changed_film_is_read_again(made: Callable[..., SampleDataset], tmp_path: Path) -> None:
    assert made()[0]["img"].max() == 1
    film(tmp_path / "files" / place_of(row(1)), rectangle(100, 200, 0, 0, 0, 0))
    assert made()[0]["img"].max() == 0
    (tmp_path / "files" / place_of(row(1))).unlink()
    with pytest.raises(MissingFileError, match="Row 0"):
        _ = made()[0]


def test_a_film_changed_within_its_size_is_read_again(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, films=False)
    path = files / place_of(row()).replace(".jpg", ".dcm")
    path.parent.mkdir(parents=True)
    for level in (255, 128):
        size = (
            dicom(path, rectangle(100, 200, 20, 30, 40, 50) // 255 * level, WindowCenter="128", WindowWidth="256").stat().st_size
        )
        os.utime(path, ns=(level, level))
        image = MSCXRDataset(files, table, cache_dir=tmp_path / "cache", **FULL).get_datasets()[0]["img"]
        assert image.max() == pytest.approx(level / 255, abs=0.01)
        assert path.stat().st_size == size


def test_another_size_has_an_entry_of_its_own(made: Callable[..., SampleDataset]) -> None:
    assert made()[0]["img"].shape == (1, 224, 224)
    assert made(transform=DefaultTransform(32))[0]["img"].shape == (1, 32, 32)
    assert made()[0]["img"].shape == (1, 224, 224)


DAMAGES = [
    ("cut", lambda data: data[:-1]),
    ("cut in its head", lambda data: data[:30]),
    ("empty", lambda _: b""),
    ("longer", lambda data: data + b"\0"),
    ("another pixel", lambda data: data[:-5000] + bytes([data[-5000] ^ 255]) + data[-4999:]),
    ("another size of the film", lambda data: data.replace(b'"of": [100', b'"of": [900')),
    ("another file", lambda _: b"PK\x03\x04" + b"\0" * 60_000),
]


@pytest.mark.parametrize(("reason", "damage"), DAMAGES, ids=[case[0] for case in DAMAGES])
def test_a_damaged_entry_is_made_anew(
    made: Callable[..., SampleDataset], tmp_path: Path, reason: str, damage: Callable[[bytes], bytes]
) -> None:
    cold = made()[0]
    [entry] = entries(tmp_path / "cache")
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert entry.read_bytes() != whole
    assert same(made()[0], cold), reason
    assert entry.read_bytes() == whole, "and is whole afterwards"


def test_a_folder_that_cannot_be_written_to_gives_one_warning(made: Callable[..., SampleDataset], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")  # refuses every user, which a read-only folder does not
    data = made()
    with pytest.warns(DatasetWarning, match="cache_dir"):
        first = data[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same(data[0], first)
        (tmp_path / "cache").unlink()
        assert data[1]["img"].shape == (1, 224, 224)
    assert not (tmp_path / "cache").exists(), "it is not tried again and again"


@pytest.mark.parametrize("folder", ["no\0folder", "x" * 300, "files/p10/p10000001/s50000001/image1.jpg/cache"])
def test_a_folder_that_cannot_be_is_no_trouble_either(made: Callable[..., SampleDataset], tmp_path: Path, folder: str) -> None:
    data = made(cache_dir=f"{tmp_path}/{folder}")
    with pytest.warns(DatasetWarning, match="Samples are not kept.*cannot be written to"):
        first = data[0]
    assert same(data[0], first)


def test_an_entry_that_another_worker_keeps_open_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows refuses to put a file in the place of one that is being read."""
    path = film(tmp_path / "a.png", rectangle(4, 4, 0, 0, 1, 1))
    made = ReducedFilm(np.ones((4, 4), np.uint8), 4, 4)

    def refuses(target: Path) -> None:
        raise WriteError(f"{target} cannot be written: Access is denied.")

    def after_another_worker() -> ReducedFilm:
        SampleCache(tmp_path / "cache", Said()).get(path, "", lambda: made)
        monkeypatch.setattr("radharmony_core.dataset.sample_cache.written_whole", refuses)
        return made

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert SampleCache(tmp_path / "cache", Said()).get(path, "", after_another_worker) is made
    assert len(entries(tmp_path / "cache")) == 1


def test_notices_come_from_the_cache_as_well(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), films=False)
    path = files / place_of(row(1)).replace(".jpg", ".dcm")
    path.parent.mkdir(parents=True)
    dicom(path, rectangle(100, 200, 20, 30, 40, 50).astype(np.uint16) * 257, WindowCenter=None)
    for _ in range(2):
        data = MSCXRDataset(files, table, cache_dir=tmp_path / "cache", **FULL).get_datasets()
        with pytest.warns(DatasetWarning, match=r"image1\.dcm"):
            _ = data[0]
    assert len(entries(tmp_path / "cache")) == 1


def fill(folder: str, film_path: str, value: int, count: int) -> None:
    """In a process of its own: many entries, of one value each."""
    cache = SampleCache(Path(folder), Said())
    for number in range(count):
        made = ReducedFilm(np.full((64, 64), value, np.uint8), 64, 64)
        got = cache.get(Path(film_path), f"entry {number}", lambda made=made: made)  # type: ignore[misc]
        assert len(np.unique(got.pixels)) == 1, "an entry is one process's or the other's, never a mixture"


def test_two_processes_share_a_folder(tmp_path: Path) -> None:
    path = film(tmp_path / "a.png", rectangle(4, 4, 0, 0, 1, 1))
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=fill, args=(str(tmp_path / "cache"), str(path), value, 60)) for value in (1, 2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert len(entries(tmp_path / "cache")) == 60, "no temporary file is left"


def test_what_is_not_there_is_for_its_reader_to_say(tmp_path: Path) -> None:
    def nothing() -> ReducedFilm:
        raise MissingFileError("gone")

    with pytest.raises(MissingFileError, match="gone"):
        SampleCache(tmp_path / "cache", Said()).get(tmp_path / "nowhere.png", "", nothing)
    assert not (tmp_path / "cache").exists()
