"""A large demo as a whole: the same bytes again, its progress, its configuration."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

from radharmony_core.demo import write_demo

SMALLEST = 5_001


def digests(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_same_numbers_give_the_same_bytes_and_another_seed_gives_others(tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    one, again = (
        digests(
            write_demo(
                tmp_path / name, images=SMALLEST, seed=3, tables_only=True, progress=lambda *what: seen.append(what)
            ).parent
        )
        for name in ("one", "again")
    )
    assert one == again
    assert seen[:10] == [(done, 10, "tables") for done in range(1, 11)]
    assert seen[10:12] == [(2_000, 3_021, "reports"), (3_021, 3_021, "reports")]
    other = digests(write_demo(tmp_path / "other", images=SMALLEST, seed=4, tables_only=True).parent)
    assert other.keys() == one.keys()
    same = [name for name in one if one[name] == other[name]]
    assert not [name for name in same if "mimic" in name or "ms-cxr" in name or name.endswith("_Reports.csv")]


def test_config_points_at_what_is_there(root: Path) -> None:
    config = tomllib.loads((root / "radharmony.toml").read_text())
    assert set(config) == {"ms_cxr", "mimic_cxr_jpg", "mimic_cxr", "casia_cxr"}
    assert all((root / path).exists() for table in config.values() for path in table.values())


@pytest.mark.parametrize("images", [5_001, 5_500, 7_777])
@pytest.mark.parametrize("seed", [1, 2])
def test_any_size_and_seed_can_be_written(tmp_path: Path, images: int, seed: int) -> None:
    root = write_demo(tmp_path / "out", images=images, seed=seed, tables_only=True).parent
    assert len((root / "mimic-cxr-jpg/2.1.0/IMAGE_FILENAMES").read_text().splitlines()) == images
