"""What a command says: data on stdout, everything else on stderr, and neither where nobody listens any more."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

import pandas as pd

from radharmony_core.cli.csv_files import write_csv
from radharmony_core.errors import WriteError

__all__ = ["as_json", "as_text", "emit", "flush", "say", "say_issues"]


def emit(text: str) -> None:
    """Data, on stdout. Raises WriteError where it cannot be written: a full disk behind a redirection."""
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader has what it wants: ``| head``
        _silence(sys.stdout)
    except OSError as error:
        _silence(sys.stdout)
        raise WriteError(f"The output cannot be written: {error.strerror or error}. Make room, or write elsewhere.") from error


def say(text: str, end: str = "\n") -> None:
    """Progress, a problem or a refusal, on stderr; nowhere when that is closed."""
    if sys.stderr is not None:  # print takes None for stdout, where only data belong
        try:
            print(text, end=end, file=sys.stderr, flush=True)
        except BrokenPipeError:
            _silence(sys.stderr)


def flush(stream: TextIO | None) -> None:
    """What is left to be written, here rather than at the interpreter's end, where a closed pipe would be complained of."""
    try:
        if stream is not None:
            stream.flush()
    except OSError:
        _silence(stream)


def _silence(stream: TextIO | None) -> None:
    """Whatever is written from now on goes nowhere, the interpreter's last flush included."""
    if stream is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def say_issues(issues: pd.DataFrame, to: Path | None) -> None:
    """Problems by code on stderr, the most frequent first, with one example each; all of them into the CSV ``to``."""
    if to is not None:
        write_csv(issues, to)
    first = issues.drop_duplicates("code").set_index("code")
    counts = issues["code"].value_counts().to_dict()
    for code in sorted(counts, key=lambda code: (-counts[code], code)):
        count, example = counts[code], first.loc[str(code)]
        places = (None if pd.isna(example["row"]) else f"row {example['row']}", example["image_path"])
        where = ", ".join(str(place) for place in places if place is not None and not pd.isna(place))
        say(f"  {count:,} x {code} ({example['severity']}): {where + ': ' if where else ''}{_short(str(example['message']))}")
    if to is not None:
        say(f"  {len(issues):,} issues in {to}")


def _short(sentence: str) -> str:
    line = " ".join(sentence.split())
    return line if len(line) <= 300 else line[:297] + "..."


def as_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for people: numbers to the right with thousands separators, ``-`` for what is missing."""
    cells = [list(header), *([_cell(value) for value in row] for row in rows)]
    numbers = [all(_is_number(cell) for cell in column[1:]) for column in zip(*cells, strict=True)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width) for cell, width, number in zip(line, widths, numbers, strict=True)
        )
        for line in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def _cell(value: object) -> str:
    if pd.isna(value):  # type: ignore[call-overload]
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.replace(",", "").replace(".", "", 1).isdigit()


def as_json(value: object) -> str:
    """For programs; what is missing is null."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=_plain)


def _plain(value: object) -> object:
    if value is pd.NA:
        return None
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    item = getattr(value, "item", None)  # NumPy's numbers
    if item is None:
        raise TypeError(f"{type(value).__name__} is no JSON")
    return item()
