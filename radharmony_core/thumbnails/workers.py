"""Processes that make thumbnails, and outlive neither a film that ends one of them nor the process that started them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import cv2

from radharmony_core.errors import RadHarmonyError
from radharmony_core.thumbnails.rows import Make, Row, make_row, refusal_row

__all__ = ["FILMS", "rows_of"]

Rows = list[tuple[Path, Row]]
FILMS = 16  # in a batch: a second or two of work, which is what is lost where it ends early
_WAITING = 2  # batches a process, so that none waits for work
_FAULTS = 5  # one after the other: then it is not the films


def rows_of(
    files: Sequence[Path], side: int, jobs: int, make: Make, wanted: Callable[[list[Path]], list[Path]] = list
) -> Generator[Rows, None, None]:
    """The rows of ``files``, batch by batch as they come, made by ``jobs`` processes, which import ``make`` by its name. To close
    the iterator ends them at once. ``wanted`` is asked before a batch is begun which of it is still to be made. A film that ends
    a process is refused. Raises RadHarmonyError where every film does."""
    waiting = [list(files[start : start + FILMS]) for start in range(0, len(files), FILMS)][::-1]
    while waiting:
        running: dict[Future[list[Row]], list[Path]] = {}
        pool = _pool(jobs)
        try:
            while waiting or running:
                while waiting and len(running) < jobs * _WAITING:
                    waiting[-1] = wanted(waiting[-1])
                    if waiting[-1]:
                        running[_submitted(pool, jobs, waiting[-1], side, make)] = waiting[-1]
                    waiting.pop()
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    rows = future.result()
                    yield list(zip(running.pop(future), rows, strict=True))
        except BrokenProcessPool:
            suspects = [path for batch in running.values() for path in batch]
            yield from _one_by_one(suspects or waiting.pop(), side, make)
        finally:
            _end(pool)


def _one_by_one(files: list[Path], side: int, make: Make) -> Iterator[Rows]:
    """One of ``files`` has ended its process: here it ends one alone."""
    pool, faults = _pool(1), 0
    try:
        for path in files:
            try:
                rows = _submitted(pool, 1, [path], side, make).result()
                faults = 0
            except BrokenProcessPool as error:
                faults += 1
                if faults == _FAULTS:
                    raise RadHarmonyError(
                        f"The processes that read films end at once, the last of {_FAULTS} at {path.name}: too little memory, "
                        "or a faulty installation. Free memory, or install the requirements anew."
                    ) from error
                words = f"{path.name} ended the process that read it: a fault in a decoder, or too little memory."
                rows, pool = [refusal_row(path, side, RadHarmonyError(words))], _pool(1)
            yield [(path, rows[0])]
    finally:
        _end(pool)


def _pool(jobs: int) -> ProcessPoolExecutor:
    """New processes rather than copies of this one: a copy of a process with threads may hold locks that nobody opens."""
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin)


def _processes(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    """There is no public way to them before Python 3.14."""
    return list((pool._processes or {}).values())


def _end(pool: ProcessPoolExecutor) -> None:
    """At once, in the middle of a film: they only read. Nothing is left that a second Ctrl-C could keep one waiting for."""
    with _deaf_to_ctrl_c():
        for process in _processes(pool):
            process.kill()
    pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, jobs: int, batch: list[Path], side: int, make: Make) -> Future[list[Row]]:
    # The first calls start the processes, which stay as they are born. Later ones are not deaf: a Ctrl-C would be lost.
    starts = len(_processes(pool)) < jobs
    with _deaf_to_ctrl_c() if starts else contextlib.nullcontext():
        return pool.submit(_rows, [os.fspath(path) for path in batch], side, make)


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Ctrl-C goes to every process of a terminal; here the work is ended by the one that began it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin() -> None:
    cv2.setNumThreads(1)  # there is a process for each core already
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(parent: int, end: Callable[[int], object] = os._exit) -> None:
    """However the parent ends: a worker would wait for work for ever."""
    connection.wait([parent])
    end(1)


def _rows(paths: list[str], side: int, make: Make) -> list[Row]:
    return [_row(Path(path), side, make) for path in paths]


def _row(path: Path, side: int, make: Make) -> Row:
    try:
        return make_row(path, side, make)
    except Exception as error:  # noqa: BLE001  counted and listed as a refusal: one film must not end the work on all others
        fault = RadHarmonyError(f"{path.name} cannot be read: {type(error).__name__}, {error}. This is a fault of the reader.")
        return refusal_row(path, side, fault)
