"""What the transfer syntax, the header and the fragments say, against what the codestream is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
import pytest

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images import decode_image, read_header
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

# 0..3960, rising by 40 a pixel.
DEEP = (np.arange(110).reshape(10, 11) * 36).astype(np.uint16)
GRAY = np.arange(110, dtype=np.uint8).reshape(10, 11)

STREAMS: dict[str, bytes] = {
    "JPEG": coded(GRAY, "JPEG", quality=95),
    "lossless JPEG": bytes(imagecodecs.ljpeg_encode(DEEP, bitspersample=12)),
    "JPEG-LS": bytes(imagecodecs.jpegls_encode(DEEP)),
    "JPEG 2000": bytes(imagecodecs.jpeg2k_encode(DEEP, codecformat="j2k", reversible=True, bitspersample=12)),
    "High-Throughput JPEG 2000": bytes(imagecodecs.htj2k_encode(DEEP, reversible=True)),
    "JPEG XL": bytes(imagecodecs.jpegxl_encode(DEEP, lossless=True, bitspersample=12)),
    "RLE": rle_frame(DEEP),
}
SYNTAXES = {
    "JPEG": JPEG_8,
    "lossless JPEG": JPEG_LOSSLESS,
    "JPEG-LS": JPEG_LS,
    "JPEG 2000": J2K,
    "High-Throughput JPEG 2000": HTJ2K,
    "JPEG XL": JPEG_XL,
    "RLE": RLE,
}


def units(path: Path) -> npt.NDArray[Any]:
    film = decode_image(path)
    return np.asarray(film.units[film.codes])


@pytest.mark.parametrize("said", SYNTAXES)
@pytest.mark.parametrize("coding", [name for name in STREAMS if name != "JPEG"])
def test_a_picture_is_read_by_its_own_first_bytes(tmp_path: Path, coding: str, said: str) -> None:
    path = dicom(tmp_path / "a.dcm", DEEP, uid=SYNTAXES[said], pixels=fragments([STREAMS[coding]]), BitsStored=12)
    assert np.array_equal(units(path), DEEP)
    notices = [notice for notice in decode_image(path).show().notices if "transfer syntax" in notice]
    assert [coding in notice for notice in notices] == ([] if coding == said else [True])


def test_an_uncompressed_frame_that_begins_as_a_codestream_does_is_no_codestream(tmp_path: Path) -> None:
    # The bytes of a JPEG as they might stand in any picture.
    cells = np.frombuffer(STREAMS["JPEG"][:320], np.uint8).reshape(16, 20)
    for uid, frame in ((ENCAPSULATED, cells.tobytes()), (DEFLATED_FRAME, deflated(cells))):
        assert np.array_equal(units(dicom(tmp_path / "a.dcm", cells, uid=uid, pixels=fragments([frame]))), cells), uid


def with_frame(stream: bytes, marker: int, precision: int) -> bytes:
    """A baseline JPEG whose frame header names another process."""
    start = stream.index(b"\xff\xc0")
    return stream[: start + 1] + bytes([marker]) + stream[start + 2 : start + 4] + bytes([precision]) + stream[start + 5 :]


# transfer syntax, codestream, words of the refusal, the reason
REFUSED: list[tuple[str, bytes, str, str]] = [
    ("1.2.840.10008.1.2.4.100", b"\0\0\x01\xb3film", "MPEG2 Main Profile.*1.2.840.10008.1.2.4.100", "a video"),
    ("1.2.840.10008.1.2.4.108", b"\0\0\0\x01film", "HEVC", "a newer video"),
    ("1.2.840.10008.1.2.4.94", b"http://film", "JPIP Referenced", "a reference to a server"),
    ("1.2.840.10008.1.2.6.1", b"film", "RFC 2557", "mail"),
    ("1.2.840.10008.1.2.4.59", with_frame(STREAMS["JPEG"], 0xC5, 8), "hierarchical", "hierarchical JPEG"),
    ("1.2.840.10008.1.2.4.52", with_frame(STREAMS["JPEG"], 0xC9, 12), "arithmetic", "12 bits in arithmetic coding"),
    ("1.2.840.10008.1.2.4.58", with_frame(STREAMS["JPEG"], 0xCB, 8), "arithmetic", "lossless JPEG in arithmetic coding"),
    (JPEG_XL, bytes(imagecodecs.jpegxl_encode(GRAY.astype(np.float32) / 110)), "floating point", "fractions"),
]


@pytest.mark.parametrize(("uid", "stream", "words", "reason"), REFUSED, ids=[row[3] for row in REFUSED])
def test_what_is_no_still_picture_that_is_read_is_refused_by_name(
    tmp_path: Path, uid: str, stream: bytes, words: str, reason: str
) -> None:
    path = dicom(tmp_path / "a.dcm", GRAY, uid=uid, pixels=fragments([stream]))
    with pytest.raises(UnsupportedImageError, match=words):
        decode_image(path)
    assert read_header(path).width == 11, reason


@pytest.mark.parametrize("data", [b"", b"\0\0", b"no picture at all", bytes(200)])
def test_bytes_of_no_coding_are_refused(tmp_path: Path, data: bytes) -> None:
    for uid in SYNTAXES.values():
        with pytest.raises(ImageError, match=r"first bytes|empty|segments|64 bytes"):
            decode_image(dicom(tmp_path / "a.dcm", DEEP, uid=uid, pixels=fragments([data])))


@pytest.mark.parametrize("coding", STREAMS)
@pytest.mark.parametrize("wrong", [{"Rows": 11, "Columns": 10}, {"Columns": 12}, {"Rows": 9}, {"Rows": 8000, "Columns": 9000}])
def test_another_size_than_the_header_says_is_refused(tmp_path: Path, coding: str, wrong: dict[str, Any]) -> None:
    # 8000 rows of 9000 are memory enough to be told from a film of 110 pixels before anything is taken.
    rows, columns = wrong.get("Rows", 10), wrong.get("Columns", 11)
    if rows * columns == DEEP.size and coding == "RLE":
        pytest.skip("RLE has no size of its own, and this one has as many pixels")
    path = dicom(tmp_path / "a.dcm", DEEP, uid=SYNTAXES[coding], pixels=fragments([STREAMS[coding]]), **wrong)
    with pytest.raises(ImageError, match=rf"{columns} x {rows} pixels and the compressed picture has 11 x 10|a segment has"):
        decode_image(path)


@pytest.mark.parametrize("coding", [name for name in STREAMS if name != "RLE"])
def test_another_number_of_samples_than_the_header_says_is_refused(tmp_path: Path, coding: str) -> None:
    over: dict[str, Any] = {"SamplesPerPixel": 3, "PhotometricInterpretation": "RGB", "BitsStored": 8}
    path = dicom(tmp_path / "a.dcm", GRAY, uid=SYNTAXES[coding], pixels=fragments([STREAMS[coding]]), **over)
    with pytest.raises(ImageError, match="3"):
        decode_image(path)


# bits stored in the header, words in the notices; the codestream has 12 with values up to 3924
BITS = [(12, []), (16, ["16 bits a pixel and the compressed picture has 12"]), (10, ["10 bits a pixel", "12"])]


@pytest.mark.parametrize("coding", ["lossless JPEG", "JPEG 2000", "JPEG XL"])
@pytest.mark.parametrize(("stored", "words"), BITS)
def test_other_bits_than_the_header_says_leave_the_values_as_they_are(
    tmp_path: Path, coding: str, stored: int, words: list[str]
) -> None:
    over: dict[str, Any] = {"BitsStored": stored, "WindowCenter": 2048, "WindowWidth": 4096}
    path = dicom(tmp_path / "a.dcm", DEEP, uid=SYNTAXES[coding], pixels=fragments([STREAMS[coding]]), **over)
    assert np.array_equal(units(path), DEEP)
    notices = " ".join(decode_image(path).show().notices)
    assert ("compressed picture has" in notices) == bool(words)
    assert all(word in notices for word in words)


def test_signed_values_under_a_header_that_says_unsigned_are_kept_with_a_notice(tmp_path: Path) -> None:
    cells = (DEEP.astype(np.int16) - 2000).astype(np.int16)
    stream = bytes(imagecodecs.jpeg2k_encode(cells, codecformat="j2k", reversible=True, bitspersample=12))
    path = dicom(tmp_path / "a.dcm", cells, uid=J2K, pixels=fragments([stream]), BitsStored=12, PixelRepresentation=0)
    assert np.array_equal(units(path), cells)
    assert any("unsigned" in notice for notice in decode_image(path).show().notices)


@pytest.mark.parametrize("coding", STREAMS)
def test_fragments_empty_ones_and_padding_do_not_matter(tmp_path: Path, coding: str) -> None:
    stream = STREAMS[coding]
    cells = GRAY if coding == "JPEG" else DEEP
    third = len(stream) // 6 * 2
    parts = [stream[:third], b"", stream[third : 2 * third], stream[2 * third :] + bytes(64), b""]
    whole, cut_up = (
        units(
            dicom(
                tmp_path / "a.dcm", cells, uid=SYNTAXES[coding], pixels=fragments(pieces), BitsStored=8 if cells is GRAY else 12
            )
        )
        for pieces in ([stream], parts)
    )
    assert np.array_equal(cut_up, whole)


@pytest.mark.parametrize(("stream", "offsets"), [(STREAMS["JPEG 2000"], []), (STREAMS["JPEG-LS"], [0, 10_000])])
def test_the_first_of_two_frames_is_read_and_the_second_may_be_anything(
    tmp_path: Path, stream: bytes, offsets: list[int]
) -> None:
    pixels = fragments([stream, b"", b"nothing that can be read"], offsets)
    path = dicom(tmp_path / "a.dcm", DEEP, uid=J2K, pixels=pixels, BitsStored=12, NumberOfFrames=2)
    assert np.array_equal(units(path), DEEP)


def test_a_fragment_that_leads_out_of_the_file_is_refused(tmp_path: Path) -> None:
    pixels = bytearray(fragments([STREAMS["JPEG 2000"]]))
    pixels[12:16] = (len(pixels) + 1000).to_bytes(4, "little")
    path = dicom(tmp_path / "a.dcm", DEEP, uid=J2K, pixels=bytes(pixels))
    with pytest.raises(ImageError, match="no end"):
        decode_image(path)


def test_12_bits_in_the_syntax_for_12_are_read_without_a_notice(tmp_path: Path) -> None:
    stream = bytes(imagecodecs.jpeg8_encode(DEEP, level=99, bitspersample=12))
    over: dict[str, Any] = {"BitsStored": 12, "WindowCenter": 2048, "WindowWidth": 4096}
    path = dicom(tmp_path / "a.dcm", DEEP, uid=JPEG_12, pixels=fragments([stream]), **over)
    assert np.abs(units(path) - DEEP).max() <= 12
    assert decode_image(path).show().notices == []
