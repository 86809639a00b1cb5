"""Work that takes longer than a page should wait: done once for all windows in the background, with progress in each.

A window that is closed, reloaded or turned to another page leaves the work to go on, and finds it again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import streamlit as st

from radharmony_core.errors import RadHarmonyError

__all__ = ["Job", "Progress", "shared_job", "wait_for"]

T = TypeVar("T")
Progress = Callable[[int, int, str], None]
_SHOWN_AFTER = 0.5  # seconds: what is quicker needs no bar
_LOCK = threading.Lock()
_jobs: dict[Hashable, Job[object]] = {}


@dataclass(slots=True)
class Job(Generic[T]):
    """One piece of work: ``done`` of ``total`` are finished; then there is a ``result``, or ``failed`` says why not."""

    done: int = 0
    total: int = 0
    what: str = ""
    result: T | None = None
    failed: BaseException | None = None
    finished: threading.Event = field(default_factory=threading.Event)


def shared_job(name: Hashable, work: Callable[[Progress], T]) -> Job[T]:
    """The running job of that name, or a new one that does ``work``, which is told where to report its progress."""
    with _LOCK:
        job: Job[T] | None = _jobs.get(name)  # type: ignore[assignment]
        if job is None or job.finished.is_set():
            job = Job()
            _jobs[name] = job  # type: ignore[assignment]
            threading.Thread(target=_run, args=(name, job, work), daemon=True).start()
    return job


def _run(name: Hashable, job: Job[T], work: Callable[[Progress], T]) -> None:
    def progress(done: int, total: int, what: str) -> None:
        job.done, job.total, job.what = done, total, what

    try:
        job.result = work(progress)
    except BaseException as error:  # noqa: BLE001  raised again where the work was asked for
        job.failed = error
    finally:
        job.finished.set()
        with _LOCK:
            if _jobs.get(name) is job:
                del _jobs[name]


def wait_for(job: Job[T], heading: str, text: str) -> T:
    """The job's result; a bar with the count where that takes a while. Raises what the work raised, RadHarmonyError above all."""
    if not job.finished.wait(_SHOWN_AFTER):
        _show(job, heading, text)
    if job.failed is not None:
        raise job.failed
    if job.result is None:
        raise RadHarmonyError(f"{heading}: the work ended without a result. Reload this page.")
    return job.result


def _show(job: Job[T], heading: str, text: str) -> None:
    place = st.empty()
    with place.container():
        st.subheader(heading)
        bar = st.progress(0.0, text)
        while not job.finished.wait(0.1):
            if job.total:
                bar.progress(min(1.0, job.done / job.total), f"{text} {job.done:,} of {job.total:,} {job.what}")
    place.empty()
