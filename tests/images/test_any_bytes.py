"""Whatever the bytes are, a film or one of our errors comes out, and never anything else: warnings are errors here."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from radharmony_core.errors import ImageError
from radharmony_core.images import FilmImage, decode_image, read_header, read_image
from tests.images.make import BIG_ENDIAN, DEFLATED, IMPLICIT, J2K, JPEG_8, RLE, dicom, exif, fragments, rle_frame

GRAY = np.random.default_rng(3).integers(0, 256, (24, 20)).astype(np.uint8)
DEEP = GRAY.astype(np.uint16) * 16

QUICK = settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def coded(pixels: np.ndarray[Any, Any], kind: str, mode: str | None = None, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image = Image.fromarray(pixels)
    (image.convert(mode) if mode else image).save(buffer, kind, **options)
    return buffer.getvalue()


PALETTE: dict[str, Any] = {f"{colour}PaletteColorLookupTableDescriptor": [256, 0, 16] for colour in ("Red", "Green", "Blue")} | {
    f"{colour}PaletteColorLookupTableData": bytes(range(256)) * 2 for colour in ("Red", "Green", "Blue")
}


def with_tables(path: Path, cells: np.ndarray[Any, Any] = DEEP) -> Path:
    table = [{"LUTDescriptor": [4, 0, 16], "LUTData": bytes(8)}]
    tags: dict[str, Any] = {"WindowCenter": [9, 8], "WindowWidth": [7, 6], "RescaleSlope": 2, "RescaleIntercept": 1}
    return dicom(path, cells, VOILUTSequence=table, ModalityLUTSequence=table, PixelPaddingValue=3, **tags)


def around(folder: Path, syntax: int, codestream: bytes | bytearray) -> bytes:
    uid = f"1.2.840.10008.1.2.4.{syntax}"
    return dicom(folder / "seed", DEEP, uid=uid, pixels=fragments([bytes(codestream)]), BitsStored=12).read_bytes()


SEEDS: dict[str, Callable[[Path], bytes]] = {
    "jpeg": lambda _: coded(GRAY, "JPEG", exif=b"Exif\0\0" + exif(6)),
    "progressive jpeg": lambda _: coded(np.dstack([GRAY] * 3), "JPEG", progressive=True),
    "png": lambda _: coded(GRAY, "PNG", exif=exif(3)),
    "palette png": lambda _: coded(np.asarray(Image.fromarray(GRAY).convert("RGB").quantize(9)), "PNG"),
    "16-bit png": lambda _: coded(DEEP, "PNG"),
    "tiff": lambda _: coded(DEEP, "TIFF"),
    "lzw tiff": lambda _: coded(GRAY, "TIFF", compression="tiff_lzw"),
    "dicom": lambda folder: with_tables(folder / "seed").read_bytes(),
    "dicom of 32 bits": lambda folder: with_tables(folder / "seed", DEEP.astype(np.int32) * 9999).read_bytes(),
    "palette dicom": lambda folder: dicom(
        folder / "seed", GRAY, PhotometricInterpretation="PALETTE COLOR", **PALETTE
    ).read_bytes(),
    "colour dicom": lambda folder: dicom(folder / "seed", np.dstack([DEEP] * 3)).read_bytes(),
    "paired colour dicom": lambda folder: dicom(
        folder / "seed", np.dstack([GRAY] * 3), PhotometricInterpretation="YBR_FULL_422", pixels=GRAY.tobytes() * 2
    ).read_bytes(),
    "implicit dicom": lambda folder: dicom(folder / "seed", DEEP, uid=IMPLICIT, frame="no preamble").read_bytes(),
    "big endian dicom": lambda folder: dicom(folder / "seed", DEEP, uid=BIG_ENDIAN).read_bytes(),
    "deflated dicom": lambda folder: dicom(folder / "seed", GRAY, uid=DEFLATED).read_bytes(),
    "jpeg dicom": lambda folder: dicom(folder / "seed", GRAY, uid=JPEG_8, pixels=fragments([coded(GRAY, "JPEG")])).read_bytes(),
    "j2k dicom": lambda folder: dicom(
        folder / "seed", DEEP, uid=J2K, pixels=fragments([coded(DEEP, "JPEG2000", no_jp2=True)])
    ).read_bytes(),
    "rle dicom": lambda folder: dicom(folder / "seed", DEEP, uid=RLE, pixels=fragments([rle_frame(DEEP)])).read_bytes(),
    "12-bit jpeg dicom": lambda folder: around(folder, 51, imagecodecs.jpeg8_encode(DEEP, bitspersample=12)),
    "lossless jpeg dicom": lambda folder: around(folder, 70, imagecodecs.ljpeg_encode(DEEP, bitspersample=12)),
    "jpeg-ls dicom": lambda folder: around(folder, 80, imagecodecs.jpegls_encode(DEEP)),
    "jpeg xl dicom": lambda folder: around(folder, 110, imagecodecs.jpegxl_encode(DEEP, lossless=True)),
    "htj2k dicom": lambda folder: around(folder, 201, imagecodecs.htj2k_encode(DEEP)),
    "12-bit jpeg": lambda _: bytes(imagecodecs.jpeg8_encode(DEEP, bitspersample=12)),
    "cmyk jpeg": lambda _: coded(GRAY, "JPEG", "CMYK"),
    "transparent png": lambda _: coded(np.dstack([GRAY, GRAY]), "PNG"),
    "tiff of fractions": lambda _: coded((DEEP / 7).astype(np.float32), "TIFF"),
}


def check(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    refusals = []
    size = None
    try:
        header = read_header(path)
        size = header.width, header.height
    except ImageError as error:
        refusals.append(error)
    try:
        decoded = decode_image(path)
    except ImageError as error:
        refusals.append(error)
    else:
        assert decoded.size == size
        for preset in decoded.presets:
            film = decoded.show(preset.key, local_contrast=preset.key == "full")
            assert isinstance(film, FilmImage)
            assert film.size == decoded.size
            assert all(notice and notice.isprintable() for notice in film.notices)
    assert all(len(str(error)) > 20 and str(error).isprintable() for error in refusals)


@QUICK
@given(data=st.binary(max_size=300), head=st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"II*\0", b"MM\0*"]))
def test_random_bytes(tmp_path: Path, head: bytes, data: bytes) -> None:
    check(tmp_path / "a", head + data)


@QUICK
@given(data=st.binary(max_size=300))
def test_random_bytes_behind_the_dicom_prefix(tmp_path: Path, data: bytes) -> None:
    check(tmp_path / "a", bytes(128) + b"DICM" + data)


@pytest.mark.parametrize("kind", SEEDS)
def test_the_seeds_are_films(tmp_path: Path, kind: str) -> None:
    (tmp_path / "a").write_bytes(SEEDS[kind](tmp_path))
    assert read_image(tmp_path / "a").pixels.size == GRAY.size


@pytest.mark.parametrize("kind", SEEDS)
def test_whole_files_with_changed_bytes(tmp_path: Path, kind: str) -> None:
    seed = SEEDS[kind](tmp_path)

    @QUICK
    @given(
        places=st.lists(st.tuples(st.integers(0, len(seed) - 1), st.integers(0, 255)), min_size=1, max_size=6),
        cut=st.one_of(st.none(), st.integers(0, len(seed))),
        head_only=st.booleans(),
    )
    def mutate(places: list[tuple[int, int]], cut: int | None, head_only: bool) -> None:
        data = bytearray(seed)
        for place, value in places:
            data[place % 700 if head_only else place] = value
        check(tmp_path / "a", bytes(data[:cut]))

    mutate()
