"""The server that is started, and the checks that are run."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import run
from tests.start.support import Steps, runner


@pytest.mark.parametrize(
    ("first", "taken", "expected", "reason"),
    [
        (8501, set(), 8501, "free"),
        (8501, {8501}, 8502, "the next one"),
        (8501, {8501, 8502, 8503}, 8504, "the next but two"),
        (65535, set(), 65535, "the last there is"),
    ],
)
def test_a_free_port_is_chosen_and_said(
    first: int, taken: set[int], expected: int, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.choose_port(first, taken.__contains__) == expected, reason
    assert (f"Port {first} is taken, so {expected} it is." in capsys.readouterr().out) == bool(taken)


@pytest.mark.parametrize("first", [65536, 70000, -500])
def test_a_number_that_is_no_port_is_refused(first: int) -> None:
    with pytest.raises(SystemExit, match="--port N"):
        run.choose_port(first, lambda _: False)


def test_a_port_where_somebody_listens_is_taken() -> None:
    with socket.create_server((run.HOST, 0)) as server:
        port = server.getsockname()[1]
        assert run.answers(port)
    assert not run.answers(port)


def test_the_app_listens_here_only_and_reports_to_nobody(tmp_path: Path) -> None:
    command = run.app_command(tmp_path, 8600)
    assert command[:5] == [str(tmp_path / run.PYTHON), "-m", "pages._ui.server", "run", "app.py"]
    assert set(command[5:]) == {
        "--server.address=127.0.0.1",
        "--server.port=8600",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
    }


def test_the_app_gets_its_configuration_and_no_foreign_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    names = ("RADHARMONY_CONFIG", "PYTHONPATH")
    code = f"import os, pathlib, sys; pathlib.Path(sys.argv[1]).write_text(str([os.environ.get(name) for name in {names}]))"
    with run.program([sys.executable, "-c", code, str(tmp_path / "seen")], tmp_path / "mine.toml") as child:
        assert child.wait(20) == 0
    assert (tmp_path / "seen").read_text(encoding="utf-8") == str([str(tmp_path / "mine.toml"), None])


def test_a_program_ends_with_us() -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        run.program([sys.executable, "-c", "import time; time.sleep(60)"]) as child,
    ):
        raise KeyboardInterrupt
    assert child.poll() is not None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_every_way_of_ending_is_clean(name: str) -> None:
    code = f"import os, signal, run; run.prepare = lambda *_: os.kill(os.getpid(), signal.{name}); raise SystemExit(run.main([]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=run.ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize(("failing", "code"), [("", 0), ("mypy", 1)])
def test_all_checks_run_and_one_failure_fails(failing: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    steps: Steps = []
    assert run.run_all(run.CHECKS, runner(Path("nowhere"), steps, failing=failing or "no such word")) == code
    assert [step[2] for step in steps] == ["ruff", "ruff", "mypy", "pytest"], "also those after the failure"
    table = capsys.readouterr().out.split("== pytest\n")[1].split("\n")
    results = {line[:24].strip(): line[24:].split()[0] for line in table if line}
    assert results == {name: "FAILED" if name == failing else "passed" for name in map(" ".join, run.CHECKS)}


@pytest.mark.parametrize(
    ("arguments", "modules", "chromium", "said", "reason"),
    [
        (["test"], run.CHECKS, None, run.NO_CHROMIUM, "every check; without a Chromium it says how to get one"),
        (["test"], run.CHECKS, "chromium", "", "with one there is nothing to say"),
        (["test", "tests/images", "-k", "x"], [["pytest", "tests/images", "-k", "x"]], "chromium", "", "only pytest"),
        (["bench"], [["benchmarks.one"], ["benchmarks.two"]], None, "", "the scripts in order, without what they share"),
    ],
)
def test_a_command_runs_what_it_names(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    modules: Steps,
    chromium: str | None,
    said: str,
    reason: str,
) -> None:
    (project / "benchmarks").mkdir()
    for name in ("two.py", "one.py", "__init__.py", "table.csv"):
        (project / "benchmarks" / name).touch()
    given: list[Steps] = []

    def collect(words: Steps, _: run.Runner) -> int:
        given.append(words)
        return 7

    prepared: list[bool] = []
    monkeypatch.delenv("RADHARMONY_CHROMIUM", raising=False)
    monkeypatch.setattr("run.ROOT", project)
    monkeypatch.setattr("run.signal.signal", lambda *_: None)
    monkeypatch.setattr("run.shutil.which", lambda _: chromium)
    monkeypatch.setattr("run.prepare", lambda _root, dev, _run: prepared.append(dev))
    monkeypatch.setattr("run.run_all", collect)
    assert run.act(arguments, (3, 11, 0)) == 7, "the checks' exit code is ours"
    assert given == [modules], reason
    assert prepared == [True], "the checks need requirements-dev.txt"
    assert capsys.readouterr().out.strip() == said, reason
