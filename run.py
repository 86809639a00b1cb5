"""Sets RadHarmony up and starts it, or checks it. Syntax of Python 3.8, so that an old Python gets an answer in words."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Note = Callable[[int], object]  # takes the number of a process that has started
    Runner = Callable[[Sequence[str], Note], int]  # runs a command to its end and gives its exit code

ROOT = Path(__file__).resolve().parent
PYTHON = ".venv/Scripts/python.exe" if os.name == "nt" else ".venv/bin/python"
HOST = "127.0.0.1"
CHECKS = [words.split() for words in ("ruff check .", "ruff format --check .", "mypy", "pytest")]
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")  # as in tests/browser/running.py
USAGE = """python3 run.py [--port N] [--config FILE] [--no-browser]   set up what is missing, then start the app
       python3 run.py test [PYTEST-ARGUMENT ...]   every check; with arguments, only pytest with these
       python3 run.py bench                        every script in benchmarks/, one after the other"""
TOO_OLD = "RadHarmony needs Python 3.11 or newer, this is {} ({}). Start run.py with a newer one, such as python3.11."
NO_VENV = "{} lacks the module {}. On Debian or Ubuntu: sudo apt install python3-venv. Then start again."
NO_PACKAGES = """The packages could not be installed; the reason stands above. Usual ones: no network; a full disk (1000 MB
are needed); a proxy (set HTTPS_PROXY, or PIP_INDEX_URL to your institution's mirror). Then start again."""
NO_WRITING = "The folder of run.py must be writable, with 1000 MB free. Or copy it to one of your own and start there."
NO_CHROMIUM = "The browser tests need Chromium. Debian: apt install chromium. Others: set RADHARMONY_CHROMIUM to the program."


@contextlib.contextmanager
def locked(root: Path) -> Iterator[Note]:
    """One set-up at a time: a file that only one process can make, with the numbers of those at work, one a line."""
    path, told = root / ".venv.lock", False
    while True:
        with contextlib.suppress(FileExistsError):
            file = path.open("x", encoding="ascii")
            break
        drop_stale(path)
        if path.exists() and not told:
            print(f"Waiting for another start to finish (if there is none, delete {path}) ...", flush=True)
            told = True
        time.sleep(0.3)
    try:
        print(os.getpid(), file=file, flush=True)
        yield lambda pid: print(pid, file=file, flush=True)  # a pip whose parent was killed goes on writing
    finally:
        file.close()  # first: Windows does not delete an open file, which is how a lock is known to be held there
        path.unlink(missing_ok=True)


def drop_stale(lock: Path) -> None:
    """Removes a lock that nobody holds. After an hour nobody does: numbers of processes are given out again."""
    with contextlib.suppress(OSError, ValueError):  # gone meanwhile; or held, on Windows
        pids = [int(line) for line in lock.read_text(encoding="ascii").split()]
        age = time.time() - lock.stat().st_mtime
        if age > 3600 or (not any(map(is_alive, pids)) and (pids or age > 5)):
            lock.unlink()


def is_alive(pid: int) -> bool:
    """Whether the process runs. Not asked on Windows, where signal 0 is Ctrl-C."""
    try:
        return os.name == "posix" and os.kill(pid, 0) is None  # type: ignore[func-returns-value]
    except OSError as error:
        return isinstance(error, PermissionError)


def wanted_stamp(root: Path, dev: bool) -> dict[str, str]:
    """What a finished environment's stamp says: made by which Python, where, from which requirements."""
    stamp = {"python": f"{sys.implementation.cache_tag} {sysconfig.get_platform()}", "place": str(root)}
    for name in ("requirements.txt", "requirements-dev.txt")[: 1 + dev]:
        stamp[name] = hashlib.sha256((root / name).read_bytes()).hexdigest()
    return stamp


def plan(root: Path, dev: bool) -> str:
    """``ready``; ``install`` into a whole environment; or ``make`` one where there is none, a half or a moved one."""
    wanted, found = wanted_stamp(root, dev), {}
    with contextlib.suppress(OSError, ValueError):
        found = dict(json.loads((root / ".venv" / "radharmony.json").read_text(encoding="utf-8")))
    if not (root / PYTHON).exists() or any(found.get(key) != wanted[key] for key in ("python", "place")):
        return "make"
    return "ready" if wanted.items() <= found.items() else "install"


def prepare(root: Path, dev: bool, run: Runner, find: Callable[[str], object] = importlib.util.find_spec) -> None:
    """Makes ``.venv`` complete. The stamp goes first and comes back last, so whatever is interrupted starts over."""
    if plan(root, dev) == "ready":
        return
    missing = " and ".join(name for name in ("venv", "ensurepip") if find(name) is None)
    if missing:  # Debian's plain python3
        raise SystemExit(NO_VENV.format(sys.executable, missing))
    with locked(root) as note:
        todo = plan(root, dev)  # another start may have done it meanwhile
        if todo == "ready":
            return
        stamp, name = root / ".venv" / "radharmony.json", "requirements-dev.txt" if dev else "requirements.txt"
        stamp.unlink(missing_ok=True)
        if todo == "make":
            make_venv(root / ".venv", run, note)
        print(f"Installing {name} (needs the network; some minutes the first time) ...", flush=True)
        options = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-user"]  # a user's pip.conf may differ
        if run([str(root / PYTHON), "-m", "pip", "install", *options, "-r", str(root / name)], note) != 0:
            raise SystemExit(NO_PACKAGES)
        stamp.write_text(json.dumps(wanted_stamp(root, dev), indent=1), encoding="utf-8")


def make_venv(venv: Path, run: Runner, note: Note) -> None:
    """A fresh environment, in place of whatever stands there."""
    if Path(sys.prefix).resolve() == venv.resolve():
        raise SystemExit(f"{venv} has to be made anew, but runs this. Type: deactivate. Then: python3 run.py")
    print(f"Making {venv}{' anew: it is not whole, or not of this place' if venv.exists() else ''} ...", flush=True)
    if run([sys.executable, "-m", "venv", "--clear", str(venv)], note) != 0:
        raise SystemExit(f"{venv} could not be made; the reason stands above. Delete it, and start again.")


@contextlib.contextmanager
def program(command: Sequence[str], config: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A program that ends with us, without the settings that would mix another Python's modules into it."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    child = subprocess.Popen(command, cwd=ROOT, env={**env, "RADHARMONY_CONFIG": str(config)} if config else env)
    try:
        yield child
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            child.terminate()
            child.wait(10)
        child.kill()


def run_command(command: Sequence[str], note: Note) -> int:
    """The real runner; the tests put another in its place."""
    with program(command) as child:
        note(child.pid)
        return child.wait()


def answers(port: int) -> bool:
    """Whether something listens there: a taken port before the start, our app after it."""
    with contextlib.suppress(OSError), socket.create_connection((HOST, port), 0.5):
        return True
    return False


def choose_port(first: int, taken: Callable[[int], bool] = answers) -> int:
    """``first``, or the next one that is free."""
    for port in range(max(first, 1), min(first + 100, 65536)):
        if not taken(port):
            print(f"Port {first} is taken, so {port} it is." if port != first else "Starting ...", flush=True)
            return port
    raise SystemExit(f"No port is free from {first} on. Choose another, up to 65535: --port N")


def app_command(root: Path, port: int) -> list[str]:
    """Address and statistics are said here as well, since an option beats a user's own Streamlit settings."""
    options = [f"--server.address={HOST}", f"--server.port={port}", "--server.headless=true"]
    return [str(root / PYTHON), "-m", "pages._ui.server", "run", "app.py", *options, "--browser.gatherUsageStats=false"]


def start(port: int, config: Path | None, browser: bool) -> int:
    """The lock is kept until the app listens, or two starts would choose the same port."""
    with contextlib.ExitStack() as lock:
        lock.enter_context(locked(ROOT) if os.access(ROOT, os.W_OK) else contextlib.nullcontext())
        port = choose_port(port)
        with program(app_command(ROOT, port), config) as child:
            while not answers(port):
                time.sleep(0.1)
                if child.poll() is not None:
                    raise SystemExit("The app did not start; the reason stands above.")
            lock.close()
            print(f"RadHarmony: http://{HOST}:{port}\nCtrl-C ends it.", flush=True)
            if browser and (sys.platform in ("win32", "darwin") or {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ)):
                webbrowser.open(f"http://{HOST}:{port}")
            return child.wait()


def run_all(modules: Sequence[list[str]], run: Runner) -> int:
    """Each with ``python -m``, also after one that failed; then a table. Gives 1 when one failed."""
    rows = []
    for words in modules:
        print(f"\n== {' '.join(words)}", flush=True)
        begun = time.monotonic()
        code = run([str(ROOT / PYTHON), "-m", *words], int)
        rows.append((" ".join(words), f"FAILED ({code})" if code else "passed", time.monotonic() - begun))
    print("", *(f"{name:<24}{result:<14}{seconds:8.1f} s" for name, result, seconds in rows), sep="\n", flush=True)
    return int(any(result != "passed" for _, result, _ in rows))


def parse(arguments: list[str]) -> argparse.Namespace:
    """What follows ``test`` belongs to pytest, options included, so it is taken off before argparse sees it."""
    parser = argparse.ArgumentParser(prog="run.py", usage=USAGE)
    parser.add_argument("command", nargs="?", choices=["test", "bench"], help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=8501, metavar="N", help="default 8501; when taken, the next one")
    parser.add_argument("--config", type=Path.cwd().joinpath, metavar="FILE", help="the radharmony.toml to use")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    parser.set_defaults(pytest=arguments[1:])
    is_test = arguments[:1] == ["test"] and arguments[1:] not in (["-h"], ["--help"])
    options = parser.parse_args(["test"] if is_test else arguments)
    if options.config and not options.config.is_file():
        parser.error(f"--config: there is no file {options.config}")
    return options


def act(arguments: list[str], version: tuple[int, ...]) -> int:
    """Does what was asked for, and gives the exit code."""
    if version < (3, 11):
        raise SystemExit(TOO_OLD.format(".".join(map(str, version)), sys.executable))
    options = parse(arguments)
    for number in {getattr(signal, name, signal.SIGTERM) for name in ("SIGTERM", "SIGHUP")}:
        if signal.getsignal(number) == signal.SIG_DFL:  # not under nohup
            signal.signal(number, signal.default_int_handler)  # as Ctrl-C, so that the app ends with us
    prepare(ROOT, bool(options.command), run_command)
    if not options.command:
        return start(options.port, options.config, options.browser)
    if options.command == "bench":
        return run_all([[f"benchmarks.{path.stem}"] for path in sorted(ROOT.glob("benchmarks/[!_]*.py"))], run_command)
    code = run_all([["pytest", *options.pytest]] if options.pytest else CHECKS, run_command)
    if not (os.environ.get("RADHARMONY_CHROMIUM") or any(map(shutil.which, CHROMIUMS))):
        print(NO_CHROMIUM)
    return code


def main(arguments: list[str]) -> int:
    """Whatever stops us is said in words; a SystemExit brings its own."""
    try:
        return act(arguments, sys.version_info[:3])
    except KeyboardInterrupt:
        print("\nStopped.")
        return 130
    except OSError as error:
        raise SystemExit(f"{error.strerror}: {error.filename or ROOT}. {NO_WRITING}") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
