"""``python -m radharmony_core``: what can be done without the app.

Data go to stdout, progress and problems to stderr. Exit code 0 when done, 1 with a worded refusal on stderr (or, where a
command compares, a difference), 2 for a command that is not written right or films that cannot be compared, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from radharmony_core.cli import compare_films, demo, harmonize, labeler_agreement, thumbnails, validate_labels
from radharmony_core.cli.output import flush, say
from radharmony_core.errors import RadHarmonyError

__all__ = ["build_parser", "main"]

_DESCRIPTION = """\
RadHarmony without the app: harmonized tables of annotated chest X-rays, and
figures about their labels. Nothing leaves this machine.

  python -m radharmony_core COMMAND --help

explains a command, with an example."""

_EPILOG = """\
exit codes: 0 done; 1 refused, with the reason on stderr, or a comparison that
found a difference; 2 not written right, or films that cannot be read to be
compared; 130 stopped by Ctrl-C."""


def build_parser() -> argparse.ArgumentParser:
    """Every command with its arguments; ``run`` in the result is the function that does it and gives the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m radharmony_core",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    for command in (demo, harmonize, labeler_agreement, validate_labels, compare_films, thumbnails):
        command.add(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives the exit code; SystemExit after ``--help`` (0) and for a command not written right (2)."""
    try:
        options = build_parser().parse_args(arguments)
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except KeyboardInterrupt:
        say("Stopped. A file that was being written is not there, or as it was before.")
        return 130
    except RadHarmonyError as error:
        say(str(error))
        return 1
    except OSError as error:  # the disk's own words, with the file they are about
        say(f"{error.filename or 'A file'} cannot be read or written: {error.strerror or error}.")
        return 1
    finally:
        flush(sys.stdout)
