"""``compare-films``: whether a JPG is the picture of a DICOM file, the right way round and of its size."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from radharmony_core.cli.arguments import Commands, add_command, path
from radharmony_core.cli.output import as_json, emit, say
from radharmony_core.errors import ImageError, MissingFileError
from radharmony_core.images.agreement import compare_films
from radharmony_core.paths import existing

__all__ = ["add"]

_DESCRIPTION = """\
Answers whether a JPG (or PNG, or TIFF) and a DICOM file show one image: with
the same polarity, or one the negative of the other; at the same size, scaled,
turned, mirrored, or of another shape. Boxes drawn on one of them then fit the
other, or do not. The two may be named in either order.

Where the JPG was moved, cut or turned a little, boxes are off by as much: that
is measured, and said from about 1 % of the film's side on ("in_place" in the
JSON, and "displacement" in parts of the side). A move by more than 2 or 3 %
comes out as unclear.

Where the sizes are equal the JPG is also held against the exact look of
MIMIC-CXR-JPG, so that the answer can be: this is the MIMIC-CXR-JPG picture of
this DICOM. Another patient's film, another cut of the same film and a window
that leaves little to see come out as unclear.

Exit code 0 for the same polarity and shape, in place; 1 for a difference or an
unclear case; 2 where a file cannot be read, or they are not a DICOM file and
another. With --json the reason is also the "error" on stdout."""

_EXAMPLE = """\
  python -m radharmony_core compare-films film.dcm film.jpg
  python -m radharmony_core compare-films film.dcm film.jpg --json"""


def add(commands: Commands) -> None:
    parser = add_command(commands, "compare-films", "whether a JPG is the picture of a DICOM file", _DESCRIPTION, _EXAMPLE)
    parser.add_argument("dicom", type=path, metavar="DICOM", help="the DICOM file")
    parser.add_argument("jpg", type=path, metavar="JPG", help="the JPG, or a PNG or TIFF")
    parser.add_argument("--json", action="store_true", help="every figure, for programs")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        found = compare_films(existing(options.dicom, "a film"), existing(options.jpg, "a film"))
    except (ImageError, MissingFileError) as error:  # not 1, which says that the films differ
        say(str(error))
        if options.json:
            emit(as_json({"error": str(error)}))
        return 2
    answers = {name: getattr(found, name) for name in ("in_place", "agrees", "is_mimic_cxr_jpg", "words")}
    told = {**asdict(found), **answers}
    emit(as_json(told) if options.json else found.words)
    return 0 if found.agrees else 1
