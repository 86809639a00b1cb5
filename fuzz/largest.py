"""The largest film of every kind, each read in a process of its own: what it takes, which is to be at most 512 MiB.

python -m fuzz.largest [WORD ...]      only the kinds with one of the words in their name
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.images.large import LARGEST, took

MOST_MIB = 512


def main() -> int:
    """Prints a row a kind. 1 where one takes more than it may; a refusal in words is as good as the film."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.largest", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("words", nargs="*", metavar="WORD")
    words = parser.parse_args().words
    kept = []
    print(f"{'':28}{'MiB':>6}{'s':>8}")
    for kind, make in LARGEST.items():
        if words and not any(word in kind for word in words):
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = make(Path(folder) / "film")
            begun = time.monotonic()
            [(mib, outcome)] = took(path)
        kept.append(mib <= MOST_MIB)
        mark = "" if kept[-1] else f"  more than {MOST_MIB}"
        print(f"{kind:28}{mib:6}{time.monotonic() - begun:8.1f}  {outcome[:90]}{mark}", flush=True)
    return int(not all(kept))


if __name__ == "__main__":
    sys.exit(main())
