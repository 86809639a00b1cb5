"""What `run.py` takes, and what it says to an old Python."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import run


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
