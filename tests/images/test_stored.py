"""Stored values: bits, sign, byte order, transfer syntax, missing elements (PS3.5 section 8, PS3.3 C.7.6.3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.errors import ImageError, NotAnImageError, UnsupportedImageError
from radharmony_core.images import read_header, read_image
from tests.images.make import (
    BIG_ENDIAN,
    DEFLATED,
    EXPLICIT,
    IMPLICIT,
    data_set,
    dicom,
    element,
    fragments,
    meta,
    pixel_tags,
)

# A ramp with rows and columns that differ, so that a turned or shifted picture is seen.
RAMP = (np.arange(20).reshape(4, 5) * 200).astype(np.uint16)
RAMP_GRAY = np.floor(np.arange(20).reshape(4, 5) / 19 * 255 + 0.5).astype(np.uint8)


@pytest.mark.parametrize("uid", [IMPLICIT, EXPLICIT, BIG_ENDIAN, DEFLATED])
@pytest.mark.parametrize("dtype", [np.uint16, np.int16, np.uint32, np.int32])
def test_every_native_syntax_and_cell_gives_the_same_picture(tmp_path: Path, uid: str, dtype: Any) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", RAMP.astype(dtype), uid=uid))
    assert np.array_equal(film.pixels, RAMP_GRAY)
    assert film.source == "dicom"


def test_a_deflated_data_set_of_many_bytes_in_a_few_is_inflated_to_its_end(tmp_path: Path) -> None:
    cells = np.zeros((2500, 2400), np.uint16)
    cells[-1, -2:] = 1, 2
    path = dicom(tmp_path / "a.dcm", cells, uid=DEFLATED)
    assert path.stat().st_size < 100_000
    assert read_image(path).pixels[-1, -3:].tolist() == [0, 128, 255]


@pytest.mark.parametrize("uid", [IMPLICIT, EXPLICIT, DEFLATED])
def test_8_bit_cells_with_an_odd_number_of_pixels(tmp_path: Path, uid: str) -> None:
    cells = np.array([[0, 100, 200]], np.uint8)
    assert read_image(dicom(tmp_path / "a.dcm", cells, uid=uid)).pixels.tolist() == [[0, 128, 255]]


def test_8_bit_cells_in_16_bit_words_of_big_endian_are_exchanged_back(tmp_path: Path) -> None:
    # PS3.5 A.3: 0, 100, 200 and padding 0 as two words, each written with its upper byte first.
    body = data_set(pixel_tags(np.zeros((1, 3), np.uint8)), order=">")
    body += element(0x7FE00010, "OW", bytes([100, 0, 0, 200]), order=">")
    path = tmp_path / "a.dcm"
    path.write_bytes(bytes(128) + b"DICM" + meta(BIG_ENDIAN) + body)
    assert read_image(path).pixels.tolist() == [[0, 128, 255]]


# cells, tags, expected gray levels, word of a notice or None, the reason
BITS: list[tuple[list[int], dict[str, Any], list[int], str | None, str]] = [
    ([0xF000, 0x1800, 0x7FFF], {"BitsStored": 12}, [0, 128, 255], "Bits outside", "12 of 16: 0, 2048, 4095"),
    ([0x0800, 0x0000, 0x07FF], {"BitsStored": 12, "PixelRepresentation": 1}, [0, 128, 255], None, "-2048, 0, 2047"),
    ([0xF800, 0x0000, 0x07FF], {"BitsStored": 12, "PixelRepresentation": 1}, [0, 128, 255], None, "sign written out"),
    ([0x8000, 0x0000, 0x7FFF], {"BitsStored": 16, "PixelRepresentation": 1}, [0, 128, 255], None, "16 of 16, signed"),
    ([0x0000, 0x8000, 0xFFF0], {"BitsStored": 12, "HighBit": 15}, [0, 128, 255], "HighBit is 15", "in the upper bits"),
    ([0x0003, 0x4002, 0x7FF9], {"BitsStored": 10, "HighBit": 14}, [0, 128, 255], "HighBit is 14", "0, 512, 1023, dirt below"),
    (
        [0xFFF0, 0x0000, 0x0010],
        {"BitsStored": 12, "PixelRepresentation": 1, "PixelPaddingValue:SS": -16, "WindowCenter": 8.5, "WindowWidth": 17},
        [0, 0, 255],
        "padding value -16",
        "signed padding",
    ),
    (
        [0x8000, 0, 100],
        {"BitsStored": 16, "PixelRepresentation": 1, "PixelPaddingValue": 0x8000},
        [0, 0, 255],
        "padding value -32768",
        "signed padding written with an unsigned VR",
    ),
]


@pytest.mark.parametrize(("cells", "tags", "expected", "words", "reason"), BITS, ids=[row[4] for row in BITS])
def test_a_value_is_taken_out_of_its_cell(
    tmp_path: Path, cells: list[int], tags: dict[str, Any], expected: list[int], words: str | None, reason: str
) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", np.array([cells], np.uint16), **tags))
    assert film.pixels[0].tolist() == expected, reason
    told = [notice for notice in film.notices if "No window" not in notice]
    assert (words is None and not told) or any(words in notice for notice in told if words), film.notices


# the keyword left out, a word of the notice
@pytest.mark.parametrize(
    "keyword",
    ["PhotometricInterpretation", "PixelRepresentation", "BitsStored", "HighBit", "SamplesPerPixel", "BitsAllocated"],
)
def test_a_missing_element_has_its_usual_value_and_a_notice(tmp_path: Path, keyword: str) -> None:
    tags: dict[str, Any] = {keyword: None}
    film = read_image(dicom(tmp_path / "a.dcm", RAMP, **tags))
    assert np.array_equal(film.pixels, RAMP_GRAY)
    assert any(keyword in notice for notice in film.notices)


def test_missing_bits_allocated_are_8_where_the_pixels_are_as_many_bytes(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"BitsAllocated": None, "BitsStored": None, "HighBit": None}
    film = read_image(dicom(tmp_path / "a.dcm", np.array([[0, 100, 200]], np.uint8), **tags))
    assert film.pixels.tolist() == [[0, 128, 255]]


@pytest.mark.parametrize("explicit", [True, False])
@pytest.mark.parametrize(("frame", "words"), [("no preamble", "no file meta"), ("preamble only", "no file meta")])
def test_a_data_set_without_file_meta_is_shown_with_a_notice(tmp_path: Path, explicit: bool, frame: str, words: str) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", RAMP, explicit=explicit, frame=frame))
    assert np.array_equal(film.pixels, RAMP_GRAY)
    assert any(words in notice for notice in film.notices)


def test_big_endian_without_file_meta_is_recognised(tmp_path: Path) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", RAMP, uid=BIG_ENDIAN, frame="no preamble"))
    assert np.array_equal(film.pixels, RAMP_GRAY)


def test_file_meta_without_the_preamble_are_read(tmp_path: Path) -> None:
    path = dicom(tmp_path / "a.dcm", RAMP)
    path.write_bytes(path.read_bytes()[132:])
    assert np.array_equal(read_image(path).pixels, RAMP_GRAY)


@pytest.mark.parametrize("explicit", [True, False])
def test_file_meta_without_a_transfer_syntax_are_shown_with_a_notice(tmp_path: Path, explicit: bool) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", RAMP, uid=None, explicit=explicit))
    assert np.array_equal(film.pixels, RAMP_GRAY)
    assert any("no transfer syntax" in notice for notice in film.notices)


@pytest.mark.parametrize(("uid", "explicit"), [(EXPLICIT, False), (IMPLICIT, True)])
def test_a_data_set_in_another_vr_form_than_named_is_read_as_it_is(tmp_path: Path, uid: str, explicit: bool) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", RAMP, uid=uid, explicit=explicit))
    assert np.array_equal(film.pixels, RAMP_GRAY)
    assert any("read as it is" in notice for notice in film.notices)


def test_a_tiff_header_in_the_preamble_does_not_make_it_a_tiff(tmp_path: Path) -> None:
    path = dicom(tmp_path / "a.dcm", RAMP)
    path.write_bytes(b"II*\0" + path.read_bytes()[4:])
    assert np.array_equal(read_image(path).pixels, RAMP_GRAY)


def test_nested_sequences_of_undefined_length_are_stepped_over(tmp_path: Path) -> None:
    inner = element(0x00081150, "UI", b"1.2\0") + element(0x7FE00010, "OW", bytes(8))
    item = b"\xfe\xff\x00\xe0\xff\xff\xff\xff" + inner + b"\xfe\xff\x0d\xe0\0\0\0\0"
    outer = element(0x00081140, "SQ", item + b"\xfe\xff\xdd\xe0\0\0\0\0", length=0xFFFFFFFF)
    unknown_inside = b"\xfe\xff\x00\xe0\x0a\0\0\0" + element(0x00081150, "UI", b"1\0", explicit=False)
    unknown = element(0x00091140, "UN", unknown_inside + b"\xfe\xff\xdd\xe0\0\0\0\0", length=0xFFFFFFFF)
    tags = pixel_tags(RAMP)
    first = data_set({"SOPClassUID": tags.pop("SOPClassUID")})
    rest = data_set(tags) + element(0x7FE00010, "OW", RAMP.tobytes())
    path = tmp_path / "a.dcm"
    path.write_bytes(bytes(128) + b"DICM" + meta(EXPLICIT) + first + outer + unknown + rest)
    assert np.array_equal(read_image(path).pixels, RAMP_GRAY)


def test_the_first_of_several_frames_is_shown_with_a_notice(tmp_path: Path) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", RAMP, pixels=RAMP.tobytes() + RAMP[::-1].tobytes(), NumberOfFrames=2))
    assert np.array_equal(film.pixels, RAMP_GRAY)
    assert any("2 frames" in notice for notice in film.notices)


def test_pixel_data_that_are_too_long_are_shown_with_a_notice(tmp_path: Path) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", RAMP, pixels=RAMP.tobytes() + bytes(6)))
    assert np.array_equal(film.pixels, RAMP_GRAY)
    assert any("6 bytes longer" in notice for notice in film.notices)


# tags, the error, a word of it, the reason
REFUSED: list[tuple[dict[str, Any], type[ImageError], str, str]] = [
    ({"PhotometricInterpretation": "PALETTE COLOR"}, UnsupportedImageError, "palette", "a palette"),
    ({"PhotometricInterpretation": "HSV"}, UnsupportedImageError, "HSV", "a colour space that is not in use"),
    ({"SamplesPerPixel": 4}, UnsupportedImageError, "with 4", "four samples"),
    ({"PhotometricInterpretation": "RGB"}, UnsupportedImageError, "RGB with 1", "colour with one sample"),
    ({"Rows": None}, NotAnImageError, "Rows", "no height"),
    ({"Columns": 0}, NotAnImageError, "Columns 0", "no width"),
    ({"BitsAllocated": 12}, ImageError, "BitsAllocated 12", "16 bits stored in 12"),
    ({"BitsAllocated": 64, "BitsStored": 64, "HighBit": 63}, UnsupportedImageError, "64", "64-bit cells"),
    ({"BitsStored": 12, "HighBit": 3}, ImageError, "HighBit 3", "a high bit below the stored bits"),
    ({"pixels": b""}, ImageError, "cut", "no bytes"),
    ({"pixels": RAMP.tobytes()[:-2]}, ImageError, "cut", "one pixel less"),
    ({"uid": "1.2.3.4"}, UnsupportedImageError, "transfer syntax", "a private transfer syntax"),
    ({"uid": "1.2.840.10008.1.2.4.100"}, UnsupportedImageError, "MPEG2", "a film in MPEG"),
    ({"uid": "1.2.840.10008.1.2.4.90"}, ImageError, "not in fragments", "compressed by name only"),
]


@pytest.mark.parametrize(("tags", "kind", "words", "reason"), REFUSED, ids=[row[3] for row in REFUSED])
def test_what_cannot_be_shown_right_is_refused_in_words(
    tmp_path: Path, tags: dict[str, Any], kind: type[ImageError], words: str, reason: str
) -> None:
    path = dicom(tmp_path / "film.dcm", RAMP, **tags)
    if reason == "a film in MPEG":
        path = dicom(tmp_path / "film.dcm", RAMP, pixels=fragments([b"\0\0\x01\xb3"]), **tags)
    with pytest.raises(kind, match=words):
        read_image(path)


def test_a_file_without_pixel_data_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.dcm"
    path.write_bytes(bytes(128) + b"DICM" + meta(EXPLICIT) + data_set(pixel_tags(RAMP)))
    with pytest.raises(NotAnImageError, match="no pixel data"):
        read_image(path)


def test_floating_point_pixels_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.dcm"
    body = data_set(pixel_tags(RAMP)) + element(0x7FE00008, "OF", bytes(80))
    path.write_bytes(bytes(128) + b"DICM" + meta(EXPLICIT) + body)
    with pytest.raises(UnsupportedImageError, match="floating point"):
        read_image(path)


def test_the_header_is_read_without_the_pixels(tmp_path: Path) -> None:
    header = read_header(dicom(tmp_path / "a.dcm", RAMP, pixels=RAMP.tobytes()[:3]))
    assert (header.source, header.width, header.height) == ("dicom", 5, 4)


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    whole = dicom(tmp_path / "a.dcm", RAMP).read_bytes()
    for length in range(0, len(whole), 3):
        (tmp_path / "cut.dcm").write_bytes(whole[:length])
        with pytest.raises(ImageError):
            read_image(tmp_path / "cut.dcm")
