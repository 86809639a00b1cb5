"""Real child processes: exit codes, stdout and stderr apart, pipes that close, and Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.small import write_labels

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "radharmony_core"]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and closed descriptors as POSIX has them")


def started(arguments: list[str], **more: int) -> subprocess.Popen[bytes]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    return subprocess.Popen([*COMMAND, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, **pipes)  # type: ignore[call-overload,no-any-return]


def test_data_on_stdout_progress_and_refusals_on_stderr(tmp_path: Path) -> None:
    with started(["validate-labels", "--root", str(write_labels(tmp_path / "jpg")), "--format", "csv"]) as done:
        out, err = done.communicate()
    assert (done.returncode, err) == (0, b"")
    assert out.startswith(b"labeler,label,task,")
    with started(["validate-labels", "--root", str(tmp_path / "gone")]) as refused:
        out, err = refused.communicate()
    assert (refused.returncode, out) == (1, b"")
    assert b"gone" in err
    assert b"Traceback" not in err
    with started(["validate-labels", "--labeler"]) as wrong:
        out, err = wrong.communicate()
    assert (wrong.returncode, out) == (2, b"")
    assert b"usage:" in err


@pytest.mark.parametrize("arguments", [["--help"], ["validate-labels", "--root", "jpg"]])
def test_a_reader_that_leaves_ends_the_command_quietly(tmp_path: Path, arguments: list[str]) -> None:
    """As ``| head`` does; here the reader has left before the first line, so the write is sure to fail."""
    write_labels(tmp_path / "jpg")
    with started([argument.replace("jpg", str(tmp_path / "jpg")) for argument in arguments]) as left:
        assert left.stdout is not None
        assert left.stderr is not None
        left.stdout.close()
        err = left.stderr.read()
    assert (left.returncode, err) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the file that is always full is Linux's")
def test_a_full_disk_behind_stdout_is_a_sentence(tmp_path: Path) -> None:
    root = write_labels(tmp_path / "jpg")
    with Path("/dev/full").open("wb") as full, started(["validate-labels", "--root", str(root)], stdout=full.fileno()) as done:
        _, err = done.communicate()
    assert done.returncode == 1
    assert err.decode().startswith("The output cannot be written: No space left")
    assert err.count(b"\n") == 1


@POSIX
def test_a_closed_stderr_sends_nothing_to_stdout(tmp_path: Path) -> None:
    root = write_labels(tmp_path / "jpg")
    shell = ["/bin/sh", "-c", '"$@" 2>&-', "sh", *COMMAND, "labeler-agreement", "--root", str(root), "--format", "csv"]
    done = subprocess.run(shell, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 1, "two studies are not the published table"
    assert done.stdout.startswith(b"label,positive")
    assert done.stdout.count(b"\n") == 15


@POSIX
def test_on_a_terminal_progress_is_one_line_that_is_rewritten(tmp_path: Path) -> None:
    try:
        terminal, end = os.openpty()
    except OSError as error:  # a container without terminals
        pytest.skip(f"No pseudo-terminal can be had here: {error.strerror}.")
    with (
        os.fdopen(terminal, "rb", buffering=0) as screen,
        started(["demo", str(tmp_path / "out"), "--images", "3"], stderr=end) as done,
    ):
        os.close(end)
        said = b""
        with contextlib.suppress(OSError):  # Linux's word for the end, when nobody writes to a terminal any more
            while part := screen.read(10_000):
                said += part
        out, _ = done.communicate()
    assert done.returncode == 0
    assert out.decode().strip() == str(tmp_path / "out" / "radharmony.toml")
    assert said.startswith(b"\r")
    assert b" of " in said
    assert said.endswith(b"\n")


@POSIX
def test_ctrl_c_leaves_130_and_no_half_folder(tmp_path: Path) -> None:
    with started(["demo", str(tmp_path / "out"), "--images", "3000"]) as stopped:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".out.building-*/*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        stopped.send_signal(signal.SIGINT)
        out, err = stopped.communicate()
    assert (stopped.returncode, out) == (130, b"")
    assert err.decode().splitlines()[-1].startswith("Stopped.")
    assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) == [], "what was begun is taken away"
