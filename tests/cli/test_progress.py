"""Progress: one line that is rewritten on a terminal, a line now and then in a log, nothing when quiet."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from radharmony_core.cli.progress import ProgressLine

Call = tuple[float, int, int, str]

# When it is called (seconds), with what; what stands on stderr.
TERMINAL: list[tuple[Sequence[Call], str, str]] = [
    ([], "", "nothing was done"),
    ([(0, 1, 3, "films")], "\r1 of 3 films\n", "at once, and the line is ended"),
    ([(0, 1, 3, "films"), (0.01, 2, 3, "films")], "\r1 of 3 films\n", "not more often than the eye sees"),
    ([(0, 1, 3, "films"), (1, 2, 3, "films")], "\r1 of 3 films\r2 of 3 films\n", "the line is rewritten"),
    ([(0, 1, 2, "films"), (0.01, 2, 2, "films")], "\r1 of 2 films\r2 of 2 films\n", "the end is always told"),
    ([(0, 999, 9000, "films"), (1, 1000, 9000, "a")], "\r999 of 9,000 films\n\r1,000 of 9,000 a\n", "another step, its line"),
    ([(0, 1, 9, "a long one"), (1, 0, 0, "a long one")], "\r1 of 9 a long one\r0 of 0 a long one\n", "a step of nothing"),
]
LOG: list[tuple[Sequence[Call], str, str]] = [
    ([(0, 1, 3, "films"), (4.9, 2, 3, "films"), (4.9, 3, 3, "films")], "", "what is done in seconds needs no line"),
    ([(5, 1, 3, "films"), (9, 2, 3, "films"), (10, 3, 3, "films")], "1 of 3 films\n3 of 3 films\n", "a line every 5 seconds"),
    ([(6, 1234, 5000, "films"), (12, 1, 2, "reports")], "1,234 of 5,000 films\n1 of 2 reports\n", "each step by its name"),
]


def _told(calls: Sequence[Call], *, quiet: bool, terminal: bool) -> None:
    now = 100.0
    with ProgressLine(quiet=quiet, terminal=terminal, clock=lambda: now) as progress:
        for at, done, total, what in calls:
            now = 100.0 + at
            progress(done, total, what)


@pytest.mark.parametrize(("calls", "told", "reason"), TERMINAL, ids=[row[2] for row in TERMINAL])
def test_on_a_terminal(
    calls: Sequence[Call], told: str, reason: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _told(calls, quiet=False, terminal=True)
    said = capsys.readouterr()
    assert said.err == told, reason
    assert said.out == ""


@pytest.mark.parametrize(("calls", "told", "reason"), LOG, ids=[row[2] for row in LOG])
def test_in_a_log(calls: Sequence[Call], told: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    _told(calls, quiet=False, terminal=False)
    assert capsys.readouterr().err == told, reason


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_is_silent(terminal: bool, capsys: pytest.CaptureFixture[str]) -> None:
    _told([(0, 1, 2, "films"), (20, 2, 2, "films")], quiet=True, terminal=terminal)
    assert capsys.readouterr().err == ""


def test_a_shorter_line_covers_the_longer_one_before(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _told([(0, 1, 1000, "films"), (1, 2, 9, "films")], quiet=False, terminal=True)
    assert capsys.readouterr().err == "\r1 of 1,000 films\r2 of 9 films    \n"


def test_a_line_never_wraps(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    _told([(0, 1, 2, "reports of every study")], quiet=False, terminal=True)
    assert capsys.readouterr().err == "\r1 of 2 repo\n"


def test_an_error_starts_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    def work(progress: ProgressLine) -> None:
        with progress:
            progress(1, 2, "films")
            raise ValueError("torn")

    with pytest.raises(ValueError, match="torn"):
        work(ProgressLine(quiet=False, terminal=True))
    assert capsys.readouterr().err.endswith("films\n")
