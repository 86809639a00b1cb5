"""What is installed, and when; what is said when it cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import run
from tests.start.support import Steps, complete, kinds, runner


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
