"""Arguments that several commands take, and the types of arguments."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from radharmony_core.errors import ConfigError
from radharmony_core.paths import existing, expanded

__all__ = ["Commands", "add_command", "add_issues", "add_quiet", "output_file", "path", "refuse_own_files"]

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def path(text: str) -> Path:
    """A path, ``~`` and variables filled in. An empty one is refused: it would be the folder that one happens to be in."""
    if not text.strip():
        raise argparse.ArgumentTypeError("expected a path, got an empty text")
    return expanded(text)


def add_command(commands: Commands, name: str, short: str, description: str, example: str) -> argparse.ArgumentParser:
    """A command with a help that teaches: what it does, what the files are, an example."""
    return commands.add_parser(
        name,
        help=short,
        description=description,
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # an option added later must not make a script's short form mean two things
    )


def add_quiet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr; problems are still told")


def add_issues(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--issues", type=path, metavar="FILE.csv", help="write every problem in the data there, one a row")


def refuse_own_files(read: Iterable[Path], written: Mapping[str, Path | None]) -> None:
    """Raises ConfigError where a file would be written over one that is read, or over another one that is written. ``written``
    are files by their options, None where an option was not given."""
    taken = list(read)
    for option, target in written.items():
        if target is None:
            continue
        if any(_is_same(target, other) for other in taken):
            raise ConfigError(f"{option} {target} names a file that is read or written already. Choose another name.")
        taken.append(target)


def _is_same(one: Path, other: Path) -> bool:
    """Whether two names are one file's: also by a link, or on a disk where small letters and capitals are the same."""
    return one.resolve() == other.resolve() or (one.exists() and other.exists() and one.samefile(other))


def output_file(target: Path, option: str, suffixes: tuple[str, ...]) -> Path:
    """``target`` where a file of that name can be written, asked before the work rather than after it.

    Raises ConfigError for another extension or a folder, MissingFileError where the folder for it is not there.
    """
    names = " or ".join(f"NAME{suffix}" for suffix in suffixes)
    if target.suffix.lower() not in suffixes:
        raise ConfigError(f"Expected {option} {names}, got {target.name or target}.")
    if not existing(target.parent, f"the folder to write {target.name} into").is_dir():
        raise ConfigError(f"Expected {option} {names} in a folder; {target.parent} is a file. Choose another place.")
    if target.is_dir():
        raise ConfigError(f"Expected {option} {names}; {target} is a folder. Choose a name inside it.")
    return target
