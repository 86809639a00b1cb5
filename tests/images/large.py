"""Files of the largest size that is read, cheaply made: sparse, or flat but for two pixels; and what reading takes."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.images import make

__all__ = ["COLUMNS", "LARGEST", "ROWS", "native", "took"]

ROOT = Path(__file__).parents[2]
ROWS, COLUMNS = 10_000, 8_000  # 80,000,000 pixels: MAX_PIXELS
EXTENDED, LOSSY_J2K, HTJ2K, XL = (f"1.2.840.10008.1.2.4.{number}" for number in (51, 91, 201, 110))

# Prints for each file the MiB that memory grew by at its highest, and the outcome. Libraries are loaded before.
READING = """
import sys
from pathlib import Path
from radharmony_core.errors import RadHarmonyError
from radharmony_core.images import read_image
def kib(name):
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
for path in sys.argv[1:]:
    before = kib("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    try:
        outcome = "x".join(map(str, read_image(path, local_contrast=True).pixels.shape))
    except RadHarmonyError as error:
        outcome = f"{type(error).__name__}: {error}"
    print((kib("VmHWM") - before) // 1024, outcome)
"""


def took(*paths: Path) -> list[tuple[int, str]]:
    """MiB at the highest over those before reading, and rows x columns or the refusal, of each file; in a process of its own."""
    command = [sys.executable, "-W", "error", "-c", READING, *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    found = [line.partition(" ") for line in run.stdout.splitlines()]
    return [(int(mib), outcome) for mib, _, outcome in found]


def cells(kind: str, *samples: int) -> npt.NDArray[Any]:
    """Zeros but for the first and the last value, so that no shortcut for a flat picture is taken."""
    made = np.zeros((ROWS, COLUMNS, *samples), kind)
    made.flat[0], made.flat[-1] = 100, 60
    return made


def native(path: Path, kind: str, *, samples: int = 1, tag: int = 0x7FE00010, uid: str = make.EXPLICIT, **over: Any) -> Path:
    """Uncompressed DICOM, as a file with a hole."""
    one = np.dtype(kind)
    size = ROWS * COLUMNS * samples * one.itemsize
    order = ">" if uid == make.BIG_ENDIAN else "<"
    form = np.zeros((1, 1, 3) if samples == 3 else (1, 1), kind)
    tags = make.data_set(make.pixel_tags(form, Rows=ROWS, Columns=COLUMNS, **over), order=order)
    vr = {0x7FE00008: "OF", 0x7FE00009: "OD"}.get(tag, "OB" if one.itemsize == 1 else "OW")
    head = bytes(128) + b"DICM" + make.meta(uid) + tags + make.element(tag, vr, b"", order=order, length=size)
    with path.open("wb") as file:
        file.write(head + np.array([100], f"{order}{one.str[1:]}").tobytes())
        file.truncate(len(head) + size)
    return path


def deflated(path: Path, kind: str) -> Path:
    body = make.data_set(make.pixel_tags(np.zeros((1, 1), kind), Rows=ROWS, Columns=COLUMNS))
    body += make.element(0x7FE00010, "OW", b"", length=ROWS * COLUMNS * np.dtype(kind).itemsize)
    packer = zlib.compressobj(1, wbits=-15)
    packed = [packer.compress(part) for part in (body, cells(kind).tobytes())]
    path.write_bytes(bytes(128) + b"DICM" + make.meta(make.DEFLATED) + b"".join(packed) + packer.flush())
    return path


def coded(path: Path, kind: str, uid: str, stream: bytes | bytearray, *samples: int, **over: Any) -> Path:
    """DICOM around a codestream."""
    form = np.zeros((1, 1, *samples), kind)
    return make.dicom(path, form, uid=uid, pixels=make.fragments([bytes(stream)]), Rows=ROWS, Columns=COLUMNS, **over)


def rle_stream(segments: int) -> bytes:
    """Runs of 125 zeros but for a first run of ones; as many segments."""
    one = b"\x84\x01" + b"\x84\x00" * (ROWS * COLUMNS // 125 - 1)
    offsets = [64 + len(one) * i for i in range(segments)]
    return struct.pack(f"<{1 + segments}L", segments, *offsets).ljust(64, b"\0") + one * segments


def picture(path: Path, kind: str, mode: str, **options: Any) -> Path:
    """By Pillow, with two pixels that differ."""
    image = Image.new(mode, (COLUMNS, ROWS))
    image.putpixel((0, 0), (100,) * len(image.getbands()) if len(image.getbands()) > 1 else 100)
    return make.saved(path, image, kind, **options)


def png(path: Path, depth: int, colour: int) -> Path:
    """A PNG of any form: its rows are never all in memory."""
    row = bytes(1 + COLUMNS * depth // 8 * {0: 1, 2: 3, 4: 2, 6: 4}[colour])
    packer = zlib.compressobj(1)
    packed = [packer.compress(b"\0\x64" + row[2:]), *(packer.compress(row) for _ in range(ROWS - 1)), packer.flush()]
    head = make.chunk(b"IHDR", struct.pack(">LLBBBBB", COLUMNS, ROWS, depth, colour, 0, 0, 0))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + make.chunk(b"IDAT", b"".join(packed)) + make.chunk(b"IEND", b""))
    return path


def tiff(path: Path, kind: str, sample_format: int) -> Path:
    """Uncompressed, one strip, as a file with a hole: the directory stands before the pixels."""
    one = np.dtype(kind)
    start, size = 1024, ROWS * COLUMNS * one.itemsize
    tags = {256: COLUMNS, 257: ROWS, 258: 8 * one.itemsize, 259: 1, 262: 1, 273: start, 277: 1, 278: ROWS, 279: size}
    entries = [struct.pack("<HHLL", tag, 4, 1, value) for tag, value in {**tags, 339: sample_format}.items()]
    head = b"II*\0" + struct.pack("<LH", 8, len(entries)) + b"".join(entries) + bytes(4)
    with path.open("wb") as file:
        file.write(head.ljust(start, b"\0") + np.array([100], one).tobytes())
        file.truncate(start + size)
    return path


J2K: dict[str, Any] = {"codecformat": "j2k", "reversible": True}
LARGEST: dict[str, Callable[[Path], Path]] = {
    "dicom 8": lambda path: native(path, "u1"),
    "dicom 16": lambda path: native(path, "u2"),
    "dicom 16 signed": lambda path: native(path, "i2", PixelPaddingValue=0, RescaleSlope="2", RescaleIntercept="-1024"),
    "dicom 16 big endian": lambda path: native(path, "u2", uid=make.BIG_ENDIAN),
    "dicom 32": lambda path: native(path, "u4"),
    "dicom 32 signed": lambda path: native(path, "i4"),
    "dicom float": lambda path: native(path, "f4", tag=0x7FE00008),
    "dicom double": lambda path: native(path, "f8", tag=0x7FE00009),
    "dicom colour": lambda path: native(path, "u1", samples=3),
    "dicom planes": lambda path: native(path, "u1", samples=3, PlanarConfiguration=1),
    "dicom deflated": lambda path: deflated(path, "u2"),
    "dicom deflated 32": lambda path: deflated(path, "u4"),
    "dicom rle": lambda path: coded(path, "u2", make.RLE, rle_stream(2)),
    "dicom rle 32": lambda path: coded(path, "u4", make.RLE, rle_stream(4)),
    "dicom rle colour": lambda path: coded(path, "u1", make.RLE, rle_stream(3), 3),
    "dicom jpeg": lambda path: coded(path, "u1", make.JPEG_8, imagecodecs.jpeg8_encode(cells("u1"))),
    "dicom jpeg 12": lambda path: coded(
        path, "u2", EXTENDED, imagecodecs.jpeg8_encode(cells("u2"), bitspersample=12), BitsStored=12
    ),
    "dicom jpeg lossless": lambda path: coded(
        path, "u2", make.JPEG_LOSSLESS, imagecodecs.jpeg8_encode(cells("u2"), lossless=True)
    ),
    "dicom jpeg ls": lambda path: coded(path, "u2", make.JPEG_LS, imagecodecs.jpegls_encode(cells("u2"))),
    "dicom j2k": lambda path: coded(path, "u2", make.J2K, imagecodecs.jpeg2k_encode(cells("u2"), **J2K)),
    "dicom j2k colour": lambda path: coded(
        path, "u1", make.J2K, imagecodecs.jpeg2k_encode(cells("u1", 3), **J2K), 3, PhotometricInterpretation="YBR_RCT"
    ),
    "dicom j2k lossy": lambda path: coded(
        path, "u2", LOSSY_J2K, imagecodecs.jpeg2k_encode(cells("u2"), codecformat="j2k", level=40)
    ),
    "dicom htj2k": lambda path: coded(path, "u2", HTJ2K, imagecodecs.htj2k_encode(cells("u2"))),
    "dicom jxl": lambda path: coded(path, "u2", XL, imagecodecs.jpegxl_encode(cells("u2"), lossless=True, effort=1)),
    "jpeg": lambda path: picture(path, "JPEG", "L"),
    "jpeg turned": lambda path: picture(path, "JPEG", "L", exif=b"Exif\0\0" + make.exif(6)),
    "jpeg colour": lambda path: picture(path, "JPEG", "RGB"),
    "jpeg colour 444": lambda path: picture(path, "JPEG", "RGB", subsampling=0),
    "jpeg progressive": lambda path: picture(path, "JPEG", "L", progressive=True),
    "jpeg progressive colour": lambda path: picture(path, "JPEG", "RGB", progressive=True, subsampling=0),
    "jpeg cmyk": lambda path: picture(path, "JPEG", "CMYK"),
    "jpeg progressive cmyk": lambda path: picture(path, "JPEG", "CMYK", progressive=True, subsampling=0),
    "png": lambda path: png(path, 8, 0),
    "png 16": lambda path: png(path, 16, 0),
    "png colour": lambda path: png(path, 8, 2),
    "png alpha": lambda path: png(path, 8, 6),
    "png 16 colour": lambda path: png(path, 16, 2),
    "png 16 alpha": lambda path: png(path, 16, 6),
    "tiff": lambda path: tiff(path, "u1", 1),
    "tiff 16": lambda path: tiff(path, "u2", 1),
    "tiff 32": lambda path: tiff(path, "u4", 1),
    "tiff float": lambda path: tiff(path, "f4", 3),
    "tiff double": lambda path: tiff(path, "f8", 3),
    "tiff lzw": lambda path: picture(path, "TIFF", "L", compression="tiff_lzw"),
    "tiff deflate 16": lambda path: picture(path, "TIFF", "I;16", compression="tiff_adobe_deflate"),
    "tiff jpeg": lambda path: picture(path, "TIFF", "RGB", compression="jpeg"),
    "tiff cmyk": lambda path: picture(path, "TIFF", "CMYK"),
}
