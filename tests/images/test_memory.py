"""How much memory a file can take, whatever it claims: at most 512 MiB for the largest film, little for what is refused.

The largest are read in a process each. Every kind of largest film: `python -m fuzz.largest`.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import pytest

from radharmony_core.images import MAX_PIXELS
from tests.images import make
from tests.images.large import COLUMNS, LARGEST, ROWS, took

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read from /proc")

MOST_MIB = 512
FEW_MIB = 64  # for what is refused by its header, and for small films with large things beside the picture
GRAY = np.arange(20, dtype=np.uint8).reshape(4, 5)
DEEP = GRAY.astype(np.uint16)
CLAIM = 60_000  # pixels a side: fits into the 16 bits of DICOM and JPEG
XL_CLAIM: dict[str, Any] = {"Rows": CLAIM, "Columns": CLAIM}

# The kinds that come nearest to it.
WORST = (
    ("dicom 32 signed", "32-bit cells, their values numbered"),
    ("dicom j2k", "the decoder keeps 32 bits a sample"),
    ("jpeg cmyk", "four components to one"),
    ("png 16 alpha", "64 bits a pixel, inflated"),
    ("tiff float", "fractions by their range"),
)
# A film, or ImageTooLargeError: their decoders have no room for the largest.
BEYOND = (
    ("tiff double", "64 bits a pixel, uncompressed"),
    ("jpeg progressive cmyk", "the decoder keeps every coefficient, 16 bits each"),
)


def test_the_files_are_the_largest_that_are_read() -> None:
    assert ROWS * COLUMNS == MAX_PIXELS


@pytest.mark.parametrize(("kind", "reason"), [*WORST, *BEYOND])
def test_the_largest_film_stays_within_memory(tmp_path: Path, kind: str, reason: str) -> None:
    [(mib, outcome)] = took(LARGEST[kind](tmp_path / "large"))
    assert outcome == f"{ROWS}x{COLUMNS}" or (outcome.startswith("ImageTooLargeError") and (kind, reason) in BEYOND), outcome
    assert mib <= MOST_MIB, reason


def repeated(block: bytes, times: int, wbits: int) -> bytes:
    """A deflate stream of ``block`` many times over, at the cost of two: a full flush makes its coded bytes independent."""
    packer = zlib.compressobj(9, wbits=wbits)
    first = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + again * (times - 1) + packer.flush()


def bomb(wbits: int = 15) -> bytes:
    """4 GiB of zeros in 4 MB; with zlib's checksum wrong, which stands at the end of them."""
    return repeated(bytes(1 << 24), 256, wbits)


def as_png(
    depth_and_colour: tuple[int, int] = (8, 0), size: tuple[int, int] = (5, 4), more: bytes = b"", data: bytes = b""
) -> bytes:
    rows = b"".join(b"\0" + row.tobytes() for row in GRAY)
    whole = make.png(*size, rows, depth=depth_and_colour[0], colour=depth_and_colour[1], more=more)
    return whole.replace(make.chunk(b"IDAT", zlib.compress(rows)), make.chunk(b"IDAT", data)) if data else whole


def as_tiff(*entries: tuple[int, int, int, int], following: int = 0, tail: bytes = b"") -> bytes:
    """A directory of (tag, kind, count, value), and what stands behind it."""
    packed = b"".join(struct.pack("<HHLL", *entry) for entry in entries)
    return b"II*\0" + struct.pack("<LH", 8, len(entries)) + packed + struct.pack("<L", following) + tail


def tiff_of(width: int, height: int, *more: tuple[int, int, int, int], **options: int) -> bytes:
    start = 8 + 2 + 12 * (9 + len(more)) + 4
    form = {256: width, 257: height, 258: 8, 259: 1, 262: 1, 273: start, 277: 1, 278: height, 279: 20} | {
        int(tag[1:]): value for tag, value in options.items()
    }
    tail = GRAY.tobytes() + bytes(1_000_000)
    return as_tiff(*((tag, 4, 1, value) for tag, value in form.items()), *more, tail=tail)


def jpeg_claim(frame: bytes = b"\xff\xc0") -> bytes:
    coded = bytes(imagecodecs.jpeg8_encode(GRAY))
    place = coded.index(b"\xff\xc0")
    return coded[:place] + frame + coded[place + 2 : place + 5] + struct.pack(">HH", CLAIM, CLAIM) + coded[place + 9 :]


def j2k_claim() -> bytes:
    coded = bytes(imagecodecs.jpeg2k_encode(GRAY, codecformat="j2k", reversible=True))
    place = coded.index(b"\xff\x51") + 4
    claims = struct.pack(">LLLLLL", CLAIM, CLAIM, 0, 0, CLAIM, CLAIM)
    return coded[: place + 2] + claims + coded[place + 26 :]


def dicom(path: Path, body: bytes) -> bytes:
    """A DICOM file with ``body``, elements of group 0008 or below, before its image."""
    data = make.dicom(path, DEEP).read_bytes()
    place = data.index(struct.pack("<HH", 0x0008, 0x0016))
    return data[:place] + body + data[place:]


def nested(depth: int) -> bytes:
    """Sequences within sequences, of undefined length, never closed."""
    return (
        struct.pack("<HH2sHL", 0x0008, 0x1140, b"SQ", 0, make.UNDEFINED) + struct.pack("<HHL", 0xFFFE, 0xE000, make.UNDEFINED)
    ) * depth


def items(count: int) -> Iterable[bytes]:
    return (struct.pack("<HHL", 0xFFFE, 0xE000, 0) for _ in range(count))


def encapsulated(path: Path, uid: str, stream: bytes, **over: Any) -> bytes:
    return make.dicom(path, GRAY, uid=uid, pixels=make.fragments([stream]), **over).read_bytes()


# name, file, what comes out: "4x5" is the picture.
CLAIMS: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "dicom": (lambda p: make.dicom(p, DEEP, **XL_CLAIM).read_bytes(), "ImageTooLargeError"),
    "deflated dicom": (lambda p: make.dicom(p, DEEP, uid=make.DEFLATED, **XL_CLAIM).read_bytes(), "ImageTooLargeError"),
    "rle dicom": (lambda p: encapsulated(p, make.RLE, make.rle_frame(DEEP), **XL_CLAIM), "ImageTooLargeError"),
    "j2k in dicom": (lambda p: encapsulated(p, make.J2K, j2k_claim(), **XL_CLAIM), "ImageTooLargeError"),
    "j2k in dicom with a small header": (lambda p: encapsulated(p, make.J2K, j2k_claim()), "ImageError"),
    "jpeg in dicom with a small header": (lambda p: encapsulated(p, make.JPEG_8, jpeg_claim()), "ImageError"),
    "jpeg": (lambda _: jpeg_claim(), "ImageTooLargeError"),
    "progressive jpeg": (lambda _: jpeg_claim(b"\xff\xc2"), "ImageTooLargeError"),
    "lossless jpeg": (lambda _: jpeg_claim(b"\xff\xc3"), "ImageTooLargeError"),
    "png": (lambda _: as_png(size=(CLAIM, CLAIM)), "ImageTooLargeError"),
    "png of 2**31 a side": (lambda _: as_png(size=(2**31 - 1, 2**31 - 1)), "ImageTooLargeError"),
    "tiff": (lambda _: tiff_of(CLAIM, CLAIM), "ImageTooLargeError"),
    "tiff of 2**32 a side": (lambda _: tiff_of(2**32 - 1, 2**32 - 1), "ImageTooLargeError"),
    "tiff with rows a strip without end": (lambda _: tiff_of(5, 4, t278=2**32 - 1), "4x5"),
    "tiff with a strip without end": (lambda _: tiff_of(5, 4, t279=2**32 - 1), ""),
}

BESIDE: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "png with a text of 4 GiB": (lambda _: as_png(more=make.chunk(b"zTXt", b"a\0\0" + bomb())), "4x5"),
    "png with a profile of 4 GiB": (lambda _: as_png(more=make.chunk(b"iCCP", b"a\0\0" + bomb())), "4x5"),
    "png with 4 GiB behind its rows": (lambda _: as_png(data=bomb()), ""),
    "png with many chunks": (lambda _: as_png(more=make.chunk(b"tEXt", b"a\0b") * 300_000), "4x5"),
    "tiff with 60,000 tags of 1 MB each": (
        lambda _: tiff_of(5, 4, *((700 + i, 1, 1_000_000, 500) for i in range(60_000))),
        "ImageError",
    ),
    "tiff with a tag of 4 GiB": (lambda _: tiff_of(5, 4, (700, 4, 2**32 - 1, 500)), "ImageError"),
    "tiff that follows itself": (lambda _: as_tiff((256, 4, 1, 5), (257, 4, 1, 4), following=8), "ImageError"),
    "dicom with sequences in sequences": (lambda p: dicom(p, nested(100_000)), "ImageError"),
    "dicom with a sequence of a million items": (
        lambda p: dicom(p, make.element(0x00081140, "SQ", b"".join(items(1_000_000)))),
        "",
    ),
    "dicom with a sequence without end": (
        lambda p: dicom(p, make.element(0x00081140, "SQ", b"", length=0xFFFFFFF0)),
        "NotAnImageError",
    ),
    "dicom with a value without end": (lambda p: dicom(p, make.element(0x00080005, "UN", b"", length=0xFFFFFFF0)), "ImageError"),
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    folder = tmp_path_factory.mktemp("claims")
    paths = [folder / str(number) for number in range(len(CLAIMS | BESIDE))]
    for path, (made, _) in zip(paths, (CLAIMS | BESIDE).values(), strict=True):
        path.write_bytes(made(folder / "scratch"))
    return dict(zip(CLAIMS | BESIDE, took(*paths), strict=True))


@pytest.mark.parametrize("name", [*CLAIMS, *BESIDE])
def test_what_a_file_claims_takes_no_memory(seen: dict[str, tuple[int, str]], name: str) -> None:
    (mib, outcome), (_, expected) = seen[name], (CLAIMS | BESIDE)[name]
    assert outcome.split(":")[0] in ({expected} if expected else {"4x5", "ImageError", "ImageTooLargeError"}), outcome
    assert mib <= FEW_MIB


def test_a_deflated_data_set_of_4_gib_is_refused_on_the_way(tmp_path: Path) -> None:
    path = tmp_path / "film"
    path.write_bytes(bytes(128) + b"DICM" + make.meta(make.DEFLATED) + bomb(-15))
    [(mib, outcome)] = took(path)
    assert outcome.startswith("ImageTooLargeError")
    assert mib <= MOST_MIB
