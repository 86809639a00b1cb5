"""A child process that looks at files: it may die or hang, and is started again."""

from __future__ import annotations

import json
import re
import selectors
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Child", "Seen"]

ROOT = Path(__file__).resolve().parents[1]
MOST_SECONDS = 20


@dataclass(frozen=True)
class Seen:
    """``outcome``: picture, a refusal's class, fault, died or slow. ``faults``: where and what. ``mib`` that memory grew by."""

    outcome: str
    faults: list[tuple[str, str]] = field(default_factory=list)
    mib: int = 0


class Child:
    """Answers what `fuzz._look` sees in a file. To be closed."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  closed by close
        self._process: subprocess.Popen[str] | None = None

    def look(self, path: Path) -> Seen:
        process = self._process or self._started()
        assert process.stdin
        assert process.stdout
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            in_time = bool(selector.select(MOST_SECONDS))
        line = process.stdout.readline() if in_time else ""
        if line:
            answer = json.loads(line)
            return Seen(answer["outcome"], [(where, what) for where, what in answer["faults"]], answer["mib"])
        return self._gone(process, in_time)

    def close(self) -> None:
        self._end()
        self._errors.close()

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        self._errors.seek(0)
        self._errors.truncate()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "fuzz._look"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=ROOT,
        )
        assert self._process.stdout
        # Its imports do not count as time of the first file.
        assert self._process.stdout.readline() == "ready\n", "the child does not start"
        return self._process

    def _gone(self, process: subprocess.Popen[str], in_time: bool) -> Seen:
        """It died, or it hangs and is ended; what `faulthandler` wrote says where."""
        outcome = "slow"
        if in_time:
            code = process.wait()
            outcome = f"died of {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
        self._end()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace")
        frames = re.findall(r'File "([^"]+)", line (\d+) in (\S+)', said)
        places = [f"{Path(file).name}:{name}" for file, _, name in frames if "/fuzz/" not in file]
        return Seen(outcome.split()[0], [(" ".join([outcome, *places[:2]]), said[-8000:])])
