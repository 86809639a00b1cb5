"""How ``thumbnails`` ends: a dataset that cannot be read, a bound, a folder that is emptied, damage, Ctrl-C twice."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from radharmony_core.cli import thumbnails
from radharmony_core.thumbnails import Built, ThumbnailCache, build
from tests.cli.test_thumbnails import ROOT, Said, configured, counts, folder, run
from tests.images.make import saved

__all__ = ["folder"]  # a fixture for every test here

# What there is beside a dataset that cannot be read; arguments; exit code; why.
UNREADABLE = [
    ({"films": 1}, ["--dataset", "casia_cxr"], 1, "it was asked for"),
    ({"films": 1}, ["--dataset", "ms_cxr"], 0, "it was not asked for"),
    ({"films": 1}, [], 0, "another one has films"),
    ({"films": 0, "missing": 1}, [], 1, "the other one has none"),
]


@pytest.mark.parametrize(("there", "arguments", "code", "reason"), UNREADABLE, ids=[row[3] for row in UNREADABLE])
def test_a_dataset_that_cannot_be_read(
    tmp_path: Path, capsys: Said, there: dict[str, int], arguments: list[str], code: int, reason: str
) -> None:
    config = configured(tmp_path, **there)
    config.write_text(config.read_text(encoding="utf-8") + '[casia_cxr]\nroot = "gone"\n', encoding="utf-8")
    for _ in range(2):
        assert run("--config", config, "--jobs", 1, *arguments) == code, reason
        assert ("casia_cxr cannot be read: " in capsys.readouterr().err) == ("ms_cxr" not in arguments)


def grainy(root: Path) -> list[Path]:
    """Films of which a thumbnail takes 40,000 bytes."""
    grain = np.random.default_rng(0).integers(0, 256, (256, 256), dtype=np.uint8)
    return [saved(path, grain, "JPEG") for path in sorted((root / "files").rglob("*.jpg"))]


def test_a_lower_bound_says_what_it_removes(tmp_path: Path, folder: Path, capsys: Said) -> None:
    config = configured(tmp_path, 40)
    grainy(tmp_path)
    assert run("--config", config, "--jobs", 1, "--quiet") == 0
    capsys.readouterr()
    assert run("--config", config, "--max-gb", 0.001, "--jobs", 1, "--quiet") == 1
    said = capsys.readouterr()
    there = counts(said.out)["there before"]
    assert 0 < there < 40
    assert f"At most 1 MiB are kept from now on: {40 - there} thumbnails were removed, the longest unused." in said.err
    assert said.err.index("At most") < said.err.index("which is the bound")


def test_films_that_are_gone_make_room(tmp_path: Path, capsys: Said) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    config = configured(tmp_path / "old", 40)
    grainy(tmp_path / "old")
    assert run("--config", config, "--jobs", 1, "--quiet") == 0
    shutil.rmtree(tmp_path / "old" / "files")
    config = configured(tmp_path / "new", 20)
    grainy(tmp_path / "new")
    capsys.readouterr()
    assert run("--config", config, "--max-gb", 0.001, "--jobs", 1, "--quiet") == 0
    said = capsys.readouterr()
    assert counts(said.out) == {"made": 20, "there before": 0, "refused": 0, "no file": 0, "left": 0}
    assert said.err == "40 thumbnails of films that are gone or have changed were removed to make room.\n"


def _emptied(folder: Path) -> None:
    shutil.rmtree(folder)


def _replaced(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_bytes(b"a file")


# What happens to the folder, before or after the making; what is counted; what is said; why.
MEANWHILE = [
    (None, _emptied, {"made": 0, "there before": 0, "left": 0}, "3 thumbnails that were there are gone", "emptied"),
    (_replaced, None, {"made": 0, "there before": 0, "left": 2}, "so nothing is kept any more: 2 were not made", "a file now"),
]
Change = Callable[[Path], None] | None


@pytest.mark.parametrize(("first", "last", "counted", "words", "reason"), MEANWHILE, ids=[row[4] for row in MEANWHILE])
def test_what_happens_to_the_folder_meanwhile(
    tmp_path: Path,
    folder: Path,
    capsys: Said,
    monkeypatch: pytest.MonkeyPatch,
    first: Change,
    last: Change,
    counted: dict[str, int],
    words: str,
    reason: str,
) -> None:
    config = configured(tmp_path, 3)
    with ThumbnailCache(folder) as cache:
        cache.get(next(tmp_path.rglob("film000.jpg")).resolve())

    def changed(cache: ThumbnailCache, files: list[Path], **options: object) -> Built:
        if first is not None:
            first(folder)
        built = build(cache, files, jobs=1)
        if last is not None:
            last(folder)
        return built

    monkeypatch.setattr(thumbnails, "build", changed)
    assert run("--config", config, "--quiet") == 1
    said = capsys.readouterr()
    assert {name: counts(said.out)[name] for name in counted} == counted, reason
    assert words in said.err
    assert "are made and not kept" not in said.err, "this command makes none then"


def test_a_damaged_picture_is_made_anew_and_counted(tmp_path: Path, folder: Path, capsys: Said) -> None:
    config = configured(tmp_path, 3)
    assert run("--config", config, "--jobs", 1) == 0
    with sqlite3.connect(folder / "thumbnails.sqlite") as connection:  # one byte is another
        connection.execute(
            "update pictures set data = cast(substr(data, 1, 300) || x'01' || substr(data, 302) as blob) where id = 2"
        )
    connection.close()
    for made in (1, 0):
        capsys.readouterr()
        assert run("--config", config, "--jobs", 1) == 0
        said = counts(capsys.readouterr().out)
        assert (said["made"], said["there before"]) == (made, 3 - made)


def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path, folder: Path, capsys: Said) -> None:
    folder.write_bytes(b"a file")
    assert run("--config", configured(tmp_path, 1)) == 1
    said = capsys.readouterr().err
    assert said.startswith("No thumbnails are made, as ")
    assert f"(a folder was expected at {folder}, there is a file)" in said


ENDLESS = """
import sys
from functools import partial
from radharmony_core.cli import main, thumbnails
from radharmony_core.thumbnails import build
from tests.thumbnails.worker import endless
if __name__ == "__main__":
    thumbnails.build = partial(build, make=endless)
    sys.exit(main(["thumbnails", *sys.argv[1:]]))
"""


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C as POSIX has it")
def test_ctrl_c_twice_ends_in_the_middle_of_a_film(tmp_path: Path) -> None:
    config = configured(tmp_path, 20)
    (tmp_path / "endless.py").write_text(ENDLESS, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "endless.py"), "--config", str(config), "--jobs", "1", "--quiet"]
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    try:
        while not list(tmp_path.rglob("*.begun")) and process.poll() is None:
            time.sleep(0.01)
        for _ in range(2):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.05)
        _, err = process.communicate(timeout=60)  # a film takes an hour
    finally:
        os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None
    assert process.returncode == 130
    assert err.startswith("Stopped. ")
    assert len(err.splitlines()) == 1, "no traceback"


def test_the_help_names_the_exit_codes(capsys: Said) -> None:
    with pytest.raises(SystemExit):
        run("--help")
    assert "Exit code 0 when done or in part; 1 when" in capsys.readouterr().out
