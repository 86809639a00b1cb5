"""The cache of reduced films: the same sample with and without, whatever becomes of the files; never half an entry."""

from __future__ import annotations

import multiprocessing
import os
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.dataset import DatasetWarning, DefaultTransform, MSCXRDataset, SampleDataset
from radharmony_core.dataset.notices import Said
from radharmony_core.dataset.sample_cache import ReducedFilm, SampleCache
from radharmony_core.errors import MissingFileError, WriteError
from tests.dataset.make import dataset, entries, film, place_of, rectangle, row, same
from tests.images.make import dicom

FULL: dict[str, Any] = {"dtype": np.float32, "output_bbox": True, "output_mask": True, "output_cls": True}


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


def rewritten(entry: Path, body: bytes) -> None:
    """The entry with another body, and the checksum of that."""
    entry.write_bytes(b"RadHarmony reduced film\n" + b"%08x\n" % zlib.crc32(body) + body)


def body_of(entry: Path) -> bytes:
    return entry.read_bytes().split(b"\n", 2)[2]


def test_a_warm_sample_is_the_entrys(made: Callable[..., SampleDataset], tmp_path: Path) -> None:
    assert made()[0]["img"].max() == 1
    [entry] = entries(tmp_path / "cache")
    line, _, pixels = body_of(entry).partition(b"\n")
    rewritten(entry, line + b"\n" + b"\x33" * len(pixels))
    assert np.unique(made()[0]["img"]) == pytest.approx([0.2]), "the film was not opened"


SAME_SIZE_AND_TIME = [
    ("written anew in its place", lambda path, data: path.write_bytes(data)),
    (
        "copied with its time",
        lambda path, data: (path.with_suffix(".new").write_bytes(data), path.with_suffix(".new").replace(path)),
    ),
]


@pytest.mark.parametrize(("reason", "change"), SAME_SIZE_AND_TIME, ids=[case[0] for case in SAME_SIZE_AND_TIME])
def test_another_film_of_the_same_size_and_time_is_read(
    made: Callable[..., SampleDataset], tmp_path: Path, reason: str, change: Callable[[Path, bytes], object]
) -> None:
    """As ``rsync -t`` and ``cp -p`` leave it."""
    path = tmp_path / "files" / place_of(row(1))
    other = film(tmp_path / "other.png", rectangle(100, 200, 0, 0, 0, 0)).read_bytes()
    size = max(len(other), path.stat().st_size)
    path.write_bytes(path.read_bytes().ljust(size, b"\0"))
    status = path.stat()
    assert made()[0]["img"].max() == 1
    change(path, other.ljust(size, b"\0"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert made()[0]["img"].max() == 0, reason


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


PIXELS = b"\0" * 224 * 224
BODIES = [
    ("too few pixels", b'{"shape": [224, 224], "of": [100, 200], "notices": []}\nxxxxx'),
    ("no JSON", b"nonsense\n"),
    ("nothing", b""),
    ("an empty object", b"{}\n"),
    ("no object", b"[1, 2]\n" + PIXELS),
    ("a film without a size", b'{"shape": [224, 224], "of": [0, 0], "notices": []}\n' + PIXELS),
    ("a size that is no number", b'{"shape": [224, 224], "of": ["a", null], "notices": []}\n' + PIXELS),
    ("notices that are none", b'{"shape": [224, 224], "of": [100, 200], "notices": [7]}\n' + PIXELS),
    ("another shape", b'{"shape": [2, 2], "of": [100, 200], "notices": []}\n\0\0\0\0'),
    ("one axis", b'{"shape": [50176], "of": [100, 200], "notices": []}\n' + PIXELS),
    ("brackets without end", b"[" * 200_000 + b"\n" + PIXELS),
    ("bytes that are no text", b"\xff\xfe\n" + PIXELS),
]


@pytest.mark.parametrize(("reason", "body"), BODIES, ids=[case[0] for case in BODIES])
def test_an_entry_with_a_right_checksum_and_a_wrong_body_is_made_anew(
    made: Callable[..., SampleDataset], tmp_path: Path, reason: str, body: bytes
) -> None:
    cold = made()[0]
    [entry] = entries(tmp_path / "cache")
    whole = entry.read_bytes()
    rewritten(entry, body)
    assert same(made()[0], cold), reason
    assert entry.read_bytes() == whole, "and is whole afterwards"


def test_an_entry_that_another_worker_keeps_open_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows refuses to put a file in the place of one that is being read."""
    path = film(tmp_path / "a.png", rectangle(4, 4, 0, 0, 1, 1))
    made = ReducedFilm(np.ones((4, 4), np.uint8), 4, 4)

    def refuses(target: Path, **_: bool) -> None:
        raise WriteError(f"{target} cannot be written: Access is denied.")

    def after_another_worker() -> ReducedFilm:
        SampleCache(tmp_path / "cache", Said()).get(path, "", (4, 4), lambda: made)
        monkeypatch.setattr("radharmony_core.dataset.sample_cache.written_whole", refuses)
        return made

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert SampleCache(tmp_path / "cache", Said()).get(path, "", (4, 4), after_another_worker) is made
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
        got = cache.get(Path(film_path), f"entry {number}", (64, 64), lambda made=made: made)  # type: ignore[misc]
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
        SampleCache(tmp_path / "cache", Said()).get(tmp_path / "nowhere.png", "", (4, 4), nothing)
    assert not (tmp_path / "cache").exists()
