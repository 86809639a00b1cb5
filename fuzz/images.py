"""Changes whole image files and looks at what the readers make of them: a film, or a worded refusal, and nothing else.

python -m fuzz.images --minutes 10 [--seed N] [--more FOLDER] [--out FOLDER]
python -m fuzz.images --again FILE ...

A fault is an exception that is not ours, a Python warning, a process that dies, a file that takes more than 20 seconds or
512 MiB, a film that is not what its table and header say, a text that cannot be shown. Each is kept once, made shorter,
with its traceback. The same seed and the same files make the same inputs. --more adds files of your own to change.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from fuzz._child import Child, Seen
from fuzz._mutate import changed
from fuzz._seeds import seeds

MOST_FINDINGS = 200
TRIES = 120  # to make a finding shorter


class Findings:
    """What was found, by where, in a folder: the input and, beside it, what happened."""

    def __init__(self, folder: Path, child: Child) -> None:
        self.folder, self._child, self.seen = folder, child, Counter[str]()
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, path: Path, seen: Seen, words: str) -> None:
        for where, what in seen.faults:
            self.seen[where] += 1
            if self.seen[where] == 1:
                self._keep(path, where, what, words, seen.outcome)

    def _keep(self, path: Path, where: str, what: str, words: str, outcome: str) -> None:
        data = path.read_bytes()
        tries = {"slow": 0, "died": 12}.get(outcome, TRIES)
        trial = self.folder / "trial"

        def still(shorter: bytes) -> bool:
            trial.write_bytes(shorter)
            return any(place == where for place, _ in self._child.look(trial).faults)

        small = shortened(data, still, tries)
        trial.unlink(missing_ok=True)
        name = f"{len(self.seen):03d}-{re.sub(r'[^A-Za-z0-9.]+', '-', where)[:90]}"
        (self.folder / name).write_bytes(small)
        text = f"{where}\n{words}; {len(data)} bytes, {len(small)} when made shorter\n\n{what}\n"
        (self.folder / f"{name}.txt").write_text(text, encoding="utf-8", errors="replace")
        print(f"{self.folder / name}: {where}", flush=True)


def shortened(data: bytes, still: Callable[[bytes], bool], tries: int) -> bytes:
    """``data`` without the blocks that are not needed for the fault, largest first, and with zeros where they do as well."""
    size = len(data) // 2
    while size >= 4 and tries > 0:
        start = 0
        while start < len(data) and tries > 0:
            for block in (b"", bytes(len(data[start : start + size]))):
                trial = data[:start] + block + data[start + size :]
                tries -= trial != data
                if trial != data and still(trial):
                    data = trial
                    break
            else:
                start += size
                continue
            start += size if block else 0
        size //= 2
    return data


def fuzz(minutes: float, seed: int, more: Path | None, out: Path) -> int:
    """Prints what came out, by kind. 1 with findings, otherwise 0."""
    whole = seeds(more)
    names, outcomes, most, slowest = sorted(whole), Counter[str](), 0, 0.0
    end, number = time.monotonic() + 60 * minutes, 0
    with closing(Child()) as child, tempfile.TemporaryDirectory() as scratch:
        found, path = Findings(out, child), Path(scratch) / "input"
        while time.monotonic() < end and len(found.seen) < MOST_FINDINGS:
            name, words = names[number % len(names)], "unchanged"
            data = whole[name]
            if number >= len(names):  # first every seed as it is
                dice = random.Random(f"{seed} {number}")
                data, words = changed(dice, data, whole[dice.choice(names)]), "changed"
            path.write_bytes(data)
            begun = time.monotonic()
            seen = child.look(path)
            slowest, most = max(slowest, time.monotonic() - begun), max(most, seen.mib)
            outcomes[seen.outcome] += 1
            found.add(path, seen, f"input {number} of seed {seed}: {name}, {words}")
            number += 1
    print(f"\n{number} inputs from {len(names)} files; at most {most} MiB and {slowest:.1f} s for one")
    print(*(f"{outcome:28}{count:10}" for outcome, count in outcomes.most_common()), sep="\n")
    print(f"{len(found.seen)} findings{f' in {out}' if found.seen else ''}")
    print(*(f"{count:10}  {where}" for where, count in found.seen.most_common()), sep="\n")
    return int(bool(found.seen))


def again(paths: list[Path]) -> int:
    """Prints what comes out for each file. 1 where one has a fault."""
    with closing(Child()) as child:
        looks = [(path, child.look(path.resolve())) for path in paths]
    for path, seen in looks:
        print(f"{path}: {seen.outcome}, {seen.mib} MiB", *(f"{where}\n{what}" for where, what in seen.faults), sep="\n")
    return int(any(seen.faults for _, seen in looks))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.images", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--more", type=Path, metavar="FOLDER", help="image files of your own, to change as well")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "radharmony-fuzz", metavar="FOLDER")
    parser.add_argument("--again", type=Path, nargs="+", metavar="FILE", help="look at these files once")
    options = parser.parse_args()
    return again(options.again) if options.again else fuzz(options.minutes, options.seed, options.more, options.out)


if __name__ == "__main__":
    sys.exit(main())
