"""`run.py`: what it says, decides and starts. No environment is made here: a made-up runner stands in for pip and venv."""

from __future__ import annotations

import ast
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import run

Steps = list[list[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "requirements.txt").write_text("numpy==1\n", encoding="utf-8")
    (tmp_path / "requirements-dev.txt").write_text("-r requirements.txt\nruff==1\n", encoding="utf-8")
    return tmp_path


def runner(root: Path, steps: Steps, failing: str = "") -> run.Runner:
    """Notes the commands; making the environment makes its Python, so that it looks whole; ``failing`` fails."""

    def go(command: Sequence[str], note: Callable[[int], object]) -> int:
        note(os.getpid())
        steps.append(list(command))
        if "venv" in command:
            (root / run.PYTHON).parent.mkdir(parents=True, exist_ok=True)
            (root / run.PYTHON).touch()
        return int(failing in command)

    return go


def kinds(steps: Steps) -> list[str]:
    return [step[2] if step[2] == "venv" else Path(step[-1]).name for step in steps]


def complete(project: Path, dev: bool = False) -> None:
    run.prepare(project, dev, runner(project, []))


# --- arguments


@pytest.mark.parametrize(
    ("arguments", "expected", "reason"),
    [
        ([], {"command": None, "port": 8501, "config": None, "browser": True}, "a plain start"),
        (["--port", "9000", "--no-browser"], {"port": 9000, "browser": False}, "the two switches"),
        (["test"], {"command": "test", "pytest": []}, "every check"),
        (["test", "tests/images", "-k", "x"], {"command": "test", "pytest": ["tests/images", "-k", "x"]}, "only pytest"),
        (["test", "-k", "x"], {"command": "test", "pytest": ["-k", "x"]}, "an option first"),
        (["test", "--port", "1"], {"port": 8501, "pytest": ["--port", "1"]}, "what follows test is pytest's"),
        (["bench"], {"command": "bench"}, "measuring"),
    ],
)
def test_arguments_are_understood(arguments: list[str], expected: dict[str, object], reason: str) -> None:
    options = vars(run.parse(arguments))
    assert {name: options[name] for name in expected} == expected, reason


@pytest.mark.parametrize(
    ("arguments", "code", "said", "reason"),
    [
        (["-h"], 0, "python3 run.py test", "help"),
        (["test", "-h"], 0, "python3 run.py test", "our help, not pytest's, which would need an installation first"),
        (["start"], 2, "invalid choice", "an unknown command"),
        (["--port", "x"], 2, "invalid int", "a port in words"),
        (["--config", "nowhere.toml"], 2, "there is no file", "a configuration that is not there"),
        (["--config", "."], 2, "there is no file", "a folder"),
    ],
)
def test_arguments_are_refused_in_words(
    arguments: list[str], code: int, said: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run.parse(arguments)
    assert end.value.code == code, reason
    assert said in "".join(capsys.readouterr()), reason


def test_the_configuration_is_absolute_as_the_app_runs_elsewhere(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    Path("mine.toml").touch()
    assert run.parse(["--config", "mine.toml"]).config == project / "mine.toml"


@pytest.mark.parametrize("version", [(3, 8, 18), (3, 10, 13), (2, 7, 18)])
def test_an_old_python_is_told_so(version: tuple[int, ...]) -> None:
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, this is {}\.{}\.{} ".format(*version)):
        run.act(["-h"], version)  # so that a check that lets it pass starts nothing


def test_the_source_can_be_read_by_an_old_python() -> None:
    source = Path(run.__file__).read_text(encoding="utf-8")
    assert "\nfrom __future__ import annotations\n" in source, "X | Y in an annotation would stop Python 3.9"
    assert ast.parse(source, feature_version=(3, 8)).body


# --- what is installed, and when


def test_the_first_start_makes_and_installs_and_the_second_does_nothing(project: Path) -> None:
    steps: Steps = []
    run.prepare(project, False, runner(project, steps))
    run.prepare(project, False, runner(project, steps))
    assert kinds(steps) == ["venv", "requirements.txt"]
    assert not (project / ".venv.lock").exists()


@pytest.mark.parametrize(
    ("change", "dev", "expected", "reason"),
    [
        ({"requirements.txt": "numpy==2\n"}, False, ["requirements.txt"], "a changed requirement is installed, no more"),
        ({"requirements-dev.txt": "ruff==2\n"}, False, [], "the tests' needs do not matter to a start"),
        ({}, True, ["requirements-dev.txt"], "the checks need more than the app"),
        ({".venv/radharmony.json": None}, False, ["venv", "requirements.txt"], "killed during pip: no stamp"),
        ({".venv/radharmony.json": "{"}, False, ["venv", "requirements.txt"], "a stamp cut short"),
        ({".venv/radharmony.json": "[]"}, False, ["venv", "requirements.txt"], "a stamp of nothing"),
        ({run.PYTHON: None}, False, ["venv", "requirements.txt"], "its Python has been removed"),
    ],
)
def test_what_has_changed_is_made_good(
    project: Path, change: dict[str, str | None], dev: bool, expected: list[str], reason: str
) -> None:
    complete(project)
    for name, text in change.items():
        if text is None:
            (project / name).unlink()
        else:
            (project / name).write_text(text, encoding="utf-8")
    steps: Steps = []
    run.prepare(project, dev, runner(project, steps))
    assert kinds(steps) == expected, reason
    assert run.plan(project, dev) == "ready", "the next start has nothing to do"


@pytest.mark.parametrize("key", ["python", "place"])
def test_another_python_or_a_moved_folder_makes_it_anew(project: Path, key: str) -> None:
    complete(project)
    stamp = project / ".venv" / "radharmony.json"
    stamp.write_text(json.dumps({**json.loads(stamp.read_text(encoding="utf-8")), key: "other"}), encoding="utf-8")
    assert run.plan(project, False) == "make"


def test_an_app_start_after_the_checks_has_nothing_to_do(project: Path) -> None:
    complete(project, dev=True)
    assert run.plan(project, False) == "ready"


def test_a_stamp_goes_before_pip_and_comes_back_only_after_success(project: Path) -> None:
    complete(project)
    (project / "requirements.txt").write_text("numpy==3\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        run.prepare(project, False, runner(project, [], failing="install"))
    assert run.plan(project, False) == "make"


@pytest.mark.parametrize(
    ("failing", "said", "reason"),
    [
        ("install", "no network", "pip: what can be done"),
        ("install", "PIP_INDEX_URL", "pip: an institution's mirror"),
        ("install", "full disk", "pip: no room"),
        ("venv", "could not be made", "venv"),
    ],
)
def test_a_failed_step_is_explained_and_leaves_no_lock(project: Path, failing: str, said: str, reason: str) -> None:
    with pytest.raises(SystemExit, match=said) as end:
        run.prepare(project, False, runner(project, [], failing=failing))
    assert isinstance(end.value.code, str), f"{reason}: a text as exit code is printed, and becomes 1"
    assert not (project / ".venv.lock").exists(), reason


@pytest.mark.parametrize("missing", ["ensurepip", "venv"])
def test_a_python_that_cannot_make_environments_says_what_to_install(project: Path, missing: str) -> None:
    steps: Steps = []
    with pytest.raises(SystemExit, match=f"module {missing}.*apt install python3-venv"):
        run.prepare(project, False, runner(project, steps), find=lambda name: None if name == missing else name)
    assert steps == []


def test_the_environment_in_use_is_not_pulled_away(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(project / ".venv"))
    with pytest.raises(SystemExit, match="deactivate"):
        complete(project)


def test_a_folder_that_cannot_be_written_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied", "x/.venv.lock")

    monkeypatch.setattr(run, "act", refuse)
    with pytest.raises(SystemExit, match=r"Permission denied: x/\.venv\.lock.*must be writable"):
        run.main([])


def test_an_interrupt_ends_without_a_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "act", interrupt)
    assert run.main([]) == 130
    assert "Stopped." in capsys.readouterr().out


# --- two starts at a time


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


# --- the server


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
    assert command[:5] == [str(tmp_path / run.PYTHON), "-m", "streamlit", "run", "app.py"]
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


# --- the checks


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
