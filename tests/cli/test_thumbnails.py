"""``thumbnails``: what is made, said and left, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from radharmony_core.cli import main
from radharmony_core.cli.thumbnails import _time, _with_rate
from radharmony_core.demo import write_demo
from radharmony_core.thumbnails import Thumbnail, ThumbnailCache
from tests.images.make import saved
from tests.support import annotation, gray_image, write_table

ROOT = Path(__file__).resolve().parents[2]
Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where they are kept."""
    monkeypatch.setenv("RADHARMONY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def configured(root: Path, films: int, *, missing: int = 0, broken: int = 0) -> Path:
    """MS-CXR with so many films, of which some are not there and some cannot be read."""
    rows = [annotation(dicom_id=f"film{number:03}", study=f"5{number:07}") for number in range(films + missing + broken)]
    write_table(root / "ms.csv", rows)
    for number, row in enumerate(rows[: films + broken]):
        path = gray_image(root / str(row["path"]), width=48)
        if number >= films:
            path.write_bytes(path.read_bytes()[:-200])
    config = root / "radharmony.toml"
    config.write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "."\n', encoding="utf-8")
    return config


def counts(out: str) -> dict[str, int]:
    return {name: int(number.replace(",", "")) for name, number in re.findall(r"^(\w[\w ]*?) +([\d,]+)$", out, re.MULTILINE)}


def run(*arguments: object) -> int:
    return main(["thumbnails", *map(str, arguments)])


def test_all_films_then_only_what_has_changed(tmp_path: Path, folder: Path, capsys: Said) -> None:
    config = configured(tmp_path, 5, missing=2, broken=1)
    assert run("--config", config, "--jobs", 1) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == str(folder / "thumbnails.sqlite")
    assert counts(said.out) == {"made": 5, "there before": 0, "refused": 1, "no file": 2, "left": 0}
    assert "6 thumbnails to make, 0 are there. They take about 1 MiB" in said.err
    assert "1 x ImageError" in said.err
    assert "film005.jpg is cut" in said.err
    assert "2 x MissingFileError" in said.err
    assert "film006: Expected the image at" in said.err
    gray_image(next(tmp_path.rglob("film000.jpg")), width=50)
    assert run("--config", config, "--jobs", 1) == 0
    said = capsys.readouterr()
    assert counts(said.out) == {"made": 1, "there before": 4, "refused": 1, "no file": 2, "left": 0}
    assert run("--config", config, "--jobs", 1, "--quiet") == 0
    said = capsys.readouterr()
    assert counts(said.out)["there before"] == 5
    assert "to make" not in said.err
    assert "film005.jpg is cut" in said.err, "problems are told each time"


def test_the_demo_whole_and_one_dataset(tmp_path: Path, folder: Path, capsys: Said) -> None:
    config = write_demo(tmp_path / "démo", images=4)
    assert run("--config", config, "--dataset", "casia_cxr", "--quiet") == 0
    one = counts(capsys.readouterr().out)
    assert run("--config", config, "--quiet") == 0
    rest = counts(capsys.readouterr().out)
    assert one["made"] > 0
    assert rest["there before"] == one["made"]
    assert rest["made"] > 0
    with ThumbnailCache(folder) as cache:
        assert cache.count() == one["made"] + rest["made"] + rest["refused"]


def test_another_side_is_another_picture(tmp_path: Path, folder: Path) -> None:
    config = configured(tmp_path, 1)
    assert run("--config", config, "--side", 32, "--quiet") == 0
    path = next(tmp_path.rglob("film000.jpg")).resolve()
    with ThumbnailCache(folder, side=32) as small, ThumbnailCache(folder) as usual:
        found = small.peek_many([path])[0]
        assert isinstance(found, Thumbnail)
        assert (found.width, found.height) == (24, 32)
        assert usual.peek_many([path]) == [None]


def test_it_stops_at_the_bound_and_goes_on_with_another(tmp_path: Path, capsys: Said) -> None:
    config = configured(tmp_path, 60)
    grain = np.random.default_rng(0).integers(0, 256, (256, 256), dtype=np.uint8)
    for path in (tmp_path / "files").rglob("*.jpg"):
        saved(path, grain, "JPEG")  # thumbnails of 40,000 bytes each
    assert run("--config", config, "--max-gb", 0.001, "--jobs", 1, "--quiet") == 0
    said = capsys.readouterr()
    first = counts(said.out)
    assert first["left"] > 0
    assert first["made"] + first["left"] == 60
    assert "which is the bound" in said.err
    assert "For all of them, say --max-gb 0.1 and run it again" in said.err
    assert run("--config", config, "--jobs", 1, "--quiet") == 1, "the bound stays, and nothing is made"
    assert counts(capsys.readouterr().out)["made"] == 0
    assert run("--config", config, "--max-gb", 4, "--jobs", 1, "--quiet") == 0
    last = counts(capsys.readouterr().out)
    assert last["left"] == 0
    assert last["made"] + last["there before"] == 60


# What there is; arguments; exit code; words on stderr; why.
ENDS = [
    ({"films": 0, "missing": 2}, [], 1, "2 x MissingFileError", "no film is there"),
    ({"films": 0, "broken": 2}, [], 1, "2 x ImageError", "none can be read"),
    ({"films": 1, "broken": 2}, [], 0, "2 x ImageError", "one can, the others are refused in words"),
    (
        {"films": 1},
        ["--dataset", "casia_cxr"],
        1,
        "has no dataset [casia_cxr]; it has ms_cxr",
        "a dataset that is not configured",
    ),
    ({"films": 1}, ["--config", "gone.toml"], 1, "gone.toml", "no such configuration"),
]


@pytest.mark.parametrize(("there", "arguments", "code", "words", "reason"), ENDS, ids=[row[4] for row in ENDS])
def test_how_it_ends(
    tmp_path: Path, capsys: Said, there: dict[str, int], arguments: list[str], code: int, words: str, reason: str
) -> None:
    config = configured(tmp_path, **there)
    assert run("--config", config, "--jobs", 1, *arguments) == code, reason
    said = capsys.readouterr()
    assert words in said.err
    assert "Traceback" not in said.err


def test_a_folder_that_cannot_be_used_is_told_before_the_work(tmp_path: Path, folder: Path, capsys: Said) -> None:
    folder.write_bytes(b"a file")
    assert run("--config", configured(tmp_path, 1)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("RADHARMONY_CACHE") == 1
    assert len(said.err.splitlines()) == 1


WRONG = [
    *[("--jobs", value) for value in ("0", "-1", "two", "1.5")],
    *[("--side", value) for value in ("15", "2049", "x")],
    *[("--max-gb", value) for value in ("0", "-1", "nan", "inf", "x", "0.0001")],
    ("--dataset", "other"),
    ("--config", ""),
]


@pytest.mark.parametrize(("option", "value"), WRONG)
def test_what_is_not_written_right(option: str, value: str, capsys: Said) -> None:
    with pytest.raises(SystemExit) as ended:
        run(option, value)
    assert ended.value.code == 2
    assert option in capsys.readouterr().err


def test_the_help_explains(capsys: Said) -> None:
    with pytest.raises(SystemExit):
        run("--help")
    out = capsys.readouterr().out
    for word in ("RADHARMONY_CACHE", "--max-gb", "Ctrl-C", "example:"):
        assert word in out


def test_progress_has_a_rate_and_what_is_left() -> None:
    lines: list[str] = []
    now = iter([0.0, 0.0, 2.0, 4.0])

    def line(done: int, total: int, what: str, more: str) -> None:
        lines.append(f"{done} of {total} {what}{more}")

    tell = _with_rate(line, lambda: next(now))
    tell(10, 1000, "films")
    tell(110, 1000, "films")
    tell(410, 1000, "films")
    assert lines == ["10 of 1000 films", "110 of 1000 films, 50 a second, 18 s left", "410 of 1000 films, 100 a second, 6 s left"]
    assert [_time(seconds) for seconds in (0, 89, 90, 3600, 5400, 9000)] == ["0 s", "89 s", "2 min", "60 min", "1.5 h", "2.5 h"]


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C as POSIX has it")
def test_ctrl_c_leaves_what_was_made(tmp_path: Path, folder: Path) -> None:
    config = configured(tmp_path, 600)
    command = [sys.executable, "-m", "radharmony_core", "thumbnails", "--config", str(config)]
    # A group of its own, as a terminal gives one to each command: Ctrl-C goes to all its processes.
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    with ThumbnailCache(folder) as cache:
        while not cache.count() and process.poll() is None:
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate()
        assert (process.returncode, out) == (130, b"")
        assert b"Traceback" not in err
        last = err.decode().splitlines()[-1]
        made = cache.count()
        assert last == f"Stopped. {made:,} films are done in {cache.path}; the same command goes on from there."
        assert 0 < made < 600
    done = subprocess.run([*command, "--quiet"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert counts(done.stdout) == {"made": 600 - made, "there before": made, "refused": 0, "no file": 0, "left": 0}
