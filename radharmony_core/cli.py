"""``python -m radharmony_core``: what can be done without the app. Exit code 0, or 1 with a worded refusal on stderr."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from radharmony_core.demo import write_demo
from radharmony_core.errors import ConfigError, RadHarmonyError
from radharmony_core.harmonizer import HARMONIZERS, find_annotations
from radharmony_core.paths import written_whole
from radharmony_core.schema import lists_to_json

__all__ = ["build_parser", "main"]


def build_parser() -> argparse.ArgumentParser:
    """Every command with its arguments; ``run`` in the result is the function that does it."""
    parser = argparse.ArgumentParser(prog="python -m radharmony_core", description="RadHarmony without the app.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    demo = commands.add_parser("demo", help="write made-up data in the raw layouts of MS-CXR, MIMIC-CXR-JPG and MIMIC-CXR")
    demo.add_argument("out", type=Path, metavar="OUT", help="a folder that does not exist yet, is empty or holds an earlier demo")
    demo.add_argument("--images", type=int, default=110, metavar="N", help="how many images (default 110, of about 60 patients)")
    demo.add_argument("--seed", type=int, default=0, metavar="S", help="another seed, other patients (default 0)")
    demo.add_argument("--tables-only", action="store_true", help="tables and reports, no films")
    demo.set_defaults(run=_demo)
    harmonize = commands.add_parser("harmonize", help="one dataset's raw files to one table, one row per image")
    harmonize.add_argument("kind", choices=sorted(HARMONIZERS), metavar="KIND", help=", ".join(sorted(HARMONIZERS)))
    harmonize.add_argument("--root", type=Path, metavar="DIR", help="the dataset's folder at any usual depth")
    harmonize.add_argument("--csv-path", type=Path, metavar="FILE", help="the annotations' table, CSV or JSON")
    harmonize.add_argument("--mimic-base-dir", type=Path, metavar="DIR", help="MIMIC-CXR's images, JPG or DICOM")
    harmonize.add_argument("--out", type=Path, required=True, metavar="FILE", help="NAME.parquet or NAME.csv")
    harmonize.set_defaults(run=_harmonize)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives the exit code."""
    options = build_parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    try:
        run(options)
    except RadHarmonyError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:  # the disk's own words, with the file they are about
        print(f"{error.filename or 'A file'} cannot be read or written: {error.strerror or error}.", file=sys.stderr)
        return 1
    return 0


def _demo(options: argparse.Namespace) -> None:
    if options.images < 1:
        raise ConfigError(f"Expected a number of images of 1 or more, got {options.images}.")

    def progress(done: int, total: int, what: str) -> None:
        print(f"\r{done} of {total} {what}", end="" if done < total else "\n", file=sys.stderr, flush=True)

    print(write_demo(options.out, images=options.images, seed=options.seed, tables_only=options.tables_only, progress=progress))


def _harmonize(options: argparse.Namespace) -> None:
    csv_path = options.csv_path
    if csv_path is None:
        if options.root is None:
            raise ConfigError("Expected --csv-path, or --root with the table somewhere below it; got neither.")
        csv_path = find_annotations(options.root)
    if options.out.suffix not in (".parquet", ".csv"):
        raise ConfigError(f"Expected --out NAME.parquet or NAME.csv, got {options.out.name}.")
    harmonizer = HARMONIZERS[options.kind](csv_path=csv_path, mimic_base_dir=options.mimic_base_dir or options.root)
    if options.out.suffix == ".csv":
        with written_whole(options.out) as temporary:
            lists_to_json(harmonizer.harmonized_df).to_csv(temporary, index=False)
    else:
        harmonizer.save(options.out)
    counts = harmonizer.issues["code"].value_counts()
    print(f"{len(harmonizer.harmonized_df)} images in {options.out}")
    for code, count in counts.items():
        print(f"  {count} x {code}", file=sys.stderr)
