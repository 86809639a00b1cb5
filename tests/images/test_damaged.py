"""JPEG, RLE and TIFF with a block zeroed, written twice or missing are refused; sound ones that look like it are shown."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from radharmony_core.errors import ImageError
from radharmony_core.images import decode_image
from tests.images.make import RLE, coded, dicom, fragments, rle_frame

Cells = npt.NDArray[Any]
BLOCK = 512
END = b"\xff\xd9"


def film(bits: int, shape: tuple[int, int] = (230, 210)) -> Cells:
    """Noise on a slope."""
    level = np.linspace(0.2, 0.7, shape[1])[None] + np.random.default_rng(bits).normal(0, 0.02, shape)
    return np.asarray(level * (1 << bits), np.uint8 if bits <= 8 else np.uint16)


JPEGS: list[tuple[str, bytes]] = [
    ("lossless, 12 bits, liblj92", bytes(imagecodecs.ljpeg_encode(film(12), bitspersample=12))),
    ("lossless, 16 bits", bytes(imagecodecs.jpeg8_encode(film(16), lossless=True, bitspersample=16))),
    ("lossless, 8 bits, predictor 6", bytes(imagecodecs.jpeg8_encode(film(8), lossless=True, predictor=6))),
    ("12 bits, quality 92", bytes(imagecodecs.jpeg8_encode(film(12), level=92, bitspersample=12))),
    ("8 bits", coded(film(8), "JPEG", quality=90)),
]

DAMAGE: list[tuple[str, Callable[[bytes, int], bytes]]] = [
    ("zeroed", lambda data, place: data[:place] + bytes(BLOCK) + data[place + BLOCK :]),
    ("written twice", lambda data, place: data[: place + BLOCK] + data[place:]),
    ("missing", lambda data, place: data[:place] + data[place + BLOCK :]),
]


def is_shown(path: Path, data: bytes) -> bool:
    path.write_bytes(data)
    try:
        decode_image(path)
    except ImageError:
        return False
    return True


@pytest.mark.parametrize(("damage", "change"), DAMAGE, ids=[row[0] for row in DAMAGE])
@pytest.mark.parametrize(("reason", "data"), JPEGS, ids=[row[0] for row in JPEGS])
def test_a_jpeg_with_a_block_zeroed_twice_or_missing_is_refused(
    tmp_path: Path, reason: str, data: bytes, damage: str, change: Callable[[bytes, int], bytes]
) -> None:
    assert is_shown(tmp_path / "a.jpg", data), reason
    places = range(700, len(data) - 2 * BLOCK, max(1, len(data) // 12))
    assert len(places) > 5
    assert [place for place in places if is_shown(tmp_path / "a.jpg", change(data, place))] == [], (reason, damage)


def corner(bits: int, shape: tuple[int, int], kind: str) -> Cells:
    """A film whose lower half is black, white, of one gray, or all of it of one value."""
    cells = film(bits, shape)
    half = cells[shape[0] // 2 :] if kind != "one value" else cells
    half[:] = {"black": 0, "white": (1 << bits) - 1}.get(kind, 1 << (bits - 1))
    return cells


@pytest.mark.parametrize("kind", ["black", "white", "gray", "one value"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (8, 8), (17, 16), (31, 41), (64, 3)], ids=str)
def test_a_whole_jpeg_whose_end_says_little_is_shown(tmp_path: Path, shape: tuple[int, int], kind: str) -> None:
    for bits in (8, 10, 12, 14, 16):
        cells = corner(bits, shape, kind)
        streams = [imagecodecs.ljpeg_encode(cells, bitspersample=bits)]
        streams += [imagecodecs.jpeg8_encode(cells, lossless=True, bitspersample=bits, predictor=n) for n in (1, 4, 7)]
        if bits == 12:
            streams += [imagecodecs.jpeg8_encode(cells, level=level, bitspersample=12) for level in (10, 75, 100)]
        if bits == 8:
            buffer = io.BytesIO()
            Image.fromarray(cells).convert("CMYK").save(buffer, "JPEG", quality=100)
            streams.append(buffer.getvalue())
        for i, stream in enumerate(streams):
            assert is_shown(tmp_path / "a.jpg", bytes(stream)), (bits, i)


# bytes before the end mark, whether the picture is shown, the reason
LEFT_OVER: list[tuple[bytes, bool, str]] = [
    (b"\x31", True, "one byte too many"),
    (bytes(300), True, "filled up with zeros"),
    (b"\xff" * 7, True, "fill bytes (ISO 10918-1 B.1.1.2)"),
    (bytes(range(3, 13)), False, "coded data that no block has a use for"),
]


@pytest.mark.parametrize(("more", "expected", "reason"), LEFT_OVER, ids=[row[2] for row in LEFT_OVER])
@pytest.mark.parametrize(("which", "data"), JPEGS, ids=[row[0] for row in JPEGS])
def test_bytes_left_over_before_the_end_mark(
    tmp_path: Path, which: str, data: bytes, more: bytes, expected: bool, reason: str
) -> None:
    assert is_shown(tmp_path / "a.jpg", data[:-2] + more + END) == expected, (which, reason)


def rle_file(path: Path, frame: bytes) -> bytes:
    return dicom(path, film(12), uid=RLE, pixels=fragments([frame]), BitsStored=12).read_bytes()


@pytest.mark.parametrize("place", [500, 20_000, 70_000])
def test_an_rle_segment_with_a_block_written_twice_is_refused(tmp_path: Path, place: int) -> None:
    frame = rle_frame(film(12))
    assert is_shown(tmp_path / "a.dcm", rle_file(tmp_path / "a.dcm", frame))
    # The offset of the second segment (G.5) moves with it.
    twice = bytearray(frame[: place + BLOCK] + frame[place:])
    second = int.from_bytes(frame[8:12], "little")
    twice[8:12] = (second + BLOCK * (place < second)).to_bytes(4, "little")
    assert not is_shown(tmp_path / "a.dcm", rle_file(tmp_path / "a.dcm", bytes(twice)))


TIFFS: list[tuple[str, bytes]] = [
    ("deflate", coded(film(12), "TIFF", compression="tiff_deflate")),
    ("deflate, 8 bits, strips", coded(film(8), "TIFF", compression="tiff_adobe_deflate", tiffinfo={278: 16})),
    ("PackBits", coded(film(12), "TIFF", compression="packbits")),
    ("JPEG", coded(film(8), "TIFF", compression="jpeg", quality=90)),
    ("JPEG, strips", coded(film(8), "TIFF", compression="jpeg", quality=90, tiffinfo={278: 48})),
    ("LZW", coded(film(12), "TIFF", compression="tiff_lzw")),
]


@pytest.mark.parametrize(("reason", "data"), TIFFS, ids=[row[0] for row in TIFFS])
def test_a_tiff_with_a_block_zeroed_is_refused(tmp_path: Path, reason: str, data: bytes) -> None:
    assert is_shown(tmp_path / "a.tif", data), reason
    places = range(700, len(data) - 3 * BLOCK, max(1, len(data) // 12))
    assert len(places) > 5
    shown = [place for place in places if is_shown(tmp_path / "a.tif", data[:place] + bytes(BLOCK) + data[place + BLOCK :])]
    assert shown == [], reason


# Pillow's options; 278 is rows a strip
WHOLE_TIFFS: list[tuple[int, dict[str, Any], str]] = [
    (1, {"compression": "packbits", "tiffinfo": {278: 7}}, "PackBits, a last strip of fewer rows"),
    (3, {"compression": "packbits"}, "PackBits in colour"),
    (3, {"compression": "tiff_deflate", "tiffinfo": {278: 7}}, "deflate in colour"),
    (3, {"compression": "jpeg", "quality": 80}, "JPEG in colour"),
    (3, {"compression": "jpeg", "quality": 80, "tiffinfo": {278: 16}}, "JPEG in colour, in strips"),
]


@pytest.mark.parametrize(("channels", "options", "reason"), WHOLE_TIFFS, ids=[row[2] for row in WHOLE_TIFFS])
def test_a_whole_tiff_of_an_odd_size_is_shown(tmp_path: Path, channels: int, options: dict[str, Any], reason: str) -> None:
    cells = film(8, (41, 37))
    assert is_shown(tmp_path / "a.tif", coded(cells if channels == 1 else np.dstack([cells] * 3), "TIFF", **options)), reason


def packed_runs(values: bytes) -> bytes:
    """PackBits (TIFF 6.0 section 9), all of it literal."""
    return b"".join(bytes([len(values[i : i + 128]) - 1]) + values[i : i + 128] for i in range(0, len(values), 128))


@pytest.mark.parametrize(("compression", "pack"), [(8, zlib.compress), (32773, packed_runs), (32946, zlib.compress)])
def test_tiles_go_over_the_edge_of_the_picture(tmp_path: Path, compression: int, pack: Callable[[bytes], bytes]) -> None:
    # 40 x 20 pixels in tiles of 32 x 16: two across, two down, all of 512 bytes (section 15).
    tile = pack(bytes(range(256)) * 2)
    entries = [(256, 40), (257, 20), (258, 8), (259, compression), (262, 1), (277, 1), (322, 32), (323, 16)]
    place = 8 + 2 + 12 * 10 + 4
    tags = [(tag, 4, 1, value) for tag, value in entries] + [(324, 4, 4, place), (325, 4, 4, place + 16)]
    starts = [place + 32 + i * len(tile) for i in range(4)]
    directory = struct.pack("<H", 10) + b"".join(struct.pack("<HHLL", *tag) for tag in tags) + bytes(4)
    head = b"II*\0" + struct.pack("<L", 8) + directory + struct.pack("<8L", *starts, *[len(tile)] * 4)
    assert is_shown(tmp_path / "a.tif", head + tile * 4)
    broken = tile[:-1] + bytes([tile[-1] ^ 1]) if compression != 32773 else tile[:129] + b"\x7e" + tile[130:]
    assert not is_shown(tmp_path / "a.tif", head + tile * 3 + broken)


def test_bits_of_a_black_and_white_tiff_fill_whole_bytes(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    Image.fromarray(film(8, (9, 13))).convert("1").save(buffer, "TIFF", compression="packbits")
    assert is_shown(tmp_path / "a.tif", buffer.getvalue())
