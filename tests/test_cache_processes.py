"""Starts that meet, builds that are killed, disks that are full and folders that may not be written: in real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from radharmony_core.cache import Cached, TableCache

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, limits and users of POSIX")

ROOT = Path(__file__).resolve().parents[1]
HEAD = """
import os, resource, sys, time
from pathlib import Path
import pyarrow as pa
import pyarrow.parquet as pq
from radharmony_core.cache import TableCache

def build():
    with open("builds", "a") as handle:
        handle.write("x")
    return pa.table({"id": [str(number * 7919 % 65537) for number in range(20_000)]})

def get(folder="kept", build=build, waiting=None):
    return TableCache(folder).table("t", {}, [], build, waiting=waiting)

def tell(found):
    print(found.hit, found.path is not None, found.table.num_rows, *found.notices, sep="|", flush=True)
"""


def start(folder: Path, script: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HEAD + script]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told(child: subprocess.Popen[str]) -> list[str]:
    out, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors
    assert errors == ""
    return out.strip().split("|")


def get(folder: Path) -> Cached:
    return TableCache(folder / "kept").table("t", {}, [], lambda: pa.table({"id": ["anew"]}))


def kept(folder: Path, pattern: str = "*.parquet") -> list[Path]:
    return list((folder / "kept").glob(pattern))


def test_of_two_starts_one_builds_and_the_other_waits_and_reads(tmp_path: Path) -> None:
    script = """
def build_once_another_waits():
    for _ in range(1200):
        if Path("waits").exists():
            break
        time.sleep(0.05)
    return build()

tell(get(build=build_once_another_waits, waiting=lambda: Path("waits").touch()))
"""
    children = [start(tmp_path, script) for _ in range(2)]
    assert sorted(told(child) for child in children) == [["False", "True", "20000"], ["True", "True", "20000"]]
    assert (tmp_path / "builds").read_text() == "x"
    assert (tmp_path / "waits").exists(), "they did meet"
    assert len(kept(tmp_path)) == 1


def test_a_build_that_is_killed_while_writing_leaves_nothing_that_is_read(tmp_path: Path) -> None:
    script = """
def hang(*_):
    print("written by half", flush=True)
    time.sleep(600)

pq.ParquetWriter.add_key_value_metadata = hang
get()
"""
    child = start(tmp_path, script)
    assert child.stdout is not None
    assert child.stdout.readline() == "written by half\n"
    assert kept(tmp_path) == []
    assert [part.stat().st_size > 0 for part in kept(tmp_path, ".*.part")] == [True]
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=60)
    found = get(tmp_path)
    assert (found.hit, found.notices) == (False, ()), "its lock is free"
    assert found.table.column("id").to_pylist() == ["anew"]
    assert kept(tmp_path, ".*.part") == [], "and what it left is gone"
    assert get(tmp_path).hit


def test_a_disk_that_is_full_is_said_and_the_table_is_there(tmp_path: Path) -> None:
    script = """
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
tell(get())
"""
    hit, is_kept, rows, notice = told(start(tmp_path, script))
    assert (hit, is_kept, rows) == ("False", "False", "20000")
    assert "not kept" in notice
    assert "Make room" in notice
    assert kept(tmp_path) == kept(tmp_path, ".*.part") == []
    assert not get(tmp_path).hit


@pytest.mark.parametrize("is_there", [True, False], ids=["a table is kept", "none is"])
def test_a_folder_that_may_not_be_written_is_read(tmp_path: Path, is_there: bool) -> None:
    """The child gives up root's rights, for which a mode is no hindrance; it stands in the folder, so that it need not come
    through folders of root's own."""
    folder = tmp_path / "standing"
    (folder / "kept").mkdir(parents=True)
    if is_there:
        get(folder)
    for path in kept(folder):
        path.chmod(0o644)
    (folder / "kept").chmod(0o555)
    folder.chmod(0o755)
    script = """
for _ in range(2):
    get("warm")  # what is imported late is imported now
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
tell(get(build=lambda: pa.table({"id": ["anew"]})))
"""
    hit, is_kept, rows, *notices = told(start(folder, script))
    (folder / "kept").chmod(0o755)
    assert (hit, is_kept, rows) == (str(is_there), str(is_there), "1")
    assert ["not kept" in notice for notice in notices] == ([] if is_there else [True])
    assert len(kept(folder)) == is_there
