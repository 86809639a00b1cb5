"""The folder as a whole: the same bytes again, whole or not at all, never over anything else."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from radharmony_core.demo import helpers, is_demo, write_demo
from radharmony_core.demo import writer as writer_module
from radharmony_core.demo.plan import make_plan
from radharmony_core.demo.writer import build
from radharmony_core.errors import RadHarmonyError


def digests(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_same_bytes_again_and_from_one_or_two_processes(tmp_path: Path) -> None:
    one = digests(build(tmp_path / "one", 3, 5, processes=1).parent)
    two = digests(build(tmp_path / "two", 3, 5, processes=2).parent)
    assert one == two
    assert sum(name.startswith("mimic") and name.endswith(".jpg") for name in one) == 3
    assert sum("_Images/" in name for name in one) == 5, "one of each class of CASIA-CXR"


def test_another_seed_gives_another_demo(tmp_path: Path) -> None:
    tables = [digests(write_demo(tmp_path / str(seed), images=30, seed=seed, tables_only=True).parent) for seed in (0, 1)]
    assert (
        tables[0]["ms-cxr/1.1.0/MS_CXR_Local_Alignment_v1.1.0.csv"] != tables[1]["ms-cxr/1.1.0/MS_CXR_Local_Alignment_v1.1.0.csv"]
    )


def test_tables_only_writes_no_film(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "out", images=40, tables_only=True).parent
    names = list(digests(root))
    assert not [name for name in names if name.endswith((".jpg", ".JPEG", ".dcm"))]
    assert [name for name in names if name.endswith(".txt") and "/s5" in name]
    lines = gzip.decompress((root / "mimic-cxr-jpg/2.1.0/mimic-cxr-2.0.0-metadata.csv.gz").read_bytes()).splitlines()
    assert len(lines) == 1 + 40


def test_many_reports_are_packed_in_one_archive(tmp_path: Path) -> None:
    root = write_demo(tmp_path / "out", images=5200, tables_only=True).parent
    studies = gzip.decompress((root / "mimic-cxr/2.1.0/cxr-study-list.csv.gz").read_bytes()).decode().splitlines()[1:]
    with zipfile.ZipFile(root / "mimic-cxr/2.1.0/mimic-cxr-reports.zip") as archive:
        assert archive.namelist() == [line.split(",")[2] for line in studies]
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.read(archive.namelist()[0]).startswith(b" " * 33 + b"FINAL REPORT\n")


def test_progress_counts_every_film(tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    write_demo(tmp_path / "out", images=2, progress=lambda *what: seen.append(what))
    assert seen == [(done, 7, "films") for done in range(1, 8)], "two, and one of each class of CASIA-CXR"


@pytest.mark.parametrize(
    ("prepare", "message", "reason"),
    [
        (lambda out: (out.mkdir(), (out / "thesis.doc").write_text("mine")), "holds something else", "a folder of someone's"),
        (lambda out: out.write_text("mine"), "is a file", "a file"),
    ],
)
def test_what_is_not_a_demo_is_left_alone(tmp_path: Path, prepare: object, message: str, reason: str) -> None:
    out = tmp_path / "out"
    assert callable(prepare)
    prepare(out)
    before = digests(tmp_path)
    with pytest.raises(RadHarmonyError, match=message):
        write_demo(out, images=3, tables_only=True)
    assert digests(tmp_path) == before, reason


@pytest.mark.parametrize("images", [0, -5, 1_000_001])
def test_a_demo_without_images_or_with_too_many_is_refused(tmp_path: Path, images: int) -> None:
    with pytest.raises(RadHarmonyError, match="at least 1 image and at most 1,000,000"):
        write_demo(tmp_path / "out", images=images)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("images", "tables_only"), [(3, True), (3, False), (5200, True)])
def test_an_empty_folder_and_an_earlier_demo_are_replaced(tmp_path: Path, images: int, tables_only: bool) -> None:
    out = tmp_path / "out"
    out.mkdir()
    write_demo(out, images=images, tables_only=tables_only)
    (out / ".DS_Store").write_bytes(b"where the icons are")
    write_demo(out, images=4, seed=1, tables_only=True)
    assert digests(out) == digests(write_demo(tmp_path / "new", images=4, seed=1, tables_only=True).parent)
    assert "No patient exists" in (out / "RADHARMONY_DEMO.txt").read_text()


def test_the_marker_lists_what_was_written(tmp_path: Path) -> None:
    out = write_demo(tmp_path / "out", images=3, tables_only=True).parent
    listed = [line for line in (out / "RADHARMONY_DEMO.txt").read_text().splitlines() if line[:1].isdigit()]
    sizes = {path.relative_to(out).as_posix(): path.stat().st_size for path in out.rglob("*") if path.is_file()}
    del sizes["RADHARMONY_DEMO.txt"]
    assert sorted(listed) == sorted(f"{size} {name}" for name, size in sizes.items())


def add(name: str) -> Callable[[Path], object]:
    return lambda out: (out / name).write_text("mine")


def link(out: Path) -> None:
    (out / "mimic-cxr" / "all").symlink_to(out.parent)


MINE: list[tuple[str, Callable[[Path], object], str]] = [
    ("a file of one's own", add("notes.txt"), "notes.txt"),
    ("within a dataset", add("mimic-cxr-jpg/2.1.0/my-labels.csv"), "mimic-cxr-jpg/2.1.0/my-labels.csv"),
    ("a changed configuration", lambda out: os.truncate(out / "radharmony.toml", 9), "radharmony.toml"),
    ("a link to one's films", link, "mimic-cxr/all"),
    ("several", lambda out: [add(f"{letter}.txt")(out) for letter in "abcde"], "a.txt, b.txt, c.txt and 2 more"),
    ("a marker without a list", add("RADHARMONY_DEMO.txt"), "casia-cxr/"),
]


@pytest.mark.parametrize(("reason", "prepare", "names"), MINE, ids=[row[0] for row in MINE])
def test_what_somebody_has_put_into_a_demo_is_left_alone(
    tmp_path: Path, reason: str, prepare: Callable[[Path], object], names: str
) -> None:
    out = write_demo(tmp_path / "out", images=3, tables_only=True).parent
    prepare(out)
    before = digests(tmp_path)
    with pytest.raises(RadHarmonyError, match=f"has put there or changed since: {re.escape(names)}"):
        write_demo(out, images=3, tables_only=True)
    assert digests(tmp_path) == before, reason


@pytest.mark.parametrize("seed", [-1, -3])
def test_a_seed_below_nought_is_refused(tmp_path: Path, seed: int) -> None:
    with pytest.raises(RadHarmonyError, match=f"a seed of 0 or more; got {seed}"):
        write_demo(tmp_path / "out", images=3, seed=seed)
    assert list(tmp_path.iterdir()) == []


def test_a_very_large_seed_is_one_too(tmp_path: Path) -> None:
    assert write_demo(tmp_path / "out", images=1, seed=10**30).is_file()


def test_a_build_that_fails_leaves_nothing_and_keeps_the_earlier_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    write_demo(out, images=3, tables_only=True)
    before = digests(tmp_path)

    def broken(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writer_module, "write_ms_cxr", broken)
    with pytest.raises(KeyboardInterrupt):
        write_demo(out, images=3, tables_only=True)
    assert digests(tmp_path) == before


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["/no/such/interpreter"], "helpers cannot be started"),
        ([sys.executable, "-c", "raise SystemExit(1)"], "helpers end without a film"),
        ([sys.executable, "-c", "print(0)"], "a helper says it has drawn film 0 and ends"),
    ],
)
def test_films_that_no_helper_has_drawn_are_drawn_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], reason: str
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(helpers, "_command", lambda *_: command)
    monkeypatch.setattr(helpers, "write_film", lambda _plan, _study, film, _out: drawn.append(film.dicom_id))
    monkeypatch.setattr(helpers, "films_of", lambda *_: [])
    plan = make_plan(3, 0)
    expected = [film.dicom_id for _, film in plan.films()]
    helpers.draw_all(plan, tmp_path, 2, None)
    assert drawn == (expected[1:] if "print(0)" in command else expected), reason


def test_a_demo_is_told_from_other_folders(tmp_path: Path) -> None:
    assert not is_demo(tmp_path)
    assert is_demo(write_demo(tmp_path / "demo", images=4, tables_only=True).parent)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere only age tells a build that was killed")
def test_what_a_killed_build_left_is_removed_and_what_runs_is_not(tmp_path: Path) -> None:
    dead, alive = tmp_path / ".demo.building-4194305-aa", tmp_path / f".demo.building-{os.getppid()}-bb"
    dead.mkdir()
    alive.mkdir()
    write_demo(tmp_path / "demo", images=4, tables_only=True)
    assert not dead.exists(), "no Linux or macOS gives that process number"
    assert alive.exists()
