"""A process that shows the films of a folder again and again, and tells by how much it grew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

__all__ = ["walked"]

_WALK = """
import resource, sys
from pathlib import Path
from radharmony_core.images import decode_image, encode_jpeg, list_images
folder, times, keep = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "True"
paths, kept = list_images(folder), []
def most_ever():  # in MB. Not ru_maxrss where there is another way: a new process starts with what its parent had then
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) / 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
def walk():
    for path in paths:
        film = decode_image(path)
        shown = film.show("auto", local_contrast=True)
        encode_jpeg(shown.pixels)
        if keep:
            kept.append((film, shown))
    return most_ever()
before = walk()
for _ in range(times):
    after = walk()
print(len(paths), after - before)
"""


def walked(folder: Path, times: int, *, keep: bool = False) -> tuple[int, float]:
    """How many films are in ``folder``, and the growth in MB over ``times`` rounds after the first; with ``keep`` every film is
    held, as a cache without a bound would."""
    if sys.platform == "win32":
        pytest.skip("Windows has no resource module.")
    arguments = [sys.executable, "-c", _WALK, str(folder), str(times), str(keep)]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0, done.stderr
    films, grown = done.stdout.split()
    return int(films), float(grown)
