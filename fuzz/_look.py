"""One file through everything that reads images: what came out, what was wrong about it, what it took. Runs in a child.

python -m fuzz._look      reads paths from its input, a line each, and answers with a line of JSON
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
import traceback
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from radharmony_core.errors import RadHarmonyError, UnknownWindowError
from radharmony_core.images import DecodedFilm, Window, decode_image, read_header
from radharmony_core.thumbnails import thumbnail

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[1]
MOST_SECONDS = 20
MOST_MIB = 512
ADDRESS_SPACE = 4 << 30  # bytes above the start: what asks for more fails at once instead of filling the machine
SIDE = 3  # pixels of a thumbnail, few enough that the small seeds are decoded reduced
HAND_SET = (Window(0, 1), Window(1e300, 1e-300), Window(-5, 2, "SIGMOID"), Window(128, 256, "LINEAR_EXACT"), Window(2000, 1e9))


def main() -> None:
    faulthandler.enable()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what C libraries print is no answer
    if sys.platform == "linux":
        limit = 1024 * _kib("VmSize") + ADDRESS_SPACE
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        faulthandler.dump_traceback_later(MOST_SECONDS - 2)
        print(json.dumps(look(Path(line.rstrip("\n")))), file=answers, flush=True)
        faulthandler.cancel_dump_traceback_later()


def look(path: Path) -> dict[str, Any]:
    """``outcome``: "picture" or a refusal's class; ``faults``: pairs of where and what; ``mib`` that memory grew by."""
    told: list[tuple[str, str]] = []

    def warned(message: Warning | str, category: type[Warning], file: str, line: int, *_: Any, **_more: Any) -> None:
        where = f"{category.__name__} at {Path(file).name}:{line}"
        told.append((where, f"{message}\n{''.join(traceback.format_stack(limit=12))}"))

    outcome, before = "fault", _reset_most()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = warned  # type: ignore[assignment]  # mypy minds the names
        try:
            outcome = _checked(path)
        except Exception as error:  # noqa: BLE001  whatever it is, it is what is looked for
            told.append((_where(error), traceback.format_exc()))
    mib = (_kib("VmHWM") - before) // 1024
    if mib > MOST_MIB:
        told.append((f"memory, {outcome}, {path.read_bytes()[:4]!r}", f"{mib} MiB"))
    return {"outcome": outcome, "faults": told, "mib": mib}


def _where(error: BaseException) -> str:
    """The class, our last function and the innermost one: the same for the same fault. Words that are wrong: who raised them."""
    source = error.__context__ if isinstance(error, AssertionError) and error.__context__ else error
    frames = traceback.extract_tb(source.__traceback__)
    ours = [frame for frame in frames if ROOT in Path(frame.filename).parents and Path(frame.filename).parent.name != "fuzz"]
    places = [*ours[-1:], *frames[-1:]]
    return " ".join([type(error).__name__, *dict.fromkeys(f"{Path(p.filename).name}:{p.name}:{p.lineno}" for p in places)])


def _checked(path: Path) -> str:
    header, film = _tried(lambda: read_header(path)), _tried(lambda: decode_image(path))
    small = _tried(lambda: thumbnail(path, SIDE))
    if isinstance(film, RadHarmonyError):
        assert isinstance(small, RadHarmonyError), f"a thumbnail of what is refused: {film}"
        return type(film).__name__
    assert not isinstance(header, RadHarmonyError), f"the header is refused, the picture is not: {header}"
    assert (header.width, header.height) == film.size, f"header {header.width} x {header.height}, picture {film.size}"
    assert not isinstance(small, RadHarmonyError), f"the thumbnail is refused, the picture is not: {small}"
    assert 0 < max(small.width, small.height) <= SIDE, f"thumbnail {small.width} x {small.height}"
    _check_film(film)
    return "picture"


def _tried(way: Callable[[], T]) -> T | RadHarmonyError:
    try:
        return way()
    except RadHarmonyError as error:
        _check_words([str(error)], least=20)
        return error


def _check_words(sentences: list[str], least: int = 1) -> None:
    """They go to a page and into files: they must be there, and be text that can be written."""
    for words in sentences:
        assert len(words) >= least, f"too few words: {words!r}"
        assert words.isprintable(), f"not printable: {words!r}"


def _check_film(film: DecodedFilm) -> None:
    codes, levels = film.codes, 256**film.codes.dtype.itemsize
    assert codes.dtype in (np.uint8, np.uint16), codes.dtype
    assert codes.ndim == 2, codes.shape
    assert codes.shape == film.size[::-1], (codes.shape, film.size)
    assert codes.flags.c_contiguous
    assert not codes.flags.writeable
    assert [len(part) for part in (film.units, film.is_present, film.is_padding)] == [levels] * 3
    assert film.is_present[codes].all(), "a code that is present is not marked"
    dice = np.random.default_rng(zlib.crc32(codes.tobytes()))
    keys = [preset.key for preset in film.presets]
    assert keys[0] == "default", keys
    for window in ("default", keys[dice.integers(len(keys))], HAND_SET[dice.integers(len(HAND_SET))]):
        _check_shown(film, window, invert=bool(dice.integers(2)))


def _check_shown(film: DecodedFilm, window: str | Window, *, invert: bool) -> None:
    try:
        table, shown = film.lut(window, invert=invert), film.show(window, invert=invert)
    except UnknownWindowError as error:
        assert not isinstance(window, str), f"{window} is offered and refused: {error}"
        return
    assert table.dtype == np.uint8
    assert len(table) == len(film.units)
    if window != "mimic_cxr_jpg":  # a look that knows of no padding
        assert not table[film.is_padding].any(), "padding is not black"
    assert np.array_equal(shown.pixels, table[film.codes]), f"{window}: the picture is not what its table says"
    local = film.show(window, invert=invert, local_contrast=True)
    for one in (shown, local):
        assert (one.pixels.dtype, one.pixels.shape) == (np.dtype(np.uint8), film.codes.shape)
        assert one.pixels.flags.c_contiguous
        assert not one.pixels.flags.writeable
        assert one.size == film.size
        _check_words(one.notices)
        _check_words([step.words for step in one.ledger])


def _reset_most() -> int:
    """KiB in memory now; what was the most before is forgotten."""
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return _kib("VmRSS")


def _kib(name: str) -> int:
    """A line of /proc/self/status; 0 on systems without, where memory is not looked at."""
    if sys.platform != "linux":
        return 0
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


if __name__ == "__main__":
    main()
