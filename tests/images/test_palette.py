"""DICOM pictures in colour as luminance: palettes, RGB of 8 and 16 bits, YBR with and without shared colour."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from radharmony_core.errors import ImageError
from radharmony_core.images import decode_image, read_image
from tests.images.make import BIG_ENDIAN, RLE, dicom, fragments, packbits

COLOUR = "The picture is in colour; its luminance is shown."


def palette(entries: list[tuple[int, int, int]], bits: int, first: int = 0, *, packed: bool = False, order: str = "<") -> Any:
    tags: dict[str, Any] = {"PhotometricInterpretation": "PALETTE COLOR"}
    for place, colour in enumerate(("Red", "Green", "Blue")):
        column = [entry[place] for entry in entries]
        data = bytes(column) + b"\0" * (len(column) % 2) if packed else struct.pack(f"{order}{len(column)}H", *column)
        tags[f"{colour}PaletteColorLookupTableDescriptor"] = [len(entries) % 65536, first, bits]
        tags[f"{colour}PaletteColorLookupTableData"] = data
    return tags


PRIMARIES = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (9, 9, 9)]

# cells, tags, expected gray levels, notices, the reason. 0.299 R + 0.587 G + 0.114 B.
SHOWN: list[tuple[np.ndarray[Any, Any], dict[str, Any], list[int], list[str], str]] = [
    (np.array([[0, 1, 2, 3]], np.uint8), palette(PRIMARIES, 8), [76, 150, 29, 9], [COLOUR], "8-bit entries in 16 bits each"),
    (np.array([[3, 2, 1, 0]], np.uint8), palette(PRIMARIES, 8, packed=True), [9, 29, 150, 76], [COLOUR], "two in a word"),
    (
        np.array([[0, 1, 2, 3]], np.uint16),
        palette([(65535, 0, 0), (0, 65535, 0), (0, 0, 65535), (32768,) * 3], 16),
        [76, 150, 29, 128],
        [COLOUR],
        "16-bit entries: 32768 / 65535 * 255 = 127.502",
    ),
    (np.array([[0, 1]], np.uint8), palette([(511,) * 3, (7,) * 3], 8), [255, 7], [], "an entry above what 8 bits hold"),
    (np.array([[0, 5, 6, 99]], np.uint8), palette([(0,) * 3, (50,) * 3, (100,) * 3], 8, 4), [0, 50, 100, 100], [], "from 4 on"),
    (
        np.array([[-3, -2, -1, 0]], np.int16),
        palette([(10,) * 3, (20,) * 3], 8, 65534),
        [10, 10, 20, 20],
        [],
        "signed numbers: the first is -2, written unsigned",
    ),
    (
        np.array([[0xFF00, 0xFF01]], np.uint16),
        {**palette([(1,) * 3, (200,) * 3], 8), "BitsStored": 8},
        [1, 200],
        [],
        "unused bits",
    ),
]


@pytest.mark.parametrize(("cells", "tags", "expected", "said", "reason"), SHOWN, ids=[row[4] for row in SHOWN])
def test_a_palette_gives_each_number_its_luminance(
    tmp_path: Path, cells: np.ndarray[Any, Any], tags: dict[str, Any], expected: list[int], said: list[str], reason: str
) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", cells, **tags))
    assert film.pixels[0].tolist() == expected, reason
    assert film.notices == said
    assert film.ledger[1].words.startswith("PALETTE COLOR")


def test_a_palette_of_65536_entries_is_read(tmp_path: Path) -> None:
    for uid, order in ((None, "<"), (BIG_ENDIAN, ">")):
        tags = palette([(value,) * 3 for value in range(65536)], 16, order=order)
        film = decode_image(dicom(tmp_path / "a.dcm", np.array([[0, 32768, 65535]], np.uint16), uid=uid, **tags))
        assert film.units[film.codes][0].tolist() == [0, 32768, 65535]
        assert film.show().pixels[0].tolist() == [0, 128, 255]


# what is changed in a good palette, a word of the message, the reason
BROKEN: list[tuple[dict[str, Any], str, str]] = [
    ({"RedPaletteColorLookupTableData": None}, "red palette is missing", "no red"),
    ({"GreenPaletteColorLookupTableDescriptor": None}, "green palette is missing", "no description"),
    ({"BluePaletteColorLookupTableData": b"\0\0"}, "shorter than it says", "one entry of four"),
    ({"SegmentedRedPaletteColorLookupTableData": b"\0\0\1\0\5\0"}, "segmented palette", "segments"),
]


@pytest.mark.parametrize(("change", "words", "reason"), BROKEN, ids=[row[2] for row in BROKEN])
def test_a_palette_that_cannot_be_read_is_refused_in_words(
    tmp_path: Path, change: dict[str, Any], words: str, reason: str
) -> None:
    with pytest.raises(ImageError, match=f"a.dcm.*{words}.*Export it"):
        read_image(dicom(tmp_path / "a.dcm", np.array([[0, 1]], np.uint8), **{**palette(PRIMARIES, 8), **change}))


@pytest.mark.parametrize("planar", [0, 1])
def test_colour_is_shown_as_luminance_with_a_notice(tmp_path: Path, planar: int) -> None:
    # ITU-R 601: 0.299 R, 0.587 G, 0.114 B of 255.
    cells = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]]], np.uint8)
    data = (np.moveaxis(cells, -1, 0) if planar else cells).tobytes()
    film = read_image(dicom(tmp_path / "a.dcm", cells, pixels=data, PlanarConfiguration=planar))
    assert film.pixels.tolist() == [[76, 150, 29, 9]]
    assert any("luminance" in notice for notice in film.notices)


def test_the_first_sample_of_ybr_full_is_the_luminance(tmp_path: Path) -> None:
    cells = np.array([[[10, 128, 128], [200, 90, 240]]], np.uint8)
    film = read_image(dicom(tmp_path / "a.dcm", cells, PhotometricInterpretation="YBR_FULL"))
    assert film.pixels.tolist() == [[10, 200]]


@pytest.mark.parametrize("planar", [0, 1])
@pytest.mark.parametrize(("bits", "high"), [(16, 15), (12, 11), (12, 15)])
def test_colour_of_16_bits_a_sample_is_read(tmp_path: Path, planar: int, bits: int, high: int) -> None:
    top = 2**bits - 1
    cells = np.array([[[top, 0, 0], [0, top, 0], [0, 0, top], [top // 3] * 3]], np.uint16) << (high + 1 - bits)
    data = (np.moveaxis(cells, -1, 0) if planar else cells).tobytes()
    tags: dict[str, Any] = {"BitsStored": bits, "HighBit": high, "PlanarConfiguration": planar}
    film = decode_image(dicom(tmp_path / "a.dcm", cells, pixels=data, **tags))
    assert film.show().pixels[0].tolist() == [76, 150, 29, 85]
    assert film.units[film.codes][0, 3] == top // 3


# Y1 Y2 Cb Cr of each pair of pixels, as PS3.3 C.7.6.3.1.2 has it
SHARED = bytes([10, 20, 128, 90, 30, 40, 1, 255, 50, 60, 128, 128, 70, 80, 128, 128])


@pytest.mark.parametrize("planar", [0, 1])
def test_pairs_of_pixels_that_share_a_colour(tmp_path: Path, planar: int) -> None:
    tags: dict[str, Any] = {"PhotometricInterpretation": "YBR_FULL_422", "PlanarConfiguration": planar}
    film = read_image(dicom(tmp_path / "a.dcm", np.zeros((2, 4, 3), np.uint8), pixels=SHARED, **tags))
    assert film.pixels.tolist() == [[10, 20, 30, 40], [50, 60, 70, 80]]
    assert film.notices == [COLOUR]


def test_the_first_frame_of_pairs(tmp_path: Path) -> None:
    tags: dict[str, Any] = {"PhotometricInterpretation": "YBR_FULL_422", "NumberOfFrames": 3}
    film = read_image(dicom(tmp_path / "a.dcm", np.zeros((2, 4, 3), np.uint8), pixels=SHARED * 3, **tags))
    assert film.pixels.tolist() == [[10, 20, 30, 40], [50, 60, 70, 80]]


@pytest.mark.parametrize(("photometric", "expected"), [("YBR_FULL", [10, 200]), ("RGB", [77, 168])])
def test_run_length_coding_leaves_colours_as_they_are(tmp_path: Path, photometric: str, expected: list[int]) -> None:
    # PS3.5 G.2: a segment for each sample. 0.299 x 10 + 0.587 x 100 + 0.114 x 130 = 76.5; 0.299 x 200 + 0.587 x 150 + 20 = 168.
    cells = np.array([[[10, 100, 130], [200, 150, 175]]], np.uint8)
    segments = [packbits(cells[..., i].tobytes()) for i in range(3)]
    offsets = [3, 64, 64 + len(segments[0]), 64 + len(segments[0]) + len(segments[1])]
    frame = struct.pack("<4L", *offsets).ljust(64, b"\0") + b"".join(segments)
    path = dicom(tmp_path / "a.dcm", cells, uid=RLE, pixels=fragments([frame]), PhotometricInterpretation=photometric)
    assert read_image(path).pixels.tolist() == [expected]


def test_pairs_by_name_only_are_read_as_they_are(tmp_path: Path) -> None:
    cells = np.array([[[10, 1, 2], [20, 3, 4]]], np.uint8)
    film = read_image(dicom(tmp_path / "a.dcm", cells, PhotometricInterpretation="YBR_FULL_422"))
    assert film.pixels.tolist() == [[10, 20]]
    assert "read as YBR_FULL" in film.notices[0]


# shape, tags, a word of the message, the reason
NO_COLOUR: list[tuple[np.ndarray[Any, Any], dict[str, Any], str, str]] = [
    (
        np.zeros((2, 3, 3), np.uint8),
        {"PhotometricInterpretation": "YBR_FULL_422", "pixels": bytes(12)},
        "even number",
        "odd pairs",
    ),
    (np.zeros((2, 4, 3), np.uint8), {"PhotometricInterpretation": "YBR_FULL_422", "pixels": bytes(14)}, "cut", "cut pairs"),
    (np.zeros((2, 4, 3), np.uint32), {}, "32", "32 bits a sample"),
    (np.zeros((2, 4, 3), np.uint8), {"PhotometricInterpretation": "YBR_ICT"}, "compressed files only", "YBR_ICT, uncompressed"),
    (np.zeros((2, 4), np.uint32), palette(PRIMARIES, 8), "32", "a palette of 32-bit numbers"),
]


@pytest.mark.parametrize(("cells", "tags", "words", "reason"), NO_COLOUR, ids=[row[3] for row in NO_COLOUR])
def test_colour_that_cannot_be_read_is_refused_in_words(
    tmp_path: Path, cells: np.ndarray[Any, Any], tags: dict[str, Any], words: str, reason: str
) -> None:
    with pytest.raises(ImageError, match=words):
        read_image(dicom(tmp_path / "a.dcm", cells, **tags))


def test_weights_are_those_of_pillow_for_every_kind_of_colour(tmp_path: Path) -> None:
    cells = np.random.default_rng(3).integers(0, 256, (300, 200, 3)).astype(np.uint8)
    film = read_image(dicom(tmp_path / "a.dcm", cells))
    assert np.array_equal(film.pixels, np.asarray(Image.fromarray(cells).convert("L")))
