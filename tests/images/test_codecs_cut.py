"""A compressed picture that is not whole is refused, wherever it is cut, with an end mark behind the cut and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.errors import ImageError
from radharmony_core.images import decode_image
from tests.images.make import (
    DEFLATED_FRAME,
    ENCAPSULATED,
    HTJ2K,
    J2K,
    JPEG_8,
    JPEG_12,
    JPEG_LOSSLESS,
    JPEG_LS,
    JPEG_XL,
    RLE,
    coded,
    deflated,
    dicom,
    fragments,
    rle_frame,
)

RNG = np.random.default_rng(11)
END = b"\xff\xd9"


def film(bits: int, corner: int = 0) -> npt.NDArray[Any]:
    """Noise on a slope, with a flat black corner as films end with; ``corner`` is its side in pixels."""
    level = np.linspace(0.2, 0.7, 53)[None] + RNG.normal(0, 0.02, (61, 53))
    cells = np.asarray(level * (1 << bits), np.uint8 if bits <= 8 else np.uint16)
    cells[61 - corner :, 53 - corner :] = 0
    return cells


DEEP, CORNER = film(12), film(12, 24)
GRAY, GRAY_CORNER = film(8), film(8, 24)

CODED: list[tuple[str, npt.NDArray[Any], bytes, str]] = [
    (JPEG_8, GRAY, coded(GRAY, "JPEG", quality=90), "baseline"),
    (JPEG_8, GRAY_CORNER, coded(GRAY_CORNER, "JPEG", quality=90), "baseline, flat corner"),
    (JPEG_8, GRAY, coded(GRAY, "JPEG", quality=90, restart_marker_blocks=5), "baseline with restart marks"),
    (JPEG_8, GRAY_CORNER, coded(GRAY_CORNER, "JPEG", progressive=True), "progressive"),
    (JPEG_12, DEEP, bytes(imagecodecs.jpeg8_encode(DEEP, level=95, bitspersample=12)), "12 bits"),
    (JPEG_12, CORNER, bytes(imagecodecs.jpeg8_encode(CORNER, level=95, bitspersample=12)), "12 bits, flat corner"),
    (JPEG_LOSSLESS, DEEP, bytes(imagecodecs.ljpeg_encode(DEEP, bitspersample=12)), "lossless JPEG"),
    (JPEG_LOSSLESS, CORNER, bytes(imagecodecs.jpeg8_encode(CORNER, lossless=True, bitspersample=12)), "lossless, flat corner"),
    (JPEG_LOSSLESS, GRAY, bytes(imagecodecs.jpeg8_encode(GRAY, lossless=True, predictor=7)), "lossless, predictor 7"),
    (JPEG_LS, CORNER, bytes(imagecodecs.jpegls_encode(CORNER)), "JPEG-LS"),
    (J2K, CORNER, bytes(imagecodecs.jpeg2k_encode(CORNER, codecformat="j2k", reversible=True, level=0)), "JPEG 2000"),
    (J2K, DEEP, coded(DEEP, "JPEG2000", no_jp2=True, quality_layers=[20, 5], irreversible=True), "JPEG 2000 in layers"),
    (HTJ2K, CORNER, bytes(imagecodecs.htj2k_encode(CORNER, reversible=True)), "HTJ2K"),
    (HTJ2K, CORNER, bytes(imagecodecs.htj2k_encode(CORNER, reversible=True, tile=(16, 16))), "HTJ2K in tiles"),
]
WITHOUT_END: list[tuple[str, npt.NDArray[Any], bytes, str]] = [
    (JPEG_XL, CORNER, bytes(imagecodecs.jpegxl_encode(CORNER, lossless=True, bitspersample=12, usecontainer=False)), "JPEG XL"),
    (JPEG_XL, CORNER, bytes(imagecodecs.jpegxl_encode(CORNER, lossless=True, bitspersample=12, usecontainer=True)), "boxed XL"),
    (RLE, DEEP, rle_frame(DEEP), "RLE"),
    (ENCAPSULATED, DEEP, DEEP.tobytes(), "uncompressed in a fragment"),
    (DEFLATED_FRAME, DEEP, deflated(DEEP), "deflated"),
]


def attempt(folder: Path, cells: npt.NDArray[Any], uid: str, stream: bytes) -> npt.NDArray[Any] | None:
    """The values, None for a refusal."""
    bits = 8 if cells.dtype == np.uint8 else 12
    path = dicom(folder / "a.dcm", cells, uid=uid, pixels=fragments([stream]), BitsStored=bits)
    try:
        decoded = decode_image(path)
    except ImageError:
        return None
    return np.asarray(decoded.units[decoded.codes])


@pytest.mark.parametrize("tail", [b"", END, END + b"\0"], ids=["cut", "end mark", "end mark and padding"])
@pytest.mark.parametrize(("uid", "cells", "stream", "reason"), CODED, ids=[row[3] for row in CODED])
def test_a_codestream_cut_anywhere_is_refused(
    tmp_path: Path, uid: str, cells: npt.NDArray[Any], stream: bytes, reason: str, tail: bytes
) -> None:
    whole = attempt(tmp_path, cells, uid, stream)
    assert whole is not None, reason
    step = max(1, len(stream) // 80)
    # The last byte of coded data may hold nothing but the bits that fill it up.
    for length in [*range(1, len(stream) - 3, step), len(stream) - 4, len(stream) - 5]:
        assert attempt(tmp_path, cells, uid, stream[:length] + tail) is None, (reason, length)


@pytest.mark.parametrize(("uid", "cells", "stream", "reason"), WITHOUT_END, ids=[row[3] for row in WITHOUT_END])
def test_a_coding_without_an_end_mark_is_refused_when_cut(
    tmp_path: Path, uid: str, cells: npt.NDArray[Any], stream: bytes, reason: str
) -> None:
    assert attempt(tmp_path, cells, uid, stream) is not None, reason
    for length in [*range(1, len(stream) - 2, max(1, len(stream) // 80)), len(stream) - 3]:
        assert attempt(tmp_path, cells, uid, stream[:length]) is None, (reason, length)


# Codings that show it. JPEG falls into step again by itself soon after a gap, and shows only one that took whole blocks with it;
# in the others a changed value is a value, as in a file that is not compressed.
GAPS = [
    *((name, gap, 0) for name in ("JPEG-LS", "JPEG 2000", "HTJ2K", "HTJ2K in tiles") for gap in (1, 7, 50)),
    ("baseline", 50, 10),
    ("baseline, flat corner", 50, 10),
    ("baseline with restart marks", 50, 10),
]


@pytest.mark.parametrize(("name", "gap", "may_pass"), GAPS)
def test_bytes_missing_in_the_middle_are_refused(tmp_path: Path, name: str, gap: int, may_pass: int) -> None:
    """``may_pass`` of a hundred."""
    uid, cells, stream, _ = next(row for row in CODED if row[3] == name)
    start = len(stream) // 3
    places = range(start, len(stream) - gap - 10, max(1, (len(stream) - start) // 100))
    shown = [place for place in places if attempt(tmp_path, cells, uid, stream[:place] + stream[place + gap :]) is not None]
    assert len(shown) <= may_pass * len(places) / 100, shown


@pytest.mark.parametrize(("uid", "cells", "stream", "reason"), CODED + WITHOUT_END, ids=[row[3] for row in CODED + WITHOUT_END])
def test_changed_bytes_are_a_picture_of_that_size_or_a_refusal(
    tmp_path: Path, uid: str, cells: npt.NDArray[Any], stream: bytes, reason: str
) -> None:
    dice = np.random.default_rng(len(stream))
    for _ in range(60):
        data = bytearray(stream)
        for place in dice.integers(0, len(data), 1 + int(dice.integers(3))):
            data[place] = int(dice.integers(256))
        values = attempt(tmp_path, cells, uid, bytes(data))
        assert values is None or values.shape == cells.shape, reason


def first_scans(stream: bytes, count: int) -> bytes:
    """A JPEG with its first scans only, and an end mark: each part is whole, and nothing in them tells of more."""
    places = [place for place in range(len(stream)) if stream[place : place + 2] == b"\xff\xda"]
    end = places[count]
    # Tables for the next scan may stand before it.
    table = stream.find(b"\xff\xc4", places[count - 1], end)
    return stream[: table if table > 0 else end] + END


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_progressive_jpeg_with_its_first_scans_only_is_refused(tmp_path: Path, count: int) -> None:
    stream = first_scans(coded(GRAY, "JPEG", progressive=True), count)
    assert attempt(tmp_path, GRAY, JPEG_8, stream) is None
    path = tmp_path / "a.jpg"
    path.write_bytes(stream)
    with pytest.raises(ImageError, match="lacks a part"):
        decode_image(path)


def without_a_tile(which: int) -> bytes:
    """16 tiles or so, one of them taken out: A.4.2, a tile-part is as long as its SOT says."""
    stream = bytes(imagecodecs.htj2k_encode(CORNER, reversible=True, tile=(16, 16)))
    starts = []
    place = stream.index(b"\xff\x90")
    while stream[place : place + 2] == b"\xff\x90":
        starts.append(place)
        place += int.from_bytes(stream[place + 6 : place + 10], "big")
    ends = [*starts[1:], place]
    return stream[: starts[which]] + stream[ends[which] :]


@pytest.mark.parametrize("which", [0, 5, -1])
def test_a_picture_without_one_of_its_tiles_is_refused(tmp_path: Path, which: int) -> None:
    path = dicom(tmp_path / "a.dcm", CORNER, uid=HTJ2K, pixels=fragments([without_a_tile(which)]), BitsStored=12)
    with pytest.raises(ImageError, match="tiles are missing"):
        decode_image(path)


@pytest.mark.parametrize("behind", [b"", b"\0" * 600, b"camera \xff\xd9", b"\xff\xff"])
def test_what_stands_behind_the_end_mark_of_a_jpeg_file_hides_no_cut(tmp_path: Path, behind: bytes) -> None:
    stream = coded(GRAY_CORNER, "JPEG", quality=90)
    path = tmp_path / "a.jpg"
    path.write_bytes(stream + behind)
    assert decode_image(path).size == (53, 61)
    path.write_bytes(stream[: len(stream) // 2] + END + behind)
    with pytest.raises(ImageError, match=r"cut"):
        decode_image(path)


# bytes before the end mark, whether the picture is shown, the reason
LEFT_OVER: list[tuple[bytes, bool, str]] = [
    (b"\0", True, "one byte too many"),
    (bytes(300), True, "filled up with zeros"),
    (b"\xff" * 7, True, "fill bytes, which the standard allows (ISO 10918-1 B.1.1.2)"),
    (bytes(range(3, 43)), False, "coded data that no block has a use for: some further up are missing"),
]


@pytest.mark.parametrize(("more", "is_shown", "reason"), LEFT_OVER, ids=[row[2] for row in LEFT_OVER])
def test_bytes_left_over_before_the_end_of_a_jpeg(tmp_path: Path, more: bytes, is_shown: bool, reason: str) -> None:
    for stream in (coded(GRAY_CORNER, "JPEG"), coded(GRAY, "JPEG", progressive=True)):
        whole = attempt(tmp_path, GRAY, JPEG_8, stream)
        values = attempt(tmp_path, GRAY, JPEG_8, stream[:-2] + more + END)
        assert (values is not None) == is_shown, reason
        assert values is None or (whole is not None and np.array_equal(values, whole))
