"""What a file is, by content; what is refused, and in which words; what a film promises."""

from __future__ import annotations

import gzip
import io
import os
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import radharmony_core.images as images
from radharmony_core.errors import (
    ImageError,
    ImageTooLargeError,
    MissingFileError,
    NotAnImageError,
    RadHarmonyError,
    UnsupportedImageError,
)
from radharmony_core.images import FilmImage, read_header, read_image
from tests.images.make import chunk, dicom, exif, png

PIXELS = np.array([[0, 128], [200, 255]], np.uint8)


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.dcm", b"x")
    return buffer.getvalue()


# content, words of the message, the reason
NO_IMAGE: list[tuple[bytes, str, str]] = [
    (b"", "empty \\(0 bytes\\).*not an image", "empty"),
    (b"<!DOCTYPE html><title>Log in</title>", "not an image.*HTML page", "a login page"),
    (b"\xef\xbb\xbf\r\n <HTML><body>403</body>", "not an image.*HTML page", "HTML behind a mark and blanks"),
    (b"<?xml version='1.0'?><Error/>", "XML", "a cloud store's error"),
    (b'{"message": "not found"}', "JSON", "a service's error"),
    (b"dicom_id,subject_id\n1,2\n", "found text", "a table"),
    ("Métadonnées".encode() * 600, "found text", "text of several bytes a letter, cut anywhere"),
    (zipped(), "zip archive", "a zip"),
    (gzip.compress(b"x"), "gzip", "a gzip"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git lfs pull", "a Git LFS pointer"),
    (b"/annex/objects/SHA256E-s1--00.dcm\n", "git annex get", "a git-annex pointer"),
    (b"%PDF-1.7\n", "PDF", "a PDF"),
    (b"\0\x05\x16\x07" + bytes(60), "AppleDouble", "what macOS leaves beside a file"),
    (bytes(3000), "zero bytes", "an interrupted copy"),
    (b"\x07\x91\xff\x13" * 50, "binary data", "noise"),
    (b"\xff", "binary data", "one byte"),
]


@pytest.mark.parametrize(("content", "words"), [row[:2] for row in NO_IMAGE], ids=[row[2] for row in NO_IMAGE])
@pytest.mark.parametrize("read", [read_image, read_header])
def test_what_is_no_image_is_named(tmp_path: Path, read: Callable[[Path], object], content: bytes, words: str) -> None:
    path = tmp_path / "film.dcm"
    path.write_bytes(content)
    with pytest.raises(NotAnImageError, match=f"(?s)film.dcm.*{words}"):
        read(path)


OTHERS = [
    (b"GIF89a" + bytes(20), "GIF"),
    (b"BM" + bytes(20), "BMP"),
    (b"P5\n2 2\n255\n" + bytes(4), "PGM"),
    (b"P2 2 2 255 0 0 0 0\n", "PGM"),
    (bytes(3) + b"\x1cftypavif" + bytes(20), "AVIF"),
    (bytes(3) + b"\x18ftypheic" + bytes(20), "HEIC"),
]


@pytest.mark.parametrize(("content", "words"), OTHERS)
def test_other_pictures_are_unsupported(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(UnsupportedImageError, match=words):
        read_image(tmp_path / "a")


@pytest.mark.parametrize("name", ["a.dcm", "a.jpg", "a.PNG", "a", "a.txt"])
def test_the_kind_is_decided_by_content(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for kind in ("jpeg", "png", "tiff"):
        Image.fromarray(PIXELS).save(path, kind)
        assert (read_image(path).source, read_header(path).source) == (kind, kind)
    assert read_image(dicom(path, PIXELS)).source == "dicom"


def test_a_missing_path_is_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    for path in (tmp_path / "no.png", tmp_path / "file" / "a.png", Path("a\0b.png"), tmp_path / "\ud800.dcm"):
        with pytest.raises(MissingFileError):
            read_image(path)
    with pytest.raises(FileNotFoundError):
        read_image(str(tmp_path / "no.png"))


def test_a_name_that_is_no_unicode_text_is_refused_in_words_that_can_be_sent(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/f\xe4.dcm"))
    for write in (
        lambda: path.write_bytes(b"text"),
        lambda: dicom(path, PIXELS, pixels=b""),
        lambda: dicom(path, PIXELS, WindowCenter=1, WindowWidth=1),
    ):
        write()
        with pytest.raises(RadHarmonyError, match=r"f\\udce4\.dcm") as caught:
            read_image(path, "none")
        assert str(caught.value).encode()


def test_a_folder_and_a_pipe_are_no_images(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(NotAnImageError):
            read_image(path)


def test_a_file_that_may_not_be_read_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "a.png"
    path.write_bytes(png(2, 1, b"\0\x05\x06"))
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ImageError, match="may not be read"):
        read_image(path)


def claims(width: int, height: int) -> dict[str, bytes]:
    """Small files whose headers claim a size."""
    buffer = io.BytesIO()
    Image.fromarray(PIXELS).save(buffer, "JPEG")
    jpeg = bytearray(buffer.getvalue())
    start = jpeg.index(b"\xff\xc0") + 5
    jpeg[start : start + 4] = struct.pack(">HH", height, width)
    entries = b"".join(
        struct.pack("<HHLL", tag, 4, 1, value)
        for tag, value in ((256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (278, height), (279, 8))
    )
    tiff = b"II*\0" + struct.pack("<L", 8) + struct.pack("<H", 8) + entries + bytes(4)
    return {"png": png(width, height, b"\0"), "jpeg": bytes(jpeg), "tiff": tiff}


@pytest.mark.parametrize(("width", "height"), [(40000, 40000), (9000, 8889), (10000, 9500), (60000, 60000)])
def test_a_claim_of_too_many_pixels_is_refused_without_memory_or_warning(tmp_path: Path, width: int, height: int) -> None:
    before = Image.MAX_IMAGE_PIXELS
    files = claims(width, height)
    dicom(tmp_path / "dicom", PIXELS, Rows=height, Columns=width)
    for kind, data in files.items():
        (tmp_path / kind).write_bytes(data)
    tracemalloc.start()
    try:
        for kind in (*files, "dicom"):
            for read in (read_image, read_header):
                with pytest.raises(ImageTooLargeError, match=f"too large.*{width} x {height}"):
                    read(tmp_path / kind)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert before == Image.MAX_IMAGE_PIXELS


def test_a_size_below_the_limit_is_judged_by_its_pixels(tmp_path: Path) -> None:
    for kind, data in claims(800, 700).items():
        (tmp_path / kind).write_bytes(data)
        with pytest.raises(ImageError, match="cut"):
            read_image(tmp_path / kind)


def test_a_film_is_as_promised_and_cannot_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(2, 1, b"\0\x05\x06", more=chunk(b"eXIf", exif(6))))
    film = read_image(path)
    assert (film.width, film.height, film.pixels.shape) == (1, 2, (2, 1))
    assert film.pixels.dtype == np.uint8
    assert film.pixels.flags.c_contiguous
    assert film.path == path
    with pytest.raises(ValueError, match="read-only"):
        film.pixels[0, 0] = 1
    film.notices.append("a page's own")
    assert len(film.notices) == 1


@pytest.mark.parametrize("pixels", [np.zeros((2, 2, 3), np.uint8), np.zeros((2, 2), np.uint16), np.zeros((0, 2), np.uint8)])
def test_a_film_is_two_dimensional_uint8(pixels: object) -> None:
    with pytest.raises(ValueError, match="uint8"):
        FilmImage(pixels, (), "png", Path("a"))  # type: ignore[arg-type]


def test_public_names_are_sorted_and_there() -> None:
    assert images.__all__ == sorted(images.__all__, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(images, name) for name in images.__all__)


def test_reading_in_many_threads_changes_nothing_of_the_process(tmp_path: Path) -> None:
    paths = [dicom(tmp_path / "a", PIXELS), tmp_path / "b"]
    Image.fromarray(PIXELS).save(paths[1], "PNG")
    before = list(warnings.filters)
    with ThreadPoolExecutor(8) as pool:
        films = list(pool.map(read_image, paths * 40))
    assert {film.pixels.tobytes() for film in films} == {PIXELS.tobytes()}
    assert list(warnings.filters) == before
