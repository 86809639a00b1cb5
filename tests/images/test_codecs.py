"""Every transfer syntax gives the values that were coded, bit for bit where it is lossless.

Where there are two programs, a file is written by another one than reads it: OpenJPH for OpenJPEG, liblj92 for libjpeg-turbo,
and by hand. JPEG-LS and JPEG XL have one each, so JPEG-LS is held against the example of its standard as well.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.images import DecodedFilm, decode_image
from tests.images.make import (
    DEFLATED_FRAME,
    ENCAPSULATED,
    HTJ2K,
    J2K,
    J2K_LOSSY,
    JPEG_8,
    JPEG_12,
    JPEG_LOSSLESS,
    JPEG_LS,
    JPEG_LS_NEAR,
    JPEG_XL,
    RLE,
    coded,
    deflated,
    dicom,
    fragments,
    rle_frame,
)

Cells = npt.NDArray[Any]
SHAPES = [(23, 37), (1, 1), (1, 7), (9, 1), (2, 64)]


def noise(shape: tuple[int, int], bits: int) -> Cells:
    """Any values of so many bits, the lowest and the highest among them."""
    cells = np.random.default_rng(bits).integers(0, 1 << bits, shape).astype(np.uint8 if bits <= 8 else np.uint16)
    cells[0, 0], cells[-1, -1] = 0, (1 << bits) - 1
    return cells


def smooth(bits: int) -> Cells:
    """A bent slope over most of the values of so many bits, for lossy coding."""
    level = np.add.outer(np.sin(np.arange(45) / 20), np.linspace(0, 1, 37))
    return np.asarray(level / level.max() * 0.9 * (1 << bits), np.uint8 if bits <= 8 else np.uint16)


def units(film: DecodedFilm) -> Cells:
    return np.asarray(film.units[film.codes])


def read(folder: Path, cells: Cells, uid: str, stream: bytes, **over: Any) -> DecodedFilm:
    return decode_image(dicom(folder / "a.dcm", cells, uid=uid, pixels=fragments([stream]), **over))


LOSSLESS: list[tuple[str, Callable[[Cells, int], bytes | bytearray], tuple[int, ...], str]] = [
    (RLE, lambda cells, _: rle_frame(cells), (8, 12, 16), "RLE, by hand"),
    (ENCAPSULATED, lambda cells, _: cells.tobytes(), (8, 12, 16), "uncompressed in a fragment"),
    (DEFLATED_FRAME, lambda cells, _: deflated(cells), (8, 12, 16), "deflated, by zlib"),
    (JPEG_LOSSLESS, lambda cells, bits: imagecodecs.ljpeg_encode(cells, bitspersample=bits), (8, 10, 12, 15, 16), "liblj92"),
    *(
        (
            JPEG_LOSSLESS,
            lambda cells, bits, which=which: imagecodecs.jpeg8_encode(cells, lossless=True, bitspersample=bits, predictor=which),
            (8, 12, 16),
            f"lossless JPEG, predictor {which}",
        )
        for which in range(1, 8)
    ),
    (JPEG_LS, lambda cells, _: imagecodecs.jpegls_encode(cells), (8, 12, 15, 16), "CharLS"),
    (HTJ2K, lambda cells, _: imagecodecs.htj2k_encode(cells, reversible=True), (8, 12, 15, 16), "OpenJPH"),
    (HTJ2K, lambda cells, _: imagecodecs.htj2k_encode(cells, reversible=True, tile=(8, 8)), (8, 16), "OpenJPH, in tiles"),
    (J2K, lambda cells, bits: openjpeg(cells, bits), (8, 10, 12, 15, 16), "OpenJPEG"),
    (
        "1.2.840.10008.1.2.4.92",
        lambda cells, bits: imagecodecs.jpeg2k_encode(cells, codecformat="jp2", reversible=True, bitspersample=bits, level=0),
        (8, 12, 16),
        "OpenJPEG, in a JP2 file, under the name of part 2",
    ),
    (JPEG_XL, lambda cells, bits: libjxl(cells, bits, boxed=False), (8, 10, 12, 15, 16), "libjxl"),
    (JPEG_XL, lambda cells, bits: libjxl(cells, bits, boxed=True), (8, 12, 16), "libjxl, in a container"),
]


def openjpeg(cells: Cells, bits: int) -> bytes:
    return bytes(imagecodecs.jpeg2k_encode(cells, codecformat="j2k", reversible=True, bitspersample=bits, level=0))


def libjxl(cells: Cells, bits: int, *, boxed: bool) -> bytes:
    return bytes(imagecodecs.jpegxl_encode(cells, lossless=True, bitspersample=bits, usecontainer=boxed))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(("uid", "encode", "depths", "reason"), LOSSLESS, ids=[row[3] for row in LOSSLESS])
def test_lossless_values_are_the_very_values(
    tmp_path: Path,
    uid: str,
    encode: Callable[[Cells, int], bytes | bytearray],
    depths: tuple[int, ...],
    shape: tuple[int, int],
    reason: str,
) -> None:
    for bits in depths:
        cells = noise(shape, bits)
        film = read(tmp_path, cells, uid, bytes(encode(cells, bits)), BitsStored=bits)
        assert np.array_equal(units(film), cells), (reason, bits)


# In two's complement of the bits stored, where the codestream has no sign of its own (PS3.5 8.1.1, A.4).
SIGNED: list[tuple[str, Callable[[Cells], bytes], str]] = [
    (RLE, rle_frame, "RLE"),
    (ENCAPSULATED, lambda cells: cells.tobytes(), "uncompressed"),
    (J2K, lambda cells: openjpeg(cells, 12), "JPEG 2000 with a sign of its own"),
    (HTJ2K, lambda cells: bytes(imagecodecs.htj2k_encode(cells, reversible=True)), "HTJ2K with a sign and 16 bits"),
    (J2K, lambda cells: openjpeg(cells.view(np.uint16) & 0xFFF, 12), "JPEG 2000 of 12 bits without a sign"),
    (JPEG_LOSSLESS, lambda cells: bytes(imagecodecs.ljpeg_encode(cells.view(np.uint16) & 0xFFF, bitspersample=12)), "12 bits"),
    (
        JPEG_LOSSLESS,
        lambda cells: bytes(imagecodecs.ljpeg_encode(cells.view(np.uint16), bitspersample=16)),
        "sign extended to 16",
    ),
    (JPEG_LOSSLESS, lambda cells: bytes(imagecodecs.ljpeg_encode(cells.view(np.uint16) & 0xFFF, bitspersample=16)), "12 of 16"),
    (JPEG_LS, lambda cells: bytes(imagecodecs.jpegls_encode(cells.view(np.uint16) & 0xFFF)), "JPEG-LS of 12 bits"),
]


@pytest.mark.parametrize(("uid", "encode", "reason"), SIGNED, ids=[row[2] for row in SIGNED])
def test_signed_values_keep_their_sign_without_a_notice(
    tmp_path: Path, uid: str, encode: Callable[[Cells], bytes], reason: str
) -> None:
    cells = (noise((9, 31), 12).astype(np.int16) - 2048).astype(np.int16)
    over: dict[str, Any] = {"BitsStored": 12, "WindowCenter": 0, "WindowWidth": 4096}
    film = read(tmp_path, cells, uid, encode(cells), **over)
    assert np.array_equal(units(film), cells), reason
    assert film.show().notices == []


# transfer syntax, bits, encoder, the most that a value may be off, and its reason
LOSSY: list[tuple[str, int, Callable[[Cells], bytes], int, str]] = [
    (JPEG_8, 8, lambda cells: coded(cells, "JPEG", quality=95), 3, "baseline"),
    (JPEG_12, 8, lambda cells: coded(cells, "JPEG", quality=95), 3, "8 bits in the syntax for 12"),
    (JPEG_8, 8, lambda cells: coded(cells, "JPEG", quality=95, progressive=True), 3, "progressive"),
    ("1.2.840.10008.1.2.4.55", 8, lambda cells: coded(cells, "JPEG", quality=95, progressive=True), 3, "a retired syntax"),
    (JPEG_12, 12, lambda cells: bytes(imagecodecs.jpeg8_encode(cells, level=98, bitspersample=12)), 12, "extended, 12 bits"),
    (JPEG_LS_NEAR, 12, lambda cells: bytes(imagecodecs.jpegls_encode(cells, level=2)), 2, "JPEG-LS, each value within 2"),
    (J2K_LOSSY, 12, lambda cells: coded(cells, "JPEG2000", no_jp2=True, irreversible=True, quality_layers=[4]), 12, "J2K"),
    ("1.2.840.10008.1.2.4.203", 12, lambda cells: bytes(imagecodecs.htj2k_encode(cells, level=1e-4)), 12, "HTJ2K"),
    ("1.2.840.10008.1.2.4.112", 8, lambda cells: bytes(imagecodecs.jpegxl_encode(cells, level=95, lossless=False)), 6, "XL"),
]


@pytest.mark.parametrize(("uid", "bits", "encode", "most", "reason"), LOSSY, ids=[row[4] for row in LOSSY])
def test_lossy_values_are_near(
    tmp_path: Path, uid: str, bits: int, encode: Callable[[Cells], bytes], most: int, reason: str
) -> None:
    cells = smooth(bits)
    film = read(tmp_path, cells, uid, encode(cells), BitsStored=bits)
    assert np.abs(units(film) - cells).max() <= most, reason


def test_a_jpeg_packed_again_as_jpeg_xl_has_the_pixels_of_the_jpeg(tmp_path: Path) -> None:
    stream = coded(smooth(8), "JPEG", quality=90)
    packed = bytes(imagecodecs.jpegxl_encode_jpeg(stream))
    plain = units(read(tmp_path, smooth(8), JPEG_8, stream))
    again = units(read(tmp_path, smooth(8), "1.2.840.10008.1.2.4.111", packed))
    # Another decoder, which rounds in another way.
    assert np.abs(plain - again).max() <= 1


def test_the_example_of_the_jpeg_ls_standard(tmp_path: Path) -> None:
    # ITU-T T.87 H.3: 4 x 4 values and their codestream.
    cells = np.array([[0, 0, 90, 74], [68, 50, 43, 205], [64, 145, 145, 145], [100, 145, 145, 145]], np.uint8)
    head = "ffd8 fff7 000b 08 0004 0004 01 011100 ffda 0008 01 01 00 00 00 00"
    body = "c000006c80208e01c00000574000006ee6000001bc18000005d800009160 ffd9"
    assert np.array_equal(units(read(tmp_path, cells, JPEG_LS, bytes.fromhex(head + body))), cells)


def test_values_of_20_bits(tmp_path: Path) -> None:
    cells = np.array([[0, 1, 1000], [500, 40_000, (1 << 20) - 1]], np.uint32)
    film = read(tmp_path, cells, J2K, openjpeg(cells, 20), BitsStored=20)
    # More than 65536 values are shown through as many levels: within one.
    assert np.abs(units(film) - cells).max() <= (1 << 20) / 65535
    assert np.array_equal(units(read(tmp_path, cells, RLE, rle_frame(cells), BitsStored=20)), units(film))


def test_a_run_of_packbits_is_repeated_and_padding_is_nothing(tmp_path: Path) -> None:
    # G.3.1: 2 -> three bytes as they are, 254 -> the next one three times, 128 -> nothing.
    segment = bytes([2, 9, 8, 7, 128, 254, 5])
    for padding in (b"", b"\0", b"\x80", b"\x05abcdef", b"\x05ab", b"\xf0", bytes(3)):
        frame = struct.pack("<2L", 1, 64).ljust(64, b"\0") + segment + padding
        film = read(tmp_path, np.zeros((2, 3), np.uint8), RLE, frame)
        assert units(film).tolist() == [[9, 8, 7], [5, 5, 5]], padding
