"""Drawing films on all cores.

``concurrent.futures`` threads each look after one helper program (``python -m radharmony_core.demo.helpers``). A process pool of
``multiprocessing`` would import the caller's main file again in every child, and under Streamlit that file is the app itself; a
helper only gets the seed and the number of images, makes the same plans, and draws its share. Which process draws a film does not
change its bytes. What no helper has drawn is drawn here.
"""

from __future__ import annotations

import argparse
import functools
import os
import queue
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from radharmony_core.demo.casia import films_of, small_exams
from radharmony_core.demo.pixels import write_film
from radharmony_core.demo.plan import Plan, make_plan
from radharmony_core.demo.tables import Progress

__all__ = ["draw_all"]

_FEW = 8  # films; below it starting helpers costs more than it brings


def _command(plan: Plan, out: Path, part: int, parts: int) -> list[str]:
    numbers = [str(value) for value in (plan.images, plan.seed, part, parts)]
    return [sys.executable, "-m", "radharmony_core.demo.helpers", str(out), *numbers]


def _environment() -> dict[str, str]:
    above = str(Path(__file__).resolve().parents[2])
    paths = [above, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}


def _start(plan: Plan, out: Path, parts: int) -> list[subprocess.Popen[str]]:
    """The helpers that could be started; none where the interpreter cannot start programs."""
    started: list[subprocess.Popen[str]] = []
    for part in range(parts if sys.executable else 0):
        try:
            started.append(
                subprocess.Popen(
                    _command(plan, out, part, parts),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    stdin=subprocess.DEVNULL,
                    text=True,
                    env=_environment(),
                )
            )
        except OSError:
            break
    return started


def _listen(helper: subprocess.Popen[str], said: queue.SimpleQueue[int | None]) -> None:
    if helper.stdout is not None:
        with helper.stdout as lines:
            for line in lines:
                said.put(int(line))
    helper.wait()
    said.put(None)


def _from_helpers(plan: Plan, out: Path, total: int, processes: int, progress: Progress | None) -> set[int]:
    """The numbers of the films that helpers have finished."""
    done: set[int] = set()
    started = _start(plan, out, processes)
    if not started:
        return done
    said: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    with ThreadPoolExecutor(len(started)) as threads:
        try:
            for helper in started:
                threads.submit(_listen, helper, said)
            running = len(started)
            while running:
                number = said.get()
                if number is None:
                    running -= 1
                    continue
                done.add(number)
                if progress:
                    progress(len(done), total, "films")
        finally:
            for helper in started:
                helper.kill()
    return done


def _films(plan: Plan) -> list[Callable[[Path], None]]:
    """One function for each film of the plan and of the small CASIA-CXR, in the same order wherever it is asked for."""
    mimic = [functools.partial(write_film, plan, study, film) for study, film in plan.films()]
    return [*mimic, *films_of(small_exams(plan.images, plan.seed), plan.seed)]


def draw_all(plan: Plan, out: Path, processes: int | None, progress: Progress | None) -> None:
    """Every film, written under ``out``. ``processes`` None is as many as there are cores, 1 draws here."""
    films = _films(plan)
    if processes is None:
        processes = 1 if plan.images < _FEW else os.cpu_count() or 1
    done = _from_helpers(plan, out, len(films), processes, progress) if processes > 1 else set[int]()
    for number, draw in enumerate(films):
        if number not in done:
            draw(out)
            done.add(number)
            if progress:
                progress(len(done), len(films), "films")


def main() -> None:
    """A helper: draws every ``parts``-th film and says its number."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    for name in ("images", "seed", "part", "parts"):
        parser.add_argument(name, type=int)
    given = parser.parse_args()
    for number, draw in enumerate(_films(make_plan(given.images, given.seed))):
        if number % given.parts == given.part:
            draw(given.out)
            print(number, flush=True)


if __name__ == "__main__":
    main()
