"""Read an image file: look at its first bytes, then hand it to the reader of its kind."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from radharmony_core.errors import ImageError, ImageTooLargeError, MissingFileError, NotAnImageError
from radharmony_core.images.decoded import DecodedFilm
from radharmony_core.images.dicom import decode_dicom, read_dicom_size
from radharmony_core.images.display.pipeline import decoded_raster
from radharmony_core.images.display.voi import Window
from radharmony_core.images.film import MAX_FILE_BYTES, FilmImage, ImageHeader, Kind, check_size, shown_name
from radharmony_core.images.raster import TIFF_HEIGHT, TIFF_ORIENTATION, TIFF_WIDTH, read_raster
from radharmony_core.images.raster.exif import read_directory
from radharmony_core.images.raster.jpeg import read_jpeg_info
from radharmony_core.images.raster.png import read_png_size
from radharmony_core.images.sniff import HEAD_BYTES, sniff

__all__ = ["decode_image", "open_file", "read_header", "read_image"]

# Where a JPEG's frame header usually stands; a large profile can push it further back.
_JPEG_HEAD_BYTES = 1 << 17


def decode_image(path: str | Path) -> DecodedFilm:
    """The film in the file at ``path``, JPEG, PNG, TIFF or DICOM by content, to be shown through any window.

    Every guess is a notice. Raises MissingFileError for a path that is not there, NotAnImageError for a folder or other
    content, UnsupportedImageError for an image that cannot be decoded here, ImageTooLargeError above ``MAX_PIXELS`` before
    memory is taken, and ImageError for a file that is cut, damaged or not permitted to be read. The path is opened as it
    is: to keep it inside a dataset's folder is the caller's part.
    """
    path = Path(path)
    said: list[str] = []
    with open_file(path) as (stream, size):
        kind = _kind(stream, size, path)
        if kind == "dicom":
            return decode_dicom(stream, size, path, said)
        raster = read_raster(kind, _all_bytes(stream, size, shown_name(path)), shown_name(path), said)
    return decoded_raster(raster, kind, path, said)


def read_image(
    path: str | Path, window: str | Window = "default", *, invert: bool = False, local_contrast: bool = False
) -> FilmImage:
    """The film in the file at ``path`` as displayed: uint8, rows x columns, upright.

    DICOM goes through PS3.3 C.11: modality, the file's first usable window or table, polarity last. ``window``, ``invert``
    and ``local_contrast`` are those of ``DecodedFilm.show``. Raises as ``decode_image``, and UnknownWindowError.
    """
    return decode_image(path).show(window, invert=invert, local_contrast=local_contrast)


def read_header(path: str | Path) -> ImageHeader:
    """The kind and the size as displayed, in pixels, without decoding. Raises as ``read_image``, as far as it shows."""
    path = Path(path)
    with open_file(path) as (stream, size):
        kind = _kind(stream, size, path)
        if kind == "dicom":
            width, height = read_dicom_size(stream, size, shown_name(path))
        elif kind == "png":
            width, height = read_png_size(stream, shown_name(path))
        elif kind == "jpeg":
            width, height = _jpeg_size(stream, size, shown_name(path))
        else:
            width, height = _tiff_size(_all_bytes(stream, size, shown_name(path)), shown_name(path))
    check_size(width, height, shown_name(path))
    return ImageHeader(kind, width, height)


@contextmanager
def open_file(path: Path) -> Iterator[tuple[BinaryIO, int]]:
    """The open file and its size in bytes; what the system says against it comes as one of our errors."""
    name, whole = shown_name(path), shown_name(str(path))
    if "\0" in str(path):
        raise MissingFileError(f"{whole!r} is not a path: it holds a zero byte. Check the path.")
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise NotAnImageError(f"{name} is a folder, not an image; name a file in it.")
        if not stat.S_ISREG(status.st_mode):
            raise NotAnImageError(f"{name} is not a regular file but a device or a pipe, so it is not an image.")
        with path.open("rb") as stream:
            yield stream, status.st_size
    except UnicodeEncodeError as error:
        raise MissingFileError(f"{whole} is not a path: no file can have that name. Check the path.") from error
    except FileNotFoundError as error:
        raise MissingFileError(f"{whole} is not there. Check the dataset's folder in the configuration.") from error
    except NotADirectoryError as error:
        raise MissingFileError(f"{whole} is not there: a part of the path is a file. Check the path.") from error
    except PermissionError as error:
        raise ImageError(f"{name} may not be read by this user. Change the permissions of the file.") from error
    except OSError as error:
        raise ImageError(f"{name} cannot be read from the disk ({error.strerror}). Check the disk, then retry.") from error


def _kind(stream: BinaryIO, size: int, path: Path) -> Kind:
    kind = sniff(stream.read(HEAD_BYTES), size, path)
    stream.seek(0)
    return kind


def _all_bytes(stream: BinaryIO, size: int, name: str) -> bytes:
    if size > MAX_FILE_BYTES:
        raise ImageTooLargeError(
            f"{name} is too large: {size:,} bytes, and at most {MAX_FILE_BYTES:,} are read. Take a fresh copy of the file."
        )
    return stream.read()


def _jpeg_size(stream: BinaryIO, size: int, name: str) -> tuple[int, int]:
    head = stream.read(_JPEG_HEAD_BYTES)
    try:
        info = read_jpeg_info(head, name)
    except ImageError:
        if size <= _JPEG_HEAD_BYTES:
            raise
        info = read_jpeg_info(head + stream.read(), name)
    return _upright(info.coded_width, info.coded_height, info.orientation)


def _tiff_size(data: bytes, name: str) -> tuple[int, int]:
    directory = read_directory(data, name)
    width, height = directory.first(TIFF_WIDTH, 0), directory.first(TIFF_HEIGHT, 0)
    if not width or not height:
        raise ImageError(f"{name} is damaged: its TIFF directory has no size. Take a fresh copy of the file.")
    return _upright(width, height, directory.first(TIFF_ORIENTATION, 1))


def _upright(width: int, height: int, orientation: int) -> tuple[int, int]:
    """Orientations 5 to 8 stand on their side."""
    return (height, width) if orientation in range(5, 9) else (width, height)
