"""Two starts at a time: one installs, the other waits."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import run
from tests.start.support import Steps, complete, runner


@pytest.mark.parametrize(
    ("text", "age", "stale", "reason"),
    [
        (f"{os.getpid()}\n", 0, False, "its process runs"),
        ("4194305\n", 0, True, "its process is gone; no Linux or macOS gives that number"),
        (f"4194305\n{os.getpid()}\n", 0, False, "its pip outlived it and still writes"),
        (f"{os.getpid()}\n", 4000, True, "an hour old: the number was given out again"),
        ("", 0, False, "just made, not written to yet"),
        ("", 60, True, "made, and then the power went"),
        ("words\n", 60, False, "not ours to judge; the message names the file"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the file of a held lock, so it asks for no process")
def test_a_lock_is_dropped_when_nobody_holds_it(tmp_path: Path, text: str, age: int, stale: bool, reason: str) -> None:
    lock = tmp_path / ".venv.lock"
    lock.write_text(text, encoding="ascii")
    os.utime(lock, (time.time() - age,) * 2)
    run.drop_stale(lock)
    assert lock.exists() != stale, reason


def test_a_second_start_waits_and_then_finds_everything_done(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".venv.lock").write_text(f"{os.getpid()}\n", encoding="ascii")

    def the_first_finishes(_: float) -> None:
        (project / ".venv.lock").unlink()
        complete(project)

    monkeypatch.setattr("run.time.sleep", the_first_finishes)
    steps: Steps = []
    run.prepare(project, False, runner(project, steps))
    assert steps == []
    assert "Waiting for another start" in capsys.readouterr().out


def test_a_lock_holds_our_number_and_those_of_our_programs(tmp_path: Path) -> None:
    with run.locked(tmp_path) as note:
        note(77)
        assert (tmp_path / ".venv.lock").read_text(encoding="ascii").split() == [str(os.getpid()), "77"]
    assert not (tmp_path / ".venv.lock").exists()
