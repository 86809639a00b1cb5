"""``demo``: made-up data in the raw layouts of the datasets."""

from __future__ import annotations

import argparse

from radharmony_core.cli.arguments import Commands, add_command, add_quiet, path
from radharmony_core.cli.output import emit
from radharmony_core.cli.progress import ProgressLine
from radharmony_core.demo import write_demo

__all__ = ["add"]

_DESCRIPTION = """\
Writes made-up data in the datasets' own raw layouts, odd rows included, and a
radharmony.toml beside them that the app can be started on. No patient exists,
and no pixel or word comes from a real film or report. The same N and S give
the same bytes. The path of radharmony.toml is printed.

OUT is a folder that does not exist yet, is empty, or holds an earlier demo,
which is replaced unless there is a file in it that no demo has written."""

_EXAMPLE = """\
  python -m radharmony_core demo ~/radharmony-demo --images 40
  python3 run.py --config ~/radharmony-demo/radharmony.toml"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "demo", "write made-up data in the datasets' raw layouts", _DESCRIPTION, _EXAMPLE)
    parser.add_argument("out", type=path, metavar="OUT", help="the folder to write")
    parser.add_argument("--images", type=int, default=110, metavar="N", help="how many images (default 110)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="another seed of 0 or more, other patients (default 0)")
    parser.add_argument("--tables-only", action="store_true", help="tables and reports, no films")
    add_quiet(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    with ProgressLine(quiet=options.quiet) as progress:
        config = write_demo(
            options.out, images=options.images, seed=options.seed, tables_only=options.tables_only, progress=progress
        )
    emit(str(config))
    return 0
