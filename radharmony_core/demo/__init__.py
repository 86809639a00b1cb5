"""Made-up chest radiographs, reports and annotations in the raw layouts of MIMIC-CXR-JPG, MIMIC-CXR, MS-CXR and
CASIA-CXR.

What writes the demo knows nothing of what reads it: only errors, labels and boxes are shared with the rest of the core.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from radharmony_core.demo.faults import write_faults
from radharmony_core.demo.writer import MARKER, build

__all__ = ["is_demo", "write_demo", "write_faults"]


def is_demo(folder: Path) -> bool:
    """Whether ``write_demo`` has made ``folder``: nobody should take it for patients."""
    return (folder / MARKER).is_file()


def write_demo(
    out: Path | str,
    *,
    images: int = 110,
    seed: int = 0,
    tables_only: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> Path:
    """Write the demo into ``out`` and return the path of its ``radharmony.toml``.

    ``images`` is the exact number of MIMIC-CXR's films in the tables, 1,000,000 at most; CASIA-CXR has its own, 25 beside the
    usual 110 and fewer in a smaller demo. ``tables_only`` leaves the films themselves out; above 5,000 images the tables then
    have the published proportions, and at 377,110 the published counts. The same numbers give the same bytes.
    ``progress(done, total, what)`` is called in the calling thread, ``what`` being "films", "tables" or "reports". An earlier
    demo in ``out`` is replaced, and ``out`` changes only when all is written.
    Raises ConfigError if ``out`` is a file or a folder that holds anything else, in an earlier demo as well, if ``images`` is
    below 1 or too many, or if ``seed`` is below 0.
    """
    return build(Path(out).absolute(), images, seed, tables_only=tables_only, progress=progress)
