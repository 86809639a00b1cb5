"""How far a command is, on stderr: one line that is rewritten on a terminal, a plain line now and then in a log."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from radharmony_core.cli.output import say

__all__ = ["ProgressLine"]

_ON_TERMINAL, _IN_LOG = 0.1, 5.0  # seconds between two lines


class ProgressLine:
    """``with ProgressLine(quiet=False) as progress: work(progress)``; call it with what is done, of how many, and of what,
    and ``more`` that changes from line to line."""

    def __init__(self, *, quiet: bool, terminal: bool | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._quiet = quiet
        self._terminal = (sys.stderr is not None and sys.stderr.isatty()) if terminal is None else terminal
        self._clock = clock
        self._said_at = clock() - (_ON_TERMINAL if self._terminal else 0.0)
        self._width = 0  # of the line that stands on the terminal
        self._what: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        """What is said next starts on a line of its own."""
        self._end_line()

    def __call__(self, done: int, total: int, what: str, more: str = "") -> None:
        if self._quiet:
            return
        now = self._clock()
        if self._terminal and what != self._what:
            self._end_line()
        due = now - self._said_at >= (_ON_TERMINAL if self._terminal else _IN_LOG)
        if due or (self._terminal and (what != self._what or done >= total)):
            self._said_at = now
            self._say(f"{done:,} of {total:,} {what}{more}")
        self._what = what

    def _say(self, line: str) -> None:
        if not self._terminal:
            say(line)
            return
        line = line[: shutil.get_terminal_size().columns - 1]  # a line that wraps cannot be rewritten
        say("\r" + line.ljust(self._width), end="")
        self._width = len(line)

    def _end_line(self) -> None:
        if self._width:
            say("")
            self._width = 0
