"""The folder of the cache: for its owner alone, and no trouble where it cannot be written to."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from radharmony_core.dataset import DatasetWarning, SampleDataset
from tests.dataset.make import same


def rights(folder: Path) -> set[tuple[bool, str]]:
    return {(path.is_dir(), oct(path.stat().st_mode & 0o777)) for path in [folder, *folder.rglob("*")]}


def opened(folder: Path) -> None:
    """As an earlier version has left it."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


OWNERS_ALONE = {(True, "0o700"), (False, "0o600")}
NEEDS_RIGHTS = pytest.mark.skipif(os.name != "posix", reason="rights are POSIX's")


@NEEDS_RIGHTS
@pytest.mark.parametrize("mask", [0o022, 0o000, 0o077])
def test_films_are_for_their_owner_alone(made: Callable[..., SampleDataset], tmp_path: Path, mask: int) -> None:
    """They are under a use agreement: colleagues on the same machine need not have signed it."""
    before = os.umask(mask)
    try:
        _ = list(made())
    finally:
        os.umask(before)
    assert rights(tmp_path / "cache") == OWNERS_ALONE


@NEEDS_RIGHTS
def test_a_folder_that_is_there_keeps_its_rights_and_ours_in_it_are_tightened(
    made: Callable[..., SampleDataset], tmp_path: Path
) -> None:
    cold = list(made())
    opened(tmp_path / "cache")
    (tmp_path / "cache" / "theirs").mkdir(mode=0o755)
    (tmp_path / "files").chmod(0o755)
    (tmp_path / "cache" / "samples" / "00").symlink_to(tmp_path / "files")
    assert same(made()[0], cold[0])
    assert oct((tmp_path / "cache").stat().st_mode & 0o777) == "0o755", "it may be the user's own"
    assert oct((tmp_path / "cache" / "theirs").stat().st_mode & 0o777) == "0o755"
    assert oct((tmp_path / "files").stat().st_mode & 0o777) == "0o755", "a link is not followed"
    (tmp_path / "cache" / "samples" / "00").unlink()
    assert {right for is_folder, right in rights(tmp_path / "cache" / "samples") if is_folder} == {"0o700"}


@NEEDS_RIGHTS
def test_a_folder_of_the_same_name_that_is_somebodys_own_keeps_its_rights(
    made: Callable[..., SampleDataset], tmp_path: Path
) -> None:
    """With ``cache_dir="."`` the folder may be beside one's own samples."""
    _ = list(made())
    samples = tmp_path / "cache" / "samples"
    (samples / "drawings").mkdir()
    opened(samples)
    _ = list(made())
    found = {path.name: oct(path.stat().st_mode & 0o777) for path in [samples, *samples.iterdir()]}
    assert (found.pop("samples"), found.pop("drawings")) == ("0o755", "0o755")
    assert set(found.values()) == {"0o700"}, "the films in it are closed all the same"


@NEEDS_RIGHTS
def test_the_folder_for_the_cache_is_made_with_those_above_it(made: Callable[..., SampleDataset], tmp_path: Path) -> None:
    assert made(cache_dir=tmp_path / "a" / "b")[0]["img"].max() == 1
    assert rights(tmp_path / "a" / "b") == OWNERS_ALONE


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
