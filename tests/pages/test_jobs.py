"""Work in the background: done once whoever asks, its result and its failure handed to each."""

from __future__ import annotations

import threading

import pytest

from pages._ui.jobs import Progress, shared_job, wait_for
from radharmony_core.errors import ConfigError, RadHarmonyError


def test_two_that_ask_at_once_share_one_piece_of_work() -> None:
    go_on, started = threading.Event(), []

    def work(progress: Progress) -> str:
        started.append(1)
        progress(3, 7, "tables")
        assert go_on.wait(30)
        return "done"

    first, second = shared_job("same", work), shared_job("same", work)
    other = shared_job("other", work)
    go_on.set()
    assert first is second
    assert other is not first
    assert [wait_for(job, "", "") for job in (first, second, other)] == ["done"] * 3
    assert (first.done, first.total, first.what) == (3, 7, "tables")
    assert len(started) == 2


def test_work_that_is_done_is_begun_anew_when_it_is_asked_for_again() -> None:
    runs: list[int] = []

    def work(progress: Progress) -> int:
        progress(1, 1, "")
        runs.append(1)
        return len(runs)

    assert [wait_for(shared_job("again", work), "", "") for _ in range(2)] == [1, 2]


FAILURES = [
    ("a worded refusal", ConfigError("no such table"), ConfigError, "no such table"),
    ("a fault of ours", ZeroDivisionError("by zero"), ZeroDivisionError, "by zero"),
]


@pytest.mark.parametrize(("reason", "error", "kind", "words"), FAILURES, ids=[row[0] for row in FAILURES])
def test_a_failure_reaches_whoever_waits(reason: str, error: Exception, kind: type[Exception], words: str) -> None:
    def work(progress: Progress) -> str:
        progress(0, 1, "")
        raise error

    with pytest.raises(kind, match=words):
        wait_for(shared_job(reason, work), "", "")


def test_work_without_a_result_is_said() -> None:
    def work(progress: Progress) -> None:
        progress(1, 1, "")

    with pytest.raises(RadHarmonyError, match="without a result"):
        wait_for(shared_job("nothing", work), "The tables", "")
