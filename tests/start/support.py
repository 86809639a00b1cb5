"""A made-up runner in place of pip and venv: it notes what it was told, and makes what the real ones make."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import run

Steps = list[list[str]]


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
